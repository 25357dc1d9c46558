import { sql } from 'kysely';
import type { LibraryWrite } from './changes-store.ts';
import { recordHistory } from './action-history-store.ts';
import { findMediaOfActions, removePlaces } from './action-write-store.ts';

/**
 * Before a video is removed for good: its actions that other videos show move to one of these, a place that was given before
 * one that was computed. Those that lie in it alone go with it.
 */
export async function releaseActions(write: LibraryWrite, assetId: number): Promise<void> {
  const moved = await sql<{ id: number }>`
    UPDATE action a SET asset_id = other.asset_id, version = a.version + 1, updated_at = now(), updated_by = NULL
    FROM (SELECT DISTINCT ON (p.action_id) p.action_id, p.asset_id FROM action_media p JOIN asset v ON v.id = p.asset_id
      WHERE p.asset_id <> ${assetId} AND p.action_id IN (SELECT id FROM action WHERE asset_id = ${assetId})
      ORDER BY p.action_id, v.deleted_at IS NOT NULL, p.derived, p.asset_id) AS other
    WHERE a.id = other.action_id AND a.asset_id = ${assetId} AND a.organization_id = ${write.scope.organizationId}
    RETURNING a.id`.execute(write.tx);
  const ids = moved.rows.map((row) => row.id);
  await removePlaces(
    write,
    ids.map((actionId) => ({ actionId, mediaId: assetId })),
  );
  await recordHistory(
    write,
    ids.map((id) => ({ id, change: 'updated' })),
    null,
  );
  const media = await findMediaOfActions(write, ids);
  for (const id of ids) {
    write.record({ type: 'action.updated', objectId: id, data: { media_ids: media.get(id) ?? [] } });
  }
}
