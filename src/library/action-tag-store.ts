import { type RawBuilder, sql } from 'kysely';
import type { LibraryWrite } from './changes-store.ts';
import { recordHistory } from './action-history-store.ts';
import { findMediaOfActions, tagIdsOf } from './action-write-store.ts';

async function recordUpdated(write: LibraryWrite, ids: readonly number[]): Promise<void> {
  const media = await findMediaOfActions(write, ids);
  for (const id of ids) {
    write.record({ type: 'action.updated', objectId: id, data: { media_ids: media.get(id) ?? [] } });
  }
}

/** Computes what a search looks at anew, and answers the actions in which it changed. */
async function refreshTagIds({ tx, scope }: LibraryWrite, test: RawBuilder<unknown>): Promise<readonly number[]> {
  const changed = await sql<{ id: number }>`
    UPDATE action a SET tag_ids = c.tag_ids
    FROM (SELECT a.id, ${tagIdsOf(sql`a`)} AS tag_ids FROM action a LEFT JOIN match m ON m.tag_option_id = a.match_id
      WHERE a.organization_id = ${scope.organizationId} AND ${test}) AS c
    WHERE a.id = c.id AND a.tag_ids IS DISTINCT FROM c.tag_ids RETURNING a.id`.execute(tx);
  return changed.rows.map((row) => row.id);
}

/**
 * After matches were edited: competition, season and stadium on their actions. The actions themselves are what they were, so
 * their versions stay; the feed says `action.updated`.
 */
export async function recomputeActionTags(
  write: LibraryWrite,
  of: { readonly matchIds: readonly number[] } | { readonly actionIds: readonly number[] },
): Promise<void> {
  const test =
    'matchIds' in of
      ? sql`a.match_id = ANY(${[...of.matchIds]}::bigint[])`
      : sql`a.id = ANY(${[...of.actionIds]}::bigint[])`;
  await recordUpdated(write, await refreshTagIds(write, test));
}

/** A list of `{id, ...}` in which one ID became another; what is then there twice is there once. */
function replacedIn(column: RawBuilder<unknown>, pair: Pair, same: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`COALESCE((SELECT jsonb_agg(item ORDER BY at) FROM (
    SELECT DISTINCT ON (${same}) item, at FROM jsonb_array_elements(${column}) WITH ORDINALITY AS e (one, at),
      LATERAL (SELECT CASE WHEN (one ->> 'id')::bigint = ${pair.fromId}
        THEN jsonb_set(one, '{id}', to_jsonb(${pair.intoId}::bigint)) ELSE one END AS item) AS r
    ORDER BY ${same}, at) AS once), '[]')`;
}

type Pair = { readonly fromId: number; readonly intoId: number };

/**
 * After a merge: actions name the surviving tag option. To be called after matches refer to it and before it is put on
 * assets (`moveTagOnAssets`), which then finds the other angles of the actions.
 */
export async function moveTagOnActions(write: LibraryWrite, pair: Pair, actor: string | null = null): Promise<void> {
  const { fromId, intoId } = pair;
  const list = (id: number) => sql`${JSON.stringify([{ id }])}::jsonb`;
  const moved = await sql<{ id: number }>`
    UPDATE action a SET
      type_id = CASE WHEN type_id = ${fromId} THEN ${intoId} ELSE type_id END,
      match_id = CASE WHEN match_id = ${fromId} THEN ${intoId} ELSE match_id END,
      extra_tag_ids = ARRAY(SELECT DISTINCT unnest(array_replace(extra_tag_ids, ${fromId}::bigint, ${intoId}::bigint))),
      clubs = ${replacedIn(sql`clubs`, pair, sql`item ->> 'id'`)},
      players = ${replacedIn(sql`players`, pair, sql`item ->> 'id', item ->> 'role'`)},
      version = version + 1, updated_at = now(), updated_by = ${actor}::text
    WHERE organization_id = ${write.scope.organizationId} AND tag_ids @> ARRAY[${fromId}]::bigint[]
      AND (type_id = ${fromId} OR match_id = ${fromId} OR ${fromId} = ANY(extra_tag_ids) OR clubs @> ${list(fromId)}
        OR players @> ${list(fromId)})
    RETURNING id`.execute(write.tx);
  const ids = moved.rows.map((row) => row.id);
  // A competition or a stadium is on actions through their match only.
  const implied = await refreshTagIds(
    write,
    sql`(a.id = ANY(${ids}::bigint[]) OR a.tag_ids @> ARRAY[${fromId}]::bigint[])`,
  );
  await recordHistory(
    write,
    ids.map((id) => ({ id, change: 'updated' })),
    actor,
  );
  await recordUpdated(write, [...new Set([...ids, ...implied])]);
}
