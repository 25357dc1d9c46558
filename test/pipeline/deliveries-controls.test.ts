import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ChannelError, type FaultCode } from '../../src/delivery/channel.ts';
import { type DestinationFields, updateDestination } from '../../src/delivery/index.ts';
import { createSharedWrites } from '../../src/delivery/shared-writes.ts';
import { createDeliveryRuns, type DeliveryRuns } from '../support/delivery-runs.ts';

let runs: DeliveryRuns;
let fault: FaultCode | undefined;
let tries: number;
beforeEach(async () => {
  runs = await createDeliveryRuns();
  fault = undefined;
  tries = 0;
  runs.hooks.put = (options, next) => {
    tries += 1;
    return fault === undefined ? next(options) : Promise.reject(new ChannelError(fault, `the target said ${fault}`));
  };
});
afterEach(() => runs.close());

async function queueFiles(count: number): Promise<readonly number[]> {
  const ids: number[] = [];
  for (let n = 0; n < count; n += 1) ids.push(await runs.addAsset(randomBytes(50), `photo ${n}.jpg`));
  return runs.queue(ids);
}
const change = (fields: Partial<DestinationFields>, isOtherTarget = false) =>
  runs.write(async ({ tx, scope }) => {
    const before = await runs.destination();
    return updateDestination(tx, scope, { id: before.id, fields: { ...before, ...fields }, isOtherTarget });
  });
const states = async () => {
  const counts: Record<string, number> = {};
  for (const { state } of await runs.deliveries()) counts[state] = (counts[state] ?? 0) + 1;
  return counts;
};
const ofDestination = async () =>
  (await runs.events()).filter(({ type }) => type.startsWith('destination.')).map(({ type, data }) => ({ type, data }));
const secondsTo = (at: Date | null | undefined): number => ((at?.getTime() ?? 0) - runs.now().getTime()) / 1000;

describe('the circuit of a destination', () => {
  test('opens after five faults of the target in a row; those that wait burn no tries', async () => {
    await change({ concurrency: 2 });
    await queueFiles(20);
    fault = 'unreachable';
    await runs.run();
    const destination = await runs.destination();
    expect(destination).toMatchObject({ circuit: 'open', status: 'failed', failureCode: 'unreachable' });
    expect(secondsTo(destination.circuitRetryAt)).toBe(30);
    expect(tries).toBeLessThan(7);
    const untouched = (await runs.deliveries()).filter(({ attemptCount }) => attemptCount === 0);
    expect(untouched.length).toBeGreaterThanOrEqual(20 - tries);
    expect(await ofDestination()).toMatchObject([{ type: 'destination.degraded', data: { code: 'unreachable' } }]);
    expect(runs.queued.at(-1)?.startAt).toEqual(destination.circuitRetryAt);
    const before = tries;
    await runs.run();
    expect(tries, 'nothing is tried before its time').toBe(before);
  });

  test('lets one delivery find out, with growing waits, and all when it arrives', async () => {
    await queueFiles(8);
    fault = 'timeout';
    await runs.run();
    const before = (await runs.deliveries()).map(({ attemptCount }) => attemptCount);
    const waits: number[] = [];
    for (let n = 0; n < 6; n += 1) {
      runs.moveTo((await runs.destination()).circuitRetryAt ?? runs.now());
      tries = 0;
      await runs.run();
      expect(tries).toBe(1);
      waits.push(secondsTo((await runs.destination()).circuitRetryAt));
    }
    expect(waits).toEqual([60, 120, 240, 480, 900, 900]);
    expect(
      (await runs.deliveries()).map(({ attemptCount }) => attemptCount),
      'trying for all burns no try',
    ).toEqual(before);
    fault = undefined;
    runs.moveTo((await runs.destination()).circuitRetryAt ?? runs.now());
    await runs.runToTheEnd();
    expect(await states()).toEqual({ succeeded: 8 });
    expect(await runs.destination()).toMatchObject({
      circuit: 'closed',
      circuitFaults: 0,
      status: 'ok',
      consecutiveFailures: 0,
    });
    expect((await ofDestination()).map(({ type }) => type)).toEqual(['destination.degraded', 'destination.verified']);
  });

  test('keeps the files that wait from failing of wrong credentials, until somebody gives the right ones', async () => {
    await queueFiles(12);
    fault = 'credentials';
    await runs.run();
    expect(await states()).toEqual({ failed: 5, queued: 7 });
    expect(await runs.destination()).toMatchObject({ circuit: 'open', status: 'failed', consecutiveFailures: 5 });
    runs.moveTo((await runs.destination()).circuitRetryAt ?? runs.now());
    await runs.run();
    expect(await states(), 'the one that tried waits again').toEqual({ failed: 5, queued: 7 });
    fault = undefined;
    await change({}, true);
    expect(await runs.destination()).toMatchObject({ circuit: 'closed', status: 'unverified', failureCode: null });
    await runs.runToTheEnd();
    expect(await states()).toEqual({ failed: 5, succeeded: 7 });
    expect((await ofDestination()).map(({ type }) => type)).toEqual(['destination.degraded']);
  });

  test('opens for a target that cannot be opened at all, whatever it says', async () => {
    await queueFiles(9);
    runs.hooks.open = () => {
      throw new ChannelError('not_found', 'the folder is not there');
    };
    await runs.run();
    expect(await runs.destination()).toMatchObject({ circuit: 'open', circuitFaults: 5 });
    expect(await states()).toEqual({ failed: 5, queued: 4 });
  });

  test('stays closed for faults of files', async () => {
    await queueFiles(12);
    fault = 'name_illegal';
    await runs.runToTheEnd();
    expect(await states()).toEqual({ failed: 12 });
    expect(await runs.destination()).toMatchObject({ circuit: 'closed', circuitFaults: 0, status: 'unverified' });
    expect(await ofDestination()).toEqual([]);
  });

  test('is tried again at once when the service ended while one delivery found out', async () => {
    await queueFiles(6);
    fault = 'busy';
    await runs.run();
    runs.moveTo((await runs.destination()).circuitRetryAt ?? runs.now());
    const stop = new AbortController();
    runs.hooks.put = () => {
      stop.abort(new Error('the service stops'));
      return Promise.reject(stop.signal.reason);
    };
    await expect(runs.run(stop.signal)).rejects.toThrow('the service stops');
    expect(await runs.destination()).toMatchObject({ circuit: 'half_open' });
    runs.hooks.put = (options, next) => next(options);
    await runs.runToTheEnd();
    expect(await states()).toEqual({ succeeded: 6 });
    expect(await runs.destination()).toMatchObject({ circuit: 'closed' });
  });
});

describe('the window of a destination', () => {
  const night = { days: ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'], from: '22:00', to: '06:00' } as const;

  test('keeps what waits until it opens, and queues one run for then', async () => {
    await change({ window: { ...night, time_zone: 'Europe/Berlin' } });
    // Far ahead of the clock of the database, at noon.
    runs.moveTo(new Date('2031-06-02T10:00:00Z'));
    await queueFiles(3);
    await runs.run();
    await runs.run();
    expect(tries).toBe(0);
    const opening = new Date('2031-06-02T20:00:00Z');
    expect(runs.queued.filter(({ startAt }) => startAt)).toEqual([{ name: 'delivery.run', startAt: opening }]);
    runs.queued.length = 0;
    await runs.runner.sweep();
    expect(runs.queued, 'the sweep leaves it alone').toEqual([]);
    runs.moveTo(opening);
    await runs.run();
    expect(await states()).toEqual({ succeeded: 3 });
  });

  test('lets what runs finish when it closes, and starts nothing more', async () => {
    await change({ window: { ...night, time_zone: 'UTC' } });
    runs.moveTo(new Date('2031-06-03T05:59:59Z'));
    await queueFiles(3);
    runs.hooks.put = (options, next) => {
      runs.advance(10_000);
      return next(options);
    };
    await runs.run();
    expect(await states()).toEqual({ succeeded: 1, queued: 2 });
    expect(runs.queued.at(-1)?.startAt).toEqual(new Date('2031-06-03T22:00:00Z'));
  });
});

describe('a destination that is paused', () => {
  test('starts nothing and queues nothing until it goes on', async () => {
    await change({ paused: true });
    await queueFiles(2);
    runs.queued.length = 0;
    await runs.run();
    await runs.runner.sweep();
    expect({ tries, queued: runs.queued }).toEqual({ tries: 0, queued: [] });
    await change({ paused: false });
    await runs.run();
    expect(await states()).toEqual({ succeeded: 2 });
  });

  test('while it delivers lets what runs finish', async () => {
    await queueFiles(3);
    runs.hooks.put = async (options, next) => {
      await change({ paused: true });
      return next(options);
    };
    await runs.run();
    expect(await states()).toEqual({ succeeded: 1, queued: 2 });
  });
});

test('a destination that is removed while it delivers ends the run, and the file under way', async () => {
  await queueFiles(3);
  runs.hooks.put = (options, next) =>
    next({
      ...options,
      async *read(_offset, signal) {
        yield randomBytes(10);
        await runs.write(({ tx }) => tx.deleteFrom('destination').execute());
        await new Promise((_, reject) => {
          signal.addEventListener('abort', () => reject(signal.reason), { once: true });
        });
      },
    });
  await runs.run();
  expect(await runs.deliveries()).toEqual([]);
  expect((await runs.files()).filter((name) => name.startsWith('.'))).toEqual([]);
});

test('deliveries that end together are written together, and one that cannot be written fails alone', async () => {
  const { db, scope } = runs;
  const writes = createSharedWrites(db, scope);
  const transactions = new Set<unknown>();
  const record = (objectId: number) =>
    writes.write(async (write) => {
      transactions.add(write.tx);
      if (objectId === 3) await sql`SELECT 1 / 0`.execute(write.tx);
      write.record({ type: 'delivery.queued', objectId });
      return objectId;
    });
  const first = await Promise.allSettled([1, 2, 4, 5].map(record));
  expect(first.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'fulfilled', 'fulfilled']);
  expect(transactions.size, 'the first, and those that came meanwhile').toBe(2);
  const [one, two, three, four] = await Promise.allSettled([6, 7, 3, 8].map(record));
  expect([one, two, four]).toMatchObject([{ value: 6 }, { value: 7 }, { value: 8 }]);
  expect(three).toMatchObject({ status: 'rejected', reason: { message: 'division by zero' } });
  const written = (await runs.events()).map(({ objectId }) => objectId);
  expect(written.toSorted((left, right) => left - right)).toEqual([1, 2, 4, 5, 6, 7, 8]);
});

test('a bandwidth limit holds for all files of a destination together', async () => {
  await change({ concurrency: 4, bandwidthLimit: 400_000 });
  const ids: number[] = [];
  for (let n = 0; n < 4; n += 1) ids.push(await runs.addAsset(randomBytes(50_000), `large ${n}.jpg`));
  await runs.queue(ids);
  const before = performance.now();
  await runs.run();
  const tookMs = performance.now() - before;
  expect(await states()).toEqual({ succeeded: 4 });
  // 200 kB at 400 kB/s, less the tenth of a second that the bucket holds.
  expect(tookMs).toBeGreaterThan(390);
});
