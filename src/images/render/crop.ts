import sharp, { type Sharp } from 'sharp';

import type { Size } from '../focus-geometry.ts';
import type { RenderPlan } from '../plan.ts';

/** JPEG decodes at 1/2, 1/4 or 1/8 for almost nothing: worth scaling before cropping only from one half down. */
const SHRINK_ON_LOAD_SCALE = 0.5;

/** What of the source is kept, and the size to which it is scaled. */
type Cut = Pick<RenderPlan, 'source' | 'crop' | 'strategy' | 'resize'>;

/** The scaled crop. The order of calls decides whether libvips shrinks while loading; see the comments. */
export function crop(image: Sharp, { crop: window, resize, source, strategy }: Cut): Sharp {
  if (strategy) {
    const upright = image.autoOrient();
    const part = window ? upright.extract(window) : upright;
    return part.resize({ ...resize, fit: 'cover', position: sharp.strategy[strategy] });
  }
  if (!window) return image.autoOrient().resize({ ...resize, fit: 'fill' });
  const across = resize.width / window.width;
  const down = resize.height / window.height;
  if (Math.max(across, down) > SHRINK_ON_LOAD_SCALE) {
    return image
      .autoOrient()
      .extract({ left: window.left, top: window.top, width: window.width, height: window.height })
      .resize({ ...resize, fit: 'fill' });
  }
  const width = Math.max(resize.width, Math.round(source.width * across));
  const height = Math.max(resize.height, Math.round(source.height * down));
  return (
    image
      .resize({ width, height, fit: 'fill' })
      .extract({
        left: Math.min(Math.round(window.left * across), width - resize.width),
        top: Math.min(Math.round(window.top * down), height - resize.height),
        ...resize,
      })
      // After extract(): called before it, sharp turns the full-size picture first and shrink-on-load is lost.
      .autoOrient()
  );
}

/**
 * The part that is kept at the smallest size that loses nothing of the answer, at most its own, and what is left to do
 * with it: what has to look at pixels before they are finished looks at as few as there can be.
 */
export function reducedCut({ strategy, ...cut }: Cut): { readonly first: Cut; readonly rest: Cut } {
  const { source, crop: window = { left: 0, top: 0, ...source }, resize } = cut;
  const across = Math.min(1, resize.width / window.width);
  const down = Math.min(1, resize.height / window.height);
  // A strategy picks its part of all that is there, which keeps its aspect.
  const [x, y] = strategy ? [Math.max(across, down), Math.max(across, down)] : [across, down];
  const size: Size = {
    width: Math.max(1, Math.round(window.width * x)),
    height: Math.max(1, Math.round(window.height * y)),
  };
  return { first: { ...cut, resize: size }, rest: { source: size, resize, ...(strategy && { strategy }) } };
}
