import sharp from 'sharp';
import { beforeAll, describe, expect, test } from 'vitest';

import {
  BLUE,
  colourAt,
  cornersOf,
  expectNear,
  GREEN,
  quarters,
  RED,
  type Rgb,
  WHITE,
  YELLOW,
} from '../../../test/support/pictures.ts';
import { renderWith } from '../../../test/support/render.ts';
import { createRenderer } from './renderer.ts';

const renderer = createRenderer();
let picture: Buffer;
let onItsSide: Buffer;
beforeAll(async () => {
  picture = await quarters(320, 200).png().toBuffer();
  // Orientation 6: what is stored is shown after a turn of 90 degrees clockwise.
  onItsSide = await quarters(320, 200).jpeg({ quality: 95 }).withMetadata({ orientation: 6 }).toBuffer();
});

async function expectCorners(bytes: Buffer, expected: readonly Rgb[]) {
  const corners = await cornersOf(bytes);
  for (const [index, colour] of expected.entries()) expectNear((corners[index] ?? []).slice(0, 3), colour);
}

describe('rot and flip', () => {
  test.each<[Record<string, string>, number, number, readonly Rgb[]]>([
    [{}, 320, 200, [RED, GREEN, BLUE, YELLOW]],
    [{ rot: '90' }, 200, 320, [BLUE, RED, YELLOW, GREEN]],
    [{ rot: '180' }, 320, 200, [YELLOW, BLUE, GREEN, RED]],
    [{ rot: '270' }, 200, 320, [GREEN, YELLOW, RED, BLUE]],
    [{ flip: 'h' }, 320, 200, [GREEN, RED, YELLOW, BLUE]],
    [{ flip: 'v' }, 320, 200, [BLUE, YELLOW, RED, GREEN]],
    [{ flip: 'hv' }, 320, 200, [YELLOW, BLUE, GREEN, RED]],
    [{ rot: '90', flip: 'h' }, 200, 320, [RED, BLUE, GREEN, YELLOW]],
    [{ rot: '90', flip: 'v' }, 200, 320, [YELLOW, GREEN, BLUE, RED]],
    [{ rot: '180', flip: 'h' }, 320, 200, [BLUE, YELLOW, RED, GREEN]],
  ])('%j lays the picture down as it says', async (query, width, height, corners) => {
    const image = await renderWith(renderer, picture, query);
    const seen = await sharp(image.bytes).metadata();
    expect([image.width, image.height, seen.width, seen.height]).toEqual([width, height, width, height]);
    await expectCorners(image.bytes, corners);
  });

  test('EXIF orientation comes first', async () => {
    const image = await renderWith(renderer, onItsSide, { rot: '270', w: '100' });
    expect(image).toMatchObject({ width: 100, height: 63 });
    await expectCorners(image.bytes, [RED, GREEN, BLUE, YELLOW]);
  });

  test('a crop of the turned picture keeps the asked part and its exact size, by whatever way it is scaled', async () => {
    for (const side of ['40', '150']) {
      const image = await renderWith(renderer, picture, { rot: '90', w: side, h: side, f: 's' });
      expect(image).toMatchObject({ width: Number(side), height: Number(side) });
      // The lower end of the turned picture is the right end of the stored one.
      await expectCorners(image.bytes, [YELLOW, GREEN, YELLOW, GREEN]);
    }
  });

  test('a face is kept in the crop wherever the turn takes it', async () => {
    const face = { x: 0.75, y: 0.1, w: 0.1, h: 0.2, score: 1 };
    const white = await quarters(320, 200)
      .composite([
        { input: { create: { width: 32, height: 40, channels: 3, background: '#fff' } }, left: 240, top: 20 },
      ])
      .png()
      .toBuffer();
    for (const query of [{ rot: '0' }, { rot: '90' }, { rot: '180' }, { rot: '270', flip: 'h' }, { flip: 'v' }]) {
      const tall = await renderWith(renderer, white, { ...query, w: '60', h: '160', f: 'face' }, { faces: [face] });
      const { data, info } = await sharp(tall.bytes).removeAlpha().raw().toBuffer({ resolveWithObject: true });
      let whites = 0;
      for (let at = 0; at < data.length; at += 3) if (Math.min(...data.subarray(at, at + 3)) > 200) whites += 1;
      const quarter = query.rot === '90' || query.rot === '270';
      // Pixels of the picture for one of the answer, whose height is what limits the crop.
      const scale = (quarter ? 320 : 200) / 160;
      expect([info.width, info.height]).toEqual([60, 160]);
      expect(whites / ((32 * 40) / scale ** 2), JSON.stringify(query)).toBeGreaterThan(0.85);
    }
  });

  test('the focal point turns with the picture', async () => {
    const query = { rot: '90', w: '50', h: '50', f: 'focal' };
    const image = await renderWith(renderer, picture, query, { focal: { x: 0.02, y: 0.5 } });
    await expectCorners(image.bytes, [BLUE, RED, BLUE, RED]);
  });

  test('padding lies around the turned picture', async () => {
    const image = await renderWith(renderer, picture, { rot: '90', w: '160', h: '160', fit: 'contain', bg: 'fff' });
    expect(image).toMatchObject({ width: 160, height: 160 });
    expectNear((await colourAt(image.bytes, 0.02, 0.5)).slice(0, 3), WHITE, 5);
    expectNear((await colourAt(image.bytes, 0.5 - 0.2, 0.02)).slice(0, 3), BLUE);
  });
});
