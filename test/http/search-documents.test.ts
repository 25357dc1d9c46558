import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Json, startApp, type TestApp } from '../support/app.ts';
import { createTag, idsOf, plainPhoto, searchMedia, uploadMedia } from '../support/library.ts';
import { insertAssets } from '../support/search-library.ts';

let service: TestApp;
let media: Json;
let player: number;
let collection: number;
beforeAll(async () => {
  service = await startApp();
  player = await createTag(service, { type: 'player', label: 'Ann' });
  collection = (await service.call('POST', '/v1/collection', { body: { name: 'c' } })).body['collection'].id;
  media = await uploadMedia(service, await plainPhoto(1), {
    metadata: { tag_options: [player], collections: [collection], details: { caption: 'first' } },
  });
});
afterAll(() => service.close());

const inSearch = async (id: number): Promise<Json | undefined> => {
  const found = await searchMedia(service, { status: { exists: true }, limit: 200 });
  return found['media'].find((one: Json) => one['id'] === id);
};
const write = async (method: string, path: string, body?: object) => {
  const answer = await service.call(method, path, { ...(body && { body }) });
  expect(answer.status, `${method} ${path} ${JSON.stringify(answer.body)}`).toBeLessThan(300);
};

describe('a search shows an asset as GET does', () => {
  const own = () => `/v1/media/${media['id']}`;
  const changes: [string, () => Promise<void>][] = [
    ['when it is asked twice', async () => undefined],
    ['after its fields are changed', () => write('PATCH', own(), { rating: 4, details: { caption: 'second' } })],
    ['after its focal point gives its images other URLs', () => write('PATCH', own(), { focal: { x: 0.1, y: 0.2 } })],
    [
      'after a tag option is added',
      async () => {
        const tag = await createTag(service, { type: 'tag', label: 'Joy' });
        await write('POST', `${own()}/tag`, { add: [tag] });
      },
    ],
    ['after a tag option of it is renamed', () => write('PATCH', `/v1/tag/${player}`, { label: 'Anna' })],
    [
      'after a tag option of it is merged',
      async () => {
        const other = await createTag(service, { type: 'player', label: 'Annabel' });
        await write('POST', `/v1/tag/${player}/merge`, { into: other });
      },
    ],
    ['after it is limited, so that its URLs are signed', () => write('PATCH', own(), { usage: 'limited' })],
    ['after it is public again', () => write('PATCH', own(), { usage: 'approved' })],
    ['after its collection is deleted', () => write('DELETE', `/v1/collection/${collection}`)],
    [
      'after it was in the bin and its old URLs were revoked',
      async () => {
        await write('DELETE', own());
        expect(await inSearch(media['id'])).toBeUndefined();
        await write('POST', `${own()}/restore`);
      },
    ],
  ];
  test.each(changes)('%s', async (_when, change) => {
    expect(await inSearch(media['id'])).toBeDefined();
    await change();
    const { body } = await service.call('GET', own());
    expect(await inSearch(media['id'])).toEqual(body['media']);
  });
});

test('every search after an acknowledged write shows it, while others write and search', async () => {
  const ids = await insertAssets(
    service,
    Array.from({ length: 8 }, (_, n) => ({ name: `busy ${n}` })),
  );
  const writer = async (id: number) => {
    for (let rating = 0; rating <= 5; rating += 1) {
      await write('PATCH', `/v1/media/${id}`, { rating });
      const found = await searchMedia(service, { name: 'busy', limit: 200 });
      expect(found['media'].find((one: Json) => one['id'] === id)['rating']).toBe(rating);
      expect(idsOf(found).toSorted((a, b) => a - b)).toEqual(ids);
    }
  };
  await Promise.all(ids.map(writer));
});

test('the answer of a search is JSON that no cache keeps, of its stated length', async () => {
  const answer = await service.call('POST', '/v1/media/search', { body: { limit: 1 } });
  expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
  expect(answer.headers.get('cache-control')).toBe('no-store');
  expect(Object.keys(answer.body)).toEqual(['media', 'total', 'next_cursor', 'request_id', 'took_ms']);
  expect(Number(answer.headers.get('content-length'))).toBeGreaterThan(1000);
});
