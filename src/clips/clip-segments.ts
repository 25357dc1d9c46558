import { AppError, HOUR_MS, invalidField, MINUTE_MS } from '../base/index.ts';
import type { Action, ActionPlace, ClipSegment } from '../library/index.ts';

/** What is let through at once; a longer cut is made in parts. */
export const CLIP_LIMITS = {
  maxSegments: 100,
  maxSegmentMs: 30 * MINUTE_MS,
  maxReelMs: HOUR_MS,
  /** Before and after an action. */
  maxMarginMs: 5 * MINUTE_MS,
} as const;

/**
 * Where an action lies in one of its videos: in `mediaId`, or else in its own.
 * @throws AppError `validation_failed` when it lies in no such video
 */
export function placeOfAction(action: Action, mediaId: number | undefined): ActionPlace {
  const place = action.places.find((one) => one.mediaId === (mediaId ?? action.mediaId));
  if (place) return place;
  const known = action.places.map((one) => one.mediaId).join(', ');
  throw invalidField('/media_id', `expected a video that action ${action.id} lies in (${known}), received ${mediaId}`);
}

/**
 * The cut of an action: from its start less the lead to its end plus the lag, inside the video, at least 1 ms. A moment,
 * which has no length, is shown with `moment` around it where nothing else is asked for.
 * @throws AppError `validation_failed` when it lies beyond the video or is longer than 30 min
 */
export function segmentAround(
  place: Pick<ActionPlace, 'mediaId' | 'startMs' | 'endMs' | 'eventMs'>,
  options: {
    readonly actionId: number;
    readonly durationMs: number | null;
    readonly leadMs: number | undefined;
    readonly lagMs: number | undefined;
    readonly moment: { readonly leadMs: number; readonly lagMs: number };
  },
): ClipSegment {
  const around = place.startMs === place.endMs ? options.moment : { leadMs: 0, lagMs: 0 };
  const endMs = options.durationMs ?? Number.POSITIVE_INFINITY;
  const inMs = Math.max(0, place.startMs - (options.leadMs ?? around.leadMs));
  const outMs = Math.max(inMs + 1, Math.min(endMs, place.endMs + (options.lagMs ?? around.lagMs)));
  return checkSegment(
    {
      mediaId: place.mediaId,
      inMs,
      outMs,
      eventMs: Math.min(Math.max(place.eventMs, inMs), outMs - 1),
      actionId: options.actionId,
    },
    { durationMs: options.durationMs, pointer: '' },
  );
}

/** @throws AppError `validation_failed` when the cut begins beyond the end of the video or is longer than 30 min */
export function checkSegment(
  segment: ClipSegment,
  options: { readonly durationMs: number | null; readonly pointer: string },
): ClipSegment {
  if (options.durationMs !== null && segment.inMs >= options.durationMs) {
    throw invalidField(
      `${options.pointer}/in_ms`,
      `expected a cut that begins before the end of video ${segment.mediaId} at ${options.durationMs} ms, received ${segment.inMs} ms`,
    );
  }
  const lengthMs = segment.outMs - segment.inMs;
  if (lengthMs > CLIP_LIMITS.maxSegmentMs) {
    throw invalidField(
      `${options.pointer}/out_ms`,
      `expected a cut of at most ${CLIP_LIMITS.maxSegmentMs} ms, received ${lengthMs} ms`,
    );
  }
  return segment;
}

/** @throws AppError `validation_failed` when all of them together are longer than an hour */
export function checkReelLength(segments: readonly ClipSegment[]): void {
  const lengthMs = segments.reduce((sum, segment) => sum + segment.outMs - segment.inMs, 0);
  if (lengthMs <= CLIP_LIMITS.maxReelMs) return;
  throw new AppError(
    'validation_failed',
    `expected at most ${CLIP_LIMITS.maxReelMs} ms in all, received ${lengthMs} ms`,
  );
}
