import sharp from 'sharp';
import { beforeAll, describe, expect, test } from 'vitest';

import {
  BLUE,
  colourAt,
  expectNear,
  GREEN,
  quarters,
  RED,
  type Rgb,
  WHITE,
  YELLOW,
} from '../../../test/support/pictures.ts';
import { renderWith } from '../../../test/support/render.ts';
import { AppError } from '../../base/index.ts';
import { createRenderer } from './renderer.ts';

const renderer = createRenderer();
const FRAMES: readonly Rgb[] = [RED, GREEN, BLUE];
const DELAYS = [100, 200, 300];

/** Frames of one colour each, the right half yellow. */
async function moving(format: 'gif' | 'webp', count = FRAMES.length, side = { width: 80, height: 60 }) {
  const frames = Array.from({ length: count }, (_, index) => {
    const [r = 0, g = 0, b = 0] = FRAMES[index % FRAMES.length] ?? RED;
    const half = { create: { width: side.width / 2, height: side.height, channels: 3, background: '#ff0' } } as const;
    return sharp({ create: { ...side, channels: 3, background: { r, g, b } } })
      .composite([{ input: half, left: side.width / 2, top: 0 }])
      .png()
      .toBuffer();
  });
  const joined = sharp(await Promise.all(frames), { join: { animated: true } });
  const delay = Array.from({ length: count }, (_, index) => DELAYS[index % DELAYS.length] ?? 100);
  return format === 'gif'
    ? joined.gif({ delay, loop: 2 }).toBuffer()
    : joined.webp({ delay, loop: 2, lossless: true }).toBuffer();
}

const framesOf = (bytes: Buffer) => Promise.all(FRAMES.map((_, page) => sharp(bytes, { page }).png().toBuffer()));

let gif: Buffer;
let webp: Buffer;
beforeAll(async () => {
  [gif, webp] = await Promise.all([moving('gif'), moving('webp')]);
});

describe('anim=1', () => {
  test.each(['gif', 'webp'])('a %s stays an animation with its times', async (kind) => {
    const source = kind === 'gif' ? gif : webp;
    const image = await renderWith(renderer, source, { anim: '1', fmt: 'webp', w: '40' });
    expect(image).toMatchObject({ width: 40, height: 30, contentType: 'image/webp' });
    const { pages, delay, loop, pageHeight, width } = await sharp(image.bytes, { animated: true }).metadata();
    expect({ pages, delay, loop, pageHeight, width }).toEqual({
      pages: 3,
      delay: DELAYS,
      loop: 2,
      pageHeight: 30,
      width: 40,
    });
    for (const [index, frame] of (await framesOf(image.bytes)).entries()) {
      expectNear((await colourAt(frame, 0.2, 0.5)).slice(0, 3), FRAMES[index] ?? WHITE);
      expectNear((await colourAt(frame, 0.8, 0.5)).slice(0, 3), YELLOW);
    }
  });

  test('every frame gets the crop, the turn, the canvas and the effects', async () => {
    const mark = await sharp({ create: { width: 8, height: 8, channels: 4, background: '#fff' } })
      .png()
      .toBuffer();
    const watermark = { image: mark, position: 'nw', opacity: 1, scale: 0.2, margin: 0, version: '1' } as const;
    const query = { anim: '1', fmt: 'webp', w: '60', h: '60', fit: 'contain', rot: '90', blur: '1', bg: 'ffffff' };
    const image = await renderWith(renderer, webp, query, {
      effects: { watermark, background: { r: 255, g: 255, b: 255, alpha: 1 } },
    });
    expect(image).toMatchObject({ width: 60, height: 60 });
    for (const [index, frame] of (await framesOf(image.bytes)).entries()) {
      expectNear((await colourAt(frame, 0.02, 0.5)).slice(0, 3), WHITE, 12);
      expectNear((await colourAt(frame, 0.1, 0.1)).slice(0, 3), WHITE, 12);
      // The left of the stored picture is above after the turn.
      expectNear((await colourAt(frame, 0.5, 0.35)).slice(0, 3), FRAMES[index] ?? WHITE);
      expectNear((await colourAt(frame, 0.5, 0.85)).slice(0, 3), YELLOW);
    }
  });

  test.each(['w', 'e', 'attention', 'entropy'])('all frames show the same part (%s)', async (f) => {
    const image = await renderWith(renderer, webp, { anim: '1', fmt: 'webp', w: '20', h: '40', f });
    expect(image).toMatchObject({ width: 20, height: 40 });
    const frames = await framesOf(image.bytes);
    expect(frames).toHaveLength(3);
    if (f === 'w')
      for (const [index, frame] of frames.entries())
        expectNear((await colourAt(frame, 0.3, 0.5)).slice(0, 3), FRAMES[index] ?? WHITE);
    if (f === 'e') for (const frame of frames) expectNear((await colourAt(frame, 0.5, 0.5)).slice(0, 3), YELLOW);
  });

  test('without it, in another format, and with redact, the answer is the first frame', async () => {
    const faces = [{ x: 0.1, y: 0.1, w: 0.2, h: 0.2, score: 1 }];
    for (const query of [{ fmt: 'webp' }, { fmt: 'png', anim: '1' }, { fmt: 'webp', anim: '1', redact: 'faces' }]) {
      const { bytes } = await renderWith(renderer, gif, query, { faces });
      expect((await sharp(bytes, { animated: true }).metadata()).pages ?? 1).toBe(1);
      expectNear((await colourAt(bytes, 0.2, 0.5)).slice(0, 3), RED);
    }
  });

  test('a picture that does not move is as without it', async () => {
    const still = await quarters(80, 60).webp({ lossless: true }).toBuffer();
    const { bytes } = await renderWith(renderer, still, { anim: '1', fmt: 'webp', w: '40' });
    expect((await sharp(bytes).metadata()).pages ?? 1).toBe(1);
  });

  test('fits into maxbytes by quality', async () => {
    const free = await renderWith(renderer, webp, { anim: '1', fmt: 'webp', q: '100' });
    const image = await renderWith(renderer, webp, { anim: '1', fmt: 'webp', q: '100', maxbytes: '1000' });
    expect((await sharp(image.bytes, { animated: true }).metadata()).pages).toBe(3);
    expect(image.bytes.length).toBeLessThanOrEqual(Math.max(1000, free.bytes.length));
  });

  test('too many frames, and too many pixels in them, are refused by name', async () => {
    const long = await moving('gif', 601, { width: 4, height: 4 });
    const refusal = await renderWith(renderer, long, { anim: '1', fmt: 'webp' }).catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(AppError);
    expect(refusal).toMatchObject({ code: 'file_limits_exceeded' });
    expect(String(refusal)).toContain('600 frames');
    const large = await renderWith(renderer, gif, { anim: '1', fmt: 'webp', w: '8000', up: '1' }).catch(
      (error: unknown) => error,
    );
    expect(large).toMatchObject({ code: 'file_limits_exceeded' });
    // As a still, both are good.
    expect(await renderWith(renderer, long, { fmt: 'webp' })).toMatchObject({ width: 4, height: 4 });
  });
});
