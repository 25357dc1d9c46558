import { type RawBuilder, sql } from 'kysely';
import type { LibraryScope } from '../../auth/index.ts';
import { ACTION_ID_FACETS, type ActionFacet, type ActionFacetField, type FacetResult } from '../engine.ts';
import type { Filter } from '../filter/filter-tree.ts';
import { firstActionOf } from '../filter/filter-tree.ts';
import { ACTION_COLUMNS, matchingAction, PLAYERS } from './action-condition-store.ts';
import { ACTIONS } from './document-store.ts';
import type { Condition } from './leaf-store.ts';
import type { RunStatement } from './snapshot-store.ts';
import type { ResolvedTexts } from './text-store.ts';

type Bucket = { readonly key: number | string; readonly count: number };
type IdField = (typeof ACTION_ID_FACETS)[number];

const LARGEST_FIRST = sql`GROUP BY key ORDER BY count DESC, key ASC`;
const TEXT_VALUES: ReadonlySet<ActionFacetField> = new Set(['status', 'outcome', 'source', 'angle']);

const isIdField = (field: ActionFacetField): field is IdField =>
  (ACTION_ID_FACETS as readonly string[]).includes(field);

const CARRIED = sql`CROSS JOIN unnest(c.tag_ids) AS carried (id)`;

/**
 * Buckets of tag options, but for those of other types. Counted before the types are looked at: the other way round the
 * planner takes one tag option after the other, and 60,000 actions took 20 s.
 */
function ofType(buckets: RawBuilder<Bucket>, type: string): RawBuilder<Bucket> {
  return sql`SELECT counted.key, counted.count FROM (${buckets}) AS counted
    JOIN tag_option o ON o.id = counted.key AND o.type = ${type} ORDER BY count DESC, key ASC`;
}

function idBuckets(field: IdField, matches: Condition): RawBuilder<Bucket> {
  if (field === 'type') {
    return sql`SELECT c.type_id AS key, count(*) AS count FROM ${ACTIONS.from} WHERE ${matches} ${LARGEST_FIRST}`;
  }
  const counted = sql<Bucket>`SELECT carried.id AS key, count(*) AS count FROM ${ACTIONS.from} ${CARRIED} WHERE ${matches}`;
  if (field === 'tag_options') return sql`${counted} ${LARGEST_FIRST}`;
  return ofType(sql`${counted} GROUP BY key`, field);
}

function valueBuckets(field: Exclude<ActionFacetField, IdField>, matches: Condition): RawBuilder<Bucket> {
  if (field === 'role') {
    // Several players in one role are one action with it.
    return sql`SELECT played.role COLLATE "C" AS key, count(*) AS count FROM ${ACTIONS.from}
      CROSS JOIN LATERAL (SELECT DISTINCT p.role FROM ${PLAYERS} WHERE p.role IS NOT NULL) AS played
      WHERE ${matches} ${LARGEST_FIRST}`;
  }
  const column = ACTION_COLUMNS[field];
  // Ascending by code point, whatever the locale of the database.
  const value = TEXT_VALUES.has(field) ? sql`${column} COLLATE "C"` : column;
  return sql`SELECT ${value} AS key, count(*) AS count FROM ${ACTIONS.from}
    WHERE ${matches} AND ${column} IS NOT NULL ${LARGEST_FIRST}`;
}

/** One facet of a search over actions, in the order and to the limit that engine.ts tells. */
export async function countActionFacet(
  run: RunStatement,
  { field, limit }: { readonly field: ActionFacetField; readonly limit: number },
  matches: Condition,
): Promise<FacetResult> {
  return run(sql`${isIdField(field) ? idBuckets(field, matches) : valueBuckets(field, matches)} LIMIT ${limit}`);
}

/** Assets by their actions that meet what `filter` asks of actions first. */
export function assetsByAction(
  scope: LibraryScope,
  { field, filter }: { readonly field: ActionFacet; readonly filter: Filter },
  found: { readonly matches: Condition; readonly texts: ResolvedTexts },
): RawBuilder<Bucket> {
  const action = firstActionOf(filter) ?? { kind: 'all', filters: [] };
  const counted = sql`${found.matches} AND ${matchingAction(scope, action, found.texts)}`;
  if (field === 'action.type') {
    return sql`SELECT c.type_id AS key, count(DISTINCT a.id) AS count FROM ${ACTIONS.from} WHERE ${counted} ${LARGEST_FIRST}`;
  }
  const assets = sql<Bucket>`SELECT carried.id AS key, count(DISTINCT a.id) AS count FROM ${ACTIONS.from} ${CARRIED}
    WHERE ${counted} GROUP BY key`;
  return ofType(assets, 'player');
}
