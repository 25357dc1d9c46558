import sharp from 'sharp';
import { beforeAll, describe, expect, test } from 'vitest';

import {
  BLUE,
  colourAt,
  differenceOf,
  drawn,
  expectNear,
  GREEN,
  noise,
  quarters,
  RED,
  WHITE,
} from '../../../test/support/pictures.ts';
import { renderWith } from '../../../test/support/render.ts';
import { createRenderer } from './renderer.ts';

const renderer = createRenderer();
let picture: Buffer;
/** Red in the middle, transparent around it. */
let cutOut: Buffer;
let rough: Buffer;
beforeAll(async () => {
  picture = await quarters(300, 200).png().toBuffer();
  const inside = (x: number, y: number) => Math.max(Math.abs(x - 0.5), Math.abs(y - 0.5)) < 0.25;
  cutOut = await drawn(200, 200, (x, y) => (inside(x, y) ? [255, 0, 0, 255] : [0, 0, 0, 0]))
    .png()
    .toBuffer();
  rough = await noise(400, 400).png().toBuffer();
});

const spreadOf = async (bytes: Buffer) => {
  const { channels } = await sharp(bytes).greyscale().stats();
  return channels[0]?.stdev ?? 0;
};

describe('bg', () => {
  test.each(['jpeg', 'png', 'webp', 'avif'])('lies under what is transparent, in %s', async (fmt) => {
    const { bytes } = await renderWith(renderer, cutOut, { fmt, bg: '00f' });
    expectNear(await colourAt(bytes, 0.02, 0.02), BLUE);
    expectNear(await colourAt(bytes, 0.5, 0.5), RED);
    expect((await sharp(bytes).metadata()).hasAlpha).toBe(false);
  });

  test('lies around a picture that does not fill its canvas', async () => {
    for (const [fmt, channels] of [
      ['jpeg', 3],
      ['png', 3],
    ] as const) {
      const { bytes } = await renderWith(renderer, picture, { w: '100', h: '100', fit: 'contain', bg: '0f0', fmt });
      const edge = await colourAt(bytes, 0.5, 0.02);
      expectNear(edge.slice(0, 3), GREEN);
      expect(edge.length).toBeGreaterThanOrEqual(channels);
      expect(edge[3] ?? 255).toBe(255);
    }
  });

  test('half transparent, it stays so; under JPEG it lies on white', async () => {
    const png = await renderWith(renderer, cutOut, { fmt: 'png', bg: '0000ff80' });
    expectNear(await colourAt(png.bytes, 0.02, 0.02), [0, 0, 255, 128], 3);
    expectNear(await colourAt(png.bytes, 0.5, 0.5), [255, 0, 0, 255], 3);
    const jpeg = await renderWith(renderer, cutOut, { fmt: 'jpeg', bg: '0000ff80' });
    expectNear(await colourAt(jpeg.bytes, 0.02, 0.02), [127, 127, 255], 12);
  });

  test('a half transparent canvas is seen around the picture only', async () => {
    const query = { w: '100', h: '100', fit: 'contain', bg: 'ff000080', fmt: 'png' };
    const { bytes } = await renderWith(renderer, picture, query);
    expectNear(await colourAt(bytes, 0.5, 0.02), [255, 0, 0, 128], 3);
    expectNear(await colourAt(bytes, 0.75, 0.4), [0, 255, 0, 255], 3);
  });
});

describe('blur', () => {
  test('is as wide as asked: an edge becomes the integral of the bell curve', async () => {
    const edge = await drawn(400, 60, (x) => (x < 0.5 ? [0, 0, 0] : [255, 255, 255]))
      .png()
      .toBuffer();
    for (const sigma of [2, 4, 10, 30]) {
      const { bytes } = await renderWith(renderer, edge, { blur: String(sigma) });
      const { data, info } = await sharp(bytes).greyscale().raw().toBuffer({ resolveWithObject: true });
      expect([info.width, info.height]).toEqual([400, 60]);
      const row = data.subarray(30 * 400, 31 * 400);
      // One deviation to either side of the edge the curve is at 15.9 % and 84.1 %.
      const at = (share: number) => row.findIndex((value) => value >= share * 255);
      const width = (at(0.841) - at(0.159)) / 2;
      expect(width / sigma, `sigma ${sigma}`).toBeGreaterThan(0.8);
      expect(width / sigma, `sigma ${sigma}`).toBeLessThan(1.3);
    }
  });

  test('goes on without a step where the way of blurring changes', async () => {
    const [small, large] = await Promise.all(
      ['4', '4.01'].map((blur) => renderWith(renderer, picture, { w: '300', blur })),
    );
    const difference = await differenceOf(small?.bytes ?? picture, large?.bytes ?? picture);
    expect(difference.mean).toBeLessThan(2);
  });

  test('the strongest leaves one colour of noise, in any size', async () => {
    for (const side of ['3', '40', '400']) {
      const image = await renderWith(renderer, rough, { w: side, h: side, blur: '100' });
      expect(image).toMatchObject({ width: Number(side), height: Number(side) });
      expect(await spreadOf(image.bytes)).toBeLessThan(4);
    }
  });

  test('does not blur the edge of the canvas', async () => {
    const query = { w: '100', h: '100', fit: 'contain', bg: 'fff', blur: '3' };
    const { bytes } = await renderWith(renderer, picture, query);
    // The picture takes 66 of 100 rows: rows 17 to 82.
    expectNear((await colourAt(bytes, 0.25, 0.15)).slice(0, 3), WHITE, 0);
    expectNear((await colourAt(bytes, 0.25, 0.18)).slice(0, 3), RED, 10);
  });

  test('keeps what is transparent, without a dark rim', async () => {
    const { bytes } = await renderWith(renderer, cutOut, { blur: '8', fmt: 'png' });
    const rim = await colourAt(bytes, 0.25, 0.5);
    expect(rim[3]).toBeGreaterThan(60);
    expect(rim[3]).toBeLessThan(200);
    expectNear(rim.slice(0, 3), RED, 12);
  });
});

describe('sharp', () => {
  test('raises the contrast at edges and leaves even parts alone', async () => {
    const edge = await drawn(200, 100, (x) => (x < 0.5 ? [60, 60, 60] : [180, 180, 180]))
      .png()
      .toBuffer();
    for (const sharpness of ['0.5', '2', '10']) {
      const { bytes } = await renderWith(renderer, edge, { sharp: sharpness });
      const { data } = await sharp(bytes).greyscale().raw().toBuffer({ resolveWithObject: true });
      const row = data.subarray(50 * 200, 51 * 200);
      expect(Math.max(...row), sharpness).toBeGreaterThan(184);
      expect(Math.min(...row), sharpness).toBeLessThan(56);
      expect([row.at(20), row.at(180)]).toEqual([60, 180]);
    }
  });

  test('works after a blur of any strength', async () => {
    for (const blur of ['2', '20']) {
      const [without, with_] = await Promise.all([
        renderWith(renderer, picture, { blur }),
        renderWith(renderer, picture, { blur, sharp: '3' }),
      ]);
      expect((await differenceOf(without.bytes, with_.bytes)).most, blur).toBeGreaterThan(0);
    }
  });
});

describe('wm', () => {
  const mark = () =>
    sharp({ create: { width: 80, height: 40, channels: 4, background: '#fff' } })
      .png()
      .toBuffer();
  const preset = async (more: object = {}) => ({
    image: await mark(),
    position: 'se' as const,
    opacity: 1,
    scale: 0.2,
    margin: 0.05,
    version: '1',
    ...more,
  });

  test('lies at its place, in its size, over the finished picture', async () => {
    const { bytes } = await renderWith(renderer, picture, { w: '300' }, { effects: { watermark: await preset() } });
    // 60 x 30 pixels, 10 from the lower right corner: x 230..290, y 160..190.
    expectNear((await colourAt(bytes, 0.85, 0.85)).slice(0, 3), WHITE, 0);
    for (const [x, y] of [
      [0.75, 0.85],
      [0.99, 0.85],
      [0.85, 0.78],
      [0.85, 0.97],
    ] as const) {
      expectNear((await colourAt(bytes, x, y)).slice(0, 3), [255, 255, 0], 2);
    }
    expect((await sharp(bytes).metadata()).hasAlpha).toBe(false);
  });

  test.each([
    ['nw', 0.08, 0.1],
    ['n', 0.5, 0.1],
    ['e', 0.9, 0.5],
    ['center', 0.5, 0.5],
    ['sw', 0.08, 0.9],
  ] as const)('position %s', async (position, x, y) => {
    const watermark = await preset({ position, margin: 0.02 });
    const { bytes } = await renderWith(renderer, picture, { w: '300', fmt: 'jpeg' }, { effects: { watermark } });
    expectNear(await colourAt(bytes, x, y), WHITE, 12);
  });

  test('is as transparent as the preset says', async () => {
    const watermark = await preset({ opacity: 0.5, position: 'nw' });
    const { bytes } = await renderWith(renderer, picture, { w: '300' }, { effects: { watermark } });
    expectNear((await colourAt(bytes, 0.1, 0.1)).slice(0, 3), [255, 128, 128], 4);
  });

  test('fits into the smallest picture, and a tall one into a wide picture', async () => {
    const tall = await sharp({ create: { width: 20, height: 400, channels: 4, background: '#fff' } })
      .png()
      .toBuffer();
    for (const watermark of [await preset(), await preset({ image: tall, scale: 1, margin: 0.4 })]) {
      for (const [w, h] of [
        ['1', '1'],
        ['300', '2'],
        ['2', '200'],
      ] as const) {
        const image = await renderWith(renderer, picture, { w, h, fit: 'fill' }, { effects: { watermark } });
        expect(image).toMatchObject({ width: Number(w), height: Number(h) });
      }
    }
  });

  test('is not turned with the picture, and keeps transparency around it', async () => {
    const watermark = await preset({ position: 'nw', margin: 0 });
    const query = { rot: '180', fmt: 'png' };
    const { bytes } = await renderWith(renderer, cutOut, query, { effects: { watermark } });
    expectNear(await colourAt(bytes, 0.1, 0.05), [255, 255, 255, 255], 0);
    expect((await colourAt(bytes, 0.9, 0.9))[3]).toBe(0);
  });
});
