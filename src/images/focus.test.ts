import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { resolveFocus } from './focus.ts';
import type { FaceBox } from './focus-faces.ts';
import type { FocalPoint, Size, Window } from './focus-geometry.ts';
import { parseFocusChain } from './focus-chain.ts';

function resolve(
  text: string,
  scene: { source: Size; target: Size; faces?: readonly FaceBox[]; focal?: FocalPoint | undefined },
) {
  const chain = parseFocusChain(text);
  if (!chain) throw new Error(`expected a focus chain, received ${text}`);
  return resolveFocus({ faces: [], focal: undefined, ...scene, chain });
}

function windowOf(...args: Parameters<typeof resolve>): Window {
  const { window } = resolve(...args);
  if (!window) throw new Error('expected a window');
  return window;
}

const size = (min: number) =>
  fc.record({ width: fc.integer({ min, max: 9000 }), height: fc.integer({ min, max: 9000 }) });
const box: fc.Arbitrary<FaceBox> = fc
  .record({
    x: fc.double({ min: 0, max: 0.95, noNaN: true }),
    y: fc.double({ min: 0, max: 0.95, noNaN: true }),
    w: fc.double({ min: 0.01, max: 0.7, noNaN: true }),
    h: fc.double({ min: 0.01, max: 0.7, noNaN: true }),
    score: fc.double({ min: 0.7, max: 1, noNaN: true }),
  })
  .map((face) => ({ ...face, w: Math.min(face.w, 1 - face.x), h: Math.min(face.h, 1 - face.y) }));

/** A face in pixels. */
const inPixels = (face: FaceBox, source: Size) => ({
  left: face.x * source.width,
  top: face.y * source.height,
  right: (face.x + face.w) * source.width,
  bottom: (face.y + face.h) * source.height,
});

/** Whole pixels: an edge may round by half a pixel. */
const ROUNDING_PX = 0.51;

const holds = (window: Window, face: ReturnType<typeof inPixels>) =>
  face.left >= window.left - ROUNDING_PX &&
  face.top >= window.top - ROUNDING_PX &&
  face.right <= window.left + window.width + ROUNDING_PX &&
  face.bottom <= window.top + window.height + ROUNDING_PX;

const fits = (window: Size, face: ReturnType<typeof inPixels>) =>
  face.right - face.left <= window.width && face.bottom - face.top <= window.height;

describe('every window', () => {
  const chains = fc.constantFrom(
    'center',
    'n',
    'ne',
    'e',
    'se',
    's',
    'sw',
    'w',
    'nw',
    'face',
    'faces',
    'focal',
    'fp:0.9:0.1',
  );
  const focal = fc.option(
    fc.record({ x: fc.double({ min: 0, max: 1, noNaN: true }), y: fc.double({ min: 0, max: 1, noNaN: true }) }),
    { nil: undefined },
  );

  test('lies inside the source, is as large as the aspect allows and has that aspect', () => {
    fc.assert(
      fc.property(
        size(1),
        size(1),
        fc.array(box, { maxLength: 6 }),
        focal,
        chains,
        (source, target, faces, focal, chain) => {
          const window = windowOf(chain, { source, target, faces, focal });
          for (const value of Object.values(window)) expect(Number.isInteger(value)).toBe(true);
          expect(Math.min(window.left, window.top)).toBeGreaterThanOrEqual(0);
          expect(Math.min(window.width, window.height)).toBeGreaterThanOrEqual(1);
          expect(window.left + window.width).toBeLessThanOrEqual(source.width);
          expect(window.top + window.height).toBeLessThanOrEqual(source.height);
          expect(window.width === source.width || window.height === source.height).toBe(true);
          const exact = Math.min(source.width / target.width, source.height / target.height);
          expect(Math.abs(window.width - Math.max(1, target.width * exact))).toBeLessThanOrEqual(0.5 + 1e-6);
          expect(Math.abs(window.height - Math.max(1, target.height * exact))).toBeLessThanOrEqual(0.5 + 1e-6);
        },
      ),
      { numRuns: 1000 },
    );
  });
});

describe('face', () => {
  test('a face that fits is never cut', () => {
    fc.assert(
      fc.property(size(50), size(20), box, (source, target, face) => {
        const window = windowOf('face', { source, target, faces: [face] });
        const pixels = inPixels(face, source);
        fc.pre(fits(window, pixels));
        expect(holds(window, pixels)).toBe(true);
      }),
      { numRuns: 1000 },
    );
  });

  test('a face is in the middle across unless a border is in the way', () => {
    fc.assert(
      fc.property(size(50), size(20), box, (source, target, face) => {
        const window = windowOf('face', { source, target, faces: [face] });
        const pixels = inPixels(face, source);
        const offset = (pixels.left + pixels.right) / 2 - (window.left + window.width / 2);
        if (offset > 1) expect(window.left + window.width).toBe(source.width);
        if (offset < -1) expect(window.left).toBe(0);
      }),
      { numRuns: 1000 },
    );
  });

  test('a face with room is at 42 % of the height unless a border is in the way', () => {
    fc.assert(
      fc.property(size(50), size(20), box, (source, target, face) => {
        const window = windowOf('face', { source, target, faces: [face] });
        const pixels = inPixels(face, source);
        // Half of the face and 60 % above it fit into the upper 42 %.
        fc.pre((pixels.bottom - pixels.top) * 1.1 <= window.height * 0.42);
        const offset = (pixels.top + pixels.bottom) / 2 - (window.top + window.height * 0.42);
        if (offset > 1) expect(window.top + window.height).toBe(source.height);
        if (offset < -1) expect(window.top).toBe(0);
      }),
      { numRuns: 1000 },
    );
  });

  test('hair and chin have their margin when window and picture have the room', () => {
    fc.assert(
      fc.property(size(50), size(20), box, (source, target, face) => {
        const window = windowOf('face', { source, target, faces: [face] });
        const pixels = inPixels(face, source);
        const height = pixels.bottom - pixels.top;
        fc.pre(height * 1.8 <= window.height);
        const above = Math.min(0.6 * height, pixels.top);
        const below = Math.min(0.2 * height, source.height - pixels.bottom);
        expect(pixels.top - window.top).toBeGreaterThanOrEqual(above - ROUNDING_PX);
        expect(window.top + window.height - pixels.bottom).toBeGreaterThanOrEqual(below - ROUNDING_PX);
      }),
      { numRuns: 1000 },
    );
  });

  test('a face larger than the window loses less above than below', () => {
    const source = { width: 1000, height: 1000 };
    const face = { x: 0.3, y: 0.1, w: 0.4, h: 0.6, score: 1 };
    const window = windowOf('face', { source, target: { width: 1000, height: 400 }, faces: [face] });
    expect(window).toEqual({ left: 0, top: 160, width: 1000, height: 400 });
  });

  test('the large sharp face wins over a small one in the centre', () => {
    const source = { width: 3000, height: 1000 };
    const large = { x: 0.05, y: 0.2, w: 0.12, h: 0.4, score: 0.9 };
    const small = { x: 0.48, y: 0.4, w: 0.04, h: 0.12, score: 0.9 };
    const result = resolve('face', { source, target: { width: 1, height: 1 }, faces: [small, large] });
    expect(result.used).toBe('face');
    expect(result.window?.left).toBe(0);
  });

  test('a large box that is hardly a face loses against a face', () => {
    // As found in a photograph: the larger one is an edge of an advertising board.
    const board = { x: 0.12, y: 0.48, w: 0.37, h: 0.52, score: 0.6 };
    const player = { x: 0.8, y: 0.24, w: 0.1, h: 0.21, score: 0.99 };
    const source = { width: 3000, height: 1000 };
    const square = { source, target: { width: 1, height: 1 }, faces: [board, player] };
    expect(windowOf('face', square).left).toBe(2000);
    expect(windowOf('faces', square).left).toBe(2000);
    // Somebody said that it is a face.
    expect(windowOf('player:5', { ...square, faces: [{ ...board, tagOptionId: 5 }, player] }).left).toBe(415);
  });

  test('of two equal faces the central one wins', () => {
    const source = { width: 3000, height: 1000 };
    const rim = { x: 0.9, y: 0.3, w: 0.08, h: 0.3, score: 0.9 };
    const centre = { ...rim, x: 0.46 };
    const window = windowOf('face', { source, target: { width: 1, height: 1 }, faces: [rim, centre] });
    expect(window.left).toBe(1000);
  });
});

describe('faces', () => {
  /** What a whole face counts: its length, and how far the detector's score is above its threshold. */
  const weightOf = (face: FaceBox, source: Size) =>
    Math.sqrt(face.w * source.width * face.h * source.height) * Math.max(2 * face.score - 1, 0.05);

  /** The most weight that any window of this size can hold, by trying every pixel. */
  function bestWeight(source: Size, window: Size, faces: readonly (FaceBox & { readonly weight: number })[]): number {
    const pixels = faces.map((face) => ({
      ...inPixels(face, source),
      weight: face.weight,
    }));
    let best = 0;
    for (let left = 0; left <= source.width - window.width; left += 1) {
      for (let top = 0; top <= source.height - window.height; top += 1) {
        const inside = pixels.filter(
          (face) =>
            face.left >= left &&
            face.right <= left + window.width &&
            face.top >= top &&
            face.bottom <= top + window.height,
        );
        best = Math.max(
          best,
          inside.reduce((sum, face) => sum + face.weight, 0),
        );
      }
    }
    return best;
  }

  test('faces that all fit with their margins are all whole', () => {
    fc.assert(
      fc.property(size(50), size(20), fc.array(box, { minLength: 1, maxLength: 8 }), (source, target, faces) => {
        const window = windowOf('faces', { source, target, faces });
        const pixels = faces.map((face) => inPixels(face, source));
        const left = Math.min(...pixels.map((face) => face.left - 0.4 * (face.right - face.left)));
        const right = Math.max(...pixels.map((face) => face.right + 0.4 * (face.right - face.left)));
        const top = Math.min(...pixels.map((face) => face.top - 0.6 * (face.bottom - face.top)));
        const bottom = Math.max(...pixels.map((face) => face.bottom + 0.2 * (face.bottom - face.top)));
        const slidesAcross = window.width < source.width;
        fc.pre(slidesAcross ? right - left <= window.width : bottom - top <= window.height);
        for (const face of pixels) expect(holds(window, face)).toBe(true);
      }),
      { numRuns: 500 },
    );
  });

  test('no window holds more faces than the margins cost', () => {
    const small = fc.record({ width: fc.integer({ min: 20, max: 120 }), height: fc.integer({ min: 20, max: 120 }) });
    fc.assert(
      fc.property(small, size(20), fc.array(box, { minLength: 1, maxLength: 5 }), (source, target, faces) => {
        const window = windowOf('faces', { source, target, faces });
        const pixels = faces.map((face) => inPixels(face, source));
        fc.pre(pixels.some((face) => fits(window, face)));
        expect(pixels.some((face) => holds(window, face))).toBe(true);
        const held = faces
          .filter((_, index) => holds(window, pixels[index] ?? { left: -9, top: -9, right: -9, bottom: -9 }))
          .reduce((sum, face) => sum + weightOf(face, source), 0);
        // Boxes with their margins are what the rule weighs; each is a face that a bare window might also hold.
        const withMargins = faces.map((face) => ({
          x: Math.max(0, face.x - 0.4 * face.w),
          y: Math.max(0, face.y - 0.6 * face.h),
          w: Math.min(1, face.x + 1.4 * face.w) - Math.max(0, face.x - 0.4 * face.w),
          h: Math.min(1, face.y + 1.2 * face.h) - Math.max(0, face.y - 0.6 * face.h),
          score: face.score,
          weight: weightOf(face, source),
        }));
        expect(held).toBeGreaterThanOrEqual(bestWeight(source, window, withMargins) - 1e-6);
      }),
      { numRuns: 200 },
    );
  });

  test('two players of three are whole when the third is too far away', () => {
    const source = { width: 3000, height: 1000 };
    const faces = [0.1, 0.25, 0.9].map((x) => ({ x, y: 0.3, w: 0.05, h: 0.2, score: 0.9 }));
    const { window, used } = resolve('faces', { source, target: { width: 1, height: 1 }, faces });
    expect(used).toBe('faces');
    expect(window).toEqual({ left: 100, top: 0, width: 1000, height: 1000 });
  });

  test('a face that does not fit is left out rather than cut in two', () => {
    const source = { width: 3000, height: 1000 };
    const pair = [0.2, 0.4].map((x) => ({ x, y: 0.3, w: 0.05, h: 0.2, score: 1 }));
    const beside = { x: 0.13, y: 0.3, w: 0.04, h: 0.2, score: 0.7 };
    const target = { width: 1, height: 1 };
    expect(windowOf('faces', { source, target, faces: pair })).toMatchObject({ left: 475, width: 1000 });
    // From 390 to 510: a window from 475 on would show a half of it.
    expect(windowOf('faces', { source, target, faces: [...pair, beside] })).toMatchObject({ left: 510, width: 1000 });
  });

  test('when no face fits the most prominent one decides', () => {
    const source = { width: 1000, height: 1000 };
    const faces = [{ x: 0.6, y: 0.1, w: 0.35, h: 0.6, score: 1 }];
    const target = { width: 1, height: 5 };
    const window = windowOf('faces', { source, target, faces });
    expect(window).toEqual(windowOf('face', { source, target, faces }));
    expect(window.left + window.width / 2).toBe(775);
  });
});

describe('the chain', () => {
  const source = { width: 1000, height: 2000 };
  const target = { width: 1, height: 1 };
  const faces = [{ x: 0.4, y: 0.7, w: 0.2, h: 0.1, score: 0.9 }];
  const focal = { x: 0.5, y: 0.3 };

  test('auto prefers the focal point, then faces, then attention', () => {
    expect(resolve('auto', { source, target, faces, focal })).toMatchObject({ used: 'focal', window: { top: 100 } });
    expect(resolve('auto', { source, target, faces })).toMatchObject({ used: 'faces', window: { top: 1000 } });
    expect(resolve('auto', { source, target })).toMatchObject({ used: 'attention', strategy: 'attention' });
  });

  test('the first item that applies is used and named', () => {
    expect(resolve('face,focal,s', { source, target, focal }).used).toBe('focal');
    expect(resolve('face,focal,s', { source, target }).used).toBe('s');
    expect(resolve('fp:0.5:0.25,face', { source, target, faces })).toMatchObject({
      used: 'fp:0.5:0.25',
      window: { top: 0 },
    });
    expect(resolve('face,entropy', { source, target })).toMatchObject({ used: 'entropy', strategy: 'entropy' });
  });

  test('a chain that finds nothing ends a little above the centre, an explicit centre is exact', () => {
    expect(resolve('face', { source, target })).toMatchObject({ used: 'center', window: { top: 350 } });
    expect(resolve('face,center', { source, target })).toMatchObject({ used: 'center', window: { top: 500 } });
    expect(resolve('center', { source, target, faces, focal })).toMatchObject({ used: 'center', window: { top: 500 } });
  });

  test('compass points lie at the rims', () => {
    const wide = { width: 3000, height: 1000 };
    expect(windowOf('n', { source, target })).toMatchObject({ top: 0 });
    expect(windowOf('se', { source, target })).toMatchObject({ top: 1000 });
    expect(windowOf('w', { source: wide, target })).toMatchObject({ left: 0 });
    expect(windowOf('ne', { source: wide, target })).toMatchObject({ left: 2000 });
    expect(windowOf('s', { source: wide, target })).toMatchObject({ left: 1000 });
  });

  test('boxes without extent or confidence are no faces', () => {
    const none = [
      { x: 0.5, y: 0.5, w: 0, h: 0.1, score: 1 },
      { x: 1.2, y: 0.5, w: 0.1, h: 0.1, score: 1 },
      { x: 0.1, y: 0.1, w: 0.1, h: 0.1, score: 0 },
    ];
    expect(resolve('faces,s', { source, target, faces: none }).used).toBe('s');
  });
});
