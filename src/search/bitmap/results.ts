import type { EngineResult, SortKey } from '../engine.ts';
import { weightOf } from '../text/relevance.ts';
import type { ResolvedClause } from '../text/resolved-text.ts';
import { comparePlaced, isTimeSort, type Order, type Placed, type SegmentPage } from './evaluate/page.ts';
import type { WeightedClause } from './evaluate/scores.ts';
import type { TextLeaf } from './evaluate/tests.ts';

/** The sort of a search, which by relevance has the best first. */
export function orderOf<Sort extends Order>(sort: Sort): Sort {
  return sort.field === 'relevance' ? { ...sort, descending: true } : sort;
}

/** Where one is in a segment's page. */
type Cursor = { readonly page: SegmentPage; at: number };

/** How many of a page's entries from `from` on, up to `to`, come before another's first: doubled steps, then halved ones. */
function countBefore(
  page: SegmentPage,
  { from, to }: { readonly from: number; readonly to: number },
  isBefore: (one: Placed) => boolean,
) {
  let low = from;
  let step = 1;
  while (low + step < to && isBefore(page.placed(low + step))) {
    low += step;
    step *= 2;
  }
  let high = Math.min(to, low + step);
  // The one at `low` comes before, the one at `high` does not or is not there.
  while (high - low > 1) {
    const middle = (low + high) >>> 1;
    if (isBefore(page.placed(middle))) low = middle;
    else high = middle;
  }
  return high - from;
}

/**
 * Those from `from` to `to` of all pages together. Runs of one page are passed over without looking at each: mostly one segment
 * has nearly all.
 */
function mergeRange(
  pages: readonly SegmentPage[],
  sort: Order,
  { from, to }: { readonly from: number; readonly to: number },
): Placed[] {
  const compare = comparePlaced(sort);
  const cursors: Cursor[] = pages.filter(({ length }) => length > 0).map((page) => ({ page, at: 0 }));
  const found: Placed[] = [];
  let passed = 0;
  while (passed < to && cursors.length > 0) {
    const heads = cursors
      .map((cursor) => ({ cursor, first: cursor.page.placed(cursor.at) }))
      .sort((a, b) => compare(a.first, b.first));
    const [best, second] = heads;
    if (!best) break;
    const { cursor } = best;
    const { page, at } = cursor;
    const most = Math.min(page.length, at + to - passed);
    const run = second ? countBefore(page, { from: at, to: most }, (one) => compare(one, second.first) < 0) : most - at;
    for (let step = Math.max(0, from - passed); step < run; step += 1) found.push(page.placed(at + step));
    passed += run;
    cursor.at += run;
    if (cursor.at === page.length) cursors.splice(cursors.indexOf(cursor), 1);
  }
  return found;
}

/** The page of all segments from those of each. */
export function mergePages(
  pages: readonly SegmentPage[],
  request: { readonly sort: Order; readonly offset: number; readonly limit: number },
  weighted: readonly WeightedClause[] | undefined,
): Pick<EngineResult, 'ids' | 'nextKey'> {
  const { sort, offset, limit } = request;
  // And one more, which tells whether a page comes after it.
  const placed = mergeRange(pages, sort, { from: offset, to: offset + limit + 1 });
  const shown = placed.slice(0, limit);
  const last = placed.length > limit ? shown.at(-1) : undefined;
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
