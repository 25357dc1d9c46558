import { describe, expect, test } from 'vitest';
import { broadcastMinute, periodStartMs } from './match-clock.ts';

const at = (minutes: number, seconds = 0, ms = 0): number => (minutes * 60 + seconds) * 1000 + ms;

describe('broadcastMinute', () => {
  test.each([
    [1, at(0), 1, undefined],
    [1, at(0, 59, 999), 1, undefined],
    [1, at(1), 2, undefined],
    [1, at(44, 59, 999), 45, undefined],
    [1, at(45), 45, 1],
    [1, at(45, 59, 999), 45, 1],
    [1, at(46), 45, 2],
    [1, at(54, 10), 45, 10],
    [2, at(45), 46, undefined],
    [2, at(77, 13, 900), 78, undefined],
    [2, at(89, 59, 999), 90, undefined],
    [2, at(90), 90, 1],
    [2, at(101, 30), 90, 12],
    [3, at(90), 91, undefined],
    [3, at(104, 59, 999), 105, undefined],
    [3, at(105), 105, 1],
    [4, at(105), 106, undefined],
    [4, at(119, 59, 999), 120, undefined],
    [4, at(120), 120, 1],
    [4, at(122, 5), 120, 3],
  ])('in period %i, %i ms on the clock is minute %i and stoppage %s', (period, clockMs, minute, stoppage) => {
    expect(broadcastMinute({ period, clockMs })).toEqual(stoppage === undefined ? { minute } : { minute, stoppage });
  });

  test('a shoot-out has no minute', () => {
    expect(broadcastMinute({ period: 5, clockMs: at(120) })).toBeUndefined();
    expect(broadcastMinute({ period: 5, clockMs: 0 })).toBeUndefined();
  });

  test.each([
    [1, -1],
    [2, at(44, 59, 999)],
    [3, at(12)],
    [4, at(104, 59)],
    [0, at(10)],
    [6, at(130)],
    [1.5, at(10)],
    [1, Number.NaN],
    [1, Number.POSITIVE_INFINITY],
    [1, 1e300],
  ])('period %d at %d ms names no minute', (period, clockMs) => {
    expect(broadcastMinute({ period, clockMs })).toBeUndefined();
  });
});

test('the running clock begins at 0, 45, 90, 105 and 120 minutes', () => {
  expect([1, 2, 3, 4, 5].map(periodStartMs)).toEqual([at(0), at(45), at(90), at(105), at(120)]);
  expect([0, 6, 1.5, Number.NaN].map(periodStartMs)).toEqual([undefined, undefined, undefined, undefined]);
});
