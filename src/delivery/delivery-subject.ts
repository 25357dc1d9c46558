import type { LibraryScope } from '../auth/index.ts';
import type { Queryable } from '../db/index.ts';
import { type Asset, type AssetFile, type Clip, type ClipFacts, findAssets, findClip } from '../library/index.ts';
import type { Delivery } from './delivery-types.ts';
import type { Find } from './shared-reads.ts';

/** What a delivery brings: a file of an asset, a picture made of one, or a clip. `asset` is what sidecars and paths tell of. */
export type Subject =
  | { readonly kind: 'file'; readonly asset: Asset; readonly file: AssetFile }
  | { readonly kind: 'image'; readonly asset: Asset; readonly params: string }
  | { readonly kind: 'clip'; readonly asset: Asset; readonly storageKey: string; readonly facts: ClipFacts };

export type FoundSubject =
  | { readonly kind: 'found'; readonly subject: Subject; readonly assets: readonly Asset[] }
  /** For a clip that is being made. */
  | { readonly kind: 'waiting' }
  | { readonly kind: 'missing'; readonly code: string; readonly reason: string };

/** Looks up what is to be delivered, as it is now. `assets` are all whose pictures are in it. */
export async function findSubject(
  db: Queryable,
  scope: LibraryScope,
  delivery: Pick<Delivery, 'mediaId' | 'quality' | 'rendition'>,
  find: Find<Asset> = (ids) => findAssets(db, scope, ids),
): Promise<FoundSubject> {
  const { rendition, mediaId } = delivery;
  if (rendition?.kind === 'clip') return findClipSubject(db, scope, rendition.clip_id);
  const [asset] = await find([mediaId]);
  const isThere = asset !== undefined && asset.status !== 'deleted';
  if (isThere && rendition) {
    return { kind: 'found', subject: { kind: 'image', asset, params: rendition.params }, assets: [asset] };
  }
  const file = asset?.files.find((one) => one.quality === delivery.quality);
  if (!isThere || !file) {
    return { kind: 'missing', code: 'not_found', reason: `asset ${mediaId} or its file is not there any more` };
  }
  return { kind: 'found', subject: { kind: 'file', asset, file }, assets: [asset] };
}

/** The clip's finished file: its own, or that of the asset that it became. */
async function findClipSubject(db: Queryable, scope: LibraryScope, clipId: number): Promise<FoundSubject> {
  const missing = (reason: string, code = 'not_found'): FoundSubject => ({ kind: 'missing', code, reason });
  const clip = await findClip(db, scope, clipId);
  if (!clip) return missing(`clip ${clipId} is not there any more`);
  if (clip.state === 'queued' || clip.state === 'running') return { kind: 'waiting' };
  if (clip.state !== 'ready') {
    return missing(clip.failureReason ?? `clip ${clipId} was ${clip.state}`, clip.failureCode ?? 'state_conflict');
  }
  const assets = await findAssets(db, scope, sourcesOf(clip));
  const [asset] = assets;
  if (!asset) return missing(`the videos of clip ${clipId} are not there any more`);
  const made = clip.assetId === null ? undefined : (await findAssets(db, scope, [clip.assetId]))[0];
  const storageKey = clip.videoKey ?? made?.files.find((one) => one.quality === 'photographer')?.storageKey;
  if (storageKey === undefined || !clip.facts) return missing(`the file of clip ${clipId} is not there any more`);
  return { kind: 'found', subject: { kind: 'clip', asset, storageKey, facts: clip.facts }, assets };
}

/** The videos that a clip is cut from, each once, in the order of the clip. */
export const sourcesOf = (clip: Clip): readonly number[] => [
  ...new Set(clip.request.segments.map((segment) => segment.mediaId)),
];
