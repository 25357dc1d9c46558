export { createImageCache, type ImageCache } from './cache.ts';
export { resolveFocus } from './focus.ts';
export { type FaceBox, rankFaces } from './focus-faces.ts';
export type { FocalPoint, Window } from './focus-geometry.ts';
export { PARAMETERS } from './parameters/index.ts';
export { planRender } from './plan.ts';
export { parseRecipe, type Recipe } from './recipe.ts';
export { createRenderer, type Renderer } from './render/renderer.ts';
export type { Credit } from './render/request.ts';
export { MAX_WATERMARK_BYTES, readWatermarkFile } from './render/watermark-file.ts';
export type { WatermarkPreset } from './render/watermark.ts';
export {
  createImageService,
  etagOf,
  type FindWatermark,
  type ImageAnswer,
  type ImageAsset,
  type ImageService,
  type ImageTier,
  type LoadTier,
} from './service.ts';
export { type LoadStill, pictureAt } from './still-source.ts';
