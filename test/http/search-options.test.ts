import { sql } from 'kysely';
import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { type Json, startApp, type TestApp } from '../support/app.ts';
import { createTag, idsOf, plainPhoto, pointersOf, searchMedia, uploadMedia } from '../support/library.ts';
import { insertAssets } from '../support/search-library.ts';

let service: TestApp;
let player: number;
let goal: Json;
let limited: Json;
beforeAll(async () => {
  service = await startApp();
  player = await createTag(service, {
    type: 'player',
    label: 'Šeško',
    full_name: 'Benjamin Šeško',
    aliases: ['Benji'],
  });
  goal = await uploadMedia(service, await plainPhoto(1, { width: 800, height: 600 }), {
    name: 'goal <one>.jpg',
    metadata: {
      tag_options: [player],
      details: {
        caption: `${'A long way to go. '.repeat(20)}Then the winning goal by Sesko & friends.${' And home.'.repeat(30)}`,
        keywords: ['Corner', 'Late goal', 'celebration'],
        camera: { make: 'Pinhole', model: 'P1' },
        gps: { lat: 46.05, lon: 14.5 },
      },
    },
  });
  limited = await uploadMedia(service, await plainPhoto(2), {
    metadata: { usage: 'limited', details: { title: 'Training' } },
  });
});
afterAll(() => service.close());

const refused = async (body: object, headers: Record<string, string> = {}) => {
  const answer = await service.call('POST', '/v1/media/search', { body, headers });
  expect(answer.status, JSON.stringify(answer.body)).toBe(400);
  return answer;
};
const hit = (found: Json, id: number): Json => found['media'].find((media: Json) => media['id'] === id);

describe('images', () => {
  test('are ready URLs that open, signed where the asset is not public', async () => {
    const found = await searchMedia(service, {
      images: [
        { name: 'card', w: 60, h: 82, f: 'faces,center' },
        { name: 'wide', w: '120', fmt: 'webp' },
      ],
    });
    const { url, square, card, wide } = hit(found, goal['id'])['images'];
    expect(card).toBe(`${url}?w=60&h=82&f=faces,center`);
    expect(wide).toBe(`${url}?w=120&fmt=webp`);
    expect(square).toBe(goal['images'].square);
    const hidden = hit(found, limited['id'])['images'].card;
    expect(hidden).toMatch(/[?&]s=/);
    for (const one of [card, wide, hidden]) expect((await fetch(one)).status, one).toBe(200);
    expect((await fetch(hidden.replace('w=60', 'w=61'))).status).toBe(403);
  });

  test('are null where there is no picture', async () => {
    const [id = 0] = await insertAssets(service, [{ name: 'no picture', status: 'failed' }]);
    const found = await searchMedia(service, { status: 'failed', images: [{ name: 'card', w: 60 }] });
    expect(hit(found, id)['images']).toBeNull();
  });

  test.each<[object[], string]>([
    [[{ name: 'card', w: 9000 }], '/images/0/w'],
    [
      [
        { name: 'card', w: 600 },
        { name: 'wide', w: 600, f: 'nose' },
      ],
      '/images/1/f',
    ],
    [[{ name: 'card', w: 600, colour: 'red' }], '/images/0/colour'],
    [
      [
        { name: 'card', w: 600 },
        { name: 'card', w: 700 },
      ],
      '/images/1/name',
    ],
    [[{ name: 'square', w: 600 }], '/images/0/name'],
    [[{ name: 'A card', w: 600 }], '/images/0/name'],
    [[{ w: 600 }], '/images/0/name'],
    [[{ name: 'card', f: 'face', g: 'faces' }], '/images/0/g'],
    [[{ name: 'card', w: true }], '/images/0/w'],
    [Array.from({ length: 11 }, (_, n) => ({ name: `card_${n}` })), '/images'],
  ])('%j are refused by their place', async (images, pointer) => {
    expect(pointersOf(await refused({ images }))).toEqual([pointer]);
  });
});

describe('include', () => {
  test('chooses the optional members of each asset', async () => {
    const members = async (body: object) => Object.keys(hit(await searchMedia(service, body), goal['id']));
    const optional = ['details', 'exif'];
    const chosen = async (body: object) => (await members(body)).filter((name) => optional.includes(name)).toSorted();
    expect(await chosen({})).toEqual(['details']);
    expect(await chosen({ include: [] })).toEqual([]);
    expect(await chosen({ include: ['details'] })).toEqual(['details']);
    expect(await chosen({ include: ['exif'] })).toEqual(['exif']);
    expect(await chosen({ include: ['details', 'exif'] })).toEqual(['details', 'exif']);
    expect(await members({ include: [] })).toEqual(
      expect.arrayContaining(['qualities', 'images', 'tag_options', 'faces']),
    );
  });

  test('exif is the camera, where and by which clock', async () => {
    const found = await searchMedia(service, { include: ['exif'] });
    expect(hit(found, goal['id'])['exif']).toEqual({
      camera: { make: 'Pinhole', model: 'P1' },
      gps: { lat: 46.05, lon: 14.5 },
      captured_offset_minutes: null,
    });
    expect(hit(found, limited['id'])['exif']).toEqual({ camera: null, gps: null, captured_offset_minutes: null });
  });

  test('of what there is not is refused', async () => {
    const answer = await refused({ include: ['details', 'secrets'] });
    expect(pointersOf(answer)).toEqual(['/include/1']);
    expect(answer.body['detail']).toContain('details, exif');
  });
});

describe('highlight', () => {
  const highlights = async (body: object, id = goal['id']) =>
    hit(await searchMedia(service, { highlight: true, ...body }), id)['highlights'];

  test('marks the words in name, details and labels, as escaped HTML', async () => {
    const found = await highlights({ text: 'goal sesko' });
    expect(found.name).toBe('<mark>goal</mark> &lt;one&gt;.jpg');
    expect(found.tag_options).toEqual([{ id: player, label: '<mark>Šeško</mark>' }]);
    expect(Object.keys(found.details).toSorted()).toEqual(['caption', 'keywords']);
    expect(found.details.keywords).toBe('Late <mark>goal</mark>');
    expect(found.details.caption).toMatch(
      /^….* the winning <mark>goal<\/mark> by <mark>Sesko<\/mark> &amp; friends\. .*…$/,
    );
    expect(found.details.caption.length).toBeLessThan(260);
  });

  test('marks the beginnings of words, phrases and what was typed wrong', async () => {
    expect((await highlights({ text: 'celebr' })).details).toEqual({ keywords: '<mark>celebration</mark>' });
    expect((await highlights({ text: '"late goal"' })).details).toEqual({ keywords: '<mark>Late goal</mark>' });
    expect((await highlights({ text: 'celebratoin ' })).details).toEqual({ keywords: '<mark>celebration</mark>' });
  });

  test('is left out without a text, without a hit to show, and unless it is asked for', async () => {
    expect(await highlights({})).toBeUndefined();
    expect(await highlights({ text: 'benji' })).toBeUndefined();
    expect(await highlights({ none: [{ text: 'training' }] })).toBeUndefined();
    expect(await highlights({ text: 'goal', highlight: false })).toBeUndefined();
  });
});

describe('sort by relevance', () => {
  test('puts the best first, with and without a sign, along a cursor too', async () => {
    const ids = await insertAssets(
      service,
      ['vuvuzela', 'a vuvuzela and a drum and a flag', 'drum'].map((name) => ({ name })),
    );
    for (const sort of ['relevance', '-relevance']) {
      const found = await searchMedia(service, { text: 'vuvuzela', sort, limit: 1 });
      expect(idsOf(found)).toEqual([ids[0]]);
      const next = await searchMedia(service, { text: 'vuvuzela', sort, limit: 1, cursor: found['next_cursor'] });
      expect(idsOf(next)).toEqual([ids[1]]);
      expect(next['next_cursor']).toBeNull();
    }
  });

  test('without a text is newest id first', async () => {
    const ids = idsOf(await searchMedia(service, { sort: 'relevance', limit: 200 }));
    expect(ids.length).toBeGreaterThan(2);
    expect(ids).toEqual(ids.toSorted((a, b) => b - a));
  });
});

test('limit 0 answers the total alone', async () => {
  const found = await searchMedia(service, { limit: 0 });
  expect(found).toMatchObject({ media: [], next_cursor: null });
  expect(found['total']).toBeGreaterThan(2);
  expect(found['facets']).toBeUndefined();
});

test('a body that is nested beyond reason is refused, wherever it is', async () => {
  const nested = (open: string, close: string) => `${open.repeat(100_000)}1${close.repeat(100_000)}`;
  const patch = (path: string, member: string) =>
    service.call('PATCH', path, { body: `{"${member}":${nested('{"a":', '}')}}` });
  const saved = await service.call('POST', '/v1/saved-search', { body: { name: 'deep', request: {} } });
  for (const answer of [
    await service.call('POST', '/v1/media/search', { body: nested('{"all":[', ']}') }),
    await patch(`/v1/saved-search/${saved.body['saved_search'].id}`, 'request'),
    await patch(`/v1/media/${goal['id']}`, 'details'),
  ]) {
    expect(answer.status).toBe(400);
    expect(answer.body['detail']).toContain('100 levels');
  }
});

describe('X-Library-Version', () => {
  test('of a write is seen by a search that sends it back', async () => {
    const path = `/v1/media/${goal['id']}`;
    const written = await service.call('PATCH', path, { body: { rating: 4 } });
    const version = written.headers.get('x-library-version') ?? '';
    const found = await service.call('POST', '/v1/media/search', {
      body: { rating: 4 },
      headers: { 'X-Library-Version': version },
    });
    expect(idsOf(found.body)).toContain(goal['id']);
  });

  test.each(['0', '-1', '1.5', 'newest', '1e3'])('of %j is refused', async (value) => {
    expect(pointersOf(await refused({}, { 'X-Library-Version': value }))).toEqual(['X-Library-Version']);
  });
});

test('a client that goes away ends its search, which is no error of the service', async () => {
  const postgres = await startApp({ SEARCH_ENGINE: 'postgres' });
  try {
    const { db } = postgres.app.installation;
    await searchMedia(postgres, {});
    // Nothing can be read of the assets until this transaction ends: the search would wait for it.
    await db.transaction().execute(async (tx) => {
      await tx.schema
        .alterTable('asset')
        .alterColumn('rating', (column) => column.dropDefault())
        .execute();
      const body = JSON.stringify({ name: 'waiting' });
      const sent = request(`${postgres.url}/v1/media/search`, {
        method: 'POST',
        headers: { 'X-Api-Key': postgres.key, 'Content-Type': 'application/json', 'Content-Length': body.length },
      });
      sent.on('error', () => undefined);
      sent.end(body);
      await vi.waitFor(async () => expect(await waiting(db)).toBe(1), { timeout: 5000 });
      sent.destroy();
      await vi.waitFor(async () => expect(await waiting(db)).toBe(0), { timeout: 5000 });
    });
    expect(postgres.log()).not.toContain('request.failed');
  } finally {
    await postgres.close();
  }
});

/** Queries of this database that wait for a lock. */
async function waiting(db: TestApp['app']['installation']['db']): Promise<number> {
  const found = await sql<{ n: number }>`SELECT count(*)::int AS n FROM pg_stat_activity
    WHERE datname = current_database() AND wait_event_type = 'Lock'`.execute(db);
  return found.rows[0]?.n ?? 0;
}
