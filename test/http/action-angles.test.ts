import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Answer, type Json, startApp, type TestApp } from '../support/app.ts';
import { createTag, plainPhoto, pointersOf, uploadMedia } from '../support/library.ts';
import { expectProblem } from '../support/problem.ts';
import { insertAssets } from '../support/search-library.ts';

const MINUTE = 60_000;

let service: TestApp;
beforeAll(async () => {
  service = await startApp();
});
afterAll(() => service.close());

const createMatch = (label: string): Promise<number> => createTag(service, { type: 'match', label });

/** A ready video of 130 minutes unless said otherwise; `durationMs: null`: not processed yet. */
async function createVideo(
  tags: readonly number[],
  timeline?: object,
  durationMs: number | null = 130 * MINUTE,
): Promise<number> {
  const [id] = await insertAssets(service, [{ mediaType: 'video', name: 'match.mp4', durationMs, tags }]);
  if (id === undefined) throw new Error('no video');
  await sql`UPDATE asset SET frame_rate_num = 25, frame_rate_den = 1 WHERE id = ${id}`.execute(
    service.app.installation.db,
  );
  if (timeline) await setTimeline(id, timeline);
  return id;
}
async function setTimeline(id: number, timeline: object | null): Promise<Json> {
  const answer = await service.call('PATCH', `/v1/media/${id}`, { body: { timeline } });
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return answer.body['media'];
}
const record = (media: number, body: unknown): Promise<Answer> =>
  service.call('POST', `/v1/media/${media}/action`, { body });
async function recorded(media: number, body: object): Promise<Json> {
  const answer = await record(media, body);
  expect([200, 201], JSON.stringify(answer.body)).toContain(answer.status);
  return answer.body['actions'][0];
}
const read = async (id: number): Promise<Json> => (await service.call('GET', `/v1/action/${id}`)).body['action'];
const listed = async (media: number): Promise<Json[]> =>
  (await service.call('GET', `/v1/media/${media}/action`)).body['actions'];
const kickOffs = (first: number, second: number) => ({
  periods: [
    { period: 1, start_ms: first },
    { period: 2, start_ms: second },
  ],
});

describe('the timeline of a video', () => {
  test('is patched member by member, answered, and removed with null', async () => {
    const video = await createVideo([]);
    await setTimeline(video, { angle: 'behind goal', started_at_wallclock: '2026-03-14T19:20:00+00:00' });
    const media = await setTimeline(video, { start_tc: '10:00:00:00', ...kickOffs(600_000, 4_200_000) });
    expect(media['timeline']).toEqual({
      angle: 'behind goal',
      started_at_wallclock: '2026-03-14T19:20:00.000Z',
      start_tc: '10:00:00:00',
      periods: [
        { period: 1, start_ms: 600_000 },
        { period: 2, start_ms: 4_200_000 },
      ],
    });
    expect((await setTimeline(video, { angle: null }))['timeline']).toMatchObject({ angle: null });
    expect((await setTimeline(video, null))['timeline']).toBeNull();
  });

  test('is of a video, with each period once', async () => {
    const photo = await uploadMedia(service, await plainPhoto(1));
    const patch = (id: number, timeline: object) => service.call('PATCH', `/v1/media/${id}`, { body: { timeline } });
    expect(pointersOf(await patch(photo['id'], { angle: 'main' }))).toEqual(['/timeline']);
    const video = await createVideo([]);
    const twice = [1, 1].map((period) => ({ period, start_ms: 0 }));
    expect(pointersOf(await patch(video, { periods: twice }))).toEqual(['/timeline/periods/1/period']);
    expect(pointersOf(await patch(video, { camera: 'main' }))).toEqual(['/timeline/camera']);
  });
});

describe('a moment without a position', () => {
  test.each([
    ['in the first half', 1, 10 * MINUTE, 5 * MINUTE + 10 * MINUTE, [11, null]],
    ['in stoppage time of the first half', 1, 46 * MINUTE + 1, 5 * MINUTE + 46 * MINUTE + 1, [45, 2]],
    ['in the second half', 2, 46 * MINUTE, 66 * MINUTE, [47, null]],
    ['in stoppage time of the match', 2, 92 * MINUTE + 30_000, 65 * MINUTE + 47 * MINUTE + 30_000, [90, 3]],
    ['in extra time', 3, 91 * MINUTE, 121 * MINUTE, [92, null]],
  ])('%s lies where the clock says', async (_when, period, clock_ms, start_ms, [minute, stoppage]) => {
    const video = await createVideo([], {
      periods: [
        { period: 1, start_ms: 5 * MINUTE },
        { period: 2, start_ms: 65 * MINUTE },
        { period: 3, start_ms: 120 * MINUTE },
      ],
    });
    expect(await recorded(video, { type: 'shot', period, clock_ms })).toMatchObject({
      start_ms,
      end_ms: start_ms,
      event_ms: start_ms,
      minute,
      stoppage,
      angles: [{ derived: true }],
    });
  });

  test('lies where the time of day says, before any clock', async () => {
    const video = await createVideo([], { started_at_wallclock: '2026-03-14T19:20:00Z', ...kickOffs(0, 0) });
    const action = { type: 'shot', wallclock_at: '2026-03-14T19:31:00.500Z', period: 1, clock_ms: 0 };
    expect(await recorded(video, action)).toMatchObject({ start_ms: 660_500 });
  });

  test('is refused by name where the timeline says nothing of it', async () => {
    const video = await createVideo([], { ...kickOffs(5 * MINUTE, 65 * MINUTE) });
    const pointers = async (body: object) => pointersOf(await record(video, { type: 'shot', ...body }));
    expect(await pointers({ period: 3, clock_ms: 91 * MINUTE })).toEqual(['/clock_ms']);
    expect(await pointers({ period: 2, clock_ms: 5 * MINUTE })).toEqual(['/clock_ms']);
    expect(await pointers({ period: 2, clock_ms: 20 * 60 * MINUTE })).toEqual(['/clock_ms']);
    expect(await pointers({ wallclock_at: '2026-03-14T19:31:00Z' })).toEqual(['/wallclock_at']);
  });

  test('moves when the kick-off is corrected; a position that was given stays', async () => {
    const video = await createVideo([], kickOffs(5 * MINUTE, 65 * MINUTE));
    const fed = await recorded(video, { type: 'shot', period: 1, clock_ms: MINUTE });
    const logged = await recorded(video, { type: 'shot', period: 1, clock_ms: MINUTE, event_ms: 6 * MINUTE });
    await setTimeline(video, kickOffs(5 * MINUTE + 1500, 65 * MINUTE));
    expect(await read(fed['id'])).toMatchObject({ start_ms: 6 * MINUTE + 1500, version: 2 });
    expect(await read(logged['id'])).toMatchObject({ start_ms: 6 * MINUTE, version: 1 });
    const { body } = await service.call('GET', `/v1/action/${fed['id']}/history`);
    expect(body['history'].map((one: Json) => one['state'].start_ms)).toEqual([6 * MINUTE, 6 * MINUTE + 1500]);
  });

  test('a position makes a time of day, which follows a corrected start', async () => {
    const video = await createVideo([], { started_at_wallclock: '2026-03-14T19:20:00Z' });
    const { id, ...action } = await recorded(video, { type: 'shot', event_ms: MINUTE });
    expect(action).toMatchObject({ wallclock_at: '2026-03-14T19:21:00.000Z' });
    await setTimeline(video, { started_at_wallclock: '2026-03-14T19:20:02Z' });
    expect(await read(id)).toMatchObject({ wallclock_at: '2026-03-14T19:21:02.000Z', start_ms: MINUTE });
  });
});

describe('other angles of a match', () => {
  test('show an action where their own kick-offs say, with in and out at the same distance', async () => {
    const match = await createMatch('A');
    const main = await createVideo([match], { angle: 'main', ...kickOffs(5 * MINUTE, 65 * MINUTE) });
    const goal = await createVideo([match], { angle: 'behind goal', ...kickOffs(2 * MINUTE, 60 * MINUTE) });
    const first = await createVideo([match], { periods: [{ period: 1, start_ms: 0 }] });
    const other = await createVideo([await createMatch('B')], kickOffs(0, 60 * MINUTE));
    const { id } = await recorded(main, {
      type: 'goal',
      period: 2,
      clock_ms: 50 * MINUTE,
      start_ms: 70 * MINUTE - 4000,
      event_ms: 70 * MINUTE,
      end_ms: 70 * MINUTE + 6000,
    });
    const action = await read(id);
    expect(action['angles']).toMatchObject([
      { media_id: main, angle: 'main', derived: false },
      {
        media_id: goal,
        angle: 'behind goal',
        start_ms: 65 * MINUTE - 4000,
        event_ms: 65 * MINUTE,
        end_ms: 65 * MINUTE + 6000,
        start_tc: '01:04:56:00',
        derived: true,
      },
    ]);
    expect(await listed(first)).toEqual([]);
    expect(await listed(other)).toEqual([]);
    expect(await listed(goal)).toMatchObject([{ id, media_id: goal, start_ms: 65 * MINUTE - 4000 }]);
    expect((await service.call('GET', `/v1/media/${goal}`)).body['media'].actions_count).toBe(1);
  });

  test('are found by the time of day before the clock, across stopped recordings', async () => {
    const match = await createMatch('C');
    const main = await createVideo([match], { started_at_wallclock: '2026-03-14T19:20:00Z', ...kickOffs(0, 0) });
    const late = await createVideo([match], { started_at_wallclock: '2026-03-14T20:20:30Z', ...kickOffs(1, 1) });
    const { id } = await recorded(main, { type: 'goal', event_ms: 61 * MINUTE });
    expect((await read(id))['angles']).toMatchObject([{ media_id: main }, { media_id: late, event_ms: 30_000 }]);
    const before = await recorded(main, { type: 'goal', event_ms: 60 * MINUTE });
    expect((await read(before['id']))['angles']).toHaveLength(1);
  });

  test('a clip that begins before a video or ends after it is cut to it', async () => {
    const match = await createMatch('D');
    const main = await createVideo([match], kickOffs(5 * MINUTE, 65 * MINUTE));
    const short = await createVideo([match], kickOffs(-MINUTE, 0), 2000);
    const { id } = await recorded(main, {
      type: 'goal',
      period: 1,
      clock_ms: MINUTE + 1000,
      start_ms: 6 * MINUTE - 4000,
      event_ms: 6 * MINUTE + 1000,
      end_ms: 6 * MINUTE + 9000,
    });
    expect((await read(id))['angles'][1]).toMatchObject({ media_id: short, start_ms: 0, event_ms: 1000, end_ms: 2000 });
  });

  test('come with the match tag of a video and go with it', async () => {
    const match = await createMatch('E');
    const main = await createVideo([match], kickOffs(0, 60 * MINUTE));
    const second = await createVideo([], kickOffs(MINUTE, 61 * MINUTE));
    const { id } = await recorded(main, { type: 'goal', period: 1, clock_ms: MINUTE });
    expect(await listed(second)).toEqual([]);
    await service.call('POST', `/v1/media/${second}/tag`, { body: { add: [match] } });
    expect(await listed(second)).toMatchObject([{ id, start_ms: 2 * MINUTE }]);
    await service.call('POST', `/v1/media/${second}/tag`, { body: { remove: [match] } });
    expect(await listed(second)).toEqual([]);
    expect((await service.call('GET', `/v1/media/${second}`)).body['media'].actions_count).toBe(0);
  });

  test('come when the timeline of a video is given, and go with it', async () => {
    const match = await createMatch('F');
    const main = await createVideo([match], kickOffs(0, 60 * MINUTE));
    const second = await createVideo([match]);
    const { id } = await recorded(main, { type: 'goal', period: 1, clock_ms: MINUTE });
    await setTimeline(second, kickOffs(MINUTE, 61 * MINUTE));
    expect(await listed(second)).toMatchObject([{ id, start_ms: 2 * MINUTE, version: 1 }]);
    await setTimeline(second, null);
    expect(await listed(second)).toEqual([]);
    expect(await listed(main)).toMatchObject([{ id, start_ms: MINUTE }]);
  });

  test('a place that was given is not computed', async () => {
    const match = await createMatch('G');
    const main = await createVideo([match], kickOffs(0, 60 * MINUTE));
    const second = await createVideo([match], kickOffs(MINUTE, 61 * MINUTE));
    const event = { type: 'goal', period: 1, clock_ms: MINUTE, source: 'feed:x', source_ref: 'g' };
    await recorded(main, event);
    await recorded(second, { ...event, event_ms: 2 * MINUTE + 40 });
    await setTimeline(second, kickOffs(MINUTE + 1, 61 * MINUTE));
    expect(await listed(second)).toMatchObject([{ start_ms: 2 * MINUTE + 40 }]);
  });

  test('follow the action when it moves, and leave when it is deleted', async () => {
    const match = await createMatch('H');
    const main = await createVideo([match], { started_at_wallclock: '2026-03-14T19:20:00Z' });
    const second = await createVideo([match], { started_at_wallclock: '2026-03-14T19:19:00Z' });
    const { id } = await recorded(main, { type: 'goal', event_ms: MINUTE });
    expect(await listed(second)).toMatchObject([{ start_ms: 2 * MINUTE }]);
    await service.call('PATCH', `/v1/action/${id}`, { body: { event_ms: 3 * MINUTE } });
    expect(await listed(second)).toMatchObject([{ start_ms: 4 * MINUTE }]);
    await service.call('DELETE', `/v1/action/${id}`);
    expect(await listed(second)).toEqual([]);
  });

  test('an action stays while one of its videos is outside the bin', async () => {
    const match = await createMatch('I');
    const main = await createVideo([match], kickOffs(0, 60 * MINUTE));
    const second = await createVideo([match], kickOffs(MINUTE, 61 * MINUTE));
    const { id } = await recorded(main, { type: 'goal', period: 1, clock_ms: MINUTE });
    await service.call('DELETE', `/v1/media/${main}`);
    expect(await read(id)).toMatchObject({ media_id: second, angles: [{ media_id: second }] });
    const patched = await service.call('PATCH', `/v1/action/${id}`, { body: { label: 'late' } });
    expect(patched.body['action']).toMatchObject({ label: 'late', media_id: second });
    await service.call('DELETE', `/v1/media/${second}`);
    expectProblem(await service.call('GET', `/v1/action/${id}`), 'not_found');
    await service.call('POST', `/v1/media/${main}/restore`);
    expect(await read(id)).toMatchObject({ media_id: main });
  });

  test('2,000 actions appear in 4 videos at once', async () => {
    const match = await createMatch('J');
    const videos: number[] = [];
    for (const at of [0, 1, 2, 3]) videos.push(await createVideo([match], kickOffs(at * 1000, 60 * MINUTE)));
    const [main = 0, , , last = 0] = videos;
    const actions = Array.from({ length: 2000 }, (_, at) => ({ type: 'pass', period: 1, clock_ms: at * 1000 }));
    expect((await record(main, actions)).body['actions']).toHaveLength(2000);
    const count = async (id: number) => (await service.call('GET', `/v1/media/${id}`)).body['media'].actions_count;
    expect(await Promise.all(videos.map(count))).toEqual([2000, 2000, 2000, 2000]);
    await setTimeline(last, null);
    expect(await count(last)).toBe(0);
  }, 30_000);
});

describe('the change feed', () => {
  test('tells of actions with the videos that they lie in, in order', async () => {
    const match = await createMatch('K');
    const main = await createVideo([match], kickOffs(0, 60 * MINUTE));
    const second = await createVideo([match], kickOffs(MINUTE, 61 * MINUTE));
    const events = async (query: string) => (await service.call('GET', `/v1/event${query}`)).body;
    // Nothing of this type has happened: the feed is read to its end.
    const { after } = await events('?types=collection.deleted');
    const { id } = await recorded(main, { type: 'goal', period: 1, clock_ms: MINUTE });
    await service.call('PATCH', `/v1/action/${id}`, { body: { label: 'late' } });
    await service.call('PATCH', `/v1/action/${id}`, { body: { status: 'retracted' } });
    await service.call('DELETE', `/v1/action/${id}`);
    const found = await events(`?after=${after}&types=action.*`);
    const media_ids = [main, second];
    expect(found['events'].map(({ id: _id, created_at: _at, ...event }: Json) => event)).toEqual([
      { type: 'action.created', object: { kind: 'action', id }, data: { media_ids } },
      { type: 'action.updated', object: { kind: 'action', id }, data: { media_ids } },
      { type: 'action.retracted', object: { kind: 'action', id }, data: { media_ids } },
      { type: 'action.retracted', object: { kind: 'action', id }, data: { media_ids, deleted: true } },
    ]);
    expect(await events(`?after=${found['after']}`)).toEqual({ events: [], after: found['after'], has_more: false });
    const page = await events(`?after=${after}&types=action.created,action.updated&limit=1`);
    expect(page).toMatchObject({ events: [{ type: 'action.created' }], has_more: true });
    const next = await events(`?after=${page['after']}&types=action.created,action.updated&limit=1`);
    expect(next).toMatchObject({ events: [{ type: 'action.updated' }] });
  });

  test('refuses types and positions that are not of it', async () => {
    const call = (query: string) => service.call('GET', `/v1/event${query}`);
    expect(pointersOf(await call('?types=media.vanished'))).toEqual(['types']);
    expect(pointersOf(await call('?after=99999999'))).toEqual(['after']);
    expectProblem(
      await service.call('GET', '/v1/event', { key: await service.createKey({ scopes: [] }) }),
      'scope_missing',
    );
  });

  test('shows keys to administrators only', async () => {
    const { after } = (await service.call('GET', '/v1/event?types=collection.deleted')).body;
    await service.call('POST', '/v1/key', { body: { name: 'new', scopes: ['media.read'] } });
    await createVideo([]);
    const types = async (key: string) =>
      (await service.call('GET', `/v1/event?after=${after}`, { key })).body['events'].map(
        (event: Json) => event['type'],
      );
    expect(await types(service.key)).toEqual(['api_key.created', 'media.created']);
    expect(await types(await service.createKey({ scopes: ['media.read'] }))).toEqual(['media.created']);
  });
});
