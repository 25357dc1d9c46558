import { type Expression, sql } from 'kysely';
import type { LibraryScope } from '../auth/index.ts';
import { PREPARED, type Queryable, type Tx } from '../db/index.ts';
import { nextRevision } from './asset-revision-store.ts';
import type {
  Asset,
  AssetFace,
  AssetFile,
  AssetStatus,
  AssetTag,
  MediaType,
  Orientation,
  SuggestedTag,
  Usage,
} from './asset-types.ts';
import type { LibraryWrite } from './changes-store.ts';
import { replaceFaces } from './face-store.ts';
import { searchVector } from './search-text.ts';
import { insertSearchWords, type SearchedTexts, writeSearchText } from './search-text-store.ts';
import { readTimeline, type StoredTimeline } from './timeline.ts';

export type NewAsset = {
  readonly mediaType: MediaType;
  readonly name: string;
  readonly externalId: string | null;
  readonly sha256: string;
  readonly bytes: number;
  readonly mimeType: string;
  readonly extension: string;
  readonly urlNonce: string;
};

/** Fields that people and clients may write. */
export type AssetPatch = {
  readonly name?: string | undefined;
  readonly externalId?: string | null | undefined;
  readonly capturedAt?: Date | null | undefined;
  readonly rating?: number | null | undefined;
  readonly usage?: Usage | undefined;
  readonly usageAt?: Date | null | undefined;
  readonly details?: Readonly<Record<string, unknown>> | undefined;
  readonly focal?: { readonly x: number; readonly y: number } | null | undefined;
  readonly collectionIds?: readonly number[] | undefined;
  readonly status?: 'ready' | 'archived' | undefined;
};

/** What processing finds out about a file. */
export type ProcessedFacts = {
  readonly mimeType: string;
  readonly extension: string;
  readonly width: number;
  readonly height: number;
  readonly orientation: Orientation;
  readonly durationMs: number | null;
  readonly frameRate: { readonly num: number; readonly den: number } | null;
  readonly video: Readonly<Record<string, unknown>> | null;
  readonly hasAlpha: boolean;
  readonly capturedAt: Date | null;
  readonly capturedOffsetMinutes: number | null;
  readonly rating: number | null;
  readonly details: Readonly<Record<string, unknown>>;
  readonly warnings: readonly string[];
  readonly files: readonly AssetFile[];
  readonly faces: readonly AssetFace[];
};

type Row = {
  id: number;
  media_type: MediaType;
  status: AssetStatus;
  failure_code: string | null;
  failure_reason: string | null;
  name: string;
  external_id: string | null;
  sha256: string;
  bytes: number;
  mime_type: string;
  extension: string;
  width: number | null;
  height: number | null;
  orientation: Orientation | null;
  duration_ms: number | null;
  frame_rate_num: number | null;
  frame_rate_den: number | null;
  video: Record<string, unknown> | null;
  timeline: StoredTimeline | null;
  has_alpha: boolean;
  captured_at: Date | null;
  captured_offset_minutes: number | null;
  rating: number | null;
  usage: Usage;
  usage_at: Date | null;
  details: Record<string, unknown>;
  focal_x: number | null;
  focal_y: number | null;
  people_count: number;
  actions_count: number;
  warnings: string[];
  collection_ids: number[];
  url_nonce: string;
  revision: number;
  version: number;
  created_at: Date;
  updated_at: Date;
  deleted_at: Date | null;
  tags: AssetTag[];
  suggested_tags: SuggestedTag[];
  files: AssetFile[];
  faces: AssetFace[];
};

function toAsset(row: Row): Asset {
  return {
    id: row.id,
    mediaType: row.media_type,
    status: row.deleted_at === null ? row.status : 'deleted',
    failure:
      row.failure_reason === null ? null : { code: row.failure_code ?? 'file_damaged', reason: row.failure_reason },
    name: row.name,
    externalId: row.external_id,
    sha256: row.sha256,
    bytes: row.bytes,
    mimeType: row.mime_type,
    extension: row.extension,
    width: row.width,
    height: row.height,
    orientation: row.orientation,
    durationMs: row.duration_ms,
    frameRate:
      row.frame_rate_num === null || row.frame_rate_den === null
        ? null
        : { num: row.frame_rate_num, den: row.frame_rate_den },
    video: row.video,
    timeline: row.timeline && readTimeline(row.timeline),
    hasAlpha: row.has_alpha,
    capturedAt: row.captured_at,
    capturedOffsetMinutes: row.captured_offset_minutes,
    rating: row.rating,
    usage: row.usage,
    usageAt: row.usage_at,
    details: row.details,
    focal: row.focal_x === null || row.focal_y === null ? null : { x: row.focal_x, y: row.focal_y },
    peopleCount: row.people_count,
    actionsCount: row.actions_count,
    warnings: row.warnings,
    collectionIds: row.collection_ids,
    tags: row.tags,
    suggestedTags: row.suggested_tags,
    files: row.files,
    faces: row.faces,
    urlNonce: row.url_nonce,
    revision: row.revision,
    version: row.version,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}

// Found by its key, one after the other. Left to itself, PostgreSQL reads the whole table for each asset where it expects many tags:
// for a minute after each bulk edit.
const optionOf = (id: Expression<unknown>) => sql`(SELECT type, label FROM tag_option WHERE id = ${id} OFFSET 0)`;

// Documents with their tags, files and faces in one query: the last step of every search. Without search_text: its text
// form is as long as the rest of the row, and no document shows it.
const SELECT_ASSETS = sql`
  SELECT a.id, a.media_type, a.status, a.failure_code, a.failure_reason, a.name, a.external_id, a.sha256, a.bytes,
    a.mime_type, a.extension, a.width, a.height, a.orientation, a.duration_ms, a.frame_rate_num, a.frame_rate_den,
    a.video, a.timeline, a.has_alpha, a.captured_at, a.captured_offset_minutes, a.rating, a.usage, a.usage_at, a.details, a.focal_x,
    a.focal_y, a.people_count, a.actions_count, a.warnings, a.collection_ids, a.url_nonce, a.revision, a.version,
    a.created_at, a.updated_at, a.deleted_at,
    COALESCE((SELECT jsonb_agg(jsonb_build_object('id', t.tag_option_id, 'type', o.type, 'label', o.label,
        'source', t.source, 'confidence', t.confidence) ORDER BY t.tag_option_id)
      FROM asset_tag t CROSS JOIN LATERAL ${optionOf(sql.ref('t.tag_option_id'))} AS o WHERE t.asset_id = a.id), '[]') AS tags,
    COALESCE((SELECT jsonb_agg(jsonb_build_object('id', s.tag_option_id, 'type', o.type, 'label', o.label,
        'source', s.source, 'confidence', s.confidence) ORDER BY s.tag_option_id)
      FROM asset_tag_suggestion s CROSS JOIN LATERAL ${optionOf(sql.ref('s.tag_option_id'))} AS o
      WHERE s.asset_id = a.id AND s.state = 'suggested' AND NOT EXISTS (SELECT 1 FROM asset_tag t
        WHERE t.asset_id = s.asset_id AND t.tag_option_id = s.tag_option_id)), '[]') AS suggested_tags,
    COALESCE((SELECT jsonb_agg(jsonb_build_object('quality', f.quality, 'storageKey', f.storage_key, 'width', f.width,
        'height', f.height, 'bytes', f.bytes, 'mimeType', f.mime_type))
      FROM asset_file f WHERE f.asset_id = a.id), '[]') AS files,
    COALESCE((SELECT jsonb_agg(jsonb_build_object('x', f.x, 'y', f.y, 'w', f.w, 'h', f.h, 'score', f.score,
        'tagOptionId', f.tag_option_id, 'suggestion', CASE WHEN d.suggested_id IS NOT NULL AND f.tag_option_id IS NULL
          THEN jsonb_build_object('tagOptionId', d.suggested_id, 'distance', d.distance) END) ORDER BY f.n)
      FROM asset_face f LEFT JOIN face_descriptor d ON d.asset_id = f.asset_id AND d.n = f.n
      WHERE f.asset_id = a.id), '[]') AS faces
  FROM asset a`;

/** The assets of these IDs, in the order of the IDs; unknown ones are left out. Those in the bin are answered too. */
export async function findAssets(
  db: Queryable,
  scope: LibraryScope,
  ids: readonly number[],
): Promise<readonly Asset[]> {
  if (ids.length === 0) return [];
  const found = await sql<Row>`
    ${SELECT_ASSETS} WHERE a.organization_id = ${scope.organizationId} AND a.id = ANY(${[...ids]}::bigint[])
    ${PREPARED}`.execute(db);
  const byId = new Map(found.rows.map((row) => [row.id, toAsset(row)]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}

export async function findAsset(db: Queryable, scope: LibraryScope, id: number): Promise<Asset | undefined> {
  return (await findAssets(db, scope, [id]))[0];
}

/** The asset outside the bin with this content, or with this external ID. */
export async function findAssetIdBy(
  db: Queryable,
  scope: LibraryScope,
  by: { readonly sha256: string } | { readonly externalId: string },
): Promise<number | undefined> {
  const query = db
    .selectFrom('asset')
    .select('id')
    .where('organization_id', '=', scope.organizationId)
    .where('deleted_at', 'is', null);
  const row =
    'sha256' in by
      ? await query.where('sha256', '=', by.sha256).modifyEnd(PREPARED).executeTakeFirst()
      : await query.where('external_id', '=', by.externalId).modifyEnd(PREPARED).executeTakeFirst();
  return row?.id;
}

/** Assets outside the bin with one of these contents or external IDs. */
export async function findAssetsBy(
  db: Queryable,
  scope: LibraryScope,
  by: { readonly sha256s: readonly string[]; readonly externalIds: readonly string[] },
): Promise<readonly { readonly id: number; readonly sha256: string; readonly externalId: string | null }[]> {
  // Two statements in one, each by a unique index.
  const found = await sql<{ id: number; sha256: string; externalId: string | null }>`
    SELECT id, sha256, external_id AS "externalId" FROM asset
    WHERE organization_id = ${scope.organizationId} AND deleted_at IS NULL AND sha256 = ANY(${[...by.sha256s]}::text[])
    UNION
    SELECT id, sha256, external_id FROM asset WHERE organization_id = ${scope.organizationId} AND deleted_at IS NULL
      AND external_id IS NOT NULL AND external_id = ANY(${[...by.externalIds]}::text[])`.execute(db);
  return found.rows;
}

export async function insertAsset(db: Tx, scope: LibraryScope, asset: NewAsset): Promise<number> {
  const { vector, words } = searchVector(asset.name, {});
  const row = await db
    .insertInto('asset')
    .values({
      organization_id: scope.organizationId,
      media_type: asset.mediaType,
      status: 'processing',
      name: asset.name,
      external_id: asset.externalId,
      sha256: asset.sha256,
      bytes: asset.bytes,
      mime_type: asset.mimeType,
      extension: asset.extension,
      url_nonce: asset.urlNonce,
      search_text: vector,
    })
    .returning('id')
    .modifyEnd(PREPARED)
    .executeTakeFirstOrThrow();
  await insertSearchWords({ tx: db, scope }, words);
  return row.id;
}

/** Gives an asset new content: it is processed from the start, and its image URLs change. */
export async function replaceContent(
  write: LibraryWrite,
  id: number,
  asset: Pick<NewAsset, 'mediaType' | 'sha256' | 'bytes' | 'mimeType' | 'extension'>,
): Promise<void> {
  const db = write.tx;
  await db.deleteFrom('asset_file').where('asset_id', '=', id).execute();
  await db.deleteFrom('asset_face').where('asset_id', '=', id).execute();
  await db.deleteFrom('asset_tag').where('asset_id', '=', id).where('source', '=', 'metadata').execute();
  const replaced = await db
    .updateTable('asset')
    .set({
      media_type: asset.mediaType,
      sha256: asset.sha256,
      bytes: asset.bytes,
      mime_type: asset.mimeType,
      extension: asset.extension,
      width: null,
      height: null,
      orientation: null,
      duration_ms: null,
      frame_rate_num: null,
      frame_rate_den: null,
      video: null,
      people_count: 0,
      // Read from the file that goes; the new file brings its own.
      captured_at: null,
      captured_offset_minutes: null,
      rating: null,
      details: '{}',
      focal_x: null,
      focal_y: null,
    })
    .where('id', '=', id)
    .returning(['id', 'name', 'details'])
    .execute();
  await writeSearchText(write, replaced);
  await restartProcessing(db, id);
}

/** Puts an asset back to `processing` with a new revision. */
export async function restartProcessing(db: Tx, id: number): Promise<void> {
  await sql`UPDATE asset SET status = 'processing', failure_code = NULL, failure_reason = NULL, revision = revision + 1,
    version = version + 1, updated_at = now() WHERE id = ${id}`.execute(db);
}

export async function insertFile(db: Tx, assetId: number, file: AssetFile): Promise<void> {
  const values = {
    storage_key: file.storageKey,
    width: file.width,
    height: file.height,
    bytes: file.bytes,
    mime_type: file.mimeType,
  };
  await db
    .insertInto('asset_file')
    .values({ asset_id: assetId, quality: file.quality, ...values })
    .onConflict((conflict) => conflict.columns(['asset_id', 'quality']).doUpdateSet(values))
    .modifyEnd(PREPARED)
    .execute();
}

export async function patchAsset(write: LibraryWrite, id: number, patch: AssetPatch): Promise<void> {
  const focal = patch.focal === undefined ? {} : { focal_x: patch.focal?.x ?? null, focal_y: patch.focal?.y ?? null };
  const patched = await write.tx
    .updateTable('asset')
    .set({
      ...(patch.name === undefined ? {} : { name: patch.name }),
      ...(patch.externalId === undefined ? {} : { external_id: patch.externalId }),
      ...(patch.capturedAt === undefined ? {} : { captured_at: patch.capturedAt }),
      ...(patch.rating === undefined ? {} : { rating: patch.rating }),
      ...(patch.usage === undefined ? {} : { usage: patch.usage }),
      ...(patch.usageAt === undefined ? {} : { usage_at: patch.usageAt }),
      ...(patch.details === undefined ? {} : { details: JSON.stringify(patch.details) }),
      ...(patch.collectionIds === undefined ? {} : { collection_ids: [...patch.collectionIds] }),
      ...(patch.status === undefined ? {} : { status: patch.status }),
      ...focal,
      // Focal point and usage are part of what an image URL shows, so its immutable answers need a new URL.
      ...(patch.focal === undefined && patch.usage === undefined && patch.usageAt === undefined
        ? {}
        : { revision: nextRevision('asset') }),
      version: sql<number>`version + 1`,
      updated_at: sql<Date>`now()`,
    })
    .where('id', '=', id)
    .returning(['id', 'name', 'details'])
    .execute();
  if (patch.name !== undefined || patch.details !== undefined) await writeSearchText(write, patched);
}

/**
 * Records what processing found and makes the asset `ready`. Values a person wrote in the meantime (capture time,
 * rating, details) win over those read from the file. False when the file was replaced, deleted or processed meanwhile.
 */
export async function completeProcessing(
  write: LibraryWrite,
  target: { readonly id: number; readonly revision: number },
  facts: ProcessedFacts,
): Promise<boolean> {
  const db = write.tx;
  const updated = await sql<SearchedTexts>`
    UPDATE asset SET status = 'ready', mime_type = ${facts.mimeType}, extension = ${facts.extension},
      width = ${facts.width}, height = ${facts.height}, orientation = ${facts.orientation},
      duration_ms = ${facts.durationMs}, frame_rate_num = ${facts.frameRate?.num ?? null},
      frame_rate_den = ${facts.frameRate?.den ?? null},
      video = ${facts.video === null ? null : JSON.stringify(facts.video)}::jsonb,
      has_alpha = ${facts.hasAlpha}, captured_at = COALESCE(captured_at, ${facts.capturedAt}),
      captured_offset_minutes = COALESCE(captured_offset_minutes, ${facts.capturedOffsetMinutes}),
      rating = COALESCE(rating, ${facts.rating}), details = ${JSON.stringify(facts.details)}::jsonb || details,
      warnings = ${[...facts.warnings]}::text[], people_count = ${facts.faces.length},
      version = version + 1, updated_at = now()
    WHERE id = ${target.id} AND revision = ${target.revision} AND status = 'processing'
    RETURNING id, name, details`.execute(db);
  if (updated.rows.length === 0) return false;
  await writeSearchText(write, updated.rows);
  for (const file of facts.files) await insertFile(db, target.id, file);
  await replaceFaces(db, target.id, facts.faces);
  return true;
}

export async function failProcessing(
  db: Tx,
  target: { readonly id: number; readonly revision: number },
  failure: { readonly code: string; readonly reason: string },
): Promise<boolean> {
  const updated = await sql<{ id: number }>`
    UPDATE asset SET status = 'failed', failure_code = ${failure.code}, failure_reason = ${failure.reason},
      version = version + 1, updated_at = now()
    WHERE id = ${target.id} AND revision = ${target.revision} AND status = 'processing' RETURNING id`.execute(db);
  return updated.rows.length > 0;
}

/** Moves assets to the bin (`true`) or out of it. A new nonce revokes the URLs handed out while one was there. */
export async function setDeleted(
  db: Tx,
  targets: readonly { readonly id: number; readonly urlNonce: string }[],
  { deleted }: { readonly deleted: boolean },
): Promise<readonly { readonly id: number; readonly status: AssetStatus }[]> {
  const moved = await sql<{ id: number; status: AssetStatus }>`
    UPDATE asset a SET deleted_at = ${deleted ? sql`now()` : sql`NULL`}, url_nonce = t.nonce, version = a.version + 1,
      updated_at = now()
    FROM unnest(${targets.map((target) => target.id)}::bigint[], ${targets.map((target) => target.urlNonce)}::text[])
      AS t (id, nonce)
    WHERE a.id = t.id RETURNING a.id, a.status`.execute(db);
  return moved.rows;
}
