import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import type { Size } from './focus-geometry.ts';
import { chooseTier, neededSourcePx, planRender } from './plan.ts';
import { parseRecipe } from './recipe.ts';

const NOTHING = { faces: [], focal: undefined };
const plan = (query: Record<string, string>, source: Size, original?: Size) =>
  planRender({ recipe: parseRecipe(query), source, ...(original && { original }), ...NOTHING });

const side = (max: number) => fc.integer({ min: 1, max });
const sizes = fc.record({ width: side(9000), height: side(9000) });
const fits = fc.constantFrom('cover', 'contain', 'inside', 'outside', 'fill');

describe('the size of an answer', () => {
  const photo = { width: 3000, height: 2000 };
  test.each<[string, Record<string, string>, Size]>([
    ['without size the picture keeps its own', {}, photo],
    ['width alone', { w: '600' }, { width: 600, height: 400 }],
    ['height alone', { h: '200', fit: 'cover' }, { width: 300, height: 200 }],
    ['cover is exact', { w: '600', h: '818' }, { width: 600, height: 818 }],
    ['inside stays inside', { w: '600', h: '818', fit: 'inside' }, { width: 600, height: 400 }],
    ['outside reaches both sides', { w: '600', h: '800', fit: 'outside' }, { width: 1200, height: 800 }],
    ['fill is exact', { w: '600', h: '818', fit: 'fill' }, { width: 600, height: 818 }],
    ['contain is exact', { w: '600', h: '818', fit: 'contain' }, { width: 600, height: 818 }],
    ['a wider wish ends at the picture', { w: '4000' }, photo],
    ['a larger cover keeps its aspect', { w: '4000', h: '4000' }, { width: 2000, height: 2000 }],
    ['a larger fill keeps its aspect', { w: '6000', h: '2000', fit: 'fill' }, { width: 3000, height: 1000 }],
    ['dpr counts', { w: '300', h: '200', dpr: '2' }, { width: 600, height: 400 }],
  ])('%s', (_, query, expected) => {
    expect(plan(query, photo).output).toEqual(expected);
  });

  test('contain never enlarges the picture but pads it to the exact canvas', () => {
    expect(plan({ w: '400', h: '400', fit: 'contain' }, { width: 200, height: 100 })).toMatchObject({
      resize: { width: 200, height: 100 },
      canvas: { left: 100, top: 150, width: 400, height: 400 },
      output: { width: 400, height: 400 },
    });
  });

  test('nothing is enlarged, whatever is asked of whatever picture', () => {
    fc.assert(
      fc.property(sizes, side(8192), side(8192), fits, (source, w, h, fit) => {
        const { resize, crop } = plan({ w: `${w}`, h: `${h}`, fit, f: 'center' }, source);
        const kept = crop ?? source;
        expect(resize.width).toBeLessThanOrEqual(kept.width);
        expect(resize.height).toBeLessThanOrEqual(kept.height);
      }),
      { numRuns: 1000 },
    );
  });

  test('cover is exact whenever the picture is large enough', () => {
    fc.assert(
      fc.property(sizes, side(8192), side(8192), (source, w, h) => {
        fc.pre(source.width >= w && source.height >= h);
        expect(plan({ w: `${w}`, h: `${h}` }, source).output).toEqual({ width: w, height: h });
      }),
      { numRuns: 1000 },
    );
  });

  test('cover of a smaller picture keeps the asked aspect within a pixel', () => {
    fc.assert(
      fc.property(sizes, side(8192), side(8192), (source, w, h) => {
        fc.pre(source.width < w || source.height < h);
        const { output } = plan({ w: `${w}`, h: `${h}` }, source);
        const scale = Math.min(source.width / w, source.height / h);
        expect(Math.abs(output.width - Math.max(1, w * scale))).toBeLessThanOrEqual(0.5);
        expect(Math.abs(output.height - Math.max(1, h * scale))).toBeLessThanOrEqual(0.5);
      }),
      { numRuns: 1000 },
    );
  });
});

describe('the tier to read', () => {
  const original = { width: 6000, height: 4000 };
  const tiers = [{ width: 2048, height: 1365 }, { width: 480, height: 320 }, original];
  const choose = (query: Record<string, string>, of = tiers) =>
    chooseTier({ recipe: parseRecipe(query), original, tiers: of, ...NOTHING })?.width;

  test('is the smallest that is large enough', () => {
    expect(choose({ w: '480' })).toBe(480);
    expect(choose({ w: '481' })).toBe(2048);
    expect(choose({ w: '300', h: '320' })).toBe(480);
    expect(choose({ w: '600', h: '818' })).toBe(2048);
    expect(choose({ w: '2048' })).toBe(2048);
    expect(choose({ w: '1000', h: '2000' })).toBe(6000);
    expect(choose({})).toBe(6000);
  });

  test('is the largest there is when none is large enough', () => {
    const readable = tiers.slice(0, 2);
    expect(choose({ w: '5000' }, readable)).toBe(2048);
    expect(plan({ w: '5000' }, { width: 2048, height: 1365 }, original).output).toEqual({ width: 2048, height: 1365 });
    expect(choose({ w: '5000' }, [])).toBeUndefined();
  });

  test('does not change the size of the answer', () => {
    fc.assert(
      fc.property(sizes, side(2000), side(2000), fits, (original, w, h, fit) => {
        const scale = Math.min(1, 2048 / Math.max(original.width, original.height));
        const tier = {
          width: Math.max(1, Math.round(original.width * scale)),
          height: Math.max(1, Math.round(original.height * scale)),
        };
        const query = { w: `${w}`, h: `${h}`, fit, f: 'center' };
        const recipe = parseRecipe(query);
        const chosen = chooseTier({ recipe, original, tiers: [tier, original], ...NOTHING }) ?? original;
        const { output, crop } = plan(query, chosen, original);
        expect(output).toEqual(plan(query, original).output);
        // Rounding of the tier's own sides is all that may be missing.
        if (crop) {
          const needed = neededSourcePx({ recipe, original, ...NOTHING });
          expect(chosen.width).toBeGreaterThanOrEqual(needed.width - 1);
          expect(chosen.height).toBeGreaterThanOrEqual(needed.height - 1);
          expect(crop.left + crop.width).toBeLessThanOrEqual(chosen.width);
          expect(crop.top + crop.height).toBeLessThanOrEqual(chosen.height);
        }
      }),
      { numRuns: 500 },
    );
  });
});

test('only a cover crop has a focus to report', () => {
  const source = { width: 3000, height: 2000 };
  expect(plan({ w: '300', h: '300', f: 'ne' }, source).focus).toBe('ne');
  expect(plan({ w: '300', h: '300', f: 'ne', fit: 'inside' }, source).focus).toBe('none');
  expect(plan({ w: '300', f: 'ne' }, source).focus).toBe('none');
});
