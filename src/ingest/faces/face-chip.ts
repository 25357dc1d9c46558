import type { Pixels } from './face-pixels.ts';

export type Point = { readonly x: number; readonly y: number };

/** A square of a picture, turned: its centre and side in pixels, and its angle in radians (clockwise in the picture). */
type Chip = { readonly centre: Point; readonly side: number; readonly angle: number };

/** Where the mean of eyes and mouth lies in a chip, and how far the eyes are from the mouth: as dlib cuts faces (face-api). */
const REFERENCE_Y = 0.43;
const EYES_TO_MOUTH = 0.45;

const mean = (points: readonly Point[]): Point => ({
  x: points.reduce((sum, point) => sum + point.x, 0) / points.length,
  y: points.reduce((sum, point) => sum + point.y, 0) / points.length,
});
const distance = (one: Point, other: Point): number => Math.hypot(one.x - other.x, one.y - other.y);

/** The upright chip of a face by its 68 landmarks (iBUG 300-W: eyes 36 to 47, mouth 48 to 67), in pixels. */
export function chipOf(landmarks: readonly Point[]): Chip {
  const [left, right, mouth] = [landmarks.slice(36, 42), landmarks.slice(42, 48), landmarks.slice(48, 68)].map(mean);
  if (!left || !right || !mouth) throw new RangeError('expected 68 landmarks');
  const side = (distance(left, mouth) + distance(right, mouth)) / 2 / EYES_TO_MOUTH;
  const angle = Math.atan2(right.y - left.y, right.x - left.x);
  const reference = mean([left, right, mouth]);
  // The middle of the chip lies a little below the reference, along the face.
  const down = (0.5 - REFERENCE_Y) * side;
  const centre = { x: reference.x - Math.sin(angle) * down, y: reference.y + Math.cos(angle) * down };
  return { centre, side, angle };
}

/** The pixels of a chip, `sidePx` square; outside of the picture is black. Each is a mean over what it covers. */
export function cutChip({ data, width, height }: Pixels, { centre, side, angle }: Chip, sidePx: number): Uint8Array {
  const out = new Uint8Array(sidePx * sidePx * 3);
  const [sine, cosine] = [Math.sin(angle), Math.cos(angle)];
  // So many samples a pixel, in each direction, that none of the picture is passed over.
  const samples = Math.min(8, Math.max(1, Math.ceil(side / sidePx)));
  const share = 1 / (samples * samples);
  for (let row = 0; row < sidePx; row += 1) {
    for (let column = 0; column < sidePx; column += 1) {
      let [red, green, blue] = [0, 0, 0];
      for (let sample = 0; sample < samples * samples; sample += 1) {
        const across = ((column + ((sample % samples) + 0.5) / samples) / sidePx - 0.5) * side;
        const down = ((row + (Math.floor(sample / samples) + 0.5) / samples) / sidePx - 0.5) * side;
        const x = centre.x + across * cosine - down * sine - 0.5;
        const y = centre.y + across * sine + down * cosine - 0.5;
        const [left, top] = [Math.floor(x), Math.floor(y)];
        for (let corner = 0; corner < 4; corner += 1) {
          const [dx, dy] = [corner & 1, corner >> 1];
          const [px, py] = [left + dx, top + dy];
          if (px < 0 || py < 0 || px >= width || py >= height) continue;
          const weight = share * (dx ? x - left : 1 - x + left) * (dy ? y - top : 1 - y + top);
          const at = (py * width + px) * 3;
          red += weight * (data[at] ?? 0);
          green += weight * (data[at + 1] ?? 0);
          blue += weight * (data[at + 2] ?? 0);
        }
      }
      out.set([Math.round(red), Math.round(green), Math.round(blue)], (row * sidePx + column) * 3);
    }
  }
  return out;
}
