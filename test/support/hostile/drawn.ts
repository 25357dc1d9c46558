/** Small sound pictures of every kind that the decoders read, from which hostile ones are made. */
import { readFile } from 'node:fs/promises';
import sharp, { type Sharp } from 'sharp';
import { createChance } from './bytes.ts';

export type Drawn = { readonly name: string; readonly bytes: Buffer };

const WIDTH = 160;
const HEIGHT = 120;

/** Shapes and grain, the same in every run. */
function draw(channels: 3 | 4, seed: number): Sharp {
  const chance = createChance(seed);
  const data = Buffer.alloc(WIDTH * HEIGHT * channels);
  for (let at = 0; at < data.length; at += channels) {
    const x = (at / channels) % WIDTH;
    const y = Math.floor(at / channels / WIDTH);
    const grain = chance() * 24;
    data[at] = ((x * 3) & 0xff) * 0.8 + grain;
    data[at + 1] = ((y * 5) & 0xff) * 0.8 + grain;
    data[at + 2] = (x - 80) ** 2 + (y - 60) ** 2 < 1600 ? 220 : 60;
    if (channels === 4) data[at + 3] = x < 40 ? x * 6 : 255;
  }
  return sharp(data, { raw: { width: WIDTH, height: HEIGHT, channels } });
}

/** Four frames below each other, as sharp takes animations. */
async function animation(): Promise<Sharp> {
  const frames = await Promise.all([1, 2, 3, 4].map((seed) => draw(4, seed).raw().toBuffer()));
  return sharp(Buffer.concat(frames), {
    raw: { width: WIDTH, height: HEIGHT * frames.length, channels: 4, pageHeight: HEIGHT },
  });
}

const HEIC = new URL('../../fixtures/photos/quarters.heic', import.meta.url);

export async function drawAll(): Promise<readonly Drawn[]> {
  const rgb = () => draw(3, 7);
  const rgba = () => draw(4, 7);
  const moving = await animation();
  const pictures: Readonly<Record<string, Sharp>> = {
    'baseline.jpg': rgb().jpeg({ quality: 90 }),
    'progressive.jpg': rgb().jpeg({ quality: 90, progressive: true, chromaSubsampling: '4:4:4' }),
    'cmyk.jpg': rgb().toColourspace('cmyk').withIccProfile('cmyk').jpeg(),
    'grey.jpg': rgb().greyscale().jpeg(),
    'metadata.jpg': rgb()
      .withExif({ IFD0: { Artist: 'A', Copyright: 'B' } })
      .withXmp('<x:xmpmeta xmlns:x="adobe:ns:meta/"/>')
      .withIccProfile('p3')
      .jpeg(),
    'plain.png': rgba().png(),
    'interlaced.png': rgba().png({ progressive: true }),
    'palette.png': rgb().png({ palette: true }),
    'sixteen.png': rgb().toColourspace('rgb16').png(),
    'lossy.webp': rgb().webp(),
    'lossless.webp': rgba().webp({ lossless: true }),
    'moving.webp': moving.clone().webp({ loop: 0, delay: [40, 40, 40, 40] }),
    'still.gif': rgb().gif(),
    'moving.gif': moving.clone().gif({ delay: [40, 40, 40, 40] }),
    'lzw.tif': rgb().tiff({ compression: 'lzw' }),
    'tiles.tif': rgb().tiff({ compression: 'deflate', tile: true, tileWidth: 64, tileHeight: 64 }),
    'jpeg.tif': rgb().tiff({ compression: 'jpeg' }),
    'picture.avif': rgba().avif({ effort: 0 }),
  };
  const drawn = await Promise.all(
    Object.entries(pictures).map(async ([name, picture]) => ({ name, bytes: await picture.toBuffer() })),
  );
  return [...drawn, { name: 'quarters.heic', bytes: await readFile(HEIC) }];
}
