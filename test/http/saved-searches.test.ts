import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Json, startApp, type TestApp } from '../support/app.ts';
import { createTag, idsOf, pointersOf } from '../support/library.ts';
import { expectProblem } from '../support/problem.ts';
import { insertAssets } from '../support/search-library.ts';

const PATH = '/v1/saved-search';
let service: TestApp;
let player: number;
let ids: number[];
beforeAll(async () => {
  service = await startApp();
  player = await createTag(service, { type: 'player', label: 'Ann' });
  ids = await insertAssets(service, [
    { name: 'goal 1.jpg', tags: [player], rating: 5 },
    { name: 'goal 2.jpg', tags: [player], rating: 3 },
    { name: 'goal 3.jpg', rating: 4 },
  ]);
});
afterAll(() => service.close());

async function save(body: object): Promise<Json> {
  const answer = await service.call('POST', PATH, { body });
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  return answer.body['saved_search'];
}

describe('a saved search', () => {
  test('is created, read, changed by a merge patch and deleted', async () => {
    const request = { player, rating: { gte: 3, lte: 5 }, sort: 'name', limit: 1 };
    const created = await service.call('POST', PATH, { body: { name: 'Goals of Ann', request } });
    expect(created.status).toBe(201);
    const { id } = created.body['saved_search'];
    expect(created.body['saved_search']).toMatchObject({ name: 'Goals of Ann', request, version: 1 });
    expect(created.headers.get('etag')).toBe('"v1"');
    expect(Number(created.headers.get('x-library-version'))).toBeGreaterThan(0);

    const read = await service.call('GET', `${PATH}/${id}`);
    expect(read.body).toEqual(created.body);
    expect(read.headers.get('etag')).toBe('"v1"');

    const patch = { request: { rating: { lte: null }, limit: null, facets: ['player'] } };
    const changed = await service.call('PATCH', `${PATH}/${id}`, { body: patch, headers: { 'If-Match': '"v1"' } });
    expect(changed.status, JSON.stringify(changed.body)).toBe(200);
    expect(changed.body['saved_search']).toMatchObject({ name: 'Goals of Ann', version: 2 });
    expect(changed.body['saved_search'].request).toEqual({
      player,
      rating: { gte: 3 },
      sort: 'name',
      facets: ['player'],
    });
    const renamed = await service.call('PATCH', `${PATH}/${id}`, { body: { name: 'Ann' } });
    expect(renamed.body['saved_search']).toMatchObject({ name: 'Ann', version: 3, request: { rating: { gte: 3 } } });

    for (const method of ['PATCH', 'DELETE']) {
      const body = method === 'PATCH' ? { body: { name: 'late' } } : {};
      const late = await service.call(method, `${PATH}/${id}`, { ...body, headers: { 'If-Match': '"v1"' } });
      expectProblem(late, 'precondition_failed');
    }
    expect((await service.call('DELETE', `${PATH}/${id}`)).status).toBe(204);
    for (const method of ['GET', 'DELETE']) expectProblem(await service.call(method, `${PATH}/${id}`), 'not_found');
    expectProblem(await service.call('PATCH', `${PATH}/${id}`, { body: { name: 'x' } }), 'not_found');
    expectProblem(await service.call('POST', `${PATH}/${id}/search`, { body: {} }), 'not_found');
  });

  test('keeps what patches at the same time change in different places', async () => {
    const { id } = await save({ name: 'shared', request: {} });
    const parts = [{ rating: 5 }, { media_type: 'photo' }, { player }, { limit: 7 }];
    const answers = await Promise.all(
      parts.map((request) => service.call('PATCH', `${PATH}/${id}`, { body: { request } })),
    );
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    const { body } = await service.call('GET', `${PATH}/${id}`);
    expect(body['saved_search']).toMatchObject({ request: Object.assign({}, ...parts), version: 5 });
  });

  test('is created once by requests with the same idempotency key', async () => {
    const headers = { 'Idempotency-Key': 'save-once' };
    const body = { name: 'Once', request: {} };
    const first = await service.call('POST', PATH, { body, headers });
    const again = await service.call('POST', PATH, { body, headers });
    expect(again.body).toEqual(first.body);
    expect(again.headers.get('idempotency-replayed')).toBe('true');
  });

  test('is listed in order of creation, page by page', async () => {
    for (const name of ['one', 'two', 'three']) await save({ name, request: {} });
    const names: string[] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const query: string = cursor === '' ? '' : `&cursor=${cursor}`;
      const { body, status } = await service.call('GET', `${PATH}?limit=2${query}`);
      expect(status).toBe(200);
      names.push(...body['saved_searches'].map((saved: Json) => saved['name']));
      cursor = body['next_cursor'];
    }
    expect(names.slice(-3)).toEqual(['one', 'two', 'three']);
  });

  test('is in the change feed', async () => {
    const { id } = await save({ name: 'fed', request: {} });
    await service.call('PATCH', `${PATH}/${id}`, { body: { name: 'fed twice' } });
    await service.call('DELETE', `${PATH}/${id}`);
    const { db } = service.app.installation;
    const rows = await db.selectFrom('change').select('type').where('object_id', '=', id).orderBy('version').execute();
    const own = rows.map(({ type }) => type).filter((type) => type.startsWith('saved_search.'));
    expect(own).toEqual(['saved_search.created', 'saved_search.updated', 'saved_search.deleted']);
  });
});

describe('running one', () => {
  test('answers as the search does, and limit, page and cursor of the body go before', async () => {
    const { id } = await save({ name: 'Ann', request: { player, sort: 'name', limit: 1, facets: ['player'] } });
    const run = async (body?: object) => {
      const answer = await service.call('POST', `${PATH}/${id}/search`, { body });
      expect(answer.status, JSON.stringify(answer.body)).toBe(200);
      return answer.body;
    };
    const first = await run();
    expect(first).toMatchObject({ total: 2, facets: { player: [{ id: player, label: 'Ann', count: 2 }] } });
    expect(idsOf(first)).toEqual([ids[0]]);
    expect(idsOf(await run({}))).toEqual([ids[0]]);
    const second = await run({ cursor: first['next_cursor'] });
    expect(idsOf(second)).toEqual([ids[1]]);
    expect(second['next_cursor']).toBeNull();
    expect(idsOf(await run({ page: 2 }))).toEqual([ids[1]]);
    expect(idsOf(await run({ limit: 10 }))).toEqual([ids[0], ids[1]]);
    expect((await run({ limit: 0 }))['media']).toEqual([]);
  });

  test('finds what was written since', async () => {
    const { id } = await save({ name: 'fives', request: { name: 'goal', rating: 5 } });
    const total = async () => (await service.call('POST', `${PATH}/${id}/search`)).body['total'];
    const before = await total();
    await service.call('PATCH', `/v1/media/${ids[2]}`, { body: { rating: 5 } });
    expect(await total()).toBe(before + 1);
  });

  test('takes no filter of its own', async () => {
    const { id } = await save({ name: 'fixed', request: {} });
    const answer = await service.call('POST', `${PATH}/${id}/search`, { body: { rating: 5 } });
    expectProblem(answer, 'validation_failed');
    expect(pointersOf(answer)).toEqual(['/rating']);
  });

  test('names a tag option that was removed since', async () => {
    const tag = await createTag(service, { type: 'tag', label: 'Short-lived' });
    const { id } = await save({ name: 'short', request: { tag_options: [tag] } });
    expect((await service.call('DELETE', `/v1/tag/${tag}`)).status).toBe(204);
    expectProblem(await service.call('POST', `${PATH}/${id}/search`), 'unknown_tag_option');
  });
});

describe('what the search would refuse is refused', () => {
  test.each<[string, object, string]>([
    ['an unknown member', { shoe_size: 44 }, '/request/shoe_size'],
    ['a value of another kind', { rating: 'five' }, '/request/rating'],
    ['a cursor', { cursor: 'abc' }, '/request/cursor'],
    ['a page', { page: 2 }, '/request/page'],
    ['an unknown tag option', { any: [{ player: 987_654_321 }] }, '/request/any/0/player'],
    ['an unknown collection', { collection: 987_654_321 }, '/request/collection'],
    ['a facet named twice', { facets: ['player', 'player'] }, '/request/facets/1'],
    ['an image beyond the limits', { images: [{ name: 'card', w: 9000 }] }, '/request/images/0/w'],
    ['a text without words', { text: '...' }, '/request/text'],
  ])('%s', async (_what, request, pointer) => {
    const created = await service.call('POST', PATH, { body: { name: 'refused', request } });
    expect(created.status).toBe(400);
    expect(pointersOf(created)).toEqual([pointer]);
    const { id } = await save({ name: 'fine', request: {} });
    const patched = await service.call('PATCH', `${PATH}/${id}`, { body: { request } });
    expect(patched.status).toBe(400);
    expect(pointersOf(patched)).toEqual([pointer]);
    expect((await service.call('GET', `${PATH}/${id}`)).body['saved_search']).toMatchObject({
      request: {},
      version: 1,
    });
  });

  test.each<[object, string]>([
    [{ name: ' ', request: {} }, '/name'],
    [{ request: {} }, '/name'],
    [{ name: 'x' }, '/request'],
    [{ name: 'x', request: [] }, '/request'],
  ])('%j', async (body, pointer) => {
    expect(pointersOf(await service.call('POST', PATH, { body }))).toEqual([pointer]);
  });
});

test('reading and running need media.read, writing media.write', async () => {
  const { id } = await save({ name: 'scoped', request: {} });
  const [reader, writer] = [
    await service.createKey({ scopes: ['media.read'] }),
    await service.createKey({ scopes: ['media.write'] }),
  ];
  const status = async (key: string, method: string, path: string, body?: object) =>
    (await service.call(method, path, { key, ...(body && { body }) })).status;
  expect(await status(reader, 'GET', PATH)).toBe(200);
  expect(await status(reader, 'GET', `${PATH}/${id}`)).toBe(200);
  expect(await status(reader, 'POST', `${PATH}/${id}/search`, {})).toBe(200);
  expect(await status(reader, 'POST', PATH, { name: 'x', request: {} })).toBe(403);
  expect(await status(reader, 'PATCH', `${PATH}/${id}`, { name: 'x' })).toBe(403);
  expect(await status(reader, 'DELETE', `${PATH}/${id}`)).toBe(403);
  expect(await status(writer, 'GET', `${PATH}/${id}`)).toBe(403);
  expect(await status(writer, 'PATCH', `${PATH}/${id}`, { name: 'x' })).toBe(200);
  expect(await status(writer, 'DELETE', `${PATH}/${id}`)).toBe(204);
});
