import { useEffect, useState } from 'react';
import type { Shortcut } from '../app/shortcut-registry.ts';
import { useShortcuts } from '../app/shortcuts.tsx';
import type { FrameClock } from './frame-clock.ts';
import type { Hotkey } from './hotkeys.ts';
import type { Player } from './player.ts';

/** Every key of the video screen. */
export function useVideoShortcuts(on: {
  readonly player: Player;
  readonly clock: FrameClock;
  readonly hotkeys: readonly Hotkey[];
  readonly onLog: (hotkey: Hotkey) => void;
  readonly onMarkIn: () => void;
  readonly onMarkOut: () => void;
  readonly onClearMarks: () => void;
  readonly onPlaySelected: () => void;
  readonly onStart: () => void;
  readonly onEnd: () => void;
  readonly onEdit: () => void;
  readonly onRemove: () => void;
  readonly onCut: () => void;
}): void {
  const { player, clock } = on;
  const second = Math.round(clock.rate.num / clock.rate.den);
  const heldK = useHeldK();
  const shuttle = (key: 'J' | 'L') => (event: KeyboardEvent) => {
    if (heldK.isDown()) player.step(key === 'L' ? 1 : -1);
    else if (!event.repeat) player.press(key);
  };
  const one =
    (group: string) =>
    (keys: string, label: string, run: Shortcut['run'], repeats = false) => ({
      keys,
      label,
      group,
      run,
      repeats,
    });
  const play = one('Video');
  const edit = one('Actions');
  useShortcuts([
    play('space', 'Play or pause', player.toggle),
    play('j', 'Play backwards, faster with each press; one frame with K held', shuttle('J'), true),
    play('k', 'Stop', () => {
      heldK.press();
      player.stop();
    }),
    play('l', 'Play, faster with each press; one frame with K held', shuttle('L'), true),
    play(',', 'One frame back', () => player.step(-1), true),
    play('.', 'One frame on', () => player.step(1), true),
    play('shift+arrowleft', 'One second back', () => player.step(-second), true),
    play('shift+arrowright', 'One second on', () => player.step(second), true),
    play('home', 'To the beginning', () => player.seekFrame(0)),
    play('end', 'To the end', () => player.seekFrame(clock.frames - 1)),
    play('i', 'Mark in', on.onMarkIn),
    play('o', 'Mark out', on.onMarkOut),
    play('x', 'Take the marks away', on.onClearMarks),
    edit('p', 'Play the selected action', on.onPlaySelected),
    edit('[', 'Start it here', on.onStart),
    edit(']', 'End it here', on.onEnd),
    edit('d', 'Edit its details', on.onEdit),
    edit('delete', 'Remove it', on.onRemove),
    edit('z', 'Cut a clip of it, or of the marked part', on.onCut),
    ...on.hotkeys.map((hotkey) => ({
      keys: hotkey.key,
      label: hotkey.label,
      group: 'Log',
      run: () => on.onLog(hotkey),
    })),
  ]);
}

/** Whether K is down: then J and L step. */
function useHeldK() {
  const [held] = useState(() => {
    let isDown = false;
    return {
      isDown: () => isDown,
      press: () => {
        isDown = true;
      },
      release: (event: KeyboardEvent) => {
        if (event.key.toLowerCase() === 'k') isDown = false;
      },
    };
  });
  useEffect(() => {
    document.addEventListener('keyup', held.release);
    return () => document.removeEventListener('keyup', held.release);
  }, [held]);
  return held;
}
