import { CHUNK_DOCUMENTS, CHUNK_WORDS } from '../segment/packed-sets.ts';
import type { ActionDocuments } from '../segment/segment-actions.ts';
import { intersect, newValue, setList, visitLows, type Workspace } from './chunk-value.ts';
import type { Node } from './node.ts';
import { Ranges } from './ranges.ts';
import { chunkCount, passOver, type SegmentView, type Sink, type Stale } from './view.ts';

/** Some assets of a segment, one bit each. */
export type AssetSet = { readonly bits: Int32Array; readonly count: number };

/** Collects the assets of a pass; in memory of its own, since others run meanwhile. */
export function createAssetCollector(segment: SegmentView['segment']): { readonly sink: Sink; finish(): AssetSet } {
  const bits = new Int32Array(chunkCount(segment) * CHUNK_WORDS);
  let count = 0;
  return {
    sink: {
      take({ key, documents }, value, found) {
        count += found;
        const at = key * CHUNK_WORDS;
        if (value.kind === 'bits') bits.set(value.bits.subarray(value.at, value.at + CHUNK_WORDS), at);
        else if (value.kind === 'all' && documents % 32 === 0) bits.fill(-1, at, at + documents / 32);
        else {
          visitLows(value, { from: 0, to: documents }, (low) => {
            bits[at + (low >>> 5)] = (bits[at + (low >>> 5)] ?? 0) | (1 << (low & 31));
          });
        }
      },
    },
    finish: () => ({ bits, count }),
  };
}

/** The assets that meet a test and are not stale. */
export function* findAssets(work: Workspace, view: SegmentView, node: Node): Generator<void, AssetSet> {
  const { sink, finish } = createAssetCollector(view.segment);
  yield* passOver(work, view, { node, sinks: [sink], descending: false });
  return finish();
}

/** The assets that are not stale. */
export function liveAssets({ segment, stale }: SegmentView & { readonly stale: Stale }): AssetSet {
  // Behind the last document lie no actions, so that the bits there do no harm.
  return { bits: stale.bits.map((word) => ~word), count: segment.size - stale.count };
}

/** So many actions are looked at one by one rather than all those of the assets be put together. */
const FEW = 512;

/** The actions of some assets. */
export function actionsOfNode(work: Workspace, actions: ActionDocuments, { bits, count }: AssetSet): Node {
  const { parents, starts, size } = actions;
  const last = starts.length - 1;
  const ranges = new Ranges();
  const own = newValue();
  const evaluate: Node['evaluate'] = ({ key, documents }, value, depth) => {
    const base = key * CHUNK_DOCUMENTS;
    const end = base + documents;
    ranges.clear();
    // From asset to asset that has actions; over 32 at once where all of them or none are meant.
    for (let document = base; document < end; ) {
      const asset = parents[document] ?? 0;
      const word = bits[asset >>> 5] ?? 0;
      const together = word === -1 || word === 0;
      const next = starts[together ? Math.min((asset | 31) + 1, last) : asset + 1] ?? end;
      if (((word >>> (asset & 31)) & 1) === 1) ranges.add(document - base, Math.min(next, end) - base);
      document = next;
    }
    ranges.finish(work, work.level(depth), { value, documents });
  };
  return {
    estimate: Math.min(size, count * actions.longest),
    cost: 0,
    evaluate,
    restrict(chunk, value, depth) {
      const level = work.level(depth);
      if (value.kind !== 'list' || value.to - value.from > FEW) {
        evaluate(chunk, own, depth + 1);
        intersect(work, level, { value, other: own });
        return;
      }
      const target = value.list === level.lists[0] ? level.lists[1] : level.lists[0];
      const base = chunk.key * CHUNK_DOCUMENTS;
      let kept = 0;
      for (let at = value.from; at < value.to; at += 1) {
        const low = value.list[at] ?? 0;
        const asset = parents[base + low] ?? 0;
        target[kept] = low;
        kept += ((bits[asset >>> 5] ?? 0) >>> (asset & 31)) & 1;
      }
      setList(value, target, { from: 0, to: kept });
    },
  };
}

/** The actions of a few assets, given by ascending documents. */
export function actionsOfFewNode(work: Workspace, actions: ActionDocuments, assets: readonly number[]): Node {
  const { starts, size } = actions;
  const ranges = new Ranges();
  const own = newValue();
  const evaluate: Node['evaluate'] = ({ key, documents }, value, depth) => {
    const base = key * CHUNK_DOCUMENTS;
    ranges.clear();
    for (const asset of assets) {
      const from = Math.max(starts[asset] ?? 0, base);
      const to = Math.min(starts[asset + 1] ?? 0, base + documents);
      ranges.add(from - base, to - base);
    }
    ranges.finish(work, work.level(depth), { value, documents });
  };
  return {
    estimate: Math.min(
      size,
      assets.reduce((sum, asset) => sum + (starts[asset + 1] ?? 0) - (starts[asset] ?? 0), 0),
    ),
    cost: 0,
    evaluate,
    restrict(chunk, value, depth) {
      evaluate(chunk, own, depth + 1);
      intersect(work, work.level(depth), { value, other: own });
    },
  };
}
