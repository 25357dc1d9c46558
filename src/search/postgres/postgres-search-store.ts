import { type RawBuilder, sql } from 'kysely';
import type { LibraryScope } from '../../auth/index.ts';
import type { Database } from '../../db/index.ts';
import type { EngineRequest, EngineResult, SearchEngine, SortField, SortKey } from '../engine.ts';
import { loadResolvedText, type ResolvedClause } from '../text/resolved-text.ts';
import type { TextQuery } from '../text/text-query.ts';
import { type Condition, matching } from './condition-store.ts';
import { countFacet } from './facet-store.ts';
import { createOwnWords } from './own-words-store.ts';
import { loadWeights, scoreOf } from './relevance-store.ts';
import { inSnapshot, type RunStatement } from './snapshot-store.ts';
import { type ResolvedTexts, scoredClauses, textsOf } from './text-store.ts';

type Order = { readonly column: RawBuilder<unknown>; readonly field: SortField; readonly descending: boolean };
type Page = Pick<EngineResult, 'ids' | 'total' | 'nextKey'>;

const COLUMNS: Readonly<Record<Exclude<SortField, 'relevance'>, RawBuilder<unknown>>> = {
  created_at: sql.ref('a.created_at'),
  captured_at: sql.ref('a.captured_at'),
  updated_at: sql.ref('a.updated_at'),
  name: sql`a.name COLLATE "C"`,
  rating: sql.ref('a.rating'),
};
const TIMES: ReadonlySet<SortField> = new Set(['created_at', 'captured_at', 'updated_at']);

/** Every asset has one: then an index gives the order, and the place in it where a page begins. */
const ALWAYS_THERE: ReadonlySet<SortField> = new Set(['created_at', 'updated_at', 'name', 'relevance']);

/** Rows after `key` in the order of the sort; assets without a value come last in both directions. */
function afterKey({ column, field, descending }: Order, key: SortKey): Condition {
  const beyond = descending ? sql.raw('<') : sql.raw('>');
  const value = TIMES.has(field) ? sql`${key.value}::timestamptz` : sql`${key.value}`;
  if (ALWAYS_THERE.has(field)) {
    const typed = field === 'relevance' ? sql`${key.value}::bigint` : value;
    return sql`ROW(${column}, a.id) ${beyond} ROW(${typed}, ${key.id}::bigint)`;
  }
  if (key.value === null) return sql`(${column} IS NULL AND a.id ${beyond} ${key.id})`;
  return sql`(${column} ${beyond} ${value} OR (${column} = ${value} AND a.id ${beyond} ${key.id}) OR ${column} IS NULL)`;
}

/** Total and page in one statement: one state of the library without the round trips of a transaction. */
async function loadPage(
  run: RunStatement,
  request: EngineRequest,
  { matches, order }: { readonly matches: Condition; readonly order: Order },
): Promise<Page> {
  const count = sql<{ total: number }>`SELECT count(*) AS total FROM asset a WHERE ${matches}`;
  if (request.limit === 0) return { ids: [], total: (await run(count))[0]?.total ?? 0, nextKey: undefined };
  const direction = order.descending ? sql.raw('DESC') : sql.raw('ASC');
  const missingLast = ALWAYS_THERE.has(order.field) ? sql.raw('') : sql.raw('NULLS LAST');
  const from = request.after ? sql`${matches} AND ${afterKey(order, request.after)}` : matches;
  const found = await run(sql<{ total: number; id: number | null; value: string | number | Date | null }>`
    SELECT counted.total, page.id, page.value FROM (${count}) AS counted LEFT JOIN (
      SELECT a.id, ${order.column} AS value FROM asset a WHERE ${from}
      ORDER BY value ${direction} ${missingLast}, a.id ${direction}
      LIMIT ${request.limit + 1} OFFSET ${request.offset}
    ) AS page ON true
    ORDER BY page.value ${direction} NULLS LAST, page.id ${direction}`);
  const rows = found.flatMap(({ id, value }) => (id === null ? [] : [{ id, value }]));
  const last = rows.length > request.limit ? rows[request.limit - 1] : undefined;
  return {
    ids: rows.slice(0, request.limit).map((row) => row.id),
    total: found[0]?.total ?? 0,
    nextKey: last && { id: last.id, value: last.value instanceof Date ? last.value.toISOString() : last.value },
  };
}

/** Texts of the search's own filter and of its facets' filters, which mostly repeat it. */
async function resolveTexts(run: RunStatement, scope: LibraryScope, request: EngineRequest): Promise<ResolvedTexts> {
  const own = createOwnWords(run, scope);
  const texts = new Map<TextQuery, readonly ResolvedClause[]>();
  for (const query of new Set([request.filter, ...request.facets.map((facet) => facet.filter)].flatMap(textsOf))) {
    texts.set(query, await loadResolvedText(query, request.tagWords, own));
  }
  return texts;
}

async function searchIn(run: RunStatement, scope: LibraryScope, request: EngineRequest): Promise<EngineResult> {
  const texts = await resolveTexts(run, scope, request);
  const matches = matching(scope, request.filter, texts);
  const facets = [];
  for (const facet of request.facets) facets.push(await countFacet(run, facet, matching(scope, facet.filter, texts)));
  const { field, descending } = request.sort;
  if (field !== 'relevance') {
    return {
      ...(await loadPage(run, request, { matches, order: { column: COLUMNS[field], field, descending } })),
      facets,
    };
  }
  const clauses = scoredClauses(request.filter, texts);
  const weights = request.after?.weights ?? (await loadWeights(run, scope, clauses));
  // The best first, whichever way was asked for.
  const order = { column: scoreOf(clauses, weights), field, descending: true };
  const page = await loadPage(run, request, { matches, order });
  return { ...page, nextKey: page.nextKey && { ...page.nextKey, weights }, facets };
}

/** The reference engine: the filter as SQL over GIN indexes. Correct on any PostgreSQL, whatever the memory. */
export function createPostgresEngine(db: Database): SearchEngine {
  return {
    async search(scope, request) {
      const severalStatements =
        request.facets.length > 0 || request.sort.field === 'relevance' || textsOf(request.filter).length > 0;
      return inSnapshot(db, { signal: request.signal, severalStatements }, (run) => searchIn(run, scope, request));
    },
  };
}
