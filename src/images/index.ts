export { type CachedImage, type CachedMeta, createImageCache, type ImageCache } from './cache.ts';
export { type FaceBox, type FocalPoint, type FocusResult, resolveFocus, type Size, type Window } from './focus.ts';
export { type FocusChain, type FocusItem, parseFocusChain } from './focus-chain.ts';
export { negotiateFormat } from './format.ts';
export { type Fit, type ImageFormat, MAX_SIDE_PX, PARAMETERS, type RequestedFormat } from './parameters.ts';
export { chooseTier, neededSourcePx, type PictureFacts, planRender, type RenderPlan } from './plan.ts';
export { canonicalRecipe, parseRecipe, type Recipe } from './recipe.ts';
export {
  createRenderer,
  type Credit,
  type ImageSource,
  type RenderedImage,
  type Renderer,
  type RenderRequest,
} from './render.ts';
export {
  createImageService,
  etagOf,
  type ImageAnswer,
  type ImageAsset,
  type ImageService,
  type ImageTier,
  type LoadTier,
} from './service.ts';
