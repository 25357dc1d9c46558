import type { IndexRow, TagType } from '../../src/library/index.ts';
import type {
  ActionEngineRequest,
  EngineRequest,
  EngineResult,
  FacetRequest,
  FacetResult,
  Interval,
} from '../../src/search/engine.ts';
import { type ActionFilter, type Filter, firstActionOf } from '../../src/search/filter/filter-tree.ts';
import { visibilityOf } from '../../src/search/filter/visibility.ts';
import type { TagWords } from '../../src/search/text/tag-words.ts';
import type { TextQuery } from '../../src/search/text/text-query.ts';
import { type ActionContext, actionKeys, actionsIn, meetsAction } from './index-action-model.ts';
import { holdsDetail, textsOf } from './index-details.ts';
import { compares, largestBuckets, pageOf, type Value } from './index-page.ts';
import { meets, resolveIn } from './index-text.ts';

/** What src/search/engine.ts promises, over rows in a list, one row after the other. */
type Context = ActionContext & { readonly rows: readonly IndexRow[]; readonly tagWords: TagWords };
type Leaf<Kind extends Filter['kind']> = Extract<Filter, { kind: Kind }>;

function contextOf(
  rows: readonly IndexRow[],
  tagWords: TagWords,
  tagType: (id: number) => TagType | undefined,
): Context {
  return { rows, actions: actionsIn(rows), tagWords, tagType };
}

/** The actions of an asset that meet a filter. */
function actionsWith(context: Context, row: IndexRow, filter: ActionFilter) {
  return row.actions.map((one) => ({ ...one, asset: row })).filter((one) => meetsAction(context, one, filter));
}

function holdsIds(context: Context, row: IndexRow, leaf: Leaf<'ids'>): boolean {
  const own = leaf.field === 'collection' ? row.collection_ids : row.tag_ids;
  if (leaf.test === 'all') return leaf.ids.every((id) => own.includes(id));
  const some = leaf.ids.some((id) => own.includes(id));
  if (leaf.test !== 'only') return some === (leaf.test === 'any');
  const type = leaf.field === 'tag_options' ? 'player' : leaf.field;
  const others = own.filter((id) => leaf.field === 'collection' || context.tagType(id) === type);
  return some && others.every((id) => leaf.ids.includes(id));
}

function holds(context: Context, row: IndexRow, filter: Filter): boolean {
  switch (filter.kind) {
    case 'all':
      return filter.filters.every((child) => holds(context, row, child));
    case 'any':
      return filter.filters.some((child) => holds(context, row, child));
    case 'none':
      return !filter.filters.some((child) => holds(context, row, child));
    case 'ids':
      return holdsIds(context, row, filter);
    case 'compare':
      return compares(row[filter.field], filter);
    case 'exists':
      return (row[filter.field] !== null) === filter.exists;
    case 'name':
      return row.name.toLowerCase().includes(filter.contains.toLowerCase());
    case 'text':
      return meets(row, resolveIn(context.rows, filter.query, context.tagWords));
    case 'assets':
      return filter.ids.includes(row.id);
    case 'action':
      return actionsWith(context, row, filter.filter).length > 0;
    case 'detail':
      return holdsDetail(row, filter);
  }
}

function find(context: Context, filter: Filter): readonly IndexRow[] {
  const visibility = visibilityOf(filter);
  return context.rows.filter((row) => {
    if (visibility === 'all_but_bin' && row.status === 'deleted') return false;
    if (visibility === 'processing_or_ready' && !['processing', 'ready'].includes(row.status)) return false;
    return holds(context, row, filter);
  });
}

type Tree = { readonly kind: string } & (
  | { readonly filters: readonly Tree[] }
  | { readonly query: TextQuery }
  | object
);

function scoredTexts(filter: Tree): TextQuery[] {
  if (filter.kind === 'text' && 'query' in filter) return [filter.query];
  return filter.kind !== 'none' && 'filters' in filter ? filter.filters.flatMap(scoredTexts) : [];
}

function beginningOf(time: number, interval: Interval): number {
  const date = new Date(time);
  date.setUTCHours(0, 0, 0, 0);
  if (interval === 'week') date.setUTCDate(date.getUTCDate() - ((date.getUTCDay() + 6) % 7));
  if (interval === 'month' || interval === 'year') date.setUTCDate(1);
  if (interval === 'year') date.setUTCMonth(0);
  return date.getTime();
}

function keysOf(context: Context, row: IndexRow, facet: FacetRequest): readonly (string | number)[] {
  if (facet.field === 'collection') return row.collection_ids;
  if (facet.field === 'tag_options') return row.tag_ids;
  if (facet.field === 'detail') return textsOf(row, facet.detail.id);
  if (facet.field === 'action.type' || facet.field === 'action.player') {
    const counted = actionsWith(context, row, firstActionOf(facet.filter) ?? { kind: 'all', filters: [] });
    const field = facet.field === 'action.type' ? 'type' : 'player';
    return [...new Set(counted.flatMap((action) => actionKeys(context, action, field)))];
  }
  if ('interval' in facet) {
    const time = row[facet.field];
    return time === null ? [] : [beginningOf(time, facet.interval)];
  }
  const { field } = facet;
  if (field in row) {
    // What is a column of the row is a value facet.
    const value = row[field as 'rating'];
    return value === null ? [] : [value];
  }
  return row.tag_ids.filter((id) => context.tagType(id) === field);
}

function count(context: Context, facet: FacetRequest): FacetResult {
  const keys = find(context, facet.filter).flatMap((row) => keysOf(context, row, facet));
  if (!('interval' in facet)) return largestBuckets(keys, facet.limit);
  return largestBuckets(keys, keys.length)
    .sort((a, b) => Number(a.key) - Number(b.key))
    .slice(-facet.limit)
    .map((one) => ({ ...one, key: new Date(one.key).toISOString() }));
}

/** What a search of these rows must answer. */
export function searchRows(
  rows: readonly IndexRow[],
  request: EngineRequest,
  tagType: Context['tagType'],
): EngineResult {
  const context = contextOf(rows, request.tagWords, tagType);
  const { filter, sort } = request;
  const sortedBy = firstActionOf(filter);
  const page = pageOf(find(context, filter), {
    request,
    all: rows,
    clauses: () => scoredTexts(filter).flatMap((query) => resolveIn(rows, query, request.tagWords)),
    valueOf(row): Value {
      if (sort.field === 'relevance') return null;
      if (sort.field !== 'action.start_ms') return row[sort.field];
      const starts = sortedBy ? actionsWith(context, row, sortedBy).map((action) => action.start_ms) : [];
      return starts.length === 0 ? null : Math.min(...starts);
    },
  });
  return { ...page, facets: request.facets.map((facet) => count(context, facet)) };
}

/** What a search of the actions in these rows must answer. */
export function searchActionRows(
  rows: readonly IndexRow[],
  request: ActionEngineRequest,
  tagType: Context['tagType'],
): EngineResult {
  const context = contextOf(rows, request.tagWords, tagType);
  const { actions } = context;
  const media = new Set(find(context, request.media));
  const findActions = (filter: ActionFilter) =>
    actions.filter(
      (action) => media.has(action.asset) && (action.home || !request.homeOnly) && meetsAction(context, action, filter),
    );
  const { field } = request.sort;
  const page = pageOf(findActions(request.filter), {
    request,
    all: actions,
    clauses: () => scoredTexts(request.filter).flatMap((query) => resolveIn(actions, query, request.tagWords)),
    valueOf: (action) => (field === 'relevance' ? null : action[field]),
  });
  const facets = request.facets.map((facet) =>
    largestBuckets(
      findActions(facet.filter).flatMap((action) => actionKeys(context, action, facet.field)),
      facet.limit,
    ),
  );
  return { ...page, facets };
}
