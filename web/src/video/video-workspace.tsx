import { FileInput, Film, Pencil, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { copyOf, useActions, useActionWrites } from '../api/actions.ts';
import type { Schemas } from '../api/client.ts';
import type { ClipSource } from '../api/clips.ts';
import { useHasScope } from '../api/me.ts';
import { ProblemNote, showProblem } from '../app/problem-view.tsx';
import { Button } from '../ui/button.tsx';
import { showToast } from '../ui/toast.tsx';
import { draftOf, type Marks, markIn, markOut, NO_MARKS } from './action-draft.ts';
import { ActionEditor } from './action-editor.tsx';
import { ActionFilters, ActionList, filterActions, NO_FILTER } from './action-list.tsx';
import { ClipDialog } from './clip-dialog.tsx';
import { HotkeyBar } from './hotkey-bar.tsx';
import type { Hotkey } from './hotkeys.ts';
import { ImportDialog } from './import-dialog.tsx';
import { PlayerView } from './player-view.tsx';
import { type Moved, Timeline } from './timeline.tsx';
import { usePlayer } from './use-player.ts';
import { useStoredHotkeys } from './use-hotkeys.ts';
import { useVideoShortcuts } from './use-video-shortcuts.ts';
import './video.css';

type Media = Schemas['Media'];
type Open =
  | { readonly kind: 'editor' }
  | { readonly kind: 'import' }
  | { readonly kind: 'clip'; readonly source: ClipSource; readonly title: string };

/** A video with everything that is logged in it: play, log, edit, cut. */
export function VideoWorkspace({ media }: { readonly media: Media }) {
  const { player, clock } = usePlayer(media);
  const { data: actions = [], error, isPending } = useActions(media.id);
  const { create, patch, remove, refetch } = useActionWrites(media.id);
  const canWrite = useHasScope('actions.write');
  const [hotkeys, setHotkeys] = useStoredHotkeys();
  const [marks, setMarks] = useState<Marks>(NO_MARKS);
  const [filter, setFilter] = useState(NO_FILTER);
  const [selectedId, select] = useState<number>();
  const [open, setOpen] = useState<Open>();
  const shown = filterActions(actions, filter);
  const selected = actions.find(({ id }) => id === selectedId);
  const nowMs = () => clock.msOf(player.getState().frame);

  const choose = (id: number) => {
    select(id);
    const action = actions.find((one) => one.id === id);
    if (action && id !== selectedId) player.seekMs(action.start_ms);
  };
  const play = (id: number) => {
    const action = actions.find((one) => one.id === id);
    if (action) player.playRange(action.in_ms, action.out_ms);
  };
  const log = ({ type, label }: Hotkey) => {
    const draft = draftOf(type, { playheadMs: nowMs(), marks });
    setMarks(NO_MARKS);
    create.mutate(draft, {
      onSuccess: (made) => {
        select(made.id);
        const undo = { label: 'Undo', run: () => remove.mutate(made) };
        showToast({
          tone: 'ok',
          text: `${label} at ${clock.timecodeOf(clock.frameAtMs(made.event_ms))}`,
          action: undo,
        });
      },
      onError: (fault) => showProblem(fault, `${label} was not recorded`),
    });
  };
  const move = ({ action, startMs, endMs }: Moved) => {
    const byMs = startMs - action.start_ms;
    const kept = Math.min(endMs, Math.max(startMs, action.event_ms));
    const isShift = endMs - action.end_ms === byMs;
    const change = { start_ms: startMs, end_ms: endMs, event_ms: isShift ? action.event_ms + byMs : kept };
    patch.mutate({ action, change }, { onError: (fault) => showProblem(fault, 'The action was not moved') });
  };
  const drop = () => {
    if (!selected) return;
    select(undefined);
    remove.mutate(selected, {
      onSuccess: () => {
        const undo = { label: 'Undo', run: () => create.mutate(copyOf(selected)) };
        showToast({ tone: 'info', text: `${selected.type_label} was removed.`, action: undo });
      },
      onError: (fault) => showProblem(fault, 'The action was not removed'),
    });
  };
  const cut = () => {
    const { inMs, outMs } = marks;
    if (inMs !== null && outMs !== null) {
      const source = { kind: 'part', mediaId: media.id, inMs, outMs } as const;
      return setOpen({ kind: 'clip', source, title: 'Clip of the marked part' });
    }
    if (!selected) return undefined;
    const source = { kind: 'action', actionId: selected.id, mediaId: media.id } as const;
    return setOpen({ kind: 'clip', source, title: `Clip of ${selected.type_label}` });
  };

  const setIn = () => setMarks(markIn(marks, nowMs()));
  const setOut = () => setMarks(markOut(marks, nowMs()));
  useVideoShortcuts({
    player,
    clock,
    hotkeys: canWrite ? hotkeys : [],
    onLog: log,
    onMarkIn: setIn,
    onMarkOut: setOut,
    onClearMarks: () => setMarks(NO_MARKS),
    onPlaySelected: () => selected && play(selected.id),
    onStart: () =>
      selected && canWrite && move({ action: selected, startMs: nowMs(), endMs: Math.max(nowMs(), selected.end_ms) }),
    onEnd: () =>
      selected && canWrite && move({ action: selected, startMs: Math.min(nowMs(), selected.start_ms), endMs: nowMs() }),
    onEdit: () => selected && canWrite && setOpen({ kind: 'editor' }),
    onRemove: () => canWrite && drop(),
    onCut: cut,
  });

  const canCut = canWrite && (selected !== undefined || (marks.inMs !== null && marks.outMs !== null));
  const emptyText = isPending
    ? 'The actions are being read.'
    : actions.length > 0
      ? 'No action is of this type and player.'
      : canWrite
        ? 'Nothing is logged yet. Play the video and press a key of a type, such as G for a goal, or import a file of events.'
        : 'Nothing is logged yet.';
  return (
    <div className="video">
      <PlayerView media={media} player={player} clock={clock} onMarkIn={setIn} onMarkOut={setOut} />
      <Timeline
        mediaId={media.id}
        actions={shown}
        player={player}
        clock={clock}
        durationMs={media.duration_ms ?? 1}
        marks={marks}
        selected={selectedId}
        onSelect={choose}
        onMove={canWrite ? move : undefined}
        emptyText={emptyText}
      />
      <aside className="video-side" aria-label="Actions of the video">
        {canWrite && <HotkeyBar hotkeys={hotkeys} onLog={log} onChange={setHotkeys} />}
        <ActionFilters actions={actions} filter={filter} onChange={setFilter} />
        <ProblemNote error={error} />
        <ActionList actions={shown} selected={selectedId} onSelect={choose} onOpen={play} />
        <div className="actions-foot">
          {canWrite && (
            <>
              <Button size="s" isDisabled={!selected} onPress={() => setOpen({ kind: 'editor' })}>
                <Pencil aria-hidden /> Edit
              </Button>
              <Button size="s" isDisabled={!selected} onPress={drop}>
                <Trash2 aria-hidden /> Remove
              </Button>
              <Button size="s" isDisabled={!canCut} onPress={cut}>
                <Film aria-hidden /> Clip
              </Button>
              <Button
                size="s"
                isDisabled={shown.length < 2 || shown.length > 100}
                onPress={() =>
                  setOpen({
                    kind: 'clip',
                    source: { kind: 'reel', actionIds: shown.map(({ id }) => id) },
                    title: `Reel of ${shown.length} actions`,
                  })
                }
              >
                <Film aria-hidden /> Reel of all shown
              </Button>
              <Button size="s" onPress={() => setOpen({ kind: 'import' })}>
                <FileInput aria-hidden /> Import
              </Button>
            </>
          )}
        </div>
      </aside>
      {open?.kind === 'editor' && selected && (
        <ActionEditor
          key={selected.id}
          action={selected}
          clock={clock}
          canMove={selected.media_id === media.id}
          error={patch.error}
          onSave={(change) =>
            Object.keys(change).length === 0
              ? setOpen(undefined)
              : patch.mutate({ action: selected, change }, { onSuccess: () => setOpen(undefined) })
          }
          onClose={() => setOpen(undefined)}
        />
      )}
      {open?.kind === 'clip' && (
        <ClipDialog source={open.source} title={open.title} onClose={() => setOpen(undefined)} />
      )}
      {open?.kind === 'import' && (
        <ImportDialog mediaId={media.id} onDone={() => void refetch()} onClose={() => setOpen(undefined)} />
      )}
    </div>
  );
}
