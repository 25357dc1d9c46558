import { describe, expect, test } from 'vitest';
import { parseStatsBomb } from './statsbomb.ts';

const team = { id: 41, name: 'Pavonia' };
const named = (id: number, name: string) => ({ id, name });
const base = (id: string, type: string, more: Readonly<Record<string, unknown>> = {}) => ({
  id,
  index: 12,
  period: 2,
  timestamp: '00:32:13.900',
  minute: 77,
  second: 13,
  type: named(1, type),
  possession: 140,
  play_pattern: named(6, 'From Counter'),
  team,
  player: named(707, 'Núñera'),
  location: [108, 44.8],
  ...more,
});
const parse = (...events: readonly unknown[]) => parseStatsBomb(Buffer.from(JSON.stringify(events)));

const PASS = base('p-1', 'Pass', {
  player: named(710, 'João Valdremo'),
  pass: {
    recipient: named(707, 'Núñera'),
    end_location: [106, 43],
    body_part: named(40, 'Right Foot'),
    technique: named(108, 'Through Ball'),
    goal_assist: true,
  },
});
const GOAL = base('s-1', 'Shot', {
  duration: 0.84,
  related_events: ['g-1'],
  shot: {
    key_pass_id: 'p-1',
    end_location: [120, 38.2, 1.1],
    outcome: named(97, 'Goal'),
    type: named(87, 'Open Play'),
    body_part: named(40, 'Right Foot'),
    statsbomb_xg: 0.31,
  },
});

describe('StatsBomb events', () => {
  test('a goal has scorer and assist, the running clock, and places from the bottom left in 0..100', () => {
    const { records, problems, match } = parse(PASS, GOAL);
    expect(problems).toEqual([]);
    expect(records[1]).toEqual({
      at: { index: 1 },
      ref: 's-1',
      deleted: false,
      type: { key: 'goal', name: 'Shot', id: '1' },
      period: 2,
      clockMs: 45 * 60_000 + 32 * 60_000 + 13_900,
      clubs: [{ name: 'Pavonia', externalIds: { statsbomb: '41' } }],
      players: [
        { name: 'Núñera', externalIds: { statsbomb: '707' }, role: 'scorer' },
        { name: 'João Valdremo', externalIds: { statsbomb: '710' }, role: 'assist' },
      ],
      x: 90,
      y: 44,
      endX: 100,
      endY: 52.25,
      tags: [
        { group: 'situation', text: 'from counter' },
        { group: 'body part', text: 'right foot' },
        { group: 'situation', text: 'open play' },
      ],
      details: { statsbomb_index: 12, possession: 140, duration_ms: 840, xg: 0.31 },
      relatedRefs: ['g-1', 'p-1'],
    });
    expect(records[0]).toMatchObject({
      type: { key: 'pass' },
      outcome: 'complete',
      players: [{ role: 'passer' }, { role: 'receiver' }],
    });
    expect(match.clubs).toEqual([{ name: 'Pavonia', externalIds: { statsbomb: '41' } }]);
  });

  test.each([
    ['Shot', { shot: { outcome: named(100, 'Saved') } }, 'shot', 'shooter', 'saved'],
    ['Shot', { shot: { outcome: named(98, 'Off T') } }, 'shot', 'shooter', 'off_target'],
    ['Shot', { shot: { outcome: named(97, 'Goal'), type: named(88, 'Penalty') } }, 'goal', 'scorer', 'penalty'],
    ['Own Goal Against', {}, 'goal', 'scorer', 'own_goal'],
    ['Pass', { pass: { type: named(61, 'Corner'), outcome: named(9, 'Incomplete') } }, 'corner', 'taker', 'incomplete'],
    ['Pass', { pass: { type: named(67, 'Throw-in') } }, 'throw_in', 'taker', 'complete'],
    [
      'Goal Keeper',
      { goalkeeper: { type: named(33, 'Shot Saved'), outcome: named(15, 'Success') } },
      'save',
      'goalkeeper',
      'success',
    ],
    ['Goal Keeper', { goalkeeper: { type: named(32, 'Shot Faced') } }, 'goalkeeper', 'goalkeeper', undefined],
    ['Bad Behaviour', { bad_behaviour: { card: named(65, 'Yellow Card') } }, 'card_yellow', 'carded', undefined],
    ['Ball Receipt*', {}, 'ball_receipt', 'receiver', undefined],
    ['Dribble', { dribble: { outcome: named(8, 'Complete') } }, 'take_on', 'dribbler', 'complete'],
    ['Half Start', {}, 'period_start', undefined, undefined],
  ])('%s %j is %s by %s: %s', (type, more, key, role, outcome) => {
    const [record] = parse(base('e', type, more)).records;
    expect([record?.type.key, record?.players[0]?.role, record?.outcome]).toEqual([key, role, outcome]);
  });

  test('a substitution names who goes and who comes', () => {
    const [record] = parse(base('e', 'Substitution', { substitution: { replacement: named(714, 'Orlen') } })).records;
    expect(record?.players.map(({ name, role }) => [name, role])).toEqual([
      ['Núñera', 'out'],
      ['Orlen', 'in'],
    ]);
  });

  test('a card for a foul is a record of its own, below the foul', () => {
    const { records } = parse(base('f', 'Foul Committed', { foul_committed: { card: named(66, 'Second Yellow') } }));
    expect(records.map(({ ref, type, parentRef, players }) => [ref, type.key, parentRef, players[0]?.role])).toEqual([
      ['f', 'foul', undefined, 'fouler'],
      ['f/card', 'card_second_yellow', 'f', 'carded'],
    ]);
  });

  test('what does not fit is told with its number, the rest is taken', () => {
    const { records, problems } = parse(
      base('a', 'Shot', { location: [500, 1], timestamp: 'soon', period: 9 }),
      { id: 'b' },
      7,
    );
    expect(records).toMatchObject([{ ref: 'a' }]);
    expect(problems.map(({ at, field, isLeftOut }) => [at.index, field, isLeftOut])).toEqual([
      [0, 'period', false],
      [0, 'timestamp', false],
      [0, 'location', false],
      [1, 'id', true],
      [2, 'id', true],
    ]);
  });

  test('what is no list of events is refused by line and column', () => {
    const text = JSON.stringify([PASS], undefined, 1);
    const refusal = (content: string) => () => parseStatsBomb(Buffer.from(content));
    expect(refusal('{"a": 1}')).toThrow(/line 1, column 1/);
    expect(refusal('[\n{"id": }')).toThrow(/line 2, column 8/);
    expect(refusal(text.slice(0, -3))).toThrow(new RegExp(`line ${text.slice(0, -3).split('\n').length}, `));
    expect(refusal('[{"a":1}]')).toThrow(expect.objectContaining({ code: 'validation_failed' }));
    expect(refusal(`[${'['.repeat(200_000)}`)).toThrow(expect.objectContaining({ code: 'validation_failed' }));
  });
});
