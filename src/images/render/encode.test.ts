import sharp, { type Sharp } from 'sharp';
import { beforeAll, describe, expect, test } from 'vitest';

import { noise, quarters } from '../../../test/support/pictures.ts';
import { renderWith } from '../../../test/support/render.ts';
import { encodeWithin } from './encode.ts';
import { createDeadline } from './pixels.ts';
import { createRenderer } from './renderer.ts';

const renderer = createRenderer();
let rough: Buffer;
beforeAll(async () => {
  rough = await noise(600, 400).png().toBuffer();
});

describe('maxbytes', () => {
  test.each(['jpeg', 'webp', 'avif'])(
    'lowers the quality of %s until it fits, and no further than it has to',
    async (fmt) => {
      const free = await renderWith(renderer, rough, { fmt });
      const limit = Math.round(free.bytes.length * 0.8);
      const image = await renderWith(renderer, rough, { fmt, maxbytes: String(limit) });
      expect(image.bytes.length).toBeLessThanOrEqual(limit);
      expect(image.bytes.length).toBeGreaterThan(limit * 0.75);
      expect(image).toMatchObject({ width: 600, height: 400 });
    },
  );

  test.each(['jpeg', 'webp', 'avif', 'png'])(
    'makes %s smaller where quality is not enough, with the same aspect',
    async (fmt) => {
      const image = await renderWith(renderer, rough, { fmt, maxbytes: '8000' });
      expect(image.bytes.length).toBeLessThanOrEqual(8000);
      expect(image.width).toBeLessThan(600);
      expect(image.width / image.height).toBeCloseTo(1.5, 1);
      const { width, height } = await sharp(image.bytes).metadata();
      expect([width, height]).toEqual([image.width, image.height]);
    },
  );

  test('leaves alone what fits', async () => {
    const even = await quarters(300, 200).png().toBuffer();
    const [free, limited] = await Promise.all([
      renderWith(renderer, even, { fmt: 'jpeg', q: '90' }),
      renderWith(renderer, even, { fmt: 'jpeg', q: '90', maxbytes: '50000' }),
    ]);
    expect(limited.bytes.length).toBe(free.bytes.length);
  });

  test('q is the highest quality it tries', async () => {
    const [asked, limited] = await Promise.all([
      renderWith(renderer, rough, { fmt: 'webp', q: '20' }),
      renderWith(renderer, rough, { fmt: 'webp', q: '20', maxbytes: '1000000' }),
    ]);
    expect(limited.bytes.length).toBe(asked.bytes.length);
  });

  test('makes at most six attempts, and answers the smallest when none fits', async () => {
    const pixels = await sharp(rough).raw().toBuffer();
    let attempts = 0;
    const open = (size: { width: number; height: number } | undefined) => {
      attempts += 1;
      const image = sharp(pixels, { raw: { width: 600, height: 400, channels: 3 } });
      return size ? image.resize({ ...size, fit: 'fill' }) : image;
    };
    const common = {
      format: 'jpeg',
      quality: undefined,
      deadline: createDeadline(60),
      // A credit line of 20 kB: nothing can be below.
      describe: (image: Sharp) => image.withXmp(`<x>${'x'.repeat(20_000)}</x>`),
      size: { width: 600, height: 400 },
      canShrink: true,
    } as const;
    const least = await encodeWithin(open, { ...common, maxBytes: 5000 });
    expect(attempts).toBe(6);
    expect(least.bytes.length).toBeGreaterThan(20_000);
    expect(least.bytes.length).toBeLessThan(22_000);
  });

  test('after half of the time it tries no more', async () => {
    let attempts = 0;
    const made = await encodeWithin(
      () => {
        attempts += 1;
        return sharp(rough);
      },
      {
        format: 'jpeg',
        quality: undefined,
        deadline: { secondsLeft: () => 1, isNear: true },
        describe: (image) => image,
        maxBytes: 1000,
        size: { width: 600, height: 400 },
        canShrink: true,
      },
    );
    expect(attempts).toBe(1);
    expect(made.bytes.length).toBeGreaterThan(1000);
  });
});
