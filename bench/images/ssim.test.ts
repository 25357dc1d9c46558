import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { type Luma, lumaOf, ssim } from './ssim.ts';

const flat = (value: number): Luma => ({ width: 20, height: 20, values: new Float64Array(400).fill(value) });

describe('structural similarity', () => {
  test('is 1 for a picture and itself', () => {
    const values = Float64Array.from({ length: 400 }, (_, n) => (n * 37) % 256);
    const picture = { width: 20, height: 20, values };
    expect(ssim(picture, picture)).toBeCloseTo(1, 10);
  });

  test('of two flat greys is what the formula of the paper gives for means alone', () => {
    const c1 = 6.5025;
    expect(ssim(flat(100), flat(150))).toBeCloseTo((2 * 100 * 150 + c1) / (100 ** 2 + 150 ** 2 + c1), 10);
  });

  test('of a picture and its negative is below nothing', () => {
    const values = Float64Array.from({ length: 400 }, (_, n) => 128 + ((n * 37) % 101) - 50);
    const negative = values.map((value) => 256 - value);
    expect(ssim({ width: 20, height: 20, values }, { width: 20, height: 20, values: negative })).toBeLessThan(-0.5);
  });

  test('falls with the quality of a JPEG', async () => {
    const noise = { type: 'gaussian', mean: 128, sigma: 30 } as const;
    const png = await sharp({ create: { width: 100, height: 100, channels: 3, background: '#888', noise } })
      .png()
      .toBuffer();
    const reference = await lumaOf(png);
    const at = async (quality: number) => ssim(reference, await lumaOf(await sharp(png).jpeg({ quality }).toBuffer()));
    const [low, high] = [await at(20), await at(95)];
    expect(low).toBeLessThan(high);
    expect(high).toBeGreaterThan(0.95);
  });
});
