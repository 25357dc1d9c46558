import { sql } from 'kysely';
import type { LibraryScope } from '../auth/index.ts';
import type { Database, Queryable } from '../db/index.ts';

/** The videos of actions, by action; those that are gone are missing. */
export async function findActionMedia(
  db: Queryable,
  scope: LibraryScope,
  actionIds: readonly number[],
): Promise<ReadonlyMap<number, number>> {
  if (actionIds.length === 0) return new Map();
  const found = await sql<{ id: number; media_id: number }>`SELECT id, asset_id AS media_id FROM action
    WHERE organization_id = ${scope.organizationId} AND id = ANY (${[...actionIds]}::bigint[])`.execute(db);
  return new Map(found.rows.map((row) => [row.id, row.media_id]));
}

/** The first videos of clips, by clip; those that are gone are missing. */
export async function findClipMedia(
  db: Queryable,
  scope: LibraryScope,
  clipIds: readonly number[],
): Promise<ReadonlyMap<number, number>> {
  if (clipIds.length === 0) return new Map();
  const found = await sql<{ id: number; media_id: number }>`SELECT id,
    (request -> 'segments' -> 0 ->> 'mediaId')::bigint AS media_id FROM clip
    WHERE organization_id = ${scope.organizationId} AND id = ANY (${[...clipIds]}::bigint[])`.execute(db);
  return new Map(found.rows.map((row) => [row.id, row.media_id]));
}

/** Of these assets those that are being processed: what is still to come of them is told by `media.ready`. */
export async function findUnfinished(
  db: Queryable,
  scope: LibraryScope,
  mediaIds: readonly number[],
): Promise<ReadonlySet<number>> {
  if (mediaIds.length === 0) return new Set();
  const found = await sql<{ id: number }>`SELECT id FROM asset WHERE organization_id = ${scope.organizationId}
    AND id = ANY (${[...mediaIds]}::bigint[]) AND status IN ('uploading', 'processing')`.execute(db);
  return new Set(found.rows.map(({ id }) => id));
}

/** Actions whose own video is one of these, the first 1,000. */
export async function listActionsOf(
  db: Queryable,
  scope: LibraryScope,
  mediaIds: readonly number[],
): Promise<readonly { readonly id: number; readonly mediaId: number }[]> {
  const found = await sql<{ id: number; mediaId: number }>`SELECT id, asset_id AS "mediaId" FROM action
    WHERE organization_id = ${scope.organizationId} AND asset_id = ANY (${[...mediaIds]}::bigint[])
    ORDER BY id LIMIT 1000`.execute(db);
  return found.rows;
}

/** Organizations with rules that run. */
export async function findRuleOrganizations(db: Database): Promise<readonly number[]> {
  const found = await sql<{ id: number }>`SELECT DISTINCT organization_id AS id FROM rule
    WHERE enabled AND state = 'active' ORDER BY 1`.execute(db);
  return found.rows.map(({ id }) => id);
}
