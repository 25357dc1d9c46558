import { sql } from 'kysely';
import { PREPARED } from '../db/index.ts';
import { recomputeAngles } from './action-follow-ups.ts';
import type { LibraryWrite } from './changes-store.ts';
import { stadiumOfMatch } from './match-store.ts';

/** Who or what put a tag on an asset: `ai:` and `feed:` are followed by the name of a model or a feed. */
export type TagSource = 'manual' | 'import' | 'metadata' | 'implied' | MachineSource;
export type MachineSource = `ai:${string}` | `feed:${string}`;

export type AddedTag = {
  readonly tagOptionId: number;
  readonly source: Exclude<TagSource, 'implied'>;
  readonly confidence?: number | null;
  /** Name of the API key behind it. */
  readonly actor?: string | null;
};

/** About a second of a statement, which may take 60 of them. */
const ASSETS_PER_STATEMENT = 10_000;

/**
 * Brings everything that follows from an asset's tags up to date, for many assets in three statements: implied tags
 * (a match implies its clubs, stadium, competition and season, never over another tag), the asset's own list that search
 * reads, and the counts of the options. Records `media.tags_changed` for each asset that changed.
 * @param options.touched those of them that are answered in another way although they carry the same tags
 */
export async function recomputeTags(
  write: LibraryWrite,
  assetIds: readonly number[],
  options: { readonly touched?: readonly number[] } = {},
): Promise<void> {
  const touched = new Set(options.touched);
  for (let at = 0; at < assetIds.length; at += ASSETS_PER_STATEMENT) {
    const chunk = assetIds.slice(at, at + ASSETS_PER_STATEMENT);
    await recomputeChunk(
      write,
      chunk,
      chunk.filter((id) => touched.has(id)),
    );
  }
}

async function recomputeChunk(
  write: LibraryWrite,
  assetIds: readonly number[],
  touched: readonly number[],
): Promise<void> {
  const ids = sql`${[...assetIds]}::bigint[]`;
  const implied = sql`
    SELECT DISTINCT t.asset_id, i.id FROM asset_tag t JOIN match m ON m.tag_option_id = t.tag_option_id
    CROSS JOIN LATERAL unnest(ARRAY[m.home_id, m.away_id, ${stadiumOfMatch}, m.competition_id,
      m.season_id]) AS i (id)
    WHERE t.asset_id = ANY(${ids}) AND i.id IS NOT NULL AND NOT EXISTS (SELECT 1 FROM asset_tag_suggestion r
      WHERE r.asset_id = t.asset_id AND r.tag_option_id = i.id AND r.state = 'rejected')`;
  await sql`
    WITH implied AS (${implied})
    DELETE FROM asset_tag t WHERE t.asset_id = ANY(${ids}) AND t.source = 'implied'
      AND NOT EXISTS (SELECT 1 FROM implied i WHERE i.asset_id = t.asset_id AND i.id = t.tag_option_id) ${PREPARED}`.execute(
    write.tx,
  );
  await sql`
    INSERT INTO asset_tag (asset_id, tag_option_id, source)
    SELECT asset_id, id, 'implied' FROM (${implied}) AS i ON CONFLICT DO NOTHING ${PREPARED}`.execute(write.tx);
  // `before` reads the rows as they were: all parts of one statement see the same snapshot.
  const changed = await sql<{ id: number; before: number[]; after: number[] }>`
    WITH before AS (SELECT id, tag_ids, deleted_at FROM asset WHERE id = ANY(${ids})),
    after AS (
      SELECT b.id, COALESCE(array_agg(t.tag_option_id ORDER BY t.tag_option_id) FILTER (WHERE t.tag_option_id IS NOT NULL), '{}')
        AS tag_ids
      FROM before b LEFT JOIN asset_tag t ON t.asset_id = b.id GROUP BY b.id),
    changed AS (
      UPDATE asset a SET tag_ids = after.tag_ids, version = a.version + 1, updated_at = now()
      FROM after WHERE a.id = after.id
        AND (a.tag_ids IS DISTINCT FROM after.tag_ids OR a.id = ANY(${[...touched]}::bigint[])) RETURNING a.id),
    delta AS (
      SELECT u.tag_id, sum(u.n)::int AS n FROM (
        SELECT unnest(b.tag_ids) AS tag_id, -1 AS n FROM before b JOIN changed USING (id) WHERE b.deleted_at IS NULL
        UNION ALL
        SELECT unnest(after.tag_ids), 1 FROM after JOIN changed USING (id) JOIN before b USING (id) WHERE b.deleted_at IS NULL
      ) AS u GROUP BY u.tag_id HAVING sum(u.n) <> 0),
    counted AS (
      UPDATE tag_option o SET media_count = o.media_count + delta.n FROM delta WHERE o.id = delta.tag_id RETURNING o.id)
    SELECT c.id, b.tag_ids AS before, after.tag_ids AS after
    FROM changed c JOIN before b USING (id) JOIN after USING (id) ORDER BY c.id ${PREPARED}`.execute(write.tx);
  for (const row of changed.rows) {
    const before = new Set(row.before);
    const after = new Set(row.after);
    write.record({
      type: 'media.tags_changed',
      objectId: row.id,
      data: { added: row.after.filter((id) => !before.has(id)), removed: row.before.filter((id) => !after.has(id)) },
    });
  }
  const changedIds = changed.rows.map((row) => row.id);
  // A match that a video carries or no longer carries: its actions of other videos come and go.
  await recomputeAngles(write, changedIds, { told: new Set(changedIds) });
}

/**
 * Puts tags on assets; a tag that is there already (also an implied one) becomes the given one. What people rejected for
 * an asset comes back by hand only. Answers the assets of which anything changed.
 */
export async function insertTagsOfAssets(
  write: LibraryWrite,
  given: readonly (AddedTag & { readonly assetId: number })[],
): Promise<ReadonlySet<number>> {
  if (given.length === 0) return new Set();
  const changed = await sql<{ asset_id: number }>`
    WITH given AS (
      SELECT * FROM unnest(${given.map((t) => t.assetId)}::bigint[], ${given.map((t) => t.tagOptionId)}::bigint[],
        ${given.map((t) => t.source)}::text[], ${given.map((t) => t.confidence ?? null)}::real[],
        ${given.map((t) => t.actor ?? null)}::text[]) AS t (asset_id, id, source, confidence, actor)),
    put AS (
      INSERT INTO asset_tag (asset_id, tag_option_id, source, confidence, actor)
      SELECT asset_id, id, source, confidence, actor FROM given
      WHERE source = 'manual' OR NOT EXISTS (SELECT 1 FROM asset_tag_suggestion r
        WHERE r.asset_id = given.asset_id AND r.tag_option_id = given.id AND r.state = 'rejected')
      ON CONFLICT (asset_id, tag_option_id) DO UPDATE SET source = excluded.source, confidence = excluded.confidence,
        actor = excluded.actor
        WHERE asset_tag.source = 'implied' OR (excluded.source = 'manual' AND asset_tag.source <> 'manual')
      RETURNING asset_id),
    settled AS (
      DELETE FROM asset_tag_suggestion s USING given
      WHERE s.asset_id = given.asset_id AND s.tag_option_id = given.id
        AND (given.source = 'manual' OR s.state = 'suggested')
      RETURNING s.asset_id)
    SELECT asset_id FROM put UNION SELECT asset_id FROM settled`.execute(write.tx);
  return new Set(changed.rows.map((row) => row.asset_id));
}

/** The same for one asset. Answers whether anything changed. */
export async function insertTags(write: LibraryWrite, assetId: number, tags: readonly AddedTag[]): Promise<boolean> {
  const changed = await insertTagsOfAssets(
    write,
    tags.map((tag) => ({ ...tag, assetId })),
  );
  return changed.size > 0;
}

/** Takes tags off by hand, but implied ones. What a machine had put there is rejected, so that none puts it there again. */
export async function removeTagsOfAssets(
  write: LibraryWrite,
  given: readonly { readonly assetId: number; readonly tagOptionId: number }[],
  by: { readonly actor: string | null },
): Promise<void> {
  if (given.length === 0) return;
  await sql`
    WITH gone AS (
      DELETE FROM asset_tag t USING unnest(${given.map((one) => one.assetId)}::bigint[],
        ${given.map((one) => one.tagOptionId)}::bigint[]) AS given (asset_id, id)
      WHERE t.asset_id = given.asset_id AND t.tag_option_id = given.id AND t.source <> 'implied'
      RETURNING t.asset_id, t.tag_option_id, t.source, t.confidence)
    INSERT INTO asset_tag_suggestion (organization_id, asset_id, tag_option_id, state, source, confidence, actor)
    SELECT ${write.scope.organizationId}, asset_id, tag_option_id, 'rejected', source, confidence, ${by.actor}
    FROM gone WHERE source <> 'manual'
    ON CONFLICT (asset_id, tag_option_id) DO UPDATE SET state = 'rejected', actor = excluded.actor`.execute(write.tx);
}

export function removeTags(
  write: LibraryWrite,
  assetId: number,
  tagOptionIds: readonly number[],
  by: { readonly actor: string | null } = { actor: null },
): Promise<void> {
  return removeTagsOfAssets(
    write,
    tagOptionIds.map((tagOptionId) => ({ assetId, tagOptionId })),
    by,
  );
}

/** Every tag of an asset, implied ones too, or only those that somebody or something put there. */
export async function readTagIds(
  write: LibraryWrite,
  assetId: number,
  options: { readonly implied: boolean },
): Promise<ReadonlySet<number>> {
  const query = write.tx.selectFrom('asset_tag').select('tag_option_id').where('asset_id', '=', assetId);
  const rows = await (options.implied ? query : query.where('source', '<>', 'implied')).execute();
  return new Set(rows.map((row) => row.tag_option_id));
}

async function assetsWithTag(write: LibraryWrite, tagOptionIds: readonly number[]): Promise<number[]> {
  const found = await sql<{ id: number }>`
    SELECT DISTINCT asset_id AS id FROM asset_tag WHERE tag_option_id = ANY(${[...tagOptionIds]}::bigint[])
    ORDER BY 1`.execute(write.tx);
  return found.rows.map((row) => row.id);
}

/**
 * After matches were edited, or the stadiums of home clubs: what follows from them on every asset that carries one. Answers
 * all matches of which something may follow in another way.
 */
export async function recomputeImplied(
  write: LibraryWrite,
  edited: { readonly matchIds: readonly number[]; readonly movedClubIds: readonly number[] },
): Promise<readonly number[]> {
  const matches = new Set(edited.matchIds);
  if (edited.movedClubIds.length > 0) {
    const rows = await write.tx
      .selectFrom('match')
      .select('tag_option_id')
      .where('home_id', 'in', [...edited.movedClubIds])
      .where('stadium_id', 'is', null)
      .execute();
    for (const row of rows) matches.add(row.tag_option_id);
  }
  if (matches.size > 0) await recomputeTags(write, await assetsWithTag(write, [...matches]));
  return [...matches];
}

/** Moves an option's assets to another option; where both were on an asset, the one that was put there by hand stays. */
export async function moveTagOnAssets(
  write: LibraryWrite,
  { fromId, intoId }: { readonly fromId: number; readonly intoId: number },
): Promise<void> {
  const assetIds = await assetsWithTag(write, [fromId]);
  await sql`
    INSERT INTO asset_tag (asset_id, tag_option_id, source, confidence, actor, created_at)
    SELECT asset_id, ${intoId}, source, confidence, actor, created_at FROM asset_tag WHERE tag_option_id = ${fromId}
    ON CONFLICT (asset_id, tag_option_id) DO UPDATE SET source = excluded.source, confidence = excluded.confidence,
      actor = excluded.actor WHERE excluded.source = 'manual'`.execute(write.tx);
  await write.tx.deleteFrom('asset_tag').where('tag_option_id', '=', fromId).execute();
  await recomputeTags(write, assetIds);
}

/** Adds `step` (1 or -1) to the counts of assets' tags, when they leave the bin or go there. Answers the tags by asset. */
export async function countTagsOfAssets(
  write: LibraryWrite,
  { assetIds, step }: { readonly assetIds: readonly number[]; readonly step: 1 | -1 },
): Promise<ReadonlyMap<number, readonly number[]>> {
  const counted = await sql<{ asset_id: number; tags: number[] }>`
    WITH carried AS (
      SELECT a.id AS asset_id, t.id FROM asset a, unnest(a.tag_ids) AS t (id) WHERE a.id = ANY(${[...assetIds]}::bigint[])),
    counted AS (
      UPDATE tag_option o SET media_count = o.media_count + ${step} * c.n
      FROM (SELECT id, count(*)::int AS n FROM carried GROUP BY id) AS c WHERE o.id = c.id RETURNING o.id)
    SELECT asset_id, array_agg(id ORDER BY id) AS tags FROM carried JOIN counted USING (id)
    GROUP BY asset_id`.execute(write.tx);
  return new Map(counted.rows.map((row) => [row.asset_id, row.tags]));
}
