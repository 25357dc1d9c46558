import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Json, startApp, type TestApp } from '../support/app.ts';
import { createTag, idsOf, plainPhoto, searchMedia, uploadMedia } from '../support/library.ts';

// What programs written for a hosted service of this kind send and read: they must run with base URL and key changed.

let service: TestApp;
let player: number;
let club: number;
let uploaded: Json[];
beforeAll(async () => {
  service = await startApp();
  club = await createTag(service, { type: 'club', label: 'Harbour' });
  player = await createTag(service, { type: 'player', label: 'Moreno', full_name: 'Lucas Moreno' });
  uploaded = [];
  for (const [seed, metadata] of [
    [1, { tag_options: [player], captured_at: '2026-03-01T10:00:00Z' }],
    [2, { tag_options: [player, club], captured_at: '2025-01-01T10:00:00Z' }],
    [3, { tag_options: [club] }],
  ] as const) {
    uploaded.push(await uploadMedia(service, await plainPhoto(seed), { metadata, name: `IMG_000${seed}.jpg` }));
  }
});
afterAll(() => service.close());

const ids = (...at: number[]) => at.map((index) => uploaded[index]?.['id']);

describe('an asset', () => {
  test('carries the fields of the older names beside the new ones', async () => {
    const { media } = (await service.call('GET', `/v1/media/${uploaded[0]?.['id']}`)).body;
    expect(media.ID).toBe(media.id);
    expect(media.CreatedAt).toBe(media.created_at);
    expect(media.UpdatedAt).toBe(media.updated_at);
    expect(media.date).toBe('2026-03-01T10:00:00.000Z');
    expect(media.thumbnail_url).toBe(media.qualities.thumbnail.url);
    expect(media.original_url).toBe(media.qualities.photographer.url);
    expect(media.files).toEqual([
      { details: 'photographer_quality', url: media.qualities.photographer.url },
      { details: 'compressed_quality', url: media.qualities.compressed.url },
      { details: 'thumbnail_quality', url: media.qualities.thumbnail.url },
    ]);
    expect(media.tag_options.map((tag: Json) => tag['id'])).toEqual([player]);
  });

  test('without a capture time has the time of its upload as date', async () => {
    const { media } = (await service.call('GET', `/v1/media/${uploaded[2]?.['id']}`)).body;
    expect([media.captured_at, media.date]).toEqual([null, media.created_at]);
  });

  test('has the same fields in a search and under GET', async () => {
    const found = await searchMedia(service, { tag_options: [player], limit: 1 });
    const read = await service.call('GET', `/v1/media/${found['media'][0].id}`);
    expect(found['media'][0]).toEqual(read.body['media']);
  });

  test('is downloaded by the URL of its photographer quality without any key', async () => {
    const found = await searchMedia(service, { tag_options: [player, club] });
    const [file] = found['media'][0].files.filter((one: Json) => one['details'] === 'photographer_quality');
    const bytes = Buffer.from(await (await fetch(file.url)).arrayBuffer());
    expect(bytes.equals(await plainPhoto(2))).toBe(true);
  });

  test('names its older fields as deprecated in the OpenAPI document', async () => {
    const document = (await service.call('GET', '/v1/openapi.json', { key: null })).body;
    const { properties } = document['components'].schemas.Media;
    for (const name of ['ID', 'CreatedAt', 'UpdatedAt', 'date', 'thumbnail_url', 'original_url', 'files']) {
      expect([name, properties[name]?.deprecated]).toEqual([name, true]);
    }
    expect(properties.id.deprecated).toBeUndefined();
  });
});

describe('a search', () => {
  test('finds assets that carry all of tag_options, newest first', async () => {
    expect(idsOf(await searchMedia(service, {}))).toEqual(ids(2, 1, 0));
    expect(idsOf(await searchMedia(service, { tag_options: [player] }))).toEqual(ids(1, 0));
    expect(idsOf(await searchMedia(service, { tag_options: [player, club] }))).toEqual(ids(1));
    expect(idsOf(await searchMedia(service, { tag_options: [] }))).toEqual(ids(2, 1, 0));
    expect(idsOf(await searchMedia(service, { name: 'img_0002' }))).toEqual(ids(1));
  });

  test('takes page and limit in the body, and page and per_page in the query', async () => {
    expect(idsOf(await searchMedia(service, { page: 2, limit: 2 }))).toEqual(ids(0));
    expect(idsOf(await searchMedia(service, { limit: 2 }))).toEqual(ids(2, 1));
    expect(idsOf(await searchMedia(service, {}, '?page=2&per_page=2'))).toEqual(ids(0));
    expect(idsOf(await searchMedia(service, { page: 3 }, '?page=1&per_page=1'))).toEqual(ids(0));
    const beyond = await searchMedia(service, { page: 99, limit: 2 });
    expect(beyond).toMatchObject({ media: [], total: 3, next_cursor: null });
  });
});

describe('a key', () => {
  const status = async (headers: Record<string, string>, query = '') =>
    (await service.call('GET', `/v1/media/${uploaded[0]?.['id']}${query}`, { key: null, headers })).status;

  test.each(['X-Api-Key', 'x-api-key', 'X-Touchline-Api-Key', 'X-ScorePlay-Api-Key', 'X-My-Own-Api-Key'])(
    'is taken from the header %s',
    async (name) => {
      expect(await status({ [name]: service.key })).toBe(200);
      expect(await status({ [name]: `${service.key}x` })).toBe(401);
    },
  );

  test('is taken from the query and from Authorization, and refused elsewhere', async () => {
    expect(await status({}, `?api_key=${service.key}`)).toBe(200);
    expect(await status({ Authorization: `Bearer ${service.key}` })).toBe(200);
    expect(await status({ 'X-Key': service.key })).toBe(401);
    expect(await status({})).toBe(401);
    const search = await service.call('POST', `/v1/media/search?api_key=${service.key}&page=1&per_page=1`, {
      key: null,
      body: {},
    });
    expect([search.status, search.body['media'].length]).toEqual([200, 1]);
  });
});

test('a player is looked up by name for ID, full_name and media_count', async () => {
  const { body } = await service.call('GET', `/v1/tag/search?query=moreno&api_key=${service.key}`, { key: null });
  expect(body['players'].map(({ ID, full_name, media_count }: Json) => ({ ID, full_name, media_count }))).toEqual([
    { ID: player, full_name: 'Lucas Moreno', media_count: 2 },
  ]);
});
