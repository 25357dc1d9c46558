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
 * Removes an asset's row for good and answers the stored objects that no other asset uses. Called under the organization's
 * lock (writeLibrary), so that no upload of the same bytes begins to use one of them meanwhile.
 */
export async function purgeAsset(tx: Tx, asset: PurgedAsset): Promise<readonly string[]> {
  const keys = await sql<{ storage_key: string }>`
    SELECT storage_key FROM asset_file f WHERE asset_id = ${asset.id}
      AND NOT EXISTS (SELECT 1 FROM asset_file o WHERE o.storage_key = f.storage_key AND o.asset_id <> f.asset_id)`.execute(
    tx,
  );
  const removed = await tx
    .deleteFrom('asset')
    .where('id', '=', asset.id)
    .where('deleted_at', 'is not', null)
    .returning('id')
    .executeTakeFirst();
  return removed ? keys.rows.map((row) => row.storage_key) : [];
}

/** True when an asset still points at this stored object. */
export async function isStorageKeyUsed(db: Queryable, storageKey: string): Promise<boolean> {
  const row = await db
    .selectFrom('asset_file')
    .select('asset_id')
    .where('storage_key', '=', storageKey)
    .executeTakeFirst();
  return row !== undefined;
}
