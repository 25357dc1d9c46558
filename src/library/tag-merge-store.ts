import { sql } from 'kysely';
import type { Tx } from '../db/index.ts';

type Pair = { readonly fromId: number; readonly intoId: number };

/** Points relations, matches, external IDs, faces and earlier redirects of one option at another. */
export async function redirectReferences(tx: Tx, { fromId, intoId }: Pair): Promise<void> {
  // An external source names each side once: where both have one of the same source, the surviving option keeps its own.
  await sql`UPDATE tag_external_id e SET tag_option_id = ${intoId} WHERE tag_option_id = ${fromId}
    AND NOT EXISTS (SELECT 1 FROM tag_external_id o WHERE o.tag_option_id = ${intoId} AND o.source = e.source)`.execute(
    tx,
  );
  await sql`UPDATE tag_relation SET from_id = ${intoId} WHERE from_id = ${fromId}`.execute(tx);
  await sql`UPDATE tag_relation SET to_id = ${intoId} WHERE to_id = ${fromId}`.execute(tx);
  await sql`UPDATE tag_relation SET season_id = ${intoId} WHERE season_id = ${fromId}`.execute(tx);
  for (const column of ['competition_id', 'season_id', 'home_id', 'away_id', 'stadium_id']) {
    await sql`UPDATE match SET ${sql.ref(column)} = ${intoId} WHERE ${sql.ref(column)} = ${fromId}`.execute(tx);
  }
  await sql`UPDATE asset_face SET tag_option_id = ${intoId} WHERE tag_option_id = ${fromId}`.execute(tx);
  await sql`UPDATE tag_option SET merged_into = ${intoId} WHERE merged_into = ${fromId}`.execute(tx);
}

export async function markMerged(tx: Tx, { fromId, intoId }: Pair): Promise<void> {
  await sql`UPDATE tag_option SET status = 'merged', merged_into = ${intoId}, version = version + 1, updated_at = now()
    WHERE id = ${fromId}`.execute(tx);
}
