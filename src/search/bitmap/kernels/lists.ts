import type { CopyIn } from './copy-bytes.ts';
import {
  intersectByMerge,
  intersectBySearch,
  type ListRange,
  SEARCH_RATIO,
  subtractByMerge,
  subtractBySearch,
} from './list-search.ts';
import type { ListKernels, RawKernels } from './types.ts';

/** log2 of the words in a slot. */
const SLOT_WORDS_SHIFT = 11;

/** A stretch of the instance's memory that holds a list: its address in bytes, and its values. */
export type ListArea = { readonly at: number; readonly values: Uint16Array };

export type ListParts = {
  readonly raw: RawKernels;
  /** All slots. */
  readonly words: Int32Array;
  readonly a: ListArea;
  readonly b: ListArea;
  readonly out: ListArea;
  readonly copyIn: CopyIn;
};

/** From here on the instance, which takes half the time a value, is faster in spite of the copies. */
const INSTANCE_SIZE = 256;
/** Up to here two lists are read in step here: the copies into the instance take as long. */
const MERGE_SIZE = 64;

type Kept = { readonly from: number; readonly to: number; readonly flip: 0 | 1; readonly target: Uint16Array };

/** Written in any case, so that no branch depends on the data: a wrong guess of the processor costs more than a write. */
function keep(bits: Int32Array, base: number, list: Uint16Array, { from, to, flip, target }: Kept): number {
  let kept = 0;
  for (let at = from; at < to; at += 1) {
    const value = list[at] ?? 0;
    target[kept] = value;
    kept += (((bits[base + (value >>> 5)] ?? 0) >>> (value & 31)) & 1) ^ flip;
  }
  return kept;
}

function countKept(bits: Int32Array, base: number, list: Uint16Array, from: number, to: number): number {
  let count = 0;
  for (let at = from; at < to; at += 1) {
    const value = list[at] ?? 0;
    count += ((bits[base + (value >>> 5)] ?? 0) >>> (value & 31)) & 1;
  }
  return count;
}

type BitKernels = Pick<
  ListKernels,
  'setList' | 'clearList' | 'testList' | 'testListNot' | 'testListCount' | 'testBits' | 'testBitsNot' | 'testBitsCount'
>;

function bitKernels({ raw, words, a, out, copyIn }: ListParts, copyOut: CopyOut): BitKernels {
  const test = (slot: number, list: Uint16Array, kept: Kept): number => {
    const { from, to, flip, target } = kept;
    if (to - from < INSTANCE_SIZE) return keep(words, slot << SLOT_WORDS_SHIFT, list, kept);
    copyIn(list.buffer, list.byteOffset + 2 * from, a.at, 2 * (to - from));
    const size = raw.testList(slot, a.at, a.at + 2 * (to - from), flip, out.at);
    copyOut(target, size);
    return size;
  };
  return {
    setList: (slot, list, from, to) => {
      if (to - from >= INSTANCE_SIZE) {
        copyIn(list.buffer, list.byteOffset + 2 * from, a.at, 2 * (to - from));
        raw.setList(slot, a.at, a.at + 2 * (to - from));
        return;
      }
      const base = slot << SLOT_WORDS_SHIFT;
      for (let at = from; at < to; at += 1) {
        const value = list[at] ?? 0;
        const word = base + (value >>> 5);
        words[word] = (words[word] ?? 0) | (1 << (value & 31));
      }
    },
    clearList: (slot, list, from, to) => {
      const base = slot << SLOT_WORDS_SHIFT;
      for (let at = from; at < to; at += 1) {
        const value = list[at] ?? 0;
        const word = base + (value >>> 5);
        words[word] = (words[word] ?? 0) & ~(1 << (value & 31));
      }
    },
    testList: (slot, list, from, to, target) => test(slot, list, { from, to, flip: 0, target }),
    testListNot: (slot, list, from, to, target) => test(slot, list, { from, to, flip: 1, target }),
    testListCount: (slot, list, from, to) => countKept(words, slot << SLOT_WORDS_SHIFT, list, from, to),
    testBits: (bits, at, list, from, to, target) => keep(bits, at, list, { from, to, flip: 0, target }),
    testBitsNot: (bits, at, list, from, to, target) => keep(bits, at, list, { from, to, flip: 1, target }),
    testBitsCount: countKept,
  };
}

type CopyOut = (target: Uint16Array, size: number) => void;

/** Whether the values of a list of `size` are to be searched for in one of `other` values. */
function isSearch(size: number, other: number): boolean {
  return size * SEARCH_RATIO < other;
}

export function listKernels(parts: ListParts): ListKernels {
  const { raw, a: areaA, b: areaB, out, copyIn } = parts;
  /** To the out area. 8 by 8 in the instance takes a sixth of the time of one by one here, copies included. */
  const run = (kernel: RawKernels['intersectLists'], a: ListRange, b: ListRange): number => {
    const aBytes = 2 * (a.to - a.from);
    const bBytes = 2 * (b.to - b.from);
    copyIn(a.values.buffer, a.values.byteOffset + 2 * a.from, areaA.at, aBytes);
    copyIn(b.values.buffer, b.values.byteOffset + 2 * b.from, areaB.at, bBytes);
    return kernel(areaA.at, areaA.at + aBytes, areaB.at, areaB.at + bBytes, out.at);
  };
  /** From the out area; few values one by one, since a view costs as much. */
  const copyOut: CopyOut = (target, size) => {
    if (size > 48) target.set(out.values.subarray(0, size));
    else for (let at = 0; at < size; at += 1) target[at] = out.values[at] ?? 0;
  };
  /** To `target` or to the out area, which may be `target`. */
  const intersect = (a: ListRange, b: ListRange, target: Uint16Array): number => {
    const aSize = a.to - a.from;
    const bSize = b.to - b.from;
    if (isSearch(aSize, bSize)) return intersectBySearch(a, b, target);
    if (isSearch(bSize, aSize)) return intersectBySearch(b, a, target);
    if (aSize + bSize <= MERGE_SIZE) return intersectByMerge(a, b, target);
    const size = run(raw.intersectLists, a, b);
    if (target !== out.values) copyOut(target, size);
    return size;
  };
  return {
    ...bitKernels(parts, copyOut),
    toList: (slot, target) => {
      const size = raw.toList(slot, out.at);
      copyOut(target, size);
      return size;
    },
    intersectLists: (a, aFrom, aTo, b, bFrom, bTo, target) =>
      intersect({ values: a, from: aFrom, to: aTo }, { values: b, from: bFrom, to: bTo }, target),
    intersectListsCount: (a, aFrom, aTo, b, bFrom, bTo) =>
      intersect({ values: a, from: aFrom, to: aTo }, { values: b, from: bFrom, to: bTo }, out.values),
    subtractLists: (a, aFrom, aTo, b, bFrom, bTo, target) => {
      const from = { values: a, from: aFrom, to: aTo };
      const without = { values: b, from: bFrom, to: bTo };
      const [aSize, bSize] = [aTo - aFrom, bTo - bFrom];
      if (isSearch(aSize, bSize)) return subtractBySearch(from, without, target);
      if (aSize + bSize <= MERGE_SIZE) return subtractByMerge(from, without, target);
      const size = run(raw.subtractLists, from, without);
      copyOut(target, size);
      return size;
    },
  };
}
