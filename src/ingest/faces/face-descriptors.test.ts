import { mkdtemp, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import sharp, { type Sharp } from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createLogger } from '../../base/index.ts';
import { descriptorDistance } from './face-descriptors.ts';
import { createFaceDetector, type FaceDetector } from './face-detector.ts';

/** The package whose weights are used brings photographs of groups along: everybody on one of them is somebody else. */
const samples = join(dirname(createRequire(import.meta.url).resolve('@vladmandic/face-api/package.json')), 'demo');
const GROUPS = [1, 3, 4, 6].map((n) => join(samples, `sample${n}.jpg`));
const ASTRONAUT = fileURLToPath(new URL('../../../test/fixtures/faces/astronaut.png', import.meta.url));
/** The head alone: in some variants the helmet beside it passes for a face. */
const HEAD = { left: 110, top: 0, width: 230, height: 260 };

let folder: string;
let detector: FaceDetector;
let head: Buffer;
let stranger: Float32Array | undefined;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'descriptors-'));
  detector = createFaceDetector({ logger: createLogger({ level: 'silent' }), timeoutMs: 60_000 });
  head = await sharp(ASTRONAUT).flatten().extract(HEAD).png().toBuffer();
  [stranger] = await describeAll(join(samples, 'sample1.jpg'));
});
afterAll(async () => {
  await detector.close();
  await rm(folder, { recursive: true });
});

async function describeAll(path: string): Promise<Float32Array[]> {
  const faces = await detector.detect(path);
  const described = await detector.describe(path, faces);
  return described.filter((one) => one !== undefined);
}

async function describeVariant(name: string, change: (picture: Sharp) => Sharp): Promise<Float32Array[]> {
  const path = join(folder, `${name}.jpg`);
  await change(sharp(head)).jpeg({ quality: 85 }).toFile(path);
  return describeAll(path);
}

describe('descriptors of faces', () => {
  test('are 128 finite numbers, the same each time', async () => {
    const [[one], [other]] = [await describeAll(ASTRONAUT), await describeAll(ASTRONAUT)];
    expect(one).toHaveLength(128);
    expect(one?.every(Number.isFinite)).toBe(true);
    expect(one).toEqual(other);
  });

  test('keep the people of one photograph apart', { timeout: 60_000 }, async () => {
    let pairs = 0;
    for (const path of GROUPS) {
      const described = await describeAll(path);
      for (const [index, one] of described.entries()) {
        for (const other of described.slice(index + 1)) {
          expect(descriptorDistance(one, other), `${path} ${index}`).toBeGreaterThan(0.5);
          pairs += 1;
        }
      }
    }
    expect(pairs).toBeGreaterThan(15);
  });

  test.each<[string, (picture: Sharp) => Sharp]>([
    ['darker', (picture) => picture.linear(0.6, 0)],
    ['brighter', (picture) => picture.linear(1.2, 10)],
    ['smaller', (picture) => picture.resize(140)],
    ['tilted', (picture) => picture.rotate(12, { background: '#888' })],
    ['mirrored', (picture) => picture.flop()],
    ['grey', (picture) => picture.greyscale()],
    ['blurred', (picture) => picture.blur(1.2)],
    ['cropped', (picture) => picture.extract({ left: 30, top: 20, width: 180, height: 200 })],
  ])('of the same face, %s, are close', async (name, change) => {
    const [[original], [variant]] = [await describeAll(ASTRONAUT), await describeVariant(name, change)];
    if (!original || !variant) throw new Error('no face');
    expect(descriptorDistance(original, variant)).toBeLessThan(0.4);
    expect(descriptorDistance(stranger ?? [], variant)).toBeGreaterThan(0.5);
  });

  test('are not made of a face that is too small', async () => {
    const path = join(folder, 'small.jpg');
    await sharp(ASTRONAUT).flatten().resize(160).jpeg().toFile(path);
    const faces = [{ x: 0.354, y: 0.142, w: 0.163, h: 0.199 }];
    expect(await detector.describe(path, faces)).toEqual([undefined]);
  });
});
