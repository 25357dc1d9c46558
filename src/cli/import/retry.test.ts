import { describe, expect, test } from 'vitest';
import { readRetryAfterMs, retry, type Try } from './retry.ts';

const open = new AbortController().signal;

/** Answers one outcome after the other, and keeps how long it was waited in between. */
function script(outcomes: readonly Try<string>[]) {
  const waitsMs: number[] = [];
  let tries = 0;
  const run = (signal = open) =>
    retry(
      async () => {
        const outcome = outcomes[Math.min(tries, outcomes.length - 1)];
        tries += 1;
        if (!outcome) throw new Error('no outcome');
        return outcome;
      },
      { signal, random: () => 0.5, wait: async (ms) => void waitsMs.push(ms) },
    );
  return { run, waitsMs, tries: () => tries };
}
const failed: Try<string> = { kind: 'failed', error: new Error('connection refused') };
const busy = (retryAfterMs?: number): Try<string> => ({ kind: 'busy', error: new Error('busy'), retryAfterMs });
const done: Try<string> = { kind: 'done', value: 'answer' };

describe('retry', () => {
  test('tries a failure five times over about half a minute', async () => {
    const { run, waitsMs, tries } = script([failed]);
    await expect(run()).rejects.toThrow('connection refused');
    expect(tries()).toBe(5);
    expect(waitsMs).toEqual([1000, 3000, 9000, 15_000]);
  });

  test('tells a failure sooner when asked to', async () => {
    const waitsMs: number[] = [];
    const wait = async (ms: number) => void waitsMs.push(ms);
    await expect(retry(async () => failed, { signal: open, maxFailures: 2, wait })).rejects.toThrow('refused');
    expect(waitsMs).toHaveLength(1);
  });

  test('answers as soon as a try succeeds', async () => {
    const { run, waitsMs } = script([failed, failed, done]);
    await expect(run()).resolves.toBe('answer');
    expect(waitsMs).toEqual([1000, 3000]);
  });

  test('waits for a busy service as long as it asks, and never less', async () => {
    const { run, waitsMs, tries } = script([busy(7000), busy(), busy(), busy(), busy(), busy(), busy(), done]);
    await expect(run()).resolves.toBe('answer');
    expect(tries()).toBe(8);
    expect(waitsMs[0]).toBeGreaterThanOrEqual(7000);
    expect(waitsMs.slice(1).every((ms) => ms >= 1000)).toBe(true);
  });

  test('gives a busy service up after ten minutes', async () => {
    const { run, waitsMs } = script([busy(60_000)]);
    await expect(run()).rejects.toThrow('busy');
    const totalMs = waitsMs.reduce((sum, ms) => sum + ms, 0);
    expect(totalMs).toBeGreaterThan(500_000);
    expect(totalMs).toBeLessThanOrEqual(600_000);
  });

  test('ends at once when it is aborted', async () => {
    const stop = new AbortController();
    stop.abort(new Error('Ctrl-C'));
    const { run, tries } = script([failed]);
    await expect(run(stop.signal)).rejects.toThrow('Ctrl-C');
    expect(tries()).toBe(0);
  });
});

describe('readRetryAfterMs', () => {
  test('reads seconds and dates', () => {
    expect(readRetryAfterMs('3', 0)).toBe(3000);
    expect(readRetryAfterMs('Thu, 01 Jan 1970 00:00:10 GMT', 4000)).toBe(6000);
    expect(readRetryAfterMs('Thu, 01 Jan 1970 00:00:10 GMT', 40_000)).toBe(0);
  });

  test('takes neither nothing nor nonsense', () => {
    expect(readRetryAfterMs(null, 0)).toBeUndefined();
    expect(readRetryAfterMs('soon', 0)).toBeUndefined();
  });
});
