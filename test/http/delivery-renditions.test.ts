import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { beeps, numberedPicture } from '../../src/video/test-clip.ts';
import { createWorkbench, H264, skipsWithoutFfmpeg } from '../../src/video/test-video.ts';
import { type Answer, type Json, startApp, type TestApp } from '../support/app.ts';
import { createImagePreset } from '../support/image-rules.ts';
import { filesBelow, plainPhoto, pointersOf, uploadMedia } from '../support/library.ts';
import { expectProblem } from '../support/problem.ts';

const SLOW = { timeout: 30_000, interval: 50 } as const;
const FINAL = ['succeeded', 'failed', 'exhausted', 'cancelled', 'skipped'];
const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

let service: TestApp;
let root: string;
let media: Json[];
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'touchline-renditions-'));
  service = await startApp({ DELIVERY_FOLDERS: root });
  media = [];
  for (const n of [1, 2]) {
    const photo = await plainPhoto(0x4000 + n, { width: 2600, height: 1800 });
    media.push(await uploadMedia(service, photo, { name: `Tor ${n}.jpg` }));
  }
});
afterAll(async () => {
  await service.close();
  await rm(root, { recursive: true, force: true });
});

const ids = () => media.map((one) => one['id']);
const at = (...names: string[]): string => join(root, ...names);

async function createDestination(name: string, members: object = {}): Promise<number> {
  const path = at(name);
  await mkdir(path, { recursive: true });
  const path_template = '{quality}/{media.name} {width}x{height}.{media.ext}';
  const body = { name, kind: 'folder', config: { path }, path_template, ...members };
  const answer = await service.call('POST', '/v1/destination', { body });
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  return answer.body['destination'].id;
}
const deliver = (body: object): Promise<Answer> => service.call('POST', '/v1/delivery', { body });
const read = async (id: number): Promise<Json> => (await service.call('GET', `/v1/delivery/${id}`)).body['delivery'];
async function deliverAll(body: object): Promise<Json[]> {
  const answer = await deliver(body);
  expect(answer.status, JSON.stringify(answer.body)).toBe(202);
  const ended: Json[] = [];
  for (const { id } of answer.body['deliveries'] as Json[]) {
    await expect.poll(async () => FINAL.includes((await read(id))['state']), SLOW).toBe(true);
    ended.push(await read(id));
  }
  return ended;
}
const sizeOf = async (path: string) => {
  const { format, width, height } = await sharp(path).metadata();
  return { format, width, height };
};

describe('a picture made for a delivery', () => {
  test('has the size, format and name that were asked for, and leaves no file behind', async () => {
    const id = await createDestination('story');
    const rendition = { kind: 'image', params: 'w=1080&h=1920&f=face&fmt=webp&up=1' };
    const ended = await deliverAll({ destination_id: id, media_ids: ids(), rendition });
    expect(ended.map((one) => [one['state'], one['path'], one['quality']])).toEqual([
      ['succeeded', 'image/Tor 1 1080x1920.webp', null],
      ['succeeded', 'image/Tor 2 1080x1920.webp', null],
    ]);
    for (const one of ended) {
      const path = at('story', one['path']);
      expect(await sizeOf(path)).toEqual({ format: 'webp', width: 1080, height: 1920 });
      const bytes = await readFile(path);
      expect(one).toMatchObject({ rendition, bytes: bytes.length, sha256: sha256(bytes) });
      expect(one['receipt']).toMatchObject({ bytes: bytes.length, sha256: sha256(bytes) });
    }
    expect(await filesBelow(join(service.dataDir, 'tmp', 'deliveries'))).toEqual([]);
  });

  test('is made of the original, as large as that is', async () => {
    const id = await createDestination('large');
    const [one] = await deliverAll({
      destination_id: id,
      media_ids: ids().slice(0, 1),
      rendition: { kind: 'image', params: 'w=5000' },
    });
    expect(one).toMatchObject({ state: 'succeeded', path: 'image/Tor 1 2600x1800.jpg' });
    expect(await sizeOf(at('large', one?.['path']))).toEqual({ format: 'jpeg', width: 2600, height: 1800 });
  });

  test('follows a preset, by the request or by the destination', async () => {
    await createImagePreset(service, 'card', { w: 300, h: 200, fmt: 'png' });
    const id = await createDestination('preset', { rendition: { kind: 'image', preset: 'card' }, sidecar: 'json' });
    const [one] = await deliverAll({ destination_id: id, media_ids: ids().slice(0, 1) });
    expect(one).toMatchObject({ path: 'card/Tor 1 300x200.png', rendition: { kind: 'image', params: 'p=card' } });
    expect(await sizeOf(at('preset', one?.['path']))).toEqual({ format: 'png', width: 300, height: 200 });
    const sidecar = JSON.parse(await readFile(at('preset', `${one?.['path']}.json`), 'utf8'));
    expect(sidecar).toMatchObject({ quality: null, rendition: { kind: 'image', params: 'p=card' } });
    const [original] = await deliverAll({ destination_id: id, media_ids: ids().slice(0, 1), quality: 'photographer' });
    expect(original).toMatchObject({ path: 'photographer/Tor 1 2600x1800.jpg', rendition: null });
    const preview = await service.call('POST', `/v1/destination/${id}/preview`, { body: { media_ids: ids() } });
    expect(preview.body['paths'].map((shown: Json) => shown['path'])).toEqual([
      'card/Tor 1 300x200.png',
      'card/Tor 2 300x200.png',
    ]);
  });

  test('is a duplicate while asset and parameters are the same', async () => {
    const id = await createDestination('again', { collision: 'overwrite' });
    const wanted = { destination_id: id, media_ids: ids().slice(1) };
    const first = { ...wanted, rendition: { kind: 'image', params: 'w=100&h=100' } };
    expect((await deliverAll(first)).map((one) => one['state'])).toEqual(['succeeded']);
    expect((await deliverAll(first))[0]).toMatchObject({ state: 'skipped', failure: { code: 'duplicate' } });
    const same = { ...wanted, rendition: { kind: 'image', params: 'h=100&w=100' } };
    expect((await deliverAll(same))[0]).toMatchObject({ failure: { code: 'duplicate' } });
    const body = { focal: { x: 0.1, y: 0.9 } };
    expect((await service.call('PATCH', `/v1/media/${ids()[1]}`, { body })).status).toBe(200);
    expect((await deliverAll(first)).map((one) => one['state'])).toEqual(['succeeded']);
  });

  test('is left out where the asset has no such picture', async () => {
    const id = await createDestination('moment');
    const rendition = { kind: 'image', params: 't=3' };
    const [one] = await deliverAll({ destination_id: id, media_ids: ids().slice(0, 1), rendition });
    expect(one).toMatchObject({ state: 'skipped', failure: { code: 'image_parameter_invalid' } });
  });

  test.each([
    [{ rendition: { kind: 'image', params: 'w=10&fit=never' } }, '/rendition/params'],
    [{ rendition: { kind: 'image', params: 'w=10&w=20' } }, '/rendition/params'],
    [{ rendition: { kind: 'image', preset: 'nobody' } }, '/rendition/params'],
    [{ rendition: { kind: 'image', preset: 'card', params: 'w=1' } }, '/rendition'],
    [{ rendition: { kind: 'image', params: 'w=1' }, quality: 'thumbnail' }, '/rendition'],
    [{ quality: 'thumbnail', qualities: ['compressed'] }, '/qualities'],
    [{ clip_ids: [1] }, '/clip_ids'],
  ])('is refused as %j', async (members, pointer) => {
    const id = await createDestination('refused');
    const answer = await deliver({ destination_id: id, media_ids: ids(), ...members });
    expectProblem(answer, 'validation_failed');
    expect(pointersOf(answer)).toContain(pointer);
  });
});

describe.skipIf(skipsWithoutFfmpeg)('a clip that is delivered (needs ffmpeg)', () => {
  const bench = createWorkbench();
  let video: Json;
  let goal: Json;
  beforeAll(async () => {
    const path = bench.draw(
      'match.mp4',
      ...numberedPicture({ rate: '25', frames: 200 }),
      ...beeps(8),
      ...H264,
      '-c:a',
      'aac',
    );
    video = await uploadMedia(service, readFileSync(path), { name: 'match.mp4', headers: { Prefer: 'wait=60' } });
    const body = { type: 'goal', start_ms: 2000, end_ms: 4000, event_ms: 3000, period: 1, clock_ms: 720_000 };
    const answer = await service.call('POST', `/v1/media/${video['id']}/action`, { body });
    goal = answer.body['actions'][0];
  }, 120_000);
  afterAll(() => bench.remove());

  const cut = async (body: object): Promise<Json> =>
    (await service.call('POST', `/v1/action/${goal['id']}/clip`, { body })).body['clip'];

  test('waits until it is ready, and arrives byte for byte, named by its action', async () => {
    const id = await createDestination('clips', {
      path_template: '{action.type} {action.minute} {quality}.{media.ext}',
    });
    const clip = await cut({ lead_ms: 100, lag_ms: 100 });
    const queued = (await deliver({ destination_id: id, clip_ids: [clip['id']] })).body['deliveries'][0];
    expect(queued).toMatchObject({
      state: 'queued',
      media_id: video['id'],
      quality: null,
      rendition: { kind: 'clip', clip_id: clip['id'] },
    });
    await expect.poll(async () => (await read(queued['id']))['state'], SLOW).toBe('succeeded');
    const delivered = await read(queued['id']);
    const made = (await service.call('GET', `/v1/clip/${clip['id']}`)).body['clip'];
    const bytes = await readFile(at('clips', delivered['path']));
    const { url } = made;
    expect(sha256(bytes)).toBe(sha256(Buffer.from(await (await fetch(url)).arrayBuffer())));
    expect(delivered).toMatchObject({ path: 'Goal 13 clip.mp4', attempts: [{ error_code: null }] });
    const dry = await deliver({ destination_id: id, clip_ids: [clip['id']], dry_run: true });
    expect(dry.body['deliveries'][0]).toMatchObject({ state: 'skipped', failure: { code: 'duplicate' } });
  }, 60_000);

  test('that became an asset is delivered as well', async () => {
    const id = await createDestination('asset-clips');
    const clip = await cut({ output: 'asset' });
    const [one] = await deliverAll({ destination_id: id, clip_ids: [clip['id']] });
    expect(one, JSON.stringify(one)).toMatchObject({ state: 'succeeded', media_id: video['id'] });
    expect((await readdir(at('asset-clips', 'clip'))).length).toBe(1);
  }, 60_000);

  test('fails when the clip does, and is not delivered at all when it has failed', async () => {
    const id = await createDestination('failed-clips', { paused: true });
    const clip = await cut({ lead_ms: 300 });
    const queued = (await deliver({ destination_id: id, clip_ids: [clip['id']] })).body['deliveries'][0];
    await service.app.installation.db
      .updateTable('clip')
      .set({ state: 'failed', failure_code: 'media_unreadable', failure_reason: 'the video is damaged' })
      .where('id', '=', clip['id'])
      .execute();
    await service.call('PATCH', `/v1/destination/${id}`, { body: { paused: false } });
    await expect.poll(async () => (await read(queued['id']))['state'], SLOW).toBe('failed');
    expect(await read(queued['id'])).toMatchObject({
      failure: { code: 'media_unreadable', reason: 'the video is damaged' },
    });
    const [late] = await deliverAll({ destination_id: id, clip_ids: [clip['id']] });
    expect(late).toMatchObject({ state: 'skipped', failure: { code: 'state_conflict' } });
    expectProblem(await deliver({ destination_id: id, clip_ids: [999_999] }), 'not_found');
  }, 60_000);
});
