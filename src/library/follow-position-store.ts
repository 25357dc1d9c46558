import { type RawBuilder, sql } from 'kysely';
import type { LibraryScope } from '../auth/index.ts';
import { type Database, PREPARED, type Queryable, type Tx } from '../db/index.ts';

/** Rules that run, and saved searches that tell. */
const someFollow = (organizationId: RawBuilder<number>) => sql<boolean>`(
  EXISTS (SELECT FROM rule WHERE organization_id = ${organizationId} AND enabled AND state = 'active')
  OR EXISTS (SELECT FROM saved_search WHERE organization_id = ${organizationId} AND notify))`;

/** How far the changes of the organization were followed; undefined when it has nothing that follows them. */
export async function findPosition(db: Queryable, scope: LibraryScope): Promise<number | undefined> {
  const found = await sql<{ version: number }>`SELECT version FROM rule_position p
    WHERE organization_id = ${scope.organizationId} AND ${someFollow(sql.ref('p.organization_id'))} ${PREPARED}`.execute(
    db,
  );
  return found.rows[0]?.version;
}

/** Begins to follow at the present version, unless it does already. The caller holds the library's lock. */
export async function startFollowing(tx: Tx, scope: LibraryScope): Promise<void> {
  await sql`INSERT INTO rule_position (organization_id, version)
    SELECT id, version FROM organization WHERE id = ${scope.organizationId} ON CONFLICT DO NOTHING`.execute(tx);
}

/** Moves on, unless somebody else did meanwhile. */
export async function movePosition(
  db: Queryable,
  scope: LibraryScope,
  move: { readonly from: number; readonly to: number },
): Promise<boolean> {
  const moved = await db
    .updateTable('rule_position')
    .set({ version: move.to })
    .where('organization_id', '=', scope.organizationId)
    .where('version', '=', move.from)
    .returning('version')
    .executeTakeFirst();
  return moved !== undefined;
}

/** Organizations with changes that were not followed yet. */
export async function findBehind(db: Database): Promise<readonly number[]> {
  const found = await sql<{ id: number }>`SELECT p.organization_id AS id FROM rule_position p
    JOIN organization o ON o.id = p.organization_id
    WHERE p.version < o.version AND ${someFollow(sql.ref('o.id'))} ORDER BY 1`.execute(db);
  return found.rows.map(({ id }) => id);
}
