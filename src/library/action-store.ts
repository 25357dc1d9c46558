import { type RawBuilder, sql } from 'kysely';
import type { LibraryScope } from '../auth/index.ts';
import type { FrameRate } from '../base/index.ts';
import type { Queryable } from '../db/index.ts';
import type { PlacedVideo } from './action-places.ts';
import type { Action, ActionPlace, ActionStatus } from './action-types.ts';
import { ACTION_TYPE_SOURCE } from './action-vocabulary.ts';
import type { Asset, AssetFile } from './asset-types.ts';
import { readTimeline, type StoredTimeline } from './timeline.ts';
import type { TagType } from './tag-types.ts';

type Row = Omit<Action, 'wallclockAt' | 'createdAt' | 'updatedAt' | 'places'> & {
  readonly wallclockAt: Date | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly places: readonly ActionPlace[];
  readonly isDeleted: boolean;
};

/** An action with its places: its own video first, then by asset. */
const SELECT_ACTIONS = sql`
  SELECT a.id, a.asset_id AS "mediaId", a.type_id AS "typeId", a.label, a.wallclock_at AS "wallclockAt", a.period,
    a.clock_ms AS "clockMs", a.minute, a.stoppage, a.match_id AS "matchId", a.clubs, a.players,
    a.extra_tag_ids AS "extraTagIds", a.outcome, a.x, a.y, a.end_x AS "endX", a.end_y AS "endY", a.details, a.source,
    a.source_ref AS "sourceRef", a.source_version AS "sourceVersion", a.confidence, a.status, a.parent_id AS "parentId",
    a.version, a.created_by AS "createdBy", a.updated_by AS "updatedBy", a.created_at AS "createdAt",
    a.updated_at AS "updatedAt", a.deleted_at IS NOT NULL AS "isDeleted",
    COALESCE((SELECT jsonb_agg(jsonb_build_object('id', p.id, 'mediaId', p.asset_id, 'startMs', p.start_ms,
        'endMs', p.end_ms, 'eventMs', p.event_ms, 'derived', p.derived) ORDER BY p.asset_id <> a.asset_id, p.asset_id)
      FROM action_media p WHERE p.action_id = a.id), '[]') AS places
  FROM action a`;

function toAction({ isDeleted: _isDeleted, ...row }: Row): Action {
  return row;
}

/** These actions, in the order of the IDs; unknown and deleted ones are left out. */
export async function findActions(
  db: Queryable,
  scope: LibraryScope,
  ids: readonly number[],
): Promise<readonly Action[]> {
  if (ids.length === 0) return [];
  const found = await sql<Row>`${SELECT_ACTIONS} WHERE a.organization_id = ${scope.organizationId}
    AND a.id = ANY(${[...ids]}::bigint[]) AND a.deleted_at IS NULL`.execute(db);
  const byId = new Map(found.rows.map((row) => [row.id, toAction(row)]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}

/** An action as it is shown in one of its videos. */
export type PlacedAction = { readonly action: Action; readonly place: ActionPlace };

/** Actions by their places (`action_media.id`), in that order; places that are gone are left out. */
export async function findActionPlaces(
  db: Queryable,
  scope: LibraryScope,
  placeIds: readonly number[],
): Promise<readonly PlacedAction[]> {
  if (placeIds.length === 0) return [];
  const found = await sql<{ action_id: number }>`SELECT DISTINCT p.action_id FROM action_media p
    JOIN action a ON a.id = p.action_id
    WHERE a.organization_id = ${scope.organizationId} AND p.id = ANY(${[...placeIds]}::bigint[])`.execute(db);
  const actions = await findActions(
    db,
    scope,
    found.rows.map((row) => row.action_id),
  );
  const byPlace = new Map(actions.flatMap((action) => action.places.map((place) => [place.id, { action, place }])));
  return placeIds.flatMap((id) => byPlace.get(id) ?? []);
}

/** Actions with an ID of their source, deleted ones too; the keys of the map are `sourceKey`. */
export async function findActionsBySource(
  db: Queryable,
  scope: LibraryScope,
  references: readonly { readonly source: string; readonly ref: string }[],
): Promise<ReadonlyMap<string, { readonly action: Action; readonly isDeleted: boolean }>> {
  if (references.length === 0) return new Map();
  const found = await sql<Row>`${SELECT_ACTIONS}
    JOIN unnest(${references.map((one) => one.source)}::text[], ${references.map((one) => one.ref)}::text[])
      AS r (source, ref) ON r.source = a.source AND r.ref = a.source_ref
    WHERE a.organization_id = ${scope.organizationId}`.execute(db);
  return new Map(
    found.rows.map((row) => [
      sourceKey({ source: row.source, ref: row.sourceRef ?? '' }),
      { action: toAction(row), isDeleted: row.isDeleted },
    ]),
  );
}

export function sourceKey(reference: { readonly source: string; readonly ref: string }): string {
  return `${reference.source}\0${reference.ref}`;
}

/** Which actions a list has: those of these states, or all that are not retracted. */
function statusTest(statuses: readonly ActionStatus[] | undefined): RawBuilder<unknown> {
  return statuses === undefined ? sql`a.status <> 'retracted'` : sql`a.status = ANY(${[...statuses]}::text[])`;
}

/** Place IDs of the actions in a video, in order of start; `after`: where the page before ended. */
export async function listActionPlaces(
  db: Queryable,
  scope: LibraryScope,
  page: {
    readonly mediaId: number;
    readonly statuses: readonly ActionStatus[] | undefined;
    readonly after: { readonly startMs: number; readonly id: number } | undefined;
    readonly limit: number;
  },
): Promise<{ readonly placeIds: readonly number[]; readonly total: number }> {
  const from = sql`FROM action_media p JOIN action a ON a.id = p.action_id
    WHERE a.organization_id = ${scope.organizationId} AND p.asset_id = ${page.mediaId} AND ${statusTest(page.statuses)}`;
  const after = page.after ? sql`(p.start_ms, p.id) > (${page.after.startMs}, ${page.after.id})` : sql`true`;
  const found = await sql<{ id: number }>`SELECT p.id ${from} AND ${after}
    ORDER BY p.start_ms, p.id LIMIT ${page.limit}`.execute(db);
  const counted = await sql<{ total: number }>`SELECT count(*)::int AS total ${from}`.execute(db);
  return { placeIds: found.rows.map((row) => row.id), total: counted.rows[0]?.total ?? 0 };
}

/** A video as its actions need it: what places them, and what their URLs are made of. */
export type ActionVideo = PlacedVideo &
  Pick<Asset, 'mediaType' | 'urlNonce' | 'revision' | 'usage' | 'usageAt' | 'extension'> & {
    readonly inBin: boolean;
    /** Ready to play. */
    readonly compressed: AssetFile | null;
    readonly hasPoster: boolean;
    /** Matches that it carries, accepted ones only. */
    readonly matchIds: readonly number[];
  };

type VideoRow = {
  id: number;
  mediaType: ActionVideo['mediaType'];
  status: string;
  durationMs: number | null;
  frameRateNum: number | null;
  frameRateDen: number | null;
  startTimecode: string | null;
  timeline: StoredTimeline | null;
  urlNonce: string;
  revision: number;
  usage: ActionVideo['usage'];
  usageAt: Date | null;
  extension: string;
  inBin: boolean;
  files: AssetFile[];
  matchIds: number[];
};

function toVideo(row: VideoRow): ActionVideo {
  const { frameRateNum: num, frameRateDen: den, files, timeline: stored, status, ...rest } = row;
  const frameRate: FrameRate | null = num === null || den === null ? null : { num, den };
  const timeline = stored && readTimeline(stored);
  const compressed = files.find((file) => file.quality === 'compressed') ?? null;
  const hasPoster = status !== 'failed' && files.some((file) => file.quality === 'thumbnail');
  const startTimecode = timeline?.startTimecode ?? row.startTimecode;
  return { ...rest, frameRate, timeline, startTimecode, compressed, hasPoster };
}

/** These assets as actions need them; unknown ones are missing from the map. */
export async function findActionVideos(
  db: Queryable,
  scope: LibraryScope,
  ids: readonly number[],
): Promise<ReadonlyMap<number, ActionVideo>> {
  if (ids.length === 0) return new Map();
  const found = await sql<VideoRow>`
    SELECT a.id, a.media_type AS "mediaType", a.status, a.duration_ms AS "durationMs", a.frame_rate_num AS "frameRateNum",
      a.frame_rate_den AS "frameRateDen", a.video ->> 'start_timecode' AS "startTimecode", a.timeline,
      a.url_nonce AS "urlNonce", a.revision, a.usage, a.usage_at AS "usageAt", a.extension,
      a.deleted_at IS NOT NULL AS "inBin",
      COALESCE((SELECT jsonb_agg(jsonb_build_object('quality', f.quality, 'storageKey', f.storage_key, 'width', f.width,
          'height', f.height, 'bytes', f.bytes, 'mimeType', f.mime_type))
        FROM asset_file f WHERE f.asset_id = a.id AND f.quality IN ('compressed', 'thumbnail')), '[]') AS files,
      ARRAY(SELECT t.tag_option_id FROM asset_tag t
        CROSS JOIN LATERAL (SELECT FROM tag_option WHERE id = t.tag_option_id AND type = 'match' OFFSET 0) AS o
        WHERE t.asset_id = a.id) AS "matchIds"
    FROM asset a WHERE a.organization_id = ${scope.organizationId} AND a.id = ANY(${[...ids]}::bigint[])`.execute(db);
  return new Map(found.rows.map((row) => [row.id, toVideo(row)]));
}

/** A tag option as actions name it; `key`: of an action type. */
export type ActionTag = { readonly type: TagType; readonly label: string; readonly key: string | null };

/** What people call these tag options; unknown IDs are missing from the map. */
export async function findActionTags(
  db: Queryable,
  scope: LibraryScope,
  ids: readonly number[],
): Promise<ReadonlyMap<number, ActionTag>> {
  if (ids.length === 0) return new Map();
  const found = await sql<ActionTag & { readonly id: number }>`SELECT o.id, o.type, o.label,
      (SELECT min(e.external_id) FROM tag_external_id e WHERE e.tag_option_id = o.id AND e.source = ${ACTION_TYPE_SOURCE})
        AS key
    FROM tag_option o
    WHERE o.organization_id = ${scope.organizationId} AND o.id = ANY(${[...new Set(ids)]}::bigint[])`.execute(db);
  return new Map(found.rows.map(({ id, type, label, key }) => [id, { type, label, key }]));
}
