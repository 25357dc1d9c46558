import { expect, test } from 'vitest';
import { DAY_MS, HOUR_MS } from '../base/index.ts';
import { retryAfterMs, waitAfterMs } from './schedule.ts';

test('a message is tried ten times within three days, each time after a longer wait', () => {
  const waits: number[] = [];
  for (let tries = 1; ; tries += 1) {
    const waitMs = waitAfterMs(tries, { random: 0.5 });
    if (waitMs === undefined) break;
    waits.push(waitMs);
  }
  expect(waits).toHaveLength(9);
  expect(waits.toSorted((a, b) => a - b)).toEqual(waits);
  const sum = waits.reduce((a, b) => a + b, 0);
  expect(sum).toBeGreaterThan(2.9 * DAY_MS);
  expect(sum).toBeLessThan(3 * DAY_MS);
});

test('waits are spread by a tenth', () => {
  expect(waitAfterMs(1, { random: 0 })).toBe(4500);
  expect(waitAfterMs(1, { random: 1 })).toBe(5500);
});

test('a server that asks for more time gets it, for an hour at most', () => {
  expect(waitAfterMs(1, { random: 0.5, askedMs: 60_000 })).toBe(60_000);
  expect(waitAfterMs(1, { random: 0.5, askedMs: 10 * DAY_MS })).toBe(HOUR_MS);
  expect(waitAfterMs(9, { random: 0.5, askedMs: 1 })).toBe(31 * HOUR_MS);
  const now = new Date('2026-01-01T00:00:00Z');
  expect(retryAfterMs('120', now)).toBe(120_000);
  expect(retryAfterMs('Thu, 01 Jan 2026 00:00:30 GMT', now)).toBe(30_000);
  expect(retryAfterMs('Thu, 01 Jan 2020 00:00:30 GMT', now)).toBe(0);
  expect(retryAfterMs('soon', now)).toBeUndefined();
  expect(retryAfterMs(undefined, now)).toBeUndefined();
});
