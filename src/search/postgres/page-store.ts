import { type RawBuilder, sql } from 'kysely';
import type { EngineResult, SortKey } from '../engine.ts';
import type { Documents } from './document-store.ts';
import type { Condition } from './leaf-store.ts';
import type { RunStatement } from './snapshot-store.ts';

/** What a search is sorted by. */
export type Order = {
  readonly column: RawBuilder<unknown>;
  readonly descending: boolean;
  /** Of the column, as the value of a cursor has to be given. */
  readonly type: 'timestamptz' | 'text' | 'bigint' | 'integer';
  /** Every document has a value: then an index gives the order, and the place in it where a page begins. */
  readonly alwaysThere: boolean;
};
export type Page = Pick<EngineResult, 'ids' | 'total' | 'nextKey'>;

type PageRequest = {
  readonly limit: number;
  readonly offset: number;
  readonly after: SortKey | undefined;
};

/** Rows after `key` in the order of the sort; documents without a value come last in both directions. */
function afterKey(id: RawBuilder<unknown>, { column, type, descending, alwaysThere }: Order, key: SortKey): Condition {
  const beyond = descending ? sql.raw('<') : sql.raw('>');
  const value = sql`${key.value}::${sql.raw(type)}`;
  if (alwaysThere) return sql`ROW(${column}, ${id}) ${beyond} ROW(${value}, ${key.id}::bigint)`;
  if (key.value === null) return sql`(${column} IS NULL AND ${id} ${beyond} ${key.id})`;
  return sql`(${column} ${beyond} ${value} OR (${column} = ${value} AND ${id} ${beyond} ${key.id}) OR ${column} IS NULL)`;
}

/** Total and page in one statement: one state of the library without the round trips of a transaction. */
export async function loadPage(
  run: RunStatement,
  request: PageRequest,
  found: { readonly documents: Documents; readonly matches: Condition; readonly order: Order },
): Promise<Page> {
  const { documents, matches, order } = found;
  const count = sql<{ total: number }>`SELECT count(*) AS total FROM ${documents.from} WHERE ${matches}`;
  if (request.limit === 0) return { ids: [], total: (await run(count))[0]?.total ?? 0, nextKey: undefined };
  const direction = order.descending ? sql.raw('DESC') : sql.raw('ASC');
  const missingLast = order.alwaysThere ? sql.raw('') : sql.raw('NULLS LAST');
  const from = request.after ? sql`${matches} AND ${afterKey(documents.id, order, request.after)}` : matches;
  const counted = await run(sql<{ total: number; id: number | null; value: string | number | Date | null }>`
    SELECT counted.total, page.id, page.value FROM (${count}) AS counted LEFT JOIN (
      SELECT ${documents.id} AS id, ${order.column} AS value FROM ${documents.from} WHERE ${from}
      ORDER BY value ${direction} ${missingLast}, ${documents.id} ${direction}
      LIMIT ${request.limit + 1} OFFSET ${request.offset}
    ) AS page ON true
    ORDER BY page.value ${direction} NULLS LAST, page.id ${direction}`);
  const rows = counted.flatMap(({ id, value }) => (id === null ? [] : [{ id, value }]));
  const last = rows.length > request.limit ? rows[request.limit - 1] : undefined;
  return {
    ids: rows.slice(0, request.limit).map((row) => row.id),
    total: counted[0]?.total ?? 0,
    nextKey: last && { id: last.id, value: last.value instanceof Date ? last.value.toISOString() : last.value },
  };
}
