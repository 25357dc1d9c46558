import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type Json, startApp, type TestApp } from '../support/app.ts';
import { createTestDatabase } from '../support/database.ts';
import { type DatabaseLine, openDatabaseLine } from '../support/database-line.ts';
import { baseOf, createImageKey, createImagePreset, signedUrl } from '../support/image-rules.ts';
import { plainPhoto, uploadMedia } from '../support/library.ts';

let line: DatabaseLine;
let service: TestApp;
/** Assets whose images were asked for; the second one is not public. */
let shown: Json;
let limited: Json;
let key: Awaited<ReturnType<typeof createImageKey>>;
const closers: (() => Promise<void>)[] = [];
beforeAll(async () => {
  const database = await createTestDatabase();
  closers.push(() => database.drop());
  line = await openDatabaseLine(database.url);
  closers.push(() => line.close());
  service = await startApp({ DATABASE_URL: line.url });
  closers.push(() => service.close());
  shown = await uploadMedia(service, await photo(1));
  limited = await uploadMedia(service, await photo(3), { metadata: { usage: 'limited' } });
  key = await createImageKey(service);
  await createImagePreset(service, 'card', { w: 60 });
}, 60_000);
afterAll(async () => {
  for (const close of closers.toReversed()) await close();
});
afterEach(async () => {
  await line.restore();
  await expect
    .poll(async () => (await service.call('GET', '/readyz', { key: null })).status, { timeout: 20_000 })
    .toBe(200);
  // Until images are as the database says, too.
  await expect.poll(async () => (await get(limited['images'].square)).status, { timeout: 20_000 }).toBe(200);
});

const photo = (seed: number) => plainPhoto(seed, { width: 640, height: 480 });

const get = async (url: string, headers: Record<string, string> = {}) => {
  const startedMs = performance.now();
  const answer = await fetch(url, { headers, redirect: 'manual' });
  const bytes = Buffer.from(await answer.arrayBuffer());
  const header = (name: string) => answer.headers.get(name);
  return { status: answer.status, bytes, header, tookMs: performance.now() - startedMs };
};

describe.each(['cut', 'silence'] as const)('while the database does not answer (%s)', (fault) => {
  test('images that were shown before are answered, others are 503 with Retry-After, and afterwards all are again', async () => {
    const unseen = await uploadMedia(service, await photo(fault === 'cut' ? 20 : 21));
    const base = baseOf(shown);
    const cached = await get(`${base}?w=100`);
    expect(cached.status).toBe(200);
    expect((await get(limited['images'].square)).status).toBe(200);
    await line[fault]();

    const hit = await get(`${base}?w=100`);
    expect([hit.status, hit.header('x-cache')]).toEqual([200, 'hit']);
    expect(hit.bytes.equals(cached.bytes)).toBe(true);
    const known = await get(`${base}?w=100`, { 'If-None-Match': cached.header('etag') ?? '' });
    expect([known.status, known.bytes.length]).toEqual([304, 0]);

    const missing = await get(`${baseOf(unseen)}?w=100`);
    expect([missing.status, missing.header('retry-after'), missing.header('cache-control')]).toEqual([
      503,
      '2',
      'no-store',
    ]);
    // Not after the ten seconds in which a connection is given up.
    expect(missing.tookMs).toBeLessThan(8000);
    expect((JSON.parse(missing.bytes.toString()) as Json)['code']).toBe('unavailable');

    // From here on it is known to be away: nothing waits for it, and caches are told to ask again soon.
    const again = await get(`${base}?w=100`);
    expect([again.status, again.header('cache-control')]).toEqual([200, 'public, max-age=60']);
    const size = `w=${fault === 'cut' ? 131 : 132}`;
    const other = await get(`${base}?${size}`);
    expect([other.status, other.header('x-cache')]).toEqual([200, 'miss']);
    expect((await get(`${base}?p=card`)).status).toBe(200);
    expect((await get(signedUrl(base, { w: 100 }, key))).status).toBe(200);
    expect((await get(`${signedUrl(base, { w: 100 }, key)}&h=1`)).status).toBe(403);
    expect((await get(`${base}?w=0`)).status).toBe(400);
    const quick = await get(`${baseOf(unseen)}?w=100`);
    expect([quick.status, quick.tookMs < 1500]).toEqual([503, true]);
    // Whether it may still be shown is not certain now.
    const restricted = await get(limited['images'].square);
    expect([restricted.status, restricted.header('retry-after')]).toEqual([503, '2']);

    await line.restore();
    await expect.poll(async () => (await get(`${baseOf(unseen)}?${size}`)).status, { timeout: 20_000 }).toBe(200);
    const present = await get(`${base}?w=100`);
    expect([present.status, present.header('cache-control')]).toEqual([200, 'public, max-age=31536000, immutable']);
    // Said once each way, however many asked.
    const said = (event: string) => service.log().split(`"event":"${event}"`).length - 1;
    expect(said('image_access.from_memory')).toBe(fault === 'cut' ? 1 : 2);
    expect(said('image_access.recovered')).toBe(fault === 'cut' ? 1 : 2);
  }, 60_000);
});

test('an embargo that is lifted while the database is away lets the image be seen, and one that expires does not', async () => {
  // Uploads first: they take their time, the terms begin afterwards.
  const uploaded = [await uploadMedia(service, await photo(11)), await uploadMedia(service, await photo(12))] as const;
  const soon = new Date(Date.now() + 5000).toISOString();
  const until = async ({ id }: Json, usage: string) => {
    const patched = await service.call('PATCH', `/v1/media/${id}`, { body: { usage, usage_at: soon } });
    return patched.body['media'] as Json;
  };
  const expiring = await until(uploaded[0], 'expired');
  const embargoed = await until(uploaded[1], 'embargoed');
  const [first, second] = [`${baseOf(expiring)}?w=50`, `${baseOf(embargoed)}?w=50`];
  const before = await get(first);
  expect(before.status).toBe(200);
  const [, seconds] = /^public, max-age=(\d)$/.exec(before.header('cache-control') ?? '') ?? [];
  expect(Number(seconds)).toBeLessThanOrEqual(5);
  expect((await get(second)).status).toBe(403);
  await line.cut();
  await expect.poll(async () => (await get(second)).status, { timeout: 10_000 }).toBe(200);
  await expect.poll(async () => (await get(first)).status, { timeout: 10_000 }).toBe(403);
}, 60_000);

test('what is revoked afterwards is gone at once', async () => {
  expect((await get(`${baseOf(shown)}?w=100`)).status).toBe(200);
  expect((await service.call('DELETE', `/v1/media/${shown['id']}`)).status).toBe(204);
  expect((await get(`${baseOf(shown)}?w=100`)).status).toBe(404);
});
