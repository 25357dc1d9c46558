import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Json, startApp, type TestApp } from '../support/app.ts';
import { createTag, idsOf, plainPhoto, pointersOf, searchMedia, uploadMedia } from '../support/library.ts';

let service: TestApp;
beforeAll(async () => {
  service = await startApp();
});
afterAll(() => service.close());

const read = async (id: number): Promise<Json> => (await service.call('GET', `/v1/tag/${id}`)).body['tag_option'];
const lookUp = async (parameters: Record<string, string>): Promise<Json> => {
  const answer = await service.call('GET', `/v1/tag/search?${new URLSearchParams(parameters).toString()}`);
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return answer.body;
};
const foundIds = async (parameters: Record<string, string>): Promise<number[]> =>
  (await lookUp(parameters))['tag_options'].map((hit: Json) => hit['id']);

describe('a tag option', () => {
  test.each(['player', 'club', 'stadium', 'competition', 'season', 'match', 'sponsor', 'tag'])(
    'of type %s is created, read, changed and deleted',
    async (type) => {
      const created = await service.call('POST', '/v1/tag', {
        body: {
          type,
          label: `Label ${type}`,
          full_name: `Full ${type}`,
          category: type === 'tag' ? 'shot type' : null,
          aliases: [`Alias ${type}`],
          external_ids: { opta: `o-${type}` },
          image_url: 'https://example.org/a.png',
        },
      });
      expect(created.status, JSON.stringify(created.body)).toBe(201);
      const tag = created.body['tag_option'];
      expect(tag).toMatchObject({
        type,
        label: `Label ${type}`,
        full_name: `Full ${type}`,
        category: type === 'tag' ? 'shot type' : null,
        aliases: [`Alias ${type}`],
        external_ids: { opta: `o-${type}` },
        status: 'active',
        merged_into: null,
        media_count: 0,
        image_url: 'https://example.org/a.png',
      });
      expect(tag.created_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
      expect(await read(tag.id)).toEqual(tag);

      const patched = await service.call('PATCH', `/v1/tag/${tag.id}`, {
        body: { label: `Renamed ${type}`, full_name: null, external_ids: { opta: null, fifa: 'f1' } },
      });
      expect(patched.body['tag_option']).toMatchObject({
        label: `Renamed ${type}`,
        full_name: null,
        external_ids: { fifa: 'f1' },
        aliases: [`Alias ${type}`],
      });
      expect(await foundIds({ query: `renamed ${type}` })).toEqual([tag.id]);
      expect(await foundIds({ query: `full ${type}` })).toEqual([]);

      expect((await service.call('DELETE', `/v1/tag/${tag.id}`)).status).toBe(204);
      expect((await service.call('GET', `/v1/tag/${tag.id}`)).status).toBe(404);
      expect(await foundIds({ query: `renamed ${type}` })).toEqual([]);
    },
  );

  test('is refused with a pointer to each fault', async () => {
    const refused = async (body: object) => {
      const answer = await service.call('POST', '/v1/tag', { body });
      expect(answer.status, JSON.stringify(answer.body)).toBe(400);
      expect(answer.headers.get('content-type')).toContain('application/problem+json');
      return pointersOf(answer);
    };
    expect(await refused({ type: 'player' })).toEqual(['/label']);
    expect(await refused({ type: 'referee', label: 'R' })).toEqual(['/type']);
    expect(await refused({ type: 'player', label: '  ' })).toEqual(['/label']);
    expect(await refused({ type: 'player', label: 'A', colour: 'red' })).toEqual(['/colour']);
    expect(await refused({ type: 'player', label: 'A', aliases: 'B' })).toEqual(['/aliases']);
    expect(await refused({ type: 'player', label: 'A', relations: { clubs: [{ club: 999_999 }] } })).toEqual([
      '/relations/clubs/0',
    ]);
    expect(await refused({ type: 'stadium', label: 'A', relations: { clubs: [] } })).toEqual(['/relations/clubs']);
    expect(await refused({ type: 'player', label: 'A', relations: { home: 1 } })).toEqual(['/relations']);
    expect(await refused({ type: 'tag', label: 'a\u0000b' })).toHaveLength(1);
    expect(await refused({ type: 'tag', label: 'lone \ud83d surrogate' })).toHaveLength(1);
  });

  test('is changed only at the version that If-Match names', async () => {
    const created = await service.call('POST', '/v1/tag', { body: { type: 'sponsor', label: 'Versioned' } });
    const { id } = created.body['tag_option'];
    const headers = { 'If-Match': created.headers.get('etag') ?? '' };
    const first = await service.call('PATCH', `/v1/tag/${id}`, { body: { label: 'Versioned 2' }, headers });
    expect(first.status).toBe(200);
    const second = await service.call('PATCH', `/v1/tag/${id}`, { body: { label: 'Versioned 3' }, headers });
    expect(second.status).toBe(412);
    expect((await service.call('DELETE', `/v1/tag/${id}`, { headers })).status).toBe(412);
    expect((await read(id))['label']).toBe('Versioned 2');
  });

  test('keeps an external id that belongs to another option from being taken', async () => {
    await createTag(service, { type: 'player', label: 'Owner', external_ids: { wiki: 'Q1' } });
    const answer = await service.call('POST', '/v1/tag', {
      body: { type: 'player', label: 'Thief', external_ids: { wiki: 'Q1' } },
    });
    expect(answer.status).toBe(409);
    expect(answer.body['code']).toBe('external_id_taken');
    expect(pointersOf(answer)).toEqual(['/external_ids/wiki']);
    expect(await foundIds({ query: 'thief' })).toEqual([]);
  });
});

describe('relations', () => {
  test('of players, clubs, sponsors and matches are typed, dated and answered as given', async () => {
    const stadium = await createTag(service, { type: 'stadium', label: 'Harbour Ground' });
    const competition = await createTag(service, { type: 'competition', label: 'Coast League' });
    const season = await createTag(service, { type: 'season', label: '2026/27' });
    const home = await createTag(service, {
      type: 'club',
      label: 'Harbour FC',
      relations: {
        stadiums: [{ stadium, from: '2010-07-01' }],
        competitions: [{ competition, season }],
      },
    });
    const away = await createTag(service, { type: 'club', label: 'Inland FC' });
    expect((await read(home))['relations']).toEqual({
      stadiums: [{ stadium, from: '2010-07-01', to: null }],
      competitions: [{ competition, season, from: null, to: null }],
      parent: null,
    });
    const player = await createTag(service, {
      type: 'player',
      label: 'Moreno',
      relations: {
        clubs: [
          { club: away, shirt_number: 7, from: '2020-07-01', to: '2024-06-30' },
          { club: home, shirt_number: 10, position: 'midfielder', from: '2024-07-01' },
        ],
      },
    });
    expect((await read(player))['relations']['clubs']).toEqual([
      { club: away, shirt_number: 7, position: null, from: '2020-07-01', to: '2024-06-30' },
      { club: home, shirt_number: 10, position: 'midfielder', from: '2024-07-01', to: null },
    ]);
    const sponsor = await createTag(service, {
      type: 'sponsor',
      label: 'Ferry Line',
      relations: { clubs: [{ club: home, from: '2025-01-01', to: '2027-12-31' }] },
    });
    expect((await read(sponsor))['relations']['clubs']).toMatchObject([
      { club: home, from: '2025-01-01', to: '2027-12-31' },
    ]);
    const match = await createTag(service, {
      type: 'match',
      label: 'Harbour FC - Inland FC',
      relations: {
        competition,
        season,
        round: 'Matchday 3',
        home,
        away,
        stadium,
        kick_off: '2026-09-12T20:30:00+02:00',
      },
    });
    const patched = await service.call('PATCH', `/v1/tag/${match}`, {
      body: { relations: { home_score: 2, away_score: 0, round: null } },
    });
    expect(patched.body['tag_option'].relations).toEqual({
      competition,
      season,
      home,
      away,
      stadium,
      round: null,
      kick_off: '2026-09-12T18:30:00.000Z',
      home_score: 2,
      away_score: 0,
      status: null,
    });
    const wrong = await service.call('PATCH', `/v1/tag/${match}`, { body: { relations: { home: player } } });
    expect(wrong.status).toBe(400);
    expect(pointersOf(wrong)).toEqual(['/relations/home']);
  });

  test('find a player by shirt number and club, and no longer after the transfer', async () => {
    const club = await createTag(service, { type: 'club', label: 'Borough United', aliases: ['BUFC'] });
    const player = await createTag(service, {
      type: 'player',
      label: 'Oduya',
      relations: { clubs: [{ club, shirt_number: 23, from: '2024-07-01' }] },
    });
    const hit = (await lookUp({ query: '23 bufc' }))['players'][0];
    expect(hit).toMatchObject({ id: player, matched_on: 'shirt' });
    expect(await foundIds({ query: 'borough 23' })).toContain(player);
    await service.call('PATCH', `/v1/tag/${club}`, { body: { label: 'Riverside', aliases: ['RIV'] } });
    expect(await foundIds({ query: '23 riverside' })).toContain(player);
    expect(await foundIds({ query: '23 bufc' })).toEqual([]);
    await service.call('PATCH', `/v1/tag/${player}`, {
      body: { relations: { clubs: [{ club, shirt_number: 23, from: '2024-07-01', to: '2025-06-30' }] } },
    });
    expect(await foundIds({ query: '23 riverside' })).toEqual([]);
  });
});

describe('counts', () => {
  test('follow tagging, the bin and restoring', async () => {
    const tag = await createTag(service, { type: 'tag', label: 'Counted' });
    const count = async () => [
      (await read(tag))['media_count'],
      (await lookUp({ query: 'counted' }))['tags'][0].media_count,
    ];
    const first = await uploadMedia(service, await plainPhoto(10), { metadata: { tag_options: [tag] } });
    const second = await uploadMedia(service, await plainPhoto(11), {});
    expect(await count()).toEqual([1, 1]);
    await service.call('POST', `/v1/media/${second['id']}/tag`, { body: { add: [tag, tag] } });
    expect(await count()).toEqual([2, 2]);
    await service.call('POST', `/v1/media/${second['id']}/tag`, { body: { add: [tag] } });
    expect(await count()).toEqual([2, 2]);
    await service.call('DELETE', `/v1/media/${first['id']}`);
    expect(await count()).toEqual([1, 1]);
    expect((await service.call('DELETE', `/v1/tag/${tag}`)).status).toBe(409);
    await service.call('POST', `/v1/media/${first['id']}/restore`);
    expect(await count()).toEqual([2, 2]);
    await service.call('POST', `/v1/media/${second['id']}/tag`, { body: { remove: [tag] } });
    expect(await count()).toEqual([1, 1]);
  });

  test('stay right when a tag of an asset in the bin is deleted before the asset is restored', async () => {
    const tag = await createTag(service, { type: 'tag', label: 'Short lived' });
    const kept = await createTag(service, { type: 'tag', label: 'Long lived' });
    const media = await uploadMedia(service, await plainPhoto(12), { metadata: { tag_options: [tag, kept] } });
    await service.call('DELETE', `/v1/media/${media['id']}`);
    expect((await service.call('DELETE', `/v1/tag/${tag}`)).status).toBe(204);
    const restored = await service.call('POST', `/v1/media/${media['id']}/restore`);
    expect(restored.body['media'].tag_options).toMatchObject([{ id: kept }]);
    expect((await read(kept))['media_count']).toBe(1);
    // What search reads.
    const { db } = service.app.installation;
    const row = await db.selectFrom('asset').select('tag_ids').where('id', '=', media['id']).executeTakeFirst();
    expect(row?.tag_ids).toEqual([kept]);
  });
});

describe('a merged tag option', () => {
  test('redirects lookup, tagging and search to the one it was merged into', async () => {
    const club = await createTag(service, { type: 'club', label: 'Merge Town' });
    const old = await createTag(service, {
      type: 'player',
      label: 'Jon Snowe',
      aliases: ['Snowy'],
      external_ids: { opta: 'dup', wiki: 'Q77' },
      relations: { clubs: [{ club, shirt_number: 4 }] },
    });
    const kept = await createTag(service, { type: 'player', label: 'Jon Snow', external_ids: { opta: 'main' } });
    const both = await uploadMedia(service, await plainPhoto(20), { metadata: { tag_options: [old, kept] } });
    const only = await uploadMedia(service, await plainPhoto(21), { metadata: { tag_options: [old] } });

    const merged = await service.call('POST', `/v1/tag/${old}/merge`, { body: { into: kept } });
    expect(merged.status, JSON.stringify(merged.body)).toBe(200);
    expect(merged.body['tag_option']).toMatchObject({
      id: kept,
      media_count: 2,
      external_ids: { opta: 'main', wiki: 'Q77' },
      relations: { clubs: [{ club, shirt_number: 4 }] },
    });
    expect(merged.body['tag_option'].aliases.toSorted()).toEqual(['Jon Snowe', 'Snowy']);
    expect(await read(old)).toMatchObject({ id: old, status: 'merged', merged_into: kept, media_count: 0 });
    expect(await foundIds({ query: 'snowy' })).toEqual([kept]);
    expect(new Set(idsOf(await searchMedia(service, { player: old })))).toEqual(new Set([both['id'], only['id']]));
    const again = await uploadMedia(service, await plainPhoto(22), { metadata: { tag_options: [old] } });
    expect(again['tag_options']).toMatchObject([{ id: kept }]);
    const edited = await service.call('PATCH', `/v1/tag/${old}`, { body: { label: 'X' } });
    expect([edited.status, edited.body['code']]).toEqual([409, 'state_conflict']);
    for (const into of [old, kept, club, 999_999]) {
      expect((await service.call('POST', `/v1/tag/${old}/merge`, { body: { into } })).status).toBe(400);
    }
  });

  test('stays a redirect through a further merge, and a feed goes on writing to its successor', async () => {
    const [a, b, c] = await Promise.all(
      ['First', 'Second', 'Third'].map((name) =>
        createTag(service, { type: 'stadium', label: `${name} Ground`, external_ids: { feed: name } }),
      ),
    );
    await service.call('POST', `/v1/tag/${a}/merge`, { body: { into: b } });
    await service.call('POST', `/v1/tag/${b}/merge`, { body: { into: c } });
    expect(await read(a ?? 0)).toMatchObject({ status: 'merged', merged_into: c });
    const upsert = await service.call('POST', '/v1/tag/bulk', {
      body: { tag_options: [{ type: 'stadium', label: 'Third Ground, renamed', external_ids: { feed: 'First' } }] },
    });
    expect(upsert.body['results']).toEqual([{ index: 0, status: 'updated', id: c }]);
    expect(await read(c ?? 0)).toMatchObject({ label: 'Third Ground, renamed', external_ids: { feed: 'Third' } });
  });
});

test('a deactivated tag option takes no new tagging and is still found', async () => {
  const tag = await createTag(service, { type: 'player', label: 'Retired Hero' });
  const media = await uploadMedia(service, await plainPhoto(30), { metadata: { tag_options: [tag] } });
  const other = await uploadMedia(service, await plainPhoto(31), {});
  await service.call('PATCH', `/v1/tag/${tag}`, { body: { status: 'deactivated' } });
  const refused = await service.call('POST', `/v1/media/${other['id']}/tag`, { body: { add: [tag] } });
  expect([refused.status, refused.body['code'], pointersOf(refused)]).toEqual([
    400,
    'tag_option_deactivated',
    ['/add'],
  ]);
  expect((await lookUp({ query: 'retired hero' }))['players']).toMatchObject([{ id: tag, status: 'deactivated' }]);
  expect(idsOf(await searchMedia(service, { player: tag }))).toEqual([media['id']]);
  const unchanged = await service.call('PATCH', `/v1/media/${media['id']}`, { body: { tag_options: [tag] } });
  expect(unchanged.status).toBe(200);
});

describe('bulk upsert', () => {
  const list = [
    {
      type: 'player',
      label: 'Bulk Player',
      external_ids: { feed: 'p1' },
      relations: { clubs: [{ club: { source: 'feed', id: 'c1' }, shirt_number: 9, from: '2025-07-01' }] },
    },
    {
      type: 'match',
      label: 'Bulk Match',
      external_ids: { feed: 'm1' },
      relations: { home: { source: 'feed', id: 'c1' } },
    },
    { type: 'club', label: 'Bulk Club', external_ids: { feed: 'c1' } },
    { type: 'club', label: 'No external id' },
    {
      type: 'player',
      label: 'Bad',
      external_ids: { feed: 'p2' },
      relations: { clubs: [{ club: { source: 'feed', id: 'none' } }] },
    },
    { label: 'No type', external_ids: { feed: 'x' } },
  ];

  test('takes references to later items, reports each item, and is the same the second time', async () => {
    const send = () => service.call('POST', '/v1/tag/bulk', { body: { tag_options: list } });
    const first = await send();
    expect(first.status, JSON.stringify(first.body)).toBe(200);
    const results = first.body['results'];
    expect(results.map((one: Json) => one['status'])).toEqual([
      'created',
      'created',
      'created',
      'failed',
      'failed',
      'failed',
    ]);
    expect(results[3].error.errors[0].pointer).toBe('/tag_options/3/external_ids');
    expect(results[4].error.errors[0].pointer).toBe('/tag_options/4/relations/clubs/0');
    expect(results[5].error.errors[0].pointer).toBe('/tag_options/5/type');
    const [player, match, club] = results.map((one: Json) => one['id']);
    expect((await read(player))['relations'].clubs).toMatchObject([{ club, shirt_number: 9 }]);
    expect((await read(match))['relations'].home).toBe(club);
    expect(await foundIds({ query: 'bulk club 9' })).toEqual([player]);

    const second = await send();
    expect(second.body['results'].slice(0, 3)).toEqual([
      { index: 0, status: 'unchanged', id: player },
      { index: 1, status: 'unchanged', id: match },
      { index: 2, status: 'unchanged', id: club },
    ]);
    expect((await read(player))['relations'].clubs).toHaveLength(1);
    expect((await lookUp({ query: 'bulk' }))['total']).toBe(3);
  });
});
