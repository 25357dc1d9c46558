import { sql } from 'kysely';
import type { LibraryScope } from '../auth/index.ts';
import type { Queryable, Tx } from '../db/index.ts';

/** Whether faces of the organization are described and compared; off unless it was switched on. */
export async function suggestsFaces(db: Queryable, scope: LibraryScope): Promise<boolean> {
  const row = await db
    .selectFrom('face_settings')
    .select('suggestions')
    .where('organization_id', '=', scope.organizationId)
    .executeTakeFirst();
  return row?.suggestions ?? false;
}

export async function saveFaceSettings(tx: Tx, scope: LibraryScope, suggestions: boolean): Promise<void> {
  await tx
    .insertInto('face_settings')
    .values({ organization_id: scope.organizationId, suggestions })
    .onConflict((conflict) =>
      conflict.column('organization_id').doUpdateSet({ suggestions, updated_at: sql<Date>`now()` }),
    )
    .execute();
}

/** Deletes every descriptor, and the open suggestions made from them; answers the assets that showed one. */
export async function deleteDescriptors(tx: Tx, scope: LibraryScope): Promise<readonly number[]> {
  const { organizationId } = scope;
  const shown = await sql<{ id: number }>`
    WITH gone AS (DELETE FROM face_descriptor WHERE organization_id = ${organizationId} RETURNING asset_id, suggested_id),
      tags AS (DELETE FROM asset_tag_suggestion WHERE organization_id = ${organizationId} AND source = 'ai:faces'
        AND state = 'suggested' RETURNING asset_id)
    UPDATE asset SET version = version + 1, updated_at = now() WHERE id IN (
      SELECT asset_id FROM gone WHERE suggested_id IS NOT NULL UNION SELECT asset_id FROM tags)
    RETURNING id`.execute(tx);
  return shown.rows.map((row) => row.id);
}
