import type { LibraryWrite } from './changes-store.ts';
import {
  clearFaceSuggestions,
  type FaceSuggestion,
  hasFaces,
  insertDescriptors,
  replaceFaceSuggestions,
  type UndescribedAsset,
} from './face-descriptor-store.ts';
import { deleteDescriptors, saveFaceSettings, suggestsFaces } from './face-settings-store.ts';
import { setFaceOwner } from './face-store.ts';
import { insertSuggestions, readPairStates } from './suggestion-store.ts';
import { recomputeTags } from './tagging-store.ts';

/** Who suggests players by their faces. */
const SOURCE = 'ai:faces';

/**
 * Switches suggestions of players by their faces on or off. Off deletes all descriptors and open suggestions at once; what
 * people linked and rejected stays. True when it was changed.
 */
export async function editFaceSettings(write: LibraryWrite, suggestions: boolean): Promise<boolean> {
  if ((await suggestsFaces(write.tx, write.scope)) === suggestions) return false;
  await saveFaceSettings(write.tx, write.scope, suggestions);
  const shown = suggestions ? [] : await deleteDescriptors(write.tx, write.scope);
  for (const id of shown) write.record({ type: 'media.updated', objectId: id });
  write.record({ type: 'face_settings.updated', objectId: write.scope.organizationId, data: { suggestions } });
  return true;
}

/** Keeps the descriptors of an asset's faces, unless it was changed or the setting switched off meanwhile. */
export async function describeFaces(
  write: LibraryWrite,
  asset: UndescribedAsset,
  descriptors: readonly (Float32Array | undefined)[],
): Promise<void> {
  if (!(await suggestsFaces(write.tx, write.scope))) return;
  // Processed again meanwhile: its other faces are described by the job of that.
  if (!(await hasFaces(write.tx, write.scope, asset))) return;
  await insertDescriptors(write.tx, write.scope, { id: asset.id, descriptors });
}

/**
 * Suggests players for the faces of an asset, and as its tags; what was rejected, or is a tag already, is left out there.
 * Suggestions of before that are not among these go.
 */
export async function suggestFaces(
  write: LibraryWrite,
  assetId: number,
  found: readonly FaceSuggestion[],
): Promise<void> {
  if (!(await suggestsFaces(write.tx, write.scope))) return;
  const ids = found.map((one) => one.tagOptionId);
  const states = await readPairStates(write, assetId, ids);
  const open = found.filter((one) => states.get(one.tagOptionId) !== 'rejected');
  if (!(await replaceFaceSuggestions(write.tx, assetId, open))) return;
  const untagged = open.filter((one) => states.get(one.tagOptionId) !== 'present');
  await insertSuggestions(write, assetId, {
    // 1 at no distance, 0.5 at the furthest that is suggested.
    suggestions: untagged.map(({ tagOptionId, distance }) => {
      return { tagOptionId, source: SOURCE, confidence: Math.max(0, 1 - distance) };
    }),
    actor: null,
  });
  await recomputeTags(write, [assetId], { touched: [assetId] });
}

/** Links the faces that stand for these players, who were accepted as tags. */
export async function linkAcceptedFaces(
  write: LibraryWrite,
  assetId: number,
  tagOptionIds: readonly number[],
): Promise<void> {
  for (const { n, tagOptionId } of await clearFaceSuggestions(write.tx, assetId, tagOptionIds)) {
    await setFaceOwner(write.tx, { assetId, n, tagOptionId });
  }
}
