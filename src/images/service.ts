import { createHash } from 'node:crypto';

import type { ImageCache } from './cache.ts';
import type { Size } from './focus-geometry.ts';
import { formatClass, negotiateFormat } from './format.ts';
import type { ImageFormat } from './parameters/index.ts';
import { type PictureFacts, chooseTier, planRender } from './plan.ts';
import { canonicalRecipe, type Recipe } from './recipe.ts';
import { CONTENT_TYPES, type Credit, type ImageSource, type Renderer } from './render.ts';
import { createSharedWork } from './shared-work.ts';

/** A stored rendition of a picture: its size after orientation, in pixels, and whether it has kept transparency. */
export type ImageTier = Size & { readonly name: string; readonly hasAlpha: boolean };

/** What the service has to know of a picture. `rev` changes with content, focal point, faces and credit. */
export type ImageAsset = PictureFacts & {
  readonly orgId: number | string;
  readonly mediaId: number | string;
  readonly rev: string;
  /** Oriented size of the original in pixels. */
  readonly original: Size;
  readonly hasAlpha: boolean;
  /** The tiers that the decoders of this folder can read (no RAW, no HEIC). */
  readonly tiers: readonly ImageTier[];
  readonly credit?: Credit | undefined;
};

/** Loads a tier's bytes, or the path of a local file; the consumer of this folder provides it. */
export type LoadTier = (asset: ImageAsset, tier: ImageTier, signal: AbortSignal | undefined) => Promise<ImageSource>;

export type ImageAnswer = {
  readonly bytes: Buffer;
  readonly contentType: string;
  /** Strong, quoted. */
  readonly etag: string;
  /** For `X-Focus`. */
  readonly focus: string;
  readonly width: number;
  readonly height: number;
  readonly cached: boolean;
  /** Whether `Vary: Accept` belongs on the answer. */
  readonly varyAccept: boolean;
};

export type ImageService = {
  /**
   * The picture a recipe asks for, from the cache or rendered once for all who wait.
   * @throws AppError as `Renderer.render`, and whatever `loadTier` throws
   */
  get(request: {
    readonly asset: ImageAsset;
    readonly recipe: Recipe;
    readonly accept: string | undefined;
    readonly signal?: AbortSignal | undefined;
  }): Promise<ImageAnswer>;
  /** Removes every cached picture of an asset. */
  purge(asset: Pick<ImageAsset, 'orgId' | 'mediaId'>): Promise<void>;
};

/** Part of every key and ETag: raise it when the same recipe gives other bytes (encoder settings, crop rule, sharp). */
const RENDER_VERSION = 2;

type Identity = Pick<ImageAsset, 'orgId' | 'mediaId' | 'rev'>;

function digest(identity: Identity, recipe: Recipe, format: ImageFormat | 'fallback'): string {
  // JSON keeps the parts apart whatever they contain. The answered format stands in place of the asked one, so that
  // `fmt=auto` shares its pictures with `fmt=webp`.
  const settled = canonicalRecipe({ ...recipe, format: format === 'fallback' ? 'auto' : format });
  const parts = [RENDER_VERSION, `${identity.orgId}`, `${identity.mediaId}`, identity.rev, settled, format];
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}

/** The strong ETag of an answer, quoted, from the URL and the Accept header alone: 304 needs no read of any kind. */
export function etagOf(request: Identity & { readonly recipe: Recipe; readonly accept: string | undefined }): string {
  return `"${digest(request, request.recipe, formatClass(request.recipe, request.accept)).slice(0, 32)}"`;
}

/** Transparency survives only from a tier that has it, and only matters where the answer can carry it. */
function usableTiers(asset: ImageAsset, format: ImageFormat): readonly ImageTier[] {
  if (!asset.hasAlpha || format === 'jpeg') return asset.tiers;
  const transparent = asset.tiers.filter((tier) => tier.hasAlpha);
  return transparent.length > 0 ? transparent : asset.tiers;
}

/** Joins cache, renderer and the consumer's `loadTier`. A cache that cannot be written is told to `onCacheFault`. */
export function createImageService(deps: {
  readonly cache: ImageCache;
  readonly renderer: Renderer;
  readonly loadTier: LoadTier;
  readonly onCacheFault?: (error: unknown) => void;
}): ImageService {
  const { cache, renderer, loadTier, onCacheFault = () => undefined } = deps;
  type Picture = Pick<ImageAnswer, 'bytes' | 'width' | 'height' | 'contentType'>;
  const sharedWork = createSharedWork<Picture>();

  const renderAndKeep = async (
    request: {
      readonly asset: ImageAsset;
      readonly recipe: Recipe;
      readonly format: ImageFormat;
      readonly key: string;
    },
    signal: AbortSignal,
  ): Promise<Picture> => {
    const { asset, recipe, format, key } = request;
    const tier = chooseTier({ ...asset, recipe, tiers: usableTiers(asset, format) });
    if (!tier) throw new RangeError(`expected at least one tier for asset ${asset.mediaId}, received none`);
    const rendered = await renderer.render({
      source: (loadSignal) => loadTier(asset, tier, loadSignal),
      plan: planRender({ ...asset, recipe, source: tier }),
      format,
      quality: recipe.quality,
      credit: asset.credit,
      signal,
    });
    await cache
      .put(key, rendered.bytes, { format, width: rendered.width, height: rendered.height })
      .catch(onCacheFault);
    return rendered;
  };

  return {
    async get({ asset, recipe, accept, signal }) {
      const { format, varyAccept } = negotiateFormat(recipe, accept, asset);
      const key = `${asset.orgId}/${asset.mediaId}/${digest(asset, recipe, format)}`;
      const { focus } = planRender({ ...asset, recipe, source: asset.original });
      const etag = etagOf({ ...asset, recipe, accept });
      const hit = await cache.get(key).catch((error: unknown) => {
        onCacheFault(error);
        return undefined;
      });
      const picture = hit
        ? { ...hit, contentType: CONTENT_TYPES[hit.format] }
        : await sharedWork.join(key, (shared) => renderAndKeep({ asset, recipe, format, key }, shared), signal);
      const { bytes, width, height, contentType } = picture;
      return { bytes, width, height, contentType, etag, focus, cached: hit !== undefined, varyAccept };
    },
    purge: (asset) => cache.purge(`${asset.orgId}/${asset.mediaId}/`),
  };
}
