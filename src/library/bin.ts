import { newUrlNonce } from '../auth/index.ts';
import { AppError } from '../base/index.ts';
import { findAssetsBy, restartProcessing, setDeleted } from './asset-store.ts';
import type { Asset } from './asset-types.ts';
import { processOf, type UploadOutcome } from './assets.ts';
import type { LibraryWrite } from './changes-store.ts';
import { countTagsOfAssets, recomputeTags } from './tagging-store.ts';

const withNonces = (ids: readonly number[]) => ids.map((id) => ({ id, urlNonce: newUrlNonce() }));

/** Moves assets that are not there yet into the bin. */
export async function moveAllToBin(write: LibraryWrite, assets: readonly Pick<Asset, 'id'>[]): Promise<void> {
  const assetIds = assets.map((asset) => asset.id);
  await setDeleted(write.tx, withNonces(assetIds), { deleted: true });
  const tags = await countTagsOfAssets(write, { assetIds, step: -1 });
  for (const id of assetIds) {
    write.record({ type: 'media.deleted', objectId: id, data: { tag_option_ids: tags.get(id) ?? [] } });
  }
}

export async function moveToBin(write: LibraryWrite, asset: Pick<Asset, 'id'>): Promise<void> {
  await moveAllToBin(write, [asset]);
}

const namesOf = ({ sha256, externalId }: Pick<Asset, 'sha256' | 'externalId'>) => [
  `sha256 ${sha256}`,
  ...(externalId === null ? [] : [`external ${externalId}`]),
];

/** Assets of which the same bytes or the same external ID are in the library again, with the asset that has them. */
async function findConflicts(write: LibraryWrite, assets: readonly Asset[]): Promise<ReadonlyMap<number, number>> {
  const present = await findAssetsBy(write.tx, write.scope, {
    sha256s: assets.map((asset) => asset.sha256),
    externalIds: assets.flatMap((asset) => asset.externalId ?? []),
  });
  const owners = new Map(present.flatMap((asset) => namesOf(asset).map((name): [string, number] => [name, asset.id])));
  const conflicts = new Map<number, number>();
  for (const asset of assets) {
    const names = namesOf(asset);
    const other = names.map((name) => owners.get(name)).find((id) => id !== undefined);
    if (other !== undefined) conflicts.set(asset.id, other);
    // Two copies may be in the bin at the same time: the first takes the place.
    else for (const name of names) owners.set(name, asset.id);
  }
  return conflicts;
}

export type Restored = {
  /** Assets that stay in the bin, and why. */
  readonly conflicts: ReadonlyMap<number, string>;
  /** Those that were not processed before they went there, and have to be now. */
  readonly process: readonly Pick<UploadOutcome, 'id' | 'process'>[];
};

/** Takes assets out of the bin, but those of which the same bytes or external ID are in the library again. */
export async function restoreAllFromBin(write: LibraryWrite, assets: readonly Asset[]): Promise<Restored> {
  const conflicts = await findConflicts(write, assets);
  const ids = assets.map((asset) => asset.id).filter((id) => !conflicts.has(id));
  // Before they are counted again: a tag option may have been deleted while only assets in the bin carried it.
  await recomputeTags(write, ids);
  const restored = await setDeleted(write.tx, withNonces(ids), { deleted: false });
  const tags = await countTagsOfAssets(write, { assetIds: ids, step: 1 });
  for (const id of ids) {
    write.record({ type: 'media.restored', objectId: id, data: { tag_option_ids: tags.get(id) ?? [] } });
  }
  const process: Pick<UploadOutcome, 'id' | 'process'>[] = [];
  for (const { id } of restored.filter((asset) => asset.status === 'processing')) {
    await restartProcessing(write.tx, id);
    process.push({ id, process: await processOf(write, id) });
  }
  const told = [...conflicts].map(
    ([id, other]) => [id, `The same file is in the library again, as asset ${other}.`] as const,
  );
  return { conflicts: new Map(told), process };
}

/**
 * Takes an asset out of the bin; one that was not processed before it went there has to be now.
 * @throws AppError `conflict` when the same bytes or external ID were uploaded again in the meantime
 */
export async function restoreFromBin(write: LibraryWrite, asset: Asset): Promise<UploadOutcome['process']> {
  const { conflicts, process } = await restoreAllFromBin(write, [asset]);
  const conflict = conflicts.get(asset.id);
  if (conflict !== undefined) throw new AppError('conflict', conflict);
  return process[0]?.process;
}
