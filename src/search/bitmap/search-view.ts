import {
  ACTION_FACETS,
  type ActionFacet,
  type EngineRequest,
  type EngineResult,
  type FacetRequest,
} from '../engine.ts';
import { type Filter, firstActionOf } from '../filter/filter-tree.ts';
import type { ResolvedClause } from '../text/resolved-text.ts';
import { createContexts, type IndexView, type SegmentContext } from './contexts.ts';
import { countAssetsByAction } from './evaluate/action-facets.ts';
import { createAssetCollector } from './evaluate/asset-set.ts';
import type { Workspace } from './evaluate/chunk-value.ts';
import { Counts } from './evaluate/counts.ts';
import { createFacetSink } from './evaluate/facet-sinks.ts';
import { createPageSink, placedOf, type SegmentPage } from './evaluate/page.ts';
import { planFilter } from './evaluate/plan.ts';
import { createScores, type WeightedClause } from './evaluate/scores.ts';
import { addTagCounts, createTagCounter, isIdFacet } from './evaluate/tag-counter.ts';
import { clauseNode, sizeOfClause } from './evaluate/tests.ts';
import { passOver, type Sink } from './evaluate/view.ts';
import { mergePages, orderOf, scoredTexts, weighClauses } from './results.ts';

/** How many assets, whatever their state, meet a clause. */
function* countClause(contexts: readonly SegmentContext[], clause: ResolvedClause): Generator<void, number> {
  let total = 0;
  for (const { view, assets } of contexts) {
    const known = view.stale ? undefined : sizeOfClause(view.segment, clause);
    if (known !== undefined) {
      total += known;
      continue;
    }
    const sinks = [{ take: (_chunk: unknown, _value: unknown, count: number) => void (total += count) }];
    yield* passOver(assets.work, view, { node: clauseNode(assets, clause), sinks, descending: false });
  }
  return total;
}

const isActionFacet = (field: FacetRequest['field']): field is ActionFacet =>
  (ACTION_FACETS as readonly string[]).includes(field);
const isTagFacet = ({ field }: FacetRequest): boolean => field !== 'collection' && isIdFacet(field);

type FacetPass = {
  readonly sinks: readonly Sink[];
  /** After the pass. Facets about actions take one of their own over the actions of what was found. */
  finish(counts: readonly Counts[]): Generator<void, void>;
};

/** The facets of one filter in one segment; those of tag options share one counter. */
function collectFacets(context: SegmentContext, request: EngineRequest, filter: Filter): FacetPass {
  const { work, segment, tagType } = context.assets;
  const mine = request.facets.map((facet, at) => ({ facet, at })).filter(({ facet }) => facet.filter === filter);
  const ofTags = mine.filter(({ facet }) => isTagFacet(facet));
  const ofActions = mine.flatMap(({ facet: { field }, at }) => (isActionFacet(field) ? [{ field, at }] : []));
  const others = mine
    .filter(({ facet }) => !isTagFacet(facet) && !isActionFacet(facet.field))
    .map(({ facet, at }) => ({ at, sink: createFacetSink(work, segment, facet) }));
  const counter = ofTags.length > 0 ? createTagCounter(work, segment, segment.tagIds.length) : undefined;
  const found = ofActions.length > 0 && context.actions ? createAssetCollector(segment) : undefined;
  return {
    sinks: [...(counter ? [counter] : []), ...(found ? [found.sink] : []), ...others.map(({ sink }) => sink)],
    *finish(counts) {
      if (counter) {
        const targets = ofTags.flatMap(({ facet, at }) => {
          const target = counts[at];
          return target && isIdFacet(facet.field) ? [{ field: facet.field, counts: target }] : [];
        });
        addTagCounts(counter.finish(), targets, { segment, tagType });
      }
      for (const { at, sink } of others) sink.finish(counts[at] ?? new Counts());
      if (!found || !context.actions) return;
      const facets = ofActions.map(({ field, at }) => ({ field, counts: counts[at] ?? new Counts() }));
      yield* countAssetsByAction(context.actions, { filter: firstActionOf(filter), assets: found.finish(), facets });
    },
  };
}

/**
 * Searches one state of a library. A generator: it yields every few ten microseconds, where the caller may let other
 * requests run; nothing it holds between two yields is shared.
 */
export function* searchView(work: Workspace, view: IndexView, request: EngineRequest): Generator<void, EngineResult> {
  const contexts = createContexts(work, view, request.tagWords);
  const [some] = contexts;
  const sort = orderOf(request.sort);

  let weighted: readonly WeightedClause[] | undefined;
  if (sort.field === 'relevance' && request.limit > 0 && some) {
    weighted = yield* weighClauses(
      scoredTexts(request.filter).flatMap((leaf) => some.assets.clausesOf(leaf)),
      { after: request.after, size: () => view.size, count: (clause) => countClause(contexts, clause) },
    );
  }

  const wanted = request.limit === 0 ? 0 : request.offset + request.limit + 1;
  const after = request.after && placedOf(sort, request.after);
  const sortedBy = sort.field === 'action.start_ms' && wanted > 0 ? firstActionOf(request.filter) : undefined;
  const counts = request.facets.map(() => new Counts());
  // Facets with the search's own filter are counted in its pass.
  const filters = [...new Set([request.filter, ...request.facets.map((facet) => facet.filter)])];
  const pages: SegmentPage[] = [];
  let total = 0;
  for (const context of contexts) {
    const { assets } = context;
    for (const one of counts) one.beginSegment();
    for (const filter of filters) {
      yield* context.prepare(filter, filter === request.filter ? sortedBy : undefined);
      const node = planFilter(assets, filter);
      const facets = collectFacets(context, request, filter);
      const sinks: Sink[] = [...facets.sinks];
      const page =
        filter === request.filter && wanted > 0
          ? createPageSink(work, assets.segment, {
              sort,
              wanted,
              after,
              scores: weighted && weighted.length > 0 ? createScores(assets, weighted) : undefined,
              parents: sortedBy && context.parentsOf(sortedBy),
            })
          : undefined;
      if (page) sinks.push(page);
      if (filter === request.filter) sinks.push({ take: (_chunk, _value, count) => void (total += count) });
      yield* passOver(work, context.view, { node, sinks, descending: sort.descending });
      if (page) pages.push(page.finish());
      yield* facets.finish(counts);
    }
  }
  return {
    ...mergePages(pages, { ...request, sort }, weighted),
    total,
    facets: request.facets.map((facet, at) => counts[at]?.buckets(facet) ?? []),
  };
}
