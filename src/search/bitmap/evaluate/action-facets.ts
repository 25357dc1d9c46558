import type { ActionFacet } from '../../engine.ts';
import type { ActionFilter } from '../../filter/filter-tree.ts';
import { CHUNK_DOCUMENTS } from '../segment/packed-sets.ts';
import { type ActionContext, planActions } from './action-plan.ts';
import { actionsOfNode, type AssetSet } from './asset-set.ts';
import type { Counts } from './counts.ts';
import type { FacetSink } from './facet-sinks.ts';
import { lowsOf } from './lows.ts';
import { allNode } from './node.ts';
import { TAG_OPTION_TYPES, typesOf } from './tag-counter.ts';
import { passOver } from './view.ts';

const NO_ASSET = 0xffff_ffff;

/** Counts assets by the types of those of their actions that are taken; these come in ascending order. */
function createTypeCounter({ work, segment }: ActionContext): FacetSink {
  const { parents, columns } = segment;
  const found = new Map<number, { count: number; last: number }>();
  return {
    take({ key, documents }, value, count) {
      for (const low of lowsOf(work, value, { count, documents })) {
        const document = key * CHUNK_DOCUMENTS + low;
        const type = columns.type_id.value(document);
        const asset = parents[document] ?? 0;
        const known = found.get(type);
        if (!known) found.set(type, { count: 1, last: asset });
        else if (known.last !== asset) {
          known.count += 1;
          known.last = asset;
        }
      }
    },
    finish(counts) {
      for (const [type, { count }] of found) counts.add(type, count);
    },
  };
}

/** Counts assets by the players of those of their actions that are taken; these come in ascending order. */
function createPlayerCounter({ work, segment, tagType }: ActionContext): FacetSink {
  const { parents, forward, forwardStarts, tagIds } = segment;
  const found = new Uint32Array(tagIds.length);
  const last = new Uint32Array(tagIds.length).fill(NO_ASSET);
  return {
    take({ key, documents }, value, count) {
      for (const low of lowsOf(work, value, { count, documents })) {
        const document = key * CHUNK_DOCUMENTS + low;
        const asset = parents[document] ?? 0;
        const end = forwardStarts[document + 1] ?? 0;
        for (let at = forwardStarts[document] ?? 0; at < end; at += 1) {
          const set = forward[at] ?? 0;
          if (last[set] === asset) continue;
          last[set] = asset;
          found[set] = (found[set] ?? 0) + 1;
        }
      }
    },
    finish(counts) {
      const types = typesOf(segment, tagType);
      const player = TAG_OPTION_TYPES.indexOf('player');
      for (const [set, count] of found.entries()) if (types[set] === player) counts.add(tagIds[set] ?? 0, count);
    },
  };
}

/** Counts assets of one segment by their actions that meet a filter, or by all that may be seen. */
export function* countAssetsByAction(
  context: ActionContext,
  options: {
    readonly filter: ActionFilter | undefined;
    readonly assets: AssetSet;
    readonly facets: readonly { readonly field: ActionFacet; readonly counts: Counts }[];
  },
): Generator<void, void> {
  const { filter = { kind: 'all', filters: [] }, assets, facets } = options;
  const { work, segment } = context;
  const counters = facets.map(({ field, counts }) => ({
    counts,
    sink: field === 'action.type' ? createTypeCounter(context) : createPlayerCounter(context),
  }));
  const node = allNode([actionsOfNode(work, segment, assets), planActions(context, filter)], segment.size);
  const sinks = counters.map(({ sink }) => sink);
  yield* passOver(work, { segment, stale: undefined }, { node, sinks, descending: false });
  for (const { counts, sink } of counters) sink.finish(counts);
}
