import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Timeline } from './action-types.ts';
import { momentAt, positionOf, readTimeline, storedTimeline } from './timeline.ts';

const MINUTE = 60_000;
const start = new Date('2026-03-14T19:20:00.000Z');
const periods = [
  { period: 1, startMs: 10 * MINUTE },
  { period: 2, startMs: 72 * MINUTE },
];
const clock = (period: number, clockMs: number) => ({ wallclockAt: null, period, clockMs });

describe('a moment', () => {
  test('by the clock lies behind the kick-off of its period', () => {
    const timeline = { startedAt: null, periods };
    expect(positionOf(timeline, clock(1, 0))).toBe(10 * MINUTE);
    expect(positionOf(timeline, clock(1, 47 * MINUTE))).toBe(57 * MINUTE);
    expect(positionOf(timeline, clock(2, 45 * MINUTE))).toBe(72 * MINUTE);
    expect(positionOf(timeline, clock(2, 93 * MINUTE))).toBe(120 * MINUTE);
  });

  test('of a period without a kick-off, or with a clock that began again at zero, lies nowhere', () => {
    const timeline = { startedAt: null, periods };
    expect(positionOf(timeline, clock(3, 91 * MINUTE))).toBeUndefined();
    expect(positionOf(timeline, clock(2, 3 * MINUTE))).toBeUndefined();
    expect(positionOf(timeline, { wallclockAt: start, period: null, clockMs: null })).toBeUndefined();
  });

  test('lies where the time of day says when both know it', () => {
    const moment = { ...clock(1, 0), wallclockAt: new Date(start.getTime() + 5000) };
    expect(positionOf({ startedAt: start, periods }, moment)).toBe(5000);
    expect(positionOf({ startedAt: null, periods }, moment)).toBe(10 * MINUTE);
  });

  test('before the video began has a position below zero', () => {
    const early = { wallclockAt: new Date(start.getTime() - 1), period: null, clockMs: null };
    expect(positionOf({ startedAt: start, periods: [] }, early)).toBe(-1);
  });
});

test('a position is the moment that lies at it', () => {
  const timelines = fc.record({
    startedAt: fc.option(fc.date({ min: new Date(0), max: new Date('2100-01-01'), noInvalidDate: true })),
    periods: fc.uniqueArray(
      fc.record({
        period: fc.integer({ min: 1, max: 5 }),
        startMs: fc.integer({ min: -100 * MINUTE, max: 200 * MINUTE }),
      }),
      { selector: (one) => one.period, maxLength: 5 },
    ),
  });
  fc.assert(
    fc.property(timelines, fc.integer({ min: 0, max: 200 * MINUTE }), (timeline, positionMs) => {
      const moment = momentAt(timeline, positionMs);
      const isKnown = timeline.startedAt !== null || timeline.periods.some((one) => one.startMs <= positionMs);
      expect(positionOf(timeline, moment)).toBe(isKnown ? positionMs : undefined);
      expect(positionOf({ ...timeline, startedAt: null }, moment)).toBe(
        timeline.periods.some((one) => one.startMs <= positionMs) ? positionMs : undefined,
      );
    }),
  );
});

test('a timeline is stored with its periods in order, and read as it was', () => {
  const timeline: Timeline = {
    angle: 'main',
    startedAt: start,
    startTimecode: '10:00:00:00',
    periods: periods.toReversed(),
  };
  const stored = storedTimeline(timeline);
  expect(stored.periods.map((one) => one.period)).toEqual([1, 2]);
  expect(readTimeline(stored)).toEqual({ ...timeline, periods });
});
