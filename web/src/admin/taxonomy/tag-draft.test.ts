import { expect, test } from 'vitest';
import type { TagOption } from '../../api/tags.ts';
import { bodyOf, changeOf, draftOf, emptyDraft, newRow } from './tag-draft.ts';

const plain = {
  id: 7,
  ID: 7,
  category: null,
  full_name: null,
  aliases: [],
  external_ids: {},
  status: 'active',
  merged_into: null,
  media_count: 0,
  image_url: null,
  relations: {},
  created_at: '2026-01-01T00:00:00.000Z',
  updated_at: '2026-01-01T00:00:00.000Z',
  version: 1,
} as const satisfies Partial<Record<keyof TagOption, unknown>>;
const player: TagOption = {
  ...plain,
  aliases: ['Benji'],
  type: 'player',
  label: 'Šeško',
  external_ids: { opta: 'p1', league: 'x' },
  relations: {
    clubs: [{ club: 3, shirt_number: 30, position: null, from: '2025-07-01', to: null }],
    sponsors: [],
  },
};
const match: TagOption = {
  ...plain,
  aliases: [],
  type: 'match',
  label: 'Averley - Dunmore',
  relations: { home: 3, away: 4, kick_off: '2026-03-14T19:30:12.000Z', status: 'scheduled', home_score: null },
};

test('a form that nobody touched changes nothing, to the second of a kick-off', () => {
  expect(changeOf(player, draftOf(player))).toBeUndefined();
  expect(changeOf(match, draftOf(match))).toBeUndefined();
});

test('only what was touched is sent, an external id that is gone as null, a list of relations as a whole', () => {
  const draft = draftOf(player);
  const [row] = draft.lists.clubs;
  if (!row) throw new Error('expected a club');
  expect(
    changeOf(player, {
      ...draft,
      fullName: ' Marko Šeško ',
      externalIds: [{ source: 'opta', id: 'p2' }],
      lists: {
        ...draft.lists,
        clubs: [
          { ...row, to: '2026-06-30' },
          { ...newRow(5, 1), shirtNumber: '9' },
        ],
      },
    }),
  ).toEqual({
    full_name: 'Marko Šeško',
    external_ids: { opta: 'p2', league: null },
    relations: {
      clubs: [
        { club: 3, shirt_number: 30, position: null, from: '2025-07-01', to: '2026-06-30' },
        { club: 5, shirt_number: 9, position: null, from: null, to: null },
      ],
    },
  });
});

test('a match is sent with its facts and in UTC, and its home side can be taken away', () => {
  const draft = draftOf(match);
  const change = changeOf(match, {
    ...draft,
    references: { ...draft.references, home: null },
    match: { ...draft.match, kickOff: '2026-03-15T20:00', homeScore: '2', status: 'finished' },
  });
  const kickOff = new Date('2026-03-15T20:00').toISOString();
  expect(change).toEqual({ relations: { home: null, kick_off: kickOff, home_score: 2, status: 'finished' } });
});

test('a new option has the members of its type and no others', () => {
  const { relations } = bodyOf({ ...emptyDraft('club'), label: 'Dunmore' });
  expect(relations).toEqual({ stadiums: [], competitions: [], parent: null });
  expect(bodyOf(emptyDraft('stadium')).relations).toEqual({});
});
