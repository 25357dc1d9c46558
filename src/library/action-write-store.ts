import { type RawBuilder, sql } from 'kysely';
import type { Span } from './action-angles.ts';
import type { ActionValues } from './action-values.ts';
import type { LibraryWrite } from './changes-store.ts';
import { stadiumOfMatch } from './match-store.ts';
import { searchVector } from './search-text.ts';
import { insertSearchWords } from './search-text-store.ts';

/** An action to be written, with its own video. */
export type ActionRow = { readonly id: number; readonly mediaId: number; readonly values: ActionValues };
export type PlaceRow = Span & { readonly actionId: number; readonly mediaId: number; readonly derived: boolean };

/** IDs for new actions, in one round trip: rows of many statements refer to them. */
export async function reserveActionIds({ tx }: LibraryWrite, count: number): Promise<readonly number[]> {
  if (count === 0) return [];
  const found = await sql<{ id: number }>`SELECT nextval(pg_get_serial_sequence('action', 'id')) AS id
    FROM generate_series(1, ${count})`.execute(tx);
  return found.rows.map((row) => row.id).toSorted((a, b) => a - b);
}

/** What a search looks at, for a row beside its match `m`: type, match, clubs, players, extra tags, and competition, season and stadium of the match. */
export const tagIdsOf = (row: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  ARRAY(SELECT DISTINCT tag FROM unnest(
      ARRAY[${row}.type_id, ${row}.match_id, m.competition_id, m.season_id, ${stadiumOfMatch}] || ${row}.extra_tag_ids
      || ARRAY(SELECT (c ->> 'id')::bigint FROM jsonb_array_elements(${row}.clubs) AS c)
      || ARRAY(SELECT (p ->> 'id')::bigint FROM jsonb_array_elements(${row}.players) AS p)) AS tag
    WHERE tag IS NOT NULL ORDER BY tag)`;

/** Rows as a table of one parameter: thousands of them would exceed PostgreSQL's 65,535 parameters a statement. */
function recordset(rows: readonly ActionRow[]): { readonly table: RawBuilder<unknown>; readonly words: string[] } {
  const words: string[] = [];
  const records = rows.map(({ id, mediaId, values }) => {
    const text = searchVector(values.label ?? '', values.details);
    words.push(...text.words);
    return {
      id,
      asset_id: mediaId,
      type_id: values.typeId,
      label: values.label,
      wallclock_at: values.wallclockAt,
      period: values.period,
      clock_ms: values.clockMs,
      minute: values.minute,
      stoppage: values.stoppage,
      match_id: values.matchId,
      clubs: values.clubs,
      players: values.players,
      extra_tag_ids: values.extraTagIds,
      outcome: values.outcome,
      x: values.x,
      y: values.y,
      end_x: values.endX,
      end_y: values.endY,
      details: values.details,
      search_text: text.vector,
      source: values.source,
      source_ref: values.sourceRef,
      source_version: values.sourceVersion,
      confidence: values.confidence,
      status: values.status,
      parent_id: values.parentId,
    };
  });
  const table = sql`jsonb_to_recordset(${JSON.stringify(records)}::jsonb) AS r (id bigint, asset_id bigint, type_id bigint,
    label text, wallclock_at timestamptz, period smallint, clock_ms bigint, minute smallint, stoppage smallint,
    match_id bigint, clubs jsonb, players jsonb, extra_tag_ids bigint[], outcome text, x real, y real, end_x real,
    end_y real, details jsonb, search_text text, source text, source_ref text, source_version bigint, confidence real,
    status text, parent_id bigint)`;
  return { table, words };
}

export async function insertActions(
  write: LibraryWrite,
  rows: readonly ActionRow[],
  actor: string | null,
): Promise<void> {
  if (rows.length === 0) return;
  const { table, words } = recordset(rows);
  await sql`
    INSERT INTO action (id, organization_id, asset_id, type_id, label, wallclock_at, period, clock_ms, minute, stoppage,
      match_id, clubs, players, extra_tag_ids, tag_ids, outcome, x, y, end_x, end_y, details, search_text, source,
      source_ref, source_version, confidence, status, parent_id, created_by, updated_by)
    OVERRIDING SYSTEM VALUE
    SELECT r.id, ${write.scope.organizationId}, r.asset_id, r.type_id, r.label, r.wallclock_at, r.period, r.clock_ms,
      r.minute, r.stoppage, r.match_id, r.clubs, r.players, r.extra_tag_ids, ${tagIdsOf(sql`r`)}, r.outcome, r.x, r.y,
      r.end_x, r.end_y, r.details, r.search_text::tsvector, r.source, r.source_ref, r.source_version, r.confidence,
      r.status, r.parent_id, ${actor}::text, ${actor}::text
    FROM ${table} LEFT JOIN match m ON m.tag_option_id = r.match_id ORDER BY r.id`.execute(write.tx);
  await insertSearchWords(write, words);
}

/** Gives actions new values, and the next version. A deleted one is there again. */
export async function updateActions(
  write: LibraryWrite,
  rows: readonly ActionRow[],
  actor: string | null,
): Promise<void> {
  if (rows.length === 0) return;
  const { table, words } = recordset(rows);
  await sql`
    UPDATE action a SET asset_id = r.asset_id, type_id = r.type_id, label = r.label, wallclock_at = r.wallclock_at,
      period = r.period, clock_ms = r.clock_ms, minute = r.minute, stoppage = r.stoppage, match_id = r.match_id,
      clubs = r.clubs, players = r.players, extra_tag_ids = r.extra_tag_ids, tag_ids = ${tagIdsOf(sql`r`)},
      outcome = r.outcome, x = r.x, y = r.y, end_x = r.end_x, end_y = r.end_y, details = r.details,
      search_text = r.search_text::tsvector, source = r.source, source_ref = r.source_ref,
      source_version = r.source_version, confidence = r.confidence, status = r.status, parent_id = r.parent_id,
      updated_by = ${actor}::text, updated_at = now(), version = a.version + 1, deleted_at = NULL
    FROM ${table} LEFT JOIN match m ON m.tag_option_id = r.match_id
    WHERE a.id = r.id AND a.organization_id = ${write.scope.organizationId}`.execute(write.tx);
  await insertSearchWords(write, words);
}

/** Puts actions where they lie; a place that is there already moves. */
export async function putPlaces({ tx }: LibraryWrite, places: readonly PlaceRow[]): Promise<void> {
  if (places.length === 0) return;
  await sql`
    INSERT INTO action_media (action_id, asset_id, start_ms, end_ms, event_ms, derived)
    SELECT * FROM unnest(${places.map((p) => p.actionId)}::bigint[], ${places.map((p) => p.mediaId)}::bigint[],
      ${places.map((p) => p.startMs)}::bigint[], ${places.map((p) => p.endMs)}::bigint[],
      ${places.map((p) => p.eventMs)}::bigint[], ${places.map((p) => p.derived)}::boolean[])
    ON CONFLICT (action_id, asset_id) DO UPDATE SET start_ms = excluded.start_ms, end_ms = excluded.end_ms,
      event_ms = excluded.event_ms, derived = excluded.derived`.execute(tx);
}

export async function removePlaces(
  { tx }: LibraryWrite,
  places: readonly Pick<PlaceRow, 'actionId' | 'mediaId'>[],
): Promise<void> {
  if (places.length === 0) return;
  await sql`DELETE FROM action_media p USING unnest(${places.map((one) => one.actionId)}::bigint[],
      ${places.map((one) => one.mediaId)}::bigint[]) AS g (action_id, asset_id)
    WHERE p.action_id = g.action_id AND p.asset_id = g.asset_id`.execute(tx);
}

/** Marks an action; its row stays, so that an older state of it, fed again, is known. */
export async function markActionDeleted(write: LibraryWrite, id: number, actor: string | null): Promise<void> {
  await sql`UPDATE action SET deleted_at = now(), updated_at = now(), updated_by = ${actor}::text, version = version + 1
    WHERE id = ${id} AND organization_id = ${write.scope.organizationId}`.execute(write.tx);
}

/** Counts the actions of these assets anew: those that are not retracted. The asset's own version stays. */
export async function countActions({ tx }: LibraryWrite, assetIds: readonly number[]): Promise<void> {
  if (assetIds.length === 0) return;
  await sql`
    WITH counted AS (
      SELECT g.id, count(a.id) FILTER (WHERE a.status <> 'retracted')::int AS n
      FROM unnest(${[...assetIds]}::bigint[]) AS g (id)
      LEFT JOIN action_media p ON p.asset_id = g.id LEFT JOIN action a ON a.id = p.action_id GROUP BY g.id)
    UPDATE asset SET actions_count = counted.n FROM counted
    WHERE asset.id = counted.id AND asset.actions_count <> counted.n`.execute(tx);
}

/** The assets that these actions lie in. */
export async function findMediaOfActions(
  { tx }: LibraryWrite,
  actionIds: readonly number[],
): Promise<ReadonlyMap<number, readonly number[]>> {
  if (actionIds.length === 0) return new Map();
  const found = await sql<{ id: number; mediaIds: number[] }>`
    SELECT action_id AS id, array_agg(asset_id ORDER BY asset_id) AS "mediaIds" FROM action_media
    WHERE action_id = ANY(${[...actionIds]}::bigint[]) GROUP BY action_id`.execute(tx);
  return new Map(found.rows.map(({ id, mediaIds }) => [id, mediaIds]));
}
