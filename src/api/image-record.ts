import type { ImageAsset, ImageTier } from '../images/index.ts';
import type { Asset, AssetFile } from '../library/index.ts';
import { videoFactsOf } from './image-moment.ts';

/** Formats the image decoders read; other originals (RAW, HEIC) are shown through their tiers. */
const READABLE = new Set(['image/jpeg', 'image/png', 'image/webp', 'image/gif', 'image/tiff', 'image/avif']);

const MOVING = new Set(['image/webp', 'image/gif']);
/** How ingest says that the detector failed: nobody knows then whose faces are in the picture. */
const FACES_UNKNOWN = 'Faces could not be looked for.';

/** What the image service needs to know of an asset; a tier's name is its storage key. Undefined while there is nothing to show. */
export function toImageAsset(asset: Asset, organizationId: number): ImageAsset | undefined {
  if (asset.width === null || asset.height === null) return undefined;
  const tierOf = (file: AssetFile): readonly ImageTier[] => {
    const original = file.quality === 'photographer';
    const size = original ? asset : file;
    if (size.width === null || size.height === null) return [];
    if (!READABLE.has(original ? asset.mimeType : file.mimeType)) return [];
    return [
      {
        name: file.storageKey,
        width: size.width,
        height: size.height,
        hasAlpha: original && asset.hasAlpha,
        isOriginal: original,
        mayMove: original && MOVING.has(asset.mimeType),
      },
    ];
  };
  const tiers = asset.files.flatMap(tierOf);
  const largest = tiers.reduce<ImageTier | undefined>(
    (best, tier) => (best && best.width >= tier.width ? best : tier),
    undefined,
  );
  if (!largest) return undefined;
  const text = (name: string) => {
    const value = asset.details[name];
    return typeof value === 'string' ? value : undefined;
  };
  return {
    orgId: organizationId,
    mediaId: asset.id,
    rev: String(asset.revision),
    // A RAW original is larger than anything that can be shown of it.
    original: { width: largest.width, height: largest.height },
    nominal: { width: asset.width, height: asset.height },
    hasAlpha: asset.hasAlpha,
    tiers,
    faces: asset.faces,
    focal: asset.focal ?? undefined,
    facesKnown: asset.status === 'ready' && !asset.warnings.includes(FACES_UNKNOWN),
    video: videoFactsOf(asset),
    credit: { artist: text('byline') ?? text('credit'), copyright: text('copyright') },
  };
}

/** What answering an image takes of an asset: small, since tens of thousands are kept in memory. */
export type ImageRecord = Pick<Asset, 'id' | 'urlNonce' | 'revision' | 'usage' | 'usageAt' | 'status'> & {
  /** Undefined where there is no picture to show. */
  readonly picture: ImageAsset | undefined;
};

export function toImageRecord(asset: Asset, organizationId: number): ImageRecord {
  const { id, urlNonce, revision, usage, usageAt, status } = asset;
  const picture = status === 'failed' ? undefined : toImageAsset(asset, organizationId);
  return { id, urlNonce, revision, usage, usageAt, status, picture };
}
