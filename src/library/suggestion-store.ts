import { sql } from 'kysely';
import type { LibraryScope } from '../auth/index.ts';
import type { Queryable } from '../db/index.ts';
import type { LibraryWrite } from './changes-store.ts';
import type { MachineSource } from './tagging-store.ts';
import type { TagType } from './tag-types.ts';

export type Suggestion = {
  readonly tagOptionId: number;
  readonly source: MachineSource;
  readonly confidence: number | null;
};

/** What stands between an asset and some options: on it, suggested or rejected; absent from the map when nothing does. */
export async function readPairStates(
  write: LibraryWrite,
  assetId: number,
  tagOptionIds: readonly number[],
): Promise<ReadonlyMap<number, 'present' | 'suggested' | 'rejected'>> {
  if (tagOptionIds.length === 0) return new Map();
  const ids = sql`${[...tagOptionIds]}::bigint[]`;
  const found = await sql<{ id: number; state: 'present' | 'suggested' | 'rejected' }>`
    SELECT tag_option_id AS id, state FROM asset_tag_suggestion WHERE asset_id = ${assetId} AND tag_option_id = ANY(${ids})
    UNION ALL
    SELECT tag_option_id, 'present' FROM asset_tag WHERE asset_id = ${assetId} AND tag_option_id = ANY(${ids})`.execute(
    write.tx,
  );
  // A tag that is on the asset comes last and wins over a suggestion of it.
  return new Map(found.rows.map((row) => [row.id, row.state]));
}

/** Adds suggestions; of two of one option the one with more confidence stays, of one source the later. True: any changed. */
export async function insertSuggestions(
  write: LibraryWrite,
  assetId: number,
  given: { readonly suggestions: readonly Suggestion[]; readonly actor: string | null },
): Promise<boolean> {
  const { suggestions, actor } = given;
  if (suggestions.length === 0) return false;
  const put = await sql`
    INSERT INTO asset_tag_suggestion AS s (organization_id, asset_id, tag_option_id, state, source, confidence, actor)
    SELECT ${write.scope.organizationId}, ${assetId}, g.id, 'suggested', g.source, g.confidence, ${actor}
    FROM unnest(${suggestions.map((one) => one.tagOptionId)}::bigint[], ${suggestions.map((one) => one.source)}::text[],
      ${suggestions.map((one) => one.confidence)}::real[]) AS g (id, source, confidence)
    ON CONFLICT (asset_id, tag_option_id) DO UPDATE
      SET source = excluded.source, confidence = excluded.confidence, actor = excluded.actor
      WHERE s.state = 'suggested' AND (s.source, s.confidence) IS DISTINCT FROM (excluded.source, excluded.confidence)
        AND (s.source = excluded.source OR COALESCE(excluded.confidence, 0) > COALESCE(s.confidence, 0))
    RETURNING 1`.execute(write.tx);
  return put.rows.length > 0;
}

/** Puts suggested tags on the asset, with the source and confidence they were suggested with. */
export async function acceptSuggestions(
  write: LibraryWrite,
  assetId: number,
  given: { readonly tagOptionIds: readonly number[]; readonly actor: string | null },
): Promise<void> {
  await sql`
    WITH accepted AS (
      DELETE FROM asset_tag_suggestion WHERE asset_id = ${assetId} AND state = 'suggested'
        AND tag_option_id = ANY(${[...given.tagOptionIds]}::bigint[]) RETURNING tag_option_id, source, confidence)
    INSERT INTO asset_tag (asset_id, tag_option_id, source, confidence, actor)
    SELECT ${assetId}, tag_option_id, source, confidence, ${given.actor} FROM accepted
    ON CONFLICT (asset_id, tag_option_id) DO UPDATE SET source = excluded.source, confidence = excluded.confidence,
      actor = excluded.actor WHERE asset_tag.source = 'implied'`.execute(write.tx);
}

/** Takes options off the asset, wherever they came from, and keeps machines from putting them there again. */
export async function rejectTags(
  write: LibraryWrite,
  assetId: number,
  given: { readonly tagOptionIds: readonly number[]; readonly actor: string | null },
): Promise<boolean> {
  if (given.tagOptionIds.length === 0) return false;
  const rejected = await sql`
    WITH gone AS (
      DELETE FROM asset_tag WHERE asset_id = ${assetId} AND tag_option_id = ANY(${[...given.tagOptionIds]}::bigint[])
      RETURNING tag_option_id, source, confidence)
    INSERT INTO asset_tag_suggestion AS s (organization_id, asset_id, tag_option_id, state, source, confidence, actor)
    SELECT ${write.scope.organizationId}, ${assetId}, g.id, 'rejected', COALESCE(gone.source, 'manual'), gone.confidence,
      ${given.actor}
    FROM unnest(${[...given.tagOptionIds]}::bigint[]) AS g (id) LEFT JOIN gone ON gone.tag_option_id = g.id
    ON CONFLICT (asset_id, tag_option_id) DO UPDATE SET state = 'rejected', actor = excluded.actor
      WHERE s.state <> 'rejected'
    RETURNING 1`.execute(write.tx);
  return rejected.rows.length > 0;
}

export type OpenSuggestion = {
  readonly id: number;
  readonly assetId: number;
  readonly tagOption: { readonly id: number; readonly type: TagType; readonly label: string };
  readonly source: string;
  readonly confidence: number | null;
  readonly createdAt: Date;
};

/** Open suggestions on assets outside the bin, oldest first, after `afterId`. */
export async function listSuggestions(
  db: Queryable,
  scope: LibraryScope,
  page: {
    readonly tagOptionId: number | undefined;
    readonly source: string | undefined;
    readonly minConfidence: number | undefined;
    readonly afterId: number;
    readonly limit: number;
  },
): Promise<readonly OpenSuggestion[]> {
  const { tagOptionId, source, minConfidence } = page;
  const found = await sql<OpenSuggestion>`
    SELECT s.id, s.asset_id AS "assetId", jsonb_build_object('id', o.id, 'type', o.type, 'label', o.label) AS "tagOption",
      s.source, s.confidence, s.created_at AS "createdAt"
    FROM asset_tag_suggestion s JOIN tag_option o ON o.id = s.tag_option_id JOIN asset a ON a.id = s.asset_id
    WHERE s.organization_id = ${scope.organizationId} AND s.state = 'suggested' AND s.id > ${page.afterId}
      AND a.deleted_at IS NULL
      AND ${tagOptionId === undefined ? sql`true` : sql`s.tag_option_id = ${tagOptionId}`}
      AND ${source === undefined ? sql`true` : sql`s.source = ${source}`}
      AND ${minConfidence === undefined ? sql`true` : sql`s.confidence >= ${minConfidence}`}
      AND NOT EXISTS (SELECT 1 FROM asset_tag t WHERE t.asset_id = s.asset_id AND t.tag_option_id = s.tag_option_id)
    ORDER BY s.id LIMIT ${page.limit}`.execute(db);
  return found.rows;
}
