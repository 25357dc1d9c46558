import { type RawBuilder, sql } from 'kysely';
import type { LibraryScope } from '../../auth/index.ts';
import type { ScalarField } from '../filter/filter-schema.ts';
import type { Filter } from '../filter/filter-tree.ts';
import { type Visibility, visibilityOf } from '../filter/visibility.ts';
import { bigints, carriesTags, compares, type Condition } from './leaf-store.ts';
import { hasAction } from './action-condition-store.ts';
import { testsDetail } from './detail-condition-store.ts';
import { ASSETS } from './document-store.ts';
import { meetsText, type ResolvedTexts } from './text-store.ts';

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

function idsCondition(leaf: Extract<Filter, { kind: 'ids' }>): Condition {
  const { field, test, ids } = leaf;
  if (field !== 'collection') return carriesTags(sql.ref('a.tag_ids'), { field, test, ids });
  const column = sql.ref('a.collection_ids');
  if (test === 'only') return sql`(${column} && ${bigints(ids)} AND ${column} <@ ${bigints(ids)})`;
  return carriesTags(column, { field: 'tag_options', test, ids });
}

function escapeLike(text: string): string {
  return text.replace(/[\\%_]/g, (character) => `\\${character}`);
}

/**
 * `negated` is true below a `none`: there a test of a missing value has to be false, not unknown, so that NOT of it is
 * true. Elsewhere unknown selects nothing anyway, and the bare test can be answered by an index.
 */
function condition(
  filter: Filter,
  context: { readonly scope: LibraryScope; readonly texts: ResolvedTexts; readonly negated: boolean },
): Condition {
  const { scope, texts, negated } = context;
  const each = (filters: readonly Filter[], below: boolean) =>
    filters.map((child) => condition(child, { scope, texts, negated: below }));
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
      return negated
        ? sql`COALESCE(${compares(COLUMNS[filter.field], filter)}, false)`
        : compares(COLUMNS[filter.field], filter);
    case 'exists':
      return filter.exists ? sql`${COLUMNS[filter.field]} IS NOT NULL` : sql`${COLUMNS[filter.field]} IS NULL`;
    case 'name':
      return sql`a.name ILIKE ${`%${escapeLike(filter.contains)}%`}`;
    case 'text':
      return meetsText(texts.get(filter.query) ?? [], { documents: ASSETS, known: negated });
    case 'assets':
      return sql`a.id = ANY (${bigints(filter.ids)})`;
    case 'detail': {
      const tests = testsDetail(filter.detail, filter.test);
      return negated ? sql`COALESCE(${tests}, false)` : tests;
    }
    case 'action':
      return hasAction(scope, filter.filter, texts);
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
  const found = condition(filter, { scope, texts, negated: false });
  return sql`a.organization_id = ${scope.organizationId} AND ${visible} AND ${found}`;
}
