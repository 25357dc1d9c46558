import { describe, expect, test } from 'vitest';
import { broadcastMinute } from '../base/index.ts';
import { parseOptaF24 } from './opta-f24.ts';
import { readOptaTime } from './opta-time.ts';

const event = (attributes: string, qualifiers: Readonly<Record<number, string>> = {}) => {
  const inside = Object.entries(qualifiers).map(
    ([id, value]) => `<Q id="9${id}" qualifier_id="${id}"${value === '' ? '' : ` value="${value}"`} />`,
  );
  return `    <Event ${attributes}>${inside.join('')}</Event>\n`;
};
const file = (...events: readonly string[]) =>
  `<?xml version="1.0" encoding="UTF-8"?>
<Games timestamp="2026-03-14T17:05:00">
  <Game id="2201" home_team_id="41" home_team_name="Pavonia" away_team_id="42" away_team_name="Bravmar" game_date="2026-03-14T15:00:00">
${events.join('')}  </Game>
</Games>
`;
const parse = (...events: readonly string[]) => parseOptaF24(Buffer.from(file(...events)));
const at = 'period_id="2" min="77" sec="13" team_id="41" timestamp="2026-03-14T16:32:19.94" version="7"';

const KICK_OFF = event(
  'id="1" event_id="1" type_id="32" period_id="1" min="0" sec="0" team_id="41" timestamp_utc="2026-03-14T15:00:04.217Z" version="1"',
);
const ASSIST = event(`id="100" event_id="500" type_id="1" ${at} player_id="710" outcome="1" x="63.3" y="54.4"`, {
  140: '88.1',
  141: '45.0',
  4: '',
  55: '1',
});
const GOAL = event(`id="101" event_id="501" type_id="16" ${at} player_id="707" outcome="1" x="90.0" y="44.1"`, {
  29: '',
  55: '500',
  20: '',
  102: '48.2',
});

describe('Opta F24', () => {
  test('a goal has its scorer, the assist that qualifier 55 names, club, side, clock and place', () => {
    const { records, problems, match } = parse(KICK_OFF, ASSIST, GOAL);
    expect(problems).toEqual([]);
    expect(records.map(({ ref, type }) => [ref, type.key])).toEqual([
      ['1', 'period_start'],
      ['100', 'pass'],
      ['101', 'goal'],
    ]);
    expect(records[2]).toEqual({
      at: { line: 6, index: 2 },
      ref: '101',
      version: 7,
      deleted: false,
      type: { key: 'goal', name: 'Goal', id: '16' },
      wallclockAt: '2026-03-14T16:32:19.094Z',
      period: 2,
      clockMs: 4_633_000,
      match: { externalIds: { opta: '2201' } },
      clubs: [{ externalIds: { opta: '41' }, name: 'Pavonia', side: 'home' }],
      players: [
        { externalIds: { opta: '707' }, role: 'scorer' },
        { externalIds: { opta: '710' }, role: 'assist' },
      ],
      x: 90,
      y: 44.1,
      tags: [{ group: 'body part', text: 'right foot' }],
      details: { opta_event_id: '501', opta_outcome: '1', opta_qualifiers: { 29: '', 55: '500', 20: '', 102: '48.2' } },
      relatedRefs: ['100'],
    });
    expect(records[1]).toMatchObject({
      outcome: 'complete',
      endX: 88.1,
      endY: 45,
      players: [{ role: 'passer' }],
      tags: [{ text: 'through ball' }],
    });
    expect(match).toEqual({
      match: { externalIds: { opta: '2201' } },
      clubs: [
        { externalIds: { opta: '41' }, name: 'Pavonia', side: 'home' },
        { externalIds: { opta: '42' }, name: 'Bravmar', side: 'away' },
      ],
      kickOffs: [{ period: 1, wallclockAt: '2026-03-14T15:00:04.217Z' }],
    });
  });

  test('min and sec are the running clock, in stoppage time and extra time too', () => {
    const clock = (period: number, min: number, sec: number) => {
      const [record] = parse(
        event(`id="1" event_id="1" type_id="5" period_id="${period}" min="${min}" sec="${sec}" team_id="41"`),
      ).records;
      return record?.clockMs === undefined ? undefined : broadcastMinute({ period, clockMs: record.clockMs });
    };
    expect(clock(1, 46, 30)).toEqual({ minute: 45, stoppage: 2 });
    expect(clock(2, 45, 0)).toEqual({ minute: 46 });
    expect(clock(3, 90, 1)).toEqual({ minute: 91 });
    expect(clock(4, 120, 59)).toEqual({ minute: 120, stoppage: 1 });
    expect(clock(5, 120, 0)).toBeUndefined();
  });

  test.each([
    [{ 28: '' }, 'own_goal'],
    [{ 9: '' }, 'penalty'],
    [{ 72: '' }, undefined],
  ])('a goal with %j has the outcome %s', (qualifiers, outcome) => {
    expect(parse(event(`id="1" event_id="1" type_id="16" ${at} player_id="7"`, qualifiers)).records[0]?.outcome).toBe(
      outcome,
    );
  });

  test.each([
    ['17', '1', { 31: '' }, 'card_yellow', 'carded', undefined],
    ['17', '1', { 32: '' }, 'card_second_yellow', 'carded', undefined],
    ['17', '1', { 33: '' }, 'card_red', 'carded', undefined],
    ['4', '0', {}, 'foul', 'fouler', undefined],
    ['4', '1', {}, 'foul_won', 'fouled', undefined],
    ['6', '1', {}, 'corner_won', 'winner', undefined],
    ['6', '0', {}, 'corner_conceded', undefined, undefined],
    ['1', '1', { 6: '' }, 'corner', 'taker', 'complete'],
    ['1', '0', { 107: '' }, 'throw_in', 'taker', 'incomplete'],
    ['10', '1', {}, 'save', 'goalkeeper', undefined],
    ['13', '1', {}, 'shot', 'shooter', 'off_target'],
    ['15', '1', {}, 'shot', 'shooter', 'saved'],
    ['15', '1', { 82: '' }, 'shot', 'shooter', 'blocked'],
    ['72', '1', {}, 'offside', 'offside', undefined],
    ['7', '0', {}, 'tackle', 'tackler', 'lost'],
    ['999', '1', {}, 'opta_999', undefined, undefined],
  ])('type %s with outcome %s and qualifiers %j is %s by %s: %s', (type, result, qualifiers, key, role, outcome) => {
    const [record] = parse(
      event(`id="1" event_id="1" type_id="${type}" ${at} player_id="7" outcome="${result}"`, qualifiers),
    ).records;
    expect([record?.type.key, record?.players[0]?.role, record?.outcome]).toEqual([key, role, outcome]);
  });

  test('substitutions are paired by qualifier 55, else by the moment, and each is one record', () => {
    const substitution = (
      id: number,
      type: 18 | 19,
      player: number,
      qualifiers: Readonly<Record<number, string>> = {},
      version = 3,
    ) =>
      event(
        `id="${id}" event_id="${id}" type_id="${type}" period_id="2" min="60" sec="0" team_id="41" player_id="${player}" version="${version}"`,
        qualifiers,
      );
    const { records } = parse(
      substitution(1, 18, 701, { 55: '4' }),
      substitution(2, 18, 702),
      substitution(3, 19, 803),
      substitution(4, 19, 804, { 55: '1' }, 9),
      substitution(5, 19, 805),
    );
    expect(
      records.map(({ ref, version, players, relatedRefs }) => [
        ref,
        version,
        players.map(({ externalIds, role }) => `${externalIds?.['opta']} ${role}`),
        relatedRefs,
      ]),
    ).toEqual([
      ['1', 9, ['701 out', '804 in'], ['4']],
      ['2', 3, ['702 out', '803 in'], ['3']],
      ['5', 3, ['805 in'], []],
    ]);
  });

  test('a deleted event is a retraction of its id', () => {
    const [record] = parse(
      event('id="101" event_id="501" type_id="43" period_id="2" min="77" sec="13" team_id="41" version="8"'),
    ).records;
    expect(record).toMatchObject({ ref: '101', deleted: true, version: 8, players: [], type: { id: '43' } });
  });

  test('of several editions of an event the newest counts, by version or else by the last change', () => {
    const edition = (more: string) =>
      event(`id="9" event_id="9" type_id="13" period_id="1" min="1" sec="1" team_id="41" ${more}`);
    expect(parse(edition('version="5" player_id="1"'), edition('version="4" player_id="2"')).records).toMatchObject([
      { version: 5, players: [{ externalIds: { opta: '1' } }] },
    ]);
    const [record] = parse(
      edition('last_modified="2026-03-14T18:00:00"'),
      edition('last_modified="2026-03-14T17:00:00"'),
    ).records;
    expect(record?.version).toBe(Date.UTC(2026, 2, 14, 18));
  });

  test('before and after the match there is no period and no clock', () => {
    const [record] = parse(
      event('id="1" event_id="1" type_id="34" period_id="16" min="0" sec="0" team_id="41"'),
    ).records;
    expect(record).not.toHaveProperty('period');
    expect(record).not.toHaveProperty('clockMs');
  });

  test('what does not fit is told with its line; events without id or type are left out', () => {
    const { records, problems } = parse(
      event('id="1" event_id="1" type_id="13" period_id="1" min="x" sec="1" team_id="41" x="300" y="-2"'),
      event('event_id="2" type_id="13"'),
      event('id="3" type_id="goal"'),
    );
    expect(records).toMatchObject([{ ref: '1', y: 0 }]);
    expect(problems.map(({ at, field, isLeftOut }) => [at.line, field, isLeftOut])).toEqual([
      [4, 'min', false],
      [4, 'x', false],
      [5, 'id', true],
      [6, 'type_id', false],
      [6, 'type_id', true],
    ]);
  });

  test('a file cut off in the middle names the place', () => {
    const text = file(KICK_OFF, GOAL);
    expect(() => parseOptaF24(Buffer.from(text.slice(0, text.indexOf('<Q'))))).toThrow(/line 5, column \d+/);
  });

  test('20,000 substitutions in one moment take no more than their number', () => {
    const many = Array.from({ length: 20_000 }, (_, at) =>
      event(
        `id="${at}" event_id="${at}" type_id="${at % 2 === 0 ? 18 : 19}" period_id="1" min="1" sec="1" team_id="41" player_id="${at + 1}"`,
      ),
    );
    const { records } = parse(...many);
    expect(records).toHaveLength(10_000);
    expect(records.every(({ players }) => players.length === 2)).toBe(true);
  });
});

describe('times of the feed', () => {
  test.each([
    ['2026-03-14T15:00:04.217Z', '2026-03-14T15:00:04.217Z'],
    ['2026-03-14T15:00:04.94', '2026-03-14T15:00:04.094Z'],
    ['2026-03-14T15:00:04', '2026-03-14T15:00:04.000Z'],
    ['2026-03-14T15:00:04.123456Z', '2026-03-14T15:00:04.123Z'],
    // British Summer Time: from 29 March to 25 October 2026.
    ['2026-03-29T00:59:59', '2026-03-29T00:59:59.000Z'],
    ['2026-03-29T02:00:00', '2026-03-29T01:00:00.000Z'],
    ['2026-05-09T20:00:00.5', '2026-05-09T19:00:00.005Z'],
    ['2026-10-25T00:30:00', '2026-10-24T23:30:00.000Z'],
    ['2026-10-25T02:00:00', '2026-10-25T02:00:00.000Z'],
  ])('%s is %s', (given, utc) => {
    expect(new Date(readOptaTime(given) ?? Number.NaN).toISOString()).toBe(utc);
  });

  test('what is no time is none', () => {
    for (const text of ['', '2026-03-14', 'yesterday', '2026-03-14 15:00:00'])
      expect(readOptaTime(text)).toBeUndefined();
  });
});
