import type { CopyIn } from './copy-bytes.ts';
import { countBySearch, intersectBySearch, SEARCH_RATIO, subtractBySearch } from './list-search.ts';
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
/** Up to here the values of the shorter list are searched for: a call into the instance takes as long. */
const SEARCH_SIZE = 8;

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
  return size <= other && (size <= SEARCH_SIZE || size * SEARCH_RATIO < other);
}

export function listKernels(parts: ListParts): ListKernels {
  const { raw, a: areaA, b: areaB, out, copyIn } = parts;
  /** To the out area. 8 by 8 in the instance takes a sixth of the time of one by one here, copies included. */
  const merge = (
    kernel: RawKernels['intersectLists'],
    a: Uint16Array,
    aFrom: number,
    aTo: number,
    b: Uint16Array,
    bFrom: number,
    bTo: number,
  ): number => {
    const aBytes = 2 * (aTo - aFrom);
    const bBytes = 2 * (bTo - bFrom);
    copyIn(a.buffer, a.byteOffset + 2 * aFrom, areaA.at, aBytes);
    copyIn(b.buffer, b.byteOffset + 2 * bFrom, areaB.at, bBytes);
    return kernel(areaA.at, areaA.at + aBytes, areaB.at, areaB.at + bBytes, out.at);
  };
  /** From the out area; few values one by one, since a view costs as much. */
  const copyOut: CopyOut = (target, size) => {
    if (size > 48) target.set(out.values.subarray(0, size));
    else for (let at = 0; at < size; at += 1) target[at] = out.values[at] ?? 0;
  };
  return {
    ...bitKernels(parts, copyOut),
    toList: (slot, target) => {
      const size = raw.toList(slot, out.at);
      copyOut(target, size);
      return size;
    },
    intersectLists: (a, aFrom, aTo, b, bFrom, bTo, target) => {
      const [aSize, bSize] = [aTo - aFrom, bTo - bFrom];
      if (isSearch(aSize, bSize))
        return intersectBySearch({ values: a, from: aFrom, to: aTo }, { values: b, from: bFrom, to: bTo }, target);
      if (isSearch(bSize, aSize))
        return intersectBySearch({ values: b, from: bFrom, to: bTo }, { values: a, from: aFrom, to: aTo }, target);
      const size = merge(raw.intersectLists, a, aFrom, aTo, b, bFrom, bTo);
      copyOut(target, size);
      return size;
    },
    subtractLists: (a, aFrom, aTo, b, bFrom, bTo, target) => {
      if (isSearch(aTo - aFrom, bTo - bFrom))
        return subtractBySearch({ values: a, from: aFrom, to: aTo }, { values: b, from: bFrom, to: bTo }, target);
      const size = merge(raw.subtractLists, a, aFrom, aTo, b, bFrom, bTo);
      copyOut(target, size);
      return size;
    },
    intersectListsCount: (a, aFrom, aTo, b, bFrom, bTo) => {
      const [aSize, bSize] = [aTo - aFrom, bTo - bFrom];
      if (isSearch(aSize, bSize))
        return countBySearch({ values: a, from: aFrom, to: aTo }, { values: b, from: bFrom, to: bTo });
      if (isSearch(bSize, aSize))
        return countBySearch({ values: b, from: bFrom, to: bTo }, { values: a, from: aFrom, to: aTo });
      return merge(raw.intersectLists, a, aFrom, aTo, b, bFrom, bTo);
    },
  };
}
