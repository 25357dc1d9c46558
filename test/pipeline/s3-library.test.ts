import { access, mkdtemp, readFile, rm } from 'node:fs/promises';
import type { Server } from 'node:http';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startApp, type TestApp } from '../support/app.ts';

type S3Server = { readonly httpServer: Server; run(): Promise<{ readonly port: number }>; close(): Promise<void> };
// The package has no types: this is the part of it that is used here.
const S3rver = createRequire(import.meta.url)('@20minutes/s3rver') as new (options: object) => S3Server;

let directory: string;
let server: S3Server;
let service: TestApp;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 's3-library-'));
  server = new S3rver({
    address: '127.0.0.1',
    port: 0,
    silent: true,
    allowMismatchedSignatures: true,
    directory,
    configureBuckets: [{ name: 'library' }],
  });
  const { port } = await server.run();
  const endpoint = encodeURIComponent(`http://127.0.0.1:${port}`);
  service = await startApp({ STORAGE_URL: `s3://S3RVER:S3RVER@library?endpoint=${endpoint}&prefix=club` });
});
afterAll(async () => {
  await service.close();
  // The last test stopped the server already.
  if (server.httpServer.listening) await server.close();
  await rm(directory, { recursive: true });
});

test('with STORAGE_URL the library lives in the bucket and its files, ranges and images come from there', async () => {
  const bytes = await readFile(join(import.meta.dirname, '..', 'fixtures', 'faces', 'astronaut.png'));
  const uploaded = await service.upload(bytes, { name: 'guest.png' });
  const { media } = uploaded.body as { media: any };
  expect(media).toMatchObject({ status: 'ready', people_count: 1 });
  await expect(access(join(service.dataDir, 'storage'))).rejects.toThrow('ENOENT');

  const original = await fetch(media.original_url);
  expect(Buffer.from(await original.arrayBuffer()).equals(bytes)).toBe(true);
  const part = await fetch(media.original_url, { headers: { Range: 'bytes=1000-1999' } });
  expect(part.status).toBe(206);
  expect(Buffer.from(await part.arrayBuffer()).equals(bytes.subarray(1000, 2000))).toBe(true);
  const image = await fetch(`${media.images.url}?w=100&h=100&f=face&fmt=webp`);
  expect(image.headers.get('content-type')).toBe('image/webp');
  expect((await service.call('GET', '/readyz')).status).toBe(200);
});

test('a bucket that is gone makes the service unready and uploads unavailable, and is said without its credentials', async () => {
  const closed = new Promise((resolve) => server.httpServer.close(resolve));
  server.httpServer.closeAllConnections();
  await closed;
  const ready = await service.call('GET', '/readyz');
  expect(ready.status).toBe(503);
  const other = await readFile(join(import.meta.dirname, '..', 'fixtures', 'faces', 'camera.png'));
  const uploaded = await service.upload(other);
  expect(uploaded.status).toBe(503);
  expect(uploaded.body['code']).toBe('unavailable');
  expect(JSON.stringify([ready.body, uploaded.body])).not.toContain('S3RVER');
  expect((await service.call('POST', '/v1/media/search', { body: {} })).body['total']).toBe(1);
}, 120_000);
