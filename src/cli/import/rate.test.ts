import { describe, expect, test } from 'vitest';
import { createRateMeter } from './rate.ts';

const MB = 1_000_000;

describe('createRateMeter', () => {
  test('tells bytes a second, files a minute and the time that remains', () => {
    const meter = createRateMeter();
    for (let second = 0; second <= 10; second += 1) {
      meter.add({ atMs: second * 1000, files: second * 2, bytes: second * 20 * MB });
    }
    expect(meter.read({ files: 40, bytes: 400 * MB })).toEqual({
      bytesPerSecond: 20 * MB,
      filesPerMinute: 120,
      remainingMs: 10_000,
    });
  });

  test('goes by the last 30 s, not by what was long ago', () => {
    const meter = createRateMeter();
    for (let second = 0; second <= 120; second += 1) {
      const bytes = second <= 60 ? second * 100 * MB : 6000 * MB + (second - 60) * 10 * MB;
      meter.add({ atMs: second * 1000, files: second, bytes });
    }
    expect(meter.read({ files: 240, bytes: 12_000 * MB }).bytesPerSecond).toBeCloseTo(10 * MB);
  });

  test('counts files as well, so that many small ones are not done in no time', () => {
    const meter = createRateMeter();
    meter.add({ atMs: 0, files: 0, bytes: 0 });
    meter.add({ atMs: 10_000, files: 100, bytes: 100_000 });
    const { remainingMs } = meter.read({ files: 1100, bytes: 100_000 });
    expect(remainingMs).toBeGreaterThan(90_000);
    expect(remainingMs).toBeLessThan(110_000);
  });

  test('tells no time at first, while nothing moves, or without samples', () => {
    const meter = createRateMeter();
    const total = { files: 10, bytes: 10 * MB };
    expect(meter.read(total)).toEqual({ bytesPerSecond: 0, filesPerMinute: 0, remainingMs: undefined });
    meter.add({ atMs: 0, files: 0, bytes: 0 });
    meter.add({ atMs: 500, files: 1, bytes: MB });
    expect(meter.read(total).remainingMs).toBeUndefined();
    const still = createRateMeter();
    still.add({ atMs: 0, files: 1, bytes: MB });
    still.add({ atMs: 5000, files: 1, bytes: MB });
    expect(still.read(total).remainingMs).toBeUndefined();
  });

  test('never tells a speed below nothing when an upload begins anew', () => {
    const meter = createRateMeter();
    meter.add({ atMs: 0, files: 3, bytes: 50 * MB });
    meter.add({ atMs: 4000, files: 3, bytes: 20 * MB });
    expect(meter.read({ files: 5, bytes: 90 * MB }).bytesPerSecond).toBe(0);
  });

  test('holds few samples however often it is told', () => {
    const meter = createRateMeter();
    for (let at = 0; at <= 100_000; at += 1) meter.add({ atMs: at, files: at, bytes: at * 1000 });
    expect(meter.read({ files: 200_000, bytes: 200_000_000 }).bytesPerSecond).toBeCloseTo(MB, -3);
  });
});
