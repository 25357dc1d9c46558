/** Puts drawn layers together and finishes them like a photograph: focus, glow, colour, vignette, grain. */
import sharp from 'sharp';
import type { Blend, OverlayOptions } from 'sharp';
import { createRandom } from './random.ts';

export interface Layer {
  /** SVG markup without the root element, or pixels that are placed as they are. */
  readonly svg?: string;
  readonly image?: Buffer;
  readonly leftPx?: number;
  readonly topPx?: number;
  /** Gaussian sigma in pixels: distance from the plane of focus. */
  readonly blurPx?: number;
  readonly blend?: Blend;
}
export interface Look {
  readonly warmth?: number;
  readonly saturation?: number;
  readonly contrast?: number;
  readonly brightness?: number;
  readonly glow?: number;
  readonly vignette?: number;
  readonly grain?: number;
  readonly monochrome?: boolean;
}
export interface Picture {
  readonly widthPx: number;
  readonly heightPx: number;
  readonly layers: readonly Layer[];
  readonly look: Look;
}

export const FONT = 'DejaVu Sans Condensed, DejaVu Sans, sans-serif';

export function svgDocument(widthPx: number, heightPx: number, body: string): Buffer {
  return Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" width="${widthPx}" height="${heightPx}" viewBox="0 0 ${widthPx} ${heightPx}">${body}</svg>`,
  );
}

export function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}

async function rasterise(layer: Layer, picture: Picture): Promise<OverlayOptions> {
  const place = { left: layer.leftPx ?? 0, top: layer.topPx ?? 0, blend: layer.blend ?? 'over' } as const;
  const source = layer.image ?? svgDocument(picture.widthPx, picture.heightPx, layer.svg ?? '');
  let pipeline = sharp(source, { unlimited: true }).ensureAlpha();
  if (layer.blurPx !== undefined && layer.blurPx >= 0.3) pipeline = pipeline.blur(layer.blurPx);
  const { data, info } = await pipeline.raw().toBuffer({ resolveWithObject: true });
  return { input: data, raw: { width: info.width, height: info.height, channels: 4 }, ...place };
}

/** Grain as grey noise around 128, to be laid over with `overlay`. */
function grainPlane(size: { widthPx: number; heightPx: number }, strength: number, seed: number): Promise<Buffer> {
  const random = createRandom(seed);
  const plane = Buffer.alloc(size.widthPx * size.heightPx * 3);
  for (let i = 0; i < plane.length; i += 3) {
    const value = 128 + (random.next() + random.next() + random.next() - 1.5) * strength;
    plane[i] = value;
    plane[i + 1] = value;
    plane[i + 2] = value;
  }
  return sharp(plane, { raw: { width: size.widthPx, height: size.heightPx, channels: 3 } })
    .blur(0.6)
    .png({ compressionLevel: 1 })
    .toBuffer();
}

function vignette(picture: Picture, strength: number): Buffer {
  const edge = Math.round(255 * (1 - strength));
  return svgDocument(
    picture.widthPx,
    picture.heightPx,
    `<defs><radialGradient id="v" cx="50%" cy="48%" r="75%"><stop offset="45%" stop-color="#fff"/><stop offset="100%" stop-color="rgb(${edge},${edge},${edge})"/></radialGradient></defs><rect width="100%" height="100%" fill="url(#v)"/>`,
  );
}

const flatten = (input: Buffer, composites: OverlayOptions[]): Promise<Buffer> =>
  sharp(input).composite(composites).removeAlpha().png({ compressionLevel: 1 }).toBuffer();

async function grade(input: Buffer, picture: Picture, seed: number): Promise<Buffer> {
  const {
    warmth = 0,
    saturation = 1,
    contrast = 1,
    brightness = 1,
    glow = 0.35,
    vignette: edge = 0.35,
    grain = 34,
    monochrome = false,
  } = picture.look;
  let image = input;
  if (glow > 0) {
    // Only what is brighter than about 60 % spills, as it does in a lens.
    const spill = await sharp(input)
      .linear(1.9 * glow, -255 * 1.1 * glow)
      .blur(picture.widthPx / 60)
      .png({ compressionLevel: 1 })
      .toBuffer();
    image = await flatten(image, [{ input: spill, blend: 'screen' }]);
  }
  let pipeline = sharp(image)
    .modulate({ saturation, brightness })
    .linear(
      [contrast * (1 + warmth), contrast, contrast * (1 - warmth)],
      [128 * (1 - contrast), 128 * (1 - contrast), 128 * (1 - contrast) + 2],
    );
  if (monochrome) pipeline = pipeline.greyscale().toColourspace('srgb');
  image = await pipeline.removeAlpha().png({ compressionLevel: 1 }).toBuffer();
  return flatten(image, [
    { input: vignette(picture, edge), blend: 'multiply' },
    { input: await grainPlane(picture, grain, seed), blend: 'overlay' },
  ]);
}

/** The finished picture as lossless PNG. */
export async function develop(picture: Picture, seed: number): Promise<Buffer> {
  const base = sharp({
    create: { width: picture.widthPx, height: picture.heightPx, channels: 4, background: '#101418' },
  });
  const composites: OverlayOptions[] = [];
  for (const layer of picture.layers) composites.push(await rasterise(layer, picture));
  const flat = await base.composite(composites).removeAlpha().png({ compressionLevel: 1 }).toBuffer();
  return grade(flat, picture, seed);
}

/** JPEG of at most `maxBytes`: the quality steps down until it fits. */
export async function toJpeg(input: Buffer, maxBytes: number): Promise<Buffer> {
  for (let quality = 84; ; quality -= 5) {
    const jpeg = await sharp(input).jpeg({ quality, mozjpeg: true, chromaSubsampling: '4:2:0' }).toBuffer();
    if (jpeg.length <= maxBytes || quality < 45) return jpeg;
  }
}
