import { sql } from 'kysely';
import type { Queryable, Tx } from '../db/index.ts';

export type PurgedAsset = { readonly id: number; readonly organizationId: number };

/** Assets that have been in the bin since before `before`, of every organization; oldest first. */
export async function findPurgeable(
  db: Queryable,
  request: { readonly before: Date; readonly limit: number },
): Promise<readonly PurgedAsset[]> {
  const rows = await db
    .selectFrom('asset')
    .select(['id', 'organization_id'])
    .where('deleted_at', '<', request.before)
    .orderBy('deleted_at')
    .limit(request.limit)
    .execute();
  return rows.map((row) => ({ id: row.id, organizationId: row.organization_id }));
}

/**
 * Removes an asset's row for good and answers the stored objects that no other asset or upload uses. Called under the organization's
 * lock (writeLibrary), so that no upload of the same bytes begins to use one of them meanwhile.
 */
export async function purgeAsset(tx: Tx, asset: PurgedAsset): Promise<readonly string[]> {
  const keys = await sql<{ storage_key: string }>`
    SELECT storage_key FROM asset_file f WHERE asset_id = ${asset.id}
      AND NOT EXISTS (SELECT 1 FROM asset_file o WHERE o.storage_key = f.storage_key AND o.asset_id <> f.asset_id)
      AND NOT EXISTS (SELECT 1 FROM upload u WHERE u.storage_key = f.storage_key AND u.state = 'open')`.execute(tx);
  const removed = await tx
    .deleteFrom('asset')
    .where('id', '=', asset.id)
    .where('deleted_at', 'is not', null)
    .returning('id')
    .executeTakeFirst();
  return removed ? keys.rows.map((row) => row.storage_key) : [];
}

/** True when an asset points at this stored object, or an upload is about to make one that does. */
export async function isStorageKeyUsed(db: Queryable, storageKey: string): Promise<boolean> {
  const found = await sql<{ used: boolean }>`SELECT EXISTS (SELECT 1 FROM asset_file WHERE storage_key = ${storageKey})
    OR EXISTS (SELECT 1 FROM upload WHERE storage_key = ${storageKey} AND state = 'open') AS used`.execute(db);
  return found.rows[0]?.used === true;
}
