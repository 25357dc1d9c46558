/** Opening sources, and pixels between two steps: one pipeline of libvips has a fixed order, more steps need more of them. */
import sharp, { type Sharp } from 'sharp';

import { isLeftInP3 } from '../../base/index.ts';
import type { Size } from '../focus-geometry.ts';
import type { ImageSource } from './request.ts';

/** A 150 MP medium format original; 150e6 x 4 bytes = 600 MB is the most that one decode may need. */
export const MAX_INPUT_PX = 150_000_000;

/** The time that one answer may take in all its steps. */
export type Deadline = {
  /** Whole seconds, at least 1: what is left for the next step. */
  secondsLeft(): number;
  readonly isNear: boolean;
};

/** A deadline `seconds` from now. It is near when less than half is left: no time to begin what can be left out. */
export function createDeadline(seconds: number): Deadline {
  const startedMs = performance.now();
  const passedSeconds = () => (performance.now() - startedMs) / 1000;
  return {
    secondsLeft: () => Math.max(1, Math.ceil(seconds - passedSeconds())),
    get isNear() {
      return passedSeconds() > seconds / 2;
    },
  };
}

/** How a step reads: a damaged file to the end or not, and until when. */
export type Reading = { readonly failOn: 'warning' | 'none'; readonly deadline: Deadline };

export const openSource = (source: ImageSource, { failOn }: Pick<Reading, 'failOn'>): Sharp =>
  sharp(source, { failOn, limitInputPixels: MAX_INPUT_PX });

/** Formats that can have 16 bits a channel; JPEG, the common case, cannot and is not asked. */
export async function openInSrgb(source: ImageSource, reading: Pick<Reading, 'failOn'>): Promise<Sharp> {
  const image = openSource(source, reading);
  if (typeof source !== 'string' && source[0] === 0xff && source[1] === 0xd8) return image;
  return isLeftInP3(await image.metadata()) ? image.withIccProfile('srgb', { attach: false }) : image;
}

/** Pixels, 8 bits a channel, with what sharp needs to know of them. */
export type Pixels = Size & { readonly data: Buffer; readonly channels: 1 | 2 | 3 | 4 };

export const hasAlpha = ({ channels }: Pixels) => channels === 2 || channels === 4;

export async function toPixels(image: Sharp, { deadline }: Pick<Reading, 'deadline'>): Promise<Pixels> {
  const { data, info } = await image
    .raw()
    .timeout({ seconds: deadline.secondsLeft() })
    .toBuffer({ resolveWithObject: true });
  return { data, width: info.width, height: info.height, channels: info.channels };
}

export const openPixels = ({ data, width, height, channels }: Pixels): Sharp =>
  sharp(data, { raw: { width, height, channels } });
