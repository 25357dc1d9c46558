import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { scopeOf } from '../../src/auth/index.ts';
import type { ErrorCode } from '../../src/base/error-codes.ts';
import { readChanges, readVersion } from '../../src/library/index.ts';
import { type Json, startApp, type TestApp } from '../support/app.ts';
import { createTag, idsOf, plainPhoto, pointersOf, searchMedia, uploadMedia } from '../support/library.ts';
import { expectProblem } from '../support/problem.ts';
import { insertAssets } from '../support/search-library.ts';

const PATH = '/v1/media/bulk';
let service: TestApp;
let player: number;
let match: number;
let club: number;
let collection: number;
beforeAll(async () => {
  service = await startApp();
  player = await createTag(service, { type: 'player', label: 'Ann' });
  club = await createTag(service, { type: 'club', label: 'Home' });
  match = await createTag(service, { type: 'match', label: 'Derby', relations: { home: club } });
  collection = (await service.call('POST', '/v1/collection', { body: { name: 'c' } })).body['collection'].id;
  const field = { key: 'desk', label: 'Desk', type: 'choice', choices: ['sport', 'news'] };
  await service.call('POST', '/v1/detail-field', { body: field });
});
afterAll(() => service.close());

let ids: number[];
beforeEach(async () => {
  ids = await insertAssets(service, [
    { name: 'one.jpg', details: { caption: 'goal', desk: 'news' }, rating: 1 },
    { name: 'two.jpg', tags: [player] },
    { name: 'three.jpg', collections: [collection], usage: 'limited' },
  ]);
});

async function bulk(body: object, headers: Readonly<Record<string, string>> = {}): Promise<Json> {
  const answer = await service.call('POST', PATH, { body, headers });
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return answer.body;
}

async function queue(body: object): Promise<Json> {
  const answer = await service.call('POST', PATH, { body, headers: { Prefer: 'respond-async' } });
  expect(answer.status, JSON.stringify(answer.body)).toBe(202);
  expect(answer.headers.get('location')).toBe(`/v1/operation/${answer.body['operation'].id}`);
  return answer.body['operation'];
}

async function ended(id: number): Promise<Json> {
  return vi.waitFor(
    async () => {
      const { operation } = (await service.call('GET', `/v1/operation/${id}`)).body as { operation: Json };
      expect(operation['finished_at']).not.toBeNull();
      return operation;
    },
    { timeout: 20_000 },
  );
}

const media = async (id: number): Promise<Json> => (await service.call('GET', `/v1/media/${id}`)).body['media'];

/** Types of changes by asset, since a version. */
async function changesSince(version: number): Promise<readonly string[]> {
  const { db } = service.app.installation;
  const found = await readChanges(db, scopeOf(service.organizationId), { after: version, limit: 1000 });
  return found.map((change) => `${change.type} ${change.objectId}`);
}
const version = () => readVersion(service.app.installation.db, scopeOf(service.organizationId));

describe('a bulk edit', () => {
  test('sets values, merges details, tags and collects, with a result for each asset', async () => {
    const before = await version();
    const body = {
      ids,
      set: { rating: 4, details: { desk: 'sport', photographer_note: 'x', caption: null } },
      tags: { add: [match], remove: [player] },
      collections: { add: [collection] },
    };
    const answer = await bulk(body);
    expect(answer).toMatchObject({ total: 3, updated: 3, unchanged: 0, failed: 0, dry_run: false });
    expect(answer['results']).toEqual(ids.map((id) => ({ id, status: 'updated' })));
    for (const id of ids) {
      const asset = await media(id);
      expect(asset).toMatchObject({ rating: 4, collections: [collection] });
      expect(asset['details']).toEqual({ desk: 'sport', photographer_note: 'x' });
      expect(asset['tag_options'].map((tag: Json) => [tag['id'], tag['source']])).toEqual([
        [club, 'implied'],
        [match, 'manual'],
      ]);
    }
    const changes = await changesSince(before);
    expect(changes.toSorted()).toEqual(
      ids.flatMap((id) => [`media.updated ${id}`, `media.tags_changed ${id}`]).toSorted(),
    );
    expect(idsOf(await searchMedia(service, { text: 'photographer_note x', details: { desk: 'sport' } }))).toEqual([]);
    const found = await searchMedia(service, { match, rating: 4, details: { desk: 'sport' }, sort: 'created_at' });
    expect(idsOf(found).slice(-3)).toEqual(ids);
    expect((await searchMedia(service, { text: 'goal', match }))['total']).toBe(0);
    expect(await bulk(body)).toMatchObject({ updated: 0, unchanged: 3, failed: 0 });
    expect(await changesSince(before)).toHaveLength(changes.length);
  });

  test('changes what a filter finds, and the values of a PATCH', async () => {
    const [one = 0, two = 0, three = 0] = ids;
    const set = { usage: 'embargoed', usage_at: '2031-01-01T00:00:00Z', captured_at: '2026-03-14T20:30:00+01:00' };
    const filter = { collection, created_at: { gte: '2020-01-01' }, name: 'three' };
    const found = idsOf(await searchMedia(service, { ...filter, sort: 'created_at', limit: 200 }));
    const answer = await bulk({ filter, set: { ...set, status: 'archived', collections: [] } });
    expect(answer['results'].map((one: Json) => one['id'])).toEqual(found);
    expect(found).toContain(three);
    expect(await media(three)).toMatchObject({
      usage: 'embargoed',
      usage_at: '2031-01-01T00:00:00.000Z',
      captured_at: '2026-03-14T19:30:00.000Z',
      status: 'archived',
      collections: [],
    });
    const cleared = await bulk({ ids: [one, two], set: { rating: null, captured_at: null } });
    expect(cleared['results']).toEqual([
      { id: one, status: 'updated' },
      { id: two, status: 'unchanged' },
    ]);
    expect(await bulk({ filter: { name: 'found by nobody' }, set: { rating: 1 } })).toMatchObject({
      total: 0,
      results: [],
    });
  });

  test('of the usage gives images new URLs', async () => {
    const photo = await uploadMedia(service, await plainPhoto(70));
    await bulk({ ids: [photo['id']], set: { usage: 'raw', rating: 3 } });
    const { images, usage } = (await media(photo['id'])) as { images: Json; usage: string };
    expect(usage).toBe('raw');
    expect(images['url']).not.toBe(photo['images'].url);
    await bulk({ ids: [photo['id']], set: { usage: 'raw', rating: 4 } });
    expect((await media(photo['id']))['images'].url).toBe(images['url']);
  });

  test('changes each asset wholly or not at all', async () => {
    const [one = 0, two = 0, three = 0] = ids;
    const [failedAsset = 0] = await insertAssets(service, [{ name: 'broken.jpg', status: 'failed' }]);
    await service.call('DELETE', `/v1/media/${three}`);
    const asked = [one, failedAsset, 9_007_199_254_740_991, three, two, one];
    const answer = await bulk({ ids: asked, set: { rating: 2, status: 'archived' }, tags: { add: [player] } });
    expect(answer).toMatchObject({ total: 5, updated: 2, failed: 3 });
    expect(answer['results'].map((one: Json) => [one['id'], one['status'], one['error']?.code])).toEqual([
      [one, 'updated', undefined],
      [failedAsset, 'failed', 'state_conflict'],
      [9_007_199_254_740_991, 'failed', 'not_found'],
      [three, 'failed', 'not_found'],
      [two, 'updated', undefined],
    ]);
    expect(await media(failedAsset)).toMatchObject({ rating: null, tag_options: [] });
    const usage = await bulk({ ids: [one, two], set: { usage: 'expired' } });
    expect(usage).toMatchObject({ failed: 2 });
    await bulk({ ids: [two], set: { usage_at: '2031-01-01T00:00:00Z' } });
    expect(await bulk({ ids: [one, two], set: { usage: 'expired' } })).toMatchObject({ updated: 1, failed: 1 });
  });

  test('moves assets into the bin and out of it', async () => {
    const photo = await uploadMedia(service, await plainPhoto(71));
    const again = { ids: [photo['id'], ...ids.slice(0, 1)] };
    expect(await bulk({ ...again, delete: true })).toMatchObject({ updated: 2 });
    expect(await bulk({ ...again, delete: true })).toMatchObject({ updated: 0, unchanged: 2 });
    expectProblem(await service.call('GET', `/v1/media/${photo['id']}`), 'not_found');
    const copy = await uploadMedia(service, await plainPhoto(71));
    expect(copy['id']).not.toBe(photo['id']);
    const restored = await bulk({ ...again, restore: true });
    expect(restored['results']).toEqual([
      {
        id: photo['id'],
        status: 'failed',
        error: { code: 'conflict', detail: expect.stringContaining(`${copy['id']}`) },
      },
      { id: ids[0], status: 'updated' },
    ]);
    expect((await media(ids[0] ?? 0))['status']).toBe('ready');
  });

  test('makes an implied tag one of its own, and leaves implied ones where they are', async () => {
    const one = ids.slice(0, 1);
    await bulk({ ids: one, tags: { add: [match] } });
    expect(await bulk({ ids: one, tags: { remove: [club] } })).toMatchObject({ unchanged: 1 });
    expect(await bulk({ ids: one, tags: { add: [club] } })).toMatchObject({ updated: 1 });
    expect(await bulk({ ids: one, tags: { add: [club] } })).toMatchObject({ unchanged: 1 });
    await bulk({ ids: one, tags: { remove: [match] } });
    expect((await media(ids[0] ?? 0))['tag_options']).toMatchObject([{ id: club, source: 'manual' }]);
  });

  test('tries everything out and does nothing', async () => {
    const before = await version();
    const body = { ids: [...ids, 1_000_000_000], set: { rating: 1 }, tags: { add: [match] }, dry_run: true };
    const trial = await bulk(body);
    expect(trial).toMatchObject({ dry_run: true, updated: 3, failed: 1 });
    expect(await bulk({ ids, delete: true, dry_run: true })).toMatchObject({ updated: 3 });
    expect(await version()).toBe(before);
    expect(await media(ids[1] ?? 0)).toMatchObject({ rating: null, version: 1 });
    const { dry_run: _dry, ...real } = body;
    expect((await bulk(real))['results']).toEqual(trial['results']);
  });

  test('follows merged tag options and refuses what no asset could get before it begins', async () => {
    const old = await createTag(service, { type: 'player', label: 'Annie' });
    const survivor = await createTag(service, { type: 'player', label: 'Anne' });
    await service.call('POST', `/v1/tag/${old}/merge`, { body: { into: survivor } });
    await bulk({ ids: ids.slice(0, 1), tags: { add: [old] } });
    expect((await media(ids[0] ?? 0))['tag_options']).toMatchObject([{ id: survivor }]);
    const closed = await createTag(service, { type: 'player', label: 'Closed' });
    await service.call('PATCH', `/v1/tag/${closed}`, { body: { status: 'deactivated' } });
    const before = await version();
    const set = { rating: 1 };
    const refusals: readonly (readonly [object, ErrorCode, string])[] = [
      [{ ids, tags: { add: [999_999] } }, 'unknown_tag_option', '/tags/add'],
      [{ ids, tags: { remove: [999_999] } }, 'unknown_tag_option', '/tags/remove'],
      [{ ids, tags: { add: [closed] } }, 'tag_option_deactivated', '/tags/add'],
      [{ ids, set: { collections: [999] } }, 'unknown_collection', '/set/collections'],
      [{ ids, collections: { add: [999] } }, 'unknown_collection', '/collections/add'],
      [{ ids, collections: { remove: [999] } }, 'unknown_collection', '/collections/remove'],
      [{ ids, set: { details: { desk: 'culture' } } }, 'validation_failed', '/set/details/desk'],
      [{ ids, set: { usage: 'expired', usage_at: null } }, 'validation_failed', '/usage_at'],
      [{ ids, set: { name: 'x' } }, 'validation_failed', '/set/name'],
      [{ ids, set: {} }, 'validation_failed', '/set'],
      [{ ids }, 'validation_failed', ''],
      [{ set }, 'validation_failed', ''],
      [{ ids: [], set }, 'validation_failed', '/ids'],
      [{ ids, filter: {}, set }, 'validation_failed', '/filter'],
      [{ ids, set, delete: true }, 'validation_failed', '/delete'],
      [{ ids, delete: true, restore: true }, 'validation_failed', '/delete'],
      [{ ids, delete: false }, 'validation_failed', '/delete'],
      [{ ids, set: { collections: [] }, collections: { add: [] } }, 'validation_failed', '/collections'],
      [{ filter: { player: 999_999 }, set }, 'unknown_tag_option', '/filter/player'],
      [{ filter: { details: { nothing: 1 } }, set }, 'validation_failed', '/filter/details/nothing'],
      [{ filter: { colour: 'red' }, set }, 'validation_failed', '/filter/colour'],
    ];
    for (const prefer of ['', 'respond-async']) {
      for (const [body, code, pointer] of refusals) {
        const answer = await service.call('POST', PATH, { body, headers: { Prefer: prefer } });
        expectProblem(answer, code);
        expect(pointersOf(answer), JSON.stringify(body)).toEqual([pointer]);
      }
    }
    expect(await version()).toBe(before);
    expect((await service.call('GET', '/v1/operation')).body['operations']).toEqual([]);
  });

  test('is done once by requests with the same idempotency key', async () => {
    const headers = { 'Idempotency-Key': 'once' };
    const first = await bulk({ ids, set: { rating: 3 } }, headers);
    await service.call('PATCH', `/v1/media/${ids[0]}`, { body: { rating: 5 } });
    expect(await bulk({ ids, set: { rating: 3 } }, headers)).toEqual(first);
    expect((await media(ids[0] ?? 0))['rating']).toBe(5);
  });

  test('needs the scope to write media', async () => {
    const key = await service.createKey({ scopes: ['media.read'] });
    expectProblem(await service.call('POST', PATH, { key, body: { ids, set: { rating: 1 } } }), 'scope_missing');
    expectProblem(await service.call('DELETE', '/v1/operation/1', { key }), 'scope_missing');
  });
});

describe('an operation', () => {
  test('runs on by itself and tells what became of each asset', async () => {
    const unknown = 9_007_199_254_740_991;
    const queued = await queue({ ids: [...ids, unknown], set: { rating: 2 } });
    expect(queued).toMatchObject({ kind: 'media.bulk', state: 'queued', total: 4, done: 0, created_by: 'test' });
    const { id } = queued as unknown as { id: number };
    const operation = await ended(id);
    expect(operation).toMatchObject({ state: 'succeeded', total: 4, done: 4, updated: 3, failed: 1, failure: null });
    expect(operation['errors']).toEqual([{ id: unknown, code: 'not_found', detail: expect.any(String) }]);
    const first = await service.call('GET', `/v1/operation/${id}/result?limit=3`);
    expect(first.body['results']).toEqual(ids.map((one) => ({ id: one, status: 'updated' })));
    const second = await service.call('GET', `/v1/operation/${id}/result?cursor=${first.body['next_cursor']}`);
    expect(second.body).toMatchObject({ results: [{ id: unknown, status: 'failed' }], next_cursor: null });
    const failed = await service.call('GET', `/v1/operation/${id}/result?status=failed`);
    expect(failed.body['results']).toEqual(second.body['results']);
    const wrong = await service.call(
      'GET',
      `/v1/operation/${id}/result?status=failed&cursor=${first.body['next_cursor']}`,
    );
    expectProblem(wrong, 'cursor_invalid');
    expect((await media(ids[2] ?? 0))['rating']).toBe(2);
    const listed = (await service.call('GET', '/v1/operation?limit=1')).body['operations'];
    expect(listed).toMatchObject([{ id, done: 4 }]);
    expect(listed[0]).not.toHaveProperty('errors');
    expectProblem(await service.call('DELETE', `/v1/operation/${id}`), 'conflict');
    expectProblem(await service.call('GET', '/v1/operation/999999'), 'not_found');
    expectProblem(await service.call('GET', '/v1/operation/999999/result'), 'not_found');
    expectProblem(await service.call('DELETE', '/v1/operation/999999'), 'not_found');
  });

  test('of more than 200 assets fixes them when it is made: the edit does not move what it looks for', async () => {
    const rows = Array.from({ length: 450 }, (_, n) => ({ name: `many ${n}.jpg`, rating: 5 }));
    const many = await insertAssets(service, rows);
    const answer = await service.call('POST', PATH, {
      body: { filter: { name: 'many', rating: 5 }, set: { rating: 0 } },
    });
    expect(answer.status, JSON.stringify(answer.body)).toBe(202);
    const operation = await ended(answer.body['operation'].id);
    expect(operation).toMatchObject({ total: 450, updated: 450, failed: 0 });
    expect((await searchMedia(service, { name: 'many', rating: 0, limit: 0 }))['total']).toBe(450);
    const trial = await service.call('POST', PATH, { body: { ids: many, delete: true, dry_run: true } });
    expect(await ended(trial.body['operation'].id)).toMatchObject({ dry_run: true, updated: 450 });
    expect((await searchMedia(service, { name: 'many', limit: 0 }))['total']).toBe(450);
    const removed = await service.call('POST', PATH, { body: { ids: many, delete: true } });
    expect(await ended(removed.body['operation'].id)).toMatchObject({ updated: 450 });
    expect((await searchMedia(service, { name: 'many', limit: 0 }))['total']).toBe(0);
  });
});
