export { createImageCache, type ImageCache } from './cache.ts';
export { resolveFocus } from './focus.ts';
export { type FaceBox, rankFaces } from './focus-faces.ts';
export type { FocalPoint, Window } from './focus-geometry.ts';
export { PARAMETERS } from './parameters/index.ts';
export { planRender } from './plan.ts';
export { parseRecipe, type Recipe } from './recipe.ts';
export { createRenderer, type Credit, type Renderer } from './render.ts';
export {
  createImageService,
  etagOf,
  type ImageAnswer,
  type ImageAsset,
  type ImageService,
  type ImageTier,
  type LoadTier,
} from './service.ts';
