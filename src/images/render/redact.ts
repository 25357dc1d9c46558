/** Faces made unrecognisable, before anything else sees the picture but the scissors. */
import type { Sharp } from 'sharp';

import type { FaceBox } from '../focus-faces.ts';
import { clamp, type Size, type Window } from '../focus-geometry.ts';
import type { RenderPlan } from '../plan.ts';
import { openPixels, type Pixels, type Reading, toPixels } from './pixels.ts';
import type { Effects } from './request.ts';

/** Detectors box brows to chin: a fifth more on each side takes hair, ears and the chin with it. */
const GROWTH = 0.2;

/**
 * What is left of a face: this many colours across its longer side. People recognise faces from about 16, machines from
 * about 8. A blur alone can be computed back; colours that were averaged cannot, whatever is drawn from them.
 */
const CELLS = 5;

/** The pixels that are hidden for a face; undefined where nothing of it is in the picture. */
export function hiddenWindow(face: FaceBox, { width, height }: Size): Window | undefined {
  const left = Math.floor(clamp((face.x - face.w * GROWTH) * width, 0, width));
  const top = Math.floor(clamp((face.y - face.h * GROWTH) * height, 0, height));
  const right = Math.ceil(clamp((face.x + face.w * (1 + GROWTH)) * width, 0, width));
  const bottom = Math.ceil(clamp((face.y + face.h * (1 + GROWTH)) * height, 0, height));
  return right > left && bottom > top ? { left, top, width: right - left, height: bottom - top } : undefined;
}

type Cover = { readonly window: Window; readonly pixels: Buffer };

async function hide(
  picture: Pixels,
  window: Window,
  options: Reading & { readonly style: 'blur' | 'pixel' },
): Promise<Cover> {
  const longer = Math.max(window.width, window.height);
  const cells = (length: number) => Math.max(1, Math.round((length / longer) * CELLS));
  const few = await toPixels(
    openPixels(picture)
      .extract({ left: window.left, top: window.top, width: window.width, height: window.height })
      .resize({ width: cells(window.width), height: cells(window.height), fit: 'fill' }),
    options,
  );
  const kernel = options.style === 'pixel' ? 'nearest' : 'cubic';
  const cover = await toPixels(
    openPixels(few).resize({ width: window.width, height: window.height, fit: 'fill', kernel }),
    options,
  );
  return { window, pixels: cover.data };
}

/** Written over, and not composed: what was transparent there, or covered in part, would shine through. */
function writeOver(picture: Pixels, { window, pixels }: Cover): void {
  const lineBytes = window.width * picture.channels;
  for (let row = 0; row < window.height; row += 1) {
    const to = ((window.top + row) * picture.width + window.left) * picture.channels;
    pixels.copy(picture.data, to, row * lineBytes, (row + 1) * lineBytes);
  }
}

/** A face of the picture as one of the part that was cut out of it. */
function inPart(face: FaceBox, { source, crop: part }: Pick<RenderPlan, 'source' | 'crop'>): FaceBox {
  if (!part) return face;
  return {
    ...face,
    x: (face.x * source.width - part.left) / part.width,
    y: (face.y * source.height - part.top) / part.height,
    w: (face.w * source.width) / part.width,
    h: (face.h * source.height) / part.height,
  };
}

/** The pixels of `image`, which shows what `cut` says, with faces hidden. */
export async function redact(
  image: Sharp,
  options: Reading & {
    readonly cut: Pick<RenderPlan, 'source' | 'crop'>;
    readonly redact: NonNullable<Effects['redact']>;
  },
): Promise<Pixels> {
  const { cut, redact: wanted } = options;
  const picture = await toPixels(image, options);
  const windows = wanted.faces.flatMap((face) => hiddenWindow(inPart(face, cut), picture) ?? []);
  const covers = [];
  // All are made from the picture as it was, before the first is written over it.
  for (const window of windows) covers.push(await hide(picture, window, { ...options, style: wanted.style }));
  for (const cover of covers) writeOver(picture, cover);
  return picture;
}
