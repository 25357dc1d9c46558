import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { sortByNumber, sortTexts } from './order.ts';
import { Paged } from './paged.ts';
import { WordPlaceReader, writeWord } from './word-places.ts';

const ascending = (a: number, b: number) => a - b;

describe('documents are put in order', () => {
  test('of whole numbers up to 2^48, equals as they were', () => {
    const number = fc.oneof(fc.nat(5), fc.nat(2 ** 31 - 1), fc.integer({ min: 2 ** 31, max: 2 ** 48 - 1 }));
    fc.assert(
      fc.property(fc.array(number, { maxLength: 300 }), (numbers) => {
        const order = Uint32Array.from(numbers.keys());
        sortByNumber(order, (at) => numbers[at] ?? 0);
        expect([...order]).toEqual([...numbers.keys()].sort((a, b) => (numbers[a] ?? 0) - (numbers[b] ?? 0) || a - b));
      }),
      { numRuns: 50 },
    );
  });

  test('of texts by their bytes, whether few are compared or many are counted', () => {
    const part = fc.constantFrom('a', 'aaaaaa', 'b', 'é', '𠀀', '\uffff', '', 'frame', 'frames', ' ');
    const text = fc.array(part, { maxLength: 5 }).map((parts) => parts.join(''));
    fc.assert(
      fc.property(fc.array(text, { minLength: 1, maxLength: 60 }), fc.constantFrom(1, 150), (texts, copies) => {
        const all = Array.from({ length: texts.length * copies }, (_, at) => {
          // Long beginnings that agree, with the difference behind them.
          const tail = copies === 1 ? '' : String(at % 37);
          return Buffer.from((texts[at % texts.length] ?? '') + tail);
        });
        const starts = new Uint32Array(all.length + 1);
        for (const [at, one] of all.entries()) starts[at + 1] = (starts[at] ?? 0) + one.length;
        const order = sortTexts({ starts, bytes: Buffer.concat(all) }, all.length);
        const sorted = [...order].map((at) => all[at]?.toString('hex'));
        expect(sorted).toEqual(all.toSorted(Buffer.compare).map((one) => one.toString('hex')));
        expect([...order].sort(ascending)).toEqual([...all.keys()]);
      }),
      { numRuns: 20 },
    );
  });
});

describe('the places of words', () => {
  const position = fc.integer({ min: 1, max: 16_383 });
  const places = fc
    .uniqueArray(position, { minLength: 1, maxLength: 60 })
    .chain((positions) =>
      fc.tuple(
        ...positions.toSorted(ascending).map((one) => fc.integer({ min: 1, max: 3 }).map((rank) => (rank << 14) | one)),
      ),
    );
  const words = fc.array(fc.record({ word: fc.oneof(fc.nat(200), fc.nat(2 ** 31 - 1)), places }), { maxLength: 30 });

  test('are read as they were written, with how often the word occurs and its weight', () => {
    fc.assert(
      fc.property(words, fc.nat(9), (given, before) => {
        const bytes = new Paged((length) => new Uint8Array(length));
        for (let at = 0; at < before; at += 1) bytes.push(255);
        for (const one of given) writeWord(bytes, one.word, one.places);
        const { length } = bytes;
        const reader = new WordPlaceReader(bytes.moveTo(new Uint8Array(length + 5).fill(255)));
        reader.seek(before, length);
        const found = [];
        while (reader.next()) {
          const weight = reader.frequency([0, 1, 2, 4]);
          found.push({ word: reader.word, places: reader.places(), count: reader.count, weight });
        }
        expect(found).toEqual(
          given.map((one) => ({
            ...one,
            count: one.places.length,
            weight: one.places.reduce((sum, place) => sum + ([0, 1, 2, 4][place >>> 14] ?? 0), 0),
          })),
        );
      }),
    );
  });
});

test('a paged list keeps what is put into it across its pages', () => {
  for (const length of [0, 1, 63, 64, 65, 255, 257, 65_535, 65_536, 65_537, 140_000]) {
    const list = new Paged((size) => new Uint32Array(size));
    for (let at = 0; at < length; at += 1) list.push(at * 7);
    expect(list.length).toBe(length);
    for (const at of [0, 64, length - 1].filter((one) => one >= 0 && one < length)) expect(list.get(at)).toBe(at * 7);
    const moved = list.moveTo(new Uint32Array(length));
    expect(moved.findIndex((value, at) => value !== at * 7)).toBe(-1);
    expect(list.length).toBe(0);
  }
});
