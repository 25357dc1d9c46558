import { sql } from 'kysely';
import type { LibraryScope } from '../auth/index.ts';
import type { Queryable, Tx } from '../db/index.ts';
import type { AssetFace } from './asset-types.ts';

/** Numbers of a descriptor. */
const LENGTH = 128;

function toBytes(descriptor: Float32Array): Buffer {
  const bytes = Buffer.alloc(LENGTH * 4);
  for (let index = 0; index < LENGTH; index += 1) bytes.writeFloatLE(descriptor[index] ?? 0, index * 4);
  return bytes;
}

function toDescriptor(bytes: Buffer): Float32Array {
  return Float32Array.from({ length: LENGTH }, (_, index) => bytes.readFloatLE(index * 4));
}

/** An asset whose faces nobody has described yet. */
export type UndescribedAsset = {
  readonly id: number;
  readonly revision: number;
  /** Of the picture that its faces were found in. */
  readonly storageKey: string;
  readonly faces: readonly AssetFace[];
};

/** Those after `afterId`, or the one asset `mediaId`, in the order of their IDs. */
export async function findUndescribed(
  db: Queryable,
  scope: LibraryScope,
  page: { readonly mediaId: number | null; readonly afterId: number; readonly limit: number },
): Promise<readonly UndescribedAsset[]> {
  const found = await sql<UndescribedAsset>`
    SELECT a.id, a.revision, t.storage_key AS "storageKey", (SELECT jsonb_agg(jsonb_build_object('x', f.x, 'y', f.y,
        'w', f.w, 'h', f.h, 'score', f.score, 'tagOptionId', f.tag_option_id) ORDER BY f.n)
      FROM asset_face f WHERE f.asset_id = a.id) AS faces
    FROM asset a JOIN asset_file t ON t.asset_id = a.id
      AND t.quality = CASE a.media_type WHEN 'video' THEN 'poster' ELSE 'compressed' END
    WHERE a.organization_id = ${scope.organizationId} AND a.status IN ('ready', 'archived') AND a.deleted_at IS NULL
      AND ${page.mediaId === null ? sql`a.id > ${page.afterId}` : sql`a.id = ${page.mediaId}`}
      AND EXISTS (SELECT 1 FROM asset_face f WHERE f.asset_id = a.id)
      AND NOT EXISTS (SELECT 1 FROM face_descriptor d WHERE d.asset_id = a.id)
    ORDER BY a.id LIMIT ${page.limit}`.execute(db);
  return found.rows;
}

/** Whether the faces of an asset are still these. */
export async function hasFaces(
  tx: Tx,
  scope: LibraryScope,
  asset: Pick<UndescribedAsset, 'id' | 'faces'>,
): Promise<boolean> {
  const boxes = JSON.stringify(asset.faces.map(({ x, y, w, h }) => [x, y, w, h]));
  const found = await sql`
    SELECT 1 FROM asset a WHERE a.id = ${asset.id} AND a.organization_id = ${scope.organizationId}
      AND (SELECT jsonb_agg(jsonb_build_array(f.x, f.y, f.w, f.h) ORDER BY f.n) FROM asset_face f WHERE f.asset_id = a.id)
        = ${boxes}::jsonb`.execute(tx);
  return found.rows.length > 0;
}

/** Keeps one descriptor a face, in their order; undefined for a face that is too small. */
export async function insertDescriptors(
  tx: Tx,
  scope: LibraryScope,
  asset: { readonly id: number; readonly descriptors: readonly (Float32Array | undefined)[] },
): Promise<void> {
  for (const [n, descriptor] of asset.descriptors.entries()) {
    await sql`INSERT INTO face_descriptor (organization_id, asset_id, n, descriptor)
      SELECT ${scope.organizationId}, f.asset_id, f.n, ${descriptor ? toBytes(descriptor) : null}
      FROM asset_face f WHERE f.asset_id = ${asset.id} AND f.n = ${n}
      ON CONFLICT (asset_id, n) DO UPDATE SET descriptor = excluded.descriptor`.execute(tx);
  }
}

/** A face that a person linked to a player: what others are compared with. */
export type KnownFace = { readonly tagOptionId: number; readonly descriptor: Float32Array };

/** The `perPlayer` linked faces of each active player (or of one) that were taken in last. */
export async function findKnownFaces(
  db: Queryable,
  scope: LibraryScope,
  options: { readonly perPlayer: number; readonly tagOptionId: number | null },
): Promise<readonly KnownFace[]> {
  const { perPlayer, tagOptionId } = options;
  const found = await sql<{ tagOptionId: number; descriptor: Buffer }>`
    SELECT "tagOptionId", descriptor FROM (
      SELECT f.tag_option_id AS "tagOptionId", d.descriptor,
        row_number() OVER (PARTITION BY f.tag_option_id ORDER BY f.asset_id DESC, f.n) AS place
      FROM face_descriptor d JOIN asset_face f ON f.asset_id = d.asset_id AND f.n = d.n
        JOIN tag_option o ON o.id = f.tag_option_id AND o.status = 'active' JOIN asset a ON a.id = d.asset_id
      WHERE d.organization_id = ${scope.organizationId} AND d.descriptor IS NOT NULL AND a.deleted_at IS NULL
        AND ${tagOptionId === null ? sql`true` : sql`f.tag_option_id = ${tagOptionId}`}) AS known
    WHERE place <= ${perPlayer}`.execute(db);
  return found.rows.map((row) => ({ tagOptionId: row.tagOptionId, descriptor: toDescriptor(row.descriptor) }));
}

/** What is known of the faces of an asset when they are compared. */
export type ComparedFace = {
  readonly assetId: number;
  readonly n: number;
  readonly descriptor: Float32Array | undefined;
  readonly ownerId: number | null;
  readonly suggestedId: number | null;
  readonly rejectedIds: readonly number[];
};

/** The faces of up to `limit` assets after `afterId`, or of the one asset `mediaId`, that have a face without an owner. */
export async function findComparedFaces(
  db: Queryable,
  scope: LibraryScope,
  page: { readonly mediaId: number | null; readonly afterId: number; readonly limit: number },
): Promise<readonly ComparedFace[]> {
  const found = await sql<Omit<ComparedFace, 'descriptor'> & { readonly descriptor: Buffer | null }>`
    WITH page AS (
      SELECT DISTINCT d.asset_id FROM face_descriptor d JOIN asset_face f ON f.asset_id = d.asset_id AND f.n = d.n
        JOIN asset a ON a.id = d.asset_id
      WHERE d.organization_id = ${scope.organizationId} AND a.deleted_at IS NULL AND d.descriptor IS NOT NULL
        AND f.tag_option_id IS NULL
        AND ${page.mediaId === null ? sql`d.asset_id > ${page.afterId}` : sql`d.asset_id = ${page.mediaId}`}
      ORDER BY d.asset_id LIMIT ${page.limit})
    SELECT d.asset_id AS "assetId", d.n, d.descriptor, f.tag_option_id AS "ownerId", d.suggested_id AS "suggestedId",
      d.rejected_ids || ARRAY(SELECT s.tag_option_id FROM asset_tag_suggestion s
        WHERE s.asset_id = d.asset_id AND s.state = 'rejected') AS "rejectedIds"
    FROM page JOIN face_descriptor d USING (asset_id) JOIN asset_face f ON f.asset_id = d.asset_id AND f.n = d.n
    ORDER BY d.asset_id, d.n`.execute(db);
  return found.rows.map((row) => ({ ...row, descriptor: row.descriptor ? toDescriptor(row.descriptor) : undefined }));
}

/** A player for a face: how far it is from the closest face of that player. */
export type FaceSuggestion = { readonly n: number; readonly tagOptionId: number; readonly distance: number };

/** Makes these the suggestions of the asset's faces without an owner; true when any changed. */
export async function replaceFaceSuggestions(
  tx: Tx,
  assetId: number,
  suggestions: readonly FaceSuggestion[],
): Promise<boolean> {
  const changed = await sql`
    UPDATE face_descriptor d SET suggested_id = g.id, distance = g.distance
    FROM asset_face f LEFT JOIN unnest(${suggestions.map((one) => one.n)}::int[],
      ${suggestions.map((one) => one.tagOptionId)}::bigint[], ${suggestions.map((one) => one.distance)}::real[])
      AS g (n, id, distance) ON g.n = f.n AND f.tag_option_id IS NULL
    WHERE d.asset_id = ${assetId} AND f.asset_id = d.asset_id AND f.n = d.n
      AND (d.suggested_id, d.distance) IS DISTINCT FROM (g.id, g.distance)
    RETURNING 1`.execute(tx);
  return changed.rows.length > 0;
}

/** A person says that a face is not this player's. */
export async function rejectForFace(
  tx: Tx,
  face: { readonly assetId: number; readonly n: number; readonly tagOptionId: number },
): Promise<void> {
  await sql`UPDATE face_descriptor SET rejected_ids = array_append(array_remove(rejected_ids, ${face.tagOptionId}),
      ${face.tagOptionId}) WHERE asset_id = ${face.assetId} AND n = ${face.n}`.execute(tx);
}

/** Takes suggestions of these players off the faces of an asset: they are linked, or rejected. Answers the faces. */
export async function clearFaceSuggestions(
  tx: Tx,
  assetId: number,
  tagOptionIds: readonly number[],
): Promise<readonly { readonly n: number; readonly tagOptionId: number }[]> {
  if (tagOptionIds.length === 0) return [];
  const cleared = await sql<{ n: number; tagOptionId: number }>`
    WITH open AS (SELECT asset_id, n, suggested_id FROM face_descriptor
      WHERE asset_id = ${assetId} AND suggested_id = ANY(${[...tagOptionIds]}::bigint[]) FOR UPDATE)
    UPDATE face_descriptor d SET suggested_id = NULL, distance = NULL FROM open
    WHERE d.asset_id = open.asset_id AND d.n = open.n
    RETURNING d.n, open.suggested_id AS "tagOptionId"`.execute(tx);
  return cleared.rows;
}

/** Takes the suggested tag of a player off an asset that no face of it stands for any more. */
export async function dropFaceTagSuggestion(tx: Tx, assetId: number, tagOptionId: number): Promise<void> {
  await sql`DELETE FROM asset_tag_suggestion s WHERE s.asset_id = ${assetId} AND s.tag_option_id = ${tagOptionId}
    AND s.state = 'suggested' AND s.source = 'ai:faces' AND NOT EXISTS (SELECT 1 FROM face_descriptor d
      WHERE d.asset_id = s.asset_id AND d.suggested_id = s.tag_option_id)`.execute(tx);
}
