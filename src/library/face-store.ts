import { sql } from 'kysely';
import type { Tx } from '../db/index.ts';
import { nextRevision } from './asset-revision-store.ts';
import type { AssetFace } from './asset-types.ts';

/** Makes these the faces of an asset, numbered from 0 in their order. */
export async function replaceFaces(tx: Tx, assetId: number, faces: readonly AssetFace[]): Promise<void> {
  await tx.deleteFrom('asset_face').where('asset_id', '=', assetId).execute();
  if (faces.length === 0) return;
  const rows = faces.map(({ x, y, w, h, score, tagOptionId }, n) => {
    return { asset_id: assetId, n, x, y, w, h, score, tag_option_id: tagOptionId };
  });
  await tx.insertInto('asset_face').values(rows).execute();
}

/** Says whose face it is. Image URLs that follow a player show something else from now on, so their revision goes up. */
export async function setFaceOwner(
  tx: Tx,
  face: { readonly assetId: number; readonly n: number; readonly tagOptionId: number | null },
): Promise<void> {
  await tx
    .updateTable('asset_face')
    .set({ tag_option_id: face.tagOptionId })
    .where('asset_id', '=', face.assetId)
    .where('n', '=', face.n)
    .execute();
  await sql`UPDATE asset SET revision = ${nextRevision('asset')}, version = version + 1, updated_at = now()
    WHERE id = ${face.assetId}`.execute(tx);
}
