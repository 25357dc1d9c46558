import { type ActionEngineRequest, type EngineResult, type IdFacet } from '../engine.ts';
import type { ActionFilter } from '../filter/filter-tree.ts';
import type { ResolvedClause } from '../text/resolved-text.ts';
import { createContexts, type IndexView, type SegmentContext } from './contexts.ts';
import { type ActionContext, planActions } from './evaluate/action-plan.ts';
import { actionsOfNode, type AssetSet, findAssets, liveAssets } from './evaluate/asset-set.ts';
import type { Workspace } from './evaluate/chunk-value.ts';
import { Counts } from './evaluate/counts.ts';
import { createActionFacetSink } from './evaluate/facet-sinks.ts';
import { allNode, type Node } from './evaluate/node.ts';
import { createActionPageSink, placedOf, type SegmentPage } from './evaluate/page.ts';
import { planFilter } from './evaluate/plan.ts';
import { createScores, type WeightedClause } from './evaluate/scores.ts';
import { addTagCounts, createTagCounter, isIdFacet } from './evaluate/tag-counter.ts';
import { clauseNode, sizeOfClause, valuesNode } from './evaluate/tests.ts';
import { passOver, type SegmentView, type Sink } from './evaluate/view.ts';
import { mergePages, orderOf, scoredTexts, weighClauses } from './results.ts';

/** A segment that has actions, as a search sees it. */
type Part = SegmentContext & { readonly actions: ActionContext };

/** A pass over the actions of one segment. What is stale is an asset with all of its actions: the node says so. */
function passOverActions(
  { work, segment }: ActionContext,
  options: { readonly node: Node; readonly sinks: readonly Sink[]; readonly descending: boolean },
): Generator<void, void> {
  return passOver(work, { segment, stale: undefined }, options);
}

function liveNode({ work, segment }: ActionContext, { segment: assets, stale }: SegmentView): Node {
  return stale ? actionsOfNode(work, segment, liveAssets({ segment: assets, stale })) : allNode([], segment.size);
}

/** How many actions, whatever their state and that of their assets, meet a clause. */
function* countClause(parts: readonly Part[], clause: ResolvedClause): Generator<void, number> {
  let total = 0;
  for (const { view, actions } of parts) {
    const known = view.stale ? undefined : sizeOfClause(actions.segment, clause);
    if (known !== undefined) {
      total += known;
      continue;
    }
    const node = allNode([clauseNode(actions, clause), liveNode(actions, view)], actions.segment.size);
    const sinks = [{ take: (_chunk: unknown, _value: unknown, count: number) => void (total += count) }];
    yield* passOverActions(actions, { node, sinks, descending: false });
  }
  return total;
}

/** Actions of assets that are not stale. */
export function countActions(segments: readonly SegmentView[]): number {
  let total = 0;
  for (const { segment, stale } of segments) {
    if (!segment.actions) continue;
    total += segment.actions.size;
    const { starts } = segment.actions;
    for (let word = 0; word < (stale?.bits.length ?? 0); word += 1) {
      let left = stale?.bits[word] ?? 0;
      while (left !== 0) {
        const lowest = left & -left;
        const asset = word * 32 + 31 - Math.clz32(lowest);
        total -= (starts[asset + 1] ?? 0) - (starts[asset] ?? 0);
        left ^= lowest;
      }
    }
  }
  return total;
}

/** The facets of one filter in one segment; those of tag options share one counter. */
function collectFacets(
  { work, segment, tagType }: ActionContext,
  facets: ActionEngineRequest['facets'],
  filter: ActionFilter,
): { readonly sinks: readonly Sink[]; finish(counts: readonly Counts[]): void } {
  const mine = facets.map(({ field, filter: of }, at) => ({ field, of, at })).filter(({ of }) => of === filter);
  const ofTags = mine.flatMap(({ field, at }): { field: IdFacet; at: number }[] =>
    isIdFacet(field) ? [{ field, at }] : [],
  );
  const others = mine
    .filter(({ field }) => !isIdFacet(field))
    .map(({ field, at }) => ({ at, sink: createActionFacetSink(work, segment, field) }));
  const counter = ofTags.length > 0 ? createTagCounter(work, segment, segment.tagIds.length) : undefined;
  return {
    sinks: [...(counter ? [counter] : []), ...others.map(({ sink }) => sink)],
    finish(counts) {
      if (counter) {
        const targets = ofTags.map(({ field, at }) => ({ field, counts: counts[at] ?? new Counts() }));
        addTagCounts(counter.finish(), targets, { segment, tagType });
      }
      for (const { at, sink } of others) sink.finish(counts[at] ?? new Counts());
    },
  };
}

/** What actions have to meet beside their own filter. */
function placeNode({ actions }: Part, { homeOnly }: ActionEngineRequest, assets: AssetSet): Node {
  const { work, segment } = actions;
  const home = homeOnly ? [valuesNode(actions, 'home', ['true'])] : [];
  return allNode([actionsOfNode(work, segment, assets), ...home], segment.size);
}

/** Searches the actions of one state of a library; as `searchView`. */
export function* searchActionsView(
  work: Workspace,
  view: IndexView,
  request: ActionEngineRequest,
): Generator<void, EngineResult> {
  const { filter: own, media } = request;
  const parts = createContexts(work, view, request.tagWords).flatMap((context): Part[] =>
    context.actions ? [{ ...context, actions: context.actions }] : [],
  );
  const [some] = parts;
  const sort = orderOf(request.sort);
  let weighted: readonly WeightedClause[] | undefined;
  if (sort.field === 'relevance' && request.limit > 0 && some) {
    weighted = yield* weighClauses(
      scoredTexts(own).flatMap((leaf) => some.actions.clausesOf(leaf)),
      {
        after: request.after,
        size: () => countActions(view.segments),
        count: (clause) => countClause(parts, clause),
      },
    );
  }
  const wanted = request.limit === 0 ? 0 : request.offset + request.limit + 1;
  const after = request.after && placedOf(sort, request.after);
  const counts = request.facets.map(() => new Counts());
  const filters = [...new Set([own, ...request.facets.map((facet) => facet.filter)])];
  const pages: SegmentPage[] = [];
  let total = 0;
  for (const part of parts) {
    const { actions } = part;
    const { segment } = actions;
    for (const one of counts) one.beginSegment();
    yield* part.prepare(media);
    const assets = yield* findAssets(work, part.view, planFilter(part.assets, media));
    if (assets.count === 0) continue;
    const place = placeNode(part, request, assets);
    for (const filter of filters) {
      const facets = collectFacets(actions, request.facets, filter);
      const sinks: Sink[] = [...facets.sinks];
      const scores = weighted && weighted.length > 0 ? createScores(actions, weighted) : undefined;
      const page =
        filter === own && wanted > 0 ? createActionPageSink(work, segment, { sort, wanted, after, scores }) : undefined;
      if (page) sinks.push(page);
      if (filter === own) sinks.push({ take: (_chunk, _value, count) => void (total += count) });
      const node = allNode([place, planActions(actions, filter)], segment.size);
      yield* passOverActions(actions, { node, sinks, descending: sort.descending });
      if (page) pages.push(page.finish());
      facets.finish(counts);
    }
  }
  return {
    ...mergePages(pages, { ...request, sort }, weighted),
    total,
    facets: request.facets.map((facet, at) => counts[at]?.buckets(facet) ?? []),
  };
}
