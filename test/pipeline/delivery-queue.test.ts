import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { scopeOf } from '../../src/auth/index.ts';
import { createLogger, systemClock } from '../../src/base/index.ts';
import { createChannels, type DeliveryRequest, queueDeliveries } from '../../src/delivery/index.ts';
import { noteDeliveryProgress, takeDueDeliveries, withDestinationLock } from '../../src/delivery/delivery-run-store.ts';
import { type Jobs, openJobs } from '../../src/jobs/index.ts';
import { type LibraryWrite, writeLibrary } from '../../src/library/index.ts';
import { type Json, startApp, type TestApp } from '../support/app.ts';
import { plainPhoto } from '../support/library.ts';

/** Nothing here asks for pictures. */
const NO_PICTURES = { check: () => Promise.reject(new Error('none')), plan: () => Promise.reject(new Error('none')) };
const SLOW = { timeout: 20_000, interval: 50 } as const;

let service: TestApp;
let jobs: Jobs;
let root: string;
let mediaId: number;
let destinationId: number;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'touchline-queue-'));
  service = await startApp({ DELIVERY_FOLDERS: root });
  const logger = createLogger({ level: 'silent' });
  jobs = await openJobs({
    connection: service.app.installation.connection,
    applicationName: 'queue test',
    cores: 1,
    logger,
  });
  mediaId = (await service.upload(await plainPhoto(1), { name: 'Tor.jpg' })).body['media'].id;
  await mkdir(join(root, 'target'));
  const config = { path: join(root, 'target') };
  const body = { name: 'target', kind: 'folder', config, path_template: '{delivery.id}.{media.ext}' };
  destinationId = (await service.call('POST', '/v1/destination', { body })).body['destination'].id;
});
afterAll(async () => {
  await jobs?.stop({ drainMs: 5000 });
  await service?.close();
  await rm(root, { recursive: true, force: true });
});

const write = <T>(work: (write: LibraryWrite) => Promise<T>) =>
  writeLibrary(service.app.installation.db, scopeOf(service.organizationId), work);

const queue = (inside: LibraryWrite, request: Partial<DeliveryRequest> = {}) =>
  queueDeliveries(
    { channels: createChannels({ folders: [root] }), pictures: NO_PICTURES, jobs, clock: systemClock },
    inside,
    {
      destinationId,
      mediaIds: [mediaId],
      includeRestricted: false,
      again: true,
      createdBy: 'rule of the test',
      ...request,
    },
  );

const listed = async (batch: string): Promise<Json[]> =>
  (await service.call('GET', `/v1/delivery?batch=${batch}`)).body['deliveries'];

test('a rule queues in its own write, is named in delivery and event, and its run never queues twice', async () => {
  const cause = { ruleId: 41, run: 'rule 41, change 7' };
  const first = (await write((inside) => queue(inside, { cause }))).result;
  expect(first).toMatchObject({ isRepeated: false, planned: [{ state: 'queued' }] });
  const again = (await write((inside) => queue(inside, { cause }))).result;
  expect(again).toEqual({ batch: first.batch, planned: [], isRepeated: true });
  const next = (await write((inside) => queue(inside, { cause: { ruleId: 41, run: 'rule 41, change 8' } }))).result;
  expect(next.batch).not.toBe(first.batch);

  const [stored, ...others] = await listed(first.batch);
  expect(stored).toMatchObject({ rule_id: 41, created_by: 'rule of the test' });
  expect(others).toEqual([]);
  await expect.poll(async () => (await readdir(join(root, 'target'))).length, SLOW).toBe(2);
  const { body } = await service.call('GET', '/v1/event?types=delivery.queued');
  expect(body['events'].map((one: Json) => one['data'])).toContainEqual(expect.objectContaining({ rule_id: 41 }));
});

test('nothing is queued when the write of the rule fails', async () => {
  const before = (await service.call('GET', '/v1/delivery')).body['deliveries'];
  const failing = write(async (inside) => {
    await queue(inside);
    throw new Error('the rule failed behind it');
  });
  await expect(failing).rejects.toThrow('the rule failed behind it');
  expect((await service.call('GET', '/v1/delivery')).body['deliveries']).toEqual(before);
});

test('a destination that is not there is said', async () => {
  const failing = write((inside) => queue(inside, { destinationId: 999_999 }));
  await expect(failing).rejects.toMatchObject({ code: 'not_found' });
});

test('progress is written past a delivery that is just being ended, and tells of those that are not wanted', async () => {
  const { db } = service.app.installation;
  const scope = scopeOf(service.organizationId);
  const config = { path: join(root, 'target') };
  const body = { name: 'held', kind: 'folder', config, path_template: '{delivery.id}.jpg', paused: true };
  const held: number = (await service.call('POST', '/v1/destination', { body })).body['destination'].id;
  const request = { destinationId: held, qualities: ['photographer', 'compressed', 'thumbnail'] } as const;
  const { batch } = (await write((inside) => queue(inside, request))).result;
  const look = async () => {
    const due = await takeDueDeliveries(db, scope, { destinationId: held, limit: 3, now: new Date(), except: [] });
    const [sent = 0, ending = 0, cancelled = 0] = due.map(({ id }) => id).sort((a, b) => a - b);
    expect((await service.call('DELETE', `/v1/delivery/${cancelled}`)).status).toBe(200);
    const gone = await db.transaction().execute(async (tx) => {
      await sql`UPDATE delivery SET updated_at = now() WHERE id = ${ending}`.execute(tx);
      const now = [sent, ending, cancelled].map((id) => ({ id, progress: 0.5 }));
      return noteDeliveryProgress(db, scope, now);
    });
    expect(gone).toEqual([cancelled]);
    const stored = (await listed(batch)).map(({ id, state, progress }) => ({ id, state, progress }));
    expect(stored).toContainEqual({ id: sent, state: 'running', progress: 0.5 });
    expect(stored).toContainEqual({ id: ending, state: 'running', progress: 0 });
    expect(stored).toContainEqual({ id: cancelled, state: 'cancelled', progress: 0 });
    return true;
  };
  // The service itself looks at the destination for a moment, and is kept away from it meanwhile.
  let looked: { readonly result: boolean } | undefined;
  for (let tries = 0; !looked && tries < 100; tries += 1) {
    looked = await withDestinationLock(db, held, look);
    if (!looked) await delay(50);
  }
  expect(looked).toEqual({ result: true });
});
