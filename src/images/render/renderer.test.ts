import { fileURLToPath } from 'node:url';

import sharp from 'sharp';
import { beforeAll, describe, expect, test } from 'vitest';

import { AppError } from '../../base/index.ts';
import type { FaceBox } from '../focus-faces.ts';
import type { ImageFormat } from '../parameters/index.ts';
import { planRender } from '../plan.ts';
import { parseRecipe } from '../recipe.ts';
import { createRenderer, type Renderer } from './renderer.ts';
import type { ImageSource, RenderRequest } from './request.ts';

const faceFixture = (name: string) => fileURLToPath(new URL(`../../../test/fixtures/faces/${name}`, import.meta.url));
const ASTRONAUT = faceFixture('astronaut.png');
const ASTRONAUT_FACE: FaceBox = { x: 0.354, y: 0.142, w: 0.163, h: 0.199, score: 0.99 };

/** Left half red, right half blue, a green bar over the upper fifth: each corner says where it came from. */
const picture = (width: number, height: number, background = 'none') =>
  Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">
      <rect width="100%" height="100%" fill="${background}"/>
      <rect width="50%" height="100%" fill="#f00"/><rect x="50%" width="50%" height="100%" fill="#00f"/>
      <rect width="100%" height="20%" fill="#0f0"/></svg>`,
  );

const drawn = new Map<string, Buffer>();
const get = (name: string): Buffer => {
  const bytes = drawn.get(name);
  if (!bytes) throw new Error(`nothing drawn under ${name}`);
  return bytes;
};

let renderer: Renderer;

beforeAll(async () => {
  // Drawn before the renderer exists, since it forbids the SVG decoder.
  const jpeg = await sharp(picture(800, 600)).flatten().jpeg().toBuffer();
  drawn.set('svg', picture(800, 600));
  drawn.set('jpeg', jpeg);
  for (const format of ['webp', 'png', 'tiff', 'avif', 'gif'] as const) {
    drawn.set(format, await sharp(picture(800, 600)).flatten().toFormat(format).toBuffer());
  }
  // Orientation 6: shown after a turn of 90 degrees clockwise.
  drawn.set('turned', await sharp(jpeg).withMetadata({ orientation: 6 }).toBuffer());
  drawn.set('cmyk', await sharp(jpeg).toColourspace('cmyk').withIccProfile('cmyk').jpeg({ quality: 95 }).toBuffer());
  drawn.set('16-bit', await sharp(jpeg).toColourspace('rgb16').png().toBuffer());
  drawn.set('grey', await sharp(jpeg).greyscale().jpeg().toBuffer());
  const round =
    '<svg xmlns="http://www.w3.org/2000/svg" width="400" height="400"><circle cx="200" cy="200" r="150" fill="#f00"/></svg>';
  drawn.set('alpha', await sharp(Buffer.from(round)).png().toBuffer());
  drawn.set(
    'located',
    await sharp(jpeg)
      .withExif({
        IFD0: { Make: 'Camera', Artist: 'Old' },
        IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '51/1 30/1 0/1' },
      })
      .toBuffer(),
  );
  renderer = createRenderer();
});

async function render(
  source: ImageSource,
  query: Record<string, string>,
  facts: { faces?: readonly FaceBox[]; credit?: RenderRequest['credit'] } = {},
) {
  const { width, height, autoOrient } = await sharp(source, { failOn: 'none' }).metadata();
  const recipe = parseRecipe(query);
  const size = autoOrient ?? { width, height };
  const plan = planRender({ recipe, source: size, faces: facts.faces ?? [], focal: undefined });
  const format: ImageFormat = recipe.format === 'auto' ? 'jpeg' : recipe.format;
  return renderer.render({ source, plan, format, quality: recipe.quality, credit: facts.credit });
}

/** The colour at a place given in fractions of the picture, 8 bits a channel. */
async function colourAt(bytes: Buffer, x: number, y: number): Promise<number[]> {
  const { data, info } = await sharp(bytes).raw().toBuffer({ resolveWithObject: true });
  const at = (Math.floor(y * (info.height - 1)) * info.width + Math.floor(x * (info.width - 1))) * info.channels;
  return [...data.subarray(at, at + info.channels)];
}

const expectNear = (actual: readonly number[], expected: readonly number[], tolerance = 40) => {
  expect(actual.length).toBe(expected.length);
  for (const [index, value] of expected.entries()) {
    expect(Math.abs((actual[index] ?? 999) - value), `${actual.join()} near ${expected.join()}`).toBeLessThanOrEqual(
      tolerance,
    );
  }
};

const RED = [255, 0, 0];
const GREEN = [0, 255, 0];
const BLUE = [0, 0, 255];

const refusalOf = async (work: Promise<unknown>): Promise<AppError> => {
  const error = await work.then(
    () => new Error('expected a refusal'),
    (reason: unknown) => reason,
  );
  if (error instanceof AppError) return error;
  throw error;
};

describe('formats', () => {
  test.each(['jpeg', 'webp', 'avif', 'png'] as const)(
    '%s is written with its content type and exact size',
    async (fmt) => {
      const image = await render(get('jpeg'), { w: '200', h: '300', fmt, f: 'center' });
      const { format, compression, width, height, space } = await sharp(image.bytes).metadata();
      expect([compression === 'av1' ? 'avif' : format, width, height, space]).toEqual([fmt, 200, 300, 'srgb']);
      expect(image).toMatchObject({ width: 200, height: 300, contentType: `image/${fmt}`, damaged: false });
    },
  );

  test.each(['jpeg', 'webp', 'png', 'tiff', 'avif', 'gif'])('%s is read', async (name) => {
    const { bytes } = await render(get(name), { w: '100' });
    expectNear(await colourAt(bytes, 0.1, 0.9), RED);
    expectNear(await colourAt(bytes, 0.9, 0.9), BLUE);
  });

  test('quality decides the number of bytes', async () => {
    const [low, high] = await Promise.all(
      ['20', '90'].map((q) => render(ASTRONAUT, { w: '300', q, fmt: 'webp' }).then(({ bytes }) => bytes.length)),
    );
    expect(low).toBeLessThan((high ?? 0) / 2);
  });

  test('SVG and anything else outside the list is refused by name', async () => {
    const plan = planRender({ recipe: parseRecipe({}), source: { width: 8, height: 8 }, faces: [], focal: undefined });
    for (const source of [get('svg'), Buffer.from('%PDF-1.4 hello')]) {
      const error = await refusalOf(renderer.render({ source, plan, format: 'jpeg' }));
      expect(error.code).toBe('unsupported_media_type');
    }
  });
});

describe('geometry in pixels', () => {
  test.each(['center', 'attention', 'entropy', 'nw'])('a crop by %s has the exact size', async (f) => {
    for (const [w, h] of [
      [101, 203],
      [333, 77],
      [600, 600],
    ]) {
      expect(await render(get('jpeg'), { w: `${w}`, h: `${h}`, f })).toMatchObject({ width: w, height: h });
    }
  });

  test('a crop shows the asked part, both when much and when little is scaled away', async () => {
    for (const side of ['60', '500']) {
      const [left, right, top] = await Promise.all(
        ['w', 'e', 'n'].map((f) => render(get('jpeg'), { w: side, h: side, f })),
      );
      expectNear(await colourAt(left?.bytes ?? Buffer.alloc(0), 0.1, 0.9), RED);
      expectNear(await colourAt(right?.bytes ?? Buffer.alloc(0), 0.9, 0.9), BLUE);
      expectNear(await colourAt(top?.bytes ?? Buffer.alloc(0), 0.5, 0.05), GREEN);
    }
  });

  test('the same crop looks the same on either way of scaling', async () => {
    // 0.5 is scaled before cropping, 0.505 after: nearly the same picture.
    const large = await sharp(ASTRONAUT).resize(2000).jpeg({ quality: 95 }).toBuffer();
    const [before, after] = await Promise.all(
      [800, 808].map((w) =>
        render(large, { w: `${w}`, h: `${(w * 5) / 4}`, f: 'face', q: '95' }, { faces: [ASTRONAUT_FACE] }),
      ),
    );
    const small = (bytes?: Buffer) =>
      sharp(bytes ?? Buffer.alloc(0))
        .resize(64, 80, { fit: 'fill' })
        .raw()
        .toBuffer();
    const [a, b] = await Promise.all([small(before?.bytes), small(after?.bytes)]);
    const difference = a.reduce((sum, value, index) => sum + Math.abs(value - (b[index] ?? 0)), 0) / a.length;
    // Shrinking while loading is a little softer; one pixel of shift at this size would be above 6.
    expect(difference).toBeLessThan(3);
  });

  test('a picture on its side is turned before anything else', async () => {
    for (const side of ['150', '580']) {
      const whole = await render(get('turned'), { w: side });
      expect(whole).toMatchObject({ width: Number(side), height: Math.round(Number(side) * (800 / 600)) });
      // The green top is at the right after the turn, red above, blue below.
      expectNear(await colourAt(whole.bytes, 0.95, 0.5), GREEN);
      expectNear(await colourAt(whole.bytes, 0.2, 0.1), RED);
      const lower = await render(get('turned'), { w: side, h: side, f: 's' });
      expect(lower).toMatchObject({ width: Number(side), height: Number(side) });
      expectNear(await colourAt(lower.bytes, 0.2, 0.9), BLUE);
      expectNear(await colourAt(lower.bytes, 0.95, 0.5), GREEN);
      expect((await sharp(lower.bytes).metadata()).orientation).toBeUndefined();
    }
  });

  test('contain pads with white in JPEG and with nothing in WebP', async () => {
    const jpeg = await render(get('jpeg'), { w: '200', h: '200', fit: 'contain', fmt: 'jpeg' });
    expect(jpeg).toMatchObject({ width: 200, height: 200 });
    expectNear(await colourAt(jpeg.bytes, 0.5, 0.02), [255, 255, 255], 5);
    expectNear(await colourAt(jpeg.bytes, 0.2, 0.7), RED);
    const webp = await render(get('jpeg'), { w: '200', h: '200', fit: 'contain', fmt: 'webp' });
    expect((await colourAt(webp.bytes, 0.5, 0.02)).at(3)).toBe(0);
    expect((await colourAt(webp.bytes, 0.2, 0.7)).at(3)).toBe(255);
  });

  test('the face of a real photograph is in every ready-made shape', async () => {
    for (const [w, h] of [
      [200, 200],
      [150, 200],
      [200, 120],
      [90, 160],
    ] as const) {
      const { bytes } = await render(ASTRONAUT, { w: `${w}`, h: `${h}`, f: 'face' }, { faces: [ASTRONAUT_FACE] });
      // Found again by its pixels: the face cut from the photograph at the scale of the answer.
      const scale = Math.min(1, Math.max(w, h) / 512);
      const face = { left: 181, top: 73, width: 83, height: 102 };
      const patch = await sharp(await sharp(ASTRONAUT).extract(face).toBuffer())
        .resize({ width: Math.round(83 * scale), height: Math.round(102 * scale), fit: 'fill' })
        .removeAlpha()
        .raw()
        .toBuffer({ resolveWithObject: true });
      const whole = await sharp(bytes).raw().toBuffer({ resolveWithObject: true });
      let best = { difference: Number.POSITIVE_INFINITY, x: 0, y: 0 };
      for (let y = 0; y + patch.info.height <= h; y += 1) {
        for (let x = 0; x + patch.info.width <= w; x += 1) {
          let sum = 0;
          let count = 0;
          for (let row = 0; row < patch.info.height; row += 2) {
            for (let column = 0; column < patch.info.width * 3; column += 5) {
              const a = patch.data[row * patch.info.width * 3 + column] ?? 0;
              sum += Math.abs(a - (whole.data[((y + row) * w + x) * 3 + column] ?? 0));
              count += 1;
            }
          }
          if (sum / count < best.difference) best = { difference: sum / count, x, y };
        }
      }
      expect(best.difference, `face whole in ${w}x${h}`).toBeLessThan(12);
      const centre = best.x + patch.info.width / 2;
      if (w < h) expect(Math.abs(centre - w / 2)).toBeLessThanOrEqual(2);
    }
  });
});

describe('colour and transparency', () => {
  test.each(['cmyk', '16-bit', 'grey'])('%s becomes 8-bit sRGB', async (name) => {
    for (const fmt of ['jpeg', 'webp', 'avif', 'png']) {
      const { bytes } = await render(get(name), { w: '200', fmt });
      const { depth, space, hasProfile } = await sharp(bytes).metadata();
      expect([depth, hasProfile]).toEqual(['uchar', false]);
      expect(['srgb', 'b-w']).toContain(space);
      if (name !== 'grey') {
        const [red = 0, green = 255, blue = 255] = await colourAt(bytes, 0.1, 0.9);
        expect(red).toBeGreaterThan(180);
        expect(Math.max(green, blue)).toBeLessThan(90);
      }
    }
  });

  test('transparency turns white in JPEG and stays in the others', async () => {
    const jpeg = await render(get('alpha'), { w: '100', fmt: 'jpeg' });
    expectNear(await colourAt(jpeg.bytes, 0.01, 0.01), [255, 255, 255], 5);
    for (const fmt of ['png', 'webp', 'avif']) {
      const { bytes } = await render(get('alpha'), { w: '100', fmt });
      expect((await colourAt(bytes, 0.01, 0.01)).at(3), fmt).toBe(0);
      expect((await colourAt(bytes, 0.5, 0.5)).at(3), fmt).toBe(255);
    }
  });
});

describe('metadata', () => {
  test.each(['jpeg', 'webp', 'avif', 'png'])('place and camera never pass into %s, the credit does', async (fmt) => {
    const credit = { artist: 'Ana Šeško', copyright: '© 2026 Harbour <FC>\u0007' };
    const { bytes } = await render(get('located'), { w: '100', fmt }, { credit });
    const { exif, xmp, iptc, icc } = await sharp(bytes).metadata();
    const text = exif?.toString('latin1') ?? '';
    expect(text).toContain('Ana Sesko');
    expect(text).toContain('(C) 2026 Harbour <FC>');
    expect(xmp?.toString('utf8')).toContain('<rdf:li>Ana Šeško</rdf:li>');
    expect(xmp?.toString('utf8')).toContain('© 2026 Harbour &#60;FC&#62;</rdf:li>');
    expect(text).not.toContain('Camera');
    expect(text).not.toContain('Old');
    // Tag 0x8825 points to the GPS block, in either byte order.
    expect(exif?.includes(Buffer.from([0x25, 0x88, 0x04, 0x00]))).toBe(false);
    expect(exif?.includes(Buffer.from([0x88, 0x25, 0x00, 0x04]))).toBe(false);
    expect([iptc, icc]).toEqual([undefined, undefined]);
  });

  test('without a credit there is no metadata at all', async () => {
    const { exif } = await sharp((await render(get('located'), { w: '100' })).bytes).metadata();
    expect(exif).toBeUndefined();
  });
});
