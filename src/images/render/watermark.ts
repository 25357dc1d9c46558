/** A picture laid over the finished one. */
import type { OverlayOptions } from 'sharp';

import type { Size } from '../focus-geometry.ts';
import type { CompassPoint } from '../focus-chain.ts';
import { openSource, type Reading, toPixels } from './pixels.ts';
import type { ImageSource } from './request.ts';

/** What `wm=<name>` stands for. */
export type WatermarkPreset = {
  /** Encoded bytes or a local path; PNG or WebP with transparency, as a rule. */
  readonly image: ImageSource;
  readonly position: CompassPoint | 'center';
  /** 0..1, on top of the image's own transparency. */
  readonly opacity: number;
  /** Width of the watermark as a share (0..1) of the answer's width. */
  readonly scale: number;
  /** Room to the edges as a share (0..0.5) of the answer's shorter side. */
  readonly margin: number;
  /** Part of cache keys and ETags: another one for every change of the preset. */
  readonly version: string;
};

/** Shares of the free room that lie left of and above the watermark. */
const ALIGNMENT: Readonly<Record<WatermarkPreset['position'], readonly [x: number, y: number]>> = {
  center: [0.5, 0.5],
  n: [0.5, 0],
  ne: [1, 0],
  e: [1, 0.5],
  se: [1, 1],
  s: [0.5, 1],
  sw: [0, 1],
  w: [0, 0.5],
  nw: [0, 0],
};

/** The watermark at its size and place in a picture of size `canvas`. */
export async function watermarkLayer(
  preset: WatermarkPreset,
  { canvas, ...reading }: Reading & { readonly canvas: Size },
): Promise<OverlayOptions> {
  const room = Math.round(Math.min(canvas.width, canvas.height) * preset.margin);
  const box = {
    width: Math.max(1, Math.min(canvas.width - 2 * room, Math.round(canvas.width * preset.scale))),
    height: Math.max(1, canvas.height - 2 * room),
  };
  const image = openSource(preset.image, reading)
    .autoOrient()
    .resize({ ...box, fit: 'inside' });
  const mark = await toPixels(image.toColourspace('srgb').ensureAlpha(), reading);
  const { data, width, height, channels } = mark;
  const alphaAt = channels - 1;
  for (let at = alphaAt; at < data.length; at += channels) data[at] = Math.round((data[at] ?? 0) * preset.opacity);
  const [x, y] = ALIGNMENT[preset.position];
  return {
    input: data,
    raw: { width, height, channels },
    left: Math.round(room + (canvas.width - 2 * room - width) * x),
    top: Math.round(room + (canvas.height - 2 * room - height) * y),
  };
}
