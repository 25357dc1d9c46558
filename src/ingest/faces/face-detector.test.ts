import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createLogger } from '../../base/index.ts';
import { overlap } from './face-boxes.ts';
import { createFaceDetector, type FaceDetector } from './face-detector.ts';

const logger = createLogger({ level: 'silent' });
const fixture = (name: string) => fileURLToPath(new URL(`../../../test/fixtures/faces/${name}`, import.meta.url));
/** Where the faces are, by the fixtures' README. */
const ASTRONAUT_FACE = { x: 0.354, y: 0.142, w: 0.163, h: 0.199 };
const CAMERA_FACE = { x: 0.395, y: 0.233, w: 0.104, h: 0.156 };

let folder: string;
let detector: FaceDetector;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'faces-'));
  detector = createFaceDetector({ logger, timeoutMs: 60_000 });
});
afterAll(async () => {
  await detector.close();
  await rm(folder, { recursive: true });
});

/** A drawn pitch with stands, goal, floodlights and advertising boards. */
function drawnScene(width: number, height: number) {
  const boards = Array.from({ length: 12 }, (_, i) => {
    return `<rect x="${i * 200 + 10}" y="620" width="180" height="70" fill="hsl(${i * 47},70%,45%)"/>`;
  });
  const lights = Array.from({ length: 5 }, (_, i) => `<circle cx="${i * 520 + 150}" cy="120" r="45" fill="#fffbe0"/>`);
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 2400 1600" width="${width}" height="${height}">
    <rect width="2400" height="700" fill="#3b4a63"/><rect y="690" width="2400" height="910" fill="#2f7d3a"/>
    ${boards.join('')}${lights.join('')}
    <path d="M900 700 V430 H1500 V700" fill="none" stroke="#fff" stroke-width="16"/>
    <circle cx="1200" cy="1250" r="230" fill="none" stroke="#fff" stroke-width="12"/></svg>`;
  return sharp(Buffer.from(svg));
}

async function sceneWithFace(options: {
  readonly name: string;
  readonly left: number;
  readonly top: number;
  readonly side: number;
}) {
  const path = join(folder, options.name);
  const portrait = await sharp(fixture('astronaut.png')).resize(options.side).toBuffer();
  await drawnScene(2400, 1600)
    .composite([{ input: portrait, left: options.left, top: options.top }])
    .jpeg({ quality: 85 })
    .toFile(path);
  return path;
}

describe('faces in photographs', () => {
  test('a portrait has its one face, and the helmet is none', async () => {
    const faces = await detector.detect(fixture('astronaut.png'));
    expect(faces).toHaveLength(1);
    expect(overlap(faces[0] ?? { x: 0, y: 0, w: 0, h: 0 }, ASTRONAUT_FACE)).toBeGreaterThan(0.5);
    expect(faces[0]?.score).toBeGreaterThan(0.9);
  });

  test('a grey profile off the centre is found', async () => {
    const faces = await detector.detect(fixture('camera.png'));
    expect(faces).toHaveLength(1);
    expect(overlap(faces[0] ?? { x: 0, y: 0, w: 0, h: 0 }, CAMERA_FACE)).toBeGreaterThan(0.5);
  });

  test.each([
    { at: 'top left', left: 20, top: 10, side: 700 },
    { at: 'bottom right', left: 1850, top: 1050, side: 540 },
    { at: 'left edge, small', left: 0, top: 900, side: 300 },
    { at: 'right of the centre, large', left: 1150, top: 200, side: 1250 },
  ])('a face pasted into a 2400 x 1600 scene is found: $at', async ({ at, left, top, side }) => {
    const path = await sceneWithFace({ name: `${at}.jpg`, left, top, side });
    const faces = await detector.detect(path);
    const expected = {
      x: (left + ASTRONAUT_FACE.x * side) / 2400,
      y: (top + ASTRONAUT_FACE.y * side) / 1600,
      w: (ASTRONAUT_FACE.w * side) / 2400,
      h: (ASTRONAUT_FACE.h * side) / 1600,
    };
    expect(faces).toHaveLength(1);
    expect(overlap(faces[0] ?? { x: 0, y: 0, w: 0, h: 0 }, expected)).toBeGreaterThan(0.5);
  });

  test('boxes describe the picture as it is shown, not as it is stored', async () => {
    const path = join(folder, 'sideways.jpg');
    // Turned left, with the orientation that tells a viewer to turn it right again.
    const stored = await sharp(fixture('astronaut.png')).rotate(270).jpeg().toBuffer();
    await sharp(stored).withMetadata({ orientation: 6 }).toFile(path);
    const [face] = await detector.detect(path);
    expect(overlap(face ?? { x: 0, y: 0, w: 0, h: 0 }, ASTRONAUT_FACE)).toBeGreaterThan(0.5);
  });

  test('drawn scenery has no faces', async () => {
    const path = join(folder, 'scenery.jpg');
    await drawnScene(2048, 1365).jpeg().toFile(path);
    expect(await detector.detect(path)).toEqual([]);
  });

  test('a picture of one pixel has no faces', async () => {
    const path = join(folder, 'pixel.png');
    await sharp({ create: { width: 1, height: 1, channels: 3, background: '#fff' } })
      .png()
      .toFile(path);
    expect(await detector.detect(path)).toEqual([]);
  });
});

describe('the detector', () => {
  test('says that it works here', async () => {
    expect(await detector.available()).toBe(true);
  });

  test('refuses a file that is no picture and goes on with the next', async () => {
    const path = join(folder, 'text.jpg');
    await writeFile(path, 'no picture');
    await expect(detector.detect(path)).rejects.toMatchObject({ code: 'file_damaged' });
    expect(await detector.detect(fixture('astronaut.png'))).toHaveLength(1);
  });

  test('that runs out of time fails the call, and the next call gets a new child', async () => {
    const hurried = createFaceDetector({ logger, timeoutMs: 1 });
    for (const _ of ['first', 'second']) {
      await expect(hurried.detect(fixture('astronaut.png'))).rejects.toMatchObject({
        code: 'unavailable',
        details: { reason: 'timeout' },
      });
    }
    await hurried.close();
  });

  test('stops at the signal of its caller and serves the next one', async () => {
    const reason = new Error('the asset was deleted');
    const controller = new AbortController();
    const first = detector.detect(fixture('astronaut.png'), controller.signal);
    const second = detector.detect(fixture('camera.png'));
    controller.abort(reason);
    await expect(first).rejects.toBe(reason);
    expect(await second).toHaveLength(1);
  });

  test('is closed for good', async () => {
    const short = createFaceDetector({ logger, timeoutMs: 60_000 });
    await short.close();
    await expect(short.detect(fixture('astronaut.png'))).rejects.toMatchObject({ code: 'unavailable' });
  });
});
