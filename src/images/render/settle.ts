import type { Sharp } from 'sharp';

import { hasAlpha, openPixels, openSource, type Reading, toPixels } from './pixels.ts';

/** A picture whose steps so far are done. */
export type Settled = {
  open(): Sharp;
  readonly width: number;
  readonly height: number;
  readonly hasAlpha: boolean;
};

/** Does the steps so far. Metadata is not part of pixels: with it, the picture goes through uncompressed PNG. */
export async function settle(
  image: Sharp,
  options: Reading & { readonly keepMetadata?: ((image: Sharp) => Sharp) | undefined },
): Promise<Settled> {
  const { keepMetadata } = options;
  if (!keepMetadata) {
    const pixels = await toPixels(image, options);
    const { width, height } = pixels;
    return { open: () => openPixels(pixels), width, height, hasAlpha: hasAlpha(pixels) };
  }
  const { data, info } = await keepMetadata(image)
    .png({ compressionLevel: 0 })
    .timeout({ seconds: options.deadline.secondsLeft() })
    .toBuffer({ resolveWithObject: true });
  const { width, height, channels } = info;
  return { open: () => openSource(data, options), width, height, hasAlpha: channels === 2 || channels === 4 };
}
