import { listChunk } from './container-ops.ts';
import type { Chunk } from './containers.ts';
import {
  CHUNK_VALUES,
  chunkOfValues,
  contains,
  copyOf,
  firstValues,
  inserted,
  lowerBound,
  removed,
  singleValue,
} from './containers.ts';
import type { IdSet, MutableIdSet } from './types.ts';
import { CHUNK_WORDS } from './words.ts';

/** What V8 spends (measured on Node 24) on a set, and on a chunk beside its values: objects, typed array and buffer headers, list slots. */
const SET_OVERHEAD_BYTES = 180;
const CHUNK_OVERHEAD_BYTES = 290;

/**
 * Chunks in ascending order of their keys. A class because an index holds 100,000 sets: with a factory each of them would
 * carry a closure per method. The fields are for the operations of this folder only.
 */
export class ChunkedIdSet implements MutableIdSet {
  keys: number[] = [];
  chunks: Chunk[] = [];
  size = 0;

  get bytes(): number {
    let bytes = SET_OVERHEAD_BYTES;
    for (const chunk of this.chunks) {
      bytes += CHUNK_OVERHEAD_BYTES + (chunk.dense ? chunk.words.byteLength : chunk.values.byteLength);
    }
    return bytes;
  }

  /** The place of the first chunk whose key is at least `key`. */
  place(key: number): number {
    const { keys } = this;
    // Most sets of some size have a chunk for every key from 0 on; and documents arrive at the end.
    if (keys[key] === key) return key;
    let to = keys.length;
    if (to === 0 || (keys[to - 1] ?? 0) < key) return to;
    let from = 0;
    while (from < to) {
      const middle = (from + to) >>> 1;
      if ((keys[middle] ?? 0) < key) from = middle + 1;
      else to = middle;
    }
    return from;
  }

  find(key: number): Chunk | undefined {
    const at = this.place(key);
    return this.keys[at] === key ? this.chunks[at] : undefined;
  }

  #insert(at: number, key: number, chunk: Chunk): void {
    if (this.keys.length === 0) {
      // A list that grows from empty has room for 17; one of a single entry is exact, which most rare tags stay with.
      this.keys = [key];
      this.chunks = [chunk];
    } else if (at === this.keys.length) {
      this.keys.push(key);
      this.chunks.push(chunk);
    } else {
      this.keys.splice(at, 0, key);
      this.chunks.splice(at, 0, chunk);
    }
  }

  /** Appends a chunk that no other set holds, with a key above all others. */
  append(key: number, chunk: Chunk | undefined): void {
    if (!chunk) return;
    this.#insert(this.keys.length, key, chunk);
    this.size += chunk.size;
  }

  /** Appends a chunk that another set holds too: from now on neither changes it, but takes a copy first. */
  appendShared(key: number, chunk: Chunk): void {
    chunk.shared = true;
    this.append(key, chunk);
  }

  has(value: number): boolean {
    const chunk = this.find(value >>> 16);
    return chunk !== undefined && contains(chunk, value & 0xffff);
  }

  add(value: number): boolean {
    const key = value >>> 16;
    const low = value & 0xffff;
    const at = this.place(key);
    const chunk = this.keys[at] === key ? this.chunks[at] : undefined;
    if (!chunk) {
      this.#insert(at, key, singleValue(low));
    } else {
      if (contains(chunk, low)) return false;
      this.chunks[at] = inserted(chunk.shared ? copyOf(chunk) : chunk, low);
    }
    this.size += 1;
    return true;
  }

  remove(value: number): boolean {
    const key = value >>> 16;
    const low = value & 0xffff;
    const at = this.place(key);
    const chunk = this.keys[at] === key ? this.chunks[at] : undefined;
    if (!chunk || !contains(chunk, low)) return false;
    if (chunk.size > 1) this.chunks[at] = removed(chunk.shared ? copyOf(chunk) : chunk, low);
    else {
      this.keys.splice(at, 1);
      this.chunks.splice(at, 1);
    }
    this.size -= 1;
    return true;
  }

  clone(): MutableIdSet {
    const copy = new ChunkedIdSet();
    for (const [at, chunk] of this.chunks.entries()) copy.appendShared(this.keys[at] ?? 0, chunk);
    return copy;
  }

  toArray(): Uint32Array {
    const target = new Uint32Array(this.size);
    let at = 0;
    for (const [index, chunk] of this.chunks.entries()) {
      at = listChunk(chunk, { target, at, base: (this.keys[index] ?? 0) * CHUNK_VALUES });
    }
    return target;
  }

  forEach(visit: (value: number) => void): void {
    for (const [at, chunk] of this.chunks.entries()) visitChunk(chunk, (this.keys[at] ?? 0) * CHUNK_VALUES, visit);
  }

  walk(start: number, visit: (value: number) => boolean): void {
    // One more than the largest value, for a reader that goes on after it.
    if (start > 0xffff_ffff) return;
    const key = start >>> 16;
    for (let at = this.place(key); at < this.keys.length; at += 1) {
      const own = this.keys[at] ?? 0;
      const chunk = this.chunks[at];
      const from = own === key ? start & 0xffff : 0;
      if (chunk && !walkChunk(chunk, { base: own * CHUNK_VALUES, from }, visit)) return;
    }
  }
}

function visitChunk(chunk: Chunk, base: number, visit: (value: number) => void): void {
  if (!chunk.dense) {
    for (let at = 0; at < chunk.size; at += 1) visit(base + (chunk.values[at] ?? 0));
    return;
  }
  for (let index = 0; index < CHUNK_WORDS; index += 1) {
    let word = chunk.words[index] ?? 0;
    while (word !== 0) {
      const lowest = word & -word;
      visit(base + index * 32 + 31 - Math.clz32(lowest));
      word ^= lowest;
    }
  }
}

/** Answers false when `visit` did. */
function walkChunk(
  chunk: Chunk,
  place: { readonly base: number; readonly from: number },
  visit: (value: number) => boolean,
): boolean {
  const { base, from } = place;
  if (!chunk.dense) {
    const { size, values } = chunk;
    for (let at = lowerBound(values, from, { from: 0, size }); at < size; at += 1) {
      if (!visit(base + (values[at] ?? 0))) return false;
    }
    return true;
  }
  const { words } = chunk;
  let word = (words[from >>> 5] ?? 0) & (-1 << (from & 31));
  for (let index = from >>> 5; index < CHUNK_WORDS; ) {
    while (word !== 0) {
      const lowest = word & -word;
      if (!visit(base + index * 32 + 31 - Math.clz32(lowest))) return false;
      word ^= lowest;
    }
    index += 1;
    word = words[index] ?? 0;
  }
  return true;
}

/** A set of these unsigned 32-bit integers, in any order, repeated or not. */
export function createIdSet(values: Iterable<number> = []): MutableIdSet {
  const set = new ChunkedIdSet();
  for (const value of values) set.add(value);
  return set;
}

/** A set of values that ascend strictly (not checked); several times faster than adding them one by one. */
export function fromSorted(values: Uint32Array): MutableIdSet {
  const set = new ChunkedIdSet();
  for (let start = 0; start < values.length; ) {
    const key = (values[start] ?? 0) >>> 16;
    let end = start + 1;
    let beyond = Math.min(values.length, start + CHUNK_VALUES);
    while (end < beyond) {
      const middle = (end + beyond) >>> 1;
      if ((values[middle] ?? 0) >>> 16 === key) end = middle + 1;
      else beyond = middle;
    }
    // The conversion to 16 bits keeps the lower ones.
    set.append(key, chunkOfValues(new Uint16Array(values.subarray(start, end))));
    start = end;
  }
  return set;
}

/** The set of 0 to count - 1, for a count of 0 to 4,294,967,296; its full chunks share 8 KiB. */
export function fullSet(count: number): MutableIdSet {
  const set = new ChunkedIdSet();
  for (let start = 0; start < count; start += CHUNK_VALUES) {
    set.append(start / CHUNK_VALUES, firstValues(Math.min(CHUNK_VALUES, count - start)));
  }
  return set;
}

/** The set as chunks; one of another making is copied into them. */
export function chunked(set: IdSet): ChunkedIdSet {
  if (set instanceof ChunkedIdSet) return set;
  const copy = new ChunkedIdSet();
  set.forEach((value) => copy.add(value));
  return copy;
}
