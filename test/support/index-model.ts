import type { IndexRow, TagType } from '../../src/library/index.ts';
import type {
  EngineRequest,
  EngineResult,
  FacetRequest,
  FacetResult,
  Interval,
  Sort,
  SortKey,
} from '../../src/search/engine.ts';
import type { Filter, ScalarValue } from '../../src/search/filter/filter-tree.ts';
import { visibilityOf } from '../../src/search/filter/visibility.ts';
import { impactOf, looseImpact, PLACE_WEIGHTS, TAG_IMPACT, weightOf } from '../../src/search/text/relevance.ts';
import { type ResolvedClause, resolveText } from '../../src/search/text/resolved-text.ts';
import { withinEdits } from '../../src/search/text/tag-words.ts';

/** What src/search/engine.ts promises, over rows in a list, one row after the other. */
type Context = {
  readonly rows: readonly IndexRow[];
  readonly request: EngineRequest;
  readonly tagType: (id: number) => TagType | undefined;
};
type Value = string | number | null;
type Leaf<Kind extends Filter['kind']> = Extract<Filter, { kind: Kind }>;

const WEIGHTS = [0, PLACE_WEIGHTS.C, PLACE_WEIGHTS.B, PLACE_WEIGHTS.A];

/** A search asks for the words of all rows again and again. */
const wordsOfRows = new WeakMap<readonly IndexRow[], ReadonlySet<string>>();
const clausesOfRows = new WeakMap<readonly IndexRow[], Map<Filter, readonly ResolvedClause[]>>();

function clausesOf({ rows, request }: Context, leaf: Leaf<'text'>): readonly ResolvedClause[] {
  const resolved = clausesOfRows.get(rows) ?? new Map<Filter, readonly ResolvedClause[]>();
  clausesOfRows.set(rows, resolved);
  const known = resolved.get(leaf);
  if (known) return known;
  const all = wordsOfRows.get(rows) ?? new Set(rows.flatMap((row) => row.text.map((one) => one.word)));
  wordsOfRows.set(rows, all);
  const clauses = resolveText(leaf.query, request.tagWords, {
    has: (word, { prefix }) => [...all].some((one) => one === word || (prefix && one.startsWith(word))),
    similar: (word) => [...all].filter((one) => withinEdits(word, one)).toSorted((a, b) => (a < b ? -1 : 1)),
  });
  resolved.set(leaf, clauses);
  return clauses;
}

function impactIn(row: IndexRow, word: string): number {
  const places = row.text.find((one) => one.word === word)?.places;
  if (!places) return 0;
  const length = row.text.reduce((sum, one) => sum + one.places.length, 0);
  return impactOf(
    places.reduce((sum, place) => sum + (WEIGHTS[place >>> 14] ?? 0), 0),
    length,
  );
}

/** The best impact with which a row meets a clause; undefined when it does not. */
function bestOf(row: IndexRow, clause: ResolvedClause): number | undefined {
  const found: number[] = [];
  const hasTag = (id: number) => row.tag_ids.includes(id);
  if (clause.exactTags.some(hasTag)) found.push(TAG_IMPACT);
  if (clause.kind === 'phrase') {
    const positions = clause.words.map((word) =>
      (row.text.find((one) => one.word === word)?.places ?? []).map((place) => place & 0x3fff),
    );
    const follows = (start: number) => positions.every((list, at) => list.includes(start + at));
    if (positions[0]?.some(follows)) found.push(...clause.words.map((word) => impactIn(row, word)));
    return found.length === 0 ? undefined : Math.max(...found);
  }
  if (clause.looseTags.some(hasTag)) found.push(looseImpact(TAG_IMPACT));
  for (const { word } of row.text) {
    if (word === clause.word) found.push(impactIn(row, word));
    else if ((clause.prefix && word.startsWith(clause.word)) || clause.typos.includes(word)) {
      found.push(looseImpact(impactIn(row, word)));
    }
  }
  return found.length === 0 ? undefined : Math.max(...found);
}

const plain = (value: ScalarValue): string | number => (value instanceof Date ? value.getTime() : value);

function compares(value: Value, leaf: Leaf<'compare'>): boolean {
  const given = leaf.values.map(plain);
  if (leaf.comparison === 'ne') return value !== given[0];
  if (value === null) return false;
  const other = given[0] ?? Number.NaN;
  switch (leaf.comparison) {
    case 'eq':
      return value === other;
    case 'in':
      return given.includes(value);
    case 'gt':
      return value > other;
    case 'gte':
      return value >= other;
    case 'lt':
      return value < other;
    case 'lte':
      return value <= other;
  }
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
      return clausesOf(context, filter).every((clause) => (bestOf(row, clause) !== undefined) !== clause.negated);
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

function scoredTexts(filter: Filter): Leaf<'text'>[] {
  if (filter.kind === 'text') return [filter];
  return filter.kind === 'all' || filter.kind === 'any' ? filter.filters.flatMap(scoredTexts) : [];
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
  const counts = new Map<string | number, number>();
  for (const row of find(context, facet.filter)) {
    for (const key of keysOf(context, row, facet)) counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  const buckets = [...counts].map(([key, sum]) => ({ key, count: sum }));
  buckets.sort((a, b) => (a.key < b.key ? -1 : 1));
  if ('interval' in facet) {
    return buckets.slice(-facet.limit).map((one) => ({ ...one, key: new Date(one.key).toISOString() }));
  }
  return buckets.toSorted((a, b) => b.count - a.count).slice(0, facet.limit);
}

type Placed = { readonly id: number; readonly value: Value };

function comparePlaces(sort: Sort, a: Placed, b: Placed): number {
  const sign = sort.descending ? -1 : 1;
  if (a.value === null || b.value === null) {
    return Number(a.value === null) - Number(b.value === null) || sign * (a.id - b.id);
  }
  const order =
    typeof a.value === 'string'
      ? Buffer.compare(Buffer.from(a.value), Buffer.from(String(b.value)))
      : a.value - Number(b.value);
  return sign * (order || a.id - b.id);
}

function toKey(sort: Sort, { id, value }: Placed, weights: readonly number[] | undefined): SortKey {
  const isTime = sort.field.endsWith('_at') && value !== null;
  return { id, value: isTime ? new Date(Number(value)).toISOString() : value, ...(weights && { weights }) };
}

/** What a search of these rows must answer. */
export function searchRows(
  rows: readonly IndexRow[],
  request: EngineRequest,
  tagType: Context['tagType'],
): EngineResult {
  const context = { rows, request, tagType };
  const { filter, after, offset, limit } = request;
  const sort = { ...request.sort, descending: request.sort.descending || request.sort.field === 'relevance' };
  const byScore = sort.field === 'relevance' && limit > 0 && rows.length > 0;
  const clauses = byScore ? scoredTexts(filter).flatMap((leaf) => clausesOf(context, leaf)) : [];
  const positive = clauses.filter((clause) => !clause.negated);
  const weights = positive.map(
    (clause, at) =>
      after?.weights?.[at] ?? weightOf(rows.filter((row) => bestOf(row, clause) !== undefined).length, rows.length),
  );
  const valueOf = (row: IndexRow): Value => {
    if (sort.field !== 'relevance') return row[sort.field];
    return positive.reduce((sum, clause, at) => sum + (weights[at] ?? 0) * (bestOf(row, clause) ?? 0), 0);
  };
  const found = find(context, filter);
  const isTime = sort.field.endsWith('_at');
  const start = after && {
    id: after.id,
    value: isTime && after.value !== null ? Date.parse(String(after.value)) : after.value,
  };
  const placed = found
    .map((row) => ({ id: row.id, value: valueOf(row) }))
    .toSorted((a, b) => comparePlaces(sort, a, b))
    .filter((one) => !start || comparePlaces(sort, start, one) < 0);
  const shown = placed.slice(offset, offset + limit);
  const last = limit > 0 && placed.length > offset + limit ? shown.at(-1) : undefined;
  return {
    ids: shown.map((one) => one.id),
    total: found.length,
    nextKey: last && toKey(sort, last, byScore ? weights : undefined),
    facets: request.facets.map((facet) => count(context, facet)),
  };
}
