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
 * The same cut of the same picture at the smallest size that loses nothing of the answer, at most its own: what has to
 * look at the whole picture first looks at fewer pixels.
 */
export function reducedCut(cut: Cut): Cut {
  const { source, crop: window = { left: 0, top: 0, ...source }, resize } = cut;
  const scale = Math.max(resize.width / window.width, resize.height / window.height);
  if (scale >= 1) return cut;
  const size: Size = { width: Math.ceil(source.width * scale), height: Math.ceil(source.height * scale) };
  const across = size.width / source.width;
  const down = size.height / source.height;
  const width = Math.max(1, Math.min(size.width, Math.round(window.width * across)));
  const height = Math.max(1, Math.min(size.height, Math.round(window.height * down)));
  const part = {
    left: Math.min(Math.round(window.left * across), size.width - width),
    top: Math.min(Math.round(window.top * down), size.height - height),
    width,
    height,
  };
  return { ...cut, source: size, ...(cut.crop && { crop: part }) };
}
