import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  createIdSet,
  fromSorted,
  fullSet,
  type IdSet,
  intersect,
  intersectionSize,
  intersects,
  type MutableIdSet,
  subtract,
  unite,
} from './index.ts';

const RUNS = 50;
/** Few chunks, so that sets meet; the last one of all, where signed arithmetic would go wrong. */
const key = fc.constantFrom(0, 1, 2, 5, 65_535);

/** Spread evenly with a step that is odd, so that sets of different steps meet in some values only. */
function spread(first: number, count: number, step: number): number[] {
  return [...new Set(Array.from({ length: count }, (_, at) => (first + at * step) % 65_536))];
}

const low = fc.oneof(fc.constantFrom(0, 1, 31, 32, 65_503, 65_504, 65_535), fc.integer({ min: 0, max: 65_535 }));
const lows = fc.oneof(
  fc.array(low, { maxLength: 12 }),
  fc.tuple(low, fc.integer({ min: 40, max: 300 }), fc.constantFrom(1, 3, 7, 33)).map((of) => spread(...of)),
  fc
    .tuple(low, fc.constantFrom(3000, 3071, 4095, 4096, 4097, 5000), fc.constantFrom(1, 3, 13))
    .map((of) => spread(...of)),
  fc.tuple(low, fc.integer({ min: 20_000, max: 65_536 }), fc.constantFrom(1, 7)).map((of) => spread(...of)),
);
const values = fc
  .array(fc.tuple(key, lows), { maxLength: 4 })
  .map((chunks) => new Set(chunks.flatMap(([key, lows]) => lows.map((low) => key * 65_536 + low))));

const ascending = (values: Iterable<number>): Uint32Array => Uint32Array.from(values).sort();
const build = (values: ReadonlySet<number>): MutableIdSet => fromSorted(ascending(values));

/** Plain equality of the bytes: `toEqual` takes seconds on arrays of this length. */
function expectSame(set: IdSet, oracle: Iterable<number>): void {
  const expected = ascending(oracle);
  const actual = set.toArray();
  expect(set.size).toBe(expected.length);
  expect(actual.length).toBe(expected.length);
  expect(actual.findIndex((value, at) => value !== expected[at])).toBe(-1);
}

function check<T>(arbitrary: fc.Arbitrary<T>, holds: (given: T) => void): void {
  fc.assert(
    fc.property(arbitrary, (given) => holds(given)),
    { numRuns: RUNS },
  );
}

describe('sets against Set<number>', () => {
  test('building, adding in any order and listing agree', () => {
    check(values, (oracle) => {
      expectSame(build(oracle), oracle);
      const added = createIdSet(oracle);
      expectSame(added, oracle);
      const visited: number[] = [];
      added.forEach((value) => visited.push(value));
      expectSame(fromSorted(Uint32Array.from(visited)), oracle);
      for (const value of [...oracle].slice(0, 200)) {
        expect(added.has(value)).toBe(true);
        expect(added.has(value ^ 1)).toBe(oracle.has((value ^ 1) >>> 0));
      }
    });
  });

  test('a walk begins at the first value from its start on and ends when told', () => {
    check(fc.record({ oracle: values, key, low, limit: fc.integer({ min: 1, max: 500 }) }), (given) => {
      const start = given.key * 65_536 + given.low;
      const visited: number[] = [];
      build(given.oracle).walk(start, (value) => visited.push(value) < given.limit);
      const expected = ascending([...given.oracle].filter((value) => value >= start)).subarray(0, given.limit);
      expect(visited).toEqual([...expected]);
    });
  });

  test('an intersection of one to four sets, its size and whether there is one agree', () => {
    check(fc.array(values, { minLength: 1, maxLength: 4 }), (oracles) => {
      const sets = oracles.map(build);
      const [first = new Set<number>(), second = first] = oracles;
      const [a = createIdSet(), b = a] = sets;
      expectSame(
        intersect(sets),
        [...first].filter((value) => oracles.every((oracle) => oracle.has(value))),
      );
      const common = [...first].filter((value) => second.has(value)).length;
      expect(intersectionSize(a, b)).toBe(common);
      expect(intersectionSize(b, a)).toBe(common);
      expect(intersects(a, b)).toBe(common > 0);
      expect(intersects(b, a)).toBe(common > 0);
      for (const [at, set] of sets.entries()) expectSame(set, oracles[at] ?? []);
    });
  });

  test('a union of up to five sets agrees', () => {
    check(fc.array(values, { maxLength: 5 }), (oracles) => {
      const sets = oracles.map(build);
      expectSame(unite(sets), new Set(oracles.flatMap((oracle) => [...oracle])));
      for (const [at, set] of sets.entries()) expectSame(set, oracles[at] ?? []);
    });
  });

  test('a difference agrees', () => {
    check(fc.tuple(values, values), ([from, without]) => {
      const sets = [build(from), build(without)] as const;
      expectSame(
        subtract(...sets),
        [...from].filter((value) => !without.has(value)),
      );
      expectSame(sets[0], from);
      expectSame(sets[1], without);
    });
  });

  test('adds and removals agree, and no clone or result sees those of another', () => {
    const change = fc.record({ isAdd: fc.boolean(), key, lows, target: fc.integer({ min: 0, max: 3 }) });
    const given = fc.record({ a: values, b: values, changes: fc.array(change, { maxLength: 8 }) });
    check(given, ({ a, b, changes }) => {
      const original = build(a);
      const sets = [original, original.clone(), build(b), original.clone()];
      const oracles = [new Set(a), new Set(a), new Set(b), new Set(a)];
      const united = unite([original, sets[2] ?? original]);
      const expectedUnion = new Set([...a, ...b]);
      for (const { isAdd, key, lows, target } of changes) {
        const [set, oracle] = [sets[target], oracles[target]];
        if (!set || !oracle) continue;
        for (const low of lows) {
          const value = key * 65_536 + low;
          const isChange = isAdd ? !oracle.has(value) : oracle.delete(value);
          if (isAdd) oracle.add(value);
          if ((isAdd ? set.add(value) : set.remove(value)) !== isChange) throw new Error(`wrong answer for ${value}`);
        }
      }
      for (const [at, set] of sets.entries()) expectSame(set, oracles[at] ?? []);
      expectSame(united, expectedUnion);
    });
  });

  test('the full set is all numbers below its count', () => {
    check(
      fc.oneof(fc.constantFrom(0, 1, 4096, 4097, 65_535, 65_536, 65_537), fc.integer({ min: 0, max: 200_000 })),
      (count) => {
        expectSame(fullSet(count), Array.from({ length: count }).keys());
      },
    );
  });
});
