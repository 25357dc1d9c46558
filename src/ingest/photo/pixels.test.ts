import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { decodePhoto } from './pixels.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'touchline-pixels-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** A strong red in Display P3 lies outside of sRGB, a soft one inside: taken for sRGB it would come out paler. */
const SOFT = { r: 200, g: 90, b: 80 };

test.each(['uchar', 'ushort'])('a photo in Display P3 with %s channels has the colours of sRGB', async (depth) => {
  const path = join(folder, `${depth}.png`);
  const drawn = sharp({ create: { width: 32, height: 32, channels: 3, background: SOFT } }).withIccProfile('p3');
  await (depth === 'ushort' ? drawn.toColourspace('rgb16') : drawn).png().toFile(path);
  const { depth: stored, hasProfile } = await sharp(path).metadata();
  expect([stored, hasProfile]).toEqual([depth, true]);
  const { pixels } = await decodePhoto({ path, orientation: 'embedded', maxSidePx: 2048, timeoutMs: 10_000 });
  // What was drawn in sRGB, written in P3, and read back.
  const [r = 0, g = 0, b = 0] = pixels.data;
  expect(Math.max(Math.abs(r - SOFT.r), Math.abs(g - SOFT.g), Math.abs(b - SOFT.b))).toBeLessThanOrEqual(4);
});
