import { type RawBuilder, sql } from 'kysely';
import type { LibraryScope } from '../../auth/index.ts';
import type { ScalarField } from '../filter/filter-schema.ts';
import type { Filter, ScalarValue } from '../filter/filter-tree.ts';
import { type Visibility, visibilityOf } from '../filter/visibility.ts';
import { meetsText, type ResolvedTexts } from './text-store.ts';

export type Condition = RawBuilder<boolean>;

/** Scalar fields of the asset `a`. */
export const COLUMNS: Readonly<Record<ScalarField, RawBuilder<unknown>>> = {
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
 * `negated` is true below a `none`: there a test of a missing value has to be false, not unknown, so that NOT of it is
 * true. Elsewhere unknown selects nothing anyway, and the bare test can be answered by an index.
 */
function condition(filter: Filter, context: { readonly texts: ResolvedTexts; readonly negated: boolean }): Condition {
  const { texts, negated } = context;
  const each = (filters: readonly Filter[], below: boolean) =>
    filters.map((child) => condition(child, { texts, negated: below }));
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
    case 'text':
      return meetsText(texts.get(filter.query) ?? [], { known: negated });
  }
}

const VISIBLE: Readonly<Record<Visibility, Condition>> = {
  processing_or_ready: sql`a.deleted_at IS NULL AND a.status IN ('processing', 'ready')`,
  all_but_bin: sql`a.deleted_at IS NULL`,
  everything: sql`true`,
};

/** Which assets `a` of the organization the filter finds. */
export function matching(scope: LibraryScope, filter: Filter, texts: ResolvedTexts): Condition {
  const visible = VISIBLE[visibilityOf(filter)];
  const found = condition(filter, { texts, negated: false });
  return sql`a.organization_id = ${scope.organizationId} AND ${visible} AND ${found}`;
}
