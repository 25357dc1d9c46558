export { createImageCache, type ImageCache } from './cache.ts';
export { type FaceBox, type FocalPoint, resolveFocus, type Window } from './focus.ts';
export { PARAMETERS } from './parameters/index.ts';
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
