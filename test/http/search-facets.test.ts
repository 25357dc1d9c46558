import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Json, startApp, type TestApp } from '../support/app.ts';
import { createTag, pointersOf, searchMedia } from '../support/library.ts';
import { insertAssets } from '../support/search-library.ts';

let service: TestApp;
let ann: number;
let bea: number;
let club: number;
let mood: number;
let album: number;
beforeAll(async () => {
  service = await startApp();
  ann = await createTag(service, { type: 'player', label: 'Ann' });
  bea = await createTag(service, { type: 'player', label: 'Bea' });
  club = await createTag(service, { type: 'club', label: 'Rovers' });
  mood = await createTag(service, { type: 'tag', label: 'Joy', category: 'mood' });
  album = (await service.call('POST', '/v1/collection', { body: { name: 'Album' } })).body['collection'].id;
  await insertAssets(service, [
    { tags: [ann, club], collections: [album], rating: 5, orientation: 'portrait', capturedAt: '2026-03-14T23:59:59Z' },
    {
      tags: [ann, bea, club, mood],
      rating: 5,
      peopleCount: 2,
      orientation: 'landscape',
      capturedAt: '2026-03-15T00:00:00Z',
    },
    { tags: [bea], rating: 3, mediaType: 'video', orientation: 'landscape', capturedAt: '2026-02-28T12:00:00Z' },
    { tags: [ann], collections: [album], usage: 'limited', capturedAt: '2025-12-31T10:00:00Z' },
    { tags: [ann], status: 'archived', rating: 1 },
    { tags: [ann], status: 'deleted', rating: 1 },
  ]);
});
afterAll(() => service.close());

const facets = async (list: unknown[], filter: object = {}): Promise<Json> =>
  (await searchMedia(service, { ...filter, facets: list, limit: 0 }))['facets'];

describe('a facet', () => {
  test('of tag options counts them by type, with their labels, the most frequent first', async () => {
    expect(await facets(['player', 'club', 'tag', 'tag_options'])).toEqual({
      player: [
        { id: ann, type: 'player', label: 'Ann', count: 3 },
        { id: bea, type: 'player', label: 'Bea', count: 2 },
      ],
      club: [{ id: club, type: 'club', label: 'Rovers', count: 2 }],
      tag: [{ id: mood, type: 'tag', label: 'Joy', count: 1 }],
      tag_options: [
        { id: ann, type: 'player', label: 'Ann', count: 3 },
        { id: bea, type: 'player', label: 'Bea', count: 2 },
        { id: club, type: 'club', label: 'Rovers', count: 2 },
        { id: mood, type: 'tag', label: 'Joy', count: 1 },
      ],
    });
  });

  test('of collections and values counts those, and nothing without one', async () => {
    expect(
      await facets(['collection', 'media_type', 'rating', 'people_count', 'usage', 'orientation', 'status', 'match']),
    ).toEqual({
      collection: [{ id: album, label: 'Album', count: 2 }],
      media_type: [
        { value: 'photo', count: 3 },
        { value: 'video', count: 1 },
      ],
      rating: [
        { value: 5, count: 2 },
        { value: 3, count: 1 },
      ],
      people_count: [
        { value: 0, count: 3 },
        { value: 2, count: 1 },
      ],
      usage: [
        { value: 'approved', count: 3 },
        { value: 'limited', count: 1 },
      ],
      orientation: [
        { value: 'landscape', count: 2 },
        { value: 'portrait', count: 1 },
      ],
      status: [{ value: 'ready', count: 4 }],
      match: [],
    });
  });

  test.each([
    ['day', ['2025-12-31', '2026-02-28', '2026-03-14', '2026-03-15'], [1, 1, 1, 1]],
    ['week', ['2025-12-29', '2026-02-23', '2026-03-09'], [1, 1, 2]],
    ['month', ['2025-12-01', '2026-02-01', '2026-03-01'], [1, 1, 2]],
    ['year', ['2025-01-01', '2026-01-01'], [1, 3]],
  ])('of a time counts by %s in UTC, in order', async (interval, days, counts) => {
    const expected = days.map((day, at) => ({ value: `${day}T00:00:00.000Z`, count: counts[at] }));
    expect(await facets([{ field: 'captured_at', interval }])).toEqual({ captured_at: expected });
    expect(await facets([{ field: 'captured_at', interval, limit: 1 }])).toEqual({ captured_at: expected.slice(-1) });
    if (interval === 'month') expect(await facets(['captured_at'])).toEqual({ captured_at: expected });
  });

  test('counts what the filter finds, whatever the page, and at most its limit', async () => {
    const found = await searchMedia(service, {
      rating: 5,
      facets: [{ field: 'player', limit: 1 }, 'rating'],
      limit: 1,
    });
    expect(found['total']).toBe(2);
    expect(found['media']).toHaveLength(1);
    expect(found['facets']).toEqual({
      player: [{ id: ann, type: 'player', label: 'Ann', count: 2 }],
      rating: [{ value: 5, count: 2 }],
    });
    const next = await searchMedia(service, { rating: 5, facets: ['rating'], limit: 1, cursor: found['next_cursor'] });
    expect(next['facets']).toEqual({ rating: [{ value: 5, count: 2 }] });
  });

  test('that is disjunctive counts as if nothing were chosen in its field, at the root and within all', async () => {
    const both = [
      { id: ann, type: 'player', label: 'Ann', count: 3 },
      { id: bea, type: 'player', label: 'Bea', count: 2 },
    ];
    const disjunctive = [{ field: 'player', disjunctive: true }];
    for (const filter of [
      { player: bea },
      { all: [{ player: bea }] },
      { all: [{ all: [{ player: bea }] }], player: { none: [ann] } },
    ]) {
      expect(await facets(disjunctive, filter), JSON.stringify(filter)).toEqual({ player: both });
    }
    expect(await facets(['player'], { player: bea })).toMatchObject({
      player: [
        { id: bea, count: 2 },
        { id: ann, count: 1 },
      ],
    });
    // Other tests, and tests inside any and none, still hold.
    const only = [{ id: bea, type: 'player', label: 'Bea', count: 1 }];
    expect(await facets(disjunctive, { player: ann, media_type: 'video' })).toEqual({ player: only });
    expect(await facets(disjunctive, { none: [{ player: ann }] })).toEqual({ player: only });
    expect(await facets([{ field: 'tag', disjunctive: true }], { tag_options: [ann, club] })).toMatchObject({
      tag: [{ id: mood }],
    });
    expect(await facets([{ field: 'rating', disjunctive: true }], { rating: 3 })).toMatchObject({
      rating: [{ value: 5 }, { value: 3 }],
    });
  });

  test('of the status, when it is disjunctive, counts what the search may see', async () => {
    const status = [{ field: 'status', disjunctive: true }];
    const ready = { value: 'ready', count: 4 };
    const archived = { value: 'archived', count: 1 };
    expect(await facets(status)).toEqual({ status: [ready] });
    expect(await facets(status, { status: 'archived' })).toEqual({ status: [ready, archived] });
    expect(await facets(status, { status: 'deleted' })).toEqual({
      status: [ready, archived, { value: 'deleted', count: 1 }],
    });
  });
});

test('facets come in the order of the request', async () => {
  expect(Object.keys(await facets(['rating', 'club', 'player']))).toEqual(['rating', 'club', 'player']);
  expect(await facets([])).toEqual({});
});

test('facets sit beside a page as well as beside a total alone', async () => {
  const { media, total, facets: answered } = await searchMedia(service, { facets: ['media_type'], player: bea });
  expect(media).toHaveLength(2);
  expect(total).toBe(2);
  expect(answered['media_type'].map(({ count }: Json) => count)).toEqual([1, 1]);
});

test.each<[unknown[], string, string]>([
  [['shoe_size'], '/facets/0', 'player, club'],
  [[{ field: 'shoe_size' }], '/facets/0/field', 'player, club'],
  [['player', 'player'], '/facets/1', 'player again'],
  [['player', { field: 'player', limit: 3 }], '/facets/1', 'player again'],
  [[{ field: 'player', limit: 0 }], '/facets/0/limit', 'at least 1'],
  [[{ field: 'player', limit: 1001 }], '/facets/0/limit', 'at most 1000'],
  [[{ field: 'player', interval: 'day' }], '/facets/0/interval', 'captured_at'],
  [[{ field: 'captured_at', interval: 'decade' }], '/facets/0/interval', 'day, week, month, year'],
  [[{ field: 'player', disjunctive: 'yes' }], '/facets/0/disjunctive', 'true or false'],
  [[{ limit: 3 }], '/facets/0/field', 'expected a value'],
  [[7], '/facets/0', 'player, club'],
  [Array.from({ length: 21 }, () => 'player'), '/facets', 'at most 20'],
])('facets %j are refused by their place', async (list, pointer, words) => {
  const answer = await service.call('POST', '/v1/media/search', { body: { facets: list } });
  expect(answer.status, JSON.stringify(answer.body)).toBe(400);
  expect(pointersOf(answer)).toEqual([pointer]);
  expect(answer.body['detail']).toContain(words);
});

test('labels of another organization are never looked up', async () => {
  const key = await service.createKey({ organizationId: await service.createOrganization('rivals') });
  const answer = await service.call('POST', '/v1/media/search', { key, body: { facets: ['player', 'collection'] } });
  expect(answer.body).toMatchObject({ total: 0, facets: { player: [], collection: [] } });
});
