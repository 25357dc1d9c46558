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
  const ranges = new Ranges();
  const own = newValue();
  const evaluate: Node['evaluate'] = ({ key, documents }, value, depth) => {
    const base = key * CHUNK_DOCUMENTS;
    const end = base + documents;
    const lastWord = (parents[end - 1] ?? 0) >>> 5;
    ranges.clear();
    const add = (from: number, to: number) => {
      const [first, behind] = [starts[from] ?? 0, starts[Math.min(to, starts.length - 1)] ?? 0];
      ranges.add(Math.max(first, base) - base, Math.min(behind, end) - base);
    };
    for (let word = (parents[base] ?? 0) >>> 5; word <= lastWord; word += 1) {
      let left = bits[word] ?? 0;
      const asset = word * 32;
      if (left === -1) add(asset, asset + 32);
      else if (left !== 0 && starts[asset] !== starts[Math.min(asset + 32, starts.length - 1)]) {
        while (left !== 0) {
          const lowest = left & -left;
          const one = asset + 31 - Math.clz32(lowest);
          add(one, one + 1);
          left ^= lowest;
        }
      }
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
