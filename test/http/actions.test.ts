import { sql } from 'kysely';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Answer, type Json, startApp, type TestApp } from '../support/app.ts';
import { createTag, plainPhoto, pointersOf, searchMedia, uploadMedia } from '../support/library.ts';
import { expectProblem } from '../support/problem.ts';
import { insertAssets } from '../support/search-library.ts';

let service: TestApp;
let clubs: { readonly home: number; readonly away: number };
let competition: number;
let striker: number;
let keeper: number;
let match: number;
beforeAll(async () => {
  service = await startApp();
  const named = (type: string, label: string) => createTag(service, { type, label, external_ids: { test: label } });
  clubs = { home: await named('club', 'Averley'), away: await named('club', 'Norrvika') };
  competition = await named('competition', 'Meridian League');
  striker = await named('player', 'Núñera');
  keeper = await named('player', 'Håkvall');
  match = await createTag(service, {
    type: 'match',
    label: 'AVE-NOR',
    external_ids: { test: 'match' },
    relations: { home: clubs.home, away: clubs.away, competition, kick_off: '2026-03-14T19:30:00Z' },
  });
});
afterAll(() => service.close());

/** A ready video of 100 minutes at 25 frames a second, unless said otherwise. */
async function createVideo(
  options: {
    readonly tags?: readonly number[];
    readonly durationMs?: number;
    readonly rate?: readonly [number, number];
    readonly startTimecode?: string;
  } = {},
): Promise<number> {
  const { tags = [], durationMs = 6_000_000, rate = [25, 1], startTimecode } = options;
  const [id] = await insertAssets(service, [{ mediaType: 'video', name: 'match.mp4', durationMs, tags }]);
  if (id === undefined) throw new Error('no video');
  await sql`UPDATE asset SET frame_rate_num = ${rate[0]}, frame_rate_den = ${rate[1]},
    video = ${JSON.stringify({ start_timecode: startTimecode ?? null })}::jsonb WHERE id = ${id}`.execute(
    service.app.installation.db,
  );
  return id;
}

const record = (media: number, body: unknown): Promise<Answer> =>
  service.call('POST', `/v1/media/${media}/action`, { body });

/** Records one action, which must be accepted, and answers it. */
async function recorded(media: number, body: object): Promise<Json> {
  const answer = await record(media, body);
  expect([200, 201], JSON.stringify(answer.body)).toContain(answer.status);
  return answer.body['actions'][0];
}
const read = (id: number): Promise<Answer> => service.call('GET', `/v1/action/${id}`);
const listed = async (media: number, query = ''): Promise<Json[]> =>
  (await service.call('GET', `/v1/media/${media}/action${query}`)).body['actions'];

describe('recording an action', () => {
  test('answers it with everything that follows from what was given', async () => {
    const video = await createVideo({ tags: [match] });
    const answer = await record(video, {
      type: 'goal',
      label: '2-1 Núñera',
      start_ms: 2500,
      end_ms: 9500,
      event_ms: 5900,
      period: 2,
      clock_ms: 4_637_900,
      clubs: [{ id: clubs.home }],
      players: [{ id: striker, role: 'scorer', shirt: 7 }],
      outcome: 'right foot',
      x: 90,
      y: 44.1,
      details: { body_part: 'foot' },
    });
    expect(answer.status, JSON.stringify(answer.body)).toBe(201);
    expect(answer.headers.get('x-library-version')).toMatch(/^\d+$/);
    expect(answer.body['errors']).toEqual([]);
    const [action] = answer.body['actions'];
    expect(action).toMatchObject({
      media_id: video,
      type_key: 'goal',
      type_label: 'Goal',
      start_tc: '00:00:02:12',
      end_tc: '00:00:09:12',
      frame_rate: { num: 25, den: 1, drop_frame: false },
      minute: 78,
      stoppage: null,
      match,
      match_label: 'AVE-NOR',
      clubs: [{ id: clubs.home, label: 'Averley', side: 'home' }],
      players: [{ id: striker, label: 'Núñera', role: 'scorer', shirt: 7 }],
      x: 90,
      y: 44.1,
      source: 'manual',
      status: 'confirmed',
      version: 1,
      created_by: 'test',
      result: 'created',
      in_ms: 2500,
      out_ms: 9500,
      angles: [{ media_id: video, start_ms: 2500, derived: false }],
      play_url: null,
      clip_url: `${service.url}/v1/action/${action.id}/clip`,
    });
    const again = await read(action.id);
    expect(again.headers.get('etag')).toBe('"v1"');
    const { result: _result, index: _index, ...shown } = action;
    expect(again.body['action']).toEqual(shown);
    const media = await service.call('GET', `/v1/media/${video}`);
    expect(media.body['media']).toMatchObject({ actions_count: 1, version: 1 });
  });

  test('in a real video it can be played from in to out, and has a picture', async () => {
    const file = join(import.meta.dirname, '..', '..', 'sample', 'videos', '20260314_PAV-BMA_goal-78.mp4');
    const media = await uploadMedia(service, await readFile(file), { name: 'goal.mp4' });
    expect(media).toMatchObject({ status: 'ready', media_type: 'video' });
    const action = await recorded(media['id'], { type: 'goal', start_ms: 2500, end_ms: 9500, event_ms: 5900 });
    expect(action['play_url']).toBe(`${media['qualities'].compressed.url}#t=2.5,9.5`);
    const [play, poster] = [await fetch(action['play_url']), await fetch(action['poster_url'])];
    expect([play.status, play.headers.get('content-type')]).toEqual([200, 'video/mp4']);
    expect([poster.status, poster.headers.get('content-type')]).toEqual([200, 'image/jpeg']);
    const tooLate = await record(media['id'], { type: 'goal', event_ms: media['duration_ms'] + 1000 });
    expect(pointersOf(tooLate)).toEqual(['/event_ms']);
  }, 60_000);

  test('an Idempotency-Key records it once, and answers the same again', async () => {
    const video = await createVideo();
    const send = () =>
      service.call('POST', `/v1/media/${video}/action`, {
        body: { type: 'goal', event_ms: 1 },
        headers: { 'Idempotency-Key': 'goal-1' },
      });
    const [first, again] = [await send(), await send()];
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expect(again.body).toEqual(first.body);
    expect(await listed(video)).toHaveLength(1);
  });

  test('a moment is a point, with the lead and lag of its type for in and out', async () => {
    const video = await createVideo();
    expect(await recorded(video, { type: 'goal', event_ms: 4000 })).toMatchObject({
      start_ms: 4000,
      end_ms: 4000,
      event_ms: 4000,
      in_ms: 0,
      out_ms: 19_000,
    });
    expect(await recorded(video, { type: 'goal', event_ms: 5_999_000 })).toMatchObject({
      in_ms: 5_989_000,
      out_ms: 6_000_000,
    });
  });

  test('the same built-in type is one tag option, found by its key, its label and its ID', async () => {
    const video = await createVideo();
    const first = await recorded(video, { type: 'card_yellow', event_ms: 1 });
    const byLabel = await recorded(video, { type: 'Yellow card', event_ms: 2 });
    const byId = await recorded(video, { type: first['type'], event_ms: 3 });
    expect([byLabel['type'], byId['type']]).toEqual([first['type'], first['type']]);
    const tag = await service.call('GET', `/v1/tag/${first['type']}`);
    expect(tag.body['tag_option']).toMatchObject({
      category: 'action type',
      external_ids: { action_type: 'card_yellow' },
    });
  });

  test('tag options are taken by external ids too', async () => {
    const video = await createVideo();
    const action = await recorded(video, {
      type: 'save',
      event_ms: 10,
      match: { source: 'test', id: 'match' },
      clubs: [{ id: { source: 'test', id: 'Norrvika' } }],
      players: [{ id: { source: 'test', id: 'Håkvall' }, role: 'goalkeeper' }],
    });
    expect(action).toMatchObject({ match, clubs: [{ id: clubs.away, side: 'away' }] });
    // As it may be read, it may be written.
    const neutral = await recorded(video, { type: 'save', event_ms: 20, clubs: [{ id: clubs.away, side: null }] });
    expect(neutral['clubs']).toMatchObject([{ id: clubs.away, side: null }]);
    expect(action).toMatchObject({ players: [{ id: keeper, role: 'goalkeeper', shirt: null }] });
  });

  test.each([
    ['no type', { event_ms: 1 }, '/type'],
    ['an unknown type', { type: 'quidditch', event_ms: 1 }, '/type'],
    ['no position', { type: 'goal' }, '/start_ms'],
    ['an end before the start', { type: 'goal', start_ms: 20, end_ms: 10 }, '/end_ms'],
    ['a moment outside', { type: 'goal', start_ms: 20, end_ms: 30, event_ms: 50 }, '/event_ms'],
    ['a position after the end of the video', { type: 'goal', start_ms: 6_000_041 }, '/start_ms'],
    ['two starts', { type: 'goal', start_ms: 20, start_tc: '00:00:00:01' }, '/start_tc'],
    ['a frame that the rate has not', { type: 'goal', start_tc: '00:00:00:25' }, '/start_tc'],
    ['a clock without a timeline', { type: 'goal', period: 1, clock_ms: 60_000 }, '/clock_ms'],
    ['a time of day without a timeline', { type: 'goal', wallclock_at: '2026-03-14T19:31:00Z' }, '/wallclock_at'],
    ['a player that is unknown', { type: 'goal', event_ms: 1, players: [{ id: 999_999 }] }, '/players/0/id'],
    ['an unknown field', { type: 'goal', event_ms: 1, minute: 3 }, '/minute'],
    ['an unknown parent', { type: 'goal', event_ms: 1, parent_id: 999_999 }, '/parent_id'],
    ['a role in two words', { type: 'goal', event_ms: 1, players: [{ id: 1, role: 'Top Scorer' }] }, '/players/0/role'],
  ])('%s is refused by name', async (_what, body, pointer) => {
    const video = await createVideo();
    const answer = await record(video, body);
    expect(answer.status, JSON.stringify(answer.body)).toBe(400);
    expect(pointersOf(answer)).toContain(pointer);
    expect(await listed(video)).toEqual([]);
  });

  test('tag options stand in the member of their type', async () => {
    const video = await createVideo();
    const wrong = await record(video, { type: 'goal', event_ms: 1, players: [{ id: clubs.home }] });
    expectProblem(wrong, 'unknown_tag_option');
    const { type } = await recorded(video, { type: 'goal', event_ms: 1 });
    expect(pointersOf(await record(video, { type: 'shot', event_ms: 1, tag_options: [type] }))).toEqual([
      '/tag_options/0',
    ]);
    expect(pointersOf(await record(video, { type: striker, event_ms: 1 }))).toEqual(['/type']);
  });

  test('is for videos that are there', async () => {
    expectProblem(await record(999_999, { type: 'goal', event_ms: 1 }), 'not_found');
    const photo = await uploadMedia(service, await plainPhoto(1));
    expectProblem(await record(photo['id'], { type: 'goal', event_ms: 1 }), 'validation_failed');
    const [binned] = await insertAssets(service, [{ mediaType: 'video', status: 'deleted' }]);
    expectProblem(await record(binned ?? 0, { type: 'goal', event_ms: 1 }), 'not_found');
  });

  test('needs the scope actions.write', async () => {
    const video = await createVideo();
    const key = await service.createKey({ scopes: ['media.read', 'media.write'] });
    const answer = await service.call('POST', `/v1/media/${video}/action`, {
      key,
      body: { type: 'goal', event_ms: 1 },
    });
    expectProblem(answer, 'scope_missing');
  });

  test('a deactivated tag option takes no new action, and stays on those that have it', async () => {
    const video = await createVideo();
    const retired = await createTag(service, { type: 'player', label: 'Retired' });
    const body = { type: 'goal', event_ms: 1, players: [{ id: retired }], source_ref: 'retired' };
    await recorded(video, body);
    await service.call('PATCH', `/v1/tag/${retired}`, { body: { status: 'deactivated' } });
    expectProblem(await record(video, { ...body, source_ref: 'another' }), 'tag_option_deactivated');
    expect(await recorded(video, { ...body, event_ms: 2 })).toMatchObject({ result: 'updated' });
  });
});

describe('recording many', () => {
  test('one bad item leaves the others alone', async () => {
    const video = await createVideo();
    const answer = await record(video, [
      { type: 'goal', event_ms: 100 },
      { type: 'nonsense', event_ms: 200 },
      { type: 'shot', event_ms: 'soon' },
      { type: 'shot', event_ms: 300 },
    ]);
    expect(answer.status).toBe(201);
    expect(answer.body['actions'].map((action: Json) => action['event_ms'])).toEqual([100, 300]);
    expect(answer.body['errors']).toMatchObject([
      { index: 1, code: 'unknown_tag_option', errors: [{ pointer: '/type' }] },
      { index: 2, code: 'validation_failed', errors: [{ pointer: '/event_ms' }] },
    ]);
  });

  test('in several videos at once', async () => {
    const [one, two] = [await createVideo(), await createVideo()];
    const answer = await service.call('POST', '/v1/action/bulk', {
      body: {
        actions: [
          { media_id: one, type: 'goal', event_ms: 1 },
          { media_id: 999_999, type: 'goal', event_ms: 1 },
          { media_id: two, type: 'goal', event_ms: 2 },
        ],
      },
    });
    expect(answer.status, JSON.stringify(answer.body)).toBe(201);
    expect(answer.body['actions'].map((action: Json) => action['media_id'])).toEqual([one, two]);
    expect(answer.body['errors']).toMatchObject([{ index: 1, code: 'not_found', errors: [{ pointer: '/media_id' }] }]);
  });

  test('a body that is no list of actions is refused', async () => {
    const video = await createVideo();
    expectProblem(await record(video, []), 'validation_failed');
    expectProblem(await record(video, undefined), 'validation_failed');
    expectProblem(await service.call('POST', '/v1/action/bulk', { body: {} }), 'validation_failed');
    const misspelt = { actions: [{ media_id: video, type: 'goal', event_ms: 1 }], strict: true };
    expectProblem(await service.call('POST', '/v1/action/bulk', { body: misspelt }), 'validation_failed');
  });

  test('5,000 come in one call', async () => {
    const video = await createVideo({ tags: [match] });
    const actions = Array.from({ length: 5000 }, (_, at) => ({
      type: ['pass', 'shot', 'tackle', 'duel'][at % 4],
      label: `event ${at}`,
      event_ms: at * 1000,
      period: at < 2500 ? 1 : 2,
      clock_ms: at < 2500 ? at * 1000 : at * 1000 + 200_000,
      players: [{ id: at % 2 === 0 ? striker : keeper, role: 'passer' }],
      source: 'feed:test',
      source_ref: `bulk-${at}`,
      source_version: 1,
    }));
    const startedMs = performance.now();
    const answer = await record(video, actions);
    const tookMs = performance.now() - startedMs;
    expect(answer.status, JSON.stringify(answer.body).slice(0, 500)).toBe(201);
    expect(answer.body['actions']).toHaveLength(5000);
    const again = await record(video, actions);
    expect(new Set(again.body['actions'].map((action: Json) => action['result']))).toEqual(new Set(['unchanged']));
    expect(again.headers.get('x-library-version')).toBe(answer.headers.get('x-library-version'));
    expect((await service.call('GET', `/v1/media/${video}`)).body['media'].actions_count).toBe(5000);
    expect(tookMs).toBeLessThan(30_000);
    const tooMany = await record(video, [...actions, actions[0]]);
    expectProblem(tooMany, 'validation_failed');
  }, 60_000);
});

describe('upsert by source and reference', () => {
  const event = { type: 'shot', event_ms: 1000, source: 'feed:opta' };

  test('the newer version wins, the same is unchanged, an older one is stale', async () => {
    const video = await createVideo();
    const first = await recorded(video, { ...event, source_ref: 'a', source_version: 2, label: 'two' });
    expect(first).toMatchObject({ result: 'created', version: 1 });
    const send = (version: number | undefined, label: string) =>
      recorded(video, { ...event, source_ref: 'a', source_version: version, label });
    expect(await send(2, 'two')).toMatchObject({ id: first['id'], result: 'unchanged', version: 1 });
    expect(await send(1, 'one')).toMatchObject({ result: 'stale', label: 'two', version: 1 });
    expect(await send(3, 'three')).toMatchObject({ result: 'updated', label: 'three', version: 2 });
    expect(await send(undefined, 'loose')).toMatchObject({ result: 'updated', label: 'loose', source_version: 3 });
    expect(await send(2, 'two')).toMatchObject({ result: 'stale', label: 'loose' });
    const { body } = await service.call('GET', `/v1/action/${first['id']}/history`);
    expect(body['history'].map((one: Json) => [one['version'], one['change'], one['state'].label])).toEqual([
      [1, 'created', 'two'],
      [2, 'updated', 'three'],
      [3, 'updated', 'loose'],
    ]);
  });

  test('states of one event in one call are taken in their order', async () => {
    const video = await createVideo();
    const states = [2, 1, 3].map((version) => ({
      ...event,
      source_ref: 'b',
      source_version: version,
      label: `v${version}`,
    }));
    const { body } = await record(video, states);
    expect(body['actions'].map((action: Json) => action['result'])).toEqual(['created', 'stale', 'updated']);
    expect(await listed(video)).toMatchObject([{ label: 'v3', version: 2 }]);
  });

  test('a deleted event comes back only in a newer version', async () => {
    const video = await createVideo();
    const stated = { ...event, source_ref: 'c', source_version: 4 };
    const { id } = await recorded(video, stated);
    expect((await service.call('DELETE', `/v1/action/${id}`)).status).toBe(204);
    expectProblem(await read(id), 'not_found');
    expect(await listed(video)).toEqual([]);
    const again = await record(video, [stated]);
    expect(again.status).toBe(200);
    expect(again.body).toMatchObject({ actions: [], errors: [{ index: 0, code: 'state_conflict' }] });
    expectProblem(await record(video, stated), 'state_conflict');
    expect(await listed(video)).toEqual([]);
    expect(await recorded(video, { ...stated, source_version: 5 })).toMatchObject({ id, result: 'created' });
    const { body } = await service.call('GET', `/v1/action/${id}/history`);
    expect(body['history'].map((one: Json) => one['change'])).toEqual(['created', 'deleted', 'created']);
  });

  test('through another video of the match it has a given place there', async () => {
    const [main, second] = [await createVideo({ tags: [match] }), await createVideo({ tags: [match] })];
    const { id } = await recorded(main, { ...event, source_ref: 'd', source_version: 1 });
    const there = await recorded(second, { ...event, event_ms: 7000, source_ref: 'd', source_version: 1 });
    expect(there).toMatchObject({ id, media_id: second, event_ms: 7000, result: 'updated' });
    const { body } = await read(id);
    expect(body['action']).toMatchObject({ media_id: main, event_ms: 1000 });
    expect(body['action'].angles).toMatchObject([
      { media_id: main, event_ms: 1000, derived: false },
      { media_id: second, event_ms: 7000, derived: false },
    ]);
    expect(await listed(second)).toMatchObject([{ id, media_id: second, event_ms: 7000 }]);
  });
});

describe('changing an action', () => {
  test('changes what is given, keeps the rest, and counts its version', async () => {
    const video = await createVideo();
    const { id } = await recorded(video, { type: 'goal', start_ms: 100, end_ms: 900, details: { a: 1, b: 2 } });
    const patched = await service.call('PATCH', `/v1/action/${id}`, {
      body: { label: 'late', start_ms: 200, details: { b: null, c: 3 } },
      headers: { 'If-Match': '"v1"' },
    });
    expect(patched.status, JSON.stringify(patched.body)).toBe(200);
    expect(patched.headers.get('etag')).toBe('"v2"');
    expect(patched.body['action']).toMatchObject({
      label: 'late',
      start_ms: 200,
      event_ms: 200,
      end_ms: 900,
      details: { a: 1, c: 3 },
      version: 2,
    });
    const late = await service.call('PATCH', `/v1/action/${id}`, {
      body: { label: 'x' },
      headers: { 'If-Match': '"v1"' },
    });
    expectProblem(late, 'precondition_failed');
    const same = await service.call('PATCH', `/v1/action/${id}`, { body: { label: 'late' } });
    expect(same.headers.get('etag')).toBe('"v2"');
    expectProblem(await service.call('PATCH', `/v1/action/${id}`, { body: { source: 'x' } }), 'validation_failed');
    expectProblem(await service.call('PATCH', '/v1/action/999999', { body: { label: 'x' } }), 'not_found');
  });

  test('a goal that VAR took back is in no list, and in its history', async () => {
    const video = await createVideo();
    const { id } = await recorded(video, { type: 'goal', event_ms: 5000, status: 'draft' });
    await service.call('PATCH', `/v1/action/${id}`, { body: { status: 'confirmed' } });
    expect(await listed(video)).toMatchObject([{ id, status: 'confirmed' }]);
    const body = { status: 'retracted', details: { reason: 'offside, VAR' } };
    expect((await service.call('PATCH', `/v1/action/${id}`, { body })).status).toBe(200);
    expect(await listed(video)).toEqual([]);
    expect(await listed(video, '?status=retracted')).toMatchObject([{ id, status: 'retracted' }]);
    expect((await service.call('GET', `/v1/media/${video}`)).body['media'].actions_count).toBe(0);
    const { body: answer } = await service.call('GET', `/v1/action/${id}/history`);
    expect(
      answer['history'].map((one: Json) => [one['change'], one['state'].status, one['actor'], one['state'].type_key]),
    ).toEqual([
      ['created', 'draft', 'test', 'goal'],
      ['updated', 'confirmed', 'test', 'goal'],
      ['retracted', 'retracted', 'test', 'goal'],
    ]);
    expectProblem(await service.call('GET', '/v1/action/999999/history'), 'not_found');
  });

  test('a deleted action is gone, with If-Match only as it was read', async () => {
    const video = await createVideo();
    const { id } = await recorded(video, { type: 'goal', event_ms: 5000 });
    const stale = await service.call('DELETE', `/v1/action/${id}`, { headers: { 'If-Match': '"v7"' } });
    expectProblem(stale, 'precondition_failed');
    expect((await service.call('DELETE', `/v1/action/${id}`)).status).toBe(204);
    expectProblem(await service.call('DELETE', `/v1/action/${id}`), 'not_found');
  });
});

describe('the list of a video', () => {
  test('is in order of start and goes on by cursor', async () => {
    const video = await createVideo();
    await record(
      video,
      [300, 100, 200, 100].map((event_ms) => ({ type: 'pass', event_ms })),
    );
    const first = await service.call('GET', `/v1/media/${video}/action?limit=3`);
    expect(first.body['actions'].map((action: Json) => action['start_ms'])).toEqual([100, 100, 200]);
    expect(first.body['total']).toBe(4);
    const next = await service.call('GET', `/v1/media/${video}/action?limit=3&cursor=${first.body['next_cursor']}`);
    expect(next.body['actions'].map((action: Json) => action['start_ms'])).toEqual([300]);
    expect(next.body['next_cursor']).toBeNull();
    expectProblem(await service.call('GET', `/v1/media/${video}/action?status=cancelled`), 'validation_failed');
    expectProblem(await service.call('GET', '/v1/media/999999/action'), 'not_found');
    const other = await createVideo();
    const foreign = await service.call('GET', `/v1/media/${other}/action?cursor=${first.body['next_cursor']}`);
    expectProblem(foreign, 'cursor_invalid');
  });

  test('a search shows how many there are now', async () => {
    const video = await createVideo();
    const found = () => searchMedia(service, { media_type: 'video', sort: '-created_at', limit: 1 });
    expect((await found())['media']).toMatchObject([{ id: video, actions_count: 0 }]);
    const { id } = await recorded(video, { type: 'goal', event_ms: 1 });
    expect((await found())['media']).toMatchObject([{ id: video, actions_count: 1 }]);
    await service.call('DELETE', `/v1/action/${id}`);
    expect((await found())['media']).toMatchObject([{ id: video, actions_count: 0 }]);
  });
});

describe('timecode', () => {
  test.each([
    ['25', [25, 1], '10:00:00:00', '10:00:12:12', 12_480],
    ['29.97 drop frame', [30_000, 1001], '01:00:00;00', '01:10:00;00', 600_000],
    ['29.97 without drop frame', [30_000, 1001], '01:00:00:00', '01:10:00:00', 600_600],
    ['59.94 drop frame', [60_000, 1001], '00:00:00;00', '00:01:00;04', 60_060],
    ['23.976', [24_000, 1001], '00:00:00:00', '00:00:10:00', 10_010],
  ] as const)('at %s becomes a position and comes back', async (_name, rate, startTimecode, startTc, startMs) => {
    const video = await createVideo({ rate, startTimecode });
    const action = await recorded(video, { type: 'goal', start_tc: startTc });
    expect(action).toMatchObject({ start_ms: startMs, start_tc: startTc, end_tc: startTc });
    expect(action['frame_rate'].drop_frame).toBe(startTc.includes(';'));
  });

  test('the start timecode of the timeline stands above that of the file', async () => {
    const video = await createVideo({ startTimecode: '10:00:00:00' });
    const timeline = { start_tc: '20:00:00:00' };
    expect((await service.call('PATCH', `/v1/media/${video}`, { body: { timeline } })).status).toBe(200);
    expect(await recorded(video, { type: 'goal', start_tc: '20:00:01:00' })).toMatchObject({ start_ms: 1000 });
    const wrong = await service.call('PATCH', `/v1/media/${video}`, {
      body: { timeline: { start_tc: '20:00:00:29' } },
    });
    expect(pointersOf(wrong)).toEqual(['/timeline/start_tc']);
  });
});
