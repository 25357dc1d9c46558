/** From a source to the finished picture, ready to be encoded. Without effects it is one pipeline of libvips. */
import type { OverlayOptions, Sharp } from 'sharp';

import { type Colour, isOpaque, overWhite, TRANSPARENT, WHITE } from '../colour.ts';
import type { ImageFormat } from '../parameters/index.ts';
import type { RenderPlan } from '../plan.ts';
import { isTurned, NO_TURN } from '../turn.ts';
import { crop, reducedCut } from './crop.ts';
import { openInSrgb, openPixels, type Reading } from './pixels.ts';
import { redact } from './redact.ts';
import type { Effects, ImageSource } from './request.ts';
import { settle } from './settle.ts';
import { watermarkLayer } from './watermark.ts';

export type Painting = {
  readonly plan: RenderPlan;
  readonly effects: Effects;
  readonly format: ImageFormat;
  /** Keeps the source's metadata through a step; absent: it ends with the first. */
  readonly keepMetadata?: ((image: Sharp) => Sharp) | undefined;
};

/**
 * A mask of this deviation is as good as any larger one on a picture that was scaled down first, so that a blur of 100
 * costs no more than one of 4, on fewer pixels: a mask of 600 pixels on 8192 x 8192 would run for minutes.
 */
const MAX_MASK_PX = 4;

/** How far a picture is scaled down before it is blurred. */
const blurReduction = (blurPx = 0) => (blurPx > MAX_MASK_PX ? blurPx / (MAX_MASK_PX / 2) : 1);

/** What lies behind every pixel, where nothing of it stays transparent. */
function backdropOf(background: Colour | undefined, format: ImageFormat): Colour | undefined {
  if (format === 'jpeg') return background ? overWhite(background) : WHITE;
  return background && isOpaque(background) ? background : undefined;
}

function pad(image: Sharp, { canvas, output, resize, turn = NO_TURN }: RenderPlan, background: Colour): Sharp {
  if (!canvas) return image;
  const quarter = turn.degrees === 90 || turn.degrees === 270;
  const [width, height] = quarter ? [resize.height, resize.width] : [resize.width, resize.height];
  return image.extend({
    left: canvas.left,
    top: canvas.top,
    right: output.width - canvas.left - width,
    bottom: output.height - canvas.top - height,
    background,
  });
}

/** The layers under and over the picture. */
async function layersOf({ plan, effects, format }: Painting, reading: Reading): Promise<OverlayOptions[]> {
  const { background, watermark } = effects;
  const { output: canvas } = plan;
  const layers: OverlayOptions[] = [];
  if (background && background.alpha > 0 && !backdropOf(background, format)) {
    layers.push({ input: { create: { ...canvas, channels: 4, background } }, blend: 'dest-over', left: 0, top: 0 });
  }
  if (watermark) layers.push(await watermarkLayer(watermark, { ...reading, canvas }));
  return layers;
}

/** The source's picture cut, blurred and sharpened; `scale` is how much smaller than planned it still is. */
function cutOut(input: Sharp, { plan, effects, format }: Painting): { readonly image: Sharp; readonly scale: number } {
  const { blurPx, sharpenPx, background } = effects;
  const scale = blurReduction(blurPx);
  const reduce = (side: number) => Math.max(1, Math.round(side / scale));
  const resize = { width: reduce(plan.resize.width), height: reduce(plan.resize.height) };
  const backdrop = backdropOf(background, format);
  const cut = crop(input, { ...plan, resize });
  const opaque = backdrop ? cut.flatten({ background: backdrop }) : cut;
  const blurred = blurPx === undefined ? opaque : opaque.blur({ sigma: blurPx / scale });
  return { image: sharpenPx === undefined || scale > 1 ? blurred : blurred.sharpen({ sigma: sharpenPx }), scale };
}

/** The finished picture. What libvips does in another order than ours goes through pixels in between. */
export async function paint(input: Sharp, painting: Painting, reading: Reading): Promise<Sharp> {
  const { plan, effects, format, keepMetadata } = painting;
  const { turn = NO_TURN, resize } = plan;
  const { image, scale } = cutOut(input, painting);
  const layers = await layersOf(painting, reading);
  const behind = backdropOf(effects.background, format) ?? TRANSPARENT;
  const softened = effects.blurPx !== undefined || effects.sharpenPx !== undefined;
  // libvips pads before it blurs and sharpens, and turns before it crops.
  const isOnePipeline = layers.length === 0 && scale === 1 && !isTurned(turn) && !(softened && plan.canvas);
  if (isOnePipeline) return pad(image, plan, behind);

  const cut = await settle(image, { ...reading, keepMetadata });
  let next = cut.open();
  if (scale > 1) {
    next = next.resize({ ...resize, fit: 'fill', kernel: 'cubic' });
    if (effects.sharpenPx !== undefined) next = next.sharpen({ sigma: effects.sharpenPx });
  }
  if (turn.mirrored) next = next.flop();
  if (turn.degrees !== 0) next = next.rotate(turn.degrees);
  next = pad(next, plan, behind);
  if (layers.length === 0) return next;
  const laid = next.composite(layers);
  // Composing makes every picture transparent in form; AVIF and PNG would carry that.
  const isClosed = backdropOf(effects.background, format) !== undefined || (!cut.hasAlpha && !plan.canvas);
  return isClosed ? laid.removeAlpha() : laid;
}

/** The finished picture of a source's first frame. */
export async function paintSource(source: ImageSource, painting: Painting, reading: Reading): Promise<Sharp> {
  const { plan, effects } = painting;
  const input = await openInSrgb(source, reading);
  if (!effects.redact || effects.redact.faces.length === 0) return paint(input, painting, reading);
  const { first, rest: left } = reducedCut(plan);
  const pixels = await redact(crop(input, first), { ...reading, cut: first, redact: effects.redact });
  const { crop: _done, strategy: _later, ...rest } = plan;
  return paint(openPixels(pixels), { ...painting, plan: { ...rest, ...left }, keepMetadata: undefined }, reading);
}
