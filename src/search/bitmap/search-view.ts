import type { TagType } from '../../library/index.ts';
import type { EngineRequest, EngineResult, FacetRequest, FacetResult, SortKey } from '../engine.ts';
import type { Filter } from '../filter/filter-tree.ts';
import { weightOf } from '../text/relevance.ts';
import { type OwnWords, type ResolvedClause, resolveText } from '../text/resolved-text.ts';
import { withinEdits } from '../text/tag-words.ts';
import { countOf, newValue, setEntry, type Workspace } from './evaluate/chunk-value.ts';
import { Counts } from './evaluate/counts.ts';
import { createFacetSink } from './evaluate/facet-sinks.ts';
import { comparePlaced, createPageSink, type Placed, placedOf } from './evaluate/page.ts';
import { clauseNode, type PlanContext, planFilter, sizeOfClause } from './evaluate/plan.ts';
import { createScores, type WeightedClause } from './evaluate/scores.ts';
import { addTagCounts, createTagCounter, isIdFacet } from './evaluate/tag-counter.ts';
import { dropStale, passOver, type SegmentView, type Sink } from './evaluate/view.ts';
import { CHUNK_DOCUMENTS } from './segment/packed-sets.ts';

/** One state of a library: segments, none of which changes, and what is stale in each. */
export type IndexView = {
  readonly segments: readonly SegmentView[];
  /** Assets, those in the bin included. */
  readonly size: number;
  readonly tagType: (id: number) => TagType | undefined;
};

type TextLeaf = Extract<Filter, { kind: 'text' }>;

/** Text leaves whose match counts for relevance, in the order of the tree: all that are not below a `none`. */
function scoredTexts(filter: Filter): TextLeaf[] {
  if (filter.kind === 'text') return [filter];
  if (filter.kind === 'all' || filter.kind === 'any') return filter.filters.flatMap(scoredTexts);
  return [];
}

/** Whether a set of words has a document that is not stale. */
function hasLive(work: Workspace, view: SegmentView, word: number): boolean {
  if (!view.stale) return true;
  const { words, size } = view.segment;
  const value = newValue();
  const end = words.first[word + 1] ?? 0;
  for (let entry = words.first[word] ?? 0; entry < end; entry += 1) {
    const key = words.keys[entry] ?? 0;
    const documents = Math.min(CHUNK_DOCUMENTS, size - key * CHUNK_DOCUMENTS);
    setEntry(value, words, { entry, documents });
    dropStale(work, view, { chunk: { key, documents }, value, depth: 0 });
    if (countOf(work, value, documents) > 0) return true;
  }
  return false;
}

function ownWords(work: Workspace, view: IndexView): OwnWords<boolean, readonly string[]> {
  return {
    has: (word, options) =>
      view.segments.some((one) => {
        const { from, to } = one.segment.wordRange(word, options);
        for (let at = from; at < to; at += 1) if (hasLive(work, one, at)) return true;
        return false;
      }),
    similar(word) {
      const found = new Set<string>();
      // The same first letter is asked for; half of a surrogate pair begins no word of a dictionary in UTF-8.
      const first = /^[\uD800-\uDFFF]/.test(word) ? '' : word.slice(0, 1);
      for (const one of view.segments) {
        const { from, to } = one.segment.wordRange(first, { prefix: true });
        for (let at = from; at < to; at += 1) {
          const text = one.segment.wordText(at);
          if (withinEdits(word, text) && hasLive(work, one, at)) found.add(text);
        }
      }
      return [...found].sort();
    },
  };
}

/** The page of all segments from those of each. */
function mergePages(
  pages: readonly (readonly Placed[])[],
  request: EngineRequest,
  weights: readonly number[] | undefined,
): { readonly ids: readonly number[]; readonly nextKey: SortKey | undefined } {
  const { sort, offset, limit } = request;
  const [only = []] = pages;
  const placed = pages.length === 1 ? only : pages.flat().sort(comparePlaced(sort));
  const shown = placed.slice(offset, offset + limit);
  const last = placed.length > offset + limit ? shown.at(-1) : undefined;
  const isTime = sort.field.endsWith('_at');
  return {
    ids: shown.map((one) => one.id),
    nextKey: last && {
      id: last.id,
      value: isTime && last.value !== null ? new Date(last.value).toISOString() : last.value,
      ...(weights && { weights }),
    },
  };
}

/**
 * Searches one state of a library. A generator: it yields every few ten microseconds, where the caller may let other
 * requests run; nothing it holds between two yields is shared.
 */
export function* searchView(work: Workspace, view: IndexView, request: EngineRequest): Generator<void, EngineResult> {
  const clauses = new Map<TextLeaf, readonly ResolvedClause[]>();
  const own = ownWords(work, view);
  const contextOf = (one: SegmentView): PlanContext => ({
    work,
    segment: one.segment,
    tagType: view.tagType,
    clausesOf(leaf) {
      const known = clauses.get(leaf) ?? resolveText(leaf.query, request.tagWords, own);
      clauses.set(leaf, known);
      return known;
    },
  });
  const contexts = view.segments.map(contextOf);
  const [someContext] = contexts;

  let weighted: readonly WeightedClause[] | undefined;
  if (request.sort.field === 'relevance' && request.limit > 0 && someContext) {
    const positive = scoredTexts(request.filter)
      .flatMap((leaf) => someContext.clausesOf(leaf))
      .filter((clause) => !clause.negated);
    const given = request.after?.weights;
    const list: WeightedClause[] = [];
    for (const [at, clause] of positive.entries()) {
      const weight = given?.[at] ?? weightOf(yield* countClause(view, contexts, clause), view.size);
      list.push({ clause, weight });
    }
    weighted = list;
  }

  const sort = request.sort.field === 'relevance' ? { ...request.sort, descending: true } : request.sort;
  const wanted = request.limit === 0 ? 0 : request.offset + request.limit + 1;
  const after = request.after && placedOf(sort, request.after);
  const counts = request.facets.map(() => new Counts());
  // Facets with the search's own filter are counted in its pass.
  const filters = [...new Set([request.filter, ...request.facets.map((facet) => facet.filter)])];
  const pages: (readonly Placed[])[] = [];
  let total = 0;
  for (const [at, one] of view.segments.entries()) {
    const context = contexts[at] ?? contextOf(one);
    for (const one of counts) one.beginSegment();
    for (const filter of filters) {
      const node = planFilter(context, filter);
      const facets = collectFacets(work, one, { request, filter, tagType: view.tagType });
      const sinks: Sink[] = [...facets.sinks];
      const page =
        filter === request.filter && wanted > 0
          ? createPageSink(work, one.segment, {
              sort,
              wanted,
              after,
              scores: weighted && weighted.length > 0 ? createScores(context, weighted) : undefined,
            })
          : undefined;
      if (page) sinks.push(page);
      if (filter === request.filter) sinks.push({ take: (_chunk, _value, count) => void (total += count) });
      yield* passOver(work, one, { node, sinks, descending: sort.descending });
      if (page) pages.push(page.finish());
      facets.finish(counts);
    }
  }
  const { ids, nextKey } = mergePages(
    pages,
    { ...request, sort },
    weighted?.map(({ weight }) => weight),
  );
  return {
    ids,
    total,
    nextKey,
    facets: request.facets.map((facet, at): FacetResult => counts[at]?.buckets(facet) ?? []),
  };
}

/** How many assets, whatever their state, meet a clause. */
function* countClause(
  view: IndexView,
  contexts: readonly PlanContext[],
  clause: ResolvedClause,
): Generator<void, number> {
  let total = 0;
  for (const [at, one] of view.segments.entries()) {
    const context = contexts[at];
    if (!context) continue;
    const known = one.stale ? undefined : sizeOfClause(one.segment, clause);
    if (known !== undefined) {
      total += known;
      continue;
    }
    const sinks = [{ take: (_chunk: unknown, _value: unknown, count: number) => void (total += count) }];
    yield* passOver(context.work, one, { node: clauseNode(context, clause), sinks, descending: false });
  }
  return total;
}

/** The facets of one filter in one segment; those of tag options share one counter. */
function collectFacets(
  work: Workspace,
  one: SegmentView,
  options: {
    readonly request: EngineRequest;
    readonly filter: Filter;
    readonly tagType: (id: number) => TagType | undefined;
  },
): { readonly sinks: readonly Sink[]; finish(counts: readonly Counts[]): void } {
  const { request, filter, tagType } = options;
  const mine = request.facets.map((facet, at) => ({ facet, at })).filter(({ facet }) => facet.filter === filter);
  const ofTags = mine.filter(({ facet }) => isTagFacet(facet));
  const others = mine
    .filter(({ facet }) => !isTagFacet(facet))
    .map(({ facet, at }) => ({ at, sink: createFacetSink(work, one.segment, facet) }));
  const counter = ofTags.length > 0 ? createTagCounter(work, one.segment) : undefined;
  return {
    sinks: [...(counter ? [counter] : []), ...others.map(({ sink }) => sink)],
    finish(counts) {
      if (counter) {
        const targets = ofTags.flatMap(({ facet, at }) => {
          const target = counts[at];
          return target && isIdFacet(facet.field) ? [{ field: facet.field, counts: target }] : [];
        });
        addTagCounts(counter.finish(), targets, { segment: one.segment, tagType });
      }
      for (const { at, sink } of others) sink.finish(counts[at] ?? new Counts());
    },
  };
}

function isTagFacet(facet: FacetRequest): boolean {
  return facet.field !== 'collection' && isIdFacet(facet.field);
}
