import { rm, writeFile, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import sharp from 'sharp';
import { extendedHeader, gif, pictureChunk, riff, webp } from '../../test/support/hostile/animations.ts';
import { png, pngChunk, text, zlibZeros } from '../../test/support/hostile/bytes.ts';
import { headersOnly, manyScans, withSize } from '../../test/support/hostile/jpeg.ts';
import { circle, manyDirectories } from '../../test/support/hostile/tiff.ts';
import { AppError } from './errors.ts';
import { checkPictureLimits } from './picture-limits.ts';

const refusal = async (source: Buffer | string): Promise<string | undefined> => {
  const error = await checkPictureLimits(source).then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (error === undefined) return undefined;
  if (!(error instanceof AppError)) throw error;
  expect(error.code).toBe('file_limits_exceeded');
  return error.message;
};

const drawn = (width: number, height: number) => sharp({ create: { width, height, channels: 3, background: '#5a6' } });
const progressive = async (subsampling: string) =>
  drawn(64, 64).jpeg({ progressive: true, chromaSubsampling: subsampling }).toBuffer();

describe('pictures that people export', () => {
  test.each<[string, () => Promise<Buffer>]>([
    ['a JPEG of 150 MP', async () => withSize(await drawn(64, 64).jpeg().toBuffer(), 15_000, 10_000)],
    ['a progressive JPEG of 61 MP without subsampling', async () => withSize(await progressive('4:4:4'), 9504, 6336)],
    ['a progressive JPEG of 150 MP with subsampling', async () => withSize(await progressive('4:2:0'), 15_000, 10_000)],
    [
      'an interlaced PNG of 120 MP',
      () => Promise.resolve(png({ width: 12_000, height: 10_000, interlaced: true }, zlibZeros(1))),
    ],
    [
      'a PNG of 150 MP with 16 bits',
      () => Promise.resolve(png({ width: 15_000, height: 10_000, depth: 16 }, zlibZeros(1))),
    ],
    ['a GIF of 5,000 frames', () => Promise.resolve(gif({ width: 64, height: 64, frames: 5000 }))],
    ['an AVIF', () => drawn(640, 480).avif({ effort: 0 }).toBuffer()],
    ['a TIFF of 100 pages', () => Promise.resolve(manyDirectories(100))],
    ['a lossless WebP', () => drawn(640, 480).webp({ lossless: true }).toBuffer()],
    ['an empty file', () => Promise.resolve(Buffer.alloc(0))],
    ['text', () => Promise.resolve(Buffer.from('text of more than thirty-two characters'))],
  ])('%s passes', async (_name, make) => {
    expect(await refusal(await make())).toBeUndefined();
  });
});

describe('what no decoder should begin', () => {
  test('a progressive JPEG whose coefficients fill memory', async () => {
    expect(await refusal(withSize(await progressive('4:4:4'), 12_000, 12_000))).toContain('takes 824 MiB');
  });

  test('a JPEG whose colours come one after the other is kept whole too', async () => {
    // The scan header names three components; with one the others must follow in scans of their own.
    const whole = headersOnly(0, 12_000, 12_000);
    const scanAt = whole.indexOf(Buffer.from([0xff, 0xda]));
    const alone = Buffer.concat([whole.subarray(0, scanAt), Buffer.from('ffda0008010100003f0000ffd9', 'hex')]);
    expect(await refusal(whole)).toBeUndefined();
    expect(await refusal(alone)).toContain('of memory');
  });

  test('a JPEG of hundreds of scans over many pixels, but not over few', async () => {
    expect(await refusal(manyScans({ width: 4000, height: 3000, scans: 300 }))).toContain('scans');
    expect(await refusal(manyScans({ width: 320, height: 240, scans: 300 }))).toBeUndefined();
  });

  test.each<[string, Buffer | (() => Promise<Buffer>), string]>([
    [
      'an interlaced PNG of 16 bits',
      png({ width: 12_000, height: 12_000, depth: 16, colour: 6, interlaced: true }, zlibZeros(1)),
      'of memory',
    ],
    ['a GIF of 5,001 frames', gif({ width: 64, height: 64, frames: 5001 }), 'frames'],
    ['a GIF on a canvas of 65,535 pixels a side', gif({ width: 65_535, height: 65_535, frames: 1 }), 'of memory'],
    ['a TIFF of 5,001 pages', manyDirectories(5001), 'pages'],
    ['an animated WebP on a huge canvas', riff(extendedHeader(16_000, 9000, 0x02)), 'of memory'],
    [
      'a WebP of 5,001 frames',
      async () => {
        const still = { chunk: pictureChunk(await drawn(8, 8).webp().toBuffer()), width: 8, height: 8 };
        return webp({ width: 64, height: 64, frames: 5001, still });
      },
      'frames',
    ],
    [
      'an AVIF of 100 MP',
      async () => {
        const small = await drawn(64, 64).avif({ effort: 0 }).toBuffer();
        const at = small.indexOf('ispe');
        small.writeUInt32BE(10_000, at + 8);
        small.writeUInt32BE(10_000, at + 12);
        return small;
      },
      'of memory',
    ],
  ])('%s', async (_name, given, said) => {
    expect(await refusal(typeof given === 'function' ? await given() : given)).toContain(said);
  });

  test.each<[string, string, string]>([
    ['text', 'zTXt', 'Comment\0\0'],
    ['international text', 'iTXt', 'XML:com.adobe.xmp\0\u0001\0en\0title\0'],
    ['profile', 'iCCP', 'sRGB\0\0'],
  ])('a PNG whose %s unpacks to more than memory', async (_what, type, names) => {
    const packed = (mebibytes: number) => pngChunk(type, Buffer.concat([text(names), zlibZeros(mebibytes)]));
    const withChunks = (...chunks: Buffer[]) => png({ width: 8, height: 8 }, zlibZeros(1), chunks);
    expect(await refusal(withChunks(packed(1024)))).toContain('texts and profiles');
    expect(await refusal(withChunks(...Array.from({ length: 100 }, () => packed(3))))).toContain('texts and profiles');
    expect(await refusal(withChunks(packed(30)))).toBeUndefined();
  });

  test('directories in a circle are no end of pages', async () => {
    expect(await refusal(circle())).toBeUndefined();
  });

  test('a file of nothing but tiny parts is given up', async () => {
    const comments = Buffer.from(Array.from({ length: 1_500_000 }, (_, n) => [0x21, 0xfe, 0][n % 3] ?? 0));
    expect(await refusal(Buffer.concat([gif({ width: 8, height: 8, frames: 0 }).subarray(0, 19), comments]))).toContain(
      'parts',
    );
  });

  test('a file is judged like its bytes', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'touchline-limits-'));
    try {
      const path = join(folder, 'scans.jpg');
      const bytes = manyScans({ width: 4000, height: 3000, scans: 300 });
      await writeFile(path, bytes);
      expect(await refusal(path)).toBe(await refusal(bytes));
      await writeFile(path, manyDirectories(6000));
      expect(await refusal(path)).toContain('pages');
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});
