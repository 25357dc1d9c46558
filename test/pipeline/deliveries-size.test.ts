import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Json, startApp, type TestApp } from '../support/app.ts';
import { plainPhoto, pointersOf, uploadMedia } from '../support/library.ts';
import { copyAsset } from '../support/many-assets.ts';
import { expectProblem } from '../support/problem.ts';

const FILES = 10_000;

let service: TestApp;
let root: string;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'touchline-size-'));
  service = await startApp({ DELIVERY_FOLDERS: root, SEARCH_ENGINE: 'postgres' });
  const { id } = (await uploadMedia(service, await plainPhoto(1), { name: 'original.jpg' })) as { id: number };
  await copyAsset(service, { id, count: FILES });
}, 60_000);
afterAll(async () => {
  await service.close();
  await rm(root, { recursive: true, force: true });
});

test('10,000 assets that a filter finds are queued, listed, cancelled and queued again by one call each', async () => {
  await mkdir(join(root, 'target'));
  const config = { path: join(root, 'target') };
  const path_template = '{seq:5}/{media.name}.{media.ext}';
  const members = { name: 'target', kind: 'folder', config, path_template, paused: true };
  const { id } = (await service.call('POST', '/v1/destination', { body: members })).body['destination'];
  const body = { destination_id: id, filter: { name: 'photo' }, quality: 'thumbnail' };
  const dry = await service.call('POST', '/v1/delivery', { body: { ...body, dry_run: true } });
  expect(dry.body).toMatchObject({ total: FILES, queued: FILES });
  const queued = await service.call('POST', '/v1/delivery', { body });
  expect(queued.body).toMatchObject({ total: FILES, queued: FILES });
  expect(queued.body['deliveries']).toHaveLength(200);
  const { batch } = queued.body;

  const paths = new Set<string>();
  let cursor = '';
  do {
    const page = await service.call('GET', `/v1/delivery?batch=${batch}&limit=200${cursor && `&cursor=${cursor}`}`);
    for (const one of page.body['deliveries'] as Json[]) paths.add(one['path']);
    cursor = page.body['next_cursor'] ?? '';
  } while (cursor !== '');
  expect(paths.size).toBe(FILES);

  const again = await service.call('POST', '/v1/delivery', { body });
  expect(again.body).toMatchObject({ total: FILES, queued: 0, skipped: FILES });
  const path = `/v1/delivery/batch/${batch}`;
  expect((await service.call('DELETE', path)).body).toMatchObject({
    cancelled: FILES,
    batch: { total: FILES, states: { cancelled: FILES }, progress: 1 },
  });
  expect((await service.call('POST', `${path}/replay`)).body).toMatchObject({
    replayed: FILES,
    batch: { states: { queued: FILES, cancelled: 0 }, bytes_done: 0, progress: 0 },
  });
}, 120_000);

test('more than 10,000 files are refused', async () => {
  await mkdir(join(root, 'more'));
  const members = { name: 'more', kind: 'folder', config: { path: join(root, 'more') } };
  const { id } = (await service.call('POST', '/v1/destination', { body: members })).body['destination'];
  const body = { destination_id: id, filter: { name: 'photo' }, qualities: ['thumbnail', 'photographer'] };
  const answer = await service.call('POST', '/v1/delivery', { body });
  expectProblem(answer, 'validation_failed');
  expect(pointersOf(answer)).toEqual(['']);
}, 60_000);
