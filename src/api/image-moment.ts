import type { LibraryScope } from '../auth/index.ts';
import { AppError } from '../base/index.ts';
import type { ImageAsset, Recipe } from '../images/index.ts';
import { type Asset, findActions } from '../library/index.ts';
import type { ApiDeps } from './deps.ts';

/** What stills of a video can be taken from, by storage key: its proxy and its original. Undefined for photos. */
export function videoFactsOf(asset: Asset): ImageAsset['video'] {
  const { durationMs } = asset;
  if (asset.mediaType !== 'video' || durationMs === null) return undefined;
  const renditions = asset.files.flatMap((file) => {
    const isOriginal = file.quality === 'photographer';
    const { width, height } = isOriginal ? asset : file;
    const isVideo = isOriginal || file.mimeType.startsWith('video/');
    return isVideo && width !== null && height !== null ? [{ name: file.storageKey, width, height }] : [];
  });
  return { durationMs, renditions };
}

/**
 * The recipe with the position of the action that `t` names in this video, as it is now.
 * @throws AppError `not_found` for an action that is unknown, deleted, of another organization or not in this video
 */
export async function withMomentOf(
  deps: Pick<ApiDeps, 'db'>,
  scope: LibraryScope,
  { recipe, mediaId }: { readonly recipe: Recipe; readonly mediaId: number },
): Promise<Recipe> {
  const { moment } = recipe;
  if (moment?.kind !== 'action') return recipe;
  const [action] = await findActions(deps.db, scope, [moment.id]);
  const place = action?.places.find((one) => one.mediaId === mediaId);
  if (!place) {
    throw new AppError('not_found', `expected an action in asset ${mediaId} for t, received action:${moment.id}`);
  }
  return { ...recipe, moment: { kind: 'position', ms: place.eventMs } };
}
