import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { type Json, startApp, type TestApp } from '../support/app.ts';
import { createTag, plainPhoto, pointersOf } from '../support/library.ts';
import { insertAssets } from '../support/search-library.ts';

// Several uploads that are processed, on a machine that does other things too.
vi.setConfig({ testTimeout: 120_000 });
const SLOW = { timeout: 60_000, interval: 50 } as const;
let service: TestApp;
let player: number;
let seed = 0;
beforeAll(async () => {
  service = await startApp();
  player = await createTag(service, { type: 'player', label: 'Ann' });
});
afterAll(() => service.close());

async function save(body: object): Promise<number> {
  const answer = await service.call('POST', '/v1/saved-search', { body });
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  return answer.body['saved_search'].id;
}
async function upload(name: string, metadata: object = {}): Promise<number> {
  seed += 1;
  const { body } = await service.upload(await plainPhoto(seed), { name, metadata });
  return body['media'].id;
}
const patch = (id: number, body: object) => service.call('PATCH', `/v1/media/${id}`, { body });
const patchSearch = (id: number, body: object) => service.call('PATCH', `/v1/saved-search/${id}`, { body });

/** What was told of a search, one list an event. */
async function toldOf(id: number): Promise<number[][]> {
  const { body } = await service.call('GET', '/v1/event?types=saved_search.matched&limit=200');
  return (body['events'] as Json[])
    .filter((event) => event['object'].id === id)
    .map((event) => event['data'].media_ids);
}
/** Ends when what was written before has been followed: a search of everything tells of an asset of its own. */
async function followed(): Promise<void> {
  const watch = await save({ name: 'watch', request: { name: 'marker' }, notify: true });
  const id = await upload('marker.jpg');
  await expect.poll(() => toldOf(watch), SLOW).toEqual([[id]]);
  await service.call('DELETE', `/v1/saved-search/${watch}`);
}

describe('a saved search that notifies', () => {
  test('tells of each asset once when it begins to match, and again after it had ceased to', async () => {
    const before = await upload('old.jpg', { tag_options: [player] });
    const id = await save({ name: 'Ann', request: { player, sort: 'name', limit: 3 }, notify: true });
    expect((await service.call('GET', `/v1/saved-search/${id}`)).body['saved_search']).toMatchObject({ notify: true });
    const fresh = await upload('new.jpg', { tag_options: [player] });
    await expect.poll(() => toldOf(id), SLOW).toEqual([[fresh]]);
    for (const one of [before, fresh]) await patch(one, { rating: 2 });
    await followed();
    expect(await toldOf(id)).toEqual([[fresh]]);
    await service.call('POST', `/v1/media/${fresh}/tag`, { body: { remove: [player] } });
    await followed();
    await service.call('POST', `/v1/media/${fresh}/tag`, { body: { add: [player] } });
    await expect.poll(() => toldOf(id), SLOW).toEqual([[fresh], [fresh]]);
    await service.call('DELETE', `/v1/media/${before}`);
    await followed();
    await service.call('POST', `/v1/media/${before}/restore`);
    await expect.poll(() => toldOf(id), SLOW).toEqual([[fresh], [fresh], [before]]);
  });

  test('tells nothing of what it finds when it begins, nor after its filter is another one', async () => {
    const present = await upload('quiet.jpg', { details: { caption: 'quiet' } });
    const id = await save({ name: 'Quiet', request: { name: 'quiet' } });
    await upload('quiet before.jpg');
    expect((await patchSearch(id, { notify: true })).body['saved_search']).toMatchObject({ notify: true, version: 2 });
    await patch(present, { rating: 1 });
    const rated = await upload('other.jpg');
    await patch(rated, { rating: 5 });
    await patchSearch(id, { request: { name: null, rating: 5 } });
    await patch(rated, { rating: 5, details: { caption: 'again' } });
    await followed();
    expect(await toldOf(id)).toEqual([]);
    await patch(present, { rating: 5 });
    await expect.poll(() => toldOf(id), SLOW).toEqual([[present]]);
    await patchSearch(id, { notify: false });
    await patch(await upload('late.jpg'), { rating: 5 });
    await followed();
    expect(await toldOf(id)).toEqual([[present]]);
  });

  test('tells of many in one event', async () => {
    const ids = await insertAssets(
      service,
      Array.from({ length: 30 }, (_, n) => ({ name: `bulk ${n}.jpg` })),
    );
    const id = await save({ name: 'Rated', request: { rating: 3, name: 'bulk' }, notify: true });
    await service.call('POST', '/v1/media/bulk', { body: { ids, set: { rating: 3 } } });
    await expect.poll(async () => (await toldOf(id)).flat().length, SLOW).toBe(30);
    expect(await toldOf(id)).toEqual([ids]);
  });

  test('is one of fifty at most', async () => {
    const { body } = await service.call('GET', '/v1/saved-search?limit=200');
    const present = (body['saved_searches'] as Json[]).filter((one) => one['notify']).length;
    const made: number[] = [];
    for (let n = present; n < 50; n += 1) made.push(await save({ name: `n ${n}`, request: {}, notify: true }));
    const refused = await service.call('POST', '/v1/saved-search', { body: { name: 'x', request: {}, notify: true } });
    expect(refused.status).toBe(400);
    expect(pointersOf(refused)).toEqual(['/notify']);
    await service.call('DELETE', `/v1/saved-search/${made[0] ?? 0}`);
    await save({ name: 'y', request: {}, notify: true });
  });
});
