import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { indexRows, INDEX_WORDS, manyRows, TAG_IDS, TIMES } from '../../../../test/support/index-rows.ts';
import type { IndexRow } from '../../../library/index.ts';
import { NUMBER_FIELDS } from './fields.ts';
import { createSegmentBuilder } from './segment-builder.ts';
import { ACTION_SECTIONS } from './sections.ts';
import { openSegment, type Segment } from './segment.ts';

function segmentOf(rows: Iterable<IndexRow>): Segment {
  const builder = createSegmentBuilder();
  for (const row of rows) builder.add(row);
  return openSegment(builder.finish());
}

/** As the segment numbers its documents. */
const byCreation = (rows: readonly IndexRow[]): IndexRow[] =>
  rows.toSorted((a, b) => a.created_at - b.created_at || a.id - b.id);
/** Words of a row, and roles in an action, are in no order; actions are by where they start. */
const inOrder = (text: IndexRow['text']) => text.toSorted((a, b) => (a.word < b.word ? -1 : 1));
const comparable = (row: IndexRow): IndexRow => ({
  ...row,
  text: inOrder(row.text),
  actions: row.actions
    .map((action) => ({
      ...action,
      text: inOrder(action.text),
      roles: action.roles.toSorted((a, b) => a.player - b.player || (a.role < b.role ? -1 : 1)),
    }))
    .toSorted((a, b) => a.start_ms - b.start_ms || a.id - b.id),
});
const RUNS = { numRuns: 40 };
const documentsOf = (segment: Segment) => Array.from({ length: segment.size }, (_, document) => document);
const base: IndexRow = {
  id: 1,
  media_type: 'photo',
  status: 'ready',
  orientation: null,
  usage: 'approved',
  captured_at: null,
  created_at: 0,
  updated_at: 0,
  width: null,
  height: null,
  duration_ms: null,
  people_count: 0,
  rating: null,
  name: '',
  tag_ids: [],
  collection_ids: [],
  text: [],
  details: [],
  actions: [],
};

describe('a segment', () => {
  test('gives back the rows it was made of, in the order of their creation', () => {
    fc.assert(
      fc.property(indexRows({ maxLength: 60 }), (rows) => {
        const segment = segmentOf(rows);
        expect([...segment.rows(documentsOf(segment))].map(comparable)).toEqual(byCreation(rows).map(comparable));
      }),
      { numRuns: 100 },
    );
  });

  test('gives back any part of its rows', () => {
    fc.assert(
      fc.property(indexRows({ minLength: 1, maxLength: 20 }), fc.array(fc.nat(19)), (rows, picked) => {
        const segment = segmentOf(rows);
        const documents = [...new Set(picked)].filter((document) => document < rows.length);
        const expected = documents.map((document) => byCreation(rows)[document]);
        expect([...segment.rows(documents)].map((row) => row.id)).toEqual(expected.map((row) => row?.id));
      }),
      RUNS,
    );
  });

  test('finds assets by their ID, and none that it does not hold', () => {
    fc.assert(
      fc.property(indexRows({ maxLength: 40 }), (rows) => {
        const segment = segmentOf(rows);
        for (const document of documentsOf(segment)) expect(segment.documentOf(segment.id(document))).toBe(document);
        const held = new Set(rows.map((row) => row.id));
        for (const id of [0, 1, 250, 499, 2 ** 32 - 1, 2 ** 32, 2 ** 32 + 501, 2 ** 50]) {
          if (!held.has(id)) expect(segment.documentOf(id)).toBe(-1);
        }
      }),
      RUNS,
    );
  });

  test('says in which documents a tag option, a collection, a value and a word are', () => {
    fc.assert(
      fc.property(indexRows({ maxLength: 40 }), (rows) => {
        const segment = segmentOf(rows);
        const ordered = byCreation(rows);
        const where = (holds: (row: IndexRow) => boolean) =>
          ordered.flatMap((row, document) => (holds(row) ? [document] : []));
        const documents = (set: number) => (set < 0 ? [] : segment.documentsOf(set));
        for (const id of [...TAG_IDS, 1])
          expect(documents(segment.tagSet(id))).toEqual(where((row) => row.tag_ids.includes(id)));
        for (const id of [1, 2, 2 ** 33, 9]) {
          expect(documents(segment.valueSet('collection', id))).toEqual(
            where((row) => row.collection_ids.includes(id)),
          );
        }
        expect(documents(segment.valueSet('status', 'archived'))).toEqual(where((row) => row.status === 'archived'));
        expect(documents(segment.valueSet('orientation', 'square'))).toEqual(
          where((row) => row.orientation === 'square'),
        );
        const reader = segment.newWordReader();
        for (const word of INDEX_WORDS) {
          const { from, to } = segment.wordRange(word, { prefix: false });
          const found = documentsOf(segment).filter((document) => {
            segment.seekWords(reader, document);
            while (reader.next()) if (reader.word >= from && reader.word < to) return true;
            return false;
          });
          expect(found).toEqual(where((row) => row.text.some((one) => one.word === word)));
        }
      }),
      RUNS,
    );
  });

  test('knows the range of words that begin alike', () => {
    const word = fc.oneof(fc.constantFrom(...INDEX_WORDS), fc.string({ unit: 'grapheme', minLength: 1, maxLength: 4 }));
    const clean = word.map((one) => one.replaceAll('\0', 'n'));
    fc.assert(
      fc.property(fc.uniqueArray(clean, { maxLength: 30 }), clean, (words, asked) => {
        const segment = segmentOf([{ ...base, text: words.map((one, at) => ({ word: one, places: [at + 1] })) }]);
        const within = ({ from, to }: { from: number; to: number }) =>
          Array.from({ length: to - from }, (_, at) => segment.wordText(from + at)).toSorted();
        for (const one of [asked, asked.slice(0, 1), ...words].filter((text) => !/^[\uD800-\uDBFF]$/.test(text))) {
          expect(within(segment.wordRange(one, { prefix: true }))).toEqual(
            words.filter((text) => text.startsWith(one)).toSorted(),
          );
          expect(within(segment.wordRange(one, { prefix: false }))).toEqual(words.filter((text) => text === one));
        }
      }),
      RUNS,
    );
  });

  test('keeps words with many places, and a word of every field', () => {
    const places = Array.from({ length: 2000 }, (_, at) => ((at % 3) + 1) * 2 ** 14 + at * 8 + 1);
    const row = {
      ...base,
      text: [
        { word: 'a', places },
        { word: 'z', places: [3 * 2 ** 14 + 16_383] },
      ],
    };
    expect([...segmentOf([row]).rows([0])]).toEqual([row]);
  });

  test('ranks names by their code points, equal names alike', () => {
    fc.assert(
      fc.property(indexRows({ maxLength: 60 }), (rows) => {
        const segment = segmentOf(rows);
        const names = byCreation(rows).map((row) => row.name);
        const distinct = [...new Set(names)].sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
        expect([...segment.nameRanks]).toEqual(names.map((name) => distinct.indexOf(name)));
      }),
      RUNS,
    );
  });

  test('has the actions of each asset one after the other, by where they start', () => {
    fc.assert(
      fc.property(indexRows({ maxLength: 40 }), (rows) => {
        const { size, actions } = segmentOf(rows);
        const expected = byCreation(rows).map((row) => comparable(row).actions.map((action) => action.id));
        expect(actions === undefined).toBe(expected.flat().length === 0);
        if (!actions) return;
        const found = Array.from({ length: size }, (_, asset) => {
          const [from = 0, to = 0] = [actions.starts[asset], actions.starts[asset + 1]];
          return Array.from({ length: to - from }, (_one, at) => {
            expect(actions.parents[from + at]).toBe(asset);
            return actions.id(from + at);
          });
        });
        expect(found).toEqual(expected);
        expect([actions.size, actions.longest]).toEqual([
          expected.flat().length,
          Math.max(...expected.map((ids) => ids.length)),
        ]);
      }),
      RUNS,
    );
  });

  test('takes actions before or after their assets', () => {
    fc.assert(
      fc.property(indexRows({ maxLength: 20 }), fc.boolean(), (rows, before) => {
        const builder = createSegmentBuilder();
        const addActions = () => {
          for (const row of rows) for (const action of row.actions) builder.addAction(row.id, action);
        };
        if (before) addActions();
        for (const row of rows) builder.addAsset(row);
        if (!before) addActions();
        const { size, meta } = builder.finish();
        expect([size, meta]).toEqual([rows.length, segmentOf(rows).data.meta]);
      }),
      RUNS,
    );
    const builder = createSegmentBuilder();
    const [action] = [...manyRows(1, { seed: 1, actionsOf: () => 1 })].flatMap((row) => row.actions);
    if (!action) throw new RangeError('expected an action');
    builder.addAction(5, action);
    expect(() => builder.finish()).toThrow('expected an asset with the actions of asset 5');
  });

  test('without actions has nothing of them', () => {
    const { data } = segmentOf(manyRows(100, { seed: 3 }));
    expect(Object.keys(data.sections).filter((name) => name.startsWith(ACTION_SECTIONS))).toEqual([]);
    expect(data.meta.actions).toBeUndefined();
  });

  test('without rows is empty', () => {
    const segment = segmentOf([]);
    expect([segment.size, segment.documentOf(1), segment.tagSet(3), [...segment.rows([])]]).toEqual([0, -1, -1, []]);
  });
});

describe('a segment of several chunks', () => {
  // All actions are in few assets, one of which has them in three chunks.
  const actionsOf = (at: number) => (at === 40_000 ? 70_000 : at % 500 === 0 ? 400 : 0);
  const rows = [...manyRows(70_000, { seed: 5, actionsOf })].map((row, at) => ({
    ...row,
    // One tag on all, one on the whole first chunk, and one on all but few of it.
    tag_ids: [5, ...row.tag_ids, ...(at < 65_536 ? [10 ** 12] : []), ...(at % 1000 === 0 ? [] : [10 ** 13])].sort(
      (a, b) => a - b,
    ),
  }));
  const segment = segmentOf(rows.toReversed());
  const ordered = byCreation(rows);

  test('gives back its rows', () => {
    let document = 0;
    for (const row of segment.rows(documentsOf(segment))) {
      const expected = ordered[document];
      const [found, wanted] = [comparable(row), expected && comparable(expected)];
      // Deep comparison of each would take minutes.
      if (JSON.stringify(found) !== JSON.stringify(wanted)) expect(found).toEqual(wanted);
      document += 1;
    }
    expect(document).toBe(70_000);
  });

  test('keeps columns in every form', () => {
    const forms = NUMBER_FIELDS.map((field) => `${field}: ${segment.data.meta.columns[field]?.encoding}`);
    expect(forms).toEqual([
      'captured_at: times',
      'created_at: times',
      'updated_at: times',
      'width: times',
      'height: codes',
      'duration_ms: sparse',
      'people_count: codes',
      'rating: codes',
    ]);
    const wide = segmentOf(rows.slice(0, 1000).map((row, at) => ({ ...row, captured_at: TIMES[0] + at * 10 ** 10 })));
    expect(wide.data.meta.columns['captured_at']?.encoding).toBe('wide');
    expect(wide.columns.captured_at.value(999)).toBe(ordered[999] && [...wide.rows([999])][0]?.captured_at);
  });

  test('knows the least and greatest value of every zone, and whether some are missing', () => {
    for (const field of NUMBER_FIELDS) {
      const column = segment.columns[field];
      for (let zone = 0; zone * 1024 < rows.length; zone += 7) {
        const values = ordered.slice(zone * 1024, (zone + 1) * 1024).map((row) => row[field]);
        const present = values.filter((value) => value !== null);
        expect([column.zoneLeast(zone), column.zoneGreatest(zone), column.zoneHasMissing(zone)]).toEqual([
          Math.min(...present),
          Math.max(...present),
          present.length < values.length,
        ]);
      }
    }
  });

  test('keeps sets as lists, as bits, and as a note that all are in it', () => {
    const { sets } = segment;
    const sizesOf = (id: number) => {
      const set = segment.tagSet(id);
      const entries = Array.from(
        { length: (sets.first[set + 1] ?? 0) - (sets.first[set] ?? 0) },
        (_, at) => (sets.first[set] ?? 0) + at,
      );
      return entries.map((entry) => [sets.keys[entry], (sets.sizes[entry] ?? 0) + 1]);
    };
    expect(sizesOf(5)).toEqual([
      [0, 65_536],
      [1, 4464],
    ]);
    expect(sizesOf(10 ** 12)[0]?.[0]).toBe(0);
    expect(sizesOf(10 ** 13).map(([key]) => key)).toEqual([0, 1]);
    for (const id of [5, ...TAG_IDS, 10 ** 12, 10 ** 13]) {
      const expected = ordered.flatMap((row, document) => (row.tag_ids.includes(id) ? [document] : []));
      expect(
        Buffer.from(Uint32Array.from(segment.documentsOf(segment.tagSet(id))).buffer).equals(
          Buffer.from(Uint32Array.from(expected).buffer),
        ),
      ).toBe(true);
    }
  });
});

test('numbers as far apart as times can be are kept to the millisecond', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: -(10 ** 12), max: 10 ** 12 }),
      fc.constantFrom(2 ** 31, 2 ** 32 - 2, 2 ** 32 - 1, 2 ** 32),
      (from, seconds) => {
        const times = Array.from({ length: 300 }, (_, at) => from + at * 7);
        times.push(from + seconds * 1000, from + seconds * 1000 + 999);
        const segment = segmentOf(times.map((captured_at, at) => ({ ...base, id: at + 1, captured_at })));
        expect(documentsOf(segment).map((document) => segment.columns.captured_at.value(document))).toEqual(times);
      },
    ),
    { numRuns: 30 },
  );
});
