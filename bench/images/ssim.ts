/**
 * Structural similarity of two pictures: Wang, Bovik, Sheikh, Simoncelli, "Image quality assessment: from error visibility to
 * structural similarity", IEEE Transactions on Image Processing 13 (2004), with the constants of section III.C: a Gaussian
 * window of 11 x 11 with deviation 1.5, K1 = 0.01, K2 = 0.03, on luma (ITU-R BT.601), mean over all places of the window.
 */
import sharp from 'sharp';

export type Luma = { readonly width: number; readonly height: number; readonly values: Float64Array };

const RADIUS = 5;
const DEVIATION = 1.5;
const C1 = (0.01 * 255) ** 2;
const C2 = (0.03 * 255) ** 2;

const WEIGHTS = (() => {
  const raw = Array.from({ length: RADIUS * 2 + 1 }, (_, n) => Math.exp(-((n - RADIUS) ** 2) / (2 * DEVIATION ** 2)));
  const sum = raw.reduce((total, one) => total + one, 0);
  return Float64Array.from(raw, (one) => one / sum);
})();

/** An encoded picture as luma, 0..255. */
export async function lumaOf(encoded: Buffer): Promise<Luma> {
  const { data, info } = await sharp(encoded)
    .removeAlpha()
    .toColourspace('srgb')
    .raw()
    .toBuffer({ resolveWithObject: true });
  const values = new Float64Array(info.width * info.height);
  for (let px = 0; px < values.length; px += 1) {
    const [r = 0, g = 0, b = 0] = data.subarray(px * info.channels, px * info.channels + 3);
    values[px] = 0.299 * r + 0.587 * g + 0.114 * b;
  }
  return { width: info.width, height: info.height, values };
}

/** Weighted means of the product of two pictures, where the window lies within them. */
function blurred(a: Float64Array, b: Float64Array | undefined, { width, height }: Luma): Float64Array {
  const innerWidth = width - 2 * RADIUS;
  const innerHeight = height - 2 * RADIUS;
  const rows = new Float64Array(innerWidth * height);
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < innerWidth; x += 1) {
      let sum = 0;
      for (let n = 0; n < WEIGHTS.length; n += 1) {
        const at = y * width + x + n;
        sum += (WEIGHTS[n] ?? 0) * (a[at] ?? 0) * (b ? (b[at] ?? 0) : 1);
      }
      rows[y * innerWidth + x] = sum;
    }
  }
  const means = new Float64Array(innerWidth * innerHeight);
  for (let y = 0; y < innerHeight; y += 1) {
    for (let x = 0; x < innerWidth; x += 1) {
      let sum = 0;
      for (let n = 0; n < WEIGHTS.length; n += 1) sum += (WEIGHTS[n] ?? 0) * (rows[(y + n) * innerWidth + x] ?? 0);
      means[y * innerWidth + x] = sum;
    }
  }
  return means;
}

/** 1 for equal pictures; both of the same size, at least 11 pixels a side. */
export function ssim(a: Luma, b: Luma): number {
  if (a.width !== b.width || a.height !== b.height) {
    throw new Error(`expected pictures of one size, received ${a.width}x${a.height} and ${b.width}x${b.height}`);
  }
  const meanA = blurred(a.values, undefined, a);
  const meanB = blurred(b.values, undefined, b);
  const squareA = blurred(a.values, a.values, a);
  const squareB = blurred(b.values, b.values, b);
  const product = blurred(a.values, b.values, a);
  let sum = 0;
  for (let at = 0; at < meanA.length; at += 1) {
    const [ma = 0, mb = 0] = [meanA[at], meanB[at]];
    const varianceA = (squareA[at] ?? 0) - ma * ma;
    const varianceB = (squareB[at] ?? 0) - mb * mb;
    const covariance = (product[at] ?? 0) - ma * mb;
    sum += ((2 * ma * mb + C1) * (2 * covariance + C2)) / ((ma * ma + mb * mb + C1) * (varianceA + varianceB + C2));
  }
  return sum / meanA.length;
}
