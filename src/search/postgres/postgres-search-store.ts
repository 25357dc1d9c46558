import { type RawBuilder, sql } from 'kysely';
import type { LibraryScope } from '../../auth/index.ts';
import type { Queryable } from '../../db/index.ts';
import type { ScalarField } from '../filter/filter-schema.ts';
import type { Filter, ScalarValue } from '../filter/filter-tree.ts';
import { type Visibility, visibilityOf } from '../filter/visibility.ts';
import type { EngineRequest, EngineResult, SearchEngine, SortField, SortKey } from '../engine.ts';

type Condition = RawBuilder<boolean>;

const COLUMNS: Readonly<Record<ScalarField, RawBuilder<unknown>>> = {
  media_type: sql.ref('a.media_type'),
  captured_at: sql.ref('a.captured_at'),
  created_at: sql.ref('a.created_at'),
  updated_at: sql.ref('a.updated_at'),
  width: sql.ref('a.width'),
  height: sql.ref('a.height'),
  orientation: sql.ref('a.orientation'),
  duration_ms: sql.ref('a.duration_ms'),
  people_count: sql.ref('a.people_count'),
  rating: sql.ref('a.rating'),
  usage: sql.ref('a.usage'),
  status: sql`(CASE WHEN a.deleted_at IS NULL THEN a.status ELSE 'deleted' END)`,
};

const OPERATORS = { gt: sql.raw('>'), gte: sql.raw('>='), lt: sql.raw('<'), lte: sql.raw('<=') } as const;

const bigints = (ids: readonly number[]) => sql`${[...ids]}::bigint[]`;

function idsCondition(leaf: Extract<Filter, { kind: 'ids' }>): Condition {
  const column = leaf.field === 'collection' ? sql.ref('a.collection_ids') : sql.ref('a.tag_ids');
  const ids = bigints(leaf.ids);
  switch (leaf.test) {
    case 'all':
      return sql`${column} @> ${ids}`;
    case 'any':
      return sql`${column} && ${ids}`;
    case 'none':
      return sql`NOT (${column} && ${ids})`;
    case 'only': {
      if (leaf.field === 'collection') return sql`(${column} && ${ids} AND ${column} <@ ${ids})`;
      // "and no other of this type on the asset"; for tag_options, which has no type of its own, no other player.
      const type = leaf.field === 'tag_options' ? 'player' : leaf.field;
      return sql`(${column} && ${ids} AND NOT EXISTS (SELECT 1 FROM unnest(a.tag_ids) AS other (id)
        JOIN tag_option o ON o.id = other.id AND o.type = ${type} WHERE other.id <> ALL (${ids})))`;
    }
  }
}

function compareCondition(leaf: Extract<Filter, { kind: 'compare' }>): Condition {
  const column = COLUMNS[leaf.field];
  const value: ScalarValue | undefined = leaf.values[0];
  switch (leaf.comparison) {
    case 'eq':
      return sql`${column} = ${value}`;
    case 'ne':
      // A missing value differs from every value.
      return sql`${column} IS DISTINCT FROM ${value}`;
    case 'in':
      return sql`${column} IN (${sql.join(leaf.values.map((one) => sql`${one}`))})`;
    default:
      return sql`${column} ${OPERATORS[leaf.comparison]} ${value}`;
  }
}

function escapeLike(text: string): string {
  return text.replace(/[\\%_]/g, (character) => `\\${character}`);
}

/**
 * `negated` is true below a `none`: there a comparison with a missing value has to be false, not unknown, so that NOT of it
 * is true. Elsewhere unknown selects nothing anyway, and the bare comparison can be answered by an index.
 */
function condition(filter: Filter, negated: boolean): Condition {
  const each = (filters: readonly Filter[], below: boolean) => filters.map((child) => condition(child, below));
  switch (filter.kind) {
    case 'all':
      return filter.filters.length === 0 ? sql`true` : sql`(${sql.join(each(filter.filters, negated), sql` AND `)})`;
    case 'any':
      return filter.filters.length === 0 ? sql`false` : sql`(${sql.join(each(filter.filters, negated), sql` OR `)})`;
    case 'none':
      return sql`NOT (${sql.join(each(filter.filters, true), sql` OR `)})`;
    case 'ids':
      return idsCondition(filter);
    case 'compare':
      return negated ? sql`COALESCE(${compareCondition(filter)}, false)` : compareCondition(filter);
    case 'exists':
      return filter.exists ? sql`${COLUMNS[filter.field]} IS NOT NULL` : sql`${COLUMNS[filter.field]} IS NULL`;
    case 'name':
      return sql`a.name ILIKE ${`%${escapeLike(filter.contains)}%`}`;
  }
}

const SORT_COLUMNS: Readonly<Record<SortField, RawBuilder<unknown>>> = {
  created_at: sql.ref('a.created_at'),
  captured_at: sql.ref('a.captured_at'),
  updated_at: sql.ref('a.updated_at'),
  name: sql`a.name COLLATE "C"`,
  rating: sql.ref('a.rating'),
};

/** Rows after `key` in the order of the sort; assets without a value come last in both directions. */
function afterKey(request: EngineRequest, key: SortKey): Condition {
  const column = SORT_COLUMNS[request.sort.field];
  const beyond = request.sort.descending ? sql.raw('<') : sql.raw('>');
  if (key.value === null) return sql`(${column} IS NULL AND a.id ${beyond} ${key.id})`;
  const value =
    typeof key.value === 'string' && request.sort.field !== 'name' ? sql`${key.value}::timestamptz` : sql`${key.value}`;
  return sql`(${column} ${beyond} ${value} OR (${column} = ${value} AND a.id ${beyond} ${key.id}) OR ${column} IS NULL)`;
}

const VISIBLE: Readonly<Record<Visibility, Condition>> = {
  processing_or_ready: sql`a.deleted_at IS NULL AND a.status IN ('processing', 'ready')`,
  all_but_bin: sql`a.deleted_at IS NULL`,
  everything: sql`true`,
};

function where(scope: LibraryScope, filter: Filter): Condition {
  const visible = VISIBLE[visibilityOf(filter)];
  return sql`a.organization_id = ${scope.organizationId} AND ${visible} AND ${condition(filter, false)}`;
}

/** The reference engine: the filter as SQL over GIN indexes. Correct on any PostgreSQL, whatever the memory. */
export function createPostgresEngine(db: Queryable): SearchEngine {
  return {
    async search(scope, request): Promise<EngineResult> {
      const matching = where(scope, request.filter);
      const count = sql<{ n: number }>`SELECT count(*) AS n FROM asset a WHERE ${matching}`.execute(db);
      if (request.limit === 0) return { ids: [], total: (await count).rows[0]?.n ?? 0, nextKey: undefined };
      const direction = request.sort.descending ? sql.raw('DESC') : sql.raw('ASC');
      const column = SORT_COLUMNS[request.sort.field];
      const from = request.after ? sql`${matching} AND ${afterKey(request, request.after)}` : matching;
      const page = sql<{ id: number; value: string | number | Date | null }>`
        SELECT a.id, ${column} AS value FROM asset a WHERE ${from}
        ORDER BY ${column} ${direction} NULLS LAST, a.id ${direction}
        LIMIT ${request.limit + 1} OFFSET ${request.offset}`.execute(db);
      const [counted, found] = await Promise.all([count, page]);
      const rows = found.rows.slice(0, request.limit);
      const last = found.rows.length > request.limit ? rows.at(-1) : undefined;
      return {
        ids: rows.map((row) => row.id),
        total: counted.rows[0]?.n ?? 0,
        nextKey: last && { id: last.id, value: last.value instanceof Date ? last.value.toISOString() : last.value },
      };
    },
  };
}
