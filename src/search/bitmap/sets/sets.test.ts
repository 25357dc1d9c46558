import { describe, expect, test } from 'vitest';
import {
  createIdSet,
  fromSorted,
  fullSet,
  type IdSet,
  intersect,
  intersectionSize,
  intersects,
  subtract,
  unite,
} from './index.ts';

const LARGEST = 4_294_967_295;

const every = (step: number, count: number): Uint32Array => new Uint32Array(count).map((_, at) => at * step);

describe('an id set', () => {
  test('keeps the first and last value of a chunk and of the whole range apart', () => {
    const set = createIdSet([LARGEST, 65_536, 0, 65_535, 65_535]);
    expect([...set.toArray()]).toEqual([0, 65_535, 65_536, LARGEST]);
    expect(set.size).toBe(4);
    expect([0, 1, 65_534, 65_535, 65_536, 65_537, LARGEST].map((value) => set.has(value))).toEqual([
      true,
      false,
      false,
      true,
      true,
      false,
      true,
    ]);
  });

  test('tells whether an added value is new and a removed one was there', () => {
    const set = createIdSet();
    expect([set.add(7), set.add(7), set.remove(7), set.remove(7), set.remove(70_000)]).toEqual([
      true,
      false,
      true,
      false,
      false,
    ]);
    expect(set.size).toBe(0);
    expect([...set.toArray()]).toEqual([]);
  });

  test('turns dense with the 4,097th value of a chunk and sparse again only at 3,072', () => {
    const set = createIdSet(every(2, 4096));
    const sparse = set.bytes;
    set.add(65_535);
    const dense = set.bytes;
    expect([set.size, set.has(65_535), set.has(8190), set.has(8191)]).toEqual([4097, true, true, false]);
    set.remove(65_535);
    for (let value = 0; value < 1023 * 2; value += 2) set.remove(value);
    expect([set.size, set.bytes]).toEqual([3073, dense]);
    set.remove(1023 * 2);
    expect(set.size).toBe(3072);
    expect(set.bytes).toBeLessThan(sparse);
    expect(set.toArray()[0]).toBe(2048);
  });

  test('gives its memory back when its values go', () => {
    const set = createIdSet(every(3, 4000));
    const before = set.bytes;
    for (let at = 0; at < 3900; at += 1) set.remove(at * 3);
    expect(set.bytes).toBeLessThan(before / 4);
    expect(set.toArray()[0]).toBe(3900 * 3);
  });

  test('walks from a start within, between and beyond its values', () => {
    const set = createIdSet([5, 65_535, 200_000, LARGEST]);
    const from = (start: number): readonly number[] => {
      const visited: number[] = [];
      set.walk(start, (value) => visited.push(value) < 2);
      return visited;
    };
    expect(from(0)).toEqual([5, 65_535]);
    expect(from(6)).toEqual([65_535, 200_000]);
    expect(from(65_536)).toEqual([200_000, LARGEST]);
    expect(from(LARGEST)).toEqual([LARGEST]);
    expect(from(LARGEST + 1)).toEqual([]);
  });
});

describe('memory that sets share', () => {
  test('a full set of ten million copies only the chunk that changes', () => {
    const all = fullSet(10_000_000);
    const other = fullSet(10_000_000);
    expect([all.size, all.has(9_999_999), all.has(10_000_000)]).toEqual([10_000_000, true, false]);
    all.remove(70_000);
    expect([all.size, all.has(70_000), all.has(4464), other.has(70_000)]).toEqual([9_999_999, false, true, true]);
    expect(fullSet(200_000).has(70_000)).toBe(true);
  });

  test('a result keeps its values when the sets it came from change', () => {
    const a = fromSorted(every(3, 30_000));
    const results = [unite([a]), intersect([a]), intersect([a, fullSet(100_000)]), subtract(a, createIdSet([LARGEST]))];
    a.remove(3);
    a.add(4);
    expect(results.map((set) => [set.size, set.has(3), set.has(4)])).toEqual(results.map(() => [30_000, true, false]));
    expect([a.size, a.has(3), a.has(4)]).toEqual([30_000, false, true]);
  });
});

describe('operations on sets', () => {
  test('no sets have no values in common and none together', () => {
    expect([intersect([]).size, unite([]).size]).toEqual([0, 0]);
  });

  test('sparse and dense chunks meet in every order', () => {
    const rare = createIdSet([0, 6000, 6001, 65_536 * 2, 900_000]);
    const half = fromSorted(every(2, 500_000));
    const few = fromSorted(every(20, 50_000));
    for (const order of [
      [rare, half, few],
      [few, half, rare],
      [half, rare, few],
    ]) {
      expect([...intersect(order).toArray()]).toEqual([0, 6000, 900_000]);
    }
    expect(intersectionSize(half, few)).toBe(50_000);
    expect(subtract(half, few).size).toBe(450_000);
    expect([...subtract(rare, half).toArray()]).toEqual([6001]);
    expect(unite([few, rare, half]).size).toBe(500_001);
    expect(intersects(createIdSet([6001, 131_073]), half)).toBe(false);
  });

  test('a set of another making takes part with its values', () => {
    const own = createIdSet([1, 2, 3, 70_000]);
    const { size, bytes, has, forEach, toArray, walk } = own;
    const foreign: IdSet = {
      size,
      bytes,
      has: has.bind(own),
      forEach: forEach.bind(own),
      toArray: toArray.bind(own),
      walk: walk.bind(own),
    };
    expect([...intersect([foreign, createIdSet([2, 70_000])]).toArray()]).toEqual([2, 70_000]);
  });
});
