import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { MIB } from '../../src/base/index.ts';
import { type Json, startApp, type TestApp } from '../support/app.ts';
import { type FileServer, startFileServer } from '../support/file-server.ts';
import { createTag, filesBelow, plainPhoto, pointersOf } from '../support/library.ts';
import { expectProblem } from '../support/problem.ts';

let service: TestApp;
let source: FileServer;
beforeAll(async () => {
  source = await startFileServer();
  service = await startApp({
    OUTBOUND_ALLOW: `127.0.0.1:${source.port}`,
    MAX_UPLOAD_BYTES: String(8 * MIB),
  });
});
afterAll(async () => {
  await service.close();
  await source.close();
});

const at = (path: string) => source.url + path;
const queue = (items: readonly object[], headers = {}) =>
  service.call('POST', '/v1/media/import', { body: { items }, headers });
const read = async (id: number): Promise<Json> => (await service.call('GET', `/v1/operation/${id}`)).body['operation'];
const resultsOf = async (id: number): Promise<Json[]> =>
  (await service.call('GET', `/v1/operation/${id}/result`)).body['results'];

/** Imports and waits for the end. */
async function run(items: readonly object[]): Promise<{ readonly operation: Json; readonly results: Json[] }> {
  const queued = await queue(items);
  expect(queued.status, JSON.stringify(queued.body)).toBe(202);
  const { id } = queued.body['operation'];
  await vi.waitFor(async () => expect((await read(id))['state']).toBe('succeeded'), { timeout: 60_000, interval: 100 });
  return { operation: await read(id), results: await resultsOf(id) };
}

async function assetOf(result: Json | undefined): Promise<{ readonly media: Json; readonly bytes: Buffer }> {
  const { body } = await service.call('GET', `/v1/media/${result?.['id']}`);
  const response = await fetch(body['media'].qualities.photographer.url);
  return { media: body['media'], bytes: Buffer.from(await response.arrayBuffer()) };
}
const largePhoto = async (seed: number, bytes: number) => Buffer.concat([await plainPhoto(seed), randomBytes(bytes)]);

describe('an import', () => {
  test('makes an asset of each URL with its fields, and says what became of each', async () => {
    const tag = await createTag(service, { type: 'player', label: 'Fetched' });
    const [one, two, three] = [await largePhoto(1, 200_000), await plainPhoto(2), await plainPhoto(3)];
    source.files.set('/2026/%C5%A0e%C5%A1ko.jpg', { bytes: one });
    source.files.set('/download', {
      bytes: two,
      chunked: true,
      headers: { 'Content-Disposition': `attachment; filename*=UTF-8''Zwei%20mal.jpg` },
    });
    source.files.set('/there.jpg', { bytes: three });
    const there = await service.upload(three);
    const { operation, results } = await run([
      {
        url: at('/2026/%C5%A0e%C5%A1ko.jpg?signature=secret-of-one#x'),
        tag_options: [tag],
        external_id: 'i-1',
        rating: 3,
      },
      { url: at('/download?id=5'), details: { caption: 'Two' } },
      { url: at('/there.jpg'), name: 'other.jpg', details: { caption: 'Three' } },
      { url: at('/nowhere.jpg') },
    ]);
    expect(operation).toMatchObject({
      kind: 'media.import',
      total: 4,
      done: 4,
      created: 2,
      updated: 1,
      failed: 1,
      errors: [{ url: at('/nowhere.jpg'), code: 'fetch_failed', detail: expect.stringContaining('404') }],
    });
    expect(results.map((result) => result['status'])).toEqual(['created', 'created', 'updated', 'failed']);
    const first = await assetOf(results[0]);
    expect(first.media).toMatchObject({ name: 'Šeško.jpg', external_id: 'i-1', rating: 3, tag_options: [{ id: tag }] });
    expect(first.bytes).toEqual(one);
    expect((await assetOf(results[1])).media).toMatchObject({ name: 'Zwei mal.jpg', details: { caption: 'Two' } });
    expect(results[2]?.['id']).toBe(there.body['media'].id);
    // What is kept and shown of a URL has no query.
    expect(results[0]?.['url']).toBe(at('/2026/%C5%A0e%C5%A1ko.jpg'));
    expect(service.log()).not.toContain('secret-of-one');
    const failed = await service.call('GET', `/v1/operation/${operation['id']}/result?status=failed`);
    expect(failed.body['results']).toHaveLength(1);
    expect(await filesBelow(join(service.dataDir, 'uploads'))).toEqual([]);
  });

  test('under the same idempotency key is queued once', async () => {
    source.files.set('/once.jpg', { bytes: await plainPhoto(4) });
    const send = () => queue([{ url: at('/once.jpg') }], { 'Idempotency-Key': 'import-once' });
    const [first, second] = [await send(), await send()];
    expect(second.body).toEqual(first.body);
  });

  test('goes on where a connection was cut, with parts where the server gives them', async () => {
    const bytes = await largePhoto(5, 3 * MIB);
    source.files.set('/parts.jpg', { bytes, ranges: true, cutAfter: MIB });
    const { results } = await run([{ url: at('/parts.jpg') }]);
    expect((await assetOf(results[0])).bytes).toEqual(bytes);
    expect(source.requests.filter((one) => one.startsWith('/parts.jpg')).length).toBeGreaterThan(3);
    expect(source.requests.some((one) => /^\/parts\.jpg bytes=[1-9]\d*-$/.test(one))).toBe(true);
    // A piece that was on its way may be sent twice; no byte more.
    expect(source.sent.get('/parts.jpg') ?? 0).toBeLessThan(bytes.length + MIB);
  }, 90_000);

  test('is tried again after faults that may pass, and not after others', async () => {
    source.files.set('/busy.jpg', { bytes: await plainPhoto(6), first: [503, 429] });
    source.files.set('/gone.jpg', { bytes: await plainPhoto(7), first: [410] });
    const { operation } = await run([{ url: at('/busy.jpg') }, { url: at('/gone.jpg') }]);
    expect(operation).toMatchObject({ created: 1, failed: 1 });
    expect(source.requests.filter((one) => one === '/busy.jpg')).toHaveLength(3);
    expect(source.requests.filter((one) => one === '/gone.jpg')).toHaveLength(1);
  }, 90_000);

  test('takes no other formats, nothing too large, and no bytes that never come', async () => {
    source.files.set('/page', { bytes: Buffer.alloc(300_000, '<html>') });
    source.files.set('/large.jpg', { bytes: await largePhoto(8, 9 * MIB) });
    source.files.set('/endless.jpg', { bytes: await largePhoto(9, 9 * MIB), chunked: true });
    const { operation } = await run([{ url: at('/page') }, { url: at('/large.jpg') }, { url: at('/endless.jpg') }]);
    const codes = Object.fromEntries(operation['errors'].map((one: Json) => [one['url'], one['code']]));
    expect(codes).toEqual({
      [at('/page')]: 'unsupported_media_type',
      [at('/large.jpg')]: 'payload_too_large',
      [at('/endless.jpg')]: 'payload_too_large',
    });
    expect(source.sent.get('/page')).toBeLessThan(300_001);
    // Its length says so; what lies in the buffers of the machine is on its way by then.
    expect(source.sent.get('/large.jpg') ?? 0).toBeLessThan(8 * MIB);
  });

  test('that is cancelled stops, and keeps what it has', async () => {
    source.files.set('/slow.jpg', { bytes: await largePhoto(10, 4 * MIB), rate: 200_000 });
    source.files.set('/quick.jpg', { bytes: await plainPhoto(11) });
    const queued = await queue([{ url: at('/quick.jpg') }, { url: at('/slow.jpg?signature=secret-of-slow') }]);
    const { id } = queued.body['operation'];
    await vi.waitFor(
      async () => {
        expect(await read(id)).toMatchObject({ state: 'running', created: 1 });
        expect(source.sent.get('/slow.jpg') ?? 0).toBeGreaterThan(0);
      },
      { timeout: 20_000 },
    );
    expect((await service.call('DELETE', `/v1/operation/${id}`)).body['operation'].state).toBe('cancelled');
    await vi.waitFor(async () => expect(await filesBelow(join(service.dataDir, 'uploads'))).toEqual([]), {
      timeout: 20_000,
    });
    expect(await read(id)).toMatchObject({ state: 'cancelled', created: 1, done: 1 });
    expect((await resultsOf(id)).map((result) => result['status'])).toEqual(['created', 'waiting']);
    expect(service.log()).not.toContain('secret-of-slow');
  }, 60_000);
});

describe('an import is refused', () => {
  test.each<[string, object, string]>([
    ['to an internal address', { url: 'https://169.254.169.254/latest' }, '/items/1/url'],
    ['to this machine', { url: 'https://[::1]/x.jpg' }, '/items/1/url'],
    ['without TLS', { url: 'http://1.1.1.1/x.jpg' }, '/items/1/url'],
    ['with a password', { url: 'https://user:secret@photos.example/x.jpg' }, '/items/1/url'],
    ['to what is no URL', { url: 'photos/x.jpg' }, '/items/1/url'],
    ['to a file of the machine', { url: 'file:///etc/passwd' }, '/items/1/url'],
    ['with an unknown tag', { url: 'https://photos.example/x.jpg', tag_options: [999_999] }, '/items/1/tag_options'],
    ['with an unknown field', { url: 'https://photos.example/x.jpg', colour: 1 }, '/items/1/colour'],
  ])('%s, and nothing of it is queued', async (_why, item, pointer) => {
    const before = (await service.call('GET', '/v1/operation?limit=200')).body['operations'].length;
    const answer = await queue([{ url: at('/quick.jpg') }, item]);
    expect(answer.status, JSON.stringify(answer.body)).toBe(400);
    expect(pointersOf(answer)).toEqual([pointer]);
    expect(JSON.stringify(answer.body)).not.toContain('secret');
    expect((await service.call('GET', '/v1/operation?limit=200')).body['operations']).toHaveLength(before);
  });

  test('with an API key of this service in the URL', async () => {
    const answer = await queue([{ url: `https://photos.example/x.jpg?api_key=${service.key}` }]);
    expectProblem(answer, 'validation_failed');
    expect(JSON.stringify(answer.body)).not.toContain(service.key);
  });

  test('of more than 100 URLs, or of none', async () => {
    expectProblem(await queue([]), 'validation_failed');
    expectProblem(await queue(Array.from({ length: 101 }, () => ({ url: at('/quick.jpg') }))), 'validation_failed');
  });

  test('behind a redirect to an internal address, which is never asked', async () => {
    source.redirects.set('/inside', 'http://127.0.0.1:1/secret');
    source.redirects.set('/round', at('/round'));
    source.redirects.set('/moved.jpg', at('/target.jpg'));
    source.files.set('/target.jpg', { bytes: await plainPhoto(12) });
    const { operation } = await run([{ url: at('/inside') }, { url: at('/round') }, { url: at('/moved.jpg') }]);
    expect(operation).toMatchObject({ created: 1, failed: 2 });
    for (const error of operation['errors']) expect(error['code']).toBe('fetch_failed');
    expect(operation['errors'][0].detail).toContain('OUTBOUND_ALLOW');
  });
});
