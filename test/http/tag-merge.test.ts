import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Json, startApp, type TestApp } from '../support/app.ts';
import { createTag, idsOf, plainPhoto, pointersOf, searchMedia, uploadMedia } from '../support/library.ts';

let service: TestApp;
beforeAll(async () => {
  service = await startApp();
});
afterAll(() => service.close());

const read = async (id: number): Promise<Json> => (await service.call('GET', `/v1/tag/${id}`)).body['tag_option'];
const merge = async (from: number, into: number): Promise<Json> => {
  const answer = await service.call('POST', `/v1/tag/${from}/merge`, { body: { into } });
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return answer.body['tag_option'];
};
const change = (media: Json, body: object) => service.call('POST', `/v1/media/${media['id']}/tag`, { body });
const create = (type: string, label: string, relations: object = {}) => createTag(service, { type, label, relations });
let seed = 100;
const photo = async (members: object = {}): Promise<Json> =>
  uploadMedia(service, await plainPhoto((seed += 1)), { metadata: members });

describe('a merge of two clubs', () => {
  test('says of players once what both had, and keeps the parent of the survivor', async () => {
    const [parent, other] = [await create('club', 'Parent'), await create('club', 'Other Parent')];
    const from = await create('club', 'Club Twice', { parent: other });
    const into = await create('club', 'Club Once', { parent });
    const youth = await create('club', 'Youth', { parent: from });
    const stay = { from: '2025-07-01', shirt_number: 9 };
    const player = await create('player', 'At Both', {
      clubs: [
        { club: from, ...stay },
        { club: into, ...stay },
        { club: from, to: '2024-06-30' },
      ],
    });
    await merge(from, into);
    const { clubs } = (await read(player))['relations'];
    expect(clubs).toHaveLength(2);
    expect(clubs).toMatchObject([
      { club: into, shirt_number: 9 },
      { club: into, to: '2024-06-30' },
    ]);
    expect((await read(into))['relations'].parent).toBe(parent);
    expect((await read(youth))['relations'].parent).toBe(into);
  });

  test('makes no club its own parent, however they were related', async () => {
    const top = await create('club', 'Top');
    const middle = await create('club', 'Middle', { parent: top });
    const low = await create('club', 'Low', { parent: middle });
    await merge(top, low);
    expect((await read(low))['relations'].parent).toBeNull();
    expect((await read(middle))['relations'].parent).toBe(low);
    const again = await service.call('PATCH', `/v1/tag/${low}`, { body: { relations: { parent: middle } } });
    expect([again.status, pointersOf(again)]).toEqual([400, ['/relations/parent']]);
    const child = await create('club', 'Child', { parent: low });
    await merge(child, low);
    expect((await read(low))['relations'].parent).toBeNull();
  });

  test('moves its matches with it, and the stadium that they are played in', async () => {
    const stadium = await create('stadium', 'Merge Ground');
    const from = await create('club', 'Ground Owner', { stadiums: [{ stadium, from: '2020-01-01' }] });
    const into = await create('club', 'Ground Heir');
    const match = await create('match', 'Heir At Home', { home: into, kick_off: '2026-03-01T15:00:00Z' });
    const media = await photo({ tag_options: [match] });
    expect(idsOf(await searchMedia(service, { stadium }))).toEqual([]);
    await merge(from, into);
    expect(idsOf(await searchMedia(service, { stadium }))).toEqual([media['id']]);
  });
});

test('a rejection of either option is one of the survivor, and so is a suggestion', async () => {
  const [from, into] = [await create('player', 'Twin A'), await create('player', 'Twin B')];
  const suggest = (id: number) => ({ suggest: [{ id, source: 'ai:faces', confidence: 0.5 }] });
  const [rejected, suggested, mixed, tagged] = [await photo(), await photo(), await photo(), await photo()];
  await change(rejected, { reject: [from] });
  await change(suggested, suggest(from));
  await change(mixed, suggest(into));
  await change(mixed, { reject: [from] });
  await change(tagged, { add: [into] });
  await change(tagged, suggest(from));
  await merge(from, into);
  const suggestedOf = async (media: Json) =>
    (await service.call('GET', `/v1/media/${media['id']}`)).body['media'].suggested_tag_options.map(
      (one: Json) => one['id'],
    );
  expect(await suggestedOf(suggested)).toEqual([into]);
  expect(await suggestedOf(mixed)).toEqual([]);
  expect(await suggestedOf(tagged)).toEqual([]);
  for (const media of [rejected, mixed]) {
    expect((await change(media, suggest(into))).body['skipped']).toEqual([{ id: into, reason: 'rejected' }]);
  }
});

describe('relations', () => {
  test('of sponsors, players and clubs are dated and answered as given', async () => {
    const [competition, club, sponsor] = [
      await create('competition', 'Sponsored League'),
      await create('club', 'Sponsored Club'),
      await create('sponsor', 'Contract Bank'),
    ];
    const window = { from: '2024-01-01', to: '2026-12-31' };
    await service.call('PATCH', `/v1/tag/${sponsor}`, {
      body: { relations: { clubs: [{ club, ...window }], competitions: [{ competition, ...window }] } },
    });
    expect((await read(sponsor))['relations']).toMatchObject({
      clubs: [{ club, ...window }],
      competitions: [{ competition, season: null, ...window }],
    });
    const player = await create('player', 'Sponsored Player', { sponsors: [{ sponsor, ...window }] });
    expect((await read(player))['relations'].sponsors).toEqual([{ sponsor, ...window }]);
    const women = await create('club', 'Sponsored Club Women', { parent: club });
    expect((await read(women))['relations'].parent).toBe(club);
    await service.call('PATCH', `/v1/tag/${women}`, { body: { relations: { parent: null } } });
    expect((await read(women))['relations'].parent).toBeNull();
  });

  test('of a match hold its round, status and score', async () => {
    const match = await create('match', 'Score Match', { status: 'scheduled', round: 'Quarter-final' });
    const live = { status: 'live', home_score: 1, away_score: 0 };
    await service.call('PATCH', `/v1/tag/${match}`, { body: { relations: live } });
    expect((await read(match))['relations']).toMatchObject({ ...live, round: 'Quarter-final' });
    const wrong = await service.call('PATCH', `/v1/tag/${match}`, { body: { relations: { status: 'over' } } });
    expect([wrong.status, pointersOf(wrong)]).toEqual([400, ['/relations/status']]);
  });

  test('that cannot be are refused with a pointer to the place', async () => {
    const club = await create('club', 'Refusing Club');
    const refused = async (type: string, relations: object) => {
      const answer = await service.call('POST', '/v1/tag', { body: { type, label: 'Refused', relations } });
      expect(answer.status, JSON.stringify(answer.body)).toBe(400);
      return pointersOf(answer);
    };
    const backwards = { from: '2026-07-01', to: '2026-06-30' };
    expect(await refused('player', { clubs: [{ club }, { club, ...backwards }] })).toEqual(['/relations/clubs/1/to']);
    expect(await refused('player', { clubs: [{ club, from: '2026-02-30' }] })).toEqual(['/relations/clubs/0/from']);
    expect(await refused('match', { home: club, away: club })).toEqual(['/relations/away']);
    expect(await refused('player', { parent: club })).toEqual(['/relations/parent']);
    expect(await refused('stadium', { sponsors: [] })).toEqual(['/relations/sponsors']);
    const own = await service.call('PATCH', `/v1/tag/${club}`, { body: { relations: { parent: club } } });
    expect([own.status, pointersOf(own)]).toEqual([400, ['/relations/parent']]);
    // Two clubs at a time are no fault: a loan is one.
    const loan = await create('player', 'On Loan', {
      clubs: [
        { club, from: '2025-07-01' },
        { club: await create('club', 'Loan Club'), from: '2026-01-01', to: '2026-06-30' },
      ],
    });
    expect((await read(loan))['relations'].clubs).toHaveLength(2);
  });

  test('sent again change neither version nor time nor feed', async () => {
    const club = await create('club', 'Same Club');
    const body = { label: 'Same Player', aliases: ['S'], relations: { clubs: [{ club, shirt_number: 4 }] } };
    const player = await createTag(service, { type: 'player', ...body });
    const before = await read(player);
    const answer = await service.call('PATCH', `/v1/tag/${player}`, { body });
    expect(answer.body['tag_option']).toEqual(before);
    const other = await service.call('POST', '/v1/tag', { body: { type: 'tag', label: 'Next' } });
    expect(Number(other.headers.get('x-library-version'))).toBe(Number(answer.headers.get('x-library-version')) + 1);
  });
});

test('a tag option that an action names cannot be deleted, and a merge takes its actions along', async () => {
  const [from, into] = [await create('player', 'Acting'), await create('player', 'Acting Too')];
  const type = await createTag(service, { type: 'tag', category: 'action type', label: 'Somersault' });
  const media = await photo();
  const { db } = service.app.installation;
  const action = await db
    .insertInto('action')
    .values({
      organization_id: service.organizationId,
      asset_id: media['id'],
      type_id: type,
      players: JSON.stringify([{ id: from, role: 'scorer', shirt: 9 }]),
      tag_ids: [type, from],
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  for (const tag of [from, type]) {
    const deleted = await service.call('DELETE', `/v1/tag/${tag}`);
    expect([deleted.status, deleted.body['code']]).toEqual([409, 'conflict']);
  }
  await merge(from, into);
  const row = await db.selectFrom('action').selectAll().where('id', '=', action.id).executeTakeFirstOrThrow();
  expect(row).toMatchObject({ players: [{ id: into, role: 'scorer', shirt: 9 }], version: 2, updated_by: 'test' });
  expect(row.tag_ids).toEqual([into, type].toSorted((a, b) => a - b));
});
