import type { Chunk } from './containers.ts';
import { CHUNK_VALUES, chunkOfWords, lowerBound, SPARSE_MAX, sparseChunk } from './containers.ts';
import {
  addWords,
  andNotWords,
  andWords,
  CHUNK_WORDS,
  clearBits,
  countCommonBits,
  haveCommonBit,
  listBits,
  setBits,
} from './words.ts';

/** One list of values much shorter than the other, or short altogether, is looked up value by value. */
const LOOK_UP_RATIO = 16;
const LOOK_UP_SIZE = 64;

type Scratch = { readonly words: Int32Array; readonly marks: Int32Array; readonly values: Uint16Array };
let kept: Scratch | undefined;

/** Working memory, 24 KiB for the thread. No operation calls back to its caller, so none meets another's values. */
function scratch(): Scratch {
  kept ??= {
    words: new Int32Array(CHUNK_WORDS),
    marks: new Int32Array(CHUNK_WORDS),
    values: new Uint16Array(SPARSE_MAX),
  };
  return kept;
}

type List = { readonly values: Uint16Array; readonly size: number };

/** The place of the first value from `from` on that is at least `low`, in steps that double (galloping search). */
function seek(list: List, from: number, low: number): number {
  const { values, size } = list;
  let step = 1;
  let below = from;
  let probe = from;
  while (probe < size && (values[probe] ?? 0) < low) {
    below = probe + 1;
    probe += step;
    step *= 2;
  }
  return lowerBound(values, low, { from: below, size: Math.min(probe, size) });
}

/** Writes the values of `list` that are in `other` (or are not, when `wanted` is 0) to `target`, which may be `list`'s. */
function filterByLookUp(target: Uint16Array, list: List, by: { readonly other: List; readonly wanted: 0 | 1 }): number {
  const { other, wanted } = by;
  let kept = 0;
  let place = 0;
  for (let at = 0; at < list.size; at += 1) {
    const low = list.values[at] ?? 0;
    place = seek(other, place, low);
    const found = place < other.size && other.values[place] === low ? 1 : 0;
    if (found === wanted) {
      target[kept] = low;
      kept += 1;
    }
  }
  return kept;
}

/** As above against bits. Without branches on the data: a wrong guess of the processor costs more than a write. */
function filterByBits(
  target: Uint16Array,
  list: List,
  by: { readonly words: Int32Array; readonly wanted: 0 | 1 },
): number {
  const { words } = by;
  const flip = 1 - by.wanted;
  let kept = 0;
  for (let at = 0; at < list.size; at += 1) {
    const low = list.values[at] ?? 0;
    target[kept] = low;
    kept += (((words[low >>> 5] ?? 0) >>> (low & 31)) & 1) ^ flip;
  }
  return kept;
}

function isLookUp(list: List, other: List): boolean {
  return list.size < LOOK_UP_SIZE || other.size > list.size * LOOK_UP_RATIO;
}

function marked(list: List): Int32Array {
  const { marks } = scratch();
  marks.fill(0);
  setBits(marks, list.values, list.size);
  return marks;
}

function filter(list: List, other: Chunk, wanted: 0 | 1): number {
  const target = scratch().values;
  if (other.dense) return filterByBits(target, list, { words: other.words, wanted });
  if (isLookUp(list, other)) return filterByLookUp(target, list, { other, wanted });
  return filterByBits(target, list, { words: marked(other), wanted });
}

function keptValues(size: number): Chunk | undefined {
  return size === 0 ? undefined : sparseChunk(scratch().values.slice(0, size), size);
}

/** What all chunks (two or more, smallest first) have in common. */
export function intersectChunks(chunks: readonly Chunk[]): Chunk | undefined {
  const [first, second] = chunks;
  if (!first || !second) return undefined;
  if (!first.dense) {
    let size = filter(first, second, 1);
    for (let at = 2; at < chunks.length && size > 0; at += 1) {
      const other = chunks[at];
      if (other) size = filter({ values: scratch().values, size }, other, 1);
    }
    return keptValues(size);
  }
  const { words } = scratch();
  let left = first.words;
  for (let at = 1; at < chunks.length; at += 1) {
    const other = chunks[at];
    // Always so: the chunks after a dense one are larger, hence mostly dense; a sparse one is made bits first.
    if (other) andWords(words, left, other.dense ? other.words : marked(other));
    left = words;
  }
  return chunkOfWords(words);
}

/** What any of the chunks has. */
export function uniteChunks(chunks: readonly Chunk[]): Chunk | undefined {
  const { words } = scratch();
  const dense = chunks.flatMap((chunk) => (chunk.dense ? [chunk.words] : []));
  const [first] = dense;
  if (first) words.set(first);
  else words.fill(0);
  for (let at = 1; at < dense.length; at += 2) {
    const next = dense[at] ?? words;
    addWords(words, next, dense[at + 1] ?? next);
  }
  for (const chunk of chunks) if (!chunk.dense) setBits(words, chunk.values, chunk.size);
  if (chunks.reduce((sum, chunk) => sum + chunk.size, 0) > SPARSE_MAX) return chunkOfWords(words);
  return keptValues(listBits(words, { target: scratch().values, at: 0, base: 0 }));
}

export function subtractChunk(from: Chunk, without: Chunk): Chunk | undefined {
  if (!from.dense) return keptValues(filter(from, without, 0));
  const { words } = scratch();
  if (without.dense) andNotWords(words, from.words, without.words);
  else {
    words.set(from.words);
    clearBits(words, without.values, without.size);
  }
  return chunkOfWords(words);
}

function countInBits(list: List, words: Int32Array): number {
  let count = 0;
  for (let at = 0; at < list.size; at += 1) {
    const low = list.values[at] ?? 0;
    count += ((words[low >>> 5] ?? 0) >>> (low & 31)) & 1;
  }
  return count;
}

function countByLookUp(list: List, other: List, limit: number): number {
  let count = 0;
  let place = 0;
  for (let at = 0; at < list.size && count < limit; at += 1) {
    const low = list.values[at] ?? 0;
    place = seek(other, place, low);
    if (place < other.size && other.values[place] === low) count += 1;
  }
  return count;
}

/** How many values both have, without a list of them. */
export function countCommon(a: Chunk, b: Chunk): number {
  if (a.size === CHUNK_VALUES) return b.size;
  if (b.size === CHUNK_VALUES) return a.size;
  if (a.dense) return b.dense ? countCommonBits(a.words, b.words) : countInBits(b, a.words);
  if (b.dense) return countInBits(a, b.words);
  const [short, long] = a.size < b.size ? [a, b] : [b, a];
  return isLookUp(short, long) ? countByLookUp(short, long, CHUNK_VALUES) : countInBits(short, marked(long));
}

function isAnyInBits(list: List, words: Int32Array): boolean {
  for (let at = 0; at < list.size; at += 1) {
    const low = list.values[at] ?? 0;
    if ((((words[low >>> 5] ?? 0) >>> (low & 31)) & 1) === 1) return true;
  }
  return false;
}

/** Whether both have a value in common: stops at the first. */
export function haveCommon(a: Chunk, b: Chunk): boolean {
  if (a.dense) return b.dense ? haveCommonBit(a.words, b.words) : isAnyInBits(b, a.words);
  if (b.dense) return isAnyInBits(a, b.words);
  return a.size < b.size ? countByLookUp(a, b, 1) > 0 : countByLookUp(b, a, 1) > 0;
}

/** Writes the chunk's values, each plus `base`, from `target[at]` on; answers the place after the last. */
export function listChunk(
  chunk: Chunk,
  to: { readonly target: Uint32Array; readonly at: number; readonly base: number },
): number {
  if (chunk.dense) return listBits(chunk.words, to);
  for (let at = 0; at < chunk.size; at += 1) to.target[to.at + at] = to.base + (chunk.values[at] ?? 0);
  return to.at + chunk.size;
}
