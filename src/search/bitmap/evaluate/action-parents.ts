import { CHUNK_DOCUMENTS, CHUNK_WORDS, LIST_MAX } from '../segment/packed-sets.ts';
import type { ActionDocuments } from '../segment/segment-actions.ts';
import { countOf, intersect, newValue, setBits, setList, setNone, visitLows, type Workspace } from './chunk-value.ts';
import { lowsOf } from './lows.ts';
import { type Chunk, type Node, SLOW_COST } from './node.ts';
import { Ranges } from './ranges.ts';
import { passOver, type Sink } from './view.ts';

type ParentsOfChunk = {
  /** Lower 16 bits of the assets, ascending. */
  readonly lows: Uint16Array;
  /** The same as bits, where they are many. */
  readonly bits: Int32Array | undefined;
  /** For each the document of the first of its actions; only when asked for. */
  readonly firsts: Uint32Array | undefined;
};

/** The assets of a segment that have an action which meets a test, by chunk of assets. */
export type ActionParents = { readonly count: number; readonly chunks: ReadonlyMap<number, ParentsOfChunk> };

function bitsOf(lows: Uint16Array): Int32Array {
  const bits = new Int32Array(CHUNK_WORDS);
  for (const low of lows) bits[low >>> 5] = (bits[low >>> 5] ?? 0) | (1 << (low & 31));
  return bits;
}

/** Collects the assets of actions that come in ascending order, so that those of an asset follow one another. */
function createCollector(
  work: Workspace,
  actions: ActionDocuments,
  withFirsts: boolean,
): { readonly sink: Sink; finish(): ActionParents } {
  const { parents } = actions;
  const chunks = new Map<number, ParentsOfChunk>();
  let total = 0;
  let lows = new Uint16Array(256);
  let firsts = new Uint32Array(withFirsts ? 256 : 0);
  let count = 0;
  let present = -1;
  let last = -1;
  const flush = (next: number) => {
    if (count > 0) {
      const found = lows.slice(0, count);
      chunks.set(present, {
        lows: found,
        bits: count > LIST_MAX ? bitsOf(found) : undefined,
        firsts: withFirsts ? firsts.slice(0, count) : undefined,
      });
    }
    total += count;
    present = next;
    count = 0;
  };
  const grow = () => {
    const [grownLows, grownFirsts] = [new Uint16Array(lows.length * 2), new Uint32Array(firsts.length * 2)];
    grownLows.set(lows);
    grownFirsts.set(firsts);
    [lows, firsts] = [grownLows, grownFirsts];
  };
  return {
    sink: {
      take({ key, documents }, value, found) {
        const base = key * CHUNK_DOCUMENTS;
        const taken = lowsOf(work, value, { count: found, documents });
        for (let at = 0; at < taken.length; at += 1) {
          const document = base + (taken[at] ?? 0);
          const parent = parents[document] ?? 0;
          if (parent === last) continue;
          last = parent;
          if (parent >>> 16 !== present) flush(parent >>> 16);
          if (count === lows.length) grow();
          lows[count] = parent;
          if (withFirsts) firsts[count] = document;
          count += 1;
        }
      },
    },
    finish() {
      flush(-1);
      return { count: total, chunks };
    },
  };
}

/** Looks for the assets of all actions that meet a test, whether or not the assets are stale. */
export function* findParents(
  work: Workspace,
  actions: ActionDocuments,
  options: { readonly node: Node; readonly withFirsts: boolean },
): Generator<void, ActionParents> {
  const { node, withFirsts } = options;
  const { sink, finish } = createCollector(work, actions, withFirsts);
  yield* passOver(work, { segment: actions, stale: undefined }, { node, sinks: [sink], descending: false });
  return finish();
}

/** The test of assets whose answer is known. */
export function parentsNode(work: Workspace, { count, chunks }: ActionParents): Node {
  const own = newValue();
  const evaluate: Node['evaluate'] = ({ key }, value) => {
    const found = chunks.get(key);
    if (!found) setNone(value);
    else if (found.bits) setBits(value, found.bits, 0);
    else setList(value, found.lows, { from: 0, to: found.lows.length });
  };
  return {
    estimate: count,
    cost: 0,
    evaluate,
    restrict(chunk, value, depth) {
      evaluate(chunk, own, depth + 1);
      intersect(work, work.level(depth), { value, other: own });
    },
  };
}

/**
 * The test of assets by the actions of those alone that the other tests leave; for when these are few.
 * @param node of the actions
 */
export function parentsOfFewNode(
  work: Workspace,
  actions: ActionDocuments,
  options: { node: Node; size: number },
): Node {
  const { node, size } = options;
  const { starts, parents } = actions;
  const ranges = new Ranges();
  const own = newValue();
  const found: number[] = [];
  const assets: number[] = [];

  /** Looks at the actions in `ranges`, which lie in this chunk, and notes whose they are. */
  const look = (chunk: Chunk, depth: number): void => {
    if (ranges.size === 0) return;
    ranges.finish(work, work.level(depth), { value: own, documents: chunk.documents });
    node.restrict(chunk, own, depth);
    visitLows(own, { from: 0, to: chunk.documents }, (low) => {
      const parent = (parents[chunk.key * CHUNK_DOCUMENTS + low] ?? 0) % CHUNK_DOCUMENTS;
      if (found.at(-1) !== parent) found.push(parent);
    });
    ranges.clear();
  };

  const restrict = (chunk: Chunk, value: Parameters<Node['restrict']>[1], depth: number): void => {
    if (countOf(work, value, chunk.documents) === 0) return setNone(value);
    assets.length = 0;
    found.length = 0;
    visitLows(value, { from: 0, to: chunk.documents }, (low) => void assets.push(low));
    let key = -1;
    const chunkOf = (at: number): Chunk => ({
      key: at,
      documents: Math.min(CHUNK_DOCUMENTS, actions.size - at * CHUNK_DOCUMENTS),
    });
    ranges.clear();
    for (const low of assets) {
      const asset = chunk.key * CHUNK_DOCUMENTS + low;
      const to = starts[asset + 1] ?? 0;
      for (let from = starts[asset] ?? 0; from < to; ) {
        const next = Math.floor(from / CHUNK_DOCUMENTS);
        if (next !== key) {
          if (key >= 0) look(chunkOf(key), depth + 1);
          key = next;
        }
        const end = Math.min(to, (key + 1) * CHUNK_DOCUMENTS);
        ranges.add(from - key * CHUNK_DOCUMENTS, end - key * CHUNK_DOCUMENTS);
        from = end;
      }
    }
    if (key >= 0) look(chunkOf(key), depth + 1);
    const level = work.level(depth);
    const lows = Uint16Array.from(found);
    if (lows.length > LIST_MAX) setBits(value, bitsOf(lows), 0);
    else {
      level.lists[0].set(lows);
      setList(value, level.lists[0], { from: 0, to: lows.length });
    }
  };
  return {
    estimate: size,
    // After all others: what they leave is few.
    cost: SLOW_COST,
    restrict,
    evaluate(chunk, value, depth) {
      value.kind = 'all';
      restrict(chunk, value, depth);
    },
  };
}
