import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Answer, type Json, startApp, type TestApp } from '../support/app.ts';
import { createTag, idsOf, plainPhoto, pointersOf, searchMedia, uploadMedia } from '../support/library.ts';

let service: TestApp;
beforeAll(async () => {
  service = await startApp();
});
afterAll(() => service.close());

const change = (media: Json, body: object): Promise<Answer> =>
  service.call('POST', `/v1/media/${media['id']}/tag`, { body });
const read = async (media: Json): Promise<Json> =>
  (await service.call('GET', `/v1/media/${media['id']}`)).body['media'];
const suggestion = (id: number, confidence = 0.9, source = 'ai:faces') => ({ suggest: [{ id, source, confidence }] });
const countOf = async (tag: number) => (await service.call('GET', `/v1/tag/${tag}`)).body['tag_option'].media_count;
const changesOf = async (media: Json): Promise<readonly { type: string; data: Json }[]> =>
  service.app.installation.db
    .selectFrom('change')
    .select(['type', 'data'])
    .where('object_id', '=', media['id'])
    .where('type', '=', 'media.tags_changed')
    .orderBy('version')
    .execute();
let seed = 0;
const photo = async (members: object = {}): Promise<Json> =>
  uploadMedia(service, await plainPhoto((seed += 1)), { metadata: members });

describe('a suggested tag', () => {
  test('is shown apart, found by no search, and becomes a tag when it is accepted', async () => {
    const player = await createTag(service, { type: 'player', label: 'Seen By Machine' });
    const media = await photo();
    const before = await read(media);
    const answer = await change(media, suggestion(player, 0.75));
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    expect(answer.body).toMatchObject({
      skipped: [],
      media: {
        tag_options: [],
        suggested_tag_options: [
          { id: player, type: 'player', label: 'Seen By Machine', source: 'ai:faces', confidence: 0.75 },
        ],
      },
    });
    expect(answer.body['media'].version).toBeGreaterThan(before['version']);
    expect(idsOf(await searchMedia(service, { player }))).toEqual([]);
    expect(await countOf(player)).toBe(0);
    const shown = (await searchMedia(service, { name: before['name'] }))['media'].find(
      (one: Json) => one['id'] === media['id'],
    );
    expect(shown['suggested_tag_options']).toHaveLength(1);

    const accepted = await change(media, { accept: [player] });
    expect(accepted.body['media']).toMatchObject({
      tag_options: [{ id: player, source: 'ai:faces', confidence: 0.75 }],
      suggested_tag_options: [],
    });
    expect(idsOf(await searchMedia(service, { player }))).toEqual([media['id']]);
    expect(await countOf(player)).toBe(1);
    const actor = await service.app.installation.db
      .selectFrom('asset_tag')
      .select('actor')
      .where('asset_id', '=', media['id'])
      .executeTakeFirst();
    expect(actor).toEqual({ actor: 'test' });
    expect((await changesOf(media)).map(({ data }) => data)).toEqual([
      { added: [], removed: [] },
      { added: [player], removed: [] },
    ]);
  });

  test('is skipped for good once it was rejected, whichever machine suggests it, until a person adds it', async () => {
    const player = await createTag(service, { type: 'player', label: 'Not Him' });
    const media = await photo();
    await change(media, suggestion(player));
    const rejected = await change(media, { reject: [player] });
    expect(rejected.body['media']).toMatchObject({ tag_options: [], suggested_tag_options: [] });
    for (const source of ['ai:faces', 'ai:other', 'feed:opta']) {
      const again = await change(media, suggestion(player, 1, source));
      expect([again.status, again.body['skipped']]).toEqual([200, [{ id: player, reason: 'rejected' }]]);
    }
    const version = (await read(media))['version'];
    await change(media, { reject: [player] });
    expect((await read(media))['version']).toBe(version);
    expect((await change(media, { accept: [player] })).body['skipped']).toEqual([{ id: player, reason: 'rejected' }]);
    const added = await change(media, { add: [player] });
    expect(added.body['media'].tag_options).toMatchObject([{ id: player, source: 'manual' }]);
    expect((await change(media, suggestion(player))).body['skipped']).toEqual([{ id: player, reason: 'present' }]);
    // Taken off by hand, where a person had put it: machines may suggest it again.
    await change(media, { remove: [player] });
    expect((await change(media, suggestion(player))).body['skipped']).toEqual([]);
  });

  test('that was accepted and then removed by hand is rejected', async () => {
    const player = await createTag(service, { type: 'player', label: 'Second Thoughts' });
    const media = await photo();
    await change(media, suggestion(player));
    await change(media, { accept: [player] });
    await service.call('PATCH', `/v1/media/${media['id']}`, { body: { tag_options: [] } });
    expect((await change(media, suggestion(player))).body['skipped']).toEqual([{ id: player, reason: 'rejected' }]);
  });

  test('added by hand is accepted, and of two machines the surer one is shown', async () => {
    const [one, two] = [
      await createTag(service, { type: 'player', label: 'By Hand' }),
      await createTag(service, { type: 'player', label: 'Two Machines' }),
    ];
    const media = await photo();
    await change(media, {
      suggest: [
        { id: one, source: 'ai:a' },
        { id: two, source: 'ai:a', confidence: 0.6 },
      ],
    });
    const added = await change(media, { add: [one] });
    expect(added.body['media']).toMatchObject({
      tag_options: [{ id: one, source: 'manual' }],
      suggested_tag_options: [{ id: two, confidence: expect.closeTo(0.6, 5) }],
    });
    const sources = async () => (await read(media))['suggested_tag_options'].map((tag: Json) => tag['source']);
    await change(media, suggestion(two, 0.5, 'ai:b'));
    expect(await sources()).toEqual(['ai:a']);
    await change(media, suggestion(two, 0.8, 'ai:b'));
    expect(await sources()).toEqual(['ai:b']);
  });

  test('of a deactivated or merged option is skipped or led on, and of an unknown one refused', async () => {
    const [old, kept, closed] = [
      await createTag(service, { type: 'player', label: 'Merged Away' }),
      await createTag(service, { type: 'player', label: 'Merged Here' }),
      await createTag(service, { type: 'player', label: 'Closed' }),
    ];
    await service.call('POST', `/v1/tag/${old}/merge`, { body: { into: kept } });
    await service.call('PATCH', `/v1/tag/${closed}`, { body: { status: 'deactivated' } });
    const media = await photo();
    const answer = await change(media, {
      suggest: [
        { id: old, source: 'ai:a' },
        { id: closed, source: 'ai:a' },
      ],
    });
    expect(answer.body).toMatchObject({
      skipped: [{ id: closed, reason: 'deactivated' }],
      media: { suggested_tag_options: [{ id: kept }] },
    });
    const unknown = await change(media, suggestion(999_999));
    expect([unknown.status, unknown.body['code'], pointersOf(unknown)]).toEqual([
      400,
      'unknown_tag_option',
      ['/suggest'],
    ]);
    for (const one of [
      { id: kept, source: 'manual' },
      { id: kept, source: 'ai:' },
      { id: kept, source: 'ai:a', confidence: 2 },
    ]) {
      expect((await change(media, { suggest: [one] })).status).toBe(400);
    }
  });

  test('is in the list of open ones until it is judged or its asset goes to the bin', async () => {
    const [player, other] = [
      await createTag(service, { type: 'player', label: 'Listed' }),
      await createTag(service, { type: 'club', label: 'Listed Club' }),
    ];
    const [first, second] = [await photo(), await photo()];
    await change(first, {
      suggest: [
        { id: player, source: 'ai:list', confidence: 0.4 },
        { id: other, source: 'ai:list' },
      ],
    });
    await change(second, suggestion(player, 0.9, 'ai:list'));
    const list = async (query: string): Promise<Json> => {
      const answer = await service.call('GET', `/v1/tag/suggestion?${query}`);
      expect(answer.status, JSON.stringify(answer.body)).toBe(200);
      return answer.body;
    };
    const open = async (query: string) =>
      (await list(query))['suggestions'].map((one: Json) => [one['media_id'], one['tag_option'].id]);
    expect((await list(`tag=${player}`))['suggestions'][0]).toMatchObject({
      media_id: first['id'],
      tag_option: { id: player, type: 'player', label: 'Listed' },
      source: 'ai:list',
    });
    expect(await open(`tag=${player}`)).toEqual([
      [first['id'], player],
      [second['id'], player],
    ]);
    expect(await open(`tag=${player}&min_confidence=0.5`)).toEqual([[second['id'], player]]);
    expect(await open('source=ai:list')).toHaveLength(3);
    const page = await list('source=ai:list&limit=2');
    expect(page['suggestions']).toHaveLength(2);
    const next = `source=ai:list&limit=2&cursor=${page['next_cursor']}`;
    expect(await open(next)).toEqual([[second['id'], player]]);
    expect((await list(next))['next_cursor']).toBeNull();
    await change(first, { reject: [player] });
    await service.call('DELETE', `/v1/media/${second['id']}`);
    expect(await open('source=ai:list')).toEqual([[first['id'], other]]);
    expect((await service.call('GET', '/v1/tag/suggestion?min_confidence=2')).status).toBe(400);
  });
});

test('a keyword of the file does not come back after it was taken off by hand and the file is processed again', async () => {
  const tag = await createTag(service, { type: 'tag', label: 'Floodlights' });
  const file = await sharp(await plainPhoto(4711))
    .withXmp(`<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"
    xmlns:dc="http://purl.org/dc/elements/1.1/"><rdf:Description rdf:about=""><dc:subject><rdf:Bag><rdf:li>Floodlights</rdf:li>
    </rdf:Bag></dc:subject></rdf:Description></rdf:RDF></x:xmpmeta>`)
    .jpeg()
    .toBuffer();
  const media = await uploadMedia(service, file, {});
  expect(media['tag_options']).toMatchObject([{ id: tag, source: 'metadata' }]);
  await change(media, { remove: [tag] });
  const { db } = service.app.installation;
  await db.updateTable('asset').set({ status: 'failed' }).where('id', '=', media['id']).execute();
  expect((await service.call('POST', `/v1/media/${media['id']}/retry`)).status).toBe(200);
  const again = await uploadMedia(service, file, {});
  expect(again).toMatchObject({ id: media['id'], status: 'ready', tag_options: [] });
  const added = await change(media, { add: [tag] });
  expect(added.body['media'].tag_options).toMatchObject([{ id: tag, source: 'manual' }]);
});

describe('what a match implies', () => {
  const world = async (kickOff: string | null) => {
    const create = (type: string, label: string, relations: object = {}) =>
      createTag(service, { type, label, relations });
    const [old, now, named] = [
      await create('stadium', 'Old'),
      await create('stadium', 'Now'),
      await create('stadium', 'Named'),
    ];
    const stadiums = [
      { stadium: old, from: '2000-01-01', to: '2025-06-30' },
      { stadium: now, from: '2025-07-01' },
    ];
    const home = await create('club', 'Implied Home', { stadiums });
    const away = await create('club', 'Implied Away');
    const match = await create('match', 'Implied Match', { home, away, ...(kickOff && { kick_off: kickOff }) });
    return { old, now, named, home, away, match };
  };
  const tagsOf = async (media: Json): Promise<Record<number, string>> =>
    Object.fromEntries((await read(media))['tag_options'].map((tag: Json) => [tag['id'], tag['source']]));
  const edit = async (tag: number, relations: object) => {
    const answer = await service.call('PATCH', `/v1/tag/${tag}`, { body: { relations } });
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  };

  test('is the stadium of the home club on the day of the kick-off, when the match names none', async () => {
    const { old, now, named, home, away, match } = await world('2025-05-10T15:00:00Z');
    const media = await photo({ tag_options: [match] });
    const implied = (stadium: number) => ({
      [match]: 'manual',
      [home]: 'implied',
      [away]: 'implied',
      [stadium]: 'implied',
    });
    expect(await tagsOf(media)).toEqual(implied(old));
    expect(idsOf(await searchMedia(service, { stadium: old }))).toEqual([media['id']]);
    await edit(match, { kick_off: '2025-08-10T15:00:00Z' });
    expect(await tagsOf(media)).toEqual(implied(now));
    await edit(match, { stadium: named });
    expect(await tagsOf(media)).toEqual(implied(named));
    await edit(match, { stadium: null });
    // The club moves: of the matches without a stadium, those of its time there follow.
    await edit(home, { stadiums: [{ stadium: named, from: '2025-07-01' }] });
    expect(await tagsOf(media)).toEqual(implied(named));
    await edit(home, { stadiums: [] });
    expect(await tagsOf(media)).toEqual({ [match]: 'manual', [home]: 'implied', [away]: 'implied' });
  });

  test('has no stadium while the match has neither one nor a kick-off', async () => {
    const { home, away, match } = await world(null);
    const media = await photo({ tag_options: [match] });
    expect(await tagsOf(media)).toEqual({ [match]: 'manual', [home]: 'implied', [away]: 'implied' });
  });

  test('never takes the place of a tag that somebody put there, and goes with the match', async () => {
    const { home, away, now, match } = await world('2025-08-10T15:00:00Z');
    const other = await createTag(service, { type: 'club', label: 'Another Guest' });
    const media = await photo({ tag_options: [match, away] });
    expect(await tagsOf(media)).toMatchObject({ [away]: 'manual', [home]: 'implied' });
    await edit(match, { away: other });
    expect(await tagsOf(media)).toMatchObject({ [away]: 'manual', [other]: 'implied', [now]: 'implied' });
    await change(media, { add: [home] });
    await change(media, { remove: [match] });
    expect(await tagsOf(media)).toEqual({ [away]: 'manual', [home]: 'manual' });
  });

  test('stays off an asset where a person rejected it', async () => {
    const { home, away, match, now } = await world('2025-08-10T15:00:00Z');
    const media = await photo({ tag_options: [match] });
    await change(media, { reject: [away] });
    expect(await tagsOf(media)).toEqual({ [match]: 'manual', [home]: 'implied', [now]: 'implied' });
    await edit(match, { round: 'Final', kick_off: '2025-08-11T15:00:00Z' });
    expect(await tagsOf(media)).not.toHaveProperty(String(away));
    expect(idsOf(await searchMedia(service, { club: away }))).toEqual([]);
    await change(media, { add: [away] });
    expect(await tagsOf(media)).toMatchObject({ [away]: 'manual' });
  });

  test('accepts no suggestion of itself', async () => {
    const { home, match } = await world('2025-08-10T15:00:00Z');
    const media = await photo();
    await change(media, suggestion(home));
    await change(media, { add: [match] });
    // The club is there by the match now: nothing is left to judge.
    expect((await read(media))['suggested_tag_options']).toEqual([]);
    expect((await change(media, suggestion(home))).body['skipped']).toEqual([{ id: home, reason: 'present' }]);
  });
});
