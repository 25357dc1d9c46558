import { periodStartMs } from '../base/index.ts';
import type { Timeline } from './action-types.ts';

/** `asset.timeline` as it is stored; times as RFC 3339 text. */
export type StoredTimeline = {
  readonly angle: string | null;
  readonly started_at: string | null;
  readonly start_tc: string | null;
  readonly periods: readonly { readonly period: number; readonly start_ms: number }[];
};

export function readTimeline(stored: StoredTimeline): Timeline {
  return {
    angle: stored.angle,
    startedAt: stored.started_at === null ? null : new Date(stored.started_at),
    startTimecode: stored.start_tc,
    periods: stored.periods.map(({ period, start_ms }) => ({ period, startMs: start_ms })),
  };
}

export function storedTimeline(timeline: Timeline): StoredTimeline {
  return {
    angle: timeline.angle,
    started_at: timeline.startedAt?.toISOString() ?? null,
    start_tc: timeline.startTimecode,
    periods: timeline.periods
      .toSorted((a, b) => a.period - b.period)
      .map(({ period, startMs }) => ({ period, start_ms: startMs })),
  };
}

/** A moment of a match, as a feed or a logger names it. */
export type Moment = {
  readonly wallclockAt: Date | null;
  readonly period: number | null;
  /** Running on from period to period. */
  readonly clockMs: number | null;
};

type Ties = Pick<Timeline, 'startedAt' | 'periods'>;

/** How long after the kick-off of its period a moment is, in ms; undefined for a clock that says nothing. */
function sinceKickOff({ period, clockMs }: Moment): number | undefined {
  if (period === null || clockMs === null) return undefined;
  const startMs = periodStartMs(period);
  return startMs === undefined || clockMs < startMs ? undefined : clockMs - startMs;
}

/**
 * Where a moment lies in a video, in ms from its start; may be before it. By the time of day where both know it, else by the
 * kick-off of the period: a clock that is stopped and started again is right within its period only.
 */
export function positionOf(timeline: Ties, moment: Moment): number | undefined {
  if (timeline.startedAt && moment.wallclockAt) return moment.wallclockAt.getTime() - timeline.startedAt.getTime();
  const played = sinceKickOff(moment);
  const kickOff = timeline.periods.find((one) => one.period === moment.period);
  return kickOff === undefined || played === undefined ? undefined : kickOff.startMs + played;
}

/** The moment at a position of a video, as far as its timeline tells. */
export function momentAt(timeline: Ties, positionMs: number): Moment {
  const wallclockAt = timeline.startedAt && new Date(timeline.startedAt.getTime() + positionMs);
  let period: number | null = null;
  let startMs = Number.NEGATIVE_INFINITY;
  for (const one of timeline.periods) {
    if (one.startMs <= positionMs && one.startMs > startMs) {
      period = one.period;
      startMs = one.startMs;
    }
  }
  const clockMs = period === null ? undefined : periodStartMs(period);
  return clockMs === undefined
    ? { wallclockAt, period: null, clockMs: null }
    : { wallclockAt, period, clockMs: clockMs + positionMs - startMs };
}
