/** Animations: every frame cut and painted like a picture, put together again as an animated WebP. */
import sharp, { type Sharp } from 'sharp';

import { AppError } from '../../base/index.ts';
import type { Size, Window } from '../focus-geometry.ts';
import type { RenderPlan } from '../plan.ts';
import { crop } from './crop.ts';
import { paint, type Painting } from './paint.ts';
import { MAX_INPUT_PX, openPixels, openSource, type Pixels, type Reading, toPixels } from './pixels.ts';
import type { ImageSource } from './request.ts';

/** A minute at 10 frames a second. */
const MAX_FRAMES = 600;
/** All frames of an answer together, of which two copies with transparency are held: 256 MB. */
const MAX_OUTPUT_PX = 32_000_000;

export type Animation = {
  readonly frames: number;
  /** Milliseconds that each frame stays. */
  readonly delaysMs: readonly number[];
  /** Times that it is shown; 0: for ever. */
  readonly loop: number;
};

/** What moves in a source; undefined when nothing does. */
export async function findAnimation(source: ImageSource, reading: Reading): Promise<Animation | undefined> {
  const { pages = 1, delay = [], loop = 0, format } = await openSource(source, reading).metadata();
  if (pages < 2 || (format !== 'gif' && format !== 'webp')) return undefined;
  return { frames: pages, delaysMs: delay, loop };
}

/** @throws AppError `file_limits_exceeded` */
function checkLimits(frames: number, plan: RenderPlan): void {
  const refuse = (expected: string, received: string) => {
    throw new AppError('file_limits_exceeded', `expected ${expected} for anim=1, received ${received}`);
  };
  const areaPx = ({ width, height }: Size) => width * height * frames;
  if (frames > MAX_FRAMES) refuse(`at most ${MAX_FRAMES} frames`, String(frames));
  if (areaPx(plan.source) > MAX_INPUT_PX)
    refuse(`at most ${MAX_INPUT_PX} pixels in all frames`, String(areaPx(plan.source)));
  const answerPx = Math.max(areaPx(plan.output), areaPx(plan.resize));
  if (answerPx > MAX_OUTPUT_PX) refuse(`an answer of at most ${MAX_OUTPUT_PX} pixels in all frames`, String(answerPx));
}

/** The part of the first frame that a strategy picks, for all frames: a window that jumps would be worse than any. */
async function windowByStrategy(source: ImageSource, plan: RenderPlan, reading: Reading): Promise<Window> {
  const { resize, crop: part = { left: 0, top: 0, ...plan.source } } = plan;
  const { info } = await crop(openSource(source, reading), plan)
    .raw()
    .timeout({ seconds: reading.deadline.secondsLeft() })
    .toBuffer({ resolveWithObject: true });
  const scale = Math.min(part.width / resize.width, part.height / resize.height);
  const width = Math.min(part.width, Math.round(resize.width * scale));
  const height = Math.min(part.height, Math.round(resize.height * scale));
  // sharp gives the place as a negative offset of the scaled picture.
  const left = Math.min(part.width - width, Math.round(Math.abs(info.cropOffsetLeft ?? 0) * scale));
  const top = Math.min(part.height - height, Math.round(Math.abs(info.cropOffsetTop ?? 0) * scale));
  return { left: part.left + left, top: part.top + top, width, height };
}

async function framesOf(source: ImageSource, plan: RenderPlan, reading: Reading): Promise<Pixels> {
  const window = plan.strategy ? await windowByStrategy(source, plan, reading) : plan.crop;
  const image = sharp(source, { failOn: reading.failOn, limitInputPixels: MAX_INPUT_PX, animated: true });
  const part = window
    ? image.extract({ left: window.left, top: window.top, width: window.width, height: window.height })
    : image;
  return toPixels(part.resize({ ...plan.resize, fit: 'fill' }).ensureAlpha(), reading);
}

/** All frames of a source, painted one by one, ready to be encoded. */
export async function paintAnimation(
  source: ImageSource,
  { animation, ...painting }: Painting & { readonly animation: Animation },
  reading: Reading,
): Promise<() => Sharp> {
  const { plan } = painting;
  checkLimits(animation.frames, plan);
  const all = await framesOf(source, plan, reading);
  const { width, height } = plan.resize;
  const frameBytes = width * height * all.channels;
  const framePlan = { source: plan.resize, resize: plan.resize, output: plan.output, focus: plan.focus };
  const { turn, canvas } = plan;
  const each: Painting = { ...painting, plan: { ...framePlan, ...(turn && { turn }), ...(canvas && { canvas }) } };
  const painted: Buffer[] = [];
  for (let at = 0; at < all.data.length; at += frameBytes) {
    const frame = openPixels({ ...all, width, height, data: all.data.subarray(at, at + frameBytes) });
    painted.push((await toPixels((await paint(frame, each, reading)).ensureAlpha(), reading)).data);
  }
  const data = Buffer.concat(painted);
  const { output } = plan;
  const raw = {
    width: output.width,
    height: output.height * painted.length,
    channels: 4,
    pageHeight: output.height,
  } as const;
  return () => sharp(data, { raw, limitInputPixels: MAX_INPUT_PX });
}
