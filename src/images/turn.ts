/** Turning and mirroring: the parameters `rot` and `flip`. All eight ways to lay a picture down, each with one form. */
import type { FaceBox } from './focus-faces.ts';
import type { FocalPoint, Size, Window } from './focus-geometry.ts';

export const ROTATIONS = ['0', '90', '180', '270'] as const;
export type Degrees = 0 | 90 | 180 | 270;

export const FLIPS = ['h', 'v', 'hv'] as const;
export type Flip = (typeof FLIPS)[number];

/** Mirrored left to right first, then turned clockwise. */
export type Turn = { readonly mirrored: boolean; readonly degrees: Degrees };

export const NO_TURN: Turn = { mirrored: false, degrees: 0 };

export const isTurned = ({ mirrored, degrees }: Turn) => mirrored || degrees !== 0;

const CLOCKWISE: readonly Degrees[] = [0, 90, 180, 270];
const degreesOf = (quarters: number): Degrees => CLOCKWISE[((quarters % 4) + 4) % 4] ?? 0;

/** What a URL asks for: turned clockwise by `rot`, then mirrored by `flip`. */
export function turnOf(rot: Degrees, flip: Flip | undefined): Turn {
  // Upside down is left to right and half a turn; both ways is half a turn alone.
  const quarters = rot / 90 + (flip === 'v' || flip === 'hv' ? 2 : 0);
  const mirrored = flip === 'h' || flip === 'v';
  // Turning, then mirroring, is mirroring, then turning the other way.
  return { mirrored, degrees: degreesOf(mirrored ? -quarters : quarters) };
}

/** The shortest `rot` and `flip` that mean this turn. */
export function turnTexts({ mirrored, degrees }: Turn): { readonly rot?: string; readonly flip?: 'h' | 'v' } {
  if (!mirrored) return degrees === 0 ? {} : { rot: String(degrees) };
  if (degrees === 0) return { flip: 'h' };
  if (degrees === 180) return { flip: 'v' };
  return { flip: 'h', rot: String(360 - degrees) };
}

/** The size of a picture after the turn; turning back swaps the same sides. */
export const turnedSize = ({ width, height }: Size, { degrees }: Turn): Size =>
  degrees === 90 || degrees === 270 ? { width: height, height: width } : { width, height };

/** Where a point, in fractions, is after the turn. */
export function turnedPoint(point: FocalPoint, { mirrored, degrees }: Turn): FocalPoint {
  const x = mirrored ? 1 - point.x : point.x;
  const { y } = point;
  if (degrees === 90) return { x: 1 - y, y: x };
  if (degrees === 180) return { x: 1 - x, y: 1 - y };
  return degrees === 270 ? { x: y, y: 1 - x } : { x, y };
}

/** Where a face is after the turn. */
export function turnedFace(face: FaceBox, turn: Turn): FaceBox {
  const one = turnedPoint(face, turn);
  const other = turnedPoint({ x: face.x + face.w, y: face.y + face.h }, turn);
  return {
    ...face,
    x: Math.min(one.x, other.x),
    y: Math.min(one.y, other.y),
    w: Math.abs(other.x - one.x),
    h: Math.abs(other.y - one.y),
  };
}

/** The window of the picture as it is stored that is `window` after the turn; `source`: the stored picture's size. */
export function unturnedWindow(
  window: Window,
  { source, turn }: { readonly source: Size; readonly turn: Turn },
): Window {
  const { width, height } = turnedSize(window, turn);
  const right = window.left + window.width;
  const bottom = window.top + window.height;
  const at = {
    0: { left: window.left, top: window.top },
    90: { left: window.top, top: source.height - right },
    180: { left: source.width - right, top: source.height - bottom },
    270: { left: source.width - bottom, top: window.left },
  }[turn.degrees];
  return { left: turn.mirrored ? source.width - at.left - width : at.left, top: at.top, width, height };
}
