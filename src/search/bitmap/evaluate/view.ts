import type { Segment } from '../segment/segment.ts';
import { CHUNK_DOCUMENTS, CHUNK_WORDS } from '../segment/packed-sets.ts';
import {
  type ChunkValue,
  countOf,
  newValue,
  setAll,
  setBits,
  subtract,
  visitLows,
  type Workspace,
} from './chunk-value.ts';
import { allNode, type Chunk, type Node, SLOW_COST } from './node.ts';

/** Documents of a segment that another one has a newer state of, or that are gone. */
export type Stale = {
  readonly count: number;
  /** One bit a document, chunk by chunk. */
  readonly bits: Int32Array;
  readonly countOfChunk: Uint32Array;
};

/** A segment as one state of the library sees it. */
export type SegmentView = { readonly segment: Segment; readonly stale: Stale | undefined };

/** Documents of any kind, some of them stale. */
export type DocumentsView = { readonly segment: { readonly size: number }; readonly stale: Stale | undefined };

export function chunkCount(segment: DocumentsView['segment']): number {
  return Math.ceil(segment.size / CHUNK_DOCUMENTS);
}

export function isStale(stale: Stale | undefined, document: number): boolean {
  return stale !== undefined && (((stale.bits[document >>> 5] ?? 0) >>> (document & 31)) & 1) === 1;
}

/** The stale documents and these. */
export function withStale(
  stale: Stale | undefined,
  segment: DocumentsView['segment'],
  documents: readonly number[],
): Stale {
  const chunks = chunkCount(segment);
  const bits = stale ? stale.bits.slice() : new Int32Array(chunks * CHUNK_WORDS);
  const countOfChunk = stale ? stale.countOfChunk.slice() : new Uint32Array(chunks);
  let count = stale?.count ?? 0;
  for (const document of documents) {
    const word = bits[document >>> 5] ?? 0;
    const bit = 1 << (document & 31);
    if ((word & bit) !== 0) continue;
    bits[document >>> 5] = word | bit;
    countOfChunk[document >>> 16] = (countOfChunk[document >>> 16] ?? 0) + 1;
    count += 1;
  }
  return { count, bits, countOfChunk };
}

/** What takes the documents that meet a test, chunk by chunk. */
export type Sink = { take(chunk: Chunk, value: ChunkValue, count: number): void };

/** The level of the tree's root; what evaluates below uses deeper ones. */
const ROOT_DEPTH = 0;

/** Takes from a chunk's value, which belongs to the level `depth`, the documents that are stale. */
function dropStale(
  work: Workspace,
  view: DocumentsView,
  options: { readonly chunk: Chunk; readonly value: ChunkValue; readonly depth: number },
): void {
  const { stale } = view;
  const { chunk, value, depth } = options;
  if (!stale || value.kind === 'none' || stale.countOfChunk[chunk.key] === 0) return;
  const other = newValue();
  if (stale.countOfChunk[chunk.key] === chunk.documents) setAll(other);
  else setBits(other, stale.bits, chunk.key * CHUNK_WORDS);
  subtract(work, work.level(depth), { value, other, documents: chunk.documents });
}

/** So many documents are looked at one by one before others may run. */
const SLICE_DOCUMENTS = 4096;

/**
 * Looks at a value's documents slice by slice, with a yield after each. What is left to look at and what was found lie in
 * memory of the pass's own.
 */
function* restrictSlowly(
  work: Workspace,
  slow: Node,
  options: { readonly chunk: Chunk; readonly value: ChunkValue; readonly memory: SliceMemory },
): Generator<void, void> {
  const { chunk, value, memory } = options;
  const { candidates, found } = memory;
  const { kernels } = work;
  const { slot } = work.level(ROOT_DEPTH);
  candidates.fill(0);
  visitLows(value, { from: 0, to: chunk.documents }, (low) => {
    candidates[low >>> 5] = (candidates[low >>> 5] ?? 0) | (1 << (low & 31));
  });
  found.fill(0);
  for (let from = 0; from < chunk.documents; from += SLICE_DOCUMENTS) {
    const to = Math.min(chunk.documents, from + SLICE_DOCUMENTS);
    kernels.clear(slot);
    kernels.words.set(candidates.subarray(from >>> 5, (to + 31) >>> 5), slot * CHUNK_WORDS + (from >>> 5));
    setBits(value, kernels.words, slot * CHUNK_WORDS);
    slow.restrict(chunk, value, ROOT_DEPTH);
    visitLows(value, { from, to }, (low) => {
      found[low >>> 5] = (found[low >>> 5] ?? 0) | (1 << (low & 31));
    });
    yield;
  }
  setBits(value, found, 0);
}

type SliceMemory = { readonly candidates: Int32Array; readonly found: Int32Array };

/** The tests of a node that only combine sets and numbers, and those that read names or words of each document. */
function phasesOf(node: Node, size: number): { readonly quick: Node; readonly slow: Node | undefined } {
  const tests = node.all ?? [node];
  const slow = tests.filter((test) => test.cost >= SLOW_COST);
  if (slow.length === 0) return { quick: node, slow: undefined };
  return {
    quick: allNode(
      tests.filter((test) => test.cost < SLOW_COST),
      size,
    ),
    slow: allNode(slow, size),
  };
}

/**
 * Evaluates a test over a segment and hands each chunk's documents to the sinks; yields between chunks, where the caller may
 * let others run. What lies in the workspace is used up before each yield.
 */
export function* passOver(
  work: Workspace,
  view: DocumentsView,
  options: { readonly node: Node; readonly sinks: readonly Sink[]; readonly descending: boolean },
): Generator<void, void> {
  const { segment } = view;
  const { node, sinks, descending } = options;
  const chunks = chunkCount(segment);
  const value = newValue();
  const { quick, slow } = phasesOf(node, segment.size);
  let memory: SliceMemory | undefined;
  for (let step = 0; step < chunks; step += 1) {
    const key = descending ? chunks - 1 - step : step;
    const chunk = { key, documents: Math.min(CHUNK_DOCUMENTS, segment.size - key * CHUNK_DOCUMENTS) };
    quick.evaluate(chunk, value, ROOT_DEPTH);
    dropStale(work, view, { chunk, value, depth: ROOT_DEPTH });
    let count = countOf(work, value, chunk.documents);
    if (slow && count > 0) {
      if (count <= SLICE_DOCUMENTS) slow.restrict(chunk, value, ROOT_DEPTH);
      else {
        memory ??= { candidates: new Int32Array(CHUNK_WORDS), found: new Int32Array(CHUNK_WORDS) };
        yield* restrictSlowly(work, slow, { chunk, value, memory });
      }
      count = countOf(work, value, chunk.documents);
    }
    if (count > 0) for (const sink of sinks) sink.take(chunk, value, count);
    yield;
  }
}
