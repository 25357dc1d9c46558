/** A photograph that nobody took: detail at every scale, hard edges, two real faces, and the grain of a sensor. */
import { fileURLToPath } from 'node:url';
import sharp from 'sharp';

const FACES = fileURLToPath(new URL('../../test/fixtures/faces/', import.meta.url));

/** Sums of so many bytes of a xorshift are near enough to a normal distribution (deviation 1). */
function createGrain(seed: number): () => number {
  let state = seed | 1;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    const sum = (state & 0xff) + ((state >>> 8) & 0xff) + ((state >>> 16) & 0xff) + (state >>> 24);
    return (sum - 510) / 147.8;
  };
}

/** Grey noise of one scale. */
async function octave(options: { width: number; height: number; step: number; deviation: number; seed: number }) {
  const { step, deviation } = options;
  const width = Math.ceil(options.width / step);
  const height = Math.ceil(options.height / step);
  const grain = createGrain(options.seed * 7919 + step);
  const data = Buffer.alloc(width * height);
  for (let at = 0; at < data.length; at += 1) data[at] = Math.max(0, Math.min(255, 128 + grain() * deviation));
  return sharp(data, { raw: { width, height, channels: 1 } })
    .resize(options.width, options.height, { fit: 'fill', kernel: 'cubic' })
    .toColourspace('b-w')
    .raw()
    .toBuffer();
}

/** Edges as of a pitch, shirts and boards. */
function drawing(width: number, height: number, seed: number): Buffer {
  const grain = createGrain(seed + 5);
  const colour = () => `hsl(${Math.round(grain() * 90 + 180)} 60% ${Math.round(45 + grain() * 12)}%)`;
  const shapes = Array.from({ length: 900 }, () => {
    const [x, y] = [(grain() / 6 + 0.5) * width, (grain() / 6 + 0.35) * height];
    const size = Math.abs(grain()) * 0.012 * width + 6;
    return `<g fill="${colour()}"><circle cx="${x}" cy="${y}" r="${size / 2}"/><rect x="${x - size / 2}" y="${y + size / 2}" width="${size}" height="${size * 1.6}"/></g>`;
  });
  const lines = Array.from(
    { length: 14 },
    (_, n) =>
      `<path d="M0 ${height * (0.62 + n * 0.03)} L${width} ${height * (0.58 + n * 0.035)}" stroke="#dfe" stroke-width="${width / 900}"/>`,
  );
  return Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><rect width="100%" height="100%" fill="#2d6a35"/><rect width="100%" height="45%" fill="#546072"/>${shapes.join('')}${lines.join('')}</svg>`,
  );
}

/** JPEG bytes; about 8 MB for 24 megapixels at quality 90, as cameras write. */
export async function drawPhoto(options: {
  readonly width: number;
  readonly height: number;
  readonly seed: number;
  readonly quality: number;
}): Promise<Buffer> {
  const { width, height, seed, quality } = options;
  const side = Math.round(height * 0.62);
  const [left, right] = await Promise.all(
    ['astronaut.png', 'camera.png'].map((name) => sharp(`${FACES}${name}`).resize(side, side).png().toBuffer()),
  );
  const base = await sharp(drawing(width, height, seed), { limitInputPixels: false })
    .resize(width, height, { fit: 'fill' })
    .composite([
      { input: left, left: Math.round(width * 0.3), top: Math.round(height * 0.1) },
      { input: right, left: Math.round(width * 0.72), top: Math.round(height * 0.25) },
    ])
    .removeAlpha()
    .raw()
    .toBuffer();
  // Amplitudes fall with the scale, as in natural pictures.
  for (const [step, deviation] of [
    [64, 14],
    [24, 11],
    [8, 9],
    [3, 8],
  ] as const) {
    const noise = await octave({ width, height, step, deviation, seed });
    for (let px = 0; px < noise.length; px += 1) {
      const change = (noise[px] ?? 128) - 128;
      for (let at = px * 3; at < px * 3 + 3; at += 1) base[at] = Math.max(0, Math.min(255, (base[at] ?? 0) + change));
    }
  }
  const grain = createGrain(seed + 99);
  for (let at = 0; at < base.length; at += 1) {
    base[at] = Math.max(0, Math.min(255, (base[at] ?? 0) + grain() * 9));
  }
  return sharp(base, { raw: { width, height, channels: 3 } })
    .jpeg({ quality, chromaSubsampling: '4:2:0' })
    .toBuffer();
}
