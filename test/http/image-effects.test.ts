import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { clearedQuarters, quarters } from '../fixtures/photos/painted-photo.ts';
import { type Json, startApp, type TestApp } from '../support/app.ts';
import { uploadMedia } from '../support/library.ts';
import { colourAt, expectNear, noise } from '../support/pictures.ts';

let service: TestApp;
let painted: Json;
let cleared: Json;
let rough: Json;
let moving: Json;
beforeAll(async () => {
  service = await startApp();
  painted = await uploadMedia(service, await quarters(1200, 800).jpeg({ quality: 95 }).toBuffer());
  cleared = await uploadMedia(service, await (await clearedQuarters(300, 200)).png().toBuffer(), { name: 'logo.png' });
  rough = await uploadMedia(service, await noise(600, 400).jpeg().toBuffer());
  const frames = ['#f00', '#0f0'].map((background) =>
    sharp({ create: { width: 60, height: 40, channels: 3, background } })
      .png()
      .toBuffer(),
  );
  const gif = sharp(await Promise.all(frames), { join: { animated: true } }).gif({ delay: [100, 100] });
  moving = await uploadMedia(service, await gif.toBuffer(), { name: 'loop.gif' });
});
afterAll(() => service.close());

const get = async (media: Json, query: string, headers: Record<string, string> = {}) => {
  const answer = await fetch(`${media['images'].url}?${query}`, { headers });
  const bytes = Buffer.from(await answer.arrayBuffer());
  return { status: answer.status, headers: answer.headers, bytes };
};

const pointersOf = (problem: Buffer) =>
  (JSON.parse(problem.toString('utf8')) as Json)['errors'].map((error: Json) => error['pointer']);

describe('images with effects', () => {
  test('a turned crop has its size, and the upper left of the turned picture is the lower left of the stored one', async () => {
    const plain = await get(painted, 'w=300&h=200&fmt=png');
    const turned = await get(painted, 'w=200&h=300&rot=90&fmt=png');
    const { width, height } = await sharp(turned.bytes).metadata();
    expect([width, height]).toEqual([200, 300]);
    expect(turned.headers.get('x-image-size')).toBe('200x300');
    expectNear(await colourAt(turned.bytes, 0.2, 0.2), await colourAt(plain.bytes, 0.2, 0.8), 16);
  });

  test('the name to save under is cut to what a file system takes, and follows the format', async () => {
    const answer = await get(painted, 'w=90&fmt=webp&dl=..%2FPlayer%20%C5%A0e%C5%A1ko.jpg');
    expect(answer.headers.get('content-disposition')).toBe(
      `attachment; filename="_Player _e_ko.webp"; filename*=UTF-8''_Player%20%C5%A0e%C5%A1ko.webp`,
    );
    expect((await get(painted, 'w=90&fmt=webp')).headers.get('content-disposition')).toBeNull();
    expect((await get(painted, 'w=90&fmt=webp')).headers.get('x-cache')).toBe('hit');
  });

  test('what does not fit into maxbytes says so', async () => {
    const fits = await get(rough, 'fmt=jpeg&maxbytes=20000');
    expect(fits.bytes.length).toBeLessThanOrEqual(20_000);
    expect(fits.headers.get('x-over-maxbytes')).toBeNull();
  });

  test('an opaque background makes JPEG of a picture with transparency', async () => {
    const plain = await get(cleared, 'w=90');
    expect(plain.headers.get('content-type')).toBe('image/png');
    const filled = await get(cleared, 'w=90&bg=00f');
    expect(filled.headers.get('content-type')).toBe('image/jpeg');
  });

  test('an animation moves when asked to', async () => {
    const accept = { Accept: 'image/avif,image/webp,*/*' };
    const animated = await get(moving, 'w=30&anim=1', accept);
    expect(animated.headers.get('content-type')).toBe('image/webp');
    expect((await sharp(animated.bytes, { animated: true }).metadata()).pages).toBe(2);
    const still = await get(moving, 'w=30&fmt=webp');
    expect((await sharp(still.bytes, { animated: true }).metadata()).pages ?? 1).toBe(1);
  });

  test('redact works on assets whose faces were looked for', async () => {
    expect((await get(painted, 'w=90&redact=faces')).status).toBe(200);
  });

  test('borders are cut off', async () => {
    const sheet = sharp({ create: { width: 400, height: 300, channels: 3, background: '#fff' } });
    const box = await sharp({ create: { width: 100, height: 100, channels: 3, background: '#f00' } })
      .png()
      .toBuffer();
    const bordered = await uploadMedia(
      service,
      await sheet
        .composite([{ input: box, left: 150, top: 100 }])
        .png()
        .toBuffer(),
      {
        name: 'bordered.png',
      },
    );
    const { bytes } = await get(bordered, 'trim=5&fmt=png');
    const { width, height } = await sharp(bytes).metadata();
    expect([width, height]).toEqual([100, 100]);
  });

  test('a watermark that is not there, and every bad value, is named', async () => {
    const answer = await get(painted, 'wm=nobody');
    expect(answer.status).toBe(400);
    expect(pointersOf(answer.bytes)).toEqual(['wm']);
    const several = await get(painted, 'rot=45&bg=red&blur=0&redact=all&maxbytes=1&meta=gps&anim=yes');
    expect(several.status).toBe(400);
    expect(pointersOf(several.bytes)).toEqual(['rot', 'bg', 'blur', 'redact', 'maxbytes', 'meta', 'anim']);
  });
});
