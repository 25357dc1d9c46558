import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { generatedKernels } from '../../../../scripts/build-kernels.ts';
import { BLOCK_VALUES, createKernels, SLOT_WORDS, SLOTS } from './kernels.ts';

const kernels = createKernels();
const EDGES = [[], [0], [65_535], [0, 65_535], [31, 32, 63, 64, 127, 128], [65_503, 65_504, 65_534]];

/** Values spread by a step, which gives every density from one value to all of them, with a run now and then. */
const spread = fc
  .record({ start: fc.nat(65_535), step: fc.integer({ min: 1, max: 9000 }), jitter: fc.nat(7), run: fc.nat(300) })
  .map(({ start, step, jitter, run }) => {
    const values: number[] = [];
    for (let at = start % step; at < BLOCK_VALUES; at += step + ((at * 7919) % (jitter + 1))) values.push(at);
    for (let at = start; at < Math.min(BLOCK_VALUES, start + run); at += 1) values.push(at);
    return values;
  });
const few = fc.array(fc.nat(65_535), { maxLength: 60 });
const edges = fc.constantFrom(
  ...EDGES,
  Array.from({ length: BLOCK_VALUES }, (_, value) => value),
);
const sets = fc.oneof(spread, few, edges).map((values) => new Set(values));
const points = fc.oneof(fc.constantFrom(0, 1, 65_535, 65_536), fc.integer({ min: 0, max: 65_536 }));
const RUNS = { numRuns: 150 };

type Values = ReadonlySet<number>;
const both = (a: Values, b: Values) => new Set([...a].filter((value) => b.has(value)));
const either = (a: Values, b: Values) => new Set([...a, ...b]);
const lacking = (a: Values, b: Values) => new Set([...a].filter((value) => !b.has(value)));

/** Ascending, in shared memory and behind two foreign values, as the index has its lists. */
const sorted = (set: Values) => Uint16Array.from(set).sort();
function placed(set: Values): { list: Uint16Array; from: number; to: number } {
  const list = new Uint16Array(new SharedArrayBuffer(2 * set.size + 6));
  list.fill(7);
  list.set(sorted(set), 2);
  return { list, from: 2, to: 2 + set.size };
}

/** The bits are written by the words, not by the kernels under test. */
function load(slot: number, set: Values): void {
  const words = new Int32Array(SLOT_WORDS);
  for (const value of set) words[value >>> 5] = (words[value >>> 5] ?? 0) | (1 << (value & 31));
  kernels.words.set(words, slot * SLOT_WORDS);
}
function stored(slot: number): Uint16Array {
  const values: number[] = [];
  for (let value = 0; value < BLOCK_VALUES; value += 1) {
    if (((kernels.words[slot * SLOT_WORDS + (value >>> 5)] ?? 0) >>> (value & 31)) & 1) values.push(value);
  }
  return Uint16Array.from(values);
}
const holds = (slot: number, expected: Values) =>
  Buffer.compare(Buffer.from(stored(slot).buffer), Buffer.from(sorted(expected).buffer)) === 0;
const sameList = (target: Uint16Array, size: number, expected: Values) =>
  size === expected.size && sorted(expected).every((value, at) => target[at] === value);

test('the committed bytes are those of the source', async () => {
  const { readFile } = await import('node:fs/promises');
  const committed = await readFile(new URL('./kernels.generated.ts', import.meta.url), 'utf8');
  expect(committed).toBe(await generatedKernels());
});

describe('two blocks', () => {
  const check = (work: (a: Values, b: Values) => boolean) =>
    fc.assert(
      fc.property(sets, sets, (a, b) => {
        load(1, a);
        load(2, b);
        return work(a, b) && holds(2, b);
      }),
      RUNS,
    );
  test('AND leaves what both have', () => check((a, b) => (kernels.and(1, 2), holds(1, both(a, b)))));
  test('OR leaves what either has', () => check((a, b) => (kernels.or(1, 2), holds(1, either(a, b)))));
  test('AND NOT leaves what the second lacks', () => check((a, b) => (kernels.andNot(1, 2), holds(1, lacking(a, b)))));
  test('a copy is the other block', () => check((_, b) => (kernels.copy(1, 2), holds(1, b))));
  test('counts need no result', () =>
    check(
      (a, b) =>
        kernels.andCount(1, 2) === both(a, b).size && kernels.andNotCount(1, 2) === lacking(a, b).size && holds(1, a),
    ));
});

describe('one block', () => {
  test('is counted, known to be empty, and listed in ascending order', () => {
    const target = new Uint16Array(BLOCK_VALUES);
    fc.assert(
      fc.property(sets, (set) => {
        load(3, set);
        const size = kernels.toList(3, target);
        return (
          kernels.count(3) === set.size &&
          kernels.isEmpty(3) === Number(set.size === 0) &&
          sameList(target, size, set) &&
          holds(3, set)
        );
      }),
      RUNS,
    );
  });

  test('a single value keeps it from being empty, wherever it is', () => {
    kernels.clear(3);
    for (let value = 0; value < BLOCK_VALUES; value += 1) {
      const one = Uint16Array.of(value);
      kernels.setList(3, one, 0, 1);
      if (kernels.isEmpty(3) !== 0 || kernels.count(3) !== 1) throw new Error(`value ${value} is not seen`);
      kernels.clearList(3, one, 0, 1);
    }
    expect(kernels.isEmpty(3)).toBe(1);
  });

  test('becomes its complement', () => {
    fc.assert(
      fc.property(sets, (set) => {
        load(3, set);
        kernels.not(3);
        return kernels.count(3) === BLOCK_VALUES - set.size && !stored(3).some((value) => set.has(value));
      }),
      RUNS,
    );
  });

  test('is cleared and filled without touching its neighbours, the first and the last too', () => {
    for (const slot of [0, 1, SLOTS - 2, SLOTS - 1]) {
      const neighbours = [slot - 1, slot + 1].filter((one) => one >= 0 && one < SLOTS);
      for (const one of neighbours) load(one, new Set([0, 65_535]));
      kernels.fill(slot);
      expect(kernels.count(slot)).toBe(BLOCK_VALUES);
      kernels.clear(slot);
      expect(kernels.count(slot)).toBe(0);
      kernels.fillRange(slot, 0, BLOCK_VALUES);
      expect(kernels.countRange(slot, 0, BLOCK_VALUES)).toBe(BLOCK_VALUES);
      kernels.not(slot);
      expect(kernels.isEmpty(slot)).toBe(1);
      for (const one of neighbours) expect(stored(one)).toEqual(Uint16Array.of(0, 65_535));
    }
  });

  test('takes a range of values and counts one', () => {
    fc.assert(
      fc.property(sets, points, points, (set, from, to) => {
        load(4, set);
        load(5, new Set([0, 65_535]));
        const within = [...set].filter((value) => value >= from && value < to).length;
        const counted = kernels.countRange(4, from, to) === within;
        kernels.fillRange(4, from, to);
        const filled = new Set(set);
        for (let value = from; value < to; value += 1) filled.add(value);
        return counted && holds(4, filled) && holds(5, new Set([0, 65_535]));
      }),
      { numRuns: 400 },
    );
  });
});

test('a block is loaded from a place in shared memory', () => {
  const bits = new Int32Array(new SharedArrayBuffer(4 * (3 * SLOT_WORDS + 5)), 4);
  bits.fill(-1);
  bits.fill(0, SLOT_WORDS + 3, 2 * SLOT_WORDS + 3);
  bits[SLOT_WORDS + 3] = 1;
  bits[2 * SLOT_WORDS + 2] = 1 << 31;
  for (const slot of [7, 9]) load(slot, new Set([5]));
  kernels.load(8, bits, SLOT_WORDS + 3);
  expect(stored(8)).toEqual(Uint16Array.of(0, 65_535));
  expect([stored(7), stored(9)]).toEqual([Uint16Array.of(5), Uint16Array.of(5)]);
});

describe('a list and a block', () => {
  const target = new Uint16Array(BLOCK_VALUES);
  const check = (work: (block: Values, values: Values) => boolean) =>
    fc.assert(
      fc.property(sets, sets, (block, values) => {
        load(6, block);
        return work(block, values);
      }),
      RUNS,
    );
  test('values are added and taken away', () =>
    check((block, values) => {
      const { list, from, to } = placed(values);
      kernels.setList(6, list, from, to);
      const added = holds(6, either(block, values));
      kernels.clearList(6, list, from, to);
      return added && holds(6, lacking(block, values));
    }));
  test('values are kept that the block has, or lacks, and counted', () =>
    check((block, values) => {
      const { list, from, to } = placed(values);
      const has = sameList(target, kernels.testList(6, list, from, to, target), both(values, block));
      const lacks = sameList(target, kernels.testListNot(6, list, from, to, target), lacking(values, block));
      const outside = new Int32Array(SLOT_WORDS + 3);
      outside.set(kernels.words.subarray(6 * SLOT_WORDS, 7 * SLOT_WORDS), 3);
      const common = both(values, block);
      const sameOutside =
        sameList(target, kernels.testBits(outside, 3, list, from, to, target), common) &&
        sameList(target, kernels.testBitsNot(outside, 3, list, from, to, target), lacking(values, block)) &&
        kernels.testBitsCount(outside, 3, list, from, to) === common.size;
      return has && lacks && sameOutside && kernels.testListCount(6, list, from, to) === both(values, block).size;
    }));
  test('the list may be written over by what is kept of it', () =>
    check((block, values) => {
      const list = sorted(values);
      return sameList(list, kernels.testList(6, list, 0, list.length, list), both(values, block));
    }));
});

describe('two lists', () => {
  const target = new Uint16Array(BLOCK_VALUES);
  test('have in common, or not, what two sets have, in whichever order and of whatever sizes', () => {
    fc.assert(
      fc.property(sets, sets, (a, b) => {
        const [left, right, common] = [placed(a), placed(b), both(a, b)];
        const args = [left.list, left.from, left.to, right.list, right.from, right.to] as const;
        const size = kernels.intersectLists(...args, target);
        const same = sameList(target, size, common);
        const rest = kernels.subtractLists(...args, target);
        return same && sameList(target, rest, lacking(a, b)) && kernels.intersectListsCount(...args) === common.size;
      }),
      { numRuns: 600 },
    );
  });

  test('of neighbouring sizes about a vector of eight values', () => {
    for (let a = 0; a <= 43; a += 1) {
      for (let b = 0; b <= 43; b += 1) {
        const left = Uint16Array.from({ length: a }, (_, at) => at * 2);
        const right = Uint16Array.from({ length: b }, (_, at) => at * 3);
        const common = both(new Set(left), new Set(right));
        const size = kernels.intersectLists(left, 0, a, right, 0, b, target);
        expect(target.subarray(0, size), `${a} and ${b}`).toEqual(sorted(common));
        const rest = kernels.subtractLists(left, 0, a, right, 0, b, target);
        expect(target.subarray(0, rest), `${a} without ${b}`).toEqual(sorted(lacking(new Set(left), new Set(right))));
      }
    }
  });
});

test('two instances do not share their slots', () => {
  const other = createKernels();
  kernels.fill(0);
  other.clear(0);
  expect([kernels.count(0), other.count(0)]).toEqual([BLOCK_VALUES, 0]);
});
