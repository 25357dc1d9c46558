import { type RawBuilder, sql } from 'kysely';
import type { LibraryScope } from '../../auth/index.ts';
import {
  ACTION_FACETS,
  type ActionFacet,
  type FacetRequest,
  type FacetResult,
  ID_FACETS,
  type IdFacet,
  type ValueFacet,
} from '../engine.ts';
import { assetsByAction } from './action-facet-store.ts';
import { detailBuckets } from './detail-condition-store.ts';
import { COLUMNS, matching } from './condition-store.ts';
import type { Condition } from './leaf-store.ts';
import type { RunStatement } from './snapshot-store.ts';
import type { ResolvedTexts } from './text-store.ts';

type Bucket = { readonly key: number | string; readonly count: number };

const isIdFacet = (field: FacetRequest['field']): field is IdFacet => (ID_FACETS as readonly string[]).includes(field);
const isActionFacet = (field: FacetRequest['field']): field is ActionFacet =>
  (ACTION_FACETS as readonly string[]).includes(field);

const LARGEST_FIRST = sql`GROUP BY key ORDER BY count DESC, key ASC`;

function idBuckets(field: IdFacet, matches: Condition): RawBuilder<Bucket> {
  if (field === 'collection') {
    return sql`SELECT carried.id AS key, count(*) AS count FROM asset a CROSS JOIN unnest(a.collection_ids) AS carried (id)
      WHERE ${matches} ${LARGEST_FIRST}`;
  }
  const ofType = field === 'tag_options' ? sql`` : sql`JOIN tag_option o ON o.id = carried.id AND o.type = ${field}`;
  return sql`SELECT carried.id AS key, count(*) AS count FROM asset a CROSS JOIN unnest(a.tag_ids) AS carried (id) ${ofType}
    WHERE ${matches} ${LARGEST_FIRST}`;
}

const TEXT_VALUES: ReadonlySet<ValueFacet> = new Set(['media_type', 'orientation', 'usage', 'status']);

function valueBuckets(field: ValueFacet, matches: Condition): RawBuilder<Bucket> {
  // Ascending by code unit, whatever the locale of the database.
  const value = TEXT_VALUES.has(field) ? sql`${COLUMNS[field]} COLLATE "C"` : COLUMNS[field];
  return sql`SELECT ${value} AS key, count(*) AS count FROM asset a
    WHERE ${matches} AND ${COLUMNS[field]} IS NOT NULL ${LARGEST_FIRST}`;
}

/** One facet: assets that match, counted by value, in the order and to the limit that engine.ts tells. */
export async function countFacet(
  run: RunStatement,
  facet: FacetRequest,
  { scope, texts }: { readonly scope: LibraryScope; readonly texts: ResolvedTexts },
): Promise<FacetResult> {
  const { limit } = facet;
  const matches = matching(scope, facet.filter, texts);
  if ('interval' in facet) {
    const value = COLUMNS[facet.field];
    const newest = await run(sql<{ key: Date; count: number }>`
      SELECT date_trunc(${facet.interval}, ${value}, 'UTC') AS key, count(*) AS count FROM asset a
      WHERE ${matches} AND ${value} IS NOT NULL GROUP BY key ORDER BY key DESC LIMIT ${limit}`);
    return newest.map(({ key, count }) => ({ key: key.toISOString(), count })).toReversed();
  }
  if ('detail' in facet) return run(sql`${detailBuckets(facet.detail, matches)} LIMIT ${limit}`);
  const { field } = facet;
  if (isActionFacet(field)) {
    const { filter } = facet;
    return run(sql`${assetsByAction(scope, { field, filter }, { matches, texts })} LIMIT ${limit}`);
  }
  return run(sql`${isIdFacet(field) ? idBuckets(field, matches) : valueBuckets(field, matches)} LIMIT ${limit}`);
}
