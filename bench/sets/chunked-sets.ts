/**
 * Sets as the index has them: chunks of 65,536 documents, each an ascending list of up to 4,096 16-bit values or 2,048 words
 * of bits, all in shared memory, and the work on them by the kernels. Results are in memory of their own.
 */
import { createKernels, SLOT_WORDS } from '../../src/search/bitmap/kernels/index.ts';

const LIST_MAX = 4096;
/** A longer list is worth the load of the bits that it is tested against. */
const LOAD_SIZE = 512;
const NO_LIST = new Uint16Array(0);
const NO_BITS = new Int32Array(0);

/** A chunk's list begins at list[at], its bits at bits[at]; the other of the two is empty. */
type Chunk = {
  readonly key: number;
  readonly size: number;
  readonly isList: boolean;
  readonly at: number;
  readonly list: Uint16Array;
  readonly bits: Int32Array;
};
export type ChunkedSet = readonly Chunk[];

const kernels = createKernels();
const target = new Uint16Array(65_536);

export function chunkedSet(values: Uint32Array): ChunkedSet {
  const parts: { key: number; from: number; to: number }[] = [];
  for (let from = 0; from < values.length; ) {
    const key = (values[from] ?? 0) >>> 16;
    let to = from;
    while (to < values.length && (values[to] ?? 0) >>> 16 === key) to += 1;
    parts.push({ key, from, to });
    from = to;
  }
  const sizes = parts.map(({ from, to }) => to - from);
  const listed = sizes.reduce((sum, size) => sum + (size <= LIST_MAX ? size : 0), 0);
  const blocks = sizes.filter((size) => size > LIST_MAX).length;
  const list = new Uint16Array(new SharedArrayBuffer(2 * listed));
  const bits = new Int32Array(new SharedArrayBuffer(4 * SLOT_WORDS * blocks));
  let [listAt, bitsAt] = [0, 0];
  return parts.map(({ key, from, to }) => {
    const size = to - from;
    const isList = size <= LIST_MAX;
    const at = isList ? listAt : bitsAt;
    for (let index = from; index < to; index += 1) {
      const low = (values[index] ?? 0) & 0xffff;
      if (isList) list[at + index - from] = low;
      else bits[at + (low >>> 5)] = (bits[at + (low >>> 5)] ?? 0) | (1 << (low & 31));
    }
    if (isList) listAt += size;
    else bitsAt += SLOT_WORDS;
    return { key, size, isList, at, list, bits };
  });
}

export function chunkedSize(set: ChunkedSet): number {
  return set.reduce((sum, { size }) => sum + size, 0);
}

/** The values, ascending, found without the kernels. */
export function chunkedValues(set: ChunkedSet): Uint32Array {
  const values = new Uint32Array(chunkedSize(set));
  let size = 0;
  const put = (value: number) => {
    values[size] = value;
    size += 1;
  };
  for (const chunk of set) {
    const { key, at, list, bits } = chunk;
    if (chunk.isList) for (let index = 0; index < chunk.size; index += 1) put(key * 65_536 + (list[at + index] ?? 0));
    else {
      for (let low = 0; low < 65_536; low += 1)
        if (((bits[at + (low >>> 5)] ?? 0) >>> (low & 31)) & 1) put(key * 65_536 + low);
    }
  }
  return values;
}

function listChunk(key: number, size: number): Chunk | undefined {
  return size === 0 ? undefined : { key, size, isList: true, at: 0, list: target.slice(0, size), bits: NO_BITS };
}

function slotChunk(key: number, slot: number): Chunk | undefined {
  const size = kernels.count(slot);
  if (size <= LIST_MAX) return listChunk(key, size === 0 ? 0 : kernels.toList(slot, target));
  const bits = new Int32Array(SLOT_WORDS);
  bits.set(kernels.words.subarray(slot * SLOT_WORDS, (slot + 1) * SLOT_WORDS));
  return { key, size, isList: false, at: 0, list: NO_LIST, bits };
}

/** The chunks of both sets by their keys, in which both have one. */
function forPairs(a: ChunkedSet, b: ChunkedSet, work: (a: Chunk, b: Chunk) => void): void {
  for (let [aAt, bAt] = [0, 0]; aAt < a.length && bAt < b.length; ) {
    const [left, right] = [a[aAt], b[bAt]];
    if (!left || !right) return;
    if (left.key === right.key) work(left, right);
    if (left.key <= right.key) aAt += 1;
    if (right.key <= left.key) bAt += 1;
  }
}

function common(a: Chunk, b: Chunk): Chunk | undefined {
  if (a.isList && b.isList) {
    return listChunk(a.key, kernels.intersectLists(a.list, a.at, a.at + a.size, b.list, b.at, b.at + b.size, target));
  }
  if (!a.isList && !b.isList) {
    kernels.load(0, a.bits, a.at);
    kernels.load(1, b.bits, b.at);
    kernels.and(0, 1);
    return slotChunk(a.key, 0);
  }
  const [list, bits] = a.isList ? [a, b] : [b, a];
  const [from, to] = [list.at, list.at + list.size];
  if (list.size < LOAD_SIZE) return listChunk(a.key, kernels.testBits(bits.bits, bits.at, list.list, from, to, target));
  kernels.load(0, bits.bits, bits.at);
  return listChunk(a.key, kernels.testList(0, list.list, from, to, target));
}

function countCommon(a: Chunk, b: Chunk): number {
  if (a.isList && b.isList)
    return kernels.intersectListsCount(a.list, a.at, a.at + a.size, b.list, b.at, b.at + b.size);
  const [list, bits] = a.isList ? [a, b] : [b, a];
  if (list.isList) return kernels.testBitsCount(bits.bits, bits.at, list.list, list.at, list.at + list.size);
  kernels.load(0, bits.bits, bits.at);
  kernels.load(1, list.bits, list.at);
  return kernels.andCount(0, 1);
}

function difference(a: Chunk, b: Chunk): Chunk | undefined {
  if (a.isList && b.isList)
    return listChunk(a.key, kernels.subtractLists(a.list, a.at, a.at + a.size, b.list, b.at, b.at + b.size, target));
  if (a.isList) {
    const [from, to] = [a.at, a.at + a.size];
    if (a.size < LOAD_SIZE) return listChunk(a.key, kernels.testBitsNot(b.bits, b.at, a.list, from, to, target));
    kernels.load(0, b.bits, b.at);
    return listChunk(a.key, kernels.testListNot(0, a.list, from, to, target));
  }
  kernels.load(0, a.bits, a.at);
  if (b.isList) kernels.clearList(0, b.list, b.at, b.at + b.size);
  else {
    kernels.load(1, b.bits, b.at);
    kernels.andNot(0, 1);
  }
  return slotChunk(a.key, 0);
}

export function chunkedAnd(a: ChunkedSet, b: ChunkedSet): ChunkedSet {
  const result: Chunk[] = [];
  forPairs(a, b, (left, right) => {
    const chunk = common(left, right);
    if (chunk) result.push(chunk);
  });
  return result;
}

export function chunkedCount(a: ChunkedSet, b: ChunkedSet): number {
  let count = 0;
  forPairs(a, b, (left, right) => {
    count += countCommon(left, right);
  });
  return count;
}

export function chunkedAndNot(a: ChunkedSet, b: ChunkedSet): ChunkedSet {
  const result: Chunk[] = [];
  let at = 0;
  for (const chunk of a) {
    while ((b[at]?.key ?? Number.POSITIVE_INFINITY) < chunk.key) at += 1;
    const other = b[at];
    const rest = other?.key === chunk.key ? difference(chunk, other) : chunk;
    if (rest) result.push(rest);
  }
  return result;
}

export function chunkedOr(sets: readonly ChunkedSet[]): ChunkedSet {
  const result: Chunk[] = [];
  const places = sets.map(() => 0);
  for (;;) {
    const key = Math.min(...sets.map((set, index) => set[places[index] ?? 0]?.key ?? Number.POSITIVE_INFINITY));
    if (key === Number.POSITIVE_INFINITY) return result;
    kernels.clear(0);
    for (const [index, set] of sets.entries()) {
      const place = places[index] ?? 0;
      const chunk = set[place];
      if (chunk?.key !== key) continue;
      places[index] = place + 1;
      if (chunk.isList) kernels.setList(0, chunk.list, chunk.at, chunk.at + chunk.size);
      else {
        kernels.load(1, chunk.bits, chunk.at);
        kernels.or(0, 1);
      }
    }
    const chunk = slotChunk(key, 0);
    if (chunk) result.push(chunk);
  }
}
