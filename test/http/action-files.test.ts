import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createWorkbench, H264, picture, skipsWithoutFfmpeg, type Workbench } from '../../src/video/test-video.ts';
import { type Answer, type Json, startApp, type TestApp } from '../support/app.ts';
import { createTag, pointersOf, uploadMedia } from '../support/library.ts';
import { expectProblem } from '../support/problem.ts';

type Event = {
  readonly id: number;
  readonly type: number;
  readonly min: number;
  readonly sec: number;
  readonly period?: number;
  readonly player?: string;
  readonly team?: string;
  readonly version?: number;
  readonly qualifiers?: Readonly<Record<number, string>>;
};

/** An Opta F24 file, drawn: attributes and values as the feed has them. */
function optaFile(game: number, events: readonly Event[]): string {
  const lines = events.map((event) => {
    const { id, type, min, sec, period = 1, player = '929961', team = '264278', version = 1 } = event;
    const qualifiers = Object.entries(event.qualifiers ?? {}).map(
      ([qualifier, value], at) => `<Q id="${id}${at}" qualifier_id="${qualifier}" value="${value}" />`,
    );
    return `<Event id="${id}" event_id="${id % 1000}" type_id="${type}" period_id="${period}" min="${min}" sec="${sec}" player_id="${player}" team_id="${team}" outcome="1" x="90.1" y="44.0" version="${version}">${qualifiers.join('')}</Event>`;
  });
  return `<?xml version="1.0" encoding="UTF-8"?>
<Games timestamp="2026-03-14T21:30:00"><Game id="${game}" home_team_id="264278" away_team_id="345967" home_team_name="Port Averley" away_team_name="Brackmoor">
${lines.join('\n')}
</Game></Games>`;
}

const GOAL: Event = { id: 1001, type: 16, min: 0, sec: 4 };
const SAVE: Event = { id: 1002, type: 10, min: 0, sec: 6, player: '374772', team: '345967' };

describe.skipIf(skipsWithoutFfmpeg)('files of events (needs ffmpeg)', () => {
  let service: TestApp;
  let bench: Workbench;
  let videos: Buffer[];
  let home: number;
  let away: number;
  let scorer: number;
  let keeper: number;
  let games = 321_411;
  beforeAll(async () => {
    service = await startApp();
    bench = createWorkbench();
    videos = [1, 2, 3, 4, 5, 6].map((seconds) =>
      readFileSync(
        bench.draw(`match-${seconds}.mp4`, ...picture({ size: '160x90', rate: '25', seconds: 20 + seconds }), ...H264),
      ),
    );
    home = await createTag(service, { type: 'club', label: 'Port Averley FC', external_ids: { opta: 't264278' } });
    away = await createTag(service, { type: 'club', label: 'Brackmoor Athletic', external_ids: { opta: 't345967' } });
    scorer = await createTag(service, {
      type: 'player',
      label: 'Núñera',
      external_ids: { opta: 'p929961' },
      relations: { clubs: [{ club: home, shirt_number: 7 }] },
    });
    keeper = await createTag(service, {
      type: 'player',
      label: 'Vrbický',
      external_ids: { opta: 'p374772' },
      relations: { clubs: [{ club: away, shirt_number: 1 }] },
    });
  }, 60_000);
  afterAll(async () => {
    bench.remove();
    await service.close();
  });

  /** A video of a match of its own, whose first half kicks off after 2 s; its number in the feed is `game`. */
  const matchVideo = async (
    at: number,
  ): Promise<{ readonly id: number; readonly match: number; readonly game: number }> => {
    games += 1;
    const game = games;
    const match = await createTag(service, {
      type: 'match',
      label: `Averley v Brackmoor ${game}`,
      external_ids: { opta: `g${game}` },
      relations: { home, away, kick_off: '2026-03-14T19:30:00Z' },
    });
    const media = await uploadMedia(service, videos[at] ?? Buffer.alloc(0), {
      name: `match ${at}.mp4`,
      metadata: { tag_options: [match] },
      headers: { Prefer: 'wait=60' },
    });
    const timeline = { periods: [{ period: 1, start_ms: 2000 }] };
    const answer = await service.call('PATCH', `/v1/media/${media['id']}`, { body: { timeline } });
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    return { id: media['id'], match, game };
  };
  const importFile = async (id: number, file: string | Buffer, query = ''): Promise<Answer> => {
    const response = await fetch(`${service.url}/v1/media/${id}/action/import${query}`, {
      method: 'POST',
      headers: { 'X-Api-Key': service.key, 'Content-Type': 'application/xml' },
      body: typeof file === 'string' ? file : new Uint8Array(file),
    });
    return { status: response.status, headers: response.headers, body: (await response.json()) as Json };
  };
  const imported = async (id: number, file: string | Buffer, query = ''): Promise<Json> => {
    const answer = await importFile(id, file, query);
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    return answer.body;
  };
  const exported = async (id: number, query: string): Promise<string> => {
    const response = await fetch(`${service.url}/v1/media/${id}/action/export?${query}`, {
      headers: { 'X-Api-Key': service.key },
    });
    expect(response.status).toBe(200);
    return response.text();
  };
  const actionsOf = async (id: number): Promise<Json[]> =>
    (await service.call('GET', `/v1/media/${id}/action?limit=200`)).body['actions'];
  const counted = (given: Readonly<Record<string, number>>) => ({
    events: 0,
    created: 0,
    updated: 0,
    unchanged: 0,
    stale: 0,
    retracted: 0,
    ignored: 0,
    failed: 0,
    ...given,
  });

  test('a feed is previewed, imported, imported again, corrected and withdrawn', async () => {
    const { id, match, game } = await matchVideo(0);
    const file = optaFile(game, [GOAL, SAVE]);
    const preview = await imported(id, file, '?preview=true');
    expect(preview).toMatchObject({ format: 'opta_f24', preview: true, unknown: [], problems: [], errors: [] });
    expect(preview['counts']).toEqual(counted({ events: 2, created: 2 }));
    expect(preview['actions'].map((one: Json) => one['id'])).toEqual([null, null]);
    expect(await actionsOf(id)).toEqual([]);

    expect((await imported(id, file))['counts']).toEqual(counted({ events: 2, created: 2 }));
    const [goal, save] = await actionsOf(id);
    expect(goal).toMatchObject({
      type_key: 'goal',
      start_ms: 6000,
      event_ms: 6000,
      period: 1,
      clock_ms: 4000,
      minute: 1,
      match,
      match_label: `Averley v Brackmoor ${game}`,
      source: 'feed:opta',
      source_ref: '1001',
      source_version: 1,
      status: 'confirmed',
      created_by: 'import by test',
    });
    expect(goal?.['players']).toEqual([{ id: scorer, label: 'Núñera', role: 'scorer', shirt: null }]);
    expect(goal?.['clubs']).toEqual([{ id: home, label: 'Port Averley FC', side: 'home' }]);
    expect(save?.['clubs']).toEqual([{ id: away, label: 'Brackmoor Athletic', side: 'away' }]);
    expect((await imported(id, file))['counts']).toEqual(counted({ events: 2, unchanged: 2 }));

    const corrected = optaFile(game, [{ ...GOAL, sec: 5, version: 2 }, SAVE]);
    expect((await imported(id, corrected))['counts']).toEqual(counted({ events: 2, updated: 1, unchanged: 1 }));
    expect((await imported(id, file))['counts']).toEqual(counted({ events: 2, stale: 1, unchanged: 1 }));
    expect((await actionsOf(id))[0]).toMatchObject({ id: goal?.['id'], event_ms: 7000, source_version: 2 });

    const withdrawn = optaFile(game, [
      { ...GOAL, type: 43, version: 3 },
      { id: 1999, type: 43, min: 0, sec: 0 },
    ]);
    expect((await imported(id, withdrawn))['counts']).toEqual(counted({ events: 2, retracted: 1, ignored: 1 }));
    expect((await actionsOf(id)).map((one) => one['type_key'])).toEqual(['save']);
    const retracted = await service.call('GET', `/v1/action/${goal?.['id']}`);
    expect(retracted.body['action']).toMatchObject({ status: 'retracted', source_version: 3, event_ms: 7000 });
    expect((await imported(id, corrected))['counts']).toEqual(counted({ events: 2, stale: 1, unchanged: 1 }));
  });

  test('what a person corrected outlives the same state of the feed, and gives way to a newer one', async () => {
    const { id, game } = await matchVideo(1);
    await imported(id, optaFile(game, [{ ...GOAL, id: 2001 }]));
    const [goal] = await actionsOf(id);
    const path = `/v1/action/${goal?.['id']}`;
    await service.call('PATCH', path, { body: { label: 'Late winner', status: 'retracted' } });
    expect((await imported(id, optaFile(game, [{ ...GOAL, id: 2001 }])))['counts']).toEqual(
      counted({ events: 1, unchanged: 1 }),
    );
    expect((await service.call('GET', path)).body['action']).toMatchObject({
      status: 'retracted',
      label: 'Late winner',
    });
    await imported(id, optaFile(game, [{ ...GOAL, id: 2001, version: 2 }]));
    expect((await service.call('GET', path)).body['action']).toMatchObject({ status: 'confirmed', source_version: 2 });
  });

  test('strict refuses a file with an unknown name as a whole and says which; lenient makes a tag option for it', async () => {
    const { id, game } = await matchVideo(2);
    const file = optaFile(game, [
      { ...GOAL, id: 3001 },
      { ...GOAL, id: 3002, player: '555' },
      { ...GOAL, id: 3003, player: '555', sec: 8 },
    ]);
    const refused = await importFile(id, file);
    expect(expectProblem(refused, 'validation_failed')['detail']).toContain('opta 555');
    expect(pointersOf(refused)).toEqual(['/players/opta 555']);
    expect(await actionsOf(id)).toEqual([]);
    const preview = await imported(id, file, '?preview=true');
    expect(preview['unknown']).toEqual([
      { kind: 'player', name: 'opta 555', reason: 'unknown', count: 2, candidates: [], created_id: null },
    ]);

    const report = await imported(id, file, '?mode=lenient');
    expect(report['counts']).toEqual(counted({ events: 3, created: 3 }));
    const made = report['unknown'][0]['created_id'];
    expect((await service.call('GET', `/v1/tag/${made}`)).body['tag_option']).toMatchObject({
      type: 'player',
      label: 'opta 555',
      category: 'imported',
      external_ids: { opta: '555' },
    });
    expect((await actionsOf(id)).map((one) => one['players'][0]['id'])).toEqual([scorer, made, made]);
    expect((await imported(id, file))['counts']).toEqual(counted({ events: 3, unchanged: 3 }));
  });

  test('a Sportscode file names players by shirt number and club, and its own types become types of the library', async () => {
    const { id } = await matchVideo(3);
    const file = `<?xml version="1.0" encoding="UTF-16"?><file><ALL_INSTANCES>
      <instance><ID>1</ID><start>3.2</start><end>8.04</end><code>Goals</code>
        <label><group>Team</group><text>Port Averley FC</text></label>
        <label><group>Player</group><text>7</text></label>
        <label><group>Half</group><text>First</text></label></instance>
      <instance><ID>2</ID><start>9</start><end>12</end><code>High Press</code></instance>
      </ALL_INSTANCES></file>`;
    const bytes = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(file, 'utf16le')]);
    const refused = await importFile(id, bytes);
    expect(pointersOf(refused)).toEqual(['/types/High Press']);
    const report = await imported(id, bytes, '?mode=lenient');
    expect(report).toMatchObject({ format: 'sportscode_xml', counts: { created: 2 } });
    const [goal, press] = await actionsOf(id);
    expect(goal).toMatchObject({ type_key: 'goal', start_ms: 3200, end_ms: 8040, source: 'import:sportscode_xml' });
    expect(goal?.['players'].map((one: Json) => one['id'])).toEqual([scorer]);
    expect(goal?.['clubs'].map((one: Json) => one['id'])).toEqual([home]);
    expect(press).toMatchObject({ type_key: 'high_press', type_label: 'High Press' });
    expect((await imported(id, bytes))['counts']).toEqual(counted({ events: 2, unchanged: 2 }));
  });

  test.each(['sportscode_xml', 'webvtt', 'csv', 'json_lines', 'edl'])(
    'actions written as %s come back without loss, and again to where they came from change nothing',
    async (format) => {
      const { id: from } = await matchVideo(4);
      const { id: to } = await matchVideo(5);
      const actions = [
        {
          type: 'goal',
          label: '2–1, "Núñera" & <Valdremo> --> roof',
          start_ms: 2510,
          end_ms: 9530,
          event_ms: 5900,
          clubs: [{ id: home, side: 'home' }],
          players: [
            { id: scorer, role: 'scorer', shirt: 7 },
            { id: keeper, role: 'goalkeeper', shirt: 1 },
          ],
          period: 1,
          clock_ms: 3900,
          outcome: 'right foot',
          x: 90,
          y: 44.5,
          details: { body_part: 'foot', xg: 0.31, chain: ['a', 'b'] },
          confidence: 0.5,
          status: 'disputed',
        },
        {
          type: 'corner',
          start_ms: 12_000,
          end_ms: 12_000,
          source: 'import:club',
          source_ref: `c-${format}`,
          source_version: 4,
        },
      ];
      const made = await service.call('POST', `/v1/media/${from}/action`, { body: actions });
      expect(made.body['errors'], JSON.stringify(made.body)).toEqual([]);
      const text = await exported(from, `format=${format}`);
      const again = await imported(from, text, '?preview=true');
      expect(again['counts']).toMatchObject({ created: 0, updated: 0, failed: 0 });
      expect(again).toMatchObject({ format, problems: [], unknown: [] });

      await imported(to, text);
      const shown = (list: readonly Json[]) =>
        list
          .filter((one) => one['media_id'] === from || one['media_id'] === to)
          .map(({ type_key, label, start_ms, end_ms, event_ms, clubs, players, period, clock_ms, ...rest }) => ({
            facts: [type_key, label, start_ms, end_ms, event_ms, clubs, players, period, clock_ms],
            outcome: rest['outcome'],
            place: [rest['x'], rest['y']],
            details: rest['details'],
            confidence: rest['confidence'],
            status: rest['status'],
          }));
      const [before, after] = [await actionsOf(from), await actionsOf(to)];
      expect(shown(after)).toEqual(expect.arrayContaining(shown(before).filter((one) => one.facts[0] === 'goal')));
      for (const one of [...before, ...after]) await service.call('DELETE', `/v1/action/${one['id']}`);
      for (const id of [from, to]) await service.call('DELETE', `/v1/media/${id}`);
    },
  );

  test('actions as the API answers them are lines of an import to another video', async () => {
    const { id: from, match } = await matchVideo(4);
    const { id: to } = await matchVideo(5);
    const body = [{ type: 'goal', start_ms: 1000, end_ms: 4000, match, players: [{ id: scorer, role: 'scorer' }] }];
    const made = await service.call('POST', `/v1/media/${from}/action`, { body });
    const text = (await actionsOf(from)).map((one) => JSON.stringify(one)).join('\n');
    expect(made.body['errors']).toEqual([]);
    expect(await imported(to, text)).toMatchObject({ format: 'json_lines', problems: [], counts: { created: 1 } });
    expect(await actionsOf(to)).toMatchObject([
      { type_key: 'goal', start_ms: 1000, end_ms: 4000, match, players: [{ id: scorer, role: 'scorer' }] },
    ]);
  });

  test('a wrong file, a wrong video and a wrong key are refused', async () => {
    const { id, game } = await matchVideo(0);
    expectProblem(await importFile(id, 'no events here'), 'validation_failed');
    expectProblem(await importFile(id, ''), 'validation_failed');
    const broken = await importFile(id, '<Games><Game id="1"><Event id="1"');
    expect(expectProblem(broken, 'validation_failed')['detail']).toMatch(/line 1, column \d+/);
    expectProblem(await importFile(999_999, optaFile(game, [GOAL])), 'not_found');
    expectProblem(await importFile(id, optaFile(game, [GOAL]), '?mode=loose'), 'validation_failed');
    const outside = await importFile(id, optaFile(game, [{ ...GOAL, id: 9001, min: 44 }]));
    expect(expectProblem(outside, 'validation_failed')['detail']).toContain('line 3');
    const reader = await service.createKey({ scopes: ['media.read'] });
    const answer = await service.call('POST', `/v1/media/${id}/action/import`, { key: reader, body: {} });
    expectProblem(answer, 'scope_missing');
    expectProblem(await service.call('GET', `/v1/media/${id}/action/export?format=pdf`), 'validation_failed');
    expectProblem(await service.call('GET', `/v1/media/999999/action/export?format=csv`), 'not_found');
  });
});
