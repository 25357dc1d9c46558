import { describe, expect, test } from 'vitest';

import { AppError } from '../base/index.ts';
import type { Window } from './focus-geometry.ts';
import { planRender } from './plan.ts';
import { parseRecipe } from './recipe.ts';

const ORIGINAL = { width: 6000, height: 4000 };
const TIER = { width: 480, height: 320 };

const plan = (query: Record<string, string>, facts: Partial<Parameters<typeof planRender>[0]> = {}) =>
  planRender({ source: ORIGINAL, faces: [], focal: undefined, ...facts, recipe: parseRecipe(query) });

describe('the part', () => {
  test.each<[string, Window]>([
    ['600,400,3000,2000', { left: 600, top: 400, width: 3000, height: 2000 }],
    ['0.1,0.1,0.5,0.5', { left: 600, top: 400, width: 3000, height: 2000 }],
    ['5000,3000,9000,9000', { left: 5000, top: 3000, width: 1000, height: 1000 }],
    ['0.9,0,0.9,1', { left: 5400, top: 0, width: 600, height: 4000 }],
    ['5999,3999,1,1', { left: 5999, top: 3999, width: 1, height: 1 }],
  ])('%s is cut to the picture', (rect, window) => {
    const { crop, output, focus } = plan({ rect });
    expect(crop).toEqual(window);
    expect(output).toEqual({ width: window.width, height: window.height });
    expect(focus).toBe('none');
  });

  test('counts pixels of the original, whichever tier is read', () => {
    const { crop, output } = plan({ rect: '600,400,3000,2000', w: '100' }, { source: TIER, original: ORIGINAL });
    expect(crop).toEqual({ left: 48, top: 32, width: 240, height: 160 });
    expect(output).toEqual({ width: 100, height: 67 });
  });

  test('counts pixels of a camera RAW that is shown smaller than it is', () => {
    const { crop } = plan({ rect: '600,400,3000,2000' }, { source: TIER, nominal: ORIGINAL });
    expect(crop).toEqual({ left: 48, top: 32, width: 240, height: 160 });
  });

  test('that has nothing of the picture is refused by name', () => {
    for (const rect of ['6000,0,10,10', '0,4000,10,10']) {
      let refusal: unknown;
      try {
        plan({ rect });
      } catch (error) {
        refusal = error;
      }
      expect(refusal).toBeInstanceOf(AppError);
      expect(refusal).toMatchObject({ code: 'image_parameter_invalid', errors: [{ pointer: 'rect' }] });
    }
  });
});

describe('inside the part', () => {
  const left = { x: 0.1, y: 0.4, w: 0.05, h: 0.1, score: 1 };
  const right = { x: 0.7, y: 0.4, w: 0.1, h: 0.2, score: 1 };

  test('only its faces count', () => {
    const square = { w: '300', h: '300', f: 'face', rect: '0,0,0.5,1.0' };
    const { crop, focus } = plan(square, { faces: [left, right] });
    // The centre of the left face, at 750 px, is nearer to the border than half a window.
    expect(crop).toMatchObject({ left: 0, width: 3000, height: 3000 });
    expect(focus).toBe('face');
    expect(plan({ ...square, f: 'face,s' }, { faces: [right] }).focus).toBe('s');
  });

  test('a face of which less than a half is inside does not count', () => {
    const query = { w: '300', h: '300', f: 'face,s' };
    expect(plan({ ...query, rect: '0,0,0.74,1' }, { faces: [right] }).focus).toBe('s');
    expect(plan({ ...query, rect: '0,0,0.76,1' }, { faces: [right] }).focus).toBe('face');
  });

  test('the focal point counts where it lies there, and a point of the URL is one of the part', () => {
    const focal = { x: 0.25, y: 0.5 };
    const query = { w: '100', h: '400', rect: '0,0,0.5,1.0', f: 'focal,e' };
    expect(plan(query, { focal })).toMatchObject({ focus: 'focal', crop: { left: 1000, width: 1000 } });
    expect(plan(query, { focal: { x: 0.6, y: 0.5 } })).toMatchObject({ focus: 'e', crop: { left: 2000 } });
    expect(plan({ ...query, f: 'fp:0.5:0.5' })).toMatchObject({ crop: { left: 1000, width: 1000 } });
  });

  test('attention looks at it alone', () => {
    expect(plan({ w: '100', h: '100', rect: '10,20,300,200', f: 'attention' })).toMatchObject({
      crop: { left: 10, top: 20, width: 300, height: 200 },
      strategy: 'attention',
      output: { width: 100, height: 100 },
    });
  });
});
