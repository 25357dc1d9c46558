import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Answer, type Json, startApp, type TestApp } from '../support/app.ts';
import { baseOf, createImagePreset } from '../support/image-rules.ts';
import { plainPhoto, pointersOf, searchMedia, storedObjects, uploadMedia } from '../support/library.ts';
import { expectProblem } from '../support/problem.ts';

let service: TestApp;
let media: Json;
beforeAll(async () => {
  service = await startApp();
  media = await uploadMedia(service, await plainPhoto(0x2040, { width: 800, height: 600 }));
});
afterAll(() => service.close());

const get = (query: string, headers: Record<string, string> = {}) => fetch(baseOf(media) + query, { headers });
const sizeOf = async (answer: Response) => {
  const { format, width, height } = await sharp(Buffer.from(await answer.arrayBuffer())).metadata();
  return { format, width, height };
};
const call = (query: string): Promise<Answer> =>
  service.call('GET', baseOf(media).slice(service.url.length) + query, { key: null });
const CHANGEABLE = 'public, max-age=300, stale-while-revalidate=86400';

describe('a preset', () => {
  test('stands for its parameters, and explicit ones win, by whichever of their names', async () => {
    const preset = await createImagePreset(service, 'card', { w: 200, h: 100, g: 'nw', output: 'png', q: 70 });
    // Kept by the names that are no aliases, as text.
    expect(preset).toMatchObject({
      name: 'card',
      parameters: { w: '200', h: '100', f: 'nw', fmt: 'png', q: '70' },
      version: 1,
    });
    const plain = await get('?p=card');
    expect([plain.headers.get('x-focus'), await sizeOf(plain)]).toEqual([
      'nw',
      { format: 'png', width: 200, height: 100 },
    ]);
    const other = await get('?p=card&w=50&f=se&fmt=webp');
    expect([other.headers.get('x-focus'), await sizeOf(other)]).toEqual([
      'se',
      { format: 'webp', width: 50, height: 100 },
    ]);
    expect((await get('?p=card&g=sw')).headers.get('x-focus')).toBe('sw');
    expect(await sizeOf(await get('?p=card&dpr=2'))).toMatchObject({ width: 400, height: 200 });
  });

  test('is answered for five minutes, with the ETag of what it stands for', async () => {
    await createImagePreset(service, 'small', { w: 90, fmt: 'jpeg' });
    const answer = await get('?p=small');
    const etag = answer.headers.get('etag') ?? '';
    expect(answer.headers.get('cache-control')).toBe(CHANGEABLE);
    const explicit = await get('?w=90&fmt=jpeg');
    expect([explicit.headers.get('etag'), explicit.headers.get('x-cache')]).toEqual([etag, 'hit']);
    expect(explicit.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    const known = await get('?p=small', { 'If-None-Match': etag });
    expect([known.status, known.headers.get('cache-control'), known.headers.get('etag')]).toEqual([
      304,
      CHANGEABLE,
      etag,
    ]);
  });

  test('that is changed shows at once, and one that is deleted is refused by name', async () => {
    const { id } = await createImagePreset(service, 'banner', { w: 100, h: 20, fmt: 'png' });
    const path = `/v1/image-preset/${id}`;
    const before = await get('?p=banner');
    const etag = before.headers.get('etag') ?? '';
    const read = await service.call('GET', path);
    const patch = { parameters: { w: 120, fmt: null, output: 'webp' } };
    const headers = { 'If-Match': read.headers.get('etag') ?? '' };
    const patched = await service.call('PATCH', path, { body: patch, headers });
    expect(patched.body['image_preset']).toMatchObject({ parameters: { w: '120', h: '20', fmt: 'webp' }, version: 2 });
    expectProblem(await service.call('PATCH', path, { body: patch, headers }), 'precondition_failed');
    const after = await get('?p=banner', { 'If-None-Match': etag });
    expect([after.status, await sizeOf(after)]).toEqual([200, { format: 'webp', width: 120, height: 20 }]);
    await service.call('PATCH', path, { body: { name: 'strip' } });
    expect((await get('?p=strip')).status).toBe(200);
    expect(pointersOf(await call('?p=banner'))).toEqual(['p']);
    expect((await service.call('DELETE', path)).status).toBe(204);
    const gone = await call('?p=strip');
    expectProblem(gone, 'image_parameter_invalid');
    expect(pointersOf(gone)).toEqual(['p']);
    expectProblem(await service.call('GET', path), 'not_found');
  });

  test('is checked when it is written, each fault by pointer', async () => {
    const post = (body: object) => service.call('POST', '/v1/image-preset', { body });
    const refused = await post({ name: 'bad', parameters: { w: 0, f: 'head', colour: 'red' } });
    expectProblem(refused, 'validation_failed');
    expect(pointersOf(refused).toSorted()).toEqual(['/parameters/colour', '/parameters/f', '/parameters/w']);
    for (const name of ['Card', 'a b', '', 'x'.repeat(65), '-a']) {
      expect(pointersOf(await post({ name, parameters: { w: 1 } })), name).toEqual(['/name']);
    }
    expect((await post({ name: 'none', parameters: {} })).status).toBe(400);
    // What opens a URL is no part of a preset, and neither is another preset.
    for (const name of ['p', 's', 'exp', 'kid', 'api_key']) {
      expect(pointersOf(await post({ name: 'bad', parameters: { w: 1, [name]: 'x' } })), name).toEqual([
        `/parameters/${name}`,
      ]);
    }
    await createImagePreset(service, 'taken', { w: 1 });
    const twice = await post({ name: 'taken', parameters: { w: 2 } });
    expectProblem(twice, 'conflict');
    expect(pointersOf(twice)).toEqual(['/name']);
    const { body } = await service.call('GET', '/v1/image-preset');
    expect(body['image_presets'].filter((one: Json) => one['name'] === 'taken')).toMatchObject([
      { parameters: { w: '1' } },
    ]);
    expect((await call('?p=card&p=small')).status).toBe(400);
  });

  test('is taken by the images of searches, and an unknown one is refused there', async () => {
    await createImagePreset(service, 'hit', { w: 77, fmt: 'png' });
    const found = await searchMedia(service, { images: [{ name: 'mine', p: 'hit', h: 33 }] });
    expect(found['media'][0].images.mine).toContain('p=hit');
    expect(await sizeOf(await fetch(found['media'][0].images.mine))).toMatchObject({ height: 33 });
    const refused = await service.call('POST', '/v1/media/search', { body: { images: [{ name: 'mine', p: 'none' }] } });
    expectProblem(refused, 'validation_failed');
    expect(pointersOf(refused)).toEqual(['/images/0/p']);
  });
});

/** A picture of one colour with an alpha channel. */
const mark = (color: { r: number; g: number; b: number }, size = { width: 40, height: 40 }) =>
  sharp({ create: { ...size, channels: 4, background: { ...color, alpha: 1 } } })
    .png()
    .toBuffer();
const RED = { r: 255, g: 0, b: 0 };
const BLUE = { r: 0, g: 0, b: 255 };

async function putWatermark(
  bytes: Uint8Array,
  metadata: object | string,
  key = service.key,
  headers = {},
): Promise<Answer> {
  const form = new FormData();
  form.append('metadata', typeof metadata === 'string' ? metadata : JSON.stringify(metadata));
  form.append('file', new Blob([new Uint8Array(bytes)]), 'mark.png');
  const options = { method: 'POST', body: form, headers: { 'X-Api-Key': key, ...headers } };
  const response = await fetch(`${service.url}/v1/watermark`, options);
  return { status: response.status, headers: response.headers, body: (await response.json()) as Json };
}

/** The colour of one pixel of an answer. */
async function colorAt(answer: Response, x: number, y: number): Promise<readonly number[]> {
  const bytes = Buffer.from(await answer.arrayBuffer());
  const { data, info } = await sharp(bytes).removeAlpha().raw().toBuffer({ resolveWithObject: true });
  const at = (y * info.width + x) * info.channels;
  return [...data.subarray(at, at + 3)];
}
const near = (actual: readonly number[], { r, g, b }: typeof RED) =>
  Math.max(...actual.map((value, at) => Math.abs(value - ([r, g, b][at] ?? -999)))) < 12;
const objects = async () => (await storedObjects(service)).filter((name) => name.includes('watermarks/'));

describe('a watermark', () => {
  test('lies where it was asked to lie, and shows at once when it is replaced or deleted', async () => {
    const metadata = { name: 'club', position: 'nw', scale: 0.5, margin: 0 };
    const created = await putWatermark(await mark(RED), metadata);
    expect([created.status, created.body['watermark']]).toMatchObject([
      201,
      {
        name: 'club',
        position: 'nw',
        opacity: 1,
        scale: 0.5,
        margin: 0,
        width: 40,
        height: 40,
        mime_type: 'image/png',
      },
    ]);
    const query = '?w=200&h=200&fmt=png&wm=club';
    const first = await get(query);
    const etag = first.headers.get('etag') ?? '';
    expect(first.headers.get('cache-control')).toBe(CHANGEABLE);
    expect(near(await colorAt(first, 50, 50), RED)).toBe(true);
    expect(near(await colorAt(await get(query), 150, 150), RED)).toBe(false);
    expect((await get(query)).headers.get('x-cache')).toBe('hit');

    // Another picture, then another place.
    const replaced = await putWatermark(await mark(BLUE), metadata);
    expect([replaced.status, replaced.body['watermark'].id, replaced.body['watermark'].version]).toEqual([
      200,
      created.body['watermark'].id,
      2,
    ]);
    const second = await get(query, { 'If-None-Match': etag });
    expect([second.status, near(await colorAt(second, 50, 50), BLUE)]).toEqual([200, true]);
    await putWatermark(await mark(BLUE), { ...metadata, position: 'se' });
    const third = await get(query, { 'If-None-Match': second.headers.get('etag') ?? '' });
    expect([third.status, near(await colorAt(third, 150, 150), BLUE)]).toEqual([200, true]);
    expect(await objects()).toHaveLength(1);

    const path = `/v1/watermark/${created.body['watermark'].id}`;
    expect((await service.call('GET', path)).body['watermark']).toMatchObject({ position: 'se', version: 3 });
    expectProblem(await service.call('DELETE', path, { headers: { 'If-Match': '"v1"' } }), 'precondition_failed');
    expect((await service.call('DELETE', path)).status).toBe(204);
    const gone = await call(query);
    expectProblem(gone, 'image_parameter_invalid');
    expect(pointersOf(gone)).toEqual(['wm']);
    expect(await objects()).toEqual([]);
    expectProblem(await service.call('GET', path), 'not_found');
  });

  test('half transparent lets half of the picture through, and presets can carry it', async () => {
    await putWatermark(await mark({ r: 255, g: 255, b: 255 }), {
      name: 'veil',
      position: 'center',
      scale: 1,
      margin: 0,
      opacity: 0.5,
    });
    await createImagePreset(service, 'veiled', { w: 100, h: 100, fmt: 'png', wm: 'veil' });
    const bare = await colorAt(await get('?w=100&h=100&fmt=png'), 50, 50);
    const veiled = await colorAt(await get('?p=veiled'), 50, 50);
    const expected = bare.map((value) => (value + 255) / 2);
    expect(
      near(veiled, { r: expected[0] ?? 0, g: expected[1] ?? 0, b: expected[2] ?? 0 }),
      `${veiled.join()} over ${bare.join()}`,
    ).toBe(true);
  });

  test('is refused unless it is a PNG or WebP that can be decoded, with transparency', async () => {
    const good = await mark(RED);
    const opaque = await sharp(good).removeAlpha().png().toBuffer();
    const noise = await sharp({
      create: {
        width: 900,
        height: 900,
        channels: 4,
        background: '#0000',
        noise: { type: 'gaussian', mean: 128, sigma: 90 },
      },
    })
      .png({ compressionLevel: 0 })
      .toBuffer();
    const wide = await mark(RED, { width: 8200, height: 2100 });
    const cases: readonly (readonly [Uint8Array, Parameters<typeof expectProblem>[1]])[] = [
      [opaque, 'validation_failed'],
      [await sharp(good).jpeg().toBuffer(), 'unsupported_media_type'],
      [await sharp(good).gif().toBuffer(), 'unsupported_media_type'],
      [Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"></svg>'), 'unsupported_media_type'],
      [Buffer.alloc(0), 'file_empty'],
      [Buffer.alloc(500, 7), 'unsupported_media_type'],
      [(await mark(RED, { width: 400, height: 400 })).subarray(0, 120), 'file_damaged'],
      [noise, 'payload_too_large'],
      [wide, 'file_limits_exceeded'],
    ];
    for (const [bytes, code] of cases) expectProblem(await putWatermark(bytes, { name: 'bad' }), code);
    expectProblem(await putWatermark(good, { name: 'Bad Name' }), 'validation_failed');
    expectProblem(await putWatermark(good, { name: 'bad', opacity: 2 }), 'validation_failed');
    expectProblem(await putWatermark(good, { name: 'bad', url: 'http://x' }), 'validation_failed');
    expectProblem(await putWatermark(good, '{'), 'malformed_json');
    expectProblem(await service.call('POST', '/v1/watermark', { body: { name: 'bad' } }), 'unsupported_media_type');
    const { body } = await service.call('GET', '/v1/watermark');
    expect(body['watermarks'].map((one: Json) => one['name'])).not.toContain('bad');
    const webp = await sharp(await sharp(good).removeAlpha().toBuffer())
      .ensureAlpha(0.5)
      .webp()
      .toBuffer();
    expect((await putWatermark(webp, { name: 'webp' })).body['watermark'].mime_type).toBe('image/webp');
  });

  test('whose picture is not there is waited for, and never left out of the image', async () => {
    await putWatermark(await mark(RED), { name: 'lost' });
    for (const name of await objects()) await rm(join(service.dataDir, 'storage', name));
    const answer = await call('?w=21&wm=lost');
    expectProblem(answer, 'unavailable');
    expect(answer.headers.get('retry-after')).toBe('2');
  });

  test('the same request twice with an Idempotency-Key stores it once', async () => {
    const headers = { 'Idempotency-Key': 'watermark-once' };
    const first = await putWatermark(await mark(BLUE), { name: 'once' }, service.key, headers);
    const second = await putWatermark(await mark(BLUE), { name: 'once' }, service.key, headers);
    expect(second.body).toEqual(first.body);
    expectProblem(
      await putWatermark(await mark(RED), { name: 'once' }, service.key, headers),
      'idempotency_key_reused',
    );
  });
});
