import { createHash } from 'node:crypto';

import { AppError } from '../base/index.ts';
import type { ImageCache } from './cache.ts';
import { isOpaque } from './colour.ts';
import type { Size } from './focus-geometry.ts';
import { formatClass, negotiateFormat } from './format.ts';
import type { ImageFormat } from './parameters/index.ts';
import { type PictureFacts, chooseTier, planRender } from './plan.ts';
import { canonicalRecipe, type Recipe } from './recipe.ts';
import { MEASURED_SIDE_PX } from './render/content-box.ts';
import { CONTENT_TYPES } from './render/encode.ts';
import { affordableFormat } from './render/limits.ts';
import type { Renderer } from './render/renderer.ts';
import type { Credit, Effects, ImageSource, RenderRequest } from './render/request.ts';
import type { WatermarkPreset } from './render/watermark.ts';
import { createSharedWork } from './shared-work.ts';
import { createStills, type LoadStill, pictureAt, positionOf, type VideoFacts } from './still-source.ts';
import { turnedSize } from './turn.ts';

/** A stored rendition of a picture: its size after orientation, in pixels, and whether it has kept transparency. */
export type ImageTier = Size & {
  readonly name: string;
  readonly hasAlpha: boolean;
  /** The only tier with the metadata of the original and, where `mayMove`, its animation. */
  readonly isOriginal?: boolean;
  /** Whether its format can hold an animation (GIF, WebP). */
  readonly mayMove?: boolean;
};

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
  /** False where faces were not looked for, or not yet: then they cannot be hidden. */
  readonly facesKnown?: boolean;
  /** Of videos only. */
  readonly video?: VideoFacts | undefined;
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
  /** Nothing fitted into `maxbytes`: this is the smallest that was made. */
  readonly overMaxBytes: boolean;
  /** Whether `Vary: Accept` belongs on the answer. */
  readonly varyAccept: boolean;
};

/** The watermark preset of an organization by its name; answered from memory, since every image with one asks. */
export type FindWatermark = (orgId: number | string, name: string) => Promise<WatermarkPreset | undefined>;

export type ImageService = {
  /**
   * The watermark that a recipe names; undefined where it names none.
   * @throws AppError `image_parameter_invalid` for an unknown one
   */
  watermarkOf(orgId: number | string, recipe: Recipe): Promise<WatermarkPreset | undefined>;
  /**
   * The picture a recipe asks for, from the cache or rendered once for all who wait.
   * @throws AppError as `Renderer.render` and `watermarkOf`, `state_conflict` where faces to be hidden are not known,
   * `image_parameter_invalid` for a moment of a photo, and whatever `loadTier` and `loadStill` throw
   */
  get(request: {
    readonly asset: ImageAsset;
    readonly recipe: Recipe;
    readonly accept: string | undefined;
    readonly signal?: AbortSignal | undefined;
  }): Promise<ImageAnswer>;
  /** Whether the cache has a picture of the asset; one of an earlier run of the service may not be known yet. */
  holds(asset: Pick<ImageAsset, 'orgId' | 'mediaId'>): boolean;
  /** Removes every cached picture of an asset, but for those of the revision `keepRev`. */
  purge(asset: Pick<ImageAsset, 'orgId' | 'mediaId'>, options?: { readonly keepRev?: string }): Promise<void>;
};

/** Part of every key and ETag: raise it when the same recipe gives other bytes (encoder settings, crop rule, sharp). */
const RENDER_VERSION = 4;

type Identity = Pick<ImageAsset, 'orgId' | 'mediaId' | 'rev'>;

type Subject = Identity & { readonly recipe: Recipe; readonly watermark?: WatermarkPreset | undefined };

function digest(subject: Subject, format: ImageFormat | 'fallback'): string {
  const { recipe, watermark } = subject;
  // JSON keeps the parts apart whatever they contain. The answered format stands in place of the asked one, so that
  // `fmt=auto` shares its pictures with `fmt=webp`.
  const settled = canonicalRecipe({ ...recipe, format: format === 'fallback' ? 'auto' : format });
  const parts = [RENDER_VERSION, `${subject.orgId}`, `${subject.mediaId}`, subject.rev, settled, format];
  if (watermark) parts.push(watermark.version);
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}

/** The strong ETag of an answer, quoted, from the URL and the Accept header alone: 304 needs no read of any kind. */
export function etagOf(request: Subject & { readonly accept: string | undefined }): string {
  return `"${digest(request, formatClass(request.recipe, request.accept)).slice(0, 32)}"`;
}

/** The tiers that have what the answer has to show: metadata, movement, transparency; all where none has. */
function usableTiers(asset: ImageAsset, recipe: Recipe, format: ImageFormat): readonly ImageTier[] {
  const moves = recipe.animated && format === 'webp' && !recipe.redact;
  // Tiers of transparent pictures lie on white, which is what JPEG shows where nothing else was asked for.
  const shows = asset.hasAlpha && (format !== 'jpeg' || recipe.background !== undefined);
  return [
    (tier: ImageTier) => recipe.metadata !== 'all' || tier.isOriginal === true,
    (tier: ImageTier) => !moves || tier.mayMove === true,
    (tier: ImageTier) => !shows || tier.hasAlpha,
  ].reduce<readonly ImageTier[]>((tiers, fits) => {
    const fitting = tiers.filter(fits);
    return fitting.length > 0 ? fitting : tiers;
  }, asset.tiers);
}

/** @throws AppError `state_conflict` */
function effectsOf({ asset, recipe, watermark }: Work): Effects {
  const { redact } = recipe;
  if (redact && asset.facesKnown === false) {
    const expected = 'expected an asset whose faces were found for redact';
    throw new AppError('state_conflict', `${expected}, received one where they were not looked for, or not yet`);
  }
  const faces = asset.faces.filter((face) => redact?.faces === 'all' || !face.tagOptionId);
  return {
    background: recipe.background,
    blurPx: recipe.blurPx,
    sharpenPx: recipe.sharpenPx,
    redact: redact && { faces, style: redact.style },
    watermark,
  };
}

type RenderSource = RenderRequest['source'];

type Work = {
  readonly asset: ImageAsset;
  readonly recipe: Recipe;
  readonly watermark: WatermarkPreset | undefined;
  readonly format: ImageFormat;
  readonly key: string;
};

/**
 * Joins cache, renderer and the consumer's `loadTier`. A cache that cannot be written is told to `onCacheFault`. Without
 * `findWatermark` there are no watermarks.
 */
export function createImageService(deps: {
  readonly cache: ImageCache;
  readonly renderer: Renderer;
  readonly loadTier: LoadTier;
  readonly loadStill?: LoadStill;
  readonly findWatermark?: FindWatermark;
  readonly onCacheFault?: (error: unknown) => void;
}): ImageService {
  const { cache, renderer, findWatermark, onCacheFault = () => undefined } = deps;
  type Picture = Pick<ImageAnswer, 'bytes' | 'width' | 'height' | 'contentType'>;
  const sharedWork = createSharedWork<Picture>();
  const stills = createStills({ cache, loadStill: deps.loadStill, onCacheFault });

  const tierFor = ({ asset, recipe, format }: Work): ImageTier => {
    const tier = chooseTier({ ...asset, recipe, tiers: usableTiers(asset, recipe, format) });
    if (!tier) throw new RangeError(`expected at least one tier for asset ${asset.mediaId}, received none`);
    return tier;
  };

  const sourceOf = async ({ asset, recipe }: Work, tier: ImageTier, signal: AbortSignal): Promise<RenderSource> => {
    const atMs = positionOf(recipe);
    if (atMs === undefined) return (loadSignal) => deps.loadTier(asset, tier, loadSignal);
    // Before the permit is asked for: while ffmpeg decodes, the renderer has other pictures to make.
    return stills.load(asset, tier, { atMs, signal });
  };

  /** The same work without `trim`, which becomes the part of the picture that it leaves. */
  const trimmed = async (work: Work, signal: AbortSignal): Promise<Work> => {
    const { asset, recipe } = work;
    const { trim: threshold, turn, rect } = recipe;
    if (threshold === undefined) return work;
    const side = { widthPx: MEASURED_SIDE_PX, heightPx: MEASURED_SIDE_PX, fit: 'inside', rect: undefined } as const;
    // PNG stands for a format that shows transparency: a border can be that.
    const tier = tierFor({ ...work, recipe: { ...recipe, ...side }, format: 'png' });
    const found = await renderer.findContent({
      source: await sourceOf(work, tier, signal),
      threshold,
      turn,
      rect,
      original: turnedSize(asset.nominal ?? asset.original, turn),
      signal,
    });
    return { ...work, recipe: { ...recipe, trim: undefined, rect: found } };
  };

  const renderAndKeep = async (asked: Work, signal: AbortSignal): Promise<Picture> => {
    const effects = effectsOf(asked);
    const work = await trimmed(asked, signal);
    const { asset, recipe, format, key } = work;
    const tier = tierFor(work);
    const rendered = await renderer.render({
      source: await sourceOf(work, tier, signal),
      plan: planRender({ ...asset, recipe, source: tier }),
      format,
      quality: recipe.quality,
      maxBytes: recipe.maxBytes,
      animated: recipe.animated,
      effects,
      metadata: recipe.metadata,
      credit: asset.credit,
      signal,
    });
    await cache
      .put(key, rendered.bytes, { format, width: rendered.width, height: rendered.height })
      .catch(onCacheFault);
    return rendered;
  };

  const watermarkOf: ImageService['watermarkOf'] = async (orgId, { watermark: name }) => {
    if (name === undefined) return undefined;
    const preset = await findWatermark?.(orgId, name);
    if (preset) return preset;
    const detail = `expected the name of a watermark preset for wm, received ${JSON.stringify(name)}`;
    throw new AppError('image_parameter_invalid', detail, { errors: [{ pointer: 'wm', code: 'unknown', detail }] });
  };

  return {
    watermarkOf,
    async get({ asset: given, recipe: asked, accept, signal }) {
      const { asset, recipe } = pictureAt(given, asked);
      const watermark = await watermarkOf(asset.orgId, recipe);
      const source = { hasAlpha: asset.hasAlpha && !(recipe.background && isOpaque(recipe.background)) };
      const plan = planRender({ ...asset, recipe, source: asset.original });
      const { focus } = plan;
      const { format: negotiated, varyAccept } = negotiateFormat(recipe, accept, source);
      const format = recipe.format === 'auto' ? affordableFormat(negotiated, plan) : negotiated;
      const key = `${asset.orgId}/${asset.mediaId}/${asset.rev}-${digest({ ...asset, recipe, watermark }, format)}`;
      const etag = etagOf({ ...asset, recipe: asked, watermark, accept });
      const hit = await cache.get(key).catch((error: unknown) => {
        onCacheFault(error);
        return undefined;
      });
      const work = { asset, recipe, watermark, format, key };
      const picture = hit
        ? { ...hit, contentType: CONTENT_TYPES[hit.format] }
        : await sharedWork.join(key, (shared) => renderAndKeep(work, shared), signal);
      const { bytes, width, height, contentType } = picture;
      const overMaxBytes = recipe.maxBytes !== undefined && bytes.length > recipe.maxBytes;
      const cached = hit !== undefined;
      return { bytes, width, height, contentType, etag, focus, cached, overMaxBytes, varyAccept };
    },
    holds: (asset) => cache.holds(`${asset.orgId}/${asset.mediaId}`),
    purge: ({ orgId, mediaId }, { keepRev } = {}) =>
      cache.purge(`${orgId}/${mediaId}/`, keepRev === undefined ? {} : { keep: `${keepRev}-` }),
  };
}
