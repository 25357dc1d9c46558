import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Json, startApp, type TestApp } from '../support/app.ts';
import { createTag, idsOf, searchMedia } from '../support/library.ts';
import { insertAssets } from '../support/search-library.ts';

let service: TestApp;
beforeAll(async () => {
  service = await startApp();
});
afterAll(() => service.close());

async function walk(body: object): Promise<{ ids: number[]; totals: Set<number>; pages: number }> {
  const ids: number[] = [];
  const totals = new Set<number>();
  let cursor: string | null = null;
  let pages = 0;
  do {
    const page: Json = await searchMedia(service, { ...body, ...(cursor && { cursor }) });
    ids.push(...idsOf(page));
    totals.add(page['total']);
    cursor = page['next_cursor'];
    pages += 1;
  } while (cursor !== null);
  return { ids, totals, pages };
}

test('every sort puts missing values last and breaks ties by ID, along pages of any size', async () => {
  const rows = [
    { name: 's b', rating: 3, capturedAt: '2026-01-02T00:00:00Z' },
    { name: 's a', rating: 3, capturedAt: '2026-01-01T00:00:00Z' },
    { name: 's A', rating: null, capturedAt: null },
    { name: 's a', rating: 5, capturedAt: '2026-01-01T00:00:00Z' },
    { name: 's é', rating: null, capturedAt: null },
    { name: 's b', rating: 1, capturedAt: '2026-01-03T00:00:00Z' },
  ].map((row, at) => ({
    ...row,
    createdAt: `2026-02-0${1 + (at % 3)}T00:00:00Z`,
    updatedAt: `2026-03-0${1 + (at % 2)}T00:00:00Z`,
  }));
  const inserted = await insertAssets(service, rows);
  const expected: Record<string, number[]> = {
    rating: [5, 0, 1, 3, 2, 4],
    '-rating': [3, 1, 0, 5, 4, 2],
    captured_at: [1, 3, 0, 5, 2, 4],
    '-captured_at': [5, 0, 3, 1, 4, 2],
    created_at: [0, 3, 1, 4, 2, 5],
    '-created_at': [5, 2, 4, 1, 3, 0],
    updated_at: [0, 2, 4, 1, 3, 5],
    '-updated_at': [5, 3, 1, 4, 2, 0],
    name: [2, 1, 3, 0, 5, 4],
    '-name': [4, 5, 0, 3, 1, 2],
  };
  for (const [sort, order] of Object.entries(expected)) {
    for (const limit of [1, 2, 4, 200]) {
      const { ids, totals, pages } = await walk({ name: 's ', sort, limit });
      expect([sort, limit, ids.map((id) => inserted.indexOf(id))]).toEqual([sort, limit, order]);
      expect(totals).toEqual(new Set([6]));
      expect(pages).toBe(Math.ceil(6 / limit));
    }
    const byPage = [];
    for (const page of [1, 2, 3])
      byPage.push(...idsOf(await searchMedia(service, { name: 's ', sort, limit: 2, page })));
    expect([sort, byPage.map((id) => inserted.indexOf(id))]).toEqual([sort, order]);
  }
  const byDefault = idsOf(await searchMedia(service, { name: 's ' }));
  expect(byDefault.map((id) => inserted.indexOf(id))).toEqual(expected['-created_at']);
});

test('a cursor neither repeats nor skips while assets are added and removed', async () => {
  const tag = await createTag(service, { type: 'tag', label: 'Growing' });
  const add = (count: number) =>
    insertAssets(
      service,
      Array.from({ length: count }, () => ({ tags: [tag] })),
    );
  const before = await add(9);
  const seen: number[] = [];
  let cursor: string | null = null;
  for (let page = 0; page < 3; page++) {
    const found: Json = await searchMedia(service, { tag_options: [tag], limit: 3, ...(cursor && { cursor }) });
    seen.push(...idsOf(found));
    cursor = found['next_cursor'];
    // New ones come before the cursor, and one that was seen goes.
    await add(2);
    await service.call('DELETE', `/v1/media/${seen[0]}`);
  }
  expect(seen).toEqual(before.toReversed());
  expect(cursor).toBeNull();
});

test('a limit of 0 answers the exact total and nothing else', async () => {
  const tag = await createTag(service, { type: 'tag', label: 'Counted only' });
  await insertAssets(
    service,
    Array.from({ length: 257 }, () => ({ tags: [tag] })),
  );
  expect(await searchMedia(service, { tag_options: [tag], limit: 0 })).toMatchObject({
    media: [],
    total: 257,
    next_cursor: null,
  });
  const all = await searchMedia(service, { tag_options: [tag] });
  expect([all['media'].length, all['total']]).toEqual([50, 257]);
  expect(all['request_id']).toMatch(/^req_/);
  expect(all['took_ms']).toBeGreaterThan(0);
});

test('a cursor belongs to its filter and sort, whatever the order of the members, and to its organization', async () => {
  await insertAssets(
    service,
    Array.from({ length: 3 }, () => ({ name: 'bound', rating: 2 })),
  );
  const { next_cursor: cursor } = await searchMedia(service, { name: 'bound', rating: 2, limit: 1 });
  const code = async (body: object, key?: string) =>
    (await service.call('POST', '/v1/media/search', { body, ...(key && { key }) })).body['code'] ?? 'found';
  expect(await code({ rating: 2, name: 'bound', limit: 2, cursor })).toBe('found');
  expect(await code({ name: 'bound', limit: 1, cursor })).toBe('cursor_invalid');
  expect(await code({ name: 'bound', rating: 2, sort: 'name', cursor })).toBe('cursor_invalid');
  expect(await code({ name: 'bound', rating: 2, cursor: `${cursor}x` })).toBe('cursor_invalid');
  expect(await code({ name: 'bound', rating: 2, cursor: 'garbage' })).toBe('cursor_invalid');
  expect(await code({ name: 'bound', rating: 2, cursor, page: 2 })).toBe('validation_failed');
  const other = await service.createKey({ organizationId: await service.createOrganization('others') });
  expect(await code({ name: 'bound', rating: 2, cursor }, other)).toBe('cursor_invalid');
});
