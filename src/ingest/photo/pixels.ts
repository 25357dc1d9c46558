import sharp, { type Sharp, type SharpOptions } from 'sharp';
import { AppError, checkPictureLimits, isLeftInP3, messageOf, SECOND_MS } from '../../base/index.ts';
import type { ExifOrientation } from '../metadata/photo-metadata.ts';
import { fromSharpError, MAX_PHOTO_PIXELS, photoDamaged, photoTooLarge } from './photo-errors.ts';

/** Upright sRGB pixels, three bytes each, row by row. */
export type Pixels = { readonly data: Buffer; readonly width: number; readonly height: number };

export type DecodedPhoto = {
  readonly pixels: Pixels;
  /** Size of the whole photo, upright. */
  readonly width: number;
  readonly height: number;
  /** Whether the file has transparency, which the pixels show on white. */
  readonly hasAlpha: boolean;
  readonly damaged: boolean;
  readonly warnings: readonly string[];
};

export type DecodeOptions = {
  readonly path: string;
  /** `embedded` obeys the file's own EXIF; a number overrules it. */
  readonly orientation: 'embedded' | ExifOrientation;
  /** Longest side of the result; a smaller photo stays as it is. */
  readonly maxSidePx: number;
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
};

/** Less than this share of rows or columns with anything in them, and there is no photo to show. */
const MIN_READABLE_SHARE = 0.05;
/** libjpeg complains of stray bytes between segments, which cost no pixel. */
const HARMLESS = /extraneous bytes before marker/i;

/**
 * Decodes a photo once, shrinking on load, into upright sRGB. A file with faults is decoded as far as it goes and flagged.
 * @throws AppError `file_damaged` when nothing is left to show, `file_limits_exceeded` on size or time.
 */
export async function decodePhoto(options: DecodeOptions): Promise<DecodedPhoto> {
  const { path, orientation, signal } = options;
  await checkPictureLimits(path);
  const header = await loadHeader(path);
  const turned = orientation === 'embedded' ? header.upright : orientedSize(header.stored, orientation);
  const facts = { ...turned, hasAlpha: header.hasAlpha };
  signal?.throwIfAborted();
  try {
    const pixels = await decode(options, { failOn: 'warning', ...header });
    return { pixels, ...facts, damaged: false, warnings: [] };
  } catch (error) {
    signal?.throwIfAborted();
    const translated = fromSharpError(error);
    if (translated.code !== 'file_damaged') throw translated;
    const pixels = await decodeDamaged(options, header);
    const fault = firstLine(messageOf(error));
    const damaged = !HARMLESS.test(fault);
    return { pixels, ...facts, damaged, warnings: [`decoder: ${fault}`] };
  }
}

async function decodeDamaged(options: DecodeOptions, header: { readonly inP3: boolean }): Promise<Pixels> {
  try {
    const pixels = await decode(options, { failOn: 'none', ...header });
    if (readableShare(pixels) < MIN_READABLE_SHARE) throw photoDamaged();
    return pixels;
  } catch (error) {
    throw fromSharpError(error);
  }
}

type Size = { readonly width: number; readonly height: number };

async function loadHeader(path: string): Promise<{
  readonly stored: Size;
  readonly upright: Size;
  readonly hasAlpha: boolean;
  readonly inP3: boolean;
}> {
  try {
    // The limit is checked below, where the size can be named.
    const facts = await sharp(path, {
      failOn: 'none',
      limitInputPixels: false,
    }).metadata();
    const { width, height, autoOrient, hasAlpha } = facts;
    if (width * height > MAX_PHOTO_PIXELS) throw photoTooLarge({ width, height });
    return { stored: { width, height }, upright: autoOrient, hasAlpha, inP3: isLeftInP3(facts) };
  } catch (error) {
    throw fromSharpError(error);
  }
}

async function decode(
  options: DecodeOptions,
  { failOn, inP3 }: { readonly failOn: NonNullable<SharpOptions['failOn']>; readonly inP3: boolean },
): Promise<Pixels> {
  const { orientation, maxSidePx } = options;
  const image = sharp(options.path, {
    failOn,
    limitInputPixels: MAX_PHOTO_PIXELS,
    autoOrient: orientation === 'embedded',
  });
  const inSrgb = inP3 ? image.withIccProfile('srgb', { attach: false }) : image;
  const { data, info } = await inSrgb
    .timeout({ seconds: Math.max(1, Math.round(options.timeoutMs / SECOND_MS)) })
    .flatten({ background: '#ffffff' })
    .toColourspace('srgb')
    .resize({ width: maxSidePx, height: maxSidePx, fit: 'inside', withoutEnlargement: true })
    .raw({ depth: 'uchar' })
    .toBuffer({ resolveWithObject: true });
  if (info.channels !== 3)
    throw new AppError('internal', `expected 3 channels after decoding, received ${info.channels}`);
  const pixels = { data, width: info.width, height: info.height };
  return orientation === 'embedded' ? pixels : turnPixels(pixels, orientation);
}

/** Applies an EXIF orientation: first the turn, then the mirror, which is how TIFF 6.0 describes values 5 and 7. */
async function turnPixels(pixels: Pixels, orientation: ExifOrientation): Promise<Pixels> {
  if (orientation === 1) return pixels;
  const degrees = { 2: 0, 3: 180, 4: 180, 5: 90, 6: 90, 7: 270, 8: 270 }[orientation];
  const mirrored = [2, 4, 5, 7].includes(orientation);
  const turned = degrees === 0 ? pixels : await rewrite(pixels, (image) => image.rotate(degrees));
  return mirrored ? rewrite(turned, (image) => image.flop()) : turned;
}

async function rewrite(pixels: Pixels, change: (image: Sharp) => Sharp): Promise<Pixels> {
  const { data, info } = await change(openPixels(pixels)).raw().toBuffer({ resolveWithObject: true });
  return { data, width: info.width, height: info.height };
}

/** Pixels as the start of another pipeline. */
export function openPixels({ data, width, height }: Pixels): Sharp {
  return sharp(data, { raw: { width, height, channels: 3 } });
}

/** Width and height after an orientation: 5 to 8 lie on their side. */
export function orientedSize({ width, height }: Size, orientation: ExifOrientation): Size {
  return orientation >= 5 ? { width: height, height: width } : { width, height };
}

/**
 * The share of rows or columns (the smaller) that are not one flat tone: what a decoder could not read it leaves grey, black,
 * or in the last tone seen.
 */
function readableShare({ data, width, height }: Pixels): number {
  const rowStep = width * 3;
  const varies = (start: number, step: number, count: number): boolean => {
    for (let index = 1; index < count; index += 1) {
      for (let channel = 0; channel < 3; channel += 1) {
        const here = data[start + index * step + channel] ?? 0;
        const first = data[start + channel] ?? 0;
        if (Math.abs(here - first) > 2) return true;
      }
    }
    return false;
  };
  let rows = 0;
  for (let row = 0; row < height; row += 1) if (varies(row * rowStep, 3, width)) rows += 1;
  let columns = 0;
  for (let column = 0; column < width; column += 1) if (varies(column * 3, rowStep, height)) columns += 1;
  // A cut-off photo has every column varying but few rows, and the reverse once it is turned.
  return Math.min(rows / height, columns / width);
}

function firstLine(text: string): string {
  return text.split('\n', 1)[0]?.slice(0, 300) ?? '';
}
