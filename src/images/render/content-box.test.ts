import { beforeAll, describe, expect, test } from 'vitest';

import { drawn, type Rgb } from '../../../test/support/pictures.ts';
import { turnOf } from '../turn.ts';
import { createRenderer } from './renderer.ts';

const renderer = createRenderer();
const SIZE = { width: 400, height: 300 };

/** A red box from 25 % to 75 % across and 20 % to 90 % down, on `around`. */
const boxed = (around: Rgb) =>
  drawn(SIZE.width, SIZE.height, (x, y) =>
    x > 0.25 && x < 0.75 && y > 0.2 && y < 0.9 ? [255, 0, 0, ...around.slice(3).map(() => 255)] : around,
  );

let onWhite: Buffer;
beforeAll(async () => {
  onWhite = await boxed([255, 255, 255]).png().toBuffer();
});

const find = (source: Buffer, more: Partial<Parameters<typeof renderer.findContent>[0]> = {}) =>
  renderer.findContent({ source, threshold: 10, original: SIZE, ...more });

const expectBox = (box: { x: number; y: number; w: number; h: number }, expected: readonly number[]) => {
  for (const [index, value] of [box.x, box.y, box.w, box.h].entries())
    expect(value).toBeCloseTo(expected[index] ?? 9, 2);
};

describe('borders of one colour', () => {
  test('are found around a box, white, coloured or transparent', async () => {
    for (const around of [
      [255, 255, 255],
      [10, 60, 20],
      [0, 0, 0, 0],
    ] as const) {
      expectBox(await find(await boxed(around).png().toBuffer()), [0.25, 0.2, 0.5, 0.7]);
    }
  });

  test('are found in the turned picture, and inside of rect', async () => {
    expectBox(
      await find(onWhite, { turn: turnOf(90, undefined), original: { width: 300, height: 400 } }),
      [0.1, 0.25, 0.7, 0.5],
    );
    expectBox(await find(onWhite, { turn: turnOf(0, 'v') }), [0.25, 0.1, 0.5, 0.7]);
    const rect = { unit: 'ratio', x: 0, y: 0, w: 0.5, h: 0.5 } as const;
    expectBox(await find(onWhite, { rect }), [0.25, 0.2, 0.25, 0.3]);
    expectBox(await find(onWhite, { rect: { unit: 'px', x: 0, y: 0, w: 200, h: 150 } }), [0.25, 0.2, 0.25, 0.3]);
  });

  test('may differ by the threshold and no more', async () => {
    const dirty = await drawn(SIZE.width, SIZE.height, (x, y) => {
      if (x > 0.25 && x < 0.75 && y > 0.2 && y < 0.9) return [255, 0, 0];
      return x > 0.9 ? [235, 235, 235] : [255, 255, 255];
    })
      .png()
      .toBuffer();
    expectBox(await find(dirty, { threshold: 40 }), [0.25, 0.2, 0.5, 0.7]);
    expectBox(await find(dirty, { threshold: 5 }), [0.25, 0, 0.75, 1]);
  });

  test('of JPEG are not quite of one colour', async () => {
    const jpeg = await boxed([255, 255, 255]).jpeg({ quality: 60 }).toBuffer();
    const box = await find(jpeg, { threshold: 20 });
    expect(Math.abs(box.x - 0.25)).toBeLessThan(0.02);
    expect(Math.abs(box.w - 0.5)).toBeLessThan(0.04);
  });

  test('are not there in a picture without them, or in one of a single colour', async () => {
    const full = await drawn(60, 40, (x, y) => [x * 255, y * 255, 128])
      .png()
      .toBuffer();
    expectBox(await find(full), [0, 0, 1, 1]);
    expectBox(
      await find(
        await drawn(60, 40, () => [9, 9, 9])
          .png()
          .toBuffer(),
      ),
      [0, 0, 1, 1],
    );
    expectBox(
      await find(
        await drawn(1, 1, () => [9, 9, 9])
          .png()
          .toBuffer(),
      ),
      [0, 0, 1, 1],
    );
  });
});
