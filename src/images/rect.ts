/** The part of a picture that everything else happens in: the parameter `rect`. */
import type { FaceBox } from './focus-faces.ts';
import { clamp, type FocalPoint, type Size, type Window } from './focus-geometry.ts';

/** Left, top, width and height: whole pixels of the original, or fractions (0..1) of the oriented picture. */
export type Rect = {
  readonly unit: 'px' | 'ratio';
  readonly x: number;
  readonly y: number;
  readonly w: number;
  readonly h: number;
};

/** Five decimals: below one pixel up to a picture of 100,000 px. */
const RATIO_DECIMALS = 5;

/** A face of which less than this share is inside is not in the part any more. */
const MIN_FACE_INSIDE = 0.5;

/** Integers only are pixels; one decimal point makes all four fractions. Undefined when malformed or empty. */
export function parseRect(text: string): Rect | undefined {
  const parts = text.split(',');
  const [x, y, w, h] = parts.map(Number);
  if (parts.length !== 4 || x === undefined || y === undefined || w === undefined || h === undefined) return undefined;
  if (parts.every((part) => /^\d{1,6}$/.test(part))) return w > 0 && h > 0 ? { unit: 'px', x, y, w, h } : undefined;
  if (!parts.every((part) => /^(?:\d(?:\.\d{0,12})?|\.\d{1,12})$/.test(part))) return undefined;
  if (Math.max(x, y, w, h) > 1) return undefined;
  const rounded = (value: number) => Number(value.toFixed(RATIO_DECIMALS));
  const rect = {
    unit: 'ratio',
    x: rounded(x),
    y: rounded(y),
    w: rounded(Math.min(w, 1 - x)),
    h: rounded(Math.min(h, 1 - y)),
  } as const;
  return rect.w > 0 && rect.h > 0 ? rect : undefined;
}

/** The canonical text; undefined where it is the whole picture. */
export function rectText({ unit, x, y, w, h }: Rect): string | undefined {
  // What lies outside was cut off, so fractions without a decimal point can only be 0,0,1,1.
  return unit === 'ratio' && w === 1 && h === 1 ? undefined : `${x},${y},${w},${h}`;
}

/**
 * The part of a picture of size `source` in whole pixels; undefined when nothing of it is inside. `original`: the size, in the
 * pixels that `rect` counts in.
 */
export function windowOfRect(
  rect: Rect,
  { source, original }: { readonly source: Size; readonly original: Size },
): Window | undefined {
  const unit = rect.unit === 'px' ? original : { width: 1, height: 1 };
  const left = (rect.x / unit.width) * source.width;
  const top = (rect.y / unit.height) * source.height;
  if (left >= source.width || top >= source.height) return undefined;
  const right = Math.min(((rect.x + rect.w) / unit.width) * source.width, source.width);
  const bottom = Math.min(((rect.y + rect.h) / unit.height) * source.height, source.height);
  const window = {
    width: Math.max(1, Math.round(right) - Math.round(left)),
    height: Math.max(1, Math.round(bottom) - Math.round(top)),
  };
  return {
    left: clamp(Math.round(left), 0, source.width - window.width),
    top: clamp(Math.round(top), 0, source.height - window.height),
    ...window,
  };
}

/** Faces and focal point of a picture as those of a part of it; what is outside is not there. */
export function factsInside(
  part: Window,
  {
    source,
    faces,
    focal,
  }: { readonly source: Size; readonly faces: readonly FaceBox[]; readonly focal: FocalPoint | undefined },
): { readonly faces: readonly FaceBox[]; readonly focal: FocalPoint | undefined } {
  const x = (value: number) => (value * source.width - part.left) / part.width;
  const y = (value: number) => (value * source.height - part.top) / part.height;
  const inside = (from: number, length: number) => clamp(from + length, 0, 1) - clamp(from, 0, 1);
  const mapped = faces.map((face) => ({
    ...face,
    x: x(face.x),
    y: y(face.y),
    w: (face.w * source.width) / part.width,
    h: (face.h * source.height) / part.height,
  }));
  const point = focal && { x: x(focal.x), y: y(focal.y) };
  return {
    faces: mapped.filter(
      (face) => inside(face.x, face.w) * inside(face.y, face.h) >= MIN_FACE_INSIDE * face.w * face.h,
    ),
    focal: point && Math.min(point.x, point.y) >= 0 && Math.max(point.x, point.y) <= 1 ? point : undefined,
  };
}
