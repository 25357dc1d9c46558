import sharp from 'sharp';

/** RGB, eight bits, row by row without gaps. */
export type Pixels = { readonly data: Uint8Array; readonly width: number; readonly height: number };

/** The library's own compressed tier is at most 2048 x 2048; anything much larger does not belong here. */
const MAX_INPUT_PIXELS = 16_000_000;

/** A picture as it is shown; its long side is `sidePx`, or at most that where it is not to be enlarged. */
export async function loadPixels(
  path: string,
  sidePx: number,
  { enlarge = true }: { readonly enlarge?: boolean } = {},
): Promise<Pixels> {
  const { data, info } = await sharp(path, { limitInputPixels: MAX_INPUT_PIXELS, failOn: 'none' })
    .autoOrient()
    .flatten({ background: '#ffffff' })
    .toColourspace('srgb')
    .resize({ width: sidePx, height: sidePx, fit: 'inside', withoutEnlargement: !enlarge })
    .raw({ depth: 'uchar' })
    .toBuffer({ resolveWithObject: true });
  return { data, width: info.width, height: info.height };
}
