import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import sharp from 'sharp';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { colourAt, drawn, expectNear, noise, RED, WHITE } from '../../test/support/pictures.ts';
import { createImageCache } from './cache.ts';
import { parseRecipe } from './recipe.ts';
import { createRenderer } from './render/renderer.ts';
import type { WatermarkPreset } from './render/watermark.ts';
import { createImageService, etagOf, type ImageAsset, type ImageTier, type LoadTier } from './service.ts';

const CHROME = 'image/avif,image/webp,*/*';

const tier = (name: string, width: number, height: number, more: Partial<ImageTier> = {}): ImageTier => ({
  name,
  width,
  height,
  hasAlpha: false,
  ...more,
});

const ASSET: ImageAsset = {
  orgId: 1,
  mediaId: 42,
  rev: '1',
  original: { width: 1200, height: 800 },
  hasAlpha: false,
  tiers: [tier('original', 1200, 800, { isOriginal: true }), tier('thumbnail', 480, 320)],
  faces: [
    { x: 0.1, y: 0.2, w: 0.2, h: 0.3, score: 0.9, tagOptionId: 7 },
    { x: 0.6, y: 0.2, w: 0.2, h: 0.3, score: 0.9, tagOptionId: null },
  ],
  focal: undefined,
  facesKnown: true,
};

let directory: string;
let loaded: string[];
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'image-effects-'));
  loaded = [];
});
afterEach(() => rm(directory, { recursive: true }));

/** White with a red box from 25 % to 75 % of both sides; transparent for white where the tier has transparency. */
const drawTier: LoadTier = (_, { name, width, height, hasAlpha }) => {
  loaded.push(name);
  const around = hasAlpha ? [0, 0, 0, 0] : WHITE;
  const box = hasAlpha ? [255, 0, 0, 255] : RED;
  return drawn(width, height, (x, y) => (Math.max(Math.abs(x - 0.5), Math.abs(y - 0.5)) < 0.25 ? box : around))
    .png()
    .toBuffer();
};

function open(
  more: { readonly loadTier?: LoadTier; readonly presets?: Readonly<Record<string, WatermarkPreset>> } = {},
) {
  const { presets = {} } = more;
  return createImageService({
    cache: createImageCache({ directory, maxBytes: 10_000_000 }),
    renderer: createRenderer(),
    loadTier: more.loadTier ?? drawTier,
    findWatermark: async (_, name) => (Object.hasOwn(presets, name) ? presets[name] : undefined),
  });
}

const request = (query: Record<string, string>, more: { accept?: string; asset?: ImageAsset } = {}) => ({
  asset: more.asset ?? ASSET,
  recipe: parseRecipe(query),
  accept: more.accept,
});

describe('trim', () => {
  test('makes the picture what is inside of the borders, in its own aspect, and the crop a crop of that', async () => {
    const service = open();
    const whole = await service.get(request({ trim: '10', fmt: 'png' }));
    expect([whole.width, whole.height]).toEqual([600, 400]);
    expectNear((await colourAt(whole.bytes, 0.01, 0.01)).slice(0, 3), RED, 5);
    const small = await service.get(request({ trim: '10', w: '100', h: '100', fmt: 'png' }));
    expect([small.width, small.height]).toEqual([100, 100]);
    expectNear((await colourAt(small.bytes, 0.01, 0.5)).slice(0, 3), RED, 5);
  });

  test('measures and renders from the smallest tiers that are large enough for what is left', async () => {
    const service = open();
    await service.get(request({ trim: '10', w: '200' }));
    await service.get(request({ trim: '10', w: '400' }));
    // Half of the picture is left: 240 pixels of the thumbnail.
    expect(loaded).toEqual(['original', 'thumbnail', 'original', 'original']);
  });

  test('takes transparent borders too, whatever the format of the answer', async () => {
    const asset = {
      ...ASSET,
      hasAlpha: true,
      tiers: [tier('original', 1200, 800, { hasAlpha: true }), tier('thumbnail', 480, 320)],
    };
    for (const fmt of ['png', 'jpeg']) {
      const image = await open().get(request({ trim: '10', fmt, w: '300' }, { asset }));
      expect([image.width, image.height]).toEqual([300, 200]);
      expectNear((await colourAt(image.bytes, 0.02, 0.5)).slice(0, 3), RED, 5);
    }
  });

  test('goes on with rect and rot', async () => {
    const image = await open().get(request({ trim: '10', rot: '90', rect: '0,0,1.0,0.5', fmt: 'png' }));
    // Of the turned 800 x 1200, the upper half: the box from 200 to 600 and from 300 to 600.
    expect([image.width, image.height]).toEqual([400, 300]);
  });
});

describe('redact', () => {
  const rough: LoadTier = async (_, { width, height }) => noise(width, height).png().toBuffer();
  const spreadIn = async (bytes: Buffer, left: number) => {
    const part = await sharp(bytes).extract({ left, top: 80, width: 90, height: 90 }).png().toBuffer();
    return (await sharp(part).stats()).channels[0]?.stdev ?? 0;
  };

  test('faces hides all, unknown those that are linked to no player', async () => {
    const service = open({ loadTier: rough });
    const all = await service.get(request({ redact: 'faces', w: '480', fmt: 'png' }));
    expect(await spreadIn(all.bytes, 50)).toBeLessThan(10);
    expect(await spreadIn(all.bytes, 290)).toBeLessThan(10);
    const unknown = await service.get(request({ redact: 'unknown', w: '480', fmt: 'png' }));
    expect(await spreadIn(unknown.bytes, 50)).toBeGreaterThan(40);
    expect(await spreadIn(unknown.bytes, 290)).toBeLessThan(10);
  });

  test('does not change what X-Focus says', async () => {
    const service = open({ loadTier: rough });
    const [plain, hidden] = await Promise.all([
      service.get(request({ w: '100', h: '300', f: 'player:7,faces' })),
      service.get(request({ w: '100', h: '300', f: 'player:7,faces', redact: 'faces' })),
    ]);
    expect([plain.focus, hidden.focus]).toEqual(['player:7', 'player:7']);
  });

  test('is refused where faces were not looked for', async () => {
    const asset = { ...ASSET, faces: [], facesKnown: false };
    await expect(open().get(request({ redact: 'faces' }, { asset }))).rejects.toMatchObject({ code: 'state_conflict' });
    expect(await open().get(request({ w: '100' }, { asset }))).toMatchObject({ width: 100 });
  });
});

describe('wm', () => {
  const preset = async (colour: string, version: string): Promise<WatermarkPreset> => ({
    image: await sharp({ create: { width: 10, height: 10, channels: 4, background: colour } })
      .png()
      .toBuffer(),
    position: 'nw',
    opacity: 1,
    scale: 0.5,
    margin: 0,
    version,
  });

  test('takes the preset of that name, and another version of it is another picture', async () => {
    const service = open({ presets: { logo: await preset('#00f', '1') } });
    const first = await service.get(request({ wm: 'logo', w: '100', fmt: 'png' }));
    expectNear((await colourAt(first.bytes, 0.1, 0.1)).slice(0, 3), [0, 0, 255], 0);
    expect(await service.get(request({ wm: 'logo', w: '100', fmt: 'png' }))).toMatchObject({ cached: true });
    const changed = open({ presets: { logo: await preset('#0f0', '2') } });
    const second = await changed.get(request({ wm: 'logo', w: '100', fmt: 'png' }));
    expect(second.cached).toBe(false);
    expect(second.etag).not.toBe(first.etag);
    expectNear((await colourAt(second.bytes, 0.1, 0.1)).slice(0, 3), [0, 255, 0], 0);
  });

  test('the ETag of the URL is that of the answer', async () => {
    const service = open({ presets: { logo: await preset('#00f', '1') } });
    const recipe = parseRecipe({ wm: 'logo', w: '100' });
    const watermark = await service.watermarkOf(1, recipe);
    const { etag } = await service.get(request({ wm: 'logo', w: '100' }));
    expect(etagOf({ orgId: 1, mediaId: 42, rev: '1', recipe, watermark, accept: undefined })).toBe(etag);
  });

  test('an unknown preset is the fault of the URL, by name', async () => {
    for (const name of ['other', 'constructor']) {
      await expect(open().get(request({ wm: name }))).rejects.toMatchObject({
        code: 'image_parameter_invalid',
        errors: [{ pointer: 'wm', code: 'unknown' }],
      });
    }
  });
});

describe('what the answer is made from', () => {
  test('meta=all reads the original, for what it says', async () => {
    await open().get(request({ w: '100', meta: 'all' }));
    expect(loaded).toEqual(['original']);
  });

  test('anim=1 reads the original where that can move, and answers WebP', async () => {
    const gif: ImageAsset = {
      ...ASSET,
      tiers: [tier('original', 1200, 800, { mayMove: true }), tier('thumbnail', 480, 320)],
    };
    const service = open();
    expect(await service.get(request({ w: '100', anim: '1' }, { asset: gif, accept: CHROME }))).toMatchObject({
      contentType: 'image/webp',
    });
    expect(await service.get(request({ w: '101', anim: '1' }, { accept: CHROME }))).toMatchObject({
      contentType: 'image/webp',
    });
    expect(await service.get(request({ w: '102', anim: '1' }, { asset: gif }))).toMatchObject({
      contentType: 'image/jpeg',
    });
    expect(loaded).toEqual(['original', 'thumbnail', 'thumbnail']);
  });

  test('an opaque background needs no PNG, and JPEG on it the tier that has transparency', async () => {
    const asset = {
      ...ASSET,
      hasAlpha: true,
      tiers: [tier('original', 1200, 800, { hasAlpha: true }), tier('thumbnail', 480, 320)],
    };
    const image = await open().get(request({ w: '200', bg: '00f' }, { asset }));
    expect(image.contentType).toBe('image/jpeg');
    expectNear(await colourAt(image.bytes, 0.05, 0.05), [0, 0, 255]);
    expect(loaded).toEqual(['original']);
    expect(await open().get(request({ w: '200', bg: '00f8' }, { asset }))).toMatchObject({ contentType: 'image/png' });
  });

  test('an answer above maxbytes says so, from the cache too', async () => {
    const loadTier: LoadTier = async (_, { width, height }) => noise(width, height).png().toBuffer();
    const asset = { ...ASSET, credit: { copyright: 'x'.repeat(3000) } };
    const service = open({ loadTier });
    const first = await service.get(request({ w: '100', maxbytes: '1000' }, { asset }));
    expect(first).toMatchObject({ overMaxBytes: true, cached: false });
    expect(await service.get(request({ w: '100', maxbytes: '1000' }, { asset }))).toMatchObject({
      overMaxBytes: true,
      cached: true,
    });
    expect(await service.get(request({ w: '100', maxbytes: '50000' }, { asset }))).toMatchObject({
      overMaxBytes: false,
    });
  });

  test('a download name is no part of the picture', async () => {
    const service = open();
    await service.get(request({ w: '100', dl: 'card' }));
    expect(await service.get(request({ w: '100' }))).toMatchObject({ cached: true });
  });
});
