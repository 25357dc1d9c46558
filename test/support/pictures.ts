/** Pictures drawn pixel by pixel, and what is seen in answers. Nothing here needs the SVG decoder, which the renderer forbids. */
import sharp, { type Sharp } from 'sharp';
import { expect } from 'vitest';

export type Rgb = readonly number[];

export const RED: Rgb = [255, 0, 0];
export const GREEN: Rgb = [0, 255, 0];
export const BLUE: Rgb = [0, 0, 255];
export const YELLOW: Rgb = [255, 255, 0];
export const WHITE: Rgb = [255, 255, 255];

/** A picture from the colour (three or four channels) at each place in fractions. */
export function drawn(width: number, height: number, colourOf: (x: number, y: number) => Rgb): Sharp {
  const channels = colourOf(0, 0).length === 4 ? 4 : 3;
  const data = Buffer.alloc(width * height * channels);
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      data.set(colourOf((x + 0.5) / width, (y + 0.5) / height), (y * width + x) * channels);
    }
  }
  return sharp(data, { raw: { width, height, channels } });
}

/** Red and green above, blue and yellow below. */
export const quarters = (width: number, height: number): Sharp =>
  drawn(width, height, (x, y) => (y < 0.5 ? (x < 0.5 ? RED : GREEN) : x < 0.5 ? BLUE : YELLOW));

/** Even noise that no encoder can make small; the same for the same seed. */
export function noise(width: number, height: number, seed = 1): Sharp {
  let state = seed;
  const next = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state >>> 24;
  };
  return drawn(width, height, () => [next(), next(), next()]);
}

/** The colour at a place given in fractions of the picture, 8 bits a channel. */
export async function colourAt(bytes: Buffer, x: number, y: number): Promise<number[]> {
  const { data, info } = await sharp(bytes).raw().toBuffer({ resolveWithObject: true });
  const at = (Math.floor(y * (info.height - 1)) * info.width + Math.floor(x * (info.width - 1))) * info.channels;
  return [...data.subarray(at, at + info.channels)];
}

/** The colours of a picture at places of a 2 x 2 grid: upper left, upper right, lower left, lower right. */
export const cornersOf = (bytes: Buffer): Promise<number[][]> =>
  Promise.all(
    [
      [0.25, 0.25],
      [0.75, 0.25],
      [0.25, 0.75],
      [0.75, 0.75],
    ].map(([x = 0, y = 0]) => colourAt(bytes, x, y)),
  );

export function expectNear(actual: Rgb, expected: Rgb, tolerance = 40): void {
  expect(actual.length).toBe(expected.length);
  for (const [index, value] of expected.entries()) {
    const message = `${actual.join()} near ${expected.join()}`;
    expect(Math.abs((actual[index] ?? 999) - value), message).toBeLessThanOrEqual(tolerance);
  }
}

/** Greatest and mean difference of two pictures of one size, 0..255. */
export async function differenceOf(
  one: Buffer,
  other: Buffer,
): Promise<{ readonly most: number; readonly mean: number }> {
  const [a, b] = await Promise.all([one, other].map((bytes) => sharp(bytes).removeAlpha().raw().toBuffer()));
  if (!a || !b || a.length !== b.length) throw new Error('expected two pictures of one size');
  let [most, sum] = [0, 0];
  for (let index = 0; index < a.length; index += 1) {
    const difference = Math.abs((a[index] ?? 0) - (b[index] ?? 0));
    most = Math.max(most, difference);
    sum += difference;
  }
  return { most, mean: sum / a.length };
}
