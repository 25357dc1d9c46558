/** How large an answer may be, by what is done to it. */
import { AppError } from '../../base/index.ts';
import type { ImageFormat } from '../parameters/index.ts';
import type { RenderPlan } from '../plan.ts';
import type { RenderRequest } from './request.ts';

/**
 * Plain answers stream through libvips and may be as large as their sides. AVIF and most effects hold whole pictures, several
 * times over: 67 MP took 2.3 GB as AVIF, 10 s to sharpen; a whole 24 MP photograph, a third of both.
 */
export const MAX_HEAVY_PX = 25_000_000;

const pixelsOf = ({ resize, output }: Pick<RenderPlan, 'resize' | 'output'>) =>
  Math.max(resize.width * resize.height, output.width * output.height);

/** The format of an answer whose format is free: AVIF as far as it may go. */
export const affordableFormat = (format: ImageFormat, plan: RenderPlan): ImageFormat =>
  format === 'avif' && pixelsOf(plan) > MAX_HEAVY_PX ? 'webp' : format;

/** @throws AppError `file_limits_exceeded` */
export function checkCost({ plan, format, maxBytes, effects = {} }: RenderRequest): void {
  const { blurPx, sharpenPx, redact, watermark, background } = effects;
  const mixes = background !== undefined && background.alpha < 1;
  const isHeavy =
    format === 'avif' || mixes || [maxBytes, blurPx, sharpenPx, redact, watermark, plan.turn].some(Boolean);
  if (!isHeavy || pixelsOf(plan) <= MAX_HEAVY_PX) return;
  const { width, height } = plan.output;
  const limit = `expected an answer of at most ${MAX_HEAVY_PX / 1e6} megapixels as AVIF or with effects`;
  throw new AppError('file_limits_exceeded', `${limit}, received ${width}x${height}`);
}
