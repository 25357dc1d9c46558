import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import sharp from 'sharp';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { AppError } from '../base/index.ts';
import { createImageCache } from './cache.ts';
import { parseRecipe } from './recipe.ts';
import { createRenderer } from './render/renderer.ts';
import { createImageService, etagOf, type ImageAsset, type LoadTier } from './service.ts';

const CHROME = 'image/avif,image/webp,*/*';

const blank = (width: number, height: number, alpha = 1) =>
  sharp({ create: { width, height, channels: 4, background: { r: 200, g: 30, b: 30, alpha } } });

const ASSET: ImageAsset = {
  orgId: 1,
  mediaId: 42,
  rev: 'r1',
  original: { width: 1200, height: 800 },
  hasAlpha: false,
  tiers: [
    { name: 'original', width: 1200, height: 800, hasAlpha: false },
    { name: 'thumbnail', width: 480, height: 320, hasAlpha: false },
  ],
  faces: [{ x: 0.7, y: 0.2, w: 0.1, h: 0.2, score: 0.9 }],
  focal: undefined,
};

function deferred() {
  let resolve: () => void = () => undefined;
  const promise = new Promise<void>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}

let directory: string;
let loaded: string[];
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'image-service-'));
  loaded = [];
});
afterEach(() => rm(directory, { recursive: true }));

const drawTier: LoadTier = (_, tier) => {
  loaded.push(tier.name);
  return blank(tier.width, tier.height, tier.hasAlpha ? 0.5 : 1)
    .toFormat(tier.hasAlpha ? 'png' : 'jpeg')
    .toBuffer();
};

function open(loadTier: LoadTier = drawTier) {
  const cache = createImageCache({ directory, maxBytes: 10_000_000 });
  const faults: unknown[] = [];
  const service = createImageService({
    cache,
    renderer: createRenderer(),
    loadTier,
    onCacheFault: (error) => faults.push(error),
  });
  return { service, cache, faults };
}

const request = (query: Record<string, string>, more: { accept?: string; asset?: ImageAsset } = {}) => ({
  asset: more.asset ?? ASSET,
  recipe: parseRecipe(query),
  accept: more.accept,
});

describe('the image service', () => {
  test('renders once and answers the same from the cache, with the same facts', async () => {
    const { service } = open();
    const first = await service.get(request({ w: '200', h: '300', f: 'face' }, { accept: CHROME }));
    expect(first).toMatchObject({
      width: 200,
      height: 300,
      contentType: 'image/avif',
      focus: 'face',
      cached: false,
      varyAccept: true,
    });
    const second = await service.get(request({ h: '300', w: '200', g: 'face' }, { accept: CHROME }));
    expect(second).toEqual({ ...first, cached: true });
    expect(loaded).toHaveLength(1);
    const restarted = await open().service.get(request({ w: '200', h: '300', f: 'face' }, { accept: CHROME }));
    expect(restarted).toEqual({ ...first, cached: true });
  });

  test('reads the smallest tier that is large enough', async () => {
    const { service } = open();
    await service.get(request({ w: '300' }));
    await service.get(request({ w: '900' }));
    expect(loaded).toEqual(['thumbnail', 'original']);
  });

  test('many who ask for the same picture at once wait for one render', async () => {
    const { service } = open();
    const answers = await Promise.all(Array.from({ length: 20 }, () => service.get(request({ w: '300' }))));
    expect(loaded).toHaveLength(1);
    expect(new Set(answers.map(({ etag }) => etag)).size).toBe(1);
  });

  test('another revision, recipe or asset is another picture', async () => {
    const { service } = open();
    await service.get(request({ w: '300' }));
    await service.get(request({ w: '301' }));
    await service.get(request({ w: '300' }, { asset: { ...ASSET, rev: 'r2' } }));
    await service.get(request({ w: '300' }, { asset: { ...ASSET, mediaId: 43 } }));
    await service.get(request({ w: '300' }, { asset: { ...ASSET, orgId: 2 } }));
    expect(loaded).toHaveLength(5);
  });

  test('fmt=auto shares its picture with the format it settles on', async () => {
    const { service } = open();
    await service.get(request({ w: '300' }, { accept: 'image/webp' }));
    expect(await service.get(request({ w: '300', fmt: 'webp' }))).toMatchObject({ cached: true, varyAccept: false });
  });

  test('transparency is taken from a tier that has kept it', async () => {
    const asset = {
      ...ASSET,
      hasAlpha: true,
      tiers: [
        { name: 'original', width: 1200, height: 800, hasAlpha: true },
        { name: 'thumbnail', width: 480, height: 320, hasAlpha: false },
      ],
    };
    const { service } = open();
    expect(await service.get(request({ w: '300' }, { asset }))).toMatchObject({ contentType: 'image/png' });
    expect(await service.get(request({ w: '300', fmt: 'jpeg' }, { asset }))).toMatchObject({
      contentType: 'image/jpeg',
    });
    expect(loaded).toEqual(['original', 'thumbnail']);
  });

  test('a failure is answered and not kept', async () => {
    let fail = true;
    const { service } = open((asset, tier, signal) =>
      fail ? Promise.reject(new AppError('unavailable', 'storage is away')) : drawTier(asset, tier, signal),
    );
    await expect(service.get(request({ w: '300' }))).rejects.toMatchObject({ code: 'unavailable' });
    fail = false;
    expect(await service.get(request({ w: '300' }))).toMatchObject({ width: 300 });
  });

  test('a cache that cannot be used costs time, not the picture', async () => {
    const { service, cache, faults } = open();
    await cache.ready();
    await rm(directory, { recursive: true });
    await writeFile(directory, 'a file where the folder was');
    expect(await service.get(request({ w: '300' }))).toMatchObject({ width: 300, cached: false });
    expect(faults.length).toBeGreaterThan(0);
  });

  test('purge forgets every picture of the asset', async () => {
    const { service } = open();
    await service.get(request({ w: '300' }));
    await service.get(request({ w: '310' }));
    await service.purge(ASSET);
    expect(await service.get(request({ w: '300' }))).toMatchObject({ cached: false });
  });
});

describe('callers who leave', () => {
  test('one who leaves does not take the picture from those who stay', async () => {
    const gate = deferred();
    const { service } = open(async (asset, tier, signal) => {
      await gate.promise;
      return drawTier(asset, tier, signal);
    });
    const controller = new AbortController();
    const leaving = service.get({ ...request({ w: '300' }), signal: controller.signal });
    const staying = service.get(request({ w: '300' }));
    controller.abort();
    await expect(leaving).rejects.toMatchObject({ name: 'AbortError' });
    gate.resolve();
    expect(await staying).toMatchObject({ width: 300 });
    expect(loaded).toHaveLength(1);
  });

  test('when all have left the work ends, and a newcomer starts anew', async () => {
    const signals: (AbortSignal | undefined)[] = [];
    const started = deferred();
    const { service } = open((asset, tier, signal) => {
      signals.push(signal);
      if (signals.length > 1) return drawTier(asset, tier, signal);
      started.resolve();
      return new Promise((_, reject) => {
        signal?.addEventListener('abort', () => reject(new Error('stopped')));
      });
    });
    const controller = new AbortController();
    const leaving = service.get({ ...request({ w: '300' }), signal: controller.signal });
    await started.promise;
    controller.abort();
    await expect(leaving).rejects.toMatchObject({ name: 'AbortError' });
    expect(signals[0]?.aborted).toBe(true);
    expect(await service.get(request({ w: '300' }))).toMatchObject({ width: 300 });
  });
});

describe('ETag', () => {
  const identity = { orgId: 1, mediaId: 42, rev: 'r1', accept: undefined };

  test('is strong, quoted and the one of the answer', async () => {
    const recipe = parseRecipe({ w: '300' });
    const { etag } = await open().service.get(request({ w: '300' }));
    expect(etag).toMatch(/^"[0-9a-f]{32}"$/);
    expect(etagOf({ ...identity, recipe })).toBe(etag);
  });

  test('is equal for URLs that mean the same and differs by revision and format', () => {
    const of = (query: Record<string, string>, more: { accept?: string; rev?: string } = {}) =>
      etagOf({ ...identity, recipe: parseRecipe(query), ...more });
    expect(of({ w: '300', dpr: '2' })).toBe(of({ w: '600' }));
    expect(of({ w: '600' }, { rev: 'r2' })).not.toBe(of({ w: '600' }));
    expect(of({ w: '600' }, { accept: CHROME })).not.toBe(of({ w: '600' }));
    expect(of({ w: '600', fmt: 'avif' })).toBe(of({ w: '600' }, { accept: CHROME }));
  });

  test('parts cannot run into each other', () => {
    const recipe = parseRecipe({});
    expect(etagOf({ ...identity, orgId: '1', mediaId: '23', recipe })).not.toBe(
      etagOf({ ...identity, orgId: '12', mediaId: '3', recipe }),
    );
  });
});
