/** Where faces land in the answer, found again by their colour. */
import sharp from 'sharp';
import { beforeAll, describe, expect, test } from 'vitest';

import type { FaceBox } from './focus-faces.ts';
import type { FocalPoint } from './focus-geometry.ts';
import { createRenderer, parseRecipe, planRender } from './index.ts';
import { chooseTier } from './plan.ts';

type Color = 'red' | 'green' | 'blue';
const COLORS: Readonly<Record<Color, readonly [number, number, number]>> = {
  red: [230, 20, 20],
  green: [20, 200, 20],
  blue: [20, 20, 230],
};

/** Two faces beside each other on the left, red the larger one, and one on the right; red and green are linked. */
const SIZE = { width: 1200, height: 800 };
const FACES: Readonly<Record<Color, FaceBox>> = {
  red: { x: 0.2, y: 0.4, w: 0.1, h: 0.2, score: 0.99, tagOptionId: 7 },
  green: { x: 0.4, y: 0.45, w: 0.05, h: 0.1, score: 0.95, tagOptionId: 12 },
  blue: { x: 0.85, y: 0.3, w: 0.04, h: 0.08, score: 0.9, tagOptionId: null },
};
const colors = ['red', 'green', 'blue'] as const;

let photo: Buffer;
const renderer = createRenderer();
beforeAll(async () => {
  const boxes = colors.map((color) => {
    const { x, y, w, h } = FACES[color];
    const [r, g, b] = COLORS[color];
    const size = { width: Math.round(w * SIZE.width), height: Math.round(h * SIZE.height) };
    return {
      input: { create: { ...size, channels: 3 as const, background: { r, g, b } } },
      left: Math.round(x * SIZE.width),
      top: Math.round(y * SIZE.height),
    };
  });
  photo = await sharp({ create: { ...SIZE, channels: 3, background: '#bbb' } })
    .composite(boxes)
    .png()
    .toBuffer();
});

type Facts = { readonly faces?: readonly FaceBox[]; readonly focal?: FocalPoint };

/** The answer's size, and the box of each face in it, in pixels; a face that is not shown has none. */
async function landing(query: Record<string, string>, facts: Facts = {}) {
  const { faces = Object.values(FACES), focal } = facts;
  const recipe = parseRecipe({ ...query, fmt: 'png' });
  const plan = planRender({ recipe, source: SIZE, faces, focal });
  const { bytes } = await renderer.render({ source: photo, plan, format: 'png' });
  const { data, info } = await sharp(bytes).removeAlpha().raw().toBuffer({ resolveWithObject: true });
  const boxOf = (color: Color) => {
    let box: { left: number; top: number; right: number; bottom: number } | undefined;
    for (let at = 0; at < info.width * info.height; at += 1) {
      if (!COLORS[color].every((value, channel) => Math.abs((data[at * 3 + channel] ?? 0) - value) < 60)) continue;
      const [x, y] = [at % info.width, Math.floor(at / info.width)];
      box = {
        left: Math.min(box?.left ?? x, x),
        top: Math.min(box?.top ?? y, y),
        right: Math.max(box?.right ?? 0, x + 1),
        bottom: Math.max(box?.bottom ?? 0, y + 1),
      };
    }
    return box;
  };
  const [red, green, blue] = colors.map(boxOf);
  return { width: info.width, height: info.height, used: plan.focus, red, green, blue };
}

type Box = NonNullable<Awaited<ReturnType<typeof landing>>['red']>;
function expectMiddle(box: Box | undefined, width: number) {
  expect(Math.abs(((box?.left ?? -99) + (box?.right ?? -99)) / 2 - width / 2)).toBeLessThanOrEqual(2);
}

describe('f=player', () => {
  const NARROW = { w: '100', h: '400' };

  test('puts the linked face into the middle, also when it is not the most prominent', async () => {
    const shown = await landing({ ...NARROW, f: 'player:12,faces' });
    expect(shown).toMatchObject({ used: 'player:12', width: 100, height: 400, red: undefined, blue: undefined });
    expectMiddle(shown.green, 100);
    expect((await landing({ ...NARROW, f: 'face' })).green).toBeUndefined();
  });

  test('takes the largest of several faces of the player', async () => {
    const faces = Object.values(FACES).map((face) => ({ ...face, tagOptionId: face === FACES.red ? 7 : 12 }));
    expect(await landing({ ...NARROW, f: 'player:12' }, { faces })).toMatchObject({ blue: undefined });
    expectMiddle((await landing({ ...NARROW, f: 'player:12' }, { faces })).green, 100);
  });

  test('falls through for a player who is not in the picture', async () => {
    const shown = await landing({ ...NARROW, f: 'player:99,player:7,center' });
    expect(shown.used).toBe('player:7');
    expectMiddle(shown.red, 100);
    expect((await landing({ ...NARROW, f: 'player:99,faces' })).used).toBe('faces');
    expect((await landing({ ...NARROW, f: 'player:99' })).used).toBe('center');
  });
});

describe('face=n', () => {
  test.each([
    ['1', 'red'],
    ['2', 'green'],
    ['3', 'blue'],
    ['4', 'red'],
  ] as const)('%s is the %s one by prominence', async (face, color) => {
    for (const f of [{}, { f: 'face' }]) {
      const shown = await landing({ w: '60', h: '300', face, ...f });
      expect(shown.used).toBe('face');
      expectMiddle(shown[color], 60);
    }
  });
});

describe('z', () => {
  const SQUARE = { w: '100', h: '100', up: '1' };
  const heightOf = (box: Box | undefined) => (box?.bottom ?? 0) - (box?.top ?? 0);

  test('brings the face nearer, until it fills the crop with its pad', async () => {
    const heights = [];
    for (const z of ['0', '0.25', '0.5', '0.75', '1']) {
      const shown = await landing({ ...SQUARE, f: 'player:12', z });
      expect([shown.width, shown.height]).toEqual([100, 100]);
      expectMiddle(shown.green, 100);
      heights.push(heightOf(shown.green));
    }
    expect(heights).toEqual([...heights].sort((a, b) => a - b));
    expect(heights[0]).toBe(10);
    // Above 0.75, below 1 face heights: 100 px are 2.75 of them. Half of the zoom is the geometric mean of 10 and 36.4.
    expect(Math.abs((heights[2] ?? 0) - 19)).toBeLessThanOrEqual(1);
    expect(Math.abs((heights[4] ?? 0) - 36.4)).toBeLessThanOrEqual(1);
  });

  test.each([
    ['0', 0.6, 0.2],
    ['0.5', 0.6, 0.5],
    ['2', 1.5, 2],
  ])('with pad=%s leaves %s face heights above and %s below', async (pad, above, below) => {
    const { green } = await landing({ ...SQUARE, f: 'player:12', z: '1', pad });
    const height = 100 / (1 + above + below);
    expect(Math.abs((green?.top ?? -99) - above * height)).toBeLessThanOrEqual(2);
    expect(Math.abs(100 - (green?.bottom ?? -99) - below * height)).toBeLessThanOrEqual(2);
  });

  test('with faces closes in on those that fit, all of them whole', async () => {
    const loose = await landing({ ...SQUARE, f: 'faces' });
    const tight = await landing({ ...SQUARE, f: 'faces', z: '1' });
    expect([loose.used, tight.used, loose.blue, tight.blue]).toEqual(['faces', 'faces', undefined, undefined]);
    expect(heightOf(tight.red)).toBeGreaterThan(1.2 * heightOf(loose.red));
    expect(tight.red?.left).toBeGreaterThan(5);
    expect(tight.green?.right).toBeLessThan(95);
  });

  test('on a point shows a quarter of the width around it', async () => {
    const centre = { x: 0.25, y: 0.5 };
    for (const query of [{ f: 'focal' }, { f: 'fp:0.25:0.5' }]) {
      const shown = await landing({ ...SQUARE, ...query, z: '1' }, { focal: centre });
      expectMiddle(shown.red, 100);
      // 120 of 200 pixels.
      expect(Math.abs((shown.red?.right ?? 0) - (shown.red?.left ?? 0) - 60)).toBeLessThanOrEqual(1);
    }
  });

  test('makes the answer smaller rather than blurred, unless up=1', async () => {
    const { up: _up, ...square } = SQUARE;
    const shown = await landing({ ...square, w: '300', h: '300', f: 'player:12', z: '1' });
    // 2.75 face heights of 80 px.
    expect([shown.width, shown.height]).toEqual([220, 220]);
    expect(await landing({ ...SQUARE, w: '300', h: '300', f: 'player:12', z: '1' })).toMatchObject({ width: 300 });
  });

  test('is made from a larger tier', () => {
    const original = { width: 6000, height: 4000 };
    const tiers = [{ width: 480, height: 320 }, { width: 2048, height: 1365 }, original];
    const widthOf = (query: Record<string, string>) =>
      chooseTier({ recipe: parseRecipe(query), original, tiers, faces: Object.values(FACES), focal: undefined })?.width;
    const crop = { w: '300', h: '300', f: 'player:12' };
    expect(widthOf(crop)).toBe(480);
    expect(widthOf({ ...crop, z: '0.5' })).toBe(2048);
    expect(widthOf({ ...crop, z: '1' })).toBe(2048);
    expect(widthOf({ ...crop, w: '600', h: '600', z: '1' })).toBe(6000);
    expect(widthOf({ ...crop, rect: '0,0,600,600' })).toBe(6000);
    expect(widthOf({ ...crop, up: '1', w: '8000', h: '8000' })).toBe(6000);
  });
});

describe('rect', () => {
  test('shows the part alone', async () => {
    for (const rect of ['200,300,200,200', '0.1667,0.375,0.1667,0.25']) {
      const shown = await landing({ rect });
      expect(shown).toMatchObject({ width: 200, height: 200, green: undefined, blue: undefined, used: 'none' });
      expect(shown.red).toMatchObject({ left: 40, top: 20, right: 160, bottom: 180 });
    }
  });

  test('comes before the focus', async () => {
    const shown = await landing({ rect: '0.5,0,0.5,1', w: '100', h: '200', f: 'face' });
    expect(shown).toMatchObject({ used: 'face', red: undefined, green: undefined });
    expect((shown.blue?.right ?? 0) - (shown.blue?.left ?? 0)).toBe(12);
    const seen = await landing({ rect: '0.5,0,0.5,1', w: '100', h: '200', f: 'attention' });
    expect(seen).toMatchObject({ used: 'attention', red: undefined, green: undefined, width: 100, height: 200 });
  });
});

describe('up', () => {
  test.each<[Record<string, string>, number, number]>([
    [{ w: '2400' }, 2400, 1600],
    [{ h: '1600' }, 2400, 1600],
    [{ w: '1500', h: '1500' }, 1500, 1500],
    [{ w: '1500', h: '1500', fit: 'inside' }, 1500, 1000],
    [{ w: '1500', h: '1500', fit: 'outside' }, 2250, 1500],
    [{ w: '1500', h: '1500', fit: 'fill' }, 1500, 1500],
    [{ w: '1500', h: '1500', fit: 'contain' }, 1500, 1500],
    [{ w: '300' }, 300, 200],
  ])('%j is %d x %d with it', async (query, width, height) => {
    expect(await landing({ ...query, f: 'face', up: '1' })).toMatchObject({ width, height });
  });

  test('enlarges what is shown, and nothing without it', async () => {
    const { red } = await landing({ w: '2400', up: '1' });
    expect(Math.abs((red?.right ?? 0) - (red?.left ?? 0) - 240)).toBeLessThanOrEqual(4);
    expect(await landing({ w: '2400', up: '0' })).toMatchObject({ width: 1200 });
  });

  test('never passes 8192 pixels a side', () => {
    const source = { width: 3000, height: 300 };
    const outputOf = (query: Record<string, string>) =>
      planRender({ recipe: parseRecipe({ ...query, up: '1' }), source, faces: [], focal: undefined }).output;
    expect(outputOf({ h: '8000' })).toEqual({ width: 8192, height: 819 });
    expect(outputOf({ w: '8000', h: '8000', fit: 'outside' })).toEqual({ width: 8192, height: 819 });
  });
});
