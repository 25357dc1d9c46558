import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { BLUE, clearedQuarters, GREEN, quarters, RED, type Rgb, WHITE } from '../fixtures/photos/painted-photo.ts';
import { syntheticDng } from '../fixtures/photos/synthetic-dng.ts';
import { type Json, startApp, type TestApp } from '../support/app.ts';
import { filesBelow, plainPhoto, pointersOf, uploadMedia } from '../support/library.ts';

const fixture = (...path: string[]) => readFile(join(import.meta.dirname, '..', 'fixtures', ...path));

let service: TestApp;
let painted: Json;
let portrait: Json;
beforeAll(async () => {
  service = await startApp();
  painted = await uploadMedia(service, await quarters(1200, 800).jpeg().toBuffer());
  portrait = await uploadMedia(service, await fixture('faces', 'astronaut.png'), { name: 'astronaut.png' });
});
afterAll(() => service.close());

const get = async (media: Json, query = '', headers: Record<string, string> = {}) => {
  const answer = await fetch(media['images'].url + query, { headers, redirect: 'manual' });
  return { status: answer.status, headers: answer.headers, bytes: Buffer.from(await answer.arrayBuffer()) };
};
const sizeOf = async (bytes: Buffer) => {
  const { format, width, height } = await sharp(bytes).metadata();
  return { format, width, height };
};
/** The colour at a place given in fractions. */
async function colorAt(bytes: Buffer, x: number, y: number): Promise<Rgb> {
  const { data, info } = await sharp(bytes).raw().toBuffer({ resolveWithObject: true });
  const at = (Math.floor(y * info.height) * info.width + Math.floor(x * info.width)) * info.channels;
  return [data[at] ?? -1, data[at + 1] ?? -1, data[at + 2] ?? -1];
}
const expectColor = (actual: Rgb, expected: Rgb) => {
  const distance = Math.max(...actual.map((value, channel) => Math.abs(value - (expected[channel] ?? -999))));
  expect(distance, `${actual.join()} against ${expected.join()}`).toBeLessThan(16);
};

describe('format', () => {
  test.each([
    ['image/avif,image/webp,*/*', 'heif', 'image/avif'],
    ['image/webp,*/*', 'webp', 'image/webp'],
    ['*/*', 'jpeg', 'image/jpeg'],
    ['image/avif;q=0,image/webp;q=0.5', 'webp', 'image/webp'],
  ])('follows the Accept header %s, and says so to caches', async (accept, format, type) => {
    const answer = await get(painted, '?w=90', { Accept: accept });
    expect(answer.headers.get('content-type')).toBe(type);
    expect(answer.headers.get('vary')).toContain('Accept');
    expect(await sizeOf(answer.bytes)).toMatchObject({ format, width: 90, height: 60 });
  });

  test.each(['jpeg', 'jpg', 'webp', 'avif', 'png'])(
    '%s is answered when asked for, whatever is accepted',
    async (fmt) => {
      const type = `image/${fmt === 'jpg' ? 'jpeg' : fmt}`;
      for (const name of ['fmt', 'output']) {
        const answer = await get(painted, `?w=90&${name}=${fmt}`, { Accept: 'image/gif' });
        expect(answer.headers.get('content-type')).toBe(type);
        expect(answer.headers.get('vary') ?? '').not.toContain('Accept');
      }
    },
  );

  test('keeps transparency in PNG and WebP, and puts it on white in JPEG', async () => {
    const media = await uploadMedia(service, await (await clearedQuarters(400, 300)).png().toBuffer(), {
      name: 'a.png',
    });
    for (const fmt of ['png', 'webp', 'auto']) {
      const { bytes } = await get(media, `?w=200&fmt=${fmt}`);
      const { data, info } = await sharp(bytes).ensureAlpha().raw().toBuffer({ resolveWithObject: true });
      expect([fmt, info.width, data[(30 * info.width + 30) * 4 + 3]]).toEqual([fmt, 200, 0]);
    }
    expectColor(await colorAt((await get(media, '?w=200&fmt=jpeg')).bytes, 0.1, 0.1), [255, 255, 255]);
  });
});

describe('size', () => {
  test.each([
    ['?w=300', 300, 200],
    ['?h=100', 150, 100],
    ['?w=100&dpr=2', 200, 133],
    ['?w=300&h=300', 300, 300],
    ['?w=300&h=300&fit=inside', 300, 200],
    ['?w=300&h=300&fit=outside', 450, 300],
    ['?w=300&h=300&fit=fill', 300, 300],
    ['?w=300&h=300&fit=contain', 300, 300],
    ['?w=5000', 1200, 800],
    ['?w=4000&h=4000', 800, 800],
    ['', 1200, 800],
  ])('%s', async (query, width, height) => {
    const answer = await get(painted, query);
    expect(answer.status).toBe(200);
    expect(await sizeOf(answer.bytes)).toEqual({ format: 'jpeg', width, height });
    expect(answer.headers.get('x-image-size')).toBe(`${width}x${height}`);
  });

  test('of the ready-made images is as their names say', async () => {
    for (const [name, ratio] of [
      ['square', 1],
      ['portrait', 0.8],
      ['landscape', 16 / 9],
      ['story', 9 / 16],
    ] as const) {
      const answer = await fetch(portrait['images'][name]);
      const { width, height } = await sizeOf(Buffer.from(await answer.arrayBuffer()));
      expect(Math.abs(width / height - ratio), name).toBeLessThan(0.01);
    }
  });
});

describe('focus', () => {
  test.each<[string, Rgb, string]>([
    ['nw', RED, 'nw'],
    ['ne', GREEN, 'ne'],
    ['sw', BLUE, 'sw'],
    ['se', WHITE, 'se'],
    ['fp:0.9:0.1', GREEN, 'fp:0.9:0.1'],
    ['faces,sw', BLUE, 'sw'],
    ['face,focal,fp:0.05:0.95', BLUE, 'fp:0.05:0.95'],
  ])('%s keeps its part of the picture and is named in X-Focus', async (focus, color, used) => {
    for (const name of ['f', 'g']) {
      const wide = await get(painted, `?w=300&h=40&fmt=png&${name}=${focus}`);
      const tall = await get(painted, `?w=40&h=300&fmt=png&${name}=${focus}`);
      expect([wide.headers.get('x-focus'), tall.headers.get('x-focus')]).toEqual([used, used]);
      const x = color === RED || color === BLUE ? 0.1 : 0.9;
      const y = color === RED || color === GREEN ? 0.1 : 0.9;
      expectColor(await colorAt(wide.bytes, x, 0.5), color);
      expectColor(await colorAt(tall.bytes, 0.5, y), color);
    }
  });

  /** Where a crop of the picture's full height was cut out, in pixels from the left. */
  async function leftOfCrop(crop: Buffer): Promise<number> {
    const whole = await sharp(await fixture('faces', 'astronaut.png'))
      .greyscale()
      .raw()
      .toBuffer();
    const { data, info } = await sharp(crop).greyscale().raw().toBuffer({ resolveWithObject: true });
    const difference = (left: number) => {
      let sum = 0;
      for (let y = 0; y < 512; y += 8) {
        for (let x = 0; x < info.width; x += 4) {
          sum += Math.abs((whole[y * 512 + left + x] ?? 0) - (data[y * info.width + x] ?? 0));
        }
      }
      return sum;
    };
    const offsets = Array.from({ length: 512 - info.width + 1 }, (_, left) => left);
    return offsets.reduce((best, left) => (difference(left) < difference(best) ? left : best), 0);
  }

  test.each(['face', 'faces', 'auto'])('%s keeps a face whole that a crop on the centre cuts', async (focus) => {
    const [face] = portrait['faces'];
    const [left, right] = [face.x * 512, (face.x + face.w) * 512];
    const center = await leftOfCrop((await get(portrait, '?w=128&h=512&fmt=png&f=center')).bytes);
    expect(center).toBe((512 - 128) / 2);
    expect(left < center || right > center + 128, `face from ${left} to ${right}`).toBe(true);
    const answer = await get(portrait, `?w=128&h=512&fmt=png&f=${focus}`);
    expect(answer.headers.get('x-focus')).toMatch(/^faces?$/);
    const found = await leftOfCrop(answer.bytes);
    expect(found).toBeLessThanOrEqual(left);
    expect(found + 128).toBeGreaterThanOrEqual(right);
  });

  test('never fails: what is not in the picture falls through to the rest', async () => {
    for (const focus of ['face', 'faces', 'focal', 'auto', 'entropy', 'attention', 'face,focal']) {
      const answer = await get(painted, `?w=60&h=60&f=${focus}`);
      expect([focus, answer.status]).toEqual([focus, 200]);
      expect(answer.headers.get('x-focus')).toMatch(/^(attention|entropy|center)$/);
    }
  });
});

describe('caching', () => {
  test('is for ever, and the ETag answers 304 with nothing else', async () => {
    const first = await get(painted, '?w=200');
    expect(first.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    const etag = first.headers.get('etag') ?? '';
    expect(etag).toMatch(/^"[0-9a-f]{32}"$/);
    for (const given of [etag, `W/${etag}`, `"x", ${etag}`]) {
      const again = await get(painted, '?w=200', { 'If-None-Match': given });
      expect([again.status, again.bytes.length, again.headers.get('etag')]).toEqual([304, 0, etag]);
    }
    const [other, webp] = [await get(painted, '?w=201'), await get(painted, '?w=200', { Accept: 'image/webp' })];
    expect(new Set([etag, other.headers.get('etag'), webp.headers.get('etag')]).size).toBe(3);
    const head = await fetch(`${painted['images'].url}?w=200`, { method: 'HEAD' });
    expect([head.status, head.headers.get('content-length')]).toEqual([200, String(first.bytes.length)]);
  });

  test('ends with the revision: after a new focal point the old URL leads to the new one with its parameters', async () => {
    const media = await uploadMedia(service, await quarters(401, 301).jpeg().toBuffer());
    const query = '?w=100&h=20&f=auto&fmt=png';
    expect((await get(media, query)).headers.get('x-focus')).toBe('attention');
    const patched = await service.call('PATCH', `/v1/media/${media['id']}`, { body: { focal: { x: 0.1, y: 0.9 } } });
    const url: string = patched.body['media'].images.url;
    expect(url).not.toBe(media['images'].url);
    const old = await get(media, query);
    expect([old.status, old.headers.get('cache-control')]).toEqual([302, 'public, max-age=60']);
    expect(new URL(old.headers.get('location') ?? '', service.url).href).toBe(new URL(url + query).href);
    const present = await fetch(url + query);
    expect(present.headers.get('x-focus')).toBe('focal');
    expectColor(await colorAt(Buffer.from(await present.arrayBuffer()), 0.1, 0.5), BLUE);
  });

  test('holds no error: an asset that cannot be shown is 404 without a validator', async () => {
    const damaged = Buffer.from('89504e470d0a1a0a0000000d4948445200000040000000400802000000', 'hex');
    const failed = await uploadMedia(service, damaged, { name: 'damaged.png' });
    expect([failed['status'], failed['images'], failed['thumbnail_url']]).toEqual(['failed', null, null]);
    const other = await uploadMedia(service, await plainPhoto(9));
    const objects = (await filesBelow(join(service.dataDir, 'storage'))).filter((one) => one.includes(other['sha256']));
    for (const quality of ['compressed', 'thumbnail']) {
      const below = join(service.dataDir, 'storage', 'derived', String(service.organizationId), String(other['id']));
      for (const name of await filesBelow(below)) if (name.includes(quality)) await rm(join(below, name));
    }
    for (const one of objects) await rm(join(service.dataDir, 'storage', one));
    const answer = await get(other, '?w=33');
    expect(answer.status).toBeGreaterThanOrEqual(404);
    expect([answer.headers.get('etag'), answer.headers.get('cache-control')]).toEqual([null, 'no-store']);
  });
});

describe('a bad parameter', () => {
  test.each([
    ['w=0', 'w'],
    ['w=8193', 'w'],
    ['w=1.5', 'w'],
    ['w=-1', 'w'],
    ['h=abc', 'h'],
    ['dpr=9', 'dpr'],
    ['fit=stretch', 'fit'],
    ['f=head', 'f'],
    ['f=fp:2:0', 'f'],
    ['fmt=gif', 'fmt'],
    ['q=0', 'q'],
    ['q=101', 'q'],
    ['colour=red', 'colour'],
    ['w=1&w=2', 'w'],
    ['f=n&g=s', 'g'],
    ['api_key=x', 'api_key'],
  ])('%s is refused by name', async (query, name) => {
    const answer = await service.call('GET', `${new URL(painted['images'].url).pathname}?${query}`, { key: null });
    expect([answer.status, answer.body['code'], pointersOf(answer)]).toEqual([400, 'image_parameter_invalid', [name]]);
    expect(answer.body['detail']).toContain(name);
  });

  test('does not hide another: all are named', async () => {
    const { pathname } = new URL(painted['images'].url);
    const answer = await service.call('GET', `${pathname}?w=0&zzz=1&q=500`, { key: null });
    expect(pointersOf(answer).toSorted()).toEqual(['q', 'w', 'zzz']);
  });
});

describe('originals', () => {
  test('turned by EXIF are shown upright', async () => {
    const bytes = await quarters(600, 400).withMetadata({ orientation: 6 }).jpeg().toBuffer();
    const media = await uploadMedia(service, bytes);
    expect(media).toMatchObject({ width: 400, height: 600, orientation: 'portrait' });
    const { bytes: shown } = await get(media, '?w=200');
    expect(await sizeOf(shown)).toMatchObject({ width: 200, height: 300 });
    // A quarter turn clockwise: what was at the bottom left is at the top left.
    expectColor(await colorAt(shown, 0.2, 0.2), BLUE);
    expectColor(await colorAt(shown, 0.8, 0.2), RED);
    expect((await sharp(shown).metadata()).orientation ?? 1).toBe(1);
  });

  test.each<[string, () => Promise<Buffer>]>([
    ['TIFF', () => quarters(300, 200).tiff().toBuffer()],
    ['AVIF', () => quarters(300, 200).avif({ quality: 90 }).toBuffer()],
    ['WebP', () => quarters(300, 200).webp({ quality: 95 }).toBuffer()],
    ['GIF', () => quarters(300, 200).gif().toBuffer()],
    ['HEIC', () => fixture('photos', 'quarters.heic')],
  ])('of format %s are shown in every tier and by URL', async (name, make) => {
    const media = await uploadMedia(service, await make(), { name: 'wrong-name.jpg' });
    expect(media['mime_type']).toBe(`image/${name.toLowerCase()}`);
    expect(media['qualities'].compressed.mime_type).toBe('image/jpeg');
    const answer = await get(media, '?w=150&fmt=png');
    expect(await sizeOf(answer.bytes)).toEqual({ format: 'png', width: 150, height: 100 });
    expectColor(await colorAt(answer.bytes, 0.25, 0.25), RED);
    expectColor(await colorAt(answer.bytes, 0.75, 0.75), WHITE);
  });

  test('of a camera RAW are shown from its preview, and kept byte for byte', async () => {
    const jpeg = await quarters(1200, 800).jpeg().toBuffer();
    const raw = syntheticDng({
      width: 1200,
      height: 800,
      orientation: 1,
      color: () => [20_000, 20_000, 20_000],
      preview: { jpeg, width: 1200, height: 800 },
    });
    const media = await uploadMedia(service, raw, { name: 'DSC_0001.dng' });
    expect(media).toMatchObject({ status: 'ready', mime_type: 'image/x-adobe-dng' });
    const { url } = media['qualities'].photographer;
    expect(Buffer.from(await (await fetch(url)).arrayBuffer()).equals(raw)).toBe(true);
    const answer = await get(media, '?w=300&fmt=png');
    expect(await sizeOf(answer.bytes)).toEqual({ format: 'png', width: 300, height: 200 });
    expectColor(await colorAt(answer.bytes, 0.75, 0.25), GREEN);
  });
});

test('an image is made from the smallest tier that is large enough', async () => {
  const media = await uploadMedia(service, await quarters(3000, 2000).jpeg().toBuffer());
  const remove = async (part: string) => {
    for (const file of await filesBelow(join(service.dataDir, 'storage'))) {
      if (file.includes(part)) await rm(join(service.dataDir, 'storage', file));
    }
  };
  // Without the original, only what needs more than 2048 px is missing; without the 2048 px tier, what needs more than 480.
  await remove(media['sha256']);
  expect((await get(media, '?w=2500')).status).toBeGreaterThanOrEqual(404);
  expect((await get(media, '?w=2000')).status).toBe(200);
  await remove(`derived/${service.organizationId}/${media['id']}/1-compressed`);
  expect((await get(media, '?w=1000')).status).toBeGreaterThanOrEqual(404);
  expect((await get(media, '?w=400')).status).toBe(200);
  expect((await get(media, '?w=100&h=100&dpr=2')).status).toBe(200);
  // The cache still has what was asked for before.
  expect((await get(media, '?w=2000')).status).toBe(200);
});

test('equal requests at the same time get the same picture, and one that goes away disturbs nobody', async () => {
  const media = await uploadMedia(service, await quarters(2100, 1400).jpeg().toBuffer());
  const gone = new AbortController();
  const leaving = fetch(`${media['images'].url}?w=1900&fmt=avif`, { signal: gone.signal }).catch(
    (error: Error) => error.name,
  );
  const staying = Array.from({ length: 8 }, () => get(media, '?w=1900&fmt=avif'));
  gone.abort();
  expect(await leaving).toBe('AbortError');
  const answers = await Promise.all(staying);
  expect(new Set(answers.map((answer) => answer.status))).toEqual(new Set([200]));
  expect(answers.every((answer) => answer.bytes.equals(answers[0]?.bytes ?? Buffer.alloc(0)))).toBe(true);
  expect((await get(media, '?w=1900&fmt=avif')).headers.get('x-cache')).toBe('hit');
  expect((await service.call('GET', '/healthz', { key: null })).status).toBe(200);
});
