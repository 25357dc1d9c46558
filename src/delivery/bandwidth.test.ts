import { describe, expect, test } from 'vitest';
import { createBandwidth, type Pacing } from './bandwidth.ts';

const never = new AbortController().signal;

async function* chunksOf(count: number, bytes: number): AsyncIterable<Uint8Array> {
  for (let n = 0; n < count; n += 1) yield new Uint8Array(bytes).fill(n);
}

/** A clock that goes on when somebody waits, and wakes those who wait in their order. */
function createClock(): Pacing {
  let nowMs = 1000;
  const sleepers: { readonly at: number; readonly wake: () => void }[] = [];
  const goOn = () => {
    sleepers.sort((left, right) => left.at - right.at);
    const next = sleepers.shift();
    if (!next) return;
    nowMs = Math.max(nowMs, next.at);
    next.wake();
  };
  return {
    nowMs: () => nowMs,
    wait: (ms, signal) =>
      new Promise<void>((resolve, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason), { once: true });
        sleepers.push({ at: nowMs + ms, wake: resolve });
        setImmediate(goOn);
      }),
  };
}

async function sizesOf(chunks: AsyncIterable<Uint8Array>): Promise<number[]> {
  const sizes: number[] = [];
  for await (const chunk of chunks) sizes.push(chunk.length);
  return sizes;
}
const sum = (sizes: readonly number[]): number => sizes.reduce((total, size) => total + size, 0);

describe('a bandwidth limit', () => {
  test('lets one file through at its rate, in pieces of a tenth of a second', async () => {
    const clock = createClock();
    const bandwidth = createBandwidth(clock);
    bandwidth.limit(100_000);
    const before = clock.nowMs();
    const sizes = await sizesOf(bandwidth.pace(chunksOf(3, 105_000), never));
    expect(sum(sizes)).toBe(315_000);
    expect(Math.max(...sizes)).toBe(10_000);
    expect(clock.nowMs() - before).toBeGreaterThan(3000);
    expect(clock.nowMs() - before).toBeLessThan(3200);
  });

  test('is one for all files of a destination', async () => {
    const clock = createClock();
    const bandwidth = createBandwidth(clock);
    bandwidth.limit(100_000);
    const before = clock.nowMs();
    await Promise.all([1, 2, 3, 4].map(() => sizesOf(bandwidth.pace(chunksOf(1, 100_000), never))));
    expect(clock.nowMs() - before).toBeGreaterThan(3800);
    expect(clock.nowMs() - before).toBeLessThan(4200);
  });

  test('does not make up for a pause', async () => {
    const clock = createClock();
    const bandwidth = createBandwidth(clock);
    bandwidth.limit(100_000);
    await sizesOf(bandwidth.pace(chunksOf(1, 10_000), never));
    await clock.wait(60_000, never);
    const before = clock.nowMs();
    await sizesOf(bandwidth.pace(chunksOf(1, 100_000), never));
    expect(clock.nowMs() - before).toBeGreaterThan(850);
  });

  test('leaves bytes as they are, and waits for nothing when there is none', async () => {
    const clock = createClock();
    const bandwidth = createBandwidth(clock);
    const seen: Uint8Array[] = [];
    for await (const chunk of bandwidth.pace(chunksOf(3, 50_000), never)) seen.push(chunk);
    expect(Buffer.concat(seen)).toEqual(Buffer.concat([0, 1, 2].map((n) => Buffer.alloc(50_000, n))));
    expect(clock.nowMs()).toBe(1000);
  });

  test('ends its wait with the signal', async () => {
    const bandwidth = createBandwidth();
    bandwidth.limit(1);
    const cancelled = new AbortController();
    const reading = sizesOf(bandwidth.pace(chunksOf(1, 100_000), cancelled.signal));
    const reason = new Error('cancelled');
    cancelled.abort(reason);
    await expect(reading).rejects.toBe(reason);
  });
});
