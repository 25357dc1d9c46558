import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Json, startApp, type TestApp } from '../support/app.ts';
import { createTag, plainPhoto, pointersOf, uploadMedia } from '../support/library.ts';

let service: TestApp;
beforeAll(async () => {
  service = await startApp();
});
afterAll(() => service.close());

const lookUp = async (parameters: Record<string, string>): Promise<Json> => {
  const answer = await service.call('GET', `/v1/tag/search?${new URLSearchParams(parameters).toString()}`);
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return answer.body;
};
const foundIds = async (parameters: Record<string, string>): Promise<number[]> =>
  (await lookUp(parameters))['tag_options'].map((hit: Json) => hit['id']);

describe('tag search', () => {
  let player: number;
  beforeAll(async () => {
    player = await createTag(service, {
      type: 'player',
      label: 'Šeško',
      full_name: 'Benjamin Šeško',
      aliases: ['The Slovenian'],
    });
    await createTag(service, { type: 'club', label: 'New York', full_name: 'New York City', aliases: ['NYC'] });
  });

  test('answers the groups and members that clients read, and nothing else', async () => {
    const answer = await lookUp({ query: 'sesko' });
    const hit = {
      id: player,
      ID: player,
      type: 'player',
      category: null,
      label: 'Šeško',
      full_name: 'Benjamin Šeško',
      aliases: ['The Slovenian'],
      media_count: 0,
      status: 'active',
      matched_on: 'label',
    };
    expect(answer).toEqual({
      tag_options: [hit],
      players: [hit],
      clubs: [],
      stadiums: [],
      competitions: [],
      seasons: [],
      matches: [],
      sponsors: [],
      tags: [],
      total: 1,
      next_cursor: null,
    });
  });

  test.each([
    ['without accents', 'benjamin sesko', 'full_name'],
    ['by the beginning of a word', 'ses', 'label'],
    ['by a part of a word', 'esk', 'label'],
    ['in any order of words', 'sesko benj', 'full_name'],
    ['by an alias', 'slovenian', 'alias'],
    ['with one typo', 'seskp', 'typo'],
    ['with two typos', 'bemjamim', 'typo'],
  ])('finds a name %s', async (_how, query, matchedOn) => {
    const answer = await lookUp({ query });
    expect(answer['players'].find((hit: Json) => hit['id'] === player)).toMatchObject({ matched_on: matchedOn });
  });

  test('finds a club by its abbreviation before clubs whose names merely contain it', async () => {
    await createTag(service, { type: 'club', label: 'Bonyce FC' });
    const clubs = (await lookUp({ query: 'nyc' }))['clubs'];
    expect(clubs.map((club: Json) => club['label'])).toEqual(['New York', 'Bonyce FC']);
    expect(clubs[0].matched_on).toBe('alias');
  });

  test('puts the exact name first and then what is on more assets', async () => {
    const plain = await createTag(service, { type: 'player', label: 'Adeyemi Junior' });
    const used = await createTag(service, { type: 'player', label: 'Adeyemi Senior the elder one' });
    const exact = await createTag(service, { type: 'player', label: 'Adeyemi' });
    const media = await uploadMedia(service, await plainPhoto(1), { metadata: { tag_options: [used] } });
    expect(await foundIds({ query: 'adeyemi' })).toEqual([exact, used, plain]);
    await service.call('DELETE', `/v1/media/${media['id']}`);
    expect(await foundIds({ query: 'adeyemi' })).toEqual([exact, plain, used]);
  });

  test('is limited to types and a category', async () => {
    const emotion = await createTag(service, { type: 'tag', label: 'Zebra joy', category: 'emotion' });
    const shot = await createTag(service, { type: 'tag', label: 'Zebra close', category: 'shot type' });
    const sponsor = await createTag(service, { type: 'sponsor', label: 'Zebra Ltd' });
    expect(new Set(await foundIds({ query: 'zebra' }))).toEqual(new Set([emotion, shot, sponsor]));
    expect(await foundIds({ query: 'zebra', category: 'emotion' })).toEqual([emotion]);
    expect(await foundIds({ query: 'zebra', type: 'sponsor' })).toEqual([sponsor]);
    expect(new Set(await foundIds({ query: 'zebra', type: 'sponsor,tag' }))).toEqual(new Set([emotion, shot, sponsor]));
    const wrong = await service.call('GET', '/v1/tag/search?type=zebra');
    expect([wrong.status, pointersOf(wrong)]).toEqual([400, ['type']]);
  });

  test('walks pages by cursor without a gap or a repetition, and lists without a query', async () => {
    const created: number[] = [];
    for (let at = 0; at < 7; at++) {
      created.push(await createTag(service, { type: 'tag', label: `Paged item ${at}`, category: 'paged' }));
    }
    for (const query of ['paged item', '']) {
      const seen: number[] = [];
      let cursor: string | null = null;
      do {
        const page = await lookUp({
          category: 'paged',
          limit: '3',
          ...(query && { query }),
          ...(cursor && { cursor }),
        });
        expect(page['total']).toBe(7);
        seen.push(...page['tag_options'].map((hit: Json) => hit['id']));
        cursor = page['next_cursor'];
      } while (cursor !== null);
      expect(seen.toSorted((a, b) => a - b)).toEqual(created);
    }
    const first = await lookUp({ category: 'paged', limit: '3' });
    const foreign = await service.call('GET', `/v1/tag/search?query=other&limit=3&cursor=${first['next_cursor']}`);
    expect([foreign.status, foreign.body['code']]).toEqual([400, 'cursor_invalid']);
    const count = await lookUp({ category: 'paged', limit: '0' });
    expect(count).toMatchObject({ tag_options: [], total: 7, next_cursor: null });
  });
});
