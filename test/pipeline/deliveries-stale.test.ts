/** A delivery that was cut, and whose bytes are others at its next try: what the first one left is nobody's to go on from. */
import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { MIB } from '../../src/base/index.ts';
import { ChannelError } from '../../src/delivery/channel.ts';
import { cancelDeliveries } from '../../src/delivery/index.ts';
import { createDeliveryRuns, type DeliveryRuns, type PutHook } from '../support/delivery-runs.ts';
import { type PartStore, startPartStore } from '../support/servers/part-store.ts';

const NAME = 'photo.jpg';
/** Three parts. */
const BEFORE = randomBytes(20 * MIB);

let store: PartStore;
let runs: DeliveryRuns;
beforeEach(async () => {
  store = await startPartStore();
  const config = { bucket: store.bucket, endpoint: `http://127.0.0.1:${store.port}` };
  runs = await createDeliveryRuns(
    {},
    { kind: 's3', config, secrets: { access_key_id: 'any', secret_access_key: 'any' } },
  );
});
afterEach(async () => {
  await runs.close();
  await store.close();
});

const whole: PutHook = (options, next) => next(options);

/** Ends the service at the start of a put, or behind what `put` does of it. */
async function stopIn(put: (...given: Parameters<PutHook>) => Promise<unknown>): Promise<void> {
  const stop = new AbortController();
  runs.hooks.put = async (options, next) => {
    await put(options, next).catch(() => {});
    stop.abort(new Error('the service stops'));
    throw stop.signal.reason;
  };
  await expect(runs.run(stop.signal)).rejects.toThrow('the service stops');
}

/** Breaks off behind the second part. */
const cut: PutHook = (options, next) =>
  next({
    ...options,
    async *read(offset, signal) {
      let bytes = offset;
      for await (const chunk of options.read(offset, signal)) {
        bytes += chunk.length;
        if (bytes > 17 * MIB) throw new ChannelError('connection_lost', 'the line was cut');
        yield chunk;
      }
    },
  });

/** A picture whose first try was cut. */
async function queueAndCut(): Promise<{ readonly id: number; readonly upload: string }> {
  const asset = await runs.addAsset(randomBytes(1000), NAME);
  const [id = 0] = await runs.queue([asset], { rendition: { kind: 'image', params: 'w=10' } });
  runs.hooks.picture = () => BEFORE;
  await stopIn(cut);
  const [upload = '', ...others] = store.uploads();
  expect(others).toEqual([]);
  expect(await runs.delivery(id)).toMatchObject({ state: 'queued', resumeToken: upload });
  return { id, upload };
}

async function expectArrived(id: number, bytes: Buffer): Promise<void> {
  await runs.runToTheEnd();
  expect(await runs.delivery(id)).toMatchObject({ state: 'succeeded', receipt: { path: NAME } });
  expect(store.objects.get(NAME)?.equals(bytes)).toBe(true);
  expect(store.uploads()).toEqual([]);
}

test('an upload of the same bytes is gone on from', async () => {
  const { id, upload } = await queueAndCut();
  let sentBytes = 0;
  runs.hooks.put = async (options, next) => {
    expect(options).toMatchObject({ resumeFrom: upload });
    const result = await next(options);
    ({ sentBytes } = result);
    return result;
  };
  await expectArrived(id, BEFORE);
  expect(sentBytes).toBe(4 * MIB);
});

describe.each([
  ['of many parts', 20 * MIB],
  ['of one part', 1000],
])('an upload whose picture is another one by then, %s,', (_what, bytes) => {
  const after = randomBytes(bytes);

  test('is ended, and the other one arrives', async () => {
    const { id } = await queueAndCut();
    runs.hooks.picture = () => after;
    runs.hooks.put = whole;
    await expectArrived(id, after);
  });

  test('is ended by a later try, when the one that found out did not get to it', async () => {
    const { id, upload } = await queueAndCut();
    runs.hooks.picture = () => after;
    await stopIn(async () => {});
    expect(store.uploads()).toEqual([upload]);
    runs.hooks.put = whole;
    await expectArrived(id, after);
  });

  test('goes with a delivery that is cancelled', async () => {
    const { id, upload } = await queueAndCut();
    runs.hooks.picture = () => after;
    await stopIn(async () => {});
    expect(store.uploads()).toEqual([upload]);
    await runs.write(({ tx, scope }) => cancelDeliveries(tx, scope, { id }));
    await runs.runToTheEnd();
    expect(store.uploads()).toEqual([]);
    expect(store.objects.size).toBe(0);
  });
});
