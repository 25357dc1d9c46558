import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createTagLookupIndex } from './index.ts';
import { createLinearScan } from './linear-scan.ts';
import type { TagLookupIndex, TagLookupRecord, TagLookupRequest } from './types.ts';

const RUNS = 1500;

/** Few letters, so that words collide, share beginnings and lie a typo apart; and letters that folding changes. */
const letter = fc.constantFrom(
  'a',
  'b',
  'n',
  'r',
  'A',
  'é',
  'ø',
  'ß',
  'š',
  "'",
  '-',
  '1',
  '0',
  '京',
  '北',
  'К',
  '𠀀',
  'ﬁ',
);
const syllable = fc.constantFrom(
  'har',
  'bour',
  'leão',
  'raf',
  'ael',
  'city',
  'šeško',
  'øde',
  'gaard',
  'new',
  '北京',
  'Кир',
);
const word = fc.oneof(
  fc.array(letter, { minLength: 1, maxLength: 4 }).map((letters) => letters.join('')),
  fc.array(syllable, { minLength: 1, maxLength: 4 }).map((syllables) => syllables.join('')),
);
const name = fc.array(word, { minLength: 1, maxLength: 4 }).map((words) => words.join(' '));
const type = fc.constantFrom('player', 'club', 'stadium', 'tag');
const category = fc.constantFrom('mood', 'shot', 'action type');

const day = fc.constantFrom('2024-07-01', '2025-06-30', '2025-07-01', '2026-01-15');

const record: fc.Arbitrary<TagLookupRecord> = fc.record({
  id: fc.integer({ min: 1, max: 40 }),
  type,
  category: fc.option(category),
  label: name,
  fullName: fc.option(name),
  aliases: fc.array(name, { maxLength: 3 }),
  mediaCount: fc.integer({ min: 0, max: 3 }),
  status: fc.constantFrom('active', 'active', 'active', 'deactivated', 'merged'),
  shirts: fc.array(
    fc.record({
      number: fc.integer({ min: 0, max: 11 }),
      clubNames: fc.array(name, { maxLength: 2 }),
      from: fc.option(day),
      to: fc.option(day),
    }),
    { maxLength: 2 },
  ),
});

type Change = { readonly put: readonly TagLookupRecord[]; readonly drop: readonly number[] };
const change: fc.Arbitrary<Change> = fc.record({
  put: fc.array(record, { maxLength: 25 }),
  drop: fc.array(fc.integer({ min: 1, max: 40 }), { maxLength: 6 }),
});

/** Any word, or one from the library that was cut, lengthened, or had letters swapped, replaced or taken out. */
function queryOver(library: readonly TagLookupRecord[]): fc.Arbitrary<string> {
  const words = library
    .flatMap((entry) => [
      entry.label,
      entry.fullName ?? '',
      ...entry.aliases,
      ...entry.shirts.flatMap((s) => s.clubNames),
    ])
    .flatMap((text) => text.split(' '));
  const known = fc
    .tuple(fc.constantFrom('', ...words), fc.nat(12), fc.nat(6), letter)
    .map(([text, at, edit, other]) => {
      if (edit === 0) return text.slice(0, at + 1);
      if (edit === 1) return text.slice(at % 4);
      if (edit === 2) return text.slice(0, at) + text.slice(at + 1);
      if (edit === 3) return text.slice(0, at) + other + text.slice(at + 1);
      if (edit === 4)
        return text.slice(0, at) + text.slice(at + 1, at + 2) + text.slice(at, at + 1) + text.slice(at + 2);
      return edit === 5 ? text.slice(0, at) + other + text.slice(at) : text;
    });
  const number = fc.integer({ min: 0, max: 40 }).map((value) => `#${value}`);
  const part = fc.oneof(
    { weight: 6, arbitrary: known },
    { weight: 1, arbitrary: word },
    { weight: 1, arbitrary: number },
  );
  const names = library.flatMap((entry) => [entry.label, ...entry.aliases]);
  return fc.oneof(
    { weight: 4, arbitrary: part },
    { weight: 4, arbitrary: fc.array(part, { minLength: 1, maxLength: 3 }).map((parts) => parts.join(' ')) },
    { weight: 1, arbitrary: fc.constantFrom('', ...names) },
  );
}

function requestOver(library: readonly TagLookupRecord[]): fc.Arbitrary<TagLookupRequest> {
  return fc
    .record({
      query: fc.option(queryOver(library), { nil: undefined, freq: 12 }),
      types: fc.option(fc.array(type, { maxLength: 3 }), { nil: undefined, freq: 2 }),
      categories: fc.option(fc.array(category, { maxLength: 2 }), { nil: undefined, freq: 2 }),
      within: fc.option(fc.uniqueArray(fc.integer({ min: 1, max: 40 })), { nil: undefined, freq: 2 }),
      at: fc.option(day, { nil: undefined }),
      offset: fc.oneof({ weight: 4, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: fc.nat(12) }),
      limit: fc.oneof({ weight: 4, arbitrary: fc.constant(200) }, { weight: 1, arbitrary: fc.nat(6) }),
    })
    .map(({ query, types, categories, within, at, offset, limit }) => ({
      offset,
      limit,
      ...(query === undefined ? {} : { query }),
      ...(types === undefined ? {} : { types }),
      ...(categories === undefined ? {} : { categories }),
      ...(within === undefined ? {} : { within: new Set(within) }),
      ...(at === undefined ? {} : { at }),
    }));
}

function apply(changes: readonly Change[]): { index: TagLookupIndex; library: Map<number, TagLookupRecord> } {
  const index = createTagLookupIndex();
  const library = new Map<number, TagLookupRecord>();
  for (const { put, drop } of changes) {
    index.upsert(put);
    index.remove(drop);
    for (const entry of put) library.set(entry.id, entry);
    for (const id of drop) library.delete(id);
  }
  return { index, library };
}

describe('tag lookup', () => {
  test('answers any request over any history of changes as the linear scan does', () => {
    const scenario = fc
      .array(change, { minLength: 1, maxLength: 5 })
      .chain((changes) =>
        fc.tuple(
          fc.constant(changes),
          fc.array(requestOver(changes.flatMap(({ put }) => put)), { minLength: 1, maxLength: 15 }),
        ),
      );
    fc.assert(
      fc.property(scenario, ([changes, requests]) => {
        const { index, library } = apply(changes);
        const scan = createLinearScan(library.values());
        for (const request of requests) expect(index.search(request)).toEqual(scan(request));
      }),
      { numRuns: RUNS },
    );
  });

  test('answers after every single change of a library whose words come and go', () => {
    fc.assert(
      fc.property(fc.array(record, { minLength: 1, maxLength: 60 }), (records) => {
        const index = createTagLookupIndex();
        const library = new Map<number, TagLookupRecord>();
        for (const entry of records) {
          index.upsert([entry]);
          library.set(entry.id, entry);
          const request = { query: entry.label.slice(0, 6), offset: 0, limit: 50 };
          expect(index.search(request)).toEqual(createLinearScan(library.values())(request));
        }
        index.remove([...library.keys()]);
        expect(index.size).toBe(0);
        expect(index.search({ offset: 0, limit: 10 })).toEqual({ hits: [], total: 0 });
      }),
      { numRuns: RUNS / 3 },
    );
  });
});
