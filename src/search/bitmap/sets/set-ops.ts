/**
 * Operations chunk by chunk. Nothing here writes to an argument's values. A chunk that goes into a result unchanged is
 * shared, not copied, and marked so in both: whichever set is changed later copies that chunk first.
 */
import { countCommon, haveCommon, intersectChunks, subtractChunk, uniteChunks } from './container-ops.ts';
import type { Chunk } from './containers.ts';
import { CHUNK_VALUES } from './containers.ts';
import { ChunkedIdSet, chunked } from './id-set.ts';
import type { IdSet } from './types.ts';

/** The values that all sets have; none for no sets. The arguments stay as they are. */
export function intersect(sets: readonly IdSet[]): IdSet {
  const result = new ChunkedIdSet();
  // The set with the fewest chunks says which there are to look at.
  const [first, ...others] = sets.map(chunked).sort((a, b) => a.keys.length - b.keys.length);
  if (!first) return result;
  for (const [at, chunk] of first.chunks.entries()) {
    const key = first.keys[at] ?? 0;
    const row = rowOf(chunk, key, others);
    if (row) appendCommon(result, key, row);
  }
  return result;
}

/** The chunks under `key`, undefined when a set has none. */
function rowOf(chunk: Chunk, key: number, others: readonly ChunkedIdSet[]): Chunk[] | undefined {
  const row = [chunk];
  for (const set of others) {
    const other = set.find(key);
    if (!other) return undefined;
    row.push(other);
  }
  return row;
}

function appendCommon(result: ChunkedIdSet, key: number, row: Chunk[]): void {
  row.sort((a, b) => a.size - b.size);
  while (row.length > 1 && row.at(-1)?.size === CHUNK_VALUES) row.pop();
  const [only] = row;
  if (row.length === 1 && only) result.appendShared(key, only);
  else result.append(key, intersectChunks(row));
}

/** The values that any of the sets has. The arguments stay as they are. */
export function unite(sets: readonly IdSet[]): IdSet {
  const result = new ChunkedIdSet();
  const rows = new Map<number, Chunk[]>();
  for (const set of sets) {
    const { keys, chunks } = chunked(set);
    for (const [at, chunk] of chunks.entries()) {
      const key = keys[at] ?? 0;
      const row = rows.get(key);
      if (row) row.push(chunk);
      else rows.set(key, [chunk]);
    }
  }
  const keys = [...rows.keys()].sort((a, b) => a - b);
  for (const key of keys) {
    const row = rows.get(key) ?? [];
    const alone = row.length === 1 ? row[0] : row.find((chunk) => chunk.size === CHUNK_VALUES);
    if (alone) result.appendShared(key, alone);
    else result.append(key, uniteChunks(row));
  }
  return result;
}

/** The values of `from` that `without` lacks. The arguments stay as they are. */
export function subtract(from: IdSet, without: IdSet): IdSet {
  const result = new ChunkedIdSet();
  const { keys, chunks } = chunked(from);
  const other = chunked(without);
  for (const [at, chunk] of chunks.entries()) {
    const key = keys[at] ?? 0;
    const taken = other.find(key);
    if (!taken) result.appendShared(key, chunk);
    else if (taken.size < CHUNK_VALUES) result.append(key, subtractChunk(chunk, taken));
  }
  return result;
}

/** How many values both have, counted without a list of them. */
export function intersectionSize(a: IdSet, b: IdSet): number {
  const [short, long] = byChunks(a, b);
  let count = 0;
  for (let at = 0; at < short.chunks.length; at += 1) {
    const chunk = short.chunks[at];
    const other = long.find(short.keys[at] ?? 0);
    if (chunk && other) count += countCommon(chunk, other);
  }
  return count;
}

/** Whether both have a value in common; stops at the first. */
export function intersects(a: IdSet, b: IdSet): boolean {
  const [short, long] = byChunks(a, b);
  return short.chunks.some((chunk, at) => {
    const other = long.find(short.keys[at] ?? 0);
    return other !== undefined && haveCommon(chunk, other);
  });
}

function byChunks(a: IdSet, b: IdSet): readonly [ChunkedIdSet, ChunkedIdSet] {
  const [first, second] = [chunked(a), chunked(b)];
  return first.keys.length <= second.keys.length ? [first, second] : [second, first];
}
