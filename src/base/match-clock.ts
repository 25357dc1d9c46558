/**
 * The match clock of football as feeds run it: 0:00 at kick-off, 45:00 at the start of the second half, 90:00 and 105:00 at
 * those of extra time; it runs on through stoppage time, so 46:30 in period 1 comes before 45:10 in period 2.
 */
import { DAY_MS, MINUTE_MS } from './units.ts';

/** First and last minute of play of each period; 5 is the shoot-out, which has no minutes of its own. */
const PERIODS: Readonly<Record<number, { readonly start: number; readonly end: number }>> = {
  1: { start: 0, end: 45 },
  2: { start: 45, end: 90 },
  3: { start: 90, end: 105 },
  4: { start: 105, end: 120 },
};
const SHOOT_OUT = 5;

/** A minute as broadcast, from 1; `stoppage` from 1 where the period has run over: 45+2 is `{ minute: 45, stoppage: 2 }`. */
export type BroadcastMinute = { readonly minute: number; readonly stoppage?: number };

/** What the running clock shows when a period begins, in ms; `undefined` for what is no period 1 to 5. */
export function periodStartMs(period: number): number | undefined {
  if (period === SHOOT_OUT) return 120 * MINUTE_MS;
  const known = PERIODS[period];
  return known && known.start * MINUTE_MS;
}

/**
 * The minute a broadcaster would name for a moment of play: the first minute is 1, and what is played after the end of a
 * period counts as its last minute plus stoppage (45:00.000 to 45:59.999 in period 1 is 45+1). `undefined` in a shoot-out,
 * without a known period, for a clock before the start of its period (a feed that counts from zero again), or beyond a day.
 */
export function broadcastMinute(moment: {
  readonly period: number;
  readonly clockMs: number;
}): BroadcastMinute | undefined {
  const period = PERIODS[moment.period];
  if (!period || !Number.isFinite(moment.clockMs) || moment.clockMs > DAY_MS) return undefined;
  const elapsed = Math.floor(moment.clockMs / MINUTE_MS);
  if (elapsed < period.start) return undefined;
  if (elapsed < period.end) return { minute: elapsed + 1 };
  return { minute: period.end, stoppage: elapsed - period.end + 1 };
}
