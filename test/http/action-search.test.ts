import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Answer, type Json, startApp, type TestApp } from '../support/app.ts';
import { createTag, idsOf, pointersOf, searchMedia } from '../support/library.ts';
import { insertAssets } from '../support/search-library.ts';

/** The second half of a derby: two cameras, a goal by number 10, and what else happened. */
let service: TestApp;
let main: number;
let behind: number;
let training: number;
let photo: number;
const tags: Record<string, number> = {};

const MINUTE_MS = 60_000;

async function record(media: number, actions: readonly object[]): Promise<Json[]> {
  const answer = await service.call('POST', `/v1/media/${media}/action`, { body: actions });
  expect(answer.body['errors'] ?? [], JSON.stringify(answer.body)).toEqual([]);
  return answer.body['actions'];
}

async function searchActions(body: object): Promise<Json> {
  const answer = await service.call('POST', '/v1/action/search', { body });
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return answer.body;
}

const refused = (body: object): Promise<Answer> => service.call('POST', '/v1/action/search', { body });
const labelsOf = (found: Json): string[] => found['actions'].map((action: Json) => action['label']);

beforeAll(async () => {
  service = await startApp();
  tags['home'] = await createTag(service, { type: 'club', label: 'Rovers' });
  tags['away'] = await createTag(service, { type: 'club', label: 'Wanderers' });
  tags['ten'] = await createTag(service, {
    type: 'player',
    label: 'Ana Díaz',
    relations: { clubs: [{ club: tags['home'], shirt_number: 10 }] },
  });
  tags['keeper'] = await createTag(service, { type: 'player', label: 'Keeper' });
  tags['nine'] = await createTag(service, { type: 'player', label: 'Nine' });
  tags['competition'] = await createTag(service, { type: 'competition', label: 'Cup' });
  tags['derby'] = await createTag(service, {
    type: 'match',
    label: 'Derby',
    relations: { home: tags['home'], away: tags['away'], competition: tags['competition'] },
  });
  tags['mood'] = await createTag(service, { type: 'tag', category: 'mood', label: 'joy' });
  const video = { mediaType: 'video', durationMs: 60 * MINUTE_MS, tags: [tags['derby']] } as const;
  [main = 0, behind = 0, training = 0, photo = 0] = await insertAssets(service, [
    { ...video, name: 'main.mp4' },
    { ...video, name: 'behind.mp4' },
    { mediaType: 'video', durationMs: MINUTE_MS, name: 'training.mp4' },
    { name: 'photo.jpg', tags: [tags['derby']] },
  ]);
  // The first camera began with the second half, the other one minute before.
  for (const [id, angle, startMs] of [[main, 'main', 0] as const, [behind, 'behind goal', MINUTE_MS] as const]) {
    const timeline = { angle, periods: [{ period: 2, start_ms: startMs }] };
    const answer = await service.call('PATCH', `/v1/media/${id}`, { body: { timeline } });
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  }
  const secondHalf = (minute: number) => ({ period: 2, clock_ms: minute * MINUTE_MS });
  await record(main, [
    {
      type: 'goal',
      label: 'late winner',
      ...secondHalf(82),
      clubs: [{ id: tags['home'], side: 'home' }],
      players: [
        { id: tags['ten'], role: 'scorer', shirt: 10 },
        { id: tags['keeper'], role: 'goalkeeper' },
      ],
      outcome: 'scored',
      source: 'feed:opta',
      source_ref: '1',
    },
    { type: 'goal', label: 'early', ...secondHalf(50), players: [{ id: tags['nine'], role: 'scorer' }] },
    {
      type: 'goal',
      label: 'assisted',
      ...secondHalf(93),
      players: [
        { id: tags['nine'], role: 'scorer' },
        { id: tags['ten'], role: 'assist' },
      ],
    },
    { type: 'yellow_card', label: 'card', ...secondHalf(85), players: [{ id: tags['ten'], role: 'carded' }] },
    {
      type: 'goal',
      label: 'offside',
      ...secondHalf(88),
      players: [{ id: tags['ten'], role: 'scorer' }],
      status: 'retracted',
    },
  ]);
  await record(training, [
    {
      type: 'goal',
      label: 'in training',
      start_ms: 1000,
      end_ms: 3000,
      players: [{ id: tags['ten'], role: 'scorer' }],
    },
    { type: 'shot', label: 'shot', start_ms: 500, end_ms: 900, confidence: 0.9 },
  ]);
});
afterAll(() => service.close());

describe('a search over actions', () => {
  test('finds the goal by number 10 in the derby after minute 80 as the second camera shows it', async () => {
    const filter = { type: 'goal', player: tags['ten'], role: 'scorer', match: tags['derby'], minute: { gte: 80 } };
    const own = await searchActions(filter);
    expect(own).toMatchObject({ total: 1, next_cursor: null });
    expect(own['actions'][0]).toMatchObject({
      media_id: main,
      label: 'late winner',
      type_key: 'goal',
      minute: 83,
      event_ms: 37 * MINUTE_MS,
      players: [
        { id: tags['ten'], label: 'Ana Díaz', role: 'scorer', shirt: 10 },
        { id: tags['keeper'], role: 'goalkeeper' },
      ],
    });
    const second = await searchActions({ ...filter, angle: 'behind goal' });
    expect(second['total']).toBe(1);
    expect(second['actions'][0]).toMatchObject({
      id: own['actions'][0]['id'],
      media_id: behind,
      label: 'late winner',
      event_ms: 38 * MINUTE_MS,
    });
  });

  test('answers each action once, and in every video when media_id or angle is tested', async () => {
    expect((await searchActions({ match: tags['derby'] }))['total']).toBe(4);
    expect((await searchActions({ match: tags['derby'], media_id: [main, behind] }))['total']).toBe(8);
    expect((await searchActions({ match: tags['derby'], media_id: behind }))['total']).toBe(4);
    expect((await searchActions({ match: tags['derby'], angle: { exists: true } }))['total']).toBe(8);
  });

  test('a role beside a player is the role of that player; by itself that of any player', async () => {
    const search = async (body: object) => labelsOf(await searchActions({ type: 'goal', sort: 'clock_ms', ...body }));
    expect(await search({ player: tags['ten'], role: 'scorer' })).toEqual(['late winner', 'in training']);
    expect(await search({ player: tags['ten'], role: 'assist' })).toEqual(['assisted']);
    expect(await search({ player: tags['ten'], role: ['scorer', 'assist'] })).toEqual([
      'late winner',
      'assisted',
      'in training',
    ]);
    expect(await search({ player: { none: [tags['ten']] }, role: 'scorer' })).toEqual(['early', 'assisted']);
    expect(await search({ role: 'goalkeeper' })).toEqual(['late winner']);
    expect(await search({ role: { ne: 'scorer' } })).toEqual([]);
    expect(await search({ all: [{ player: tags['ten'] }, { role: 'scorer' }] })).toEqual([
      'late winner',
      'assisted',
      'in training',
    ]);
  });

  test('a minute is that of the broadcast: 90 finds 90+4, whose stoppage is 4', async () => {
    const found = await searchActions({ type: 'goal', minute: { gte: 80, lte: 90 }, sort: '-clock_ms' });
    expect(labelsOf(found)).toEqual(['assisted', 'late winner']);
    expect(found['actions'][0]).toMatchObject({ minute: 90, stoppage: 4 });
    expect(labelsOf(await searchActions({ minute: 90, stoppage: { gte: 4 } }))).toEqual(['assisted']);
  });

  test('retracted actions are found only when status is tested', async () => {
    expect((await searchActions({ player: tags['ten'], match: tags['derby'] }))['total']).toBe(3);
    expect(labelsOf(await searchActions({ status: 'retracted' }))).toEqual(['offside']);
    expect((await searchActions({ none: [{ status: 'draft' }], match: tags['derby'] }))['total']).toBe(5);
  });

  test('types are given by ID, key or name, several are any of them', async () => {
    const [{ type }] = (await searchActions({ type: 'shot' }))['actions'];
    expect((await searchActions({ type }))['total']).toBe(1);
    expect((await searchActions({ type: [type, 'yellow_card'] }))['total']).toBe(2);
    expect((await searchActions({ type: 'Yellow card' }))['total']).toBe(1);
    expect((await searchActions({ type: { none: ['goal', type] } }))['total']).toBe(1);
    // Built in, and never used here.
    expect((await searchActions({ type: 'corner' }))['total']).toBe(0);
    expect((await searchActions({ type: { none: ['corner'] } }))['total']).toBe(6);
  });

  test('words are those of the action and of its tag options, with their typing errors', async () => {
    expect(labelsOf(await searchActions({ text: '"late winner"' }))).toEqual(['late winner']);
    expect(labelsOf(await searchActions({ text: 'winer' }))).toEqual(['late winner']);
    expect((await searchActions({ text: 'diaz -card', sort: 'relevance' }))['total']).toBe(3);
    // A word of an asset only.
    expect((await searchActions({ text: '"main mp4"' }))['total']).toBe(0);
  });

  test('the assets are filtered by media, which may ask for actions itself', async () => {
    const search = async (media: object) => (await searchActions({ type: 'goal', media }))['total'];
    expect(await search({ match: tags['derby'] })).toBe(3);
    expect(await search({ none: [{ match: tags['derby'] }] })).toBe(1);
    expect(await search({ action: { type: 'shot' } })).toBe(1);
    expect(await search({ status: 'archived' })).toBe(0);
  });

  test('pages follow each other by cursor and by number', async () => {
    const all = labelsOf(await searchActions({ sort: 'clock_ms' }));
    expect(all).toHaveLength(6);
    const seen: string[] = [];
    let cursor: string | null = null;
    do {
      const page: Json = await searchActions({ sort: 'clock_ms', limit: 4, ...(cursor && { cursor }) });
      expect(page['total']).toBe(6);
      seen.push(...labelsOf(page));
      cursor = page['next_cursor'];
    } while (cursor !== null);
    expect(seen).toEqual(all);
    expect(labelsOf(await searchActions({ sort: 'clock_ms', limit: 4, page: 2 }))).toEqual(all.slice(4));
    const first = await searchActions({ sort: 'clock_ms', limit: 1 });
    const other = await refused({ sort: '-clock_ms', limit: 1, cursor: first['next_cursor'] });
    expect(other.body).toMatchObject({ status: 400, code: 'cursor_invalid' });
  });

  test('include: media answers the assets of the page beside its actions, each once', async () => {
    const found = await searchActions({ sort: 'clock_ms', include: ['media'] });
    expect(idsOf(found)).toEqual([main, training]);
    expect(found['media'][0]).toMatchObject({ name: 'main.mp4', actions_count: 4, timeline: { angle: 'main' } });
    expect(await searchActions({ sort: 'clock_ms' })).not.toHaveProperty('media');
  });

  test('facets count actions, disjunctive ones as if nothing was chosen in their field', async () => {
    const found = await searchActions({
      type: 'goal',
      player: tags['ten'],
      role: 'scorer',
      limit: 0,
      facets: [
        { field: 'type', disjunctive: true },
        { field: 'player', disjunctive: true, limit: 2 },
        { field: 'role', disjunctive: true },
        'competition',
        'minute',
        'source',
      ],
    });
    expect(found).toMatchObject({
      total: 2,
      actions: [],
      facets: {
        type: [{ label: 'Goal', count: 2 }],
        player: [
          { id: tags['ten'], label: 'Ana Díaz', count: 3 },
          { id: tags['nine'], count: 2 },
        ],
        role: [
          { value: 'scorer', count: 3 },
          { value: 'assist', count: 1 },
          { value: 'goalkeeper', count: 1 },
        ],
        competition: [{ id: tags['competition'], label: 'Cup', count: 1 }],
        minute: [{ value: 83, count: 1 }],
        source: [
          { value: 'feed:opta', count: 1 },
          { value: 'manual', count: 1 },
        ],
      },
    });
    expect(
      (await searchActions({ status: ['confirmed'], facets: [{ field: 'status', disjunctive: true }] }))['facets'],
    ).toEqual({
      status: [
        { value: 'confirmed', count: 6 },
        { value: 'retracted', count: 1 },
      ],
    });
  });

  test('what it cannot read is refused with its place', async () => {
    const player = tags['ten'];
    const cases: readonly (readonly [object, string, string])[] = [
      [{ type: 'gaol' }, 'unknown_tag_option', '/type'],
      [{ all: [{ type: { any: ['gaol'] } }] }, 'unknown_tag_option', '/all/0/type/any'],
      [{ type: tags['mood'] }, 'validation_failed', '/type'],
      [{ type: player }, 'validation_failed', '/type'],
      [{ club: player }, 'validation_failed', '/club'],
      [{ player: 2 ** 50 }, 'unknown_tag_option', '/player'],
      [{ media: { player: 2 ** 50 } }, 'unknown_tag_option', '/media/player'],
      [{ media: { collection: 2 ** 50 } }, 'unknown_collection', '/media/collection'],
      [{ player, role: { ne: 'scorer' } }, 'validation_failed', '/role/ne'],
      [{ minute: 'late' }, 'validation_failed', '/minute'],
      [{ outcome: { gt: 'a' } }, 'validation_failed', '/outcome/gt'],
      [{ created_at: '2026-02-30' }, 'validation_failed', '/created_at'],
      [{ text: '...' }, 'validation_failed', '/text'],
      [{ sort: 'name' }, 'validation_failed', '/sort'],
      [{ name: 'x' }, 'validation_failed', '/name'],
      [{ facets: ['goal'] }, 'validation_failed', '/facets/0'],
      [{ facets: ['type', 'type'] }, 'validation_failed', '/facets/1'],
      [{ cursor: 'a', page: 1 }, 'validation_failed', '/page'],
    ];
    for (const [body, code, pointer] of cases) {
      const answer = await refused(body);
      expect({ body, status: answer.status, code: answer.body['code'] }).toEqual({ body, status: 400, code });
      expect(pointersOf(answer), JSON.stringify(body)).toContain(pointer);
    }
    const deep = { any: [{ any: [{ any: [{ any: [{ any: [{ any: [{ any: [{ minute: 1 }] }] }] }] }] }] }] };
    expect((await refused(deep)).body['errors'][0]).toMatchObject({ code: 'too_deep' });
    const many = { any: Array.from({ length: 150 }, (_, minute) => ({ minute })) };
    expect((await refused(many)).status).toBe(200);
    expect(
      (await refused({ ...many, media: many.any && { any: many.any.map(({ minute }) => ({ rating: minute % 6 })) } }))
        .body,
    ).toMatchObject({ status: 400, errors: [{ code: 'too_many_tests' }] });
  });

  test('a write is found by the next search', async () => {
    const [added] = await record(training, [{ type: 'save', label: 'at once', start_ms: 20_000 }]);
    expect(labelsOf(await searchActions({ type: 'save' }))).toEqual(['at once']);
    expect((await searchMedia(service, { action: { type: 'save' } }))['total']).toBe(1);
    expect((await service.call('DELETE', `/v1/action/${added?.['id']}`)).status).toBe(204);
    expect((await searchActions({ type: 'save' }))['total']).toBe(0);
    expect((await searchMedia(service, { action: { type: 'save' } }))['total']).toBe(0);
  });
});

test('actions of another organization are neither found nor counted', async () => {
  const key = await service.createKey({ organizationId: await service.createOrganization('second') });
  const search = (path: string, body: object) => service.call('POST', path, { key, body });
  const facets = ['type', 'player', 'status', 'source'];
  for (const body of [{}, { media_id: main }, { type: 'goal' }, { text: 'winner' }, { none: [{ status: 'draft' }] }]) {
    const { status, body: found } = await search('/v1/action/search', { ...body, facets });
    expect(status, JSON.stringify(found)).toBe(200);
    expect(found).toMatchObject({ total: 0, actions: [], facets: { type: [], player: [], status: [], source: [] } });
  }
  expect((await search('/v1/action/search', { player: tags['ten'] })).body['code']).toBe('unknown_tag_option');
  expect((await search('/v1/media/search', { action: {} })).body).toMatchObject({ total: 0 });
});

describe('a search over assets by their actions', () => {
  test('all members must hold on one action', async () => {
    const search = async (action: object) => idsOf(await searchMedia(service, { action, sort: 'name' }));
    expect(await search({ type: 'goal', player: tags['ten'], role: 'scorer', minute: { gte: 80 } })).toEqual([
      behind,
      main,
    ]);
    expect(await search({ type: 'yellow_card', player: tags['nine'] })).toEqual([]);
    expect(await search({ media_id: main })).toEqual([main]);
    expect(await search({})).toEqual([behind, main, training]);
  });

  test('none leaves out assets with such an action, any takes either', async () => {
    const search = async (body: object) => idsOf(await searchMedia(service, { ...body, sort: 'name' }));
    expect(await search({ none: [{ action: { type: 'yellow_card' } }] })).toEqual([photo, training]);
    expect(await search({ any: [{ action: { type: 'shot' } }, { media_type: 'photo' }] })).toEqual([photo, training]);
  });

  test('each hit shows the actions that matched, by start, with their in and out points', async () => {
    const { media } = await searchMedia(service, {
      any: [{ action: { type: 'goal', minute: { gte: 80 } } }, { action: { type: 'shot' } }],
      none: [{ action: { type: 'save' } }],
      sort: 'name',
    });
    const shown = media.map((hit: Json) => hit['matched_actions'].map((action: Json) => action['label']));
    expect(shown).toEqual([['late winner', 'assisted'], ['late winner', 'assisted'], ['shot']]);
    expect(media.map((hit: Json) => hit['matched_actions_total'])).toEqual([2, 2, 1]);
    const eventMs = 38 * MINUTE_MS;
    expect(media[0]['matched_actions'][0]).toEqual({
      id: expect.any(Number),
      type: expect.any(Number),
      type_key: 'goal',
      label: 'late winner',
      start_ms: eventMs,
      end_ms: eventMs,
      event_ms: eventMs,
      in_ms: eventMs - 10_000,
      out_ms: eventMs + 15_000,
      start_tc: null,
      end_tc: null,
      minute: 83,
      stoppage: null,
      period: 2,
      players: [
        { id: tags['ten'], label: 'Ana Díaz', role: 'scorer', shirt: 10 },
        { id: tags['keeper'], label: 'Keeper', role: 'goalkeeper', shirt: null },
      ],
      clubs: [{ id: tags['home'], label: 'Rovers', side: 'home' }],
      outcome: 'scored',
      status: 'confirmed',
      play_url: null,
    });
    const without = await searchMedia(service, { none: [{ action: { type: 'save' } }] });
    expect(without['media'][0]).not.toHaveProperty('matched_actions');
  });

  test('include: actions shows every action that is not retracted', async () => {
    const { media } = await searchMedia(service, { include: ['actions'], sort: 'name', highlight: true, text: 'mp4' });
    expect(media.map((hit: Json) => hit['actions'].length)).toEqual([4, 4, 2]);
    expect(media.map((hit: Json) => hit['actions_count'])).toEqual([4, 4, 2]);
    expect(media[0]).not.toHaveProperty('matched_actions');
    const { media: photos } = await searchMedia(service, { media_type: 'photo', include: ['actions', 'details'] });
    expect(photos[0]).toMatchObject({ id: photo, actions: [], details: {} });
  });

  test('at most 100 actions of an asset are shown, and counted all the same', async () => {
    const [long = 0] = await insertAssets(service, [{ mediaType: 'video', durationMs: MINUTE_MS, name: 'long.mp4' }]);
    await record(
      long,
      Array.from({ length: 130 }, (_, n) => ({ type: 'pass', label: `pass ${n}`, start_ms: 10 * n })),
    );
    const { media } = await searchMedia(service, { action: { type: 'pass' } });
    expect(media).toHaveLength(1);
    expect(media[0]['matched_actions_total']).toBe(130);
    expect(media[0]['matched_actions'].map((action: Json) => action['label'])).toEqual(
      Array.from({ length: 100 }, (_, n) => `pass ${n}`),
    );
    await service.call('DELETE', `/v1/media/${long}`);
  });

  test('assets are ordered by their earliest action that matched', async () => {
    const sorted = async (sort: string, body: object = {}) =>
      idsOf(await searchMedia(service, { action: { type: 'goal' }, sort, ...body }));
    expect(await sorted('action.start_ms')).toEqual([training, main, behind]);
    expect(await sorted('-action.start_ms')).toEqual([behind, main, training]);
    const refusal = await service.call('POST', '/v1/media/search', {
      body: { none: [{ action: { type: 'goal' } }], sort: 'action.start_ms' },
    });
    expect(refusal.body).toMatchObject({ status: 400, errors: [{ pointer: '/sort' }] });
  });

  test('facets count assets by type of action and by player in one', async () => {
    const { facets } = await searchMedia(service, {
      action: { type: 'goal', minute: { gte: 80 } },
      limit: 0,
      facets: ['action.type', { field: 'action.player', limit: 2 }],
    });
    expect(facets['action.type']).toMatchObject([{ label: 'Goal', count: 2 }]);
    expect(facets['action.player']).toMatchObject([
      { id: tags['ten'], label: 'Ana Díaz', count: 2 },
      { id: tags['keeper'], count: 2 },
    ]);
    const disjunctive = await searchMedia(service, {
      action: { type: 'goal', minute: { gte: 80 } },
      limit: 0,
      facets: [{ field: 'action.type', disjunctive: true }],
    });
    expect(disjunctive['facets']['action.type']).toMatchObject([
      { label: 'Goal', count: 2 },
      { label: 'Yellow card', count: 2 },
    ]);
    const everything = await searchMedia(service, { limit: 0, facets: ['action.type'] });
    expect(everything['facets']['action.type']).toMatchObject([
      { label: 'Goal', count: 3 },
      { label: 'Yellow card', count: 2 },
      { label: 'Shot', count: 1 },
    ]);
  });

  test('a saved search keeps what it asks of actions', async () => {
    const request = { action: { type: 'goal', player: tags['nine'], role: 'scorer' }, sort: 'action.start_ms' };
    const saved = await service.call('POST', '/v1/saved-search', { body: { name: 'goals', request } });
    expect(saved.status, JSON.stringify(saved.body)).toBe(201);
    const { id } = saved.body['saved_search'];
    const found = await service.call('POST', `/v1/saved-search/${id}/search`, { body: {} });
    expect(idsOf(found.body)).toEqual([main, behind]);
    expect(found.body['media'][0]['matched_actions']).toHaveLength(2);
    const wrong = await service.call('PATCH', `/v1/saved-search/${id}`, {
      body: { request: { action: { type: 'gaol' } } },
    });
    expect(wrong.body).toMatchObject({ status: 400, errors: [{ pointer: '/request/action/type' }] });
  });
});
