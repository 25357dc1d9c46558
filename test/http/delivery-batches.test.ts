import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Json, startApp, type TestApp } from '../support/app.ts';
import { plainPhoto, uploadMedia } from '../support/library.ts';
import { expectProblem } from '../support/problem.ts';

const SLOW = { timeout: 20_000, interval: 50 } as const;
const NO_STATES = { queued: 0, running: 0, succeeded: 0, failed: 0, exhausted: 0, cancelled: 0, skipped: 0 };

let service: TestApp;
let root: string;
let ids: number[];
let bytes: number;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'touchline-batches-'));
  service = await startApp({ DELIVERY_FOLDERS: root });
  ids = [];
  bytes = 0;
  for (const n of [1, 2, 3, 4]) {
    const photo = await plainPhoto(n);
    ids.push((await uploadMedia(service, photo, { name: `Tor ${n}.jpg` }))['id']);
    bytes += photo.length;
  }
});
afterAll(async () => {
  await service.close();
  await rm(root, { recursive: true, force: true });
});

async function createDestination(name: string, members: object = {}): Promise<number> {
  const path = join(root, name);
  await mkdir(path, { recursive: true });
  const body = { name, kind: 'folder', config: { path }, path_template: 'in/{media.name}.{media.ext}', ...members };
  return (await service.call('POST', '/v1/destination', { body })).body['destination'].id;
}
const deliver = async (body: object): Promise<Json> => (await service.call('POST', '/v1/delivery', { body })).body;
const read = async (batch: string): Promise<Json> =>
  (await service.call('GET', `/v1/delivery/batch/${batch}`)).body['batch'];
const finished = (batch: string) => expect.poll(async () => (await read(batch))['finished_at'], SLOW).not.toBeNull();

test('the deliveries of one request tell together how far they are', async () => {
  const id = await createDestination('told', { paused: true });
  const { batch } = await deliver({ destination_id: id, media_ids: ids });
  expect(await read(batch)).toMatchObject({
    batch,
    destination_id: id,
    total: 4,
    states: { ...NO_STATES, queued: 4 },
    bytes_total: bytes,
    bytes_done: 0,
    progress: 0,
    created_by: 'test',
    rule_id: null,
    finished_at: null,
  });
  await service.call('PATCH', `/v1/destination/${id}`, { body: { paused: false } });
  await finished(batch);
  expect(await read(batch)).toMatchObject({
    states: { ...NO_STATES, succeeded: 4 },
    bytes_total: bytes,
    bytes_done: bytes,
    progress: 1,
  });
});

test('all that waits of one request is cancelled at once, and delivered when it is replayed', async () => {
  const id = await createDestination('cancelled', { paused: true });
  const { batch } = await deliver({ destination_id: id, media_ids: ids });
  const other = await deliver({ destination_id: id, media_ids: ids.slice(0, 1), again: true });
  const cancelled = await service.call('DELETE', `/v1/delivery/batch/${batch}`);
  expect(cancelled.body).toMatchObject({
    cancelled: 4,
    batch: { states: { ...NO_STATES, cancelled: 4 }, progress: 1 },
  });
  expect((await service.call('DELETE', `/v1/delivery/batch/${batch}`)).body['cancelled']).toBe(0);
  expect((await read(other['batch']))['states']).toMatchObject({ queued: 1 });
  await service.call('PATCH', `/v1/destination/${id}`, { body: { paused: false } });
  await finished(other['batch']);
  expect(await readdir(join(root, 'cancelled', 'in'))).toEqual(['Tor 1.jpg']);
  const replayed = await service.call('POST', `/v1/delivery/batch/${batch}/replay`);
  expect(replayed.body).toMatchObject({ replayed: 4, batch: { finished_at: null } });
  await finished(batch);
  // The first is there already, as the same bytes.
  expect((await read(batch))['states']).toEqual({ ...NO_STATES, succeeded: 3, skipped: 1 });
});

test('requests are listed, newest first, by destination and by what became of their deliveries', async () => {
  const id = await createDestination('listed', { paused: true });
  const first = await deliver({ destination_id: id, media_ids: ids });
  const second = await deliver({ destination_id: id, media_ids: ids.slice(0, 1), again: true });
  const third = await deliver({ destination_id: id, media_ids: ids.slice(0, 2) });
  await service.call('DELETE', `/v1/delivery/batch/${second['batch']}`);
  const list = async (query: string): Promise<Json> =>
    (await service.call('GET', `/v1/delivery/batch?destination=${id}${query}`)).body;
  const names = (answer: Json) => answer['batches'].map(({ batch }: Json) => batch);
  const all = await list('');
  expect(names(all)).toEqual([third['batch'], second['batch'], first['batch']]);
  expect(all['batches']).toEqual([await read(third['batch']), await read(second['batch']), await read(first['batch'])]);
  expect(names(await list('&state=cancelled'))).toEqual([second['batch']]);
  expect(names(await list('&state=skipped'))).toEqual([third['batch']]);
  const page = await list('&limit=2');
  expect(names(page)).toEqual([third['batch'], second['batch']]);
  expect(names(await list(`&limit=2&cursor=${page['next_cursor']}`))).toEqual([first['batch']]);
  const newest = await service.call('GET', '/v1/delivery/batch?limit=1');
  expect(names(newest.body)).toEqual([third['batch']]);
});

test('a request may have a path, a collision, a sidecar and metadata of its own', async () => {
  const id = await createDestination('settled', { collision: 'overwrite' });
  await mkdir(join(root, 'settled', 'own'));
  await writeFile(join(root, 'settled', 'own', 'Tor 1.jpg'), 'another file');
  const body = {
    destination_id: id,
    media_ids: ids.slice(0, 1),
    path_template: 'own/{media.name}.{media.ext}',
    collision: 'suffix',
    sidecar: 'json',
    embed_metadata: true,
  };
  const settings = { collision: 'suffix', sidecar: 'json', embed_metadata: true };
  const planned = await deliver({ ...body, dry_run: true });
  expect(planned['deliveries']).toMatchObject([{ path: 'own/Tor 1.jpg', settings }]);
  const { batch } = await deliver(body);
  await finished(batch);
  const sent = await service.call('GET', `/v1/delivery?batch=${batch}`);
  expect(sent.body['deliveries']).toMatchObject([
    { state: 'succeeded', settings, receipt: { path: 'own/Tor 1-2.jpg', sidecar_path: 'own/Tor 1-2.jpg.json' } },
  ]);
  expect(sent.body['deliveries'][0].receipt.metadata_embedded).toBe(true);
  expect((await readdir(join(root, 'settled', 'own'))).toSorted()).toEqual([
    'Tor 1-2.jpg',
    'Tor 1-2.jpg.json',
    'Tor 1.jpg',
  ]);
  const plain = await deliver({ destination_id: id, media_ids: ids.slice(0, 1) });
  expect(plain['deliveries']).toMatchObject([{ path: 'in/Tor 1.jpg', settings: null }]);
  const wrong = await service.call('POST', '/v1/delivery', { body: { ...body, path_template: '{nothing}' } });
  expect(expectProblem(wrong, 'validation_failed')['errors']).toMatchObject([{ pointer: '/path_template' }]);
  await finished(plain['batch']);
});

test('only what failed of one request is replayed', async () => {
  const id = await createDestination('failed');
  await writeFile(join(root, 'failed', 'in'), 'a file in the way');
  const { batch } = await deliver({ destination_id: id, media_ids: ids });
  await finished(batch);
  expect((await read(batch))['states']).toEqual({ ...NO_STATES, failed: 4 });
  await rm(join(root, 'failed', 'in'));
  expect((await service.call('POST', `/v1/delivery/batch/${batch}/replay`)).body['replayed']).toBe(4);
  await finished(batch);
  expect((await read(batch))['states']).toEqual({ ...NO_STATES, succeeded: 4 });
  expect((await service.call('POST', `/v1/delivery/batch/${batch}/replay`)).body['replayed']).toBe(0);
  const { body } = await service.call('GET', '/v1/event?types=delivery.*&limit=1000');
  const ours = (body['events'] as Json[]).filter((one) => one['data'].destination_id === id);
  const count = (type: string) => ours.filter((one) => one['type'] === type).length;
  expect(['delivery.queued', 'delivery.failed', 'delivery.succeeded'].map(count)).toEqual([8, 4, 4]);
});

test('a request of another organization is not there', async () => {
  const id = await createDestination('own');
  const { batch } = await deliver({ destination_id: id, media_ids: ids });
  const key = await service.createKey({ organizationId: await service.createOrganization('second') });
  const path = `/v1/delivery/batch/${batch}`;
  expectProblem(await service.call('GET', path, { key }), 'not_found');
  expectProblem(await service.call('DELETE', path, { key }), 'not_found');
  expectProblem(await service.call('POST', `${path}/replay`, { key }), 'not_found');
  expectProblem(await service.call('GET', '/v1/delivery/batch/nothing'), 'not_found');
  const reader = await service.createKey({ scopes: ['media.read'] });
  expectProblem(await service.call('DELETE', path, { key: reader }), 'scope_missing');
  await finished(batch);
});
