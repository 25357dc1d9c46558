import { AppError, foldText, invalidField } from '../base/index.ts';
import type { Asset, AssetFace } from './asset-types.ts';
import type { LibraryWrite } from './changes-store.ts';
import { clearFaceSuggestions, dropFaceTagSuggestion, rejectForFace } from './face-descriptor-store.ts';
import { setFaceOwner } from './face-store.ts';
import { findTagsByFoldedName, findTagSummaries } from './tag-store.ts';
import { insertTags, recomputeTags } from './tagging-store.ts';

/** A face as it was found, with the name that the file gives it. */
export type FoundFace = Omit<AssetFace, 'tagOptionId'> & { readonly name?: string };

/** The faces with the player each name means; one that several players share, or none has, means nobody. */
export async function ownersOfFaces(write: LibraryWrite, faces: readonly FoundFace[]): Promise<AssetFace[]> {
  const names = [...new Set(faces.map((face) => foldText(face.name ?? '')))].filter((name) => name !== '');
  const players = await findTagsByFoldedName(write.tx, write.scope, { names, types: ['player'] });
  return faces.map(({ name, ...face }) => {
    const folded = foldText(name ?? '');
    const owners = players.filter((player) => player.foldedNames.includes(folded));
    return { ...face, tagOptionId: owners.length === 1 ? (owners[0]?.id ?? null) : null };
  });
}

/**
 * Links face `n` (from 0, in the order of the asset's faces) to a player by hand, or to nobody (`null`). The player's tag is
 * put on the asset; taking the link away leaves the tag.
 * @throws AppError `not_found`, `state_conflict`, `unknown_tag_option`, `tag_option_deactivated`, `validation_failed` when it
 * is not a player
 */
export async function linkFace(
  write: LibraryWrite,
  asset: Asset,
  link: { readonly n: number; readonly tagOptionId: number | null },
): Promise<void> {
  if (asset.faces[link.n] === undefined) throw new AppError('not_found', `Asset ${asset.id} has no face ${link.n}.`);
  if (asset.status !== 'ready' && asset.status !== 'archived') {
    throw new AppError('state_conflict', `Asset ${asset.id} is ${asset.status}: its faces are not final.`);
  }
  const player = link.tagOptionId === null ? null : await getPlayer(write, link.tagOptionId);
  await setFaceOwner(write.tx, { assetId: asset.id, n: link.n, tagOptionId: player });
  await settleSuggestions(write, asset, { n: link.n, player });
  if (player !== null && !asset.tags.some((tag) => tag.id === player)) {
    await insertTags(write, asset.id, [{ tagOptionId: player, source: 'manual' }]);
    await recomputeTags(write, [asset.id]);
  }
  write.record({ type: 'media.updated', objectId: asset.id });
}

/** Whom a person did not link the face to is not suggested for it again; a player has one face in a picture. */
async function settleSuggestions(
  write: LibraryWrite,
  asset: Asset,
  { n, player }: { readonly n: number; readonly player: number | null },
): Promise<void> {
  const face = asset.faces[n];
  const before = face?.tagOptionId ?? face?.suggestion?.tagOptionId;
  const isOther = before !== undefined && before !== player;
  if (isOther) await rejectForFace(write.tx, { assetId: asset.id, n, tagOptionId: before });
  await clearFaceSuggestions(write.tx, asset.id, [...(isOther ? [before] : []), ...(player === null ? [] : [player])]);
  if (isOther) await dropFaceTagSuggestion(write.tx, asset.id, before);
}

async function getPlayer(write: LibraryWrite, id: number): Promise<number> {
  const pointer = '/tag_option_id';
  const found = (await findTagSummaries(write.tx, write.scope, [id])).get(id);
  if (!found) {
    const detail = `expected the ID of a player, received unknown ${id}`;
    throw new AppError('unknown_tag_option', detail, {
      details: { unknown: [id] },
      errors: [{ pointer, code: 'unknown_tag_option', detail }],
    });
  }
  if (found.type !== 'player') throw invalidField(pointer, `expected the ID of a player, received a ${found.type}`);
  if (found.status === 'deactivated') {
    const detail = `expected an active player, received deactivated ${id}`;
    throw new AppError('tag_option_deactivated', detail, {
      errors: [{ pointer, code: 'tag_option_deactivated', detail }],
    });
  }
  return found.mergedInto ?? id;
}
