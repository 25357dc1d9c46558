import { sql } from 'kysely';
import type { LibraryScope } from '../auth/index.ts';
import type { Queryable } from '../db/index.ts';

/** A player of a club on a day, with the shirt number of that time. */
export type RosterEntry = { readonly playerId: number; readonly clubId: number; readonly shirtNumber: number | null };

/** Who played for these clubs on the day of `at` (UTC); relations without a beginning or end are open. */
export async function readRosters(
  db: Queryable,
  scope: LibraryScope,
  { clubIds, at }: { readonly clubIds: readonly number[]; readonly at: Date },
): Promise<readonly RosterEntry[]> {
  if (clubIds.length === 0) return [];
  const day = at.toISOString().slice(0, 10);
  const found = await sql<RosterEntry>`
    SELECT r.from_id AS "playerId", r.to_id AS "clubId", r.shirt_number AS "shirtNumber"
    FROM tag_relation r JOIN tag_option p ON p.id = r.from_id
    WHERE r.organization_id = ${scope.organizationId} AND r.kind = 'player_club' AND p.status <> 'merged'
      AND r.to_id = ANY(${[...clubIds]}::bigint[])
      AND (r.valid_from IS NULL OR r.valid_from <= ${day}::date) AND (r.valid_to IS NULL OR r.valid_to >= ${day}::date)
    ORDER BY r.from_id`.execute(db);
  return found.rows;
}
