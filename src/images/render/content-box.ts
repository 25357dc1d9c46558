/** Borders of one colour: the parameter `trim`. */
import { NO_TURN, type Turn } from '../turn.ts';
import type { Rect } from '../rect.ts';
import { windowOfRect } from '../rect.ts';
import type { Size, Window } from '../focus-geometry.ts';
import { openInSrgb, openPixels, type Reading, toPixels } from './pixels.ts';
import type { ImageSource } from './request.ts';

/** Borders are looked for in at most so many pixels a side: exact up to there, to one of 2048 above. */
export const MEASURED_SIDE_PX = 2048;

/** libvips finds no borders in less. */
const LEAST_SIDE_PX = 3;

/** The part of a picture, after `turn` and inside `rect`, that borders of one colour surround; all of it where there are none. */
export async function findContent(
  source: ImageSource,
  options: Reading & {
    /** 0..255: how far a border may be from the colour of the corner. */
    readonly threshold: number;
    readonly turn?: Turn;
    readonly rect?: Rect | undefined;
    /** The size that `rect` counts in, after the turn. */
    readonly original: Size;
  },
): Promise<Rect> {
  const { turn = NO_TURN, rect, original, threshold } = options;
  const box = { width: MEASURED_SIDE_PX, height: MEASURED_SIDE_PX };
  const upright = (await openInSrgb(source, options))
    .autoOrient()
    .resize({ ...box, fit: 'inside', withoutEnlargement: true });
  let image = openPixels(await toPixels(upright, options));
  if (turn.mirrored) image = image.flop();
  if (turn.degrees !== 0) image = image.rotate(turn.degrees);
  const whole = await toPixels(image, options);
  const region = (rect && windowOfRect(rect, { source: whole, original })) ?? {
    left: 0,
    top: 0,
    width: whole.width,
    height: whole.height,
  };
  const ratio = (window: Window): Rect => ({
    unit: 'ratio',
    x: window.left / whole.width,
    y: window.top / whole.height,
    w: window.width / whole.width,
    h: window.height / whole.height,
  });
  if (Math.min(region.width, region.height) < LEAST_SIDE_PX) return ratio(region);
  const part = await toPixels(openPixels(whole).extract(region), options);
  const { info } = await openPixels(part)
    .trim({ threshold })
    .raw()
    .timeout({ seconds: options.deadline.secondsLeft() })
    .toBuffer({ resolveWithObject: true });
  // sharp gives the place as a negative offset, and nothing where nothing was cut.
  const left = region.left + Math.abs(info.trimOffsetLeft ?? 0);
  const top = region.top + Math.abs(info.trimOffsetTop ?? 0);
  return ratio({ left, top, width: info.width, height: info.height });
}
