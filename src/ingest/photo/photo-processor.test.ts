import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { crc32, deflateSync } from 'node:zlib';
import { ExifTool } from 'exiftool-vendored';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  BLUE,
  clearedQuarters,
  COLORS,
  GREEN,
  quarterColors,
  quarters,
  type Quarters,
  RED,
  type Rgb,
  WHITE,
} from '../../../test/fixtures/photos/painted-photo.ts';
import { syntheticDng } from '../../../test/fixtures/photos/synthetic-dng.ts';
import { createLogger } from '../../base/index.ts';
import { detectFileType, type DetectedType } from '../file-type.ts';
import { createMetadataReader, type MetadataReader } from '../metadata/metadata-reader.ts';
import { createPhotoProcessor, type PhotoProcessor, type PhotoResult } from './photo-processor.ts';

const logger = createLogger({ level: 'silent' });
const exiftool = new ExifTool({ maxProcs: 1 });
let folder: string;
let metadata: MetadataReader;
let processor: PhotoProcessor;
let runs = 0;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'photo-'));
  metadata = createMetadataReader({ logger, timeoutMs: 30_000, maxProcesses: 1 });
  processor = createPhotoProcessor({ logger, metadata, timeoutMs: 30_000, tools: {} });
});
afterAll(async () => {
  await Promise.all([processor.close(), metadata.close(), exiftool.end()]);
  await rm(folder, { recursive: true });
});

async function processBytes(data: Buffer, detected = detectFileType(data)): Promise<PhotoResult> {
  const workDir = join(folder, `run-${runs++}`);
  await mkdir(workDir);
  const path = join(workDir, 'original');
  await writeFile(path, data);
  if (!detected) throw new Error('expected a file that is recognised');
  return processor.process({ path, detected, workDir });
}

function expectColors(actual: readonly Rgb[], expected: readonly Rgb[], tolerance = 8) {
  const distance = Math.max(
    ...actual.flatMap((color, i) => color.map((value, c) => Math.abs(value - (expected[i]?.[c] ?? -999)))),
  );
  expect(distance, `${JSON.stringify(actual)} against ${JSON.stringify(expected)}`).toBeLessThanOrEqual(tolerance);
}

describe('tiers of a photo', () => {
  test('are JPEGs of 2048 and 480 px on the long side', async () => {
    const result = await processBytes(await quarters(3000, 2000).jpeg().toBuffer());
    expect(result).toMatchObject({
      width: 3000,
      height: 2000,
      orientation: 'landscape',
      mimeType: 'image/jpeg',
      extension: 'jpg',
    });
    expect(result).toMatchObject({ damaged: false, warnings: [], hasAlpha: false });
    for (const [tier, width, height] of [
      [result.compressed, 2048, 1365],
      [result.thumbnail, 480, 320],
    ] as const) {
      const data = await readFile(tier.path);
      expect(tier).toMatchObject({ width, height, bytes: data.length, mimeType: 'image/jpeg' });
      expect(await sharp(data).metadata()).toMatchObject({ format: 'jpeg', width, height, chromaSubsampling: '4:2:0' });
      expectColors(await quarterColors(tier.path), [RED, GREEN, BLUE, WHITE]);
    }
  });

  test('are never larger than the photo', async () => {
    const result = await processBytes(await quarters(200, 300).png().toBuffer());
    expect(result.compressed).toMatchObject({ width: 200, height: 300 });
    expect(result.thumbnail).toMatchObject({ width: 200, height: 300 });
    expect(result.orientation).toBe('portrait');
  });

  test('keep the owner and drop everything else', async () => {
    const original = join(folder, 'owned.jpg');
    await quarters(600, 400).jpeg().toFile(original);
    const writeArgs = [
      '-overwrite_original',
      '-charset',
      'iptc=utf8',
      '-IFD0:Copyright=© Verein Žilina',
      '-XMP-dc:Creator=Jörg',
      '-GPS:GPSLatitude=48.2',
    ];
    await exiftool.write(
      original,
      {},
      { writeArgs: [...writeArgs, '-GPS:GPSLatitudeRef=N', '-IFD0:Model=Z 9', '-XMP-dc:Title=secret'] },
    );
    const result = await processBytes(await readFile(original));
    for (const tier of [result.compressed, result.thumbnail]) {
      const kept = await metadata.read(tier.path);
      const exif = await exiftool.readRaw(tier.path, { readArgs: ['-EXIF:Copyright', '-EXIF:Artist'] });
      expect(exif).toMatchObject({ Copyright: '(C) Verein Zilina', Artist: 'Jorg' });
      expect(kept.details).toEqual({ copyright: '© Verein Žilina', byline: 'Jörg' });
      expect(
        await exiftool.readRaw(tier.path, { readArgs: ['-GPS:all', '-XMP:all', '-IFD0:Model'] }),
      ).not.toHaveProperty('Model');
    }
  });
});

describe('upright', () => {
  // What the stored picture must hold so that a viewer that obeys the orientation sees red, green, blue, white.
  const STORED: Readonly<Record<number, readonly number[]>> = {
    1: [0, 1, 2, 3],
    2: [1, 0, 3, 2],
    3: [3, 2, 1, 0],
    4: [2, 3, 0, 1],
    5: [0, 2, 1, 3],
    6: [1, 3, 0, 2],
    7: [3, 1, 2, 0],
    8: [2, 0, 3, 1],
  };
  const colorOf = (index: number | undefined) => COLORS[index ?? 0] ?? WHITE;

  /** A stored picture, 300 x 200 or on its side, whose quarters are placed for the orientation. */
  function stored(orientation: number) {
    const [width, height] = orientation >= 5 ? ([200, 300] as const) : ([300, 200] as const);
    const [a, b, c, d] = STORED[orientation] ?? [];
    return { image: quarters(width, height, [colorOf(a), colorOf(b), colorOf(c), colorOf(d)]), width, height };
  }

  test.each([1, 2, 3, 4, 5, 6, 7, 8])('is a JPEG of EXIF orientation %d', async (orientation) => {
    const data = await stored(orientation).image.withMetadata({ orientation }).jpeg().toBuffer();
    const result = await processBytes(data);
    expect(result).toMatchObject({ width: 300, height: 200, orientation: 'landscape' });
    expect(result.metadata.orientation).toBe(orientation);
    expectColors(await quarterColors(result.compressed.path), COLORS);
    expect((await sharp(result.compressed.path).metadata()).orientation).toBeUndefined();
  });

  test.each([1, 2, 3, 4, 5, 6, 7, 8])('is the preview of a camera RAW file of orientation %d', async (orientation) => {
    const { image, width, height } = stored(orientation);
    const large = { width: width * 4, height: height * 4 };
    const jpeg = await image
      .resize({ ...large, kernel: 'nearest' })
      .jpeg()
      .toBuffer();
    const grey = () => [9000, 9000, 9000] as const;
    const dng = syntheticDng({ width, height, orientation, color: grey, preview: { jpeg, ...large } });
    const result = await processBytes(dng);
    expect(result).toMatchObject({
      mimeType: 'image/x-adobe-dng',
      extension: 'dng',
      orientation: 'landscape',
      damaged: false,
    });
    expect(result.compressed).toMatchObject({ width: 1200, height: 800 });
    expectColors(await quarterColors(result.compressed.path), COLORS);
  });
});

describe('camera RAW', () => {
  /** Red on the left, blue on the right, as the sensor sees it. */
  const color = (x: number) => (x < 200 ? ([45_000, 2000, 2000] as const) : ([2000, 2000, 45_000] as const));

  test('without a preview is developed from the sensor data and turned upright', async () => {
    const result = await processBytes(syntheticDng({ width: 400, height: 300, orientation: 6, color }));
    expect(result).toMatchObject({ width: 300, height: 400, orientation: 'portrait' });
    expect(result.compressed).toMatchObject({ width: 150, height: 200 });
    const [topLeft, topRight, bottomLeft, bottomRight] = await quarterColors(result.compressed.path);
    // A quarter turn clockwise brings the left side to the top.
    for (const red of [topLeft, topRight]) expect((red?.[0] ?? 0) - (red?.[2] ?? 0)).toBeGreaterThan(100);
    for (const blue of [bottomLeft, bottomRight]) expect((blue?.[2] ?? 0) - (blue?.[0] ?? 0)).toBeGreaterThan(100);
  });

  test('with a preview of thumbnail size is developed too', async () => {
    const jpeg = await quarters(160, 120).jpeg().toBuffer();
    const preview = { jpeg, width: 160, height: 120 };
    const result = await processBytes(syntheticDng({ width: 400, height: 300, orientation: 1, color, preview }));
    expect(result.compressed).toMatchObject({ width: 200, height: 150 });
  });

  test('that cannot be developed is refused with advice', async () => {
    const detected: DetectedType = { kind: 'photo', format: 'raw', mimeType: 'image/x-fuji-raf', extension: 'raf' };
    const raf = Buffer.concat([Buffer.from('FUJIFILMCCD-RAW 0201FF383501X-T5'), Buffer.alloc(4000)]);
    const error = await processBytes(raf, detected).catch((reason: unknown) => reason);
    expect(error).toMatchObject({
      code: 'unsupported_media_type',
      message: expect.stringContaining('Export the photo as JPEG'),
    });
  });
});

describe('HEIC', () => {
  test('is decoded in a child and turned once, as the container says', async () => {
    const heic = await readFile(new URL('../../../test/fixtures/photos/quarters.heic', import.meta.url));
    const result = await processBytes(heic);
    expect(result).toMatchObject({ width: 300, height: 200, orientation: 'landscape', mimeType: 'image/heic' });
    expectColors(await quarterColors(result.compressed.path), COLORS, 12);
  });

  test('that is cut off is refused as damaged', async () => {
    const heic = await readFile(new URL('../../../test/fixtures/photos/quarters.heic', import.meta.url));
    await expect(processBytes(heic.subarray(0, 400))).rejects.toMatchObject({ code: 'file_damaged' });
  });
});

describe('colour', () => {
  const expected = COLORS;

  test('of CMYK, wide gamut and sixteen bits becomes sRGB', async () => {
    // Within what ink on paper can show, which the pure blue above is not; the way to ink and back still darkens a little.
    const printable: Quarters = [
      [180, 80, 70],
      [90, 140, 90],
      [90, 110, 150],
      [235, 235, 235],
    ];
    const inks = quarters(300, 200, printable).toColourspace('cmyk').withIccProfile('cmyk');
    const cmyk = await inks.jpeg({ quality: 100 }).toBuffer();
    expect((await sharp(cmyk).metadata()).space).toBe('cmyk');
    expectColors(await quarterColors((await processBytes(cmyk)).compressed.path), printable, 25);
    const p3 = await quarters(300, 200).withIccProfile('p3').jpeg({ quality: 100 }).toBuffer();
    expectColors(await quarterColors((await processBytes(p3)).compressed.path), expected);
    const deep = await quarters(300, 200).toColourspace('rgb16').png().toBuffer();
    expect((await sharp(deep).metadata()).depth).toBe('ushort');
    expectColors(await quarterColors((await processBytes(deep)).compressed.path), expected);
  });

  test('of a P3 photo differs when its profile is ignored, so the conversion above is real', async () => {
    const p3 = await quarters(300, 200).withIccProfile('p3').jpeg({ quality: 100 }).toBuffer();
    const [red] = await quarterColors(await savedAs('p3.jpg', p3));
    expect(Math.abs((red?.[0] ?? 0) - RED[0])).toBeGreaterThan(8);
  });

  async function savedAs(name: string, data: Buffer) {
    const path = join(folder, name);
    // Without the profile the numbers of the file are shown as they are.
    await writeFile(path, await sharp(data, { ignoreIcc: true }).png().toBuffer());
    return path;
  }

  test('of a grey photo stays grey', async () => {
    const grey = await quarters(300, 200).greyscale().png().toBuffer();
    for (const [r, g, b] of await quarterColors((await processBytes(grey)).compressed.path)) {
      expect(Math.max(r, g, b) - Math.min(r, g, b)).toBeLessThanOrEqual(2);
    }
  });

  test.each(['png', 'webp', 'avif', 'gif', 'tiff'] as const)(
    'of %s is right, and transparency is white',
    async (format) => {
      // The default TIFF compression of sharp is JPEG, which has no transparency.
      const options = { avif: { effort: 0, quality: 90 }, tiff: { compression: 'lzw' } }[format as string] ?? {};
      const clear = await (await clearedQuarters(300, 200)).toFormat(format, options).toBuffer();
      const result = await processBytes(clear);
      expect(result.hasAlpha).toBe(true);
      expectColors(await quarterColors(result.compressed.path), [[255, 255, 255], GREEN, BLUE, WHITE], 14);
    },
  );

  test('of an animation is that of its first frame', async () => {
    const frames = await Promise.all([
      quarters(100, 100).png().toBuffer(),
      quarters(100, 100).rotate(180).png().toBuffer(),
    ]);
    const gif = await sharp(frames, { join: { animated: true } })
      .gif()
      .toBuffer();
    expect((await sharp(gif).metadata()).pages).toBe(2);
    const result = await processBytes(gif);
    expect(result).toMatchObject({ width: 100, height: 100, orientation: 'square' });
    expectColors(await quarterColors(result.compressed.path), [RED, GREEN, BLUE, WHITE]);
  });
});

describe('damaged and hostile files', () => {
  const noisy = () =>
    sharp({
      create: {
        width: 1200,
        height: 800,
        channels: 3,
        background: '#456',
        noise: { type: 'gaussian', mean: 128, sigma: 40 },
      },
    });

  test('a JPEG cut in half keeps its size, shows its top and is flagged', async () => {
    const whole = await noisy().jpeg().toBuffer();
    const result = await processBytes(whole.subarray(0, whole.length / 2));
    expect(result).toMatchObject({ width: 1200, height: 800, damaged: true });
    expect(result.warnings).toHaveLength(1);
    const top = (path: string) => sharp(path).extract({ left: 0, top: 0, width: 1200, height: 300 }).raw().toBuffer();
    const shown = await top(result.compressed.path);
    expect(shown.equals(await top((await processBytes(whole)).compressed.path))).toBe(true);
  });

  test('stray bytes between segments cost nothing and raise no flag', async () => {
    const whole = await noisy().jpeg().toBuffer();
    const stray = Buffer.concat([whole.subarray(0, -2), Buffer.from([1, 2, 3, 4]), whole.subarray(-2)]);
    expect(await processBytes(stray)).toMatchObject({ damaged: false });
  });

  test.each([
    ['a JPEG that ends after its header', async () => (await noisy().jpeg().toBuffer()).subarray(0, 640)],
    [
      'a JPEG of which 2 % arrived',
      async () => {
        const whole = await noisy().jpeg().toBuffer();
        return whole.subarray(0, whole.length * 0.02);
      },
    ],
    ['a PNG that ends after its header', async () => (await noisy().png().toBuffer()).subarray(0, 60)],
    ['a WebP that ends after its header', async () => (await noisy().webp().toBuffer()).subarray(0, 40)],
  ])('%s is refused as damaged', async (_name, make) => {
    await expect(processBytes(await make())).rejects.toMatchObject({ code: 'file_damaged' });
  });

  test('text that claims to be a JPEG is refused as damaged', async () => {
    const detected: DetectedType = { kind: 'photo', format: 'jpeg', mimeType: 'image/jpeg', extension: 'jpg' };
    await expect(processBytes(Buffer.from('not a photo at all'), detected)).rejects.toMatchObject({
      code: 'file_damaged',
    });
  });

  test('an SVG that claims to be a PNG is not drawn', async () => {
    const detected: DetectedType = { kind: 'photo', format: 'png', mimeType: 'image/png', extension: 'png' };
    const svg = Buffer.from(
      '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><rect width="9" height="9"/></svg>',
    );
    await expect(processBytes(svg, detected)).rejects.toMatchObject({ code: 'file_damaged' });
  });

  test('a small PNG that claims 60000 x 60000 pixels is refused before decoding', async () => {
    const startedMs = performance.now();
    await expect(processBytes(pngBomb(60_000, 60_000))).rejects.toMatchObject({
      code: 'file_limits_exceeded',
      message: 'expected a photo of at most 150 megapixels, received 60000 x 60000',
    });
    expect(performance.now() - startedMs).toBeLessThan(5000);
  });

  test('a video is not taken for a photo', async () => {
    const detected: DetectedType = { kind: 'video', format: 'mp4', mimeType: 'video/mp4', extension: 'mp4' };
    await expect(processBytes(Buffer.alloc(64), detected)).rejects.toMatchObject({ code: 'unsupported_media_type' });
  });

  test('an aborted photo ends with the reason of its signal', async () => {
    const reason = new Error('the asset was deleted');
    const path = join(folder, 'abort.jpg');
    await quarters(60, 40).jpeg().toFile(path);
    const detected: DetectedType = { kind: 'photo', format: 'jpeg', mimeType: 'image/jpeg', extension: 'jpg' };
    const aborted = processor.process({ path, detected, workDir: folder, signal: AbortSignal.abort(reason) });
    await expect(aborted).rejects.toBe(reason);
  });

  /** A PNG with a true header and one row of data. */
  function pngBomb(width: number, height: number): Buffer {
    const header = Buffer.alloc(13);
    header.writeUInt32BE(width, 0);
    header.writeUInt32BE(height, 4);
    header.set([8, 2, 0, 0, 0], 8);
    return Buffer.concat([
      Buffer.from('89504e470d0a1a0a', 'hex'),
      pngChunk('IHDR', header),
      pngChunk('IDAT', deflateSync(Buffer.alloc(1 + width * 3))),
      pngChunk('IEND', Buffer.alloc(0)),
    ]);
  }
});

function pngChunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const frame = Buffer.alloc(8);
  frame.writeUInt32BE(data.length, 0);
  frame.writeUInt32BE(crc32(body), 4);
  return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)]);
}
