import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startApp, type TestApp } from '../support/app.ts';
import { createTag, idsOf, plainPhoto, pointersOf, searchMedia, uploadMedia } from '../support/library.ts';
import { insertAssets } from '../support/search-library.ts';

const TAG_FIELDS = ['player', 'club', 'stadium', 'competition', 'season', 'match', 'sponsor'] as const;

let service: TestApp;
/** Three options of each type, and three collections. */
const tags: Record<string, [number, number, number]> = {};
beforeAll(async () => {
  service = await startApp();
  for (const type of [...TAG_FIELDS, 'tag']) {
    const ids = [];
    for (const n of [1, 2, 3]) ids.push(await createTag(service, { type, label: `${type} ${n}` }));
    tags[type] = [ids[0] ?? 0, ids[1] ?? 0, ids[2] ?? 0];
  }
  const collections = [];
  for (const name of ['one', 'two', 'three']) {
    collections.push((await service.call('POST', '/v1/collection', { body: { name } })).body['collection'].id);
  }
  tags['collection'] = [collections[0], collections[1], collections[2]];
});
afterAll(() => service.close());

/** Positions of what was found, in the order of their insertion; each test looks only among its own assets, by name. */
async function finder(rows: Parameters<typeof insertAssets>[1], name: string) {
  const ids = await insertAssets(
    service,
    rows.map((row) => ({
      name: `${name} ${row.name ?? ''}`,
      ...row,
      ...(row.name && { name: `${name} ${row.name}` }),
    })),
  );
  return async (filter: object, sort?: string): Promise<number[]> => {
    const found = await searchMedia(service, { all: [{ name }, filter], ...(sort && { sort }) });
    expect(found['total']).toBe(found['media'].length);
    const positions = idsOf(found).map((id) => ids.indexOf(id));
    return sort === undefined ? positions.toSorted((a, b) => a - b) : positions;
  };
}
const refused = async (body: object) => {
  const answer = await service.call('POST', '/v1/media/search', { body });
  expect(answer.status, JSON.stringify(answer.body)).toBe(400);
  return answer;
};

describe.each([...TAG_FIELDS, 'collection', 'tag_options'])('the ID field %s', (field) => {
  test('takes an ID, a list (= all), all, any, none and only', async () => {
    const [a, b, c] = tags[field === 'tag_options' ? 'player' : field] ?? [0, 0, 0];
    const put = (...ids: number[]) => (field === 'collection' ? { collections: ids } : { tags: ids });
    const extra = field === 'collection' ? [] : [tags['tag']?.[0] ?? 0];
    const find = await finder(
      [put(a, ...extra), put(a, b, ...extra), put(b, ...extra), put(c), put(a, b, c), put()],
      `ids of ${field}`,
    );
    expect(await find({ [field]: a })).toEqual([0, 1, 4]);
    expect(await find({ [field]: [a, b] })).toEqual([1, 4]);
    expect(await find({ [field]: [] })).toEqual([0, 1, 2, 3, 4, 5]);
    expect(await find({ [field]: { all: [a, b] } })).toEqual([1, 4]);
    expect(await find({ [field]: { any: [a, c] } })).toEqual([0, 1, 3, 4]);
    expect(await find({ [field]: { none: [a, c] } })).toEqual([2, 5]);
    expect(await find({ [field]: { only: [a] } })).toEqual([0]);
    expect(await find({ [field]: { only: [a, b] } })).toEqual([0, 1, 2]);
    expect(await find({ [field]: { any: [a], none: [c] } })).toEqual([0, 1]);
    expect(await find({ [field]: { all: [a, b], only: [a, b] } })).toEqual([1]);
  });

  test('refuses what it does not know, by its place', async () => {
    for (const [value, at] of [
      [987_654_321, ''],
      [[987_654_321], ''],
      [{ any: [987_654_321] }, '/any'],
    ] as const) {
      const answer = await refused({ none: [{ [field]: value }] });
      expect(answer.body['code']).toBe(field === 'collection' ? 'unknown_collection' : 'unknown_tag_option');
      expect(pointersOf(answer)).toEqual([`/none/0/${field}${at}`]);
      expect(answer.body['detail']).toContain('987654321');
      expect(answer.body['unknown']).toEqual([987_654_321]);
    }
    for (const value of [0, -1, 1.5, '7', null, { some: [1] }, { any: [] }, {}]) {
      expect((await refused({ [field]: value })).body['code']).toBe('validation_failed');
    }
  });
});

test('an ID of another type is refused where a type is asked for', async () => {
  const answer = await refused({ player: tags['club']?.[0], club: { any: [tags['club']?.[0], tags['player']?.[0]] } });
  expect(answer.body['code']).toBe('validation_failed');
  expect(pointersOf(answer).toSorted()).toEqual(['/club/any', '/player']);
});

test('an ID of another organization is as unknown as one that never was', async () => {
  const key = await service.createKey({ organizationId: await service.createOrganization('rivals') });
  const created = await service.call('POST', '/v1/tag', { key, body: { type: 'player', label: 'Theirs' } });
  const answer = await refused({ player: created.body['tag_option'].id });
  expect(answer.body['code']).toBe('unknown_tag_option');
});

test('a merged ID finds what its successor finds', async () => {
  const [old, kept] = [
    await createTag(service, { type: 'player', label: 'Old' }),
    await createTag(service, { type: 'player', label: 'Kept' }),
  ];
  const find = await finder([{ tags: [old] }, { tags: [kept] }, {}], 'merged');
  await service.call('POST', `/v1/tag/${old}/merge`, { body: { into: kept } });
  for (const id of [old, kept]) expect(await find({ player: id })).toEqual([0, 1]);
  expect(await find({ player: { only: [old] } })).toEqual([0, 1]);
  expect(await find({ player: [old, kept] })).toEqual([0, 1]);
});

describe('all, any and none', () => {
  test('nest, and an empty filter holds for everything', async () => {
    const [p1, p2] = tags['player'] ?? [0, 0];
    const [c1] = tags['club'] ?? [0];
    const find = await finder([{ tags: [p1] }, { tags: [p2] }, { tags: [p1, c1] }, { tags: [] }], 'nested');
    expect(await find({ any: [{ player: p1 }, { player: p2 }] })).toEqual([0, 1, 2]);
    expect(await find({ all: [{ player: p1 }, { club: c1 }] })).toEqual([2]);
    expect(await find({ none: [{ player: p2 }, { club: c1 }] })).toEqual([0, 3]);
    expect(await find({ any: [{ all: [{ player: p1 }, { none: [{ club: c1 }] }] }, { player: p2 }] })).toEqual([0, 1]);
    expect(await find({ player: p1, none: [{ club: c1 }] })).toEqual([0]);
    expect(await find({ any: [{}] })).toEqual([0, 1, 2, 3]);
    expect(await find({ none: [{}] })).toEqual([]);
  });

  test('go to depth 6 and 200 tests, and not beyond', async () => {
    const nested = (depth: number): object => (depth === 0 ? { rating: 1 } : { all: [nested(depth - 1)] });
    expect((await searchMedia(service, nested(6)))['total']).toBe(0);
    expect(pointersOf(await refused(nested(7)))).toEqual(['/all/0'.repeat(7)]);
    const many = (count: number) => ({ any: Array.from({ length: count }, () => ({ rating: 1 })) });
    expect((await searchMedia(service, many(200)))['total']).toBe(0);
    await refused(many(201));
    await refused({ any: [many(150), many(150)] });
    await refused({ any: [] });
  });
});

describe('scalars', () => {
  const SCALARS: [string, Parameters<typeof insertAssets>[1], (string | number)[]][] = [
    ['rating', [{ rating: 1 }, { rating: 2 }, { rating: 3 }, {}], [1, 2, 3]],
    ['width', [{ width: 10 }, { width: 20 }, { width: 30 }, {}], [10, 20, 30]],
    ['height', [{ height: 10 }, { height: 20 }, { height: 30 }, {}], [10, 20, 30]],
    ['duration_ms', [{ durationMs: 1 }, { durationMs: 2 }, { durationMs: 3 }, {}], [1, 2, 3]],
    [
      'captured_at',
      [
        { capturedAt: '2026-01-01T00:00:00Z' },
        { capturedAt: '2026-01-01T00:00:00.001Z' },
        { capturedAt: '2026-01-02T00:00:00Z' },
        {},
      ],
      ['2026-01-01', '2026-01-01T01:00:00.001+01:00', '2026-01-02T00:00:00Z'],
    ],
  ];
  test.each(SCALARS)(
    '%s is compared by every operator, and a missing value by none but ne',
    async (field, rows, values) => {
      const find = await finder(rows, `scalar ${field}`);
      const [low, middle, high] = values;
      expect(await find({ [field]: middle })).toEqual([1]);
      expect(await find({ [field]: [low, high] })).toEqual([0, 2]);
      expect(await find({ [field]: { eq: middle } })).toEqual([1]);
      expect(await find({ [field]: { ne: middle } })).toEqual([0, 2, 3]);
      expect(await find({ [field]: { in: [low, middle] } })).toEqual([0, 1]);
      expect(await find({ [field]: { gt: middle } })).toEqual([2]);
      expect(await find({ [field]: { gte: middle } })).toEqual([1, 2]);
      expect(await find({ [field]: { lt: middle } })).toEqual([0]);
      expect(await find({ [field]: { lte: middle } })).toEqual([0, 1]);
      expect(await find({ [field]: { gt: low, lt: high } })).toEqual([1]);
      expect(await find({ [field]: { exists: true } })).toEqual([0, 1, 2]);
      expect(await find({ [field]: { exists: false } })).toEqual([3]);
      expect(await find({ none: [{ [field]: { gte: low } }] })).toEqual([3]);
    },
  );

  test('of fixed words are compared as words', async () => {
    const find = await finder(
      [
        { mediaType: 'photo', orientation: 'landscape', usage: 'approved' },
        { mediaType: 'video', orientation: 'portrait', usage: 'limited' },
        { mediaType: 'photo', usage: 'raw', peopleCount: 3 },
      ],
      'words',
    );
    expect(await find({ media_type: 'video' })).toEqual([1]);
    expect(await find({ media_type: { ne: 'video' } })).toEqual([0, 2]);
    expect(await find({ orientation: ['landscape', 'portrait'] })).toEqual([0, 1]);
    expect(await find({ orientation: { exists: false } })).toEqual([2]);
    expect(await find({ usage: { in: ['approved', 'raw'] } })).toEqual([0, 2]);
    expect(await find({ people_count: { gte: 1 } })).toEqual([2]);
    expect(await find({ people_count: 0 })).toEqual([0, 1]);
  });

  test.each<[object, string]>([
    [{ rating: 6 }, '/rating'],
    [{ rating: '3' }, '/rating'],
    [{ rating: null }, '/rating'],
    [{ rating: [] }, '/rating'],
    [{ rating: {} }, '/rating'],
    [{ rating: { between: [1, 2] } }, '/rating/between'],
    [{ width: 1.5 }, '/width'],
    [{ usage: 'secret' }, '/usage'],
    [{ captured_at: 'last week' }, '/captured_at'],
    [{ captured_at: { gte: '2026-02-30T00:00:00Z' } }, '/captured_at/gte'],
    [{ captured_at: '2026-13-01' }, '/captured_at'],
    [{ all: [{ shoe_size: 44 }] }, '/all/0/shoe_size'],
    [{ name: '' }, '/name'],
    [{ name: 'a\u0000b' }, '/name'],
    [{ sort: 'shoe_size' }, '/sort'],
    [{ limit: 201 }, '/limit'],
    [{ limit: -1 }, '/limit'],
    [{ page: 0 }, '/page'],
  ])('%j is refused by its place', async (body, pointer) => {
    expect(pointersOf(await refused(body))).toEqual([pointer]);
  });
});

test('a status is tested only when it is named; else what is processing or ready is found', async () => {
  const statuses = ['processing', 'ready', 'failed', 'archived', 'deleted'] as const;
  const find = await finder(
    statuses.map((status) => ({ status })),
    'statuses',
  );
  expect(await find({})).toEqual([0, 1]);
  for (const [at, status] of statuses.entries()) expect(await find({ status })).toEqual([at]);
  expect(await find({ status: ['failed', 'archived'] })).toEqual([2, 3]);
});

test('a name is found by any part of it, in any case, and no character is special', async () => {
  const names = ['IMG_0042.JPG', 'img-0042.jpg', '100% Šeško.jpg', 'back\\slash.jpg', '北京.jpg'];
  const find = await finder(
    names.map((name) => ({ name })),
    'naming',
  );
  expect(await find({ name: 'img_' })).toEqual([0]);
  expect(await find({ name: 'IMG' })).toEqual([0, 1]);
  expect(await find({ name: '%' })).toEqual([2]);
  expect(await find({ name: 'ŠEŠKO' })).toEqual([2]);
  expect(await find({ name: '\\s' })).toEqual([3]);
  expect(await find({ name: '京' })).toEqual([4]);
  expect(await find({ name: 'none' })).toEqual([]);
});

test('a write that was answered is found by the next search', async () => {
  const tag = await createTag(service, { type: 'tag', label: 'Read your writes' });
  for (let at = 0; at < 5; at++) {
    const media = await uploadMedia(service, await plainPhoto(at + 1), { wait: false });
    const found = async () => idsOf(await searchMedia(service, { tag_options: [tag] })).includes(media['id']);
    await service.call('POST', `/v1/media/${media['id']}/tag`, { body: { add: [tag] } });
    expect(await found()).toBe(true);
    await service.call('POST', `/v1/media/${media['id']}/tag`, { body: { remove: [tag] } });
    expect(await found()).toBe(false);
    await service.call('DELETE', `/v1/media/${media['id']}`);
  }
});
