import type { EngineResult, SortKey } from '../engine.ts';
import { weightOf } from '../text/relevance.ts';
import type { ResolvedClause } from '../text/resolved-text.ts';
import { comparePlaced, isTimeSort, type Order, type Placed } from './evaluate/page.ts';
import type { WeightedClause } from './evaluate/scores.ts';
import type { TextLeaf } from './evaluate/tests.ts';

/** The sort of a search, which by relevance has the best first. */
export function orderOf<Sort extends Order>(sort: Sort): Sort {
  return sort.field === 'relevance' ? { ...sort, descending: true } : sort;
}

/** The page of all segments from those of each. */
export function mergePages(
  pages: readonly (readonly Placed[])[],
  request: { readonly sort: Order; readonly offset: number; readonly limit: number },
  weighted: readonly WeightedClause[] | undefined,
): Pick<EngineResult, 'ids' | 'nextKey'> {
  const { sort, offset, limit } = request;
  const [only = []] = pages;
  const placed = pages.length === 1 ? only : pages.flat().sort(comparePlaced(sort));
  const shown = placed.slice(offset, offset + limit);
  const last = placed.length > offset + limit ? shown.at(-1) : undefined;
  const weights = weighted?.map(({ weight }) => weight);
  return {
    ids: shown.map((one) => one.id),
    nextKey: last && {
      id: last.id,
      value: isTimeSort(sort) && last.value !== null ? new Date(last.value).toISOString() : last.value,
      ...(weights && { weights }),
    },
  };
}

type Texts<Filter> = { readonly kind: string } & (TextLeaf | { readonly filters: readonly Filter[] } | object);

/** Text leaves whose match counts for relevance, in the order of the tree: all that are not below a `none`. */
export function scoredTexts<Filter extends Texts<Filter>>(filter: Filter): TextLeaf[] {
  if (filter.kind === 'text' && 'query' in filter) return [filter];
  if (filter.kind === 'none' || !('filters' in filter)) return [];
  return filter.filters.flatMap((child) => scoredTexts(child));
}

/** The positive clauses of texts with their weights: those of the page before, or by how many documents meet each. */
export function* weighClauses(
  clauses: readonly ResolvedClause[],
  options: {
    readonly after: SortKey | undefined;
    /** Documents, whatever their state. */
    readonly size: () => number;
    readonly count: (clause: ResolvedClause) => Generator<void, number>;
  },
): Generator<void, readonly WeightedClause[]> {
  const positive = clauses.filter((clause) => !clause.negated);
  const given = options.after?.weights;
  const weighted: WeightedClause[] = [];
  for (const [at, clause] of positive.entries()) {
    const weight = given?.[at] ?? weightOf(yield* options.count(clause), options.size());
    weighted.push({ clause, weight });
  }
  return weighted;
}
