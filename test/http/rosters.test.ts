import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Json, startApp, type TestApp } from '../support/app.ts';
import { createTag, pointersOf } from '../support/library.ts';

let service: TestApp;
let former: number;
let present: number;
let moved: number;
let loyal: number;
let coming: number;
beforeAll(async () => {
  service = await startApp();
  former = await createTag(service, { type: 'club', label: 'Averley Town' });
  present = await createTag(service, { type: 'club', label: 'Northgate' });
  const player = (label: string, clubs: object[]) =>
    createTag(service, { type: 'player', label, relations: { clubs } });
  moved = await player('Moved Away', [
    { club: former, shirt_number: 10, from: '2022-07-01', to: '2025-06-30' },
    { club: present, shirt_number: 7, from: '2025-07-01' },
  ]);
  loyal = await player('Loyal', [{ club: former, shirt_number: 4 }]);
  coming = await player('Coming', [{ club: former, shirt_number: 10, from: '2999-07-01' }]);
});
afterAll(() => service.close());

const get = async (path: string): Promise<Json> => {
  const answer = await service.call('GET', path);
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return answer.body;
};
const search = async (query: string): Promise<number[]> =>
  (await get(`/v1/tag/search?${query}`))['players'].map((one: Json) => one['id']);
const list = async (query: string): Promise<number[]> =>
  (await get(`/v1/tag?${query}`))['tag_options'].map((one: Json) => one['id']);

describe('players of a club', () => {
  test.each([
    ['2022-06-30', () => [loyal]],
    ['2022-07-01', () => [moved, loyal]],
    ['2025-06-30', () => [moved, loyal]],
    ['2025-07-01', () => [loyal]],
    ['2999-07-01', () => [loyal, coming]],
  ])('are those of %s', async (at, expected) => {
    const wanted = new Set(expected());
    expect(new Set(await list(`club=${former}&at=${at}`))).toEqual(wanted);
    expect(new Set(await search(`club=${former}&at=${at}`))).toEqual(wanted);
  });

  test('are those of today without a day, by name, type and page as any other tag options', async () => {
    expect(await list(`club=${former}`)).toEqual([loyal]);
    expect(await search(`club=${present}`)).toEqual([moved]);
    expect(await search(`club=${former}&query=loyal`)).toEqual([loyal]);
    expect(await search(`club=${present}&query=loyal`)).toEqual([]);
    expect(await list(`club=${former}&type=club`)).toEqual([]);
    const first = await get(`/v1/tag?club=${former}&at=2024-01-01&limit=1`);
    expect(first['tag_options']).toHaveLength(1);
    const rest = await get(`/v1/tag?club=${former}&at=2024-01-01&limit=1&cursor=${first['next_cursor']}`);
    expect([rest['tag_options'][0].id, rest['next_cursor']]).toEqual([loyal, null]);
    const other = await service.call('GET', `/v1/tag?club=${former}&at=2025-01-01&cursor=${first['next_cursor']}`);
    expect(other.body['code']).toBe('cursor_invalid');
  });

  test('follow a merged club, and an unknown one is refused', async () => {
    const old = await createTag(service, { type: 'club', label: 'Northgate Old' });
    await service.call('POST', `/v1/tag/${old}/merge`, { body: { into: present } });
    expect(await list(`club=${old}`)).toEqual([moved]);
    for (const path of ['/v1/tag', '/v1/tag/search']) {
      for (const club of [999_999, moved]) {
        const answer = await service.call('GET', `${path}?club=${club}`);
        expect([answer.status, answer.body['code'], pointersOf(answer)]).toEqual([400, 'unknown_tag_option', ['club']]);
      }
      const answer = await service.call('GET', `${path}?club=${former}&at=2026-02-30`);
      expect([answer.status, pointersOf(answer)]).toEqual([400, ['at']]);
    }
  });
});

test('a shirt number with a club is that of the day: today, or the one that is asked for', async () => {
  expect(await search('query=10 averley')).toEqual([]);
  expect(await search('query=10 averley&at=2024-01-01')).toEqual([moved]);
  expect(await search('query=10 averley&at=3000-01-01')).toEqual([coming]);
  expect(await search('query=7 northgate')).toEqual([moved]);
  expect(await search('query=7 northgate&at=2024-01-01')).toEqual([]);
  expect(await search('query=4 averley&at=1950-01-01')).toEqual([loyal]);
});
