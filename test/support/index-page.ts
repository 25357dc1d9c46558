import type { EngineResult, SortKey } from '../../src/search/engine.ts';
import type { Comparison, ScalarValue } from '../../src/search/filter/filter-tree.ts';
import { weightOf } from '../../src/search/text/relevance.ts';
import type { ResolvedClause } from '../../src/search/text/resolved-text.ts';
import { bestOf, type TextDocument } from './index-text.ts';

/** Comparisons, orders, pages and buckets as src/search/engine.ts promises them, for documents in a list. */
export type Value = string | number | null;

const plain = (value: ScalarValue): string | number => (value instanceof Date ? value.getTime() : value);

export function compares(
  value: Value,
  leaf: { readonly comparison: Comparison; readonly values: readonly ScalarValue[] },
): boolean {
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

/** The largest counts first, ties by ascending key, texts by code point. */
export function largestBuckets(
  keys: Iterable<string | number>,
  limit: number,
): { readonly key: string | number; readonly count: number }[] {
  const counts = new Map<string | number, number>();
  for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1);
  const bytes = (key: string | number) => Buffer.from(String(key));
  return [...counts]
    .map(([key, count]) => ({ key, count }))
    .sort((a, b) => {
      const byKey = typeof a.key === 'number' ? a.key - Number(b.key) : Buffer.compare(bytes(a.key), bytes(b.key));
      return b.count - a.count || byKey;
    })
    .slice(0, limit);
}

type Placed = { readonly id: number; readonly value: Value };
type Sort = { readonly field: string; readonly descending: boolean };

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

/** A page of what was found, and the key of the next one. */
export function pageOf<Document extends TextDocument & { readonly id: number }>(
  found: readonly Document[],
  options: {
    readonly request: {
      readonly sort: Sort;
      readonly limit: number;
      readonly offset: number;
      readonly after: SortKey | undefined;
    };
    readonly valueOf: (document: Document) => Value;
    /** Everything there is, whatever its state. */
    readonly all: readonly Document[];
    /** The clauses of texts that count for relevance. */
    readonly clauses: () => readonly ResolvedClause[];
  },
): Pick<EngineResult, 'ids' | 'nextKey' | 'total'> {
  const { request, all } = options;
  const { after, offset, limit } = request;
  const sort = { ...request.sort, descending: request.sort.descending || request.sort.field === 'relevance' };
  const byScore = sort.field === 'relevance' && limit > 0 && all.length > 0;
  const positive = byScore ? options.clauses().filter((clause) => !clause.negated) : [];
  const weights = positive.map(
    (clause, at) =>
      after?.weights?.[at] ?? weightOf(all.filter((one) => bestOf(one, clause) !== undefined).length, all.length),
  );
  const valueOf = (document: Document): Value => {
    if (sort.field !== 'relevance') return options.valueOf(document);
    return positive.reduce((sum, clause, at) => sum + (weights[at] ?? 0) * (bestOf(document, clause) ?? 0), 0);
  };
  const isTime = sort.field.endsWith('_at');
  const start = after && {
    id: after.id,
    value: isTime && after.value !== null ? Date.parse(String(after.value)) : after.value,
  };
  const placed = found
    .map((document) => ({ id: document.id, value: valueOf(document) }))
    .toSorted((a, b) => comparePlaces(sort, a, b))
    .filter((one) => !start || comparePlaces(sort, start, one) < 0);
  const shown = placed.slice(offset, offset + limit);
  const last = limit > 0 && placed.length > offset + limit ? shown.at(-1) : undefined;
  return {
    ids: shown.map((one) => one.id),
    total: found.length,
    nextKey: last && toKey(sort, last, byScore ? weights : undefined),
  };
}
