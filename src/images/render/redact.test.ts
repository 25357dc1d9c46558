import { fileURLToPath } from 'node:url';

import sharp from 'sharp';
import { beforeAll, describe, expect, test } from 'vitest';

import { colourAt, differenceOf, drawn, expectNear, noise } from '../../../test/support/pictures.ts';
import { renderWith } from '../../../test/support/render.ts';
import type { FaceBox } from '../focus-faces.ts';
import { createRenderer } from './renderer.ts';

const ASTRONAUT = fileURLToPath(new URL('../../../test/fixtures/faces/astronaut.png', import.meta.url));
const FACE: FaceBox = { x: 0.354, y: 0.142, w: 0.163, h: 0.199, score: 0.99 };

const renderer = createRenderer();
let photo: Buffer;
let rough: Buffer;
beforeAll(async () => {
  photo = await sharp(ASTRONAUT).jpeg({ quality: 95 }).toBuffer();
  rough = await noise(400, 300).png().toBuffer();
});

/** Different colours in a part of a picture, cell by cell of `cells` across. */
async function distinctColours(bytes: Buffer, box: { left: number; top: number; width: number; height: number }) {
  const data = await sharp(bytes).removeAlpha().extract(box).raw().toBuffer();
  const seen = new Set<string>();
  for (let at = 0; at < data.length; at += 3) seen.add(data.subarray(at, at + 3).toString('hex'));
  return seen.size;
}

describe('redact', () => {
  test('pixel leaves at most 5 x 5 colours of a face and a fifth around it', async () => {
    const face = { x: 0.4, y: 0.3, w: 0.2, h: 0.2, score: 1 };
    const { bytes } = await renderWith(renderer, rough, { redact: 'faces:pixel' }, { faces: [face] });
    // Grown by a fifth of 80 x 60: from 144 to 256 and from 78 to 162.
    expect(await distinctColours(bytes, { left: 144, top: 78, width: 112, height: 84 })).toBeLessThanOrEqual(25);
    expect(await distinctColours(bytes, { left: 0, top: 0, width: 100, height: 60 })).toBeGreaterThan(5000);
  });

  test('blur has no more of it than those colours: the face of a photograph is gone, the rest is as it was', async () => {
    const plain = await renderWith(renderer, photo, { w: '512' });
    for (const redact of ['faces', 'faces:pixel']) {
      const hidden = await renderWith(renderer, photo, { w: '512', redact }, { faces: [FACE] });
      const face = { left: 181, top: 73, width: 83, height: 102 };
      const fine = async (bytes: Buffer) => {
        // What is left of detail: the difference from the same face in 6 x 7 pixels.
        const cut = await sharp(await sharp(bytes).removeAlpha().extract(face).png().toBuffer())
          .png()
          .toBuffer();
        const coarse = await sharp(cut).resize(6, 7, { fit: 'fill' }).png().toBuffer();
        const again = await sharp(coarse).resize(83, 102, { fit: 'fill' }).png().toBuffer();
        return (await differenceOf(cut, again)).mean;
      };
      expect(await fine(plain.bytes)).toBeGreaterThan(15);
      // The edges of the cells are detail, but none of the face.
      if (redact === 'faces') expect(await fine(hidden.bytes)).toBeLessThan(4);
      const beside = { left: 0, top: 250, width: 512, height: 250 };
      const [a, b] = await Promise.all(
        [plain, hidden].map(({ bytes }) => sharp(bytes).extract(beside).png().toBuffer()),
      );
      expect((await differenceOf(a ?? photo, b ?? photo)).mean).toBeLessThan(1);
    }
  });

  test('happens before the crop, whatever its size, turn and zoom', async () => {
    // A face of white and black stripes: grey, once it is hidden.
    const striped = await drawn(600, 400, (x, y) => {
      const inside = x > 0.5 && x < 0.6 && y > 0.4 && y < 0.55;
      const value = inside ? (Math.floor(x * 600) % 2 === 0 ? 255 : 0) : 128;
      return [value, value, value];
    })
      .png()
      .toBuffer();
    const faces = [{ x: 0.5, y: 0.4, w: 0.1, h: 0.15, score: 1 }];
    for (const query of [
      {},
      { w: '300', h: '300', f: 'face' },
      { w: '60', h: '60', f: 'face', z: '1', pad: '0', up: '1' },
      { w: '200', h: '200', f: 'attention' },
      { w: '100', rot: '90' },
      { w: '100', flip: 'h', sharp: '5' },
      { rect: '300,160,60,60' },
      { w: '1200', up: '1' },
    ]) {
      const { bytes } = await renderWith(renderer, striped, { ...query, redact: 'faces:pixel' }, { faces });
      const [spread] = (await sharp(bytes).stats()).channels.map(({ stdev }) => stdev);
      expect(spread, JSON.stringify(query)).toBeLessThan(6);
    }
  });

  test('reaches every face, at the edge too, and overlapping ones', async () => {
    const faces = [
      { x: -0.05, y: -0.05, w: 0.2, h: 0.2, score: 1 },
      { x: 0.9, y: 0.9, w: 0.2, h: 0.2, score: 0.2 },
      { x: 0.4, y: 0.4, w: 0.2, h: 0.2, score: 1 },
      { x: 0.5, y: 0.5, w: 0.2, h: 0.2, score: 1 },
      { x: 1.2, y: 0, w: 0.1, h: 0.1, score: 1 },
    ];
    const { bytes } = await renderWith(renderer, rough, { redact: 'faces:pixel' }, { faces });
    expect(await distinctColours(bytes, { left: 0, top: 0, width: 60, height: 45 })).toBeLessThanOrEqual(25);
    expect(await distinctColours(bytes, { left: 350, top: 260, width: 50, height: 40 })).toBeLessThanOrEqual(25);
    expect(await distinctColours(bytes, { left: 160, top: 120, width: 90, height: 70 })).toBeLessThanOrEqual(50);
  });

  test('nothing transparent shows what was there', async () => {
    const glass = await drawn(100, 100, (x, y) => [Math.round(x * 255), Math.round(y * 255), 0, 128])
      .png()
      .toBuffer();
    const faces = [{ x: 0.2, y: 0.2, w: 0.6, h: 0.6, score: 1 }];
    const { bytes } = await renderWith(renderer, glass, { redact: 'faces:pixel', fmt: 'png' }, { faces });
    const centre = await colourAt(bytes, 0.5, 0.5);
    expectNear(centre, [128, 128, 0, 128], 12);
    expect(await distinctColours(bytes, { left: 10, top: 10, width: 80, height: 80 })).toBeLessThanOrEqual(25);
  });

  test('a picture without faces is as it was', async () => {
    const [plain, redacted] = await Promise.all([
      renderWith(renderer, photo, { w: '100' }),
      renderWith(renderer, photo, { w: '100', redact: 'faces' }),
    ]);
    expect(await differenceOf(plain.bytes, redacted.bytes)).toEqual({ most: 0, mean: 0 });
  });
});
