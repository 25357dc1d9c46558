import { expect, test } from 'vitest';
import type { TagOption } from '../../api/tags.ts';
import { clubsWith, squadOf } from './squad.ts';

type Club = NonNullable<TagOption['relations']['clubs']>[number];
const at = (club: number, change: Partial<Club> = {}): Club => ({
  club,
  shirt_number: null,
  position: null,
  from: null,
  to: null,
  ...change,
});
const player = (id: number, label: string, clubs: Club[]): TagOption => ({
  id,
  ID: id,
  type: 'player',
  category: null,
  label,
  full_name: null,
  aliases: [],
  external_ids: {},
  status: 'active',
  merged_into: null,
  media_count: 0,
  image_url: null,
  relations: { clubs, sponsors: [] },
  created_at: '2026-01-01T00:00:00.000Z',
  updated_at: '2026-01-01T00:00:00.000Z',
  version: 1,
});

test('a squad has the number of the day, both ends included, in order of numbers and then of names', () => {
  const players = [
    player(1, 'Zoe', [at(7)]),
    player(2, 'Moved', [at(7, { shirt_number: 10, to: '2025-06-30' }), at(8, { shirt_number: 5 })]),
    player(3, 'Ada', [at(7)]),
    player(4, 'Back', [at(7, { shirt_number: 3, to: '2024-01-01' }), at(7, { shirt_number: 9, from: '2025-06-30' })]),
  ];
  const names = (day: string) =>
    squadOf(players, { club: 7, at: day }).map((one) => `${one.shirtNumber ?? '-'} ${one.player.label} ${one.place}`);
  expect(names('2025-06-30')).toEqual(['9 Back 1', '10 Moved 0', '- Ada 0', '- Zoe 0']);
  expect(names('2025-07-01')).toEqual(['9 Back 1', '- Ada 0', '- Zoe 0']);
});

test('one club of a player is changed, taken away or added, and the others stay', () => {
  const moved = player(2, 'Moved', [at(7), at(8)]);
  expect(clubsWith(moved, 0, at(7, { to: '2026-01-01' }))).toEqual([at(7, { to: '2026-01-01' }), at(8)]);
  expect(clubsWith(moved, 1, null)).toEqual([at(7)]);
  expect(clubsWith(moved, undefined, at(9))).toEqual([at(7), at(8), at(9)]);
});
