import { CHUNK_WORDS, countBits, listBits, setBits } from './words.ts';

/** A chunk holds the values that share their upper 16 bits (its key) by their lower 16 bits. */
export const CHUNK_VALUES = 65_536;
/** 4096 values of 2 bytes take as much room as 2048 words of 4 bytes. */
export const SPARSE_MAX = 4096;
/** A dense chunk that shrinks becomes sparse only here, so that a set that hovers about SPARSE_MAX does not flip. */
const SPARSE_AGAIN = 3072;
const FIRST_ROOM = 4;

/** Sorted values; those beyond `size` are room to grow. */
type SparseChunk = { readonly dense: false; size: number; values: Uint16Array; shared: boolean };
type DenseChunk = { readonly dense: true; size: number; readonly words: Int32Array; shared: boolean };

/**
 * `shared` says that more than one set may hold the chunk: nobody changes it any more, a set that has to takes a copy
 * first. It is never lifted, since nobody counts the holders.
 */
export type Chunk = SparseChunk | DenseChunk;

export function sparseChunk(values: Uint16Array, size: number): Chunk {
  return { dense: false, size, values, shared: false };
}

export function denseChunk(words: Int32Array, size: number): Chunk {
  return { dense: true, size, words, shared: false };
}

export function singleValue(low: number): Chunk {
  const values = new Uint16Array(FIRST_ROOM);
  values[0] = low;
  return sparseChunk(values, 1);
}

let full: Chunk | undefined;

/** All 65,536 values: one chunk for all sets, 8 KiB in total. */
export function fullChunk(): Chunk {
  full ??= { dense: true, size: CHUNK_VALUES, words: new Int32Array(CHUNK_WORDS).fill(-1), shared: true };
  return full;
}

/** The values 0 to count - 1, for a count of 1 to 65,536. */
export function firstValues(count: number): Chunk {
  if (count === CHUNK_VALUES) return fullChunk();
  if (count <= SPARSE_MAX) {
    return sparseChunk(
      new Uint16Array(count).map((_, at) => at),
      count,
    );
  }
  const words = new Int32Array(CHUNK_WORDS).fill(-1, 0, count >>> 5);
  if ((count & 31) !== 0) words[count >>> 5] = (1 << (count & 31)) - 1;
  return denseChunk(words, count);
}

/** Half the time of `slice`. */
function copyOfWords(words: Int32Array): Int32Array {
  const copy = new Int32Array(CHUNK_WORDS);
  copy.set(words);
  return copy;
}

/** The chunk of these bits in its smaller form, with arrays of its own: `words` stays the caller's. */
export function chunkOfWords(words: Int32Array): Chunk | undefined {
  const size = countBits(words);
  if (size === 0) return undefined;
  if (size > SPARSE_MAX) return denseChunk(copyOfWords(words), size);
  const target = new Uint16Array(size);
  listBits(words, { target, at: 0, base: 0 });
  return sparseChunk(target, size);
}

/** The chunk of these values, each once; the array becomes the chunk's own unless there are too many for it. */
export function chunkOfValues(values: Uint16Array): Chunk {
  if (values.length <= SPARSE_MAX) return sparseChunk(values, values.length);
  const words = new Int32Array(CHUNK_WORDS);
  setBits(words, values, values.length);
  return denseChunk(words, values.length);
}

export function copyOf(chunk: Chunk): Chunk {
  if (chunk.dense) return denseChunk(copyOfWords(chunk.words), chunk.size);
  // A copy is made to be changed, most often by one more value.
  const values = new Uint16Array(Math.min(SPARSE_MAX, chunk.size + 1));
  values.set(chunk.values.subarray(0, chunk.size));
  return sparseChunk(values, chunk.size);
}

function roomFor(size: number): number {
  return Math.min(SPARSE_MAX, Math.max(FIRST_ROOM, Math.ceil(size * 1.5)));
}

/** The place of the first of `values[from]` to `values[size - 1]` that is at least `low`; `size` when there is none. */
export function lowerBound(values: Uint16Array, low: number, range: { from: number; size: number }): number {
  let { from, size: to } = range;
  while (from < to) {
    const middle = (from + to) >>> 1;
    if ((values[middle] ?? 0) < low) from = middle + 1;
    else to = middle;
  }
  return from;
}

function placeOf(values: Uint16Array, size: number, low: number): number {
  // Documents arrive in the order of their ordinals.
  if (low > (values[size - 1] ?? 0)) return size;
  return lowerBound(values, low, { from: 0, size });
}

export function contains(chunk: Chunk, low: number): boolean {
  if (chunk.dense) return (((chunk.words[low >>> 5] ?? 0) >>> (low & 31)) & 1) === 1;
  const at = placeOf(chunk.values, chunk.size, low);
  return at < chunk.size && chunk.values[at] === low;
}

/** Adds a value that the chunk lacks to a chunk that is not shared; answers the chunk, or the one that replaces it. */
export function inserted(chunk: Chunk, low: number): Chunk {
  if (chunk.dense) {
    chunk.words[low >>> 5] = (chunk.words[low >>> 5] ?? 0) | (1 << (low & 31));
    chunk.size += 1;
    return chunk;
  }
  const { size, values } = chunk;
  if (size === SPARSE_MAX) {
    const words = new Int32Array(CHUNK_WORDS);
    setBits(words, values, size);
    return inserted(denseChunk(words, size), low);
  }
  const at = placeOf(values, size, low);
  if (size === values.length) {
    chunk.values = new Uint16Array(roomFor(size + 1));
    chunk.values.set(values);
  }
  if (at < size) chunk.values.copyWithin(at + 1, at, size);
  chunk.values[at] = low;
  chunk.size = size + 1;
  return chunk;
}

/** Takes a value that the chunk has from a chunk that is not shared and has others; answers the chunk, or its successor. */
export function removed(chunk: Chunk, low: number): Chunk {
  chunk.size -= 1;
  if (chunk.dense) {
    chunk.words[low >>> 5] = (chunk.words[low >>> 5] ?? 0) & ~(1 << (low & 31));
    if (chunk.size > SPARSE_AGAIN) return chunk;
    const target = new Uint16Array(chunk.size);
    listBits(chunk.words, { target, at: 0, base: 0 });
    return sparseChunk(target, chunk.size);
  }
  const at = placeOf(chunk.values, chunk.size + 1, low);
  chunk.values.copyWithin(at, at + 1, chunk.size + 1);
  // Half of the room stays, so that a set that shrinks for good gives its memory back.
  if (chunk.values.length > 16 && chunk.size < chunk.values.length >>> 2) {
    chunk.values = chunk.values.slice(0, chunk.values.length >>> 1);
  }
  return chunk;
}
