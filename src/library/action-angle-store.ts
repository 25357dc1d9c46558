import { sql } from 'kysely';
import type { AngleAction, AngleVideo } from './action-angles.ts';
import type { LibraryWrite } from './changes-store.ts';
import { readTimeline, type StoredTimeline } from './timeline.ts';

export type MatchAction = AngleAction & { readonly matchId: number | null };

type ActionRow = {
  id: number;
  mediaId: number;
  matchId: number | null;
  wallclockAt: Date | null;
  period: number | null;
  clockMs: number | null;
};
type PlaceRow = {
  actionId: number;
  mediaId: number;
  startMs: number;
  endMs: number;
  eventMs: number;
  derived: boolean;
};

/** These actions, or all that lie in these assets or are of a match that they carry. */
export async function findMatchActions(
  { tx, scope }: LibraryWrite,
  of: { readonly actionIds: readonly number[] } | { readonly assetIds: readonly number[] },
): Promise<readonly MatchAction[]> {
  const test =
    'actionIds' in of
      ? sql`a.id = ANY(${[...of.actionIds]}::bigint[])`
      : // A union, since PostgreSQL would look at every action for an OR of the two.
        sql`a.id IN (SELECT action_id FROM action_media WHERE asset_id = ANY(${[...of.assetIds]}::bigint[])
          UNION SELECT m.id FROM action m JOIN asset_tag t ON t.tag_option_id = m.match_id
            WHERE t.asset_id = ANY(${[...of.assetIds]}::bigint[]))`;
  const actions = await sql<ActionRow>`
    SELECT a.id, a.asset_id AS "mediaId", a.match_id AS "matchId", a.wallclock_at AS "wallclockAt", a.period,
      a.clock_ms AS "clockMs"
    FROM action a WHERE a.organization_id = ${scope.organizationId} AND a.deleted_at IS NULL AND ${test}`.execute(tx);
  const places = await sql<PlaceRow>`
    SELECT action_id AS "actionId", asset_id AS "mediaId", start_ms AS "startMs", end_ms AS "endMs",
      event_ms AS "eventMs", derived
    FROM action_media WHERE action_id = ANY(${actions.rows.map((row) => row.id)}::bigint[])`.execute(tx);
  const placesOf = new Map<number, PlaceRow[]>();
  for (const place of places.rows) {
    const own = placesOf.get(place.actionId);
    if (own) own.push(place);
    else placesOf.set(place.actionId, [place]);
  }
  return actions.rows.map(({ wallclockAt, period, clockMs, ...row }) => ({
    ...row,
    moment: { wallclockAt, period, clockMs },
    places: placesOf.get(row.id) ?? [],
  }));
}

/** Videos of these assets, and those that carry one of these matches and have a timeline, by match. */
export async function findAngleVideos(
  { tx, scope }: LibraryWrite,
  of: { readonly assetIds: readonly number[]; readonly matchIds: readonly number[] },
): Promise<{
  readonly byId: ReadonlyMap<number, AngleVideo>;
  readonly byMatch: ReadonlyMap<number, readonly AngleVideo[]>;
}> {
  const found = await sql<{
    id: number;
    durationMs: number | null;
    timeline: StoredTimeline | null;
    matchIds: number[];
  }>`
    SELECT v.id, v.duration_ms AS "durationMs", v.timeline,
      ARRAY(SELECT t.tag_option_id FROM asset_tag t
        WHERE t.asset_id = v.id AND t.tag_option_id = ANY(${[...of.matchIds]}::bigint[])) AS "matchIds"
    FROM asset v WHERE v.organization_id = ${scope.organizationId} AND v.media_type = 'video'
      AND v.id IN (SELECT unnest(${[...of.assetIds]}::bigint[]) UNION SELECT asset_id FROM asset_tag
        WHERE tag_option_id = ANY(${[...of.matchIds]}::bigint[]))`.execute(tx);
  const byId = new Map<number, AngleVideo>();
  const byMatch = new Map<number, AngleVideo[]>();
  for (const { id, durationMs, timeline, matchIds } of found.rows) {
    const video = { id, durationMs, timeline: timeline && readTimeline(timeline) };
    byId.set(id, video);
    if (timeline) for (const match of matchIds) byMatch.set(match, [...(byMatch.get(match) ?? []), video]);
  }
  return { byId, byMatch };
}

/** Which of these assets have a timeline: only these show actions of other videos. */
export async function findTimedAssets({ tx }: LibraryWrite, assetIds: readonly number[]): Promise<readonly number[]> {
  if (assetIds.length === 0) return [];
  const found = await sql<{ id: number }>`SELECT id FROM asset
    WHERE id = ANY(${[...assetIds]}::bigint[]) AND media_type = 'video' AND timeline IS NOT NULL`.execute(tx);
  return found.rows.map((row) => row.id);
}

/** Writes a video's timeline. */
export async function writeTimeline(
  { tx }: LibraryWrite,
  assetId: number,
  timeline: StoredTimeline | null,
): Promise<void> {
  await sql`UPDATE asset SET timeline = ${timeline && JSON.stringify(timeline)}::jsonb, version = version + 1,
    updated_at = now() WHERE id = ${assetId}`.execute(tx);
}

/**
 * Gives actions whose own video this is the time of day of their moment, where it is unknown or was computed from the start
 * that was known before.
 */
export async function deriveWallclocks(
  { tx }: LibraryWrite,
  video: { readonly id: number; readonly before: Date | null; readonly after: Date | null },
): Promise<void> {
  const { id, before, after } = video;
  await sql`UPDATE action a
    SET wallclock_at = ${after}::timestamptz + p.event_ms * interval '1 millisecond'
    FROM action_media p WHERE p.action_id = a.id AND p.asset_id = a.asset_id AND NOT p.derived
      AND a.asset_id = ${id} AND (a.wallclock_at IS NULL
        OR a.wallclock_at = ${before}::timestamptz + p.event_ms * interval '1 millisecond')`.execute(tx);
}

/** The next version of actions whose own place moved. */
export async function touchActions({ tx }: LibraryWrite, ids: readonly number[], actor: string | null): Promise<void> {
  if (ids.length === 0) return;
  await sql`UPDATE action SET version = version + 1, updated_at = now(), updated_by = ${actor}::text
    WHERE id = ANY(${[...ids]}::bigint[])`.execute(tx);
}
