import type { PackedSets } from '../segment/packed-sets.ts';
import { CHUNK_DOCUMENTS, entryOf, sizeOf } from '../segment/packed-sets.ts';
import {
  adopt,
  type ChunkValue,
  createUnion,
  filterEach,
  intersect,
  newValue,
  setAll,
  setEntry,
  subtract,
  type Workspace,
} from './chunk-value.ts';

/** The chunk that is looked at: its number, and how many documents it has. */
export type Chunk = { readonly key: number; readonly documents: number };

/**
 * A test compiled for one segment. It is asked chunk by chunk to keep, of the documents in a value, those that meet it; the
 * value belongs to the level `depth` of the workspace, and the node may use the levels below.
 */
export type Node = {
  /** How many documents meet it, at most: tests that few meet are asked first. */
  readonly estimate: number;
  /** What a document costs: 0 = nothing, sets are combined; 1 = a number is read; 10 = more. */
  readonly cost: number;
  restrict(chunk: Chunk, value: ChunkValue, depth: number): void;
  /** Sets `value`, which belongs to the level `depth`, to all documents of the chunk that meet it. */
  evaluate(chunk: Chunk, value: ChunkValue, depth: number): void;
  /** For a test that several must meet together: those tests. */
  readonly all?: readonly Node[];
};

/** A test of this cost reads names or words of each document: a chunk of them takes tens of milliseconds. */
export const SLOW_COST = 10;

/** Met by all documents of some sets, which may lie in different packs. */
export type SetRef = { readonly sets: PackedSets; readonly set: number };

/** Documents in any of the sets; none for no sets. */
export function anySetNode(work: Workspace, refs: readonly SetRef[], size: number): Node {
  const estimate = Math.min(
    size,
    refs.reduce((sum, { sets, set }) => sum + sizeOf(sets, set), 0),
  );
  const own = newValue();
  const evaluate = (chunk: Chunk, value: ChunkValue, depth: number) => {
    const [first] = refs;
    if (!first || refs.length === 1) {
      const entry = first ? entryOf(first.sets, first.set, chunk.key) : -1;
      // The empty set needs no pack: its entry is looked at first.
      if (first) setEntry(value, first.sets, { entry, documents: chunk.documents });
      else value.kind = 'none';
      return;
    }
    const union = createUnion(work, work.level(depth));
    const one = newValue();
    for (const { sets, set } of refs) {
      const entry = entryOf(sets, set, chunk.key);
      if (entry < 0) continue;
      setEntry(one, sets, { entry, documents: chunk.documents });
      union.add(one);
      if (union.full) break;
    }
    union.finish(value);
  };
  return {
    estimate,
    cost: 0,
    evaluate,
    restrict(chunk, value, depth) {
      evaluate(chunk, own, depth + 1);
      intersect(work, work.level(depth), { value, other: own });
    },
  };
}

function byCost(a: Node, b: Node): number {
  return a.cost - b.cost || a.estimate - b.estimate;
}

export function allNode(children: readonly Node[], size: number): Node {
  // Tests of tests are put in order with all others.
  const ordered = children.flatMap((child) => child.all ?? [child]).toSorted(byCost);
  const restrict = (chunk: Chunk, value: ChunkValue, depth: number) => {
    for (const child of ordered) {
      if (value.kind === 'none') return;
      child.restrict(chunk, value, depth);
    }
  };
  return {
    estimate: Math.min(size, ...children.map((child) => child.estimate)),
    // A cheap child of few leaves little for the others to look at.
    cost: Math.max(0, ...children.map((child) => child.cost)),
    all: ordered,
    restrict,
    evaluate(chunk, value, depth) {
      setAll(value);
      restrict(chunk, value, depth);
    },
  };
}

export function anyNode(work: Workspace, children: readonly Node[], size: number): Node {
  const ordered = children.toSorted(byCost);
  const cost = Math.max(0, ...children.map((child) => child.cost));
  const evaluateWithin = (
    chunk: Chunk,
    value: ChunkValue,
    { depth, within }: { depth: number; within?: ChunkValue },
  ) => {
    const union = createUnion(work, work.level(depth));
    const one = newValue();
    for (const child of ordered) {
      if (within && child.cost > 0) {
        adopt(work, work.level(depth + 1), { value: one, other: within });
        child.restrict(chunk, one, depth + 1);
      } else child.evaluate(chunk, one, depth + 1);
      union.add(one);
      if (union.full) break;
    }
    union.finish(value);
  };
  const own = newValue();
  return {
    estimate: Math.min(
      size,
      children.reduce((sum, child) => sum + child.estimate, 0),
    ),
    cost,
    evaluate: (chunk, value, depth) => evaluateWithin(chunk, value, { depth }),
    restrict(chunk, value, depth) {
      evaluateWithin(chunk, own, { depth: depth + 1, within: value });
      intersect(work, work.level(depth), { value, other: own });
    },
  };
}

export function noneNode(work: Workspace, children: readonly Node[], size: number): Node {
  const ordered = children.toSorted((a, b) => a.cost - b.cost || b.estimate - a.estimate);
  const own = newValue();
  const restrict = (chunk: Chunk, value: ChunkValue, depth: number) => {
    const level = work.level(depth);
    for (const child of ordered) {
      if (value.kind === 'none') return;
      if (child.cost > 0) {
        adopt(work, work.level(depth + 1), { value: own, other: value });
        child.restrict(chunk, own, depth + 1);
      } else child.evaluate(chunk, own, depth + 1);
      subtract(work, level, { value, other: own, documents: chunk.documents });
    }
  };
  return {
    estimate: size,
    cost: Math.max(0, ...children.map((child) => child.cost)),
    restrict,
    evaluate(chunk, value, depth) {
      setAll(value);
      restrict(chunk, value, depth);
    },
  };
}

/** What touching read, kept so that reading it is not left out. */
const fetched = new Float64Array(1);

/** A test that looks at documents one by one. */
export function eachNode(
  work: Workspace,
  options: {
    readonly size: number;
    readonly cost: number;
    readonly passes: (document: number) => boolean;
    /** Reads what the test will read first; any number. */
    readonly touch?: (document: number) => number;
  },
): Node {
  const { size, cost, passes, touch } = options;
  const restrict = (chunk: Chunk, value: ChunkValue, depth: number) => {
    const base = chunk.key * CHUNK_DOCUMENTS;
    // Documents of a list lie far apart. Touched in a loop of their own, many are fetched from memory at once.
    if (touch && value.kind === 'list') {
      let sum = 0;
      for (let at = value.from; at < value.to; at += 1) sum += touch(base + (value.list[at] ?? 0));
      fetched[0] = sum;
    }
    filterEach(work, work.level(depth), { value, documents: chunk.documents, passes: (low) => passes(base + low) });
  };
  return {
    estimate: size,
    cost,
    restrict,
    evaluate(chunk, value, depth) {
      setAll(value);
      restrict(chunk, value, depth);
    },
  };
}
