/** What crops promise, over random pictures, faces and URLs. */
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { type FaceBox, rankFaces } from './focus-faces.ts';
import type { FocalPoint, Size, Window } from './focus-geometry.ts';
import { chooseTier, planRender, type RenderPlan } from './plan.ts';
import { canonicalRecipe, parseRecipe } from './recipe.ts';

type Query = Record<string, string>;
type Picture = { readonly source: Size; readonly faces: readonly FaceBox[]; readonly focal: FocalPoint | undefined };

const PLAYER = 12;
const RUNS = { numRuns: 600 };

const share = fc.double({ min: 0, max: 1, noNaN: true });
const side = fc.integer({ min: 60, max: 7000 });
const face: fc.Arbitrary<FaceBox> = fc
  .record({
    x: fc.double({ min: 0, max: 0.96, noNaN: true }),
    y: fc.double({ min: 0, max: 0.96, noNaN: true }),
    w: fc.double({ min: 0.01, max: 0.5, noNaN: true }),
    h: fc.double({ min: 0.01, max: 0.5, noNaN: true }),
    // Below 0.7, a large box may not count as a face.
    score: fc.double({ min: 0.7, max: 1, noNaN: true }),
    tagOptionId: fc.constantFrom(null, null, PLAYER, 13),
  })
  .map((box) => ({ ...box, w: Math.min(box.w, 1 - box.x), h: Math.min(box.h, 1 - box.y) }));
const picture: fc.Arbitrary<Picture> = fc.record({
  source: fc.record({ width: side, height: side }),
  faces: fc.array(face, { minLength: 1, maxLength: 6 }),
  focal: fc.option(fc.record({ x: share, y: share }), { nil: undefined }),
});
const optional = (values: fc.Arbitrary<string>) => fc.option(values, { nil: undefined });
const thousandth = (max: number) => fc.integer({ min: 0, max: max * 1000 }).map((value) => String(value / 1000));
const sizes = {
  w: fc.integer({ min: 1, max: 3000 }).map(String),
  h: fc.integer({ min: 1, max: 3000 }).map(String),
};
const rect = fc.oneof(
  fc.tuple(share, share, share, share).map(([x, y, w, h]) => {
    const text = (value: number) => value.toFixed(4);
    return [text(x * 0.8), text(y * 0.8), text(0.05 + w * 0.95), text(0.05 + h * 0.95)].join(',');
  }),
  fc
    .tuple(fc.integer({ max: 59, min: 0 }), fc.integer({ max: 59, min: 0 }), side, side)
    .map((numbers) => numbers.join(',')),
);
const defined = (query: Record<string, string | undefined>): Query =>
  Object.fromEntries(Object.entries(query).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])));
const cropQuery = fc
  .record({
    ...sizes,
    f: fc.constantFrom('face', 'faces', `player:${PLAYER},face`, 'focal,face', 'fp:0.2:0.9', 'center', 'se', 'auto'),
    z: optional(thousandth(1)),
    pad: optional(thousandth(5)),
    face: optional(fc.integer({ min: 1, max: 8 }).map(String)),
    rect: optional(rect),
    up: optional(fc.constantFrom('0', '1')),
  })
  .map(defined);

const plan = (one: Picture, query: Query, source = one.source) =>
  planRender({ ...one, recipe: parseRecipe(query), source, original: one.source });
const cropOf = ({ crop, source }: RenderPlan): Window => crop ?? { left: 0, top: 0, ...source };

/** Whole pixels: an edge may round by half a pixel. */
const ROUNDING_PX = 0.51;

const inPixels = (box: FaceBox, { width, height }: Size) => ({
  left: box.x * width,
  top: box.y * height,
  right: (box.x + box.w) * width,
  bottom: (box.y + box.h) * height,
  width: box.w * width,
  height: box.h * height,
});

/** The face that a URL is for, by the words of the documentation. */
function chosenFace({ faces }: Picture, query: Query): FaceBox {
  const linked = faces.filter(({ tagOptionId }) => tagOptionId === PLAYER).sort((a, b) => b.w * b.h - a.w * a.h);
  const ranked = rankFaces(faces);
  const numbered = ranked[Number(query['face'] ?? 1) - 1] ?? ranked[0];
  const chosen = query['f']?.startsWith('player') ? (linked[0] ?? numbered) : numbered;
  if (!chosen) throw new Error('expected a face');
  return chosen;
}

describe('every crop', () => {
  test('lies inside the picture, in whole pixels', () => {
    fc.assert(
      fc.property(picture, cropQuery, (one, query) => {
        const { left, top, width, height } = cropOf(plan(one, query));
        for (const value of [left, top, width, height]) expect(Number.isInteger(value)).toBe(true);
        expect(Math.min(left, top)).toBeGreaterThanOrEqual(0);
        expect(Math.min(width, height)).toBeGreaterThanOrEqual(1);
        expect(left + width).toBeLessThanOrEqual(one.source.width);
        expect(top + height).toBeLessThanOrEqual(one.source.height);
      }),
      RUNS,
    );
  });

  test('has the asked aspect within a pixel, and the asked size when it may be enlarged', () => {
    fc.assert(
      fc.property(picture, cropQuery, (one, query) => {
        const { output, strategy, ...rest } = plan(one, query);
        const [w, h] = [Number(query['w']), Number(query['h'])];
        const scale = Math.min(output.width / w, output.height / h);
        expect(Math.abs(output.width - Math.max(1, w * scale))).toBeLessThanOrEqual(Math.max(1, w / h));
        expect(Math.abs(output.height - Math.max(1, h * scale))).toBeLessThanOrEqual(Math.max(1, h / w));
        if (query['up'] === '1') expect(output).toEqual({ width: w, height: h });
        if (strategy) return;
        const { width, height } = rest.crop ?? one.source;
        const cropScale = Math.sqrt((width * height) / (w * h));
        expect(Math.abs(width - w * cropScale)).toBeLessThanOrEqual(Math.max(1, w / h));
        expect(Math.abs(height - h * cropScale)).toBeLessThanOrEqual(Math.max(1, h / w));
      }),
      RUNS,
    );
  });

  test('is never enlarged unless asked', () => {
    fc.assert(
      fc.property(picture, cropQuery, (one, query) => {
        fc.pre(query['up'] !== '1');
        const rendered = plan(one, query);
        const { width, height } = cropOf(rendered);
        expect(rendered.resize.width).toBeLessThanOrEqual(width);
        expect(rendered.resize.height).toBeLessThanOrEqual(height);
      }),
      RUNS,
    );
  });

  test('of a part lies inside that part', () => {
    fc.assert(
      fc.property(picture, cropQuery, rect, (one, query, text) => {
        const part = cropOf(plan(one, { rect: text }));
        const crop = cropOf(plan(one, { ...query, rect: text }));
        expect(crop.left).toBeGreaterThanOrEqual(part.left);
        expect(crop.top).toBeGreaterThanOrEqual(part.top);
        expect(crop.left + crop.width).toBeLessThanOrEqual(part.left + part.width);
        expect(crop.top + crop.height).toBeLessThanOrEqual(part.top + part.height);
      }),
      RUNS,
    );
  });

  test('is the same from its canonical text, which is stable', () => {
    fc.assert(
      fc.property(picture, cropQuery, (one, query) => {
        const text = canonicalRecipe(parseRecipe(query));
        const again = Object.fromEntries(new URLSearchParams(text));
        expect(canonicalRecipe(parseRecipe(again))).toBe(text);
        expect(plan(one, again)).toEqual(plan(one, query));
      }),
      RUNS,
    );
  });

  test('shows the same, at the same size, whichever tier it is made from', () => {
    fc.assert(
      fc.property(picture, cropQuery, (one, query) => {
        const { width, height } = one.source;
        const tierOf = (long: number): Size => {
          const scale = Math.min(1, long / Math.max(width, height));
          return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) };
        };
        const aspect = Number(query['w']) / Number(query['h']);
        fc.pre(aspect < 4 && aspect > 1 / 4);
        const recipe = parseRecipe(query);
        const tiers = [tierOf(480), tierOf(2048), one.source];
        const tier = chooseTier({ ...one, recipe, original: one.source, tiers }) ?? one.source;
        const [ideal, actual] = [plan(one, query), plan(one, query, tier)];
        expect(actual.output).toEqual(ideal.output);
        expect(actual.focus).toBe(ideal.focus);
        const [a, b] = [cropOf(actual), cropOf(ideal)];
        // Each edge of part and window is rounded in the tier; that of the shorter side counts as often as the aspect says.
        const roundingPx = 2 * Math.max(aspect, 1 / aspect, 1.5);
        const near = (inTier: number, inOriginal: number, scale: number) =>
          expect(Math.abs(inTier - inOriginal * scale)).toBeLessThanOrEqual(roundingPx);
        near(a.width, b.width, tier.width / width);
        near(a.height, b.height, tier.height / height);
        // The source is not enlarged by more than the rounding of its sides.
        if (query['up'] === '1' || tier === one.source) return;
        expect(actual.resize.width).toBeLessThanOrEqual(a.width + roundingPx);
        expect(actual.resize.height).toBeLessThanOrEqual(a.height + roundingPx);
      }),
      RUNS,
    );
  });
});

describe('the chosen face', () => {
  const faceQuery = fc
    .record({
      ...sizes,
      f: fc.constantFrom('face', `player:${PLAYER},face`),
      z: optional(thousandth(1)),
      pad: optional(thousandth(5)),
      face: optional(fc.integer({ min: 1, max: 8 }).map(String)),
    })
    .map(defined);
  const largest = ({ source }: Picture, query: Query) => {
    const scale = Math.min(source.width / Number(query['w']), source.height / Number(query['h']));
    return { width: Number(query['w']) * scale, height: Number(query['h']) * scale };
  };

  test('is wholly inside, at every zoom, if the largest crop can hold it', () => {
    fc.assert(
      fc.property(picture, faceQuery, (one, query) => {
        const box = inPixels(chosenFace(one, query), one.source);
        const most = largest(one, query);
        fc.pre(box.width <= most.width && box.height <= most.height);
        const crop = cropOf(plan(one, query));
        expect(box.left).toBeGreaterThanOrEqual(crop.left - 2 * ROUNDING_PX);
        expect(box.top).toBeGreaterThanOrEqual(crop.top - 2 * ROUNDING_PX);
        expect(box.right).toBeLessThanOrEqual(crop.left + crop.width + 2 * ROUNDING_PX);
        expect(box.bottom).toBeLessThanOrEqual(crop.top + crop.height + 2 * ROUNDING_PX);
      }),
      RUNS,
    );
  });

  test('has its pad on every side on which the picture has the room, and never less than hair, chin and ears need', () => {
    fc.assert(
      fc.property(picture, faceQuery, (one, query) => {
        const pad = Number(query['pad'] ?? 1);
        const zooms = Number(query['z'] ?? 0) > 0;
        const side = zooms ? Math.max(pad, 0.4) : 0.4;
        const above = zooms ? Math.max(pad * 0.75, 0.6) : 0.6;
        const below = zooms ? Math.max(pad, 0.2) : 0.2;
        const box = inPixels(chosenFace(one, query), one.source);
        const most = largest(one, query);
        fc.pre(box.width * (1 + 2 * side) < most.width && box.height * (1 + above + below) < most.height);
        const crop = cropOf(plan(one, query));
        const { width, height } = one.source;
        const enough = (room: number, available: number, wanted: number) =>
          expect(room).toBeGreaterThanOrEqual(Math.min(available, wanted) - 2 * ROUNDING_PX);
        enough(box.left - crop.left, box.left, side * box.width);
        enough(crop.left + crop.width - box.right, width - box.right, side * box.width);
        enough(box.top - crop.top, box.top, above * box.height);
        enough(crop.top + crop.height - box.bottom, height - box.bottom, below * box.height);
      }),
      RUNS,
    );
  });

  test('is in the middle across as far as the borders allow', () => {
    fc.assert(
      fc.property(picture, faceQuery, (one, query) => {
        const box = inPixels(chosenFace(one, query), one.source);
        const crop = cropOf(plan(one, query));
        const offset = (box.left + box.right) / 2 - (crop.left + crop.width / 2);
        if (offset > 1.5) expect(crop.left + crop.width).toBe(one.source.width);
        if (offset < -1.5) expect(crop.left).toBe(0);
      }),
      RUNS,
    );
  });

  test('fills the crop at z=1: with its pad it is as wide or as high', () => {
    fc.assert(
      fc.property(picture, faceQuery, (one, given) => {
        const query = { ...given, z: '1' };
        const pad = Number(given['pad'] ?? 1);
        const box = inPixels(chosenFace(one, query), one.source);
        const room = {
          width: box.width * (1 + 2 * Math.max(pad, 0.4)),
          height: box.height * (1 + Math.max(pad * 0.75, 0.6) + Math.max(pad, 0.2)),
        };
        const most = largest(one, query);
        fc.pre(room.width < most.width && room.height < most.height);
        const crop = cropOf(plan(one, query));
        const spare = Math.min(crop.width - room.width, crop.height - room.height);
        expect(Math.abs(spare)).toBeLessThanOrEqual(1);
      }),
      RUNS,
    );
  });
});

describe('zoom', () => {
  test('shows less the higher it is, from all of the aspect at 0', () => {
    const pair = fc.tuple(share, share).map(([a, b]) => [Math.min(a, b), Math.max(a, b)] as const);
    fc.assert(
      fc.property(picture, cropQuery, pair, (one, query, [low, high]) => {
        const at = (z: number) => cropOf(plan(one, { ...query, z: z.toFixed(3) }));
        const [whole, loose, tight] = [at(0), at(low), at(high)];
        const { z: _zoom, ...without } = query;
        expect(whole).toEqual(cropOf(plan(one, without)));
        expect(loose.width).toBeLessThanOrEqual(whole.width);
        expect(loose.height).toBeLessThanOrEqual(whole.height);
        expect(tight.width).toBeLessThanOrEqual(loose.width);
        expect(tight.height).toBeLessThanOrEqual(loose.height);
      }),
      RUNS,
    );
  });

  test('goes by equal factors: half of it is the geometric mean of both ends', () => {
    fc.assert(
      fc.property(picture, cropQuery, (one, query) => {
        const at = (z: string) => cropOf(plan(one, { ...query, z }));
        const [whole, half, tight] = [at('0'), at('0.5'), at('1')];
        fc.pre(Math.min(tight.width, tight.height) >= 20);
        expect(Math.abs(half.width - Math.sqrt(whole.width * tight.width))).toBeLessThanOrEqual(1 + 0.03 * half.width);
      }),
      RUNS,
    );
  });

  test('to `faces` keeps them all whole where they all fit', () => {
    fc.assert(
      fc.property(picture, cropQuery, (one, given) => {
        const { rect: _rect, ...query }: Query = { ...given, f: 'faces' };
        const boxes = one.faces.map((each) => inPixels(each, one.source));
        const widest = cropOf(plan(one, { ...query, z: '0' }));
        const across = Math.max(...boxes.map((box) => box.right + 0.4 * box.width));
        const down = Math.max(...boxes.map((box) => box.bottom + 0.2 * box.height));
        fc.pre(across - Math.min(...boxes.map((box) => box.left - 0.4 * box.width)) < widest.width);
        fc.pre(down - Math.min(...boxes.map((box) => box.top - 0.6 * box.height)) < widest.height);
        const crop = cropOf(plan(one, query));
        for (const box of boxes) {
          expect(box.left).toBeGreaterThanOrEqual(crop.left - 2 * ROUNDING_PX);
          expect(box.top).toBeGreaterThanOrEqual(crop.top - 2 * ROUNDING_PX);
          expect(box.right).toBeLessThanOrEqual(crop.left + crop.width + 2 * ROUNDING_PX);
          expect(box.bottom).toBeLessThanOrEqual(crop.top + crop.height + 2 * ROUNDING_PX);
        }
      }),
      RUNS,
    );
  });
});
