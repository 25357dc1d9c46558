import { useMemo, useSyncExternalStore } from 'react';
import type { Schemas } from '../api/client.ts';
import { createFrameClock, type FrameClock } from './frame-clock.ts';
import { createPlayer, type Player, type PlayerState } from './player.ts';

type Media = Schemas['Media'];

/** The player of a video of the library, and the clock of its frames. */
export function usePlayer(media: Media): { readonly player: Player; readonly clock: FrameClock } {
  const { id, frame_rate: given, duration_ms: durationMs } = media;
  const num = given?.num;
  const den = given?.den;
  const startTimecode = startTimecodeOf(media);
  return useMemo(() => {
    const rate = num === undefined || den === undefined ? null : { num, den };
    const clock = createFrameClock({ rate, durationMs: durationMs ?? 0, startTimecode });
    return { clock, player: createPlayer(clock), id };
  }, [id, num, den, durationMs, startTimecode]);
}

/** What the clock of the file shows at its first frame, as the service reads it: the timeline's word before the file's. */
function startTimecodeOf({ timeline, video }: Media): string | null {
  const own = video?.['start_timecode'];
  return timeline?.start_tc ?? (typeof own === 'string' ? own : null);
}

export function usePlayerState(player: Player): PlayerState {
  return useSyncExternalStore(player.subscribe, player.getState);
}
