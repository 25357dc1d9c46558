import { sql } from 'kysely';
import type { LibraryScope } from '../auth/index.ts';
import type { Queryable } from '../db/index.ts';
import { ACTION_TYPE_CATEGORY, ACTION_TYPE_SOURCE } from '../library/index.ts';

/** A tag option that is a type of actions, and what it is called by: keys, and its folded names. */
export type ActionTypeNames = {
  readonly id: number;
  readonly keys: readonly string[];
  readonly foldedNames: readonly string[];
  readonly active: boolean;
};

/** Types of actions, of all tag options or of these; merged ones are left out. */
export async function readActionTypes(
  db: Queryable,
  scope: LibraryScope,
  ids?: readonly number[],
): Promise<readonly ActionTypeNames[]> {
  if (ids?.length === 0) return [];
  const among = ids ? sql`AND o.id = ANY(${[...ids]}::bigint[])` : sql``;
  const found = await sql<ActionTypeNames>`
    SELECT o.id, o.status = 'active' AS active, o.folded_names AS "foldedNames",
      ARRAY(SELECT e.external_id FROM tag_external_id e WHERE e.tag_option_id = o.id
        AND e.organization_id = o.organization_id AND e.source = ${ACTION_TYPE_SOURCE}) AS keys
    FROM tag_option o
    WHERE o.organization_id = ${scope.organizationId} AND o.type = 'tag' AND o.category = ${ACTION_TYPE_CATEGORY}
      AND o.status <> 'merged' ${among}`.execute(db);
  return found.rows;
}
