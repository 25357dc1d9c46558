import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ChannelError, type FaultCode } from '../../src/delivery/channel.ts';
import { cancelDeliveries, replayDeliveries } from '../../src/delivery/index.ts';
import { createDeliveryRuns, type DeliveryRuns, type PutHook } from '../support/delivery-runs.ts';

let runs: DeliveryRuns;
beforeEach(async () => {
  runs = await createDeliveryRuns();
});
afterEach(() => runs.close());

const failing =
  (code: FaultCode): PutHook =>
  () =>
    Promise.reject(new ChannelError(code, `the target said ${code}`));

/** Sends half of the file, then breaks off; the half stays under its temporary name. */
const breaking =
  (code: FaultCode): PutHook =>
  (options, next) =>
    next({
      ...options,
      async *read(offset, signal) {
        for await (const chunk of options.read(offset, signal)) {
          yield chunk.subarray(0, Math.ceil(chunk.length / 2));
          throw new ChannelError(code, 'the line was cut');
        }
      },
    });

const photo = () => runs.addAsset(randomBytes(100_000), 'photo.jpg');
const queueOne = async (): Promise<number> => (await runs.queue([await photo()]))[0] ?? 0;
const cancel = (id: number) => runs.write(({ tx, scope }) => cancelDeliveries(tx, scope, { id }));
const replay = (id: number) => runs.write(({ tx, scope }) => replayDeliveries(tx, scope, { id }));
const typesOf = async (id: number) =>
  (await runs.events()).filter((one) => one.objectId === id && one.type.startsWith('delivery.')).map((one) => one.type);

describe('a delivery that meets a fault which may pass', () => {
  test('is tried again after 2, 4, 8 seconds up to 10 minutes, and exhausted after 10 tries', async () => {
    const id = await queueOne();
    runs.hooks.put = failing('failed');
    await runs.runToTheEnd();
    const { state, attempts, errorCode, nextAttemptAt: _, ...others } = await runs.delivery(id);
    expect({ state, errorCode }).toEqual({ state: 'exhausted', errorCode: 'failed' });
    expect(others.finishedAt).not.toBeNull();
    const starts = attempts.map(({ started_at }) => Date.parse(started_at));
    const waits = starts.slice(1).map((at, n) => (at - (starts[n] ?? 0)) / 1000);
    expect(waits).toEqual([2, 4, 8, 16, 32, 64, 128, 256, 512]);
    expect(await typesOf(id)).toEqual(['delivery.queued', 'delivery.exhausted']);
  });

  test('waits in the run for a short time, and leaves a longer one to one job', async () => {
    await runs.queue([await photo(), await runs.addAsset(randomBytes(10), 'other.jpg')]);
    let tries = 0;
    runs.hooks.put = (options, next) => {
      tries += 1;
      return tries <= 6 ? failing('failed')(options, next) : next(options);
    };
    await runs.run();
    // Each at 0, 2 and 6 s; the fourth tries are 8 s later.
    expect(tries).toBe(6);
    const later = () => runs.queued.filter(({ startAt }) => startAt);
    expect(later()).toHaveLength(1);
    expect(later()[0]?.startAt?.getTime()).toBe(runs.now().getTime() + 8000);
    await runs.run();
    expect(later(), 'nothing is queued beside the job that waits').toHaveLength(1);
    runs.advance(8000);
    await runs.run();
    expect((await runs.deliveries()).map(({ state }) => state)).toEqual(['succeeded', 'succeeded']);
  });

  test('goes on behind the bytes that are there, and leaves no other file', async () => {
    const id = await queueOne();
    runs.hooks.put = breaking('connection_lost');
    await runs.run();
    runs.hooks.put = (options, next) => next(options);
    await runs.runToTheEnd();
    expect(await runs.delivery(id)).toMatchObject({ state: 'succeeded', progress: 1 });
    expect(await runs.files()).toEqual(['photo.jpg']);
  });

  test('leaves nothing when it is exhausted, and starts over when it is replayed', async () => {
    const id = await queueOne();
    runs.hooks.put = breaking('failed');
    await runs.runToTheEnd();
    expect(await runs.delivery(id)).toMatchObject({ state: 'exhausted', attemptCount: 10 });
    expect(await runs.files()).toEqual([]);
    await replay(id);
    expect(await runs.delivery(id)).toMatchObject({ state: 'queued', attemptCount: 0, errorCode: null });
    runs.hooks.put = (options, next) => next(options);
    await runs.runToTheEnd();
    const { state, attempts } = await runs.delivery(id);
    expect({ state, tries: attempts.length }).toEqual({ state: 'succeeded', tries: 11 });
    expect(await runs.files()).toEqual(['photo.jpg']);
  });

  test('has no try counted that the stop of the service has ended', async () => {
    const id = await queueOne();
    const stop = new AbortController();
    runs.hooks.put = (options, next) => {
      stop.abort(new Error('the service stops'));
      return next(options);
    };
    await expect(runs.run(stop.signal)).rejects.toThrow('the service stops');
    expect(await runs.delivery(id)).toMatchObject({ state: 'queued', attemptCount: 0, attempts: [] });
    runs.hooks.put = (options, next) => next(options);
    await runs.run();
    expect(await runs.delivery(id)).toMatchObject({ state: 'succeeded', attemptCount: 1 });
  });
});

describe('a delivery that is refused for good', () => {
  test('fails at its first try and can be replayed', async () => {
    const id = await queueOne();
    runs.hooks.put = failing('name_illegal');
    await runs.runToTheEnd();
    expect(await runs.delivery(id)).toMatchObject({ state: 'failed', attemptCount: 1, errorCode: 'name_illegal' });
    runs.hooks.put = (options, next) => next(options);
    expect(await replay(id)).toHaveLength(1);
    await runs.runToTheEnd();
    expect(await runs.delivery(id)).toMatchObject({ state: 'succeeded' });
    expect(await replay(id), 'what has arrived is not sent again').toEqual([]);
    expect(await typesOf(id)).toEqual(['delivery.queued', 'delivery.failed', 'delivery.succeeded']);
  });
});

describe('a delivery that is cancelled', () => {
  test('while it waits for its turn never starts', async () => {
    const id = await queueOne();
    expect(await cancel(id)).toHaveLength(1);
    await runs.runToTheEnd();
    expect(await runs.delivery(id)).toMatchObject({ state: 'cancelled', attempts: [] });
    expect(await runs.files()).toEqual([]);
  });

  test('while it waits for its next try has what the last one left removed', async () => {
    const id = await queueOne();
    let tries = 0;
    runs.hooks.put = (options, next) => {
      tries += 1;
      return breaking('failed')(options, next);
    };
    await runs.run();
    expect(tries).toBe(3);
    expect(await runs.files()).toEqual([expect.stringMatching(/^\.touchline-.*\.partial$/)]);
    await cancel(id);
    await runs.runToTheEnd();
    expect(await runs.files()).toEqual([]);
    expect(await runs.delivery(id)).toMatchObject({ state: 'cancelled' });
    expect(tries).toBe(3);
  });

  test('while it runs ends, and nothing of it is left', async () => {
    const id = await queueOne();
    runs.hooks.put = (options, next) =>
      next({
        ...options,
        async *read(_offset, signal) {
          yield randomBytes(1000);
          await cancel(id);
          await new Promise((_, reject) => {
            signal.addEventListener('abort', () => reject(signal.reason), { once: true });
          });
        },
      });
    await runs.runToTheEnd();
    expect(await runs.delivery(id)).toMatchObject({ state: 'cancelled', receipt: null });
    expect(await runs.files()).toEqual([]);
    expect(await typesOf(id)).toEqual(['delivery.queued']);
  });

  test('behind its last byte is what it is: delivered, with its receipt', async () => {
    const id = await queueOne();
    runs.hooks.put = async (options, next) => {
      const result = await next(options);
      await cancel(id);
      return result;
    };
    await runs.runToTheEnd();
    expect(await runs.delivery(id)).toMatchObject({ state: 'succeeded', receipt: { path: 'photo.jpg' } });
    expect(await typesOf(id)).toEqual(['delivery.queued', 'delivery.succeeded']);
  });

  test('and replayed while it still ends is delivered once, by the next try', async () => {
    const id = await queueOne();
    let puts = 0;
    runs.hooks.put = (options, next) => {
      puts += 1;
      if (puts > 1) return next(options);
      return next({
        ...options,
        async *read(_offset, signal) {
          yield randomBytes(1000);
          await cancel(id);
          await replay(id);
          await new Promise((_, reject) => {
            signal.addEventListener('abort', () => reject(signal.reason), { once: true });
          });
        },
      });
    };
    await runs.runToTheEnd();
    expect(await runs.delivery(id)).toMatchObject({ state: 'succeeded' });
    expect(puts).toBe(2);
    expect(await runs.files()).toEqual(['photo.jpg']);
  });
});

test('a picture that comes out otherwise takes the place of the one that the stopped try has stored', async () => {
  await runs.write(async ({ tx }) => tx.updateTable('destination').set({ collision: 'suffix' }).execute());
  const rendition = { kind: 'image', params: 'w=10' } as const;
  const [id = 0] = await runs.queue([await photo()], { rendition });
  const stop = new AbortController();
  runs.hooks.picture = () => Buffer.from('the first');
  runs.hooks.put = async (options, next) => {
    await next(options);
    stop.abort(new Error('the service stops'));
    throw stop.signal.reason;
  };
  await expect(runs.run(stop.signal)).rejects.toThrow('the service stops');
  expect(await runs.files()).toEqual(['photo.jpg']);
  runs.hooks.picture = () => Buffer.from('the second, which is longer');
  runs.hooks.put = (options, next) => next(options);
  await runs.runToTheEnd();
  expect(await runs.delivery(id)).toMatchObject({ state: 'succeeded', bytes: 27, receipt: { path: 'photo.jpg' } });
  expect(await runs.files()).toEqual(['photo.jpg']);
});

describe('what is left at a target', () => {
  test('that was away is removed when it is back', async () => {
    const id = await queueOne();
    runs.hooks.put = breaking('failed');
    let isAway = false;
    runs.hooks.open = () => {
      if (isAway) throw new ChannelError('failed', 'away');
    };
    await runs.run();
    isAway = true;
    await cancel(id);
    await runs.run();
    expect(await runs.files()).toHaveLength(1);
    // The run that was queued for the next try of the delivery.
    runs.advance(8000);
    await runs.run();
    expect(runs.queued.at(-1)?.startAt?.getTime()).toBe(runs.now().getTime() + 15 * 60_000 - 8000);
    isAway = false;
    runs.advance(15 * 60_000);
    await runs.run();
    expect(await runs.files()).toEqual([]);
  });

  test('of another delivery is left alone', async () => {
    const [first = 0, second = 0] = await runs.queue([await photo(), await runs.addAsset(randomBytes(99), 'two.jpg')]);
    runs.hooks.put = breaking('failed');
    await runs.run();
    expect(await runs.files()).toHaveLength(2);
    await cancel(first);
    await runs.run();
    const [left] = await runs.files();
    expect(left).toContain((await runs.delivery(second)).nonce);
    expect(await runs.files()).toHaveLength(1);
  });
});

test('the sweep wakes a destination that has something due, and no other', async () => {
  await queueOne();
  runs.queued.length = 0;
  await runs.runner.sweep();
  expect(runs.queued).toEqual([{ name: 'delivery.run', startAt: undefined }]);
  await runs.runToTheEnd();
  runs.queued.length = 0;
  await runs.runner.sweep();
  expect(runs.queued).toEqual([]);
});
