import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  CHIP_TYPES,
  EMPTY_QUERY,
  filterOf,
  type LibraryQuery,
  modesOf,
  readQuery,
  SORTS,
  writeQuery,
} from './query.ts';
import { toggleChip, toggleValue, withChip, withoutChip } from './query-edits.ts';
import { queryOfRequest, requestOf } from './saved-request.ts';

const chip = fc
  .record({ type: fc.constantFrom(...CHIP_TYPES), id: fc.integer({ min: 1, max: 9_007_199_254_740_991 }) })
  .chain(({ type, id }) => fc.constantFrom(...modesOf(type)).map((mode) => ({ type, id, mode })));
const date = fc.option(fc.constantFrom('2025-08-01', '2026-03-14', '2026-07-25'), { nil: undefined });
const query: fc.Arbitrary<LibraryQuery> = fc.record({
  chips: fc
    .uniqueArray(chip, { maxLength: 8, selector: ({ type, id }) => `${type} ${id}` })
    .map((chips) => chips.toSorted((a, b) => CHIP_TYPES.indexOf(a.type) - CHIP_TYPES.indexOf(b.type))),
  text: fc.constantFrom('', 'sørbøen', '"polar crown" -corner', 'a,b&c=d?e#f%20+'),
  values: fc.constantFrom({}, { media_type: ['photo'] }, { rating: [0, 5], orientation: ['portrait', 'square'] }),
  from: date,
  before: date,
  sort: fc.constantFrom(...SORTS),
  also: fc.constantFrom(undefined, { any: [{ rating: 5 }, { text: 'x,y' }] }),
});

describe('a query', () => {
  test('comes back from an address as it was', () => {
    fc.assert(
      fc.property(query, (given) => {
        const address = new URLSearchParams(writeQuery(given)).toString();
        expect(readQuery(Object.fromEntries(new URLSearchParams(address)))).toEqual(given);
      }),
    );
  });

  test('comes back from a saved search as a query that finds the same', () => {
    const byMode = (given: LibraryQuery) => JSON.stringify(filterOf(given), (_, value: unknown) => value);
    fc.assert(
      fc.property(query, (given) => {
        const again = queryOfRequest(JSON.parse(JSON.stringify(requestOf(given))));
        expect(JSON.parse(byMode(again))).toEqual(JSON.parse(byMode(given)));
        expect(again.sort).toBe(given.sort);
      }),
    );
  });

  test('reads well in an address', () => {
    const given = {
      ...EMPTY_QUERY,
      chips: [
        { type: 'player', id: 43, mode: 'all' },
        { type: 'player', id: 18, mode: 'none' },
        { type: 'club', id: 1, mode: 'any' },
      ],
      values: { media_type: ['photo'] },
      text: 'trophy',
    } as const;
    expect(writeQuery(given)).toEqual({ player: '43,not:18', club: 'any:1', text: 'trophy', type: 'photo' });
  });

  test('leaves out what an address cannot mean', () => {
    const search = {
      player: '12,,x,only:3,0,-4,many:5',
      tag: 'only:9',
      rating: '5,bad',
      from: 'yesterday',
      sort: 'best',
      also: '{',
    };
    expect(readQuery(search)).toEqual({
      ...EMPTY_QUERY,
      chips: [
        { type: 'player', id: 12, mode: 'all' },
        { type: 'player', id: 3, mode: 'only' },
      ],
      values: { rating: [5] },
    });
  });
});

describe('the filter of a query', () => {
  const chips = [
    { type: 'player', id: 43, mode: 'all' },
    { type: 'player', id: 18, mode: 'none' },
    { type: 'tag', id: 73, mode: 'any' },
    { type: 'tag', id: 74, mode: 'any' },
    { type: 'club', id: 1, mode: 'only' },
    { type: 'match', id: 12, mode: 'all' },
  ] as const;

  test('has the IDs by type and mode, and lists of values', () => {
    const values = { rating: [4, 5], media_type: ['photo'] };
    expect(filterOf({ ...EMPTY_QUERY, chips, values, text: 'goal', from: '2026-03-01', before: '2026-04-01' })).toEqual(
      {
        player: { all: [43], none: [18] },
        club: { only: [1] },
        match: [12],
        tag_options: { any: [73, 74] },
        text: 'goal',
        rating: [4, 5],
        media_type: 'photo',
        captured_at: { gte: '2026-03-01', lt: '2026-04-01' },
      },
    );
  });

  test('keeps a filter from elsewhere apart', () => {
    const also = { text: 'other', any: [{ rating: 5 }] };
    expect(filterOf({ ...EMPTY_QUERY, text: 'goal', also })).toEqual({ text: 'goal', all: [also] });
    expect(filterOf(EMPTY_QUERY)).toEqual({});
  });
});

test('a saved search of a program keeps what no chip can say', () => {
  const request = {
    player: { any: [12, 15] },
    competition: 9,
    none: [{ sponsor: 77 }],
    captured_at: { gte: '2026-03-01T12:00:00Z' },
    sort: '-captured_at',
    facets: ['club'],
    limit: 20,
  };
  expect(queryOfRequest(request)).toEqual({
    ...EMPTY_QUERY,
    chips: [
      { type: 'player', id: 12, mode: 'any' },
      { type: 'player', id: 15, mode: 'any' },
      { type: 'competition', id: 9, mode: 'all' },
    ],
    sort: '-captured_at',
    also: { none: [{ sponsor: 77 }], captured_at: { gte: '2026-03-01T12:00:00Z' } },
  });
});

test('chips are added once, changed in place and taken away', () => {
  const one = withChip(EMPTY_QUERY, { type: 'player', id: 1, mode: 'all' });
  const two = withChip(one, { type: 'club', id: 1, mode: 'all' });
  expect(withChip(two, { type: 'player', id: 1, mode: 'none' }).chips).toEqual([
    { type: 'player', id: 1, mode: 'none' },
    { type: 'club', id: 1, mode: 'all' },
  ]);
  expect(withoutChip(two, { type: 'club', id: 1 })).toEqual(one);
  expect(toggleChip(one, { type: 'player', id: 1 }, 'any')).toEqual(EMPTY_QUERY);
  expect(toggleValue(toggleValue(EMPTY_QUERY, 'rating', 5), 'rating', 5)).toEqual(EMPTY_QUERY);
});
