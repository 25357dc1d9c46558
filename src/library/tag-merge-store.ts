import { sql } from 'kysely';
import type { LibraryScope } from '../auth/index.ts';
import type { Queryable, Tx } from '../db/index.ts';
import { nextRevision } from './asset-revision-store.ts';
import type { LibraryWrite } from './changes-store.ts';
import { readClubParents } from './tag-batch-store.ts';

type Pair = { readonly fromId: number; readonly intoId: number };

/** The surviving club keeps its own parent, and takes the other one's only if that is not below it. */
async function mergeParents(write: LibraryWrite, { fromId, intoId }: Pair): Promise<void> {
  const parents = await readClubParents(write);
  let isBelow = false;
  const seen = new Set<number>();
  for (let id = parents.get(fromId); id !== undefined && !seen.has(id); id = parents.get(id)) {
    seen.add(id);
    isBelow ||= id === intoId;
  }
  // The two become one: what lies above one of them may lie below the other.
  for (let id = parents.get(intoId); id !== undefined && !seen.has(id); id = parents.get(id)) {
    seen.add(id);
    if (id === fromId) {
      await sql`DELETE FROM tag_relation WHERE from_id = ${intoId} AND kind = 'club_parent'`.execute(write.tx);
      return;
    }
  }
  if (isBelow || parents.has(intoId)) {
    await sql`DELETE FROM tag_relation WHERE from_id = ${fromId} AND kind = 'club_parent'`.execute(write.tx);
  }
}

/** Relations of the surviving option that say the same, once; none to itself. */
async function dropRepeatedRelations(tx: Tx, intoId: number): Promise<void> {
  await sql`DELETE FROM tag_relation a USING tag_relation b
    WHERE (a.from_id = ${intoId} OR a.to_id = ${intoId}) AND b.from_id = a.from_id AND b.kind = a.kind AND b.to_id = a.to_id
      AND b.id < a.id AND (a.season_id, a.shirt_number, a.position, a.valid_from, a.valid_to)
        IS NOT DISTINCT FROM (b.season_id, b.shirt_number, b.position, b.valid_from, b.valid_to)`.execute(tx);
  await sql`DELETE FROM tag_relation WHERE from_id = ${intoId} AND to_id = ${intoId}`.execute(tx);
}

/** Points relations, matches, external IDs, faces, suggestions and earlier redirects of one option at another. */
export async function redirectReferences(write: LibraryWrite, pair: Pair): Promise<void> {
  const { fromId, intoId } = pair;
  const { tx } = write;
  // An external source names each side once: where both have one of the same source, the surviving option keeps its own.
  await sql`UPDATE tag_external_id e SET tag_option_id = ${intoId} WHERE tag_option_id = ${fromId}
    AND NOT EXISTS (SELECT 1 FROM tag_external_id o WHERE o.tag_option_id = ${intoId} AND o.source = e.source)`.execute(
    tx,
  );
  await mergeParents(write, pair);
  await sql`UPDATE tag_relation SET from_id = ${intoId} WHERE from_id = ${fromId}`.execute(tx);
  await sql`UPDATE tag_relation SET to_id = ${intoId} WHERE to_id = ${fromId}`.execute(tx);
  await sql`UPDATE tag_relation SET season_id = ${intoId} WHERE season_id = ${fromId}`.execute(tx);
  await dropRepeatedRelations(tx, intoId);
  for (const column of ['competition_id', 'season_id', 'home_id', 'away_id', 'stadium_id']) {
    await sql`UPDATE match SET ${sql.ref(column)} = ${intoId} WHERE ${sql.ref(column)} = ${fromId}`.execute(tx);
  }
  // Image URLs that follow the player show another face from now on.
  const faced = await sql<{ id: number }>`
    WITH moved AS (UPDATE asset_face SET tag_option_id = ${intoId} WHERE tag_option_id = ${fromId} RETURNING asset_id)
    UPDATE asset SET revision = ${nextRevision('asset')}, version = version + 1, updated_at = now()
    WHERE id IN (SELECT asset_id FROM moved) RETURNING id`.execute(tx);
  for (const { id } of faced.rows) write.record({ type: 'media.updated', objectId: id });
  await sql`UPDATE face_descriptor SET suggested_id = ${intoId} WHERE suggested_id = ${fromId}`.execute(tx);
  await sql`UPDATE tag_option SET merged_into = ${intoId} WHERE merged_into = ${fromId}`.execute(tx);
}

/**
 * What machines suggested of either option is suggested of the surviving one, unless a person rejected one of them. To be
 * called after the assets of the two were brought together: what is on an asset now is neither suggested nor rejected.
 */
export async function moveSuggestions(tx: Tx, { fromId, intoId }: Pair): Promise<void> {
  await sql`UPDATE asset_tag_suggestion o SET state = 'rejected', actor = s.actor FROM asset_tag_suggestion s
    WHERE o.tag_option_id = ${intoId} AND s.tag_option_id = ${fromId} AND s.asset_id = o.asset_id
      AND s.state = 'rejected' AND o.state <> 'rejected'`.execute(tx);
  await sql`UPDATE asset_tag_suggestion s SET tag_option_id = ${intoId} WHERE tag_option_id = ${fromId}
    AND NOT EXISTS (SELECT 1 FROM asset_tag_suggestion o
      WHERE o.asset_id = s.asset_id AND o.tag_option_id = ${intoId})`.execute(tx);
  await sql`DELETE FROM asset_tag_suggestion WHERE tag_option_id = ${fromId}`.execute(tx);
  await sql`DELETE FROM asset_tag_suggestion s USING asset_tag t
    WHERE s.tag_option_id = ${intoId} AND t.tag_option_id = ${intoId} AND t.asset_id = s.asset_id`.execute(tx);
}

export async function markMerged(tx: Tx, { fromId, intoId }: Pair): Promise<void> {
  await sql`UPDATE tag_option SET status = 'merged', merged_into = ${intoId}, version = version + 1, updated_at = now()
    WHERE id = ${fromId}`.execute(tx);
}

/** Whether an action, also a deleted one, is of this type or match, or names it. */
export async function isTagOnActions(db: Queryable, scope: LibraryScope, id: number): Promise<boolean> {
  const found = await sql<{ used: boolean }>`
    SELECT EXISTS (SELECT 1 FROM action WHERE organization_id = ${scope.organizationId}
      AND tag_ids @> ARRAY[${id}]::bigint[]) AS used`.execute(db);
  return found.rows[0]?.used ?? false;
}
