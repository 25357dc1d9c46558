import { CHUNK_DOCUMENTS } from '../segment/packed-sets.ts';
import type { Segment } from '../segment/segment.ts';
import { intersect, newValue, type Workspace } from './chunk-value.ts';
import type { Node } from './node.ts';
import { Ranges } from './ranges.ts';

/** Some assets by ID; those that are not in the segment are left out. */
export function fewAssetsNode(work: Workspace, segment: Segment, ids: readonly number[]): Node {
  const { size } = segment;
  const found = ids.map((id) => segment.documentOf(id)).filter((document) => document >= 0);
  const documents = [...new Set(found)].toSorted((a, b) => a - b);
  const ranges = new Ranges();
  const own = newValue();
  const evaluate: Node['evaluate'] = (chunk, value, depth) => {
    const base = chunk.key * CHUNK_DOCUMENTS;
    ranges.clear();
    for (const document of documents) {
      const low = document - base;
      if (low >= 0 && low < chunk.documents) ranges.add(low, low + 1);
    }
    ranges.finish(work, work.level(depth), { value, documents: chunk.documents });
  };
  return {
    estimate: Math.min(size, documents.length),
    cost: 0,
    evaluate,
    restrict(chunk, value, depth) {
      evaluate(chunk, own, depth + 1);
      intersect(work, work.level(depth), { value, other: own });
    },
  };
}
