import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { MIB } from '../../src/base/index.ts';
import { type Json, startApp, type TestApp } from '../support/app.ts';
import { plainPhoto, uploadMedia } from '../support/library.ts';
import { copyAsset } from '../support/many-assets.ts';

const FILES = 10_000;
const FOR_LONG = { timeout: 600_000, interval: 500 } as const;

let service: TestApp;
let root: string;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'touchline-many-'));
  service = await startApp({ DELIVERY_FOLDERS: root, SEARCH_ENGINE: 'postgres' });
  const { id } = (await uploadMedia(service, await plainPhoto(1), { name: 'original.jpg' })) as { id: number };
  await copyAsset(service, { id, count: FILES });
}, 60_000);
afterAll(async () => {
  await service.close();
  await rm(root, { recursive: true, force: true });
});

test('10,000 files of one request all arrive, in flat memory', async () => {
  await mkdir(join(root, 'target'));
  const config = { path: join(root, 'target') };
  const path_template = '{seq:5}.{media.ext}';
  const members = { name: 'target', kind: 'folder', config, path_template, concurrency: 16 };
  const { id } = (await service.call('POST', '/v1/destination', { body: members })).body['destination'];
  const body = { destination_id: id, filter: { name: 'photo' }, quality: 'thumbnail' };
  const { batch } = (await service.call('POST', '/v1/delivery', { body })).body;
  const heaps: number[] = [];
  const read = async (): Promise<Json> => {
    heaps.push(process.memoryUsage().heapUsed);
    return (await service.call('GET', `/v1/delivery/batch/${batch}`)).body['batch'];
  };
  await expect.poll(async () => (await read())['finished_at'], FOR_LONG).not.toBeNull();
  expect(await read()).toMatchObject({ states: { succeeded: FILES }, progress: 1 });
  expect(await readdir(join(root, 'target'))).toHaveLength(FILES);
  // Beside what is collected now and then: nothing is kept of a delivery that has ended.
  expect(Math.max(...heaps) - Math.min(...heaps)).toBeLessThan(200 * MIB);
}, 620_000);
