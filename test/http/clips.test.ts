import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { beeps, numberedPicture, readNumbers } from '../../src/video/test-clip.ts';
import { createWorkbench, H264, skipsWithoutFfmpeg, type Workbench } from '../../src/video/test-video.ts';
import { type Answer, type Json, startApp, type TestApp } from '../support/app.ts';
import { createTag, plainPhoto, pointersOf, storedObjects, uploadMedia } from '../support/library.ts';
import { expectProblem } from '../support/problem.ts';

const RATE = 25;
const FRAME_MS = 1000 / RATE;

describe.skipIf(skipsWithoutFfmpeg)('clips (needs ffmpeg)', () => {
  let service: TestApp;
  let bench: Workbench;
  let player: number;
  let club: number;
  let match: number;
  /** 20 s, 500 frames that carry their number, with sound. */
  let video: Json;
  let goal: Json;
  beforeAll(async () => {
    service = await startApp();
    bench = createWorkbench();
    club = await createTag(service, { type: 'club', label: 'Averley' });
    player = await createTag(service, { type: 'player', label: 'Núñera' });
    match = await createTag(service, { type: 'match', label: 'AVE-NOR', relations: { home: club } });
    video = await uploadVideo('match.mp4', {
      tag_options: [match],
      captured_at: '2026-03-14T19:30:00.000Z',
    });
    goal = await recorded({
      type: 'goal',
      start_ms: 4000,
      end_ms: 6000,
      event_ms: 5000,
      period: 2,
      clock_ms: 4_790_000,
      clubs: [{ id: club }],
      players: [{ id: player, role: 'scorer' }],
    });
  });
  afterAll(async () => {
    bench.remove();
    await service.close();
  });

  const range = (from: number, to: number) => Array.from({ length: to - from }, (_, index) => from + index);

  async function uploadVideo(name: string, metadata: object = {}, seconds = 20): Promise<Json> {
    const source = [...numberedPicture({ rate: String(RATE), frames: seconds * RATE }), ...beeps(seconds)];
    const path = bench.draw(
      name,
      ...source,
      ...H264,
      '-g',
      '50',
      '-bf',
      '0',
      '-c:a',
      'aac',
      '-metadata',
      `title=${name}`,
    );
    const answer = await service.upload(readFileSync(path), { name, metadata, headers: { Prefer: 'wait=60' } });
    expect(answer.body, JSON.stringify(answer.body)).toMatchObject({ media: { status: 'ready' } });
    return answer.body['media'];
  }
  async function recorded(body: object, media: Json = video): Promise<Json> {
    const answer = await service.call('POST', `/v1/media/${media['id']}/action`, { body });
    expect([200, 201], JSON.stringify(answer.body)).toContain(answer.status);
    return answer.body['actions'][0];
  }
  const ask = (path: string, body: object, headers: Readonly<Record<string, string>> = {}): Promise<Answer> =>
    service.call('POST', path, { body, headers: { Prefer: 'wait=60', ...headers } });
  /** Asks for a clip and waits until it is ready. */
  async function made(path: string, body: object): Promise<Json> {
    const answer = await ask(path, body);
    expect(answer.status, JSON.stringify(answer.body)).toBe(202);
    expect(answer.body['clip'], JSON.stringify(answer.body)).toMatchObject({ state: 'ready', progress: 1 });
    return answer.body['clip'];
  }
  async function load(url: string, name = 'loaded.mp4'): Promise<string> {
    const answer = await fetch(url);
    expect([url, answer.status]).toEqual([url, 200]);
    writeFileSync(bench.file(name), Buffer.from(await answer.arrayBuffer()));
    return bench.file(name);
  }
  const clipOf = (action: Json) => `/v1/action/${action['id']}/clip`;

  test('an action becomes a file with exactly its frames, lead and lag', async () => {
    const answer = await ask(clipOf(goal), { lead_ms: 500, lag_ms: 1000 });
    expect(answer.status, JSON.stringify(answer.body)).toBe(202);
    const clip = answer.body['clip'];
    expect(clip).toMatchObject({
      kind: 'clip',
      state: 'ready',
      progress: 1,
      name: 'Goal Núñera 80',
      segments: [{ media_id: video['id'], action_id: goal['id'], in_ms: 3500, out_ms: 7000, event_ms: 5000, at_ms: 0 }],
      output: 'download',
      file: { width: 640, height: 360, frames: 88, method: 'encode', duration_ms: 3520 },
      media_id: null,
      failure: null,
    });
    expect(answer.headers.get('location')).toBe(`/v1/clip/${clip['id']}`);
    const first = Math.floor(3500 / FRAME_MS);
    expect(clip['segments'][0]).toMatchObject({ cut_in_ms: first * FRAME_MS, cut_out_ms: 7000 });
    expect(readNumbers(await load(clip['url']))).toEqual(range(first, 175));
    // The poster is the moment of the action, not the begin of the clip.
    const poster = await load(clip['poster_url'], 'poster.jpg');
    expect(readNumbers(poster)).toEqual([125]);
    const read = await service.call('GET', `/v1/clip/${clip['id']}`);
    expect(read.body['clip']).toEqual(clip);
    expect(read.headers.get('etag')).toBe(`"v${clip['version']}"`);
    const events = await service.call('GET', '/v1/event?types=clip.*&limit=200');
    expect(events.body['events'].map((event: Json) => [event['type'], event['object']])).toContainEqual([
      'clip.ready',
      { kind: 'clip', id: clip['id'] },
    ]);
  });

  test('a cut that begins on a keyframe copies the frames of the source', async () => {
    const clip = await made(clipOf(goal), {});
    expect(clip).toMatchObject({ file: { method: 'copy', frames: 50 } });
    expect(readNumbers(await load(clip['url']))).toEqual(range(100, 150));
  });

  test('the file opens without a key, in parts too, under the name of the clip, and only with its signature', async () => {
    const clip = await made('/v1/clip', {
      segments: [{ media_id: video['id'], in_ms: 0, out_ms: 1000 }],
      name: 'Öppning 1',
    });
    const whole = await fetch(clip['url']);
    expect(whole.headers.get('content-type')).toBe('video/mp4');
    expect(whole.headers.get('content-disposition')).toBe(
      `attachment; filename="_ppning 1.mp4"; filename*=UTF-8''%C3%96ppning%201.mp4`,
    );
    expect(whole.headers.get('cache-control')).toBe('private, no-store');
    const bytes = Buffer.from(await whole.arrayBuffer());
    expect(bytes.length).toBe(clip['file']['bytes']);
    const part = await fetch(clip['url'], { headers: { Range: 'bytes=4-7' } });
    expect([part.status, await part.text()]).toEqual([206, 'ftyp']);
    const url = new URL(clip['url']);
    expect(url.pathname).toMatch(/\/Oppning-1\.mp4$/);
    for (const change of [
      (other: URL) => other.searchParams.delete('s'),
      (other: URL) => other.searchParams.set('exp', String(Number(other.searchParams.get('exp')) + 1)),
      (other: URL) => (other.pathname = other.pathname.replace(/\/\d+\/\d+\//, (ids) => ids.replace(/\d+\/$/, '999/'))),
    ]) {
      const other = new URL(url);
      change(other);
      expect((await fetch(other)).status).toBe(404);
    }
  });

  test('a moment is shown with what its type shows before and after, inside the video', async () => {
    const corner = await recorded({ type: 'goal', start_ms: 18_000, end_ms: 18_000 });
    const clip = await made(clipOf(corner), { name: 'moment' });
    const [segment] = clip['segments'];
    expect(segment['in_ms']).toBeLessThan(18_000);
    expect(segment['out_ms']).toBe(video['duration_ms']);
    const single = await made(clipOf(corner), { lead_ms: 0, lag_ms: 0 });
    expect(readNumbers(await load(single['url']))).toEqual([450]);
  });

  test('9:16 and 1:1 show the focal point, at the height that was asked for', async () => {
    await service.call('PATCH', `/v1/media/${video['id']}`, { body: { focal: { x: 0.5, y: 0.5 } } });
    const clip = await made(clipOf(goal), { aspect: '9:16' });
    expect(clip).toMatchObject({ aspect: '9:16', file: { width: 202, height: 360, frames: 50 } });
    expect(readNumbers(await load(clip['url']))).toEqual(range(100, 150));
    const square = await made(clipOf(goal), { aspect: '1:1', height: 180 });
    expect(square).toMatchObject({ height: 180, file: { width: 180, height: 180 } });
    expect(readNumbers(await load(square['url']), 0.5)).toEqual(range(100, 150));
    await service.call('PATCH', `/v1/media/${video['id']}`, { body: { focal: null } });
    expect(await made(clipOf(goal), { aspect: '16:9' })).toMatchObject({ file: { width: 640, height: 360 } });
  });

  test('without a focal point 9:16 shows the face at the moment of the action', async () => {
    // A portrait on the right of a black picture, to be found from the second second on.
    const still = join(import.meta.dirname, '..', 'fixtures', 'faces', 'astronaut.png');
    const place = '[1]scale=-2:720[face];[0][face]overlay=x=W-w:y=0:enable=gte(t\\,1)';
    const black = ['-f', 'lavfi', '-i', 'color=black:size=1280x720:rate=25:duration=3', '-i', still];
    const path = bench.draw('face.mp4', ...black, '-filter_complex', place, ...H264, '-t', '3');
    const answer = await service.upload(readFileSync(path), { name: 'face.mp4', headers: { Prefer: 'wait=60' } });
    const segments = [{ media_id: answer.body['media']['id'], in_ms: 1500, out_ms: 2500 }];
    const clip = await made('/v1/clip', { segments, aspect: '9:16' });
    expect(clip).toMatchObject({ file: { width: 404, height: 720 } });
    // The centre of the picture is black.
    expect(bench.meanLuma(await load(clip['poster_url'], 'face.jpg'))).toBeGreaterThan(60);
  });

  test('a reel has its actions in the order that was asked for', async () => {
    const save = await recorded({ type: 'save', start_ms: 10_000, end_ms: 11_000 });
    const reel = await made('/v1/clip', { actions: [save['id'], goal['id']], lag_ms: 200, name: 'Both' });
    expect(reel).toMatchObject({ kind: 'reel', name: 'Both', file: { frames: 85, method: 'encode' } });
    expect(reel['segments'].map((one: Json) => [one['action_id'], one['at_ms']])).toEqual([
      [save['id'], 0],
      [goal['id'], 1200],
    ]);
    expect(readNumbers(await load(reel['url']))).toEqual([...range(250, 280), ...range(100, 155)]);
  });

  test('as an asset it is processed as an upload, has the tags of the action and the usage of its source', async () => {
    const secret = await uploadVideo('secret.mp4', { usage: 'embargoed', usage_at: '2099-01-01T00:00:00Z' }, 6);
    const scene = await recorded(
      { type: 'goal', start_ms: 2000, end_ms: 3000, match, players: [{ id: player, role: 'scorer' }] },
      secret,
    );
    const clip = await made(clipOf(scene), { output: 'asset', name: 'Kept' });
    expect(clip).toMatchObject({ output: 'asset', url: null, poster_url: null, media_id: expect.any(Number) });
    const ready = async (): Promise<Json> => {
      const { body } = await service.call('GET', `/v1/media/${clip['media_id']}`);
      return body['media'];
    };
    await expect.poll(async () => (await ready())['status'], { timeout: 30_000 }).toBe('ready');
    const asset = await ready();
    expect(asset).toMatchObject({
      media_type: 'video',
      name: 'Kept.mp4',
      usage: 'embargoed',
      duration_ms: 1000,
      external_id: null,
      details: { clip_of: secret['id'], action_id: scene['id'] },
    });
    const tags = asset['tag_options'].map((tag: Json) => [tag['label'], tag['source']]);
    expect(tags).toContainEqual(['Núñera', 'manual']);
    expect(tags).toContainEqual(['AVE-NOR', 'manual']);
    expect(tags).toContainEqual(['Goal', 'manual']);
    expect(tags).toContainEqual(['Averley', 'implied']);
  });

  test('the same request with one Idempotency-Key makes one clip', async () => {
    const body = { segments: [{ media_id: video['id'], in_ms: 0, out_ms: 40 }] };
    const headers = { 'Idempotency-Key': 'clip-once' };
    const [first, again] = [await ask('/v1/clip', body, headers), await ask('/v1/clip', body, headers)];
    expect(again.body['clip']['id']).toBe(first.body['clip']['id']);
    expect(again.headers.get('idempotency-replayed')).toBe('true');
  });

  test('lists go from the newest to the oldest, page by page', async () => {
    const all = (await service.call('GET', '/v1/clip?limit=200')).body['clips'].map((clip: Json) => clip['id']);
    expect(all.length).toBeGreaterThan(3);
    expect(all).toEqual(all.toSorted((left: number, right: number) => right - left));
    const walked: number[] = [];
    let cursor = '';
    do {
      const { body } = await service.call('GET', `/v1/clip?limit=2${cursor}`);
      walked.push(...body['clips'].map((clip: Json) => clip['id']));
      cursor = body['next_cursor'] === null ? '' : `&cursor=${body['next_cursor']}`;
    } while (cursor !== '');
    expect(walked).toEqual(all);
  });

  test('a clip outlives its source, and goes with its files when it is removed', async () => {
    const source = await uploadVideo('gone.mp4', {}, 2);
    const before = await storedObjects(service);
    const clip = await made('/v1/clip', { segments: [{ media_id: source['id'], in_ms: 0, out_ms: 400 }] });
    expect((await storedObjects(service)).length).toBe(before.length + 2);
    await service.call('DELETE', `/v1/media/${source['id']}`);
    await load(clip['url']);
    const refused = await ask('/v1/clip', { segments: [{ media_id: source['id'], in_ms: 0, out_ms: 400 }] });
    expectProblem(refused, 'state_conflict');
    const path = `/v1/clip/${clip['id']}`;
    expectProblem(await service.call('DELETE', path, { headers: { 'If-Match': '"v1"' } }), 'precondition_failed');
    expect((await service.call('DELETE', path)).status).toBe(204);
    expectProblem(await service.call('GET', path), 'not_found');
    expectProblem(await service.call('DELETE', path), 'not_found');
    expect((await fetch(clip['url'])).status).toBe(404);
    expect(await storedObjects(service)).toEqual(before);
  });

  test('a clip of what cannot be decoded fails with the reason', async () => {
    const source = await uploadVideo('damaged.mp4', {}, 3);
    // The stored original is overwritten, as by a failing disk.
    const [stored] = (await storedObjects(service)).filter((path) => path.includes(source['sha256']));
    writeFileSync(join(service.dataDir, 'storage', stored ?? ''), 'The header is gone.');
    const answer = await ask('/v1/clip', { segments: [{ media_id: source['id'], in_ms: 0, out_ms: 400 }] });
    expect(answer.body['clip']).toMatchObject({
      state: 'failed',
      url: null,
      file: null,
      failure: { code: 'unsupported_media_type', reason: expect.stringContaining('expected') },
      expires_at: expect.any(String),
    });
    const events = await service.call('GET', '/v1/event?types=clip.failed&limit=200');
    expect(events.body['events'].map((event: Json) => event['object']['id'])).toContain(answer.body['clip']['id']);
  });

  test('requests that make no clip are refused by name', async () => {
    const photo = await uploadMedia(service, await plainPhoto(1));
    const id = video['id'];
    const segment = { media_id: id, in_ms: 0, out_ms: 400 };
    const wrong = async (body: object, pointer: string) =>
      expect([body, pointersOf(await ask('/v1/clip', body))]).toEqual([body, [pointer]]);
    await wrong({}, '/actions');
    await wrong({ actions: [goal['id']], segments: [segment] }, '/actions');
    await wrong({ segments: [{ ...segment, in_ms: 500 }] }, '/segments/0/out_ms');
    await wrong({ segments: [segment, { ...segment, in_ms: 20_000, out_ms: 21_000 }] }, '/segments/1/in_ms');
    await wrong({ segments: [{ ...segment, out_ms: 1_800_001 }] }, '/segments/0/out_ms');
    await wrong({ segments: [{ ...segment, media_id: photo['id'] }] }, '/media_id');
    await wrong({ segments: [segment], aspect: '4:3' }, '/aspect');
    await wrong({ segments: [segment], height: 100 }, '/height');
    expectProblem(await ask('/v1/clip', { segments: [{ ...segment, media_id: 999_999 }] }), 'not_found');
    expectProblem(await ask('/v1/clip', { actions: [goal['id'], 999_999] }), 'not_found');
    expectProblem(await ask('/v1/action/999999/clip', {}), 'not_found');
    expect(pointersOf(await ask(clipOf(goal), { media_id: photo['id'] }))).toEqual(['/media_id']);
    const reader = await service.createKey({ scopes: ['media.read'] });
    const refused = await service.call('POST', clipOf(goal), { key: reader, body: {} });
    expectProblem(refused, 'scope_missing');
    expect((await service.call('GET', '/v1/clip?limit=1', { key: reader })).status).toBe(200);
  });

  test('without a wait it is answered at once, while it is queued', async () => {
    const answer = await service.call('POST', clipOf(goal), {});
    expect(answer.status).toBe(202);
    expect(['queued', 'running']).toContain(answer.body['clip']['state']);
    expect(answer.body['clip']).toMatchObject({ url: null, file: null, expires_at: null });
    const path = `/v1/clip/${answer.body['clip']['id']}`;
    const state = async () => (await service.call('GET', path)).body['clip']['state'];
    await expect.poll(state, { timeout: 30_000 }).toBe('ready');
  });

  test('URLs end with the time of the clip', async () => {
    const clip = await made('/v1/clip', { segments: [{ media_id: video['id'], in_ms: 0, out_ms: 40 }] });
    const days = (Date.parse(clip['expires_at']) - Date.now()) / 86_400_000;
    expect(days).toBeGreaterThan(6.99);
    expect(days).toBeLessThan(7.01);
    const { db } = service.app.installation;
    await sql`UPDATE clip SET expires_at = now() - interval '1 minute' WHERE id = ${clip['id']}`.execute(db);
    const { body } = await service.call('GET', `/v1/clip/${clip['id']}`);
    expect((await fetch(body['clip']['url'])).status).toBe(404);
  });
});
