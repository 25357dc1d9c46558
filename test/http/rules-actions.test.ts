import { readFileSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { beeps, numberedPicture } from '../../src/video/test-clip.ts';
import { createWorkbench, H264, skipsWithoutFfmpeg, type Workbench } from '../../src/video/test-video.ts';
import { type Json, startApp, type TestApp } from '../support/app.ts';
import { createTag } from '../support/library.ts';
import { insertAssets } from '../support/search-library.ts';

const SLOW = { timeout: 60_000, interval: 50 } as const;
let service: TestApp;
let root: string;
let player: number;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'touchline-rule-actions-'));
  service = await startApp({ DELIVERY_FOLDERS: root });
  player = await createTag(service, { type: 'player', label: 'Ten' });
});
afterAll(async () => {
  await service.close();
  await rm(root, { recursive: true, force: true });
});

async function post(path: string, body: object): Promise<Json> {
  const answer = await service.call('POST', path, { body });
  expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300);
  return answer.body;
}
const createRule = async (body: object): Promise<number> => (await post('/v1/rule', body))['rule'].id;
const readRuns = async (id: number): Promise<Json[]> => (await service.call('GET', `/v1/rule/${id}/run`)).body['runs'];
const record = async (media: number, body: object): Promise<number> =>
  (await post(`/v1/media/${media}/action`, body))['actions'][0].id;
async function createFolder(name: string): Promise<number> {
  const path = join(root, name);
  await mkdir(path);
  const body = { name, kind: 'folder', config: { path }, path_template: '{media.name}.{media.ext}' };
  return (await post('/v1/destination', body))['destination'].id;
}

describe('a rule on actions', () => {
  test('asks its filter of the action that the event is about, and of no other one of the video', async () => {
    const seen = await createTag(service, { type: 'tag', label: 'seen' });
    const [video = 0] = await insertAssets(service, [{ mediaType: 'video', durationMs: 90_000, rating: 4 }]);
    const goal = { type: 'goal', players: [{ id: player, role: 'scorer' }] };
    await record(video, { ...goal, event_ms: 500 });
    const on = ['action.created', 'action.updated'];
    const then = [{ do: 'add_tags', tag_option_ids: [seen] }];
    const own = await createRule({ name: 'Goals', on, filter: { rating: 4, action: { type: 'goal', player } }, then });
    const any = await createRule({ name: 'Any', on, filter: { all: [{ action: { type: 'goal' } }] }, then });
    const other = await createRule({ name: 'None', on, filter: { rating: 5, action: { type: 'goal' } }, then });
    const shot = await record(video, { type: 'shot', players: [{ id: player, role: 'shooter' }], event_ms: 1000 });
    const scored = await record(video, { ...goal, event_ms: 2000 });
    await expect.poll(async () => (await readRuns(any)).map((run) => run['object'].id), SLOW).toEqual([scored, shot]);
    expect(await readRuns(own)).toMatchObject([
      {
        object: { kind: 'action', id: scored },
        media_id: video,
        event: { type: 'action.created' },
        state: 'succeeded',
      },
    ]);
    await service.call('PATCH', `/v1/action/${shot}`, { body: { type: 'goal' } });
    await expect.poll(async () => (await readRuns(own)).length, SLOW).toBe(2);
    expect((await readRuns(own))[0]).toMatchObject({ object: { id: shot }, event: { type: 'action.updated' } });
    expect(await readRuns(other)).toEqual([]);
    const dry = await post(`/v1/rule/${own}/dry_run`, { media_ids: [video] });
    expect((dry['runs'] as Json[]).map((run) => run['object'].kind)).toEqual(['action', 'action', 'action']);
    for (const id of [own, any, other]) await service.call('DELETE', `/v1/rule/${id}`);
  });

  test('runs on many actions of one video that are imported together, each once', async () => {
    const [video = 0] = await insertAssets(service, [{ mediaType: 'video', durationMs: 90_000 }]);
    const rule = await createRule({
      name: 'Imported',
      on: ['action.created'],
      filter: { action: { type: 'goal' } },
      then: [{ do: 'set_usage', usage: 'raw' }],
    });
    const actions = Array.from({ length: 120 }, (_, n) => ({
      type: n % 20 === 0 ? 'goal' : 'pass',
      event_ms: n * 100,
    }));
    await post(`/v1/media/${video}/action`, actions);
    await expect.poll(async () => (await readRuns(rule)).length, SLOW).toBe(6);
    const statuses = (await readRuns(rule)).map((run) => run['steps'][0].status);
    expect(statuses.filter((status) => status === 'done')).toHaveLength(1);
    await service.call('DELETE', `/v1/rule/${rule}`);
  });
});

describe.skipIf(skipsWithoutFfmpeg)('a rule that cuts clips (needs ffmpeg)', () => {
  let bench: Workbench;
  beforeAll(() => {
    bench = createWorkbench();
  });
  afterAll(() => bench.remove());

  test('cuts the goal out of its video and delivers it when it is ready', async () => {
    const source = [...numberedPicture({ rate: '25', frames: 250 }), ...beeps(10)];
    const path = bench.draw('match.mp4', ...source, ...H264, '-g', '50', '-bf', '0', '-c:a', 'aac');
    const options = { name: 'match.mp4', headers: { Prefer: 'wait=60' } };
    const { body } = await service.upload(readFileSync(path), options);
    expect(body['media'], JSON.stringify(body)).toMatchObject({ status: 'ready' });
    const rule = await createRule({
      name: 'Goals as clips',
      on: ['action.created'],
      filter: { action: { type: 'goal' } },
      then: [{ do: 'clip', lead_ms: 500, lag_ms: 500, destination_id: await createFolder('clips') }],
    });
    const ready = await createRule({
      name: 'Clips to the newsroom',
      on: ['clip.ready'],
      filter: { name: 'match' },
      then: [{ do: 'deliver', destination_id: await createFolder('newsroom') }],
    });
    const made = { type: 'goal', label: 'Goal of Ten', start_ms: 4000, end_ms: 5000 };
    const goal = await record(body['media'].id, made);
    await expect.poll(() => readdir(join(root, 'clips')), SLOW).toEqual(['Goal of Ten.mp4']);
    const [run] = await readRuns(rule);
    expect(run).toMatchObject({ object: { kind: 'action', id: goal }, state: 'succeeded' });
    const step: Json | undefined = run?.['steps'][0];
    expect(step).toMatchObject({ do: 'clip', status: 'done', deliveries: [{ state: 'queued' }] });
    const { clip } = (await service.call('GET', `/v1/clip/${step?.['clip_id']}`)).body;
    expect(clip).toMatchObject({ state: 'ready', created_by: `rule ${rule}: Goals as clips` });
    await expect.poll(() => readdir(join(root, 'newsroom')), SLOW).toEqual(['Goal of Ten.mp4']);
    expect(await readRuns(ready)).toMatchObject([
      { object: { kind: 'clip', id: step?.['clip_id'] }, media_id: body['media'].id, state: 'succeeded' },
    ]);
    // As often as somebody asks, it is not cut in a dry run.
    const { clips } = (await service.call('GET', '/v1/clip')).body;
    await post(`/v1/rule/${rule}/dry_run`, { days: 1 });
    expect((await service.call('GET', '/v1/clip')).body['clips']).toEqual(clips);
  }, 90_000);
});
