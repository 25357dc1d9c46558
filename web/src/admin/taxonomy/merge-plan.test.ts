import { expect, test } from 'vitest';
import type { TagOption } from '../../api/tags.ts';
import { planMerge } from './merge-plan.ts';

const club: TagOption = {
  id: 1,
  ID: 1,
  type: 'club',
  category: null,
  label: 'Averley',
  full_name: 'Averley Town',
  aliases: ['The Gulls'],
  external_ids: { opta: 't1', league: 'c1' },
  status: 'active',
  merged_into: null,
  media_count: 0,
  image_url: null,
  relations: { stadiums: [{ stadium: 3, from: null, to: null }], competitions: [] },
  created_at: '2026-01-01T00:00:00.000Z',
  updated_at: '2026-01-01T00:00:00.000Z',
  version: 1,
};

test('names that the survivor lacks become its other names, and it keeps its own external ids', () => {
  const into = {
    ...club,
    id: 2,
    label: 'Averley Town',
    full_name: null,
    aliases: ['Gulls'],
    external_ids: { opta: 't9' },
  };
  expect(planMerge(club, into)).toEqual({
    aliases: ['Averley', 'The Gulls'],
    moving: ['league:c1'],
    staying: ['opta:t1'],
    relations: 1,
  });
});
