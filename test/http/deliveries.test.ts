import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Answer, type Json, startApp, type TestApp } from '../support/app.ts';
import { plainPhoto, pointersOf } from '../support/library.ts';
import { expectProblem } from '../support/problem.ts';

const SLOW = { timeout: 20_000, interval: 50 } as const;
const FINAL = ['succeeded', 'failed', 'exhausted', 'cancelled', 'skipped'];

let service: TestApp;
let root: string;
let photos: Buffer[];
let media: Json[];
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'touchline-deliveries-'));
  service = await startApp({ DELIVERY_FOLDERS: root });
  photos = [];
  media = [];
  for (const n of [1, 2, 3]) {
    const photo = await plainPhoto(n);
    photos.push(photo);
    const { body } = await service.upload(photo, {
      name: `Tor ${n}.jpg`,
      metadata: { details: { caption: `Goal ${n}` } },
    });
    media.push(body['media']);
  }
});
afterAll(async () => {
  await service.close();
  await rm(root, { recursive: true, force: true });
});

async function createDestination(name: string, members: object = {}): Promise<Json> {
  const path = join(root, name);
  await mkdir(path, { recursive: true });
  const body = { name, kind: 'folder', config: { path }, path_template: '{media.name}.{media.ext}', ...members };
  const answer = await service.call('POST', '/v1/destination', { body });
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  return answer.body['destination'];
}

const deliver = (body: object): Promise<Answer> => service.call('POST', '/v1/delivery', { body });
const read = async (id: number): Promise<Json> => (await service.call('GET', `/v1/delivery/${id}`)).body['delivery'];

/** Queues deliveries and waits until each has ended. */
async function deliverAll(body: object): Promise<Json[]> {
  const { status, body: queued } = await deliver(body);
  expect(status, JSON.stringify(queued)).toBe(202);
  const ended: Json[] = [];
  for (const { id } of queued['deliveries'] as Json[]) {
    await expect.poll(async () => FINAL.includes((await read(id))['state']), SLOW).toBe(true);
    ended.push(await read(id));
  }
  return ended;
}

const ids = (): number[] => media.map((one) => one['id']);
const at = (...names: string[]): string => join(root, ...names);

describe('a destination', () => {
  test('is created, read, listed, changed and deleted', async () => {
    const created = await createDestination('crud');
    expect(created).toMatchObject({ kind: 'folder', status: 'unverified', collision: 'skip_same', concurrency: 4 });
    const path = `/v1/destination/${created['id']}`;
    expect((await service.call('GET', path)).body['destination']).toEqual(created);
    const list = await service.call('GET', '/v1/destination?limit=200');
    expect(list.body['destinations']).toContainEqual(created);
    const changed = await service.call('PATCH', path, { body: { name: 'renamed', concurrency: 2 } });
    expect(changed.body['destination']).toMatchObject({ name: 'renamed', concurrency: 2, version: 2 });
    const stale = await service.call('PATCH', path, { body: { name: 'x' }, headers: { 'If-Match': '"v1"' } });
    expectProblem(stale, 'precondition_failed');
    expect((await service.call('DELETE', path)).status).toBe(204);
    expectProblem(await service.call('GET', path), 'not_found');
  });

  test('leaves nothing unfinished when it is deleted, whether its deliveries run or wait', async () => {
    const large = await service.upload(await plainPhoto(9, { width: 4000, height: 3000 }), { name: 'large.jpg' });
    const running = await createDestination('deleted-running', { bandwidth_limit: 10_000 });
    const waiting = await createDestination('deleted-waiting', { paused: true });
    for (const { id } of [running, waiting]) {
      const body = { destination_id: id, media_ids: [large.body['media']['id']] };
      expect((await deliver(body)).status).toBe(202);
    }
    const temporary = async (name: string) => (await readdir(at(name))).filter((one) => one.endsWith('.partial'));
    await expect.poll(async () => (await temporary('deleted-running')).length, SLOW).toBeGreaterThan(0);
    // As a try leaves it that broke off.
    const [first] = await service.app.installation.db
      .updateTable('delivery')
      .set({ target_path: 'large.jpg' })
      .where('destination_id', '=', waiting['id'])
      .returning('nonce')
      .execute();
    await writeFile(at('deleted-waiting', `.touchline-${first?.nonce}-half.partial`), 'half');
    await writeFile(at('deleted-waiting', '.touchline-another-half.partial'), 'not ours');
    for (const { id } of [running, waiting]) {
      expect((await service.call('DELETE', `/v1/destination/${id}`)).status).toBe(204);
    }
    await expect.poll(() => readdir(at('deleted-running')), SLOW).toEqual([]);
    await expect.poll(() => readdir(at('deleted-waiting')), SLOW).toEqual(['.touchline-another-half.partial']);
  });

  test.each([
    [{ config: { path: '/etc' } }, '/config/path'],
    [{ config: {} }, '/config/path'],
    [{ config: { path: '/etc', more: 1 } }, '/config/more'],
    [{ kind: 'carrier pigeon' }, '/kind'],
    [{ secrets: { password: 'x' } }, '/secrets/password'],
    [{ path_template: 'a/{nothing}' }, '/path_template'],
    [{ path_template: '../{media.id}' }, '/path_template'],
    [{ concurrency: 99 }, '/concurrency'],
    [{ qualities: [] }, '/qualities'],
  ])('is refused as %j', async (members, pointer) => {
    const body = { name: 'wrong', kind: 'folder', config: { path: root }, path_template: '{media.id}', ...members };
    const answer = await service.call('POST', '/v1/destination', { body });
    expectProblem(answer, 'validation_failed');
    expect(answer.body['errors'].map((one: Json) => one['pointer'])).toContain(pointer);
  });

  test('is verified by a probe that leaves nothing behind, and degraded when its folder has gone', async () => {
    const { id } = await createDestination('verified');
    const verify = async () => (await service.call('POST', `/v1/destination/${id}/verify`)).body;
    const stepsOf = (answer: Json) => answer['steps'].map((one: Json) => `${one['step']} ${one['status']}`);
    const first = await verify();
    expect(first).toMatchObject({
      destination: { status: 'ok', failure: null, last_verified_at: expect.any(String) },
    });
    expect(stepsOf(first)).toEqual(['connect done', 'write done', 'read done', 'delete done']);
    expect(await readdir(at('verified'))).toEqual([]);
    await rm(at('verified'), { recursive: true });
    const second = await verify();
    expect(second).toMatchObject({ destination: { status: 'failed', failure: { code: 'not_found' } } });
    const notReached = ['write not_reached', 'read not_reached', 'delete not_reached'];
    expect(stepsOf(second)).toEqual(['connect failed', ...notReached]);
    const { body } = await service.call('GET', '/v1/event?types=destination.*&limit=1000');
    const types = body['events'].filter((one: Json) => one['object'].id === id).map((one: Json) => one['type']);
    expect(types).toEqual(['destination.created', 'destination.verified', 'destination.degraded']);
  });

  test('is written by admins and used by keys that may deliver', async () => {
    const { id } = await createDestination('scopes');
    const runner = await service.createKey({ scopes: ['delivery.run'] });
    const reader = await service.createKey({ scopes: ['media.read'] });
    expect((await service.call('GET', `/v1/destination/${id}`, { key: runner })).status).toBe(200);
    expect((await service.call('POST', `/v1/destination/${id}/verify`, { key: runner })).status).toBe(200);
    expectProblem(await service.call('DELETE', `/v1/destination/${id}`, { key: runner }), 'scope_missing');
    expectProblem(await service.call('GET', '/v1/destination', { key: reader }), 'scope_missing');
    expectProblem(await service.call('GET', '/v1/delivery', { key: reader }), 'scope_missing');
  });

  test('shows the paths that assets would get, and which of them meet', async () => {
    const { id } = await createDestination('previewed');
    const preview = async (body: object) =>
      (await service.call('POST', `/v1/destination/${id}/preview`, { body })).body;
    expect((await preview({ media_ids: ids() }))['paths'].map((one: Json) => one['path'])).toEqual([
      'Tor 1.jpg',
      'Tor 2.jpg',
      'Tor 3.jpg',
    ]);
    const met = (await preview({ media_ids: ids(), path_template: 'all/{org|slug}.{media.ext}' }))['paths'];
    expect(met.map((one: Json) => one['collision'])).toEqual([false, true, true]);
    expect((await preview({ media_ids: ids(), path_template: '{a' }))['code']).toBe('validation_failed');
    expect((await preview({ media_ids: [999_999] }))['code']).toBe('not_found');
  });

  test('shows the paths of one that is not made yet, by the names that its kind takes', async () => {
    const preview = (body: object) => service.call('POST', '/v1/destination/preview', { body });
    const asked = { media_ids: ids().slice(0, 1), path_template: 'a:b/{media.name}.{media.ext}' };
    expect((await preview({ kind: 'folder', ...asked })).body['paths']).toMatchObject([
      { path: 'a:b/Tor 1.jpg', quality: 'photographer', collision: false },
    ]);
    expect(pointersOf(await preview({ kind: 'smb', ...asked }))).toEqual(['/path_template']);
    expect(pointersOf(await preview({ kind: 'pigeon', ...asked }))).toEqual(['/kind']);
  });
});

describe('a delivery', () => {
  test('brings every file to its place whole, with a receipt and an event', async () => {
    const { id } = await createDestination('press', { path_template: '{org}/{media.name}.{media.ext}' });
    const ended = await deliverAll({ destination_id: id, media_ids: ids() });
    expect(ended.map((one) => one['state'])).toEqual(['succeeded', 'succeeded', 'succeeded']);
    for (const [n, one] of ended.entries()) {
      const bytes = await readFile(at('press', 'first', `Tor ${n + 1}.jpg`));
      expect(bytes).toEqual(photos[n]);
      expect(one).toMatchObject({ progress: 1, path: `first/Tor ${n + 1}.jpg`, failure: null, next_attempt_at: null });
      expect(one['receipt']).toMatchObject({
        path: `first/Tor ${n + 1}.jpg`,
        bytes: bytes.length,
        sha256: createHash('sha256').update(bytes).digest('hex'),
        verified: 'read_back',
      });
      expect(one['attempts']).toMatchObject([{ error_code: null, bytes: bytes.length }]);
    }
    expect((await readdir(at('press', 'first'))).toSorted()).toEqual(['Tor 1.jpg', 'Tor 2.jpg', 'Tor 3.jpg']);
    const { body } = await service.call('GET', '/v1/event?types=delivery.*&limit=1000');
    const types = body['events'].filter((event: Json) => event['object'].id === ended[0]?.['id']);
    expect(types.map((event: Json) => event['type'])).toEqual(['delivery.queued', 'delivery.succeeded']);
  });

  test('takes what a filter finds, in all qualities', async () => {
    const { id } = await createDestination('filtered', { path_template: '{quality}/{media.id}.{media.ext}' });
    const filter = { name: 'Tor 2' };
    const ended = await deliverAll({ destination_id: id, filter, qualities: ['photographer', 'thumbnail'] });
    expect(ended.map((one) => one['state'])).toEqual(['succeeded', 'succeeded']);
    const thumbnail = await readFile(at('filtered', 'thumbnail', `${media[1]?.['id']}.jpg`));
    expect(ended[1]?.['sha256']).toBe(createHash('sha256').update(thumbnail).digest('hex'));
  });

  test('is made twice only when it is asked for', async () => {
    const { id } = await createDestination('twice');
    const [first] = await deliverAll({ destination_id: id, media_ids: ids().slice(0, 1) });
    const [second] = await deliverAll({ destination_id: id, media_ids: ids().slice(0, 1) });
    expect(second).toMatchObject({ state: 'skipped', failure: { code: 'duplicate' } });
    expect(second?.['failure'].reason).toContain(String(first?.['id']));
    const [again] = await deliverAll({ destination_id: id, media_ids: ids().slice(0, 1), again: true });
    expect(again).toMatchObject({ state: 'skipped', failure: { code: 'same_file' } });
    await rm(at('twice', 'Tor 1.jpg'));
    const [restored] = await deliverAll({ destination_id: id, media_ids: ids().slice(0, 1), again: true });
    expect(restored).toMatchObject({ state: 'succeeded' });
  });

  test('does nothing in a dry run but say what it would do', async () => {
    const { id } = await createDestination('dry');
    const { status, body } = await deliver({ destination_id: id, media_ids: ids(), dry_run: true });
    expect(status).toBe(200);
    expect(body).toMatchObject({ total: 3, queued: 3, dry_run: true, batch: null });
    expect(body['deliveries'][0]).toMatchObject({ id: null, path: 'Tor 1.jpg', state: 'queued' });
    expect(await readdir(at('dry'))).toEqual([]);
    expect((await service.call('GET', `/v1/delivery?destination=${id}`)).body['deliveries']).toEqual([]);
  });

  test.each([
    ['overwrite', 'succeeded', ['Tor 1.jpg'], true],
    ['skip_same', 'succeeded', ['Tor 1.jpg'], true],
    ['suffix', 'succeeded', ['Tor 1-2.jpg', 'Tor 1.jpg'], false],
    ['fail', 'failed', ['Tor 1.jpg'], false],
  ])('meets another file of the name with %s', async (collision, state, names, isReplaced) => {
    const { id } = await createDestination(`collision-${collision}`, { collision });
    const folder = at(`collision-${collision}`);
    await writeFile(join(folder, 'Tor 1.jpg'), 'somebody else');
    const [one] = await deliverAll({ destination_id: id, media_ids: ids().slice(0, 1) });
    expect(one?.['state'], JSON.stringify(one)).toBe(state);
    expect((await readdir(folder)).toSorted()).toEqual(names);
    const kept = await readFile(join(folder, 'Tor 1.jpg'));
    expect(kept.equals(photos[0] ?? Buffer.alloc(0))).toBe(isReplaced);
    if (state === 'failed') expect(one).toMatchObject({ failure: { code: 'name_taken' }, attempts: [{}] });
  });

  test('never gives two files of one request one path', async () => {
    const { id } = await createDestination('met', { path_template: 'same.{media.ext}', collision: 'overwrite' });
    const ended = await deliverAll({ destination_id: id, media_ids: ids() });
    expect(ended.map((one) => one['state'])).toEqual(['succeeded', 'failed', 'failed']);
    const numbered = await createDestination('numbered', { path_template: 'same.{media.ext}', collision: 'suffix' });
    await deliverAll({ destination_id: numbered['id'], media_ids: ids() });
    expect((await readdir(at('numbered'))).toSorted()).toEqual(['same-2.jpg', 'same-3.jpg', 'same.jpg']);
  });

  test('carries sidecars and metadata where the destination says so', async () => {
    const { id } = await createDestination('sidecars', { sidecar: 'json', embed_metadata: true });
    const [one] = await deliverAll({ destination_id: id, media_ids: ids().slice(0, 1) });
    expect(one?.['receipt'], JSON.stringify(one)).toMatchObject({
      sidecar_path: 'Tor 1.jpg.json',
      metadata_embedded: true,
    });
    const sidecar = JSON.parse(await readFile(at('sidecars', 'Tor 1.jpg.json'), 'utf8'));
    expect(sidecar).toMatchObject({ id: media[0]?.['id'], details: { caption: 'Goal 1' } });
    expect((await readFile(at('sidecars', 'Tor 1.jpg'))).includes('Goal 1')).toBe(true);
    const xmp = await createDestination('xmp', { sidecar: 'xmp' });
    await deliverAll({ destination_id: xmp['id'], media_ids: ids().slice(0, 1) });
    expect(await readFile(at('xmp', 'Tor 1.jpg.xmp'), 'utf8')).toContain('Goal 1');
    expect(await readFile(at('xmp', 'Tor 1.jpg'))).toEqual(photos[0]);
  });

  test('leaves out what is not free for use, unless an admin asks for it', async () => {
    const { body } = await service.upload(await plainPhoto(7), { name: 'secret.jpg', metadata: { usage: 'limited' } });
    const mediaIds = [body['media'].id];
    const { id } = await createDestination('restricted');
    const [skipped] = await deliverAll({ destination_id: id, media_ids: mediaIds });
    expect(skipped).toMatchObject({ state: 'skipped', failure: { code: 'media_restricted' } });
    expect(await readdir(at('restricted'))).toEqual([]);
    const runner = await service.createKey({ scopes: ['delivery.run'] });
    const wanted = { destination_id: id, media_ids: mediaIds, include_restricted: true };
    expectProblem(await service.call('POST', '/v1/delivery', { key: runner, body: wanted }), 'scope_missing');
    expect((await deliverAll(wanted)).map((one) => one['state'])).toEqual(['succeeded']);
  });

  test('that the target refuses for good fails at its first try, leaves nothing, and can be replayed', async () => {
    const { id } = await createDestination('refused', { path_template: 'folder/{media.name}.{media.ext}' });
    await writeFile(at('refused', 'folder'), 'a file in the way');
    const [failed] = await deliverAll({ destination_id: id, media_ids: ids().slice(0, 1) });
    expect(failed).toMatchObject({ state: 'failed', failure: { code: 'name_taken' }, receipt: null });
    expect(failed?.['attempts']).toHaveLength(1);
    expect(await readdir(at('refused'))).toEqual(['folder']);
    await rm(at('refused', 'folder'));
    const replayed = await service.call('POST', `/v1/delivery/${failed?.['id']}/replay`);
    expect(replayed.body['delivery'], JSON.stringify(replayed.body)).toMatchObject({ state: 'queued', failure: null });
    await expect.poll(async () => (await read(failed?.['id']))['state'], SLOW).toBe('succeeded');
    expect(await readFile(at('refused', 'folder', 'Tor 1.jpg'))).toEqual(photos[0]);
    expectProblem(await service.call('POST', `/v1/delivery/${failed?.['id']}/replay`), 'conflict');
    expectProblem(await service.call('DELETE', `/v1/delivery/${failed?.['id']}`), 'conflict');
  });

  test('is listed by destination, state and batch, page by page', async () => {
    const { id } = await createDestination('listed', { concurrency: 1 });
    const queued = await deliver({ destination_id: id, media_ids: ids() });
    const { batch } = queued.body;
    const states = async () =>
      (await service.call('GET', `/v1/delivery?batch=${batch}`)).body['deliveries'].map((one: Json) => one['state']);
    await expect.poll(states, SLOW).toEqual(['succeeded', 'succeeded', 'succeeded']);
    const seen: number[] = [];
    let cursor = '';
    do {
      const path = `/v1/delivery?destination=${id}&state=succeeded&limit=1${cursor && `&cursor=${cursor}`}`;
      const { body } = await service.call('GET', path);
      seen.push(...body['deliveries'].map((one: Json) => one['id']));
      cursor = body['next_cursor'] ?? '';
    } while (cursor !== '');
    expect(seen).toEqual(queued.body['deliveries'].map((one: Json) => one['id']).toReversed());
  });

  test.each([
    [{ media_ids: [1], filter: {} }, 'validation_failed'],
    [{}, 'validation_failed'],
    [{ media_ids: [999_999] }, 'not_found'],
    [{ filter: { player: 999_999 } }, 'unknown_tag_option'],
  ] as const)('is refused as %j', async (members, code) => {
    const { id } = await createDestination('asked');
    expectProblem(await deliver({ destination_id: id, ...members }), code);
    expectProblem(await deliver({ destination_id: 999_999, media_ids: [1] }), 'not_found');
  });
});

test('the key of secrets is made once and for the service alone', async () => {
  expect((await stat(join(service.dataDir, 'secret.key'))).mode & 0o777).toBe(0o600);
});
