/** Frames of videos as sources of pictures: extracted once a moment, and kept in the cache beside what is made of them. */
import { createHash } from 'node:crypto';
import { AppError } from '../base/index.ts';
import type { ImageCache } from './cache.ts';
import type { Size } from './focus-geometry.ts';
import type { Recipe } from './recipe.ts';
import type { ImageAsset, ImageTier } from './service.ts';
import { createSharedWork } from './shared-work.ts';

/** What a still of a video can be taken from. */
export type VideoFacts = {
  readonly durationMs: number;
  /** The renditions of the video, with the sizes of their pictures as a viewer sees them, in pixels. */
  readonly renditions: readonly (Size & { readonly name: string })[];
};

/**
 * Takes the frame that shows at `atMs` (from the start) out of a rendition, in its full size; the consumer of this folder
 * provides it. Answers a JPEG. Whoever calls it sees to it that equal calls do not run twice.
 */
export type LoadStill = (request: {
  readonly rendition: string;
  readonly atMs: number;
  readonly signal: AbortSignal | undefined;
}) => Promise<Buffer>;

export type Stills = {
  /** @throws whatever `LoadStill` throws, and AppError `capability_missing` without one */
  load(
    asset: ImageAsset,
    tier: ImageTier,
    at: { readonly atMs: number; readonly signal: AbortSignal | undefined },
  ): Promise<Buffer>;
};

/** Raise it when the same frame comes out otherwise (size, tone mapping, quality). */
const STILL_VERSION = 1;

/** The position that a recipe asks for, in ms; undefined where it asks for none. */
export function positionOf({ moment }: Pick<Recipe, 'moment'>): number | undefined {
  if (moment?.kind === 'action') throw new RangeError(`expected a position, received action ${moment.id}`);
  return moment?.ms;
}

/**
 * The picture that a recipe means: the asset's own, or the video's at a moment, whose faces nobody has looked for.
 * @throws AppError `image_parameter_invalid` for a moment of a photo
 */
export function pictureAt(asset: ImageAsset, recipe: Recipe): { readonly asset: ImageAsset; readonly recipe: Recipe } {
  const ms = positionOf(recipe);
  if (ms === undefined) return { asset, recipe };
  const { video } = asset;
  const [first, ...others] = video?.renditions ?? [];
  if (!video || !first) {
    const detail = 'expected a video for t, received a photo';
    throw new AppError('image_parameter_invalid', detail, { errors: [{ pointer: 't', code: 'invalid', detail }] });
  }
  const largest = others.reduce((best, one) => (one.width > best.width ? one : best), first);
  return {
    asset: {
      ...asset,
      original: { width: largest.width, height: largest.height },
      nominal: undefined,
      hasAlpha: false,
      tiers: video.renditions.map((one) => ({ ...one, hasAlpha: false })),
      faces: [],
      facesKnown: false,
    },
    // Whatever is past the end is the same picture.
    recipe: { ...recipe, moment: { kind: 'position', ms: Math.min(ms, video.durationMs) } },
  };
}

/** Keeps extracted frames in the images' own cache, so that several sizes of a moment cost one extraction. */
export function createStills(deps: {
  readonly cache: ImageCache;
  readonly loadStill: LoadStill | undefined;
  readonly onCacheFault: (error: unknown) => void;
}): Stills {
  const { cache, loadStill, onCacheFault } = deps;
  const sharedWork = createSharedWork<Buffer>();

  return {
    async load(asset, tier, { atMs, signal }) {
      if (!loadStill)
        throw new AppError('capability_missing', 'expected a way to take stills of videos, received none');
      const parts = ['still', STILL_VERSION, tier.name, atMs];
      const hash = createHash('sha256').update(JSON.stringify(parts)).digest('hex');
      const key = `${asset.orgId}/${asset.mediaId}/${asset.rev}-${hash}`;
      const kept = await cache.get(key).catch((error: unknown) => {
        onCacheFault(error);
        return undefined;
      });
      if (kept) return kept.bytes;
      const extract = async (shared: AbortSignal) => {
        const bytes = await loadStill({ rendition: tier.name, atMs, signal: shared });
        const { width, height } = tier;
        await cache.put(key, bytes, { format: 'jpeg', width, height }).catch(onCacheFault);
        return bytes;
      };
      return sharedWork.join(key, extract, signal);
    },
  };
}
