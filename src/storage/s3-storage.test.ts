import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createRequire } from 'node:module';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createLogger } from '../base/index.ts';
import { type ObjectStorage, openStorage } from './index.ts';
import { codeOf, describeStorage, listed } from './storage-contract.ts';

type S3Server = { readonly httpServer: Server; run(): Promise<{ readonly port: number }>; close(): Promise<void> };
// The package has no types: this is the part of it that is used here.
const S3rver = createRequire(import.meta.url)('@20minutes/s3rver') as new (options: object) => S3Server;

const logger = createLogger({ level: 'silent' });

type Running = { readonly server: S3Server; readonly port: number; readonly directory: string };

/**
 * This server computes the signature of a bucket's own address without the slash that the SDK signs, so that lists always
 * mismatch: only the test of a wrong secret, which needs no list, has it check signatures.
 */
async function startServer(options = { checkSignatures: false }): Promise<Running> {
  const directory = await mkdtemp(join(tmpdir(), 's3-storage-'));
  const server = new S3rver({
    address: '127.0.0.1',
    port: 0,
    silent: true,
    allowMismatchedSignatures: !options.checkSignatures,
    directory: join(directory, 'buckets'),
    configureBuckets: [{ name: 'library' }],
  });
  const { port } = await server.run();
  return { server, port, directory };
}

async function stop({ server, directory }: Running): Promise<void> {
  server.httpServer.closeAllConnections();
  await server.close();
  await rm(directory, { recursive: true });
}

function openBucket(running: Running, more: { bucket?: string; prefix?: string; secret?: string } = {}) {
  const { bucket = 'library', prefix = '', secret = 'S3RVER' } = more;
  const endpoint = encodeURIComponent(`http://127.0.0.1:${running.port}`);
  const url = new URL(`s3://S3RVER:${secret}@${bucket}?endpoint=${endpoint}&prefix=${prefix}`);
  return openStorage(url, { tempDirectory: join(running.directory, 'temporary'), logger });
}

describeStorage('S3 storage', async () => {
  const running = await startServer();
  const storage = await openBucket(running, { prefix: 'some/place' });
  return {
    storage,
    // It answers `bytes=0-0` with the whole object, walks folders instead of sorting keys, makes the token of the next page
    // with a cipher that OpenSSL 3 no longer has, and writes concurrent objects of one key into one file.
    serverFaults: { firstByteAlone: true, listOrder: true, listPages: true, mixedWrites: true },
    copyBegun: () =>
      new Promise((resolve) => {
        running.server.httpServer.on('request', (request) => {
          if (request.method === 'PUT' && request.url?.includes('partNumber') === true) resolve();
        });
      }),
    close: async () => {
      expect(await readdir(join(running.directory, 'temporary', 'storage'))).toEqual([]);
      await storage.close();
      await stop(running);
    },
  };
});

describe('S3 storage on a bucket', () => {
  let running: Running;
  let storage: ObjectStorage;
  let file: string;
  beforeAll(async () => {
    running = await startServer();
    storage = await openBucket(running);
    file = join(running.directory, 'file');
    await writeFile(file, 'content');
  });
  afterAll(async () => {
    await storage.close();
    await stop(running);
  });

  test('keeps prefixes of one bucket apart', async () => {
    const [one, two] = await Promise.all([
      openBucket(running, { prefix: 'one' }),
      openBucket(running, { prefix: 'one-more' }),
    ]);
    await one.putFile('a', file, { contentType: 'text/plain' });
    expect(await listed(one, '')).toEqual([{ key: 'a', bytes: 7 }]);
    expect(await listed(two, '')).toEqual([]);
    expect(await listed(storage, 'one')).toEqual([{ key: 'one/a', bytes: 7 }]);
  });

  test('removes the temporary copy when it is released', async () => {
    await storage.putFile('copied', file, { contentType: 'text/plain' });
    const copy = await storage.openLocal('copied');
    const folder = join(running.directory, 'temporary', 'storage');
    expect(await readdir(folder)).toHaveLength(1);
    await copy.release();
    expect(await readdir(folder)).toEqual([]);
  });

  test('is unavailable with a wrong secret or without its bucket, and does not tell the secret', async () => {
    const strict = await startServer({ checkSignatures: true });
    const right = await openBucket(strict);
    await right.check();
    const wrong = await openBucket(strict, { secret: 'not-the-secret' });
    const error = await wrong.check().catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: 'unavailable' });
    expect(JSON.stringify(error) + String(error)).not.toContain('not-the-secret');
    await Promise.all([right.close(), wrong.close()]);
    await stop(strict);
    const nowhere = await openBucket(running, { bucket: 'nowhere' });
    expect(await codeOf(nowhere.check())).toBe('unavailable');
    expect(await codeOf(nowhere.putFile('a', file, { contentType: 'text/plain' }))).toBe('unavailable');
  });

  test('lists page after page', async () => {
    const pages = new Map([
      [null, { keys: ['b/1', 'b/2'], next: 'token/+2' }],
      ['token/+2', { keys: ['b/3'], next: 'token3' }],
      ['token3', { keys: ['c', '.touchline-probe'], next: undefined }],
    ]);
    const server = createServer((request, response) => {
      const page = pages.get(new URL(request.url ?? '', 'http://localhost').searchParams.get('continuation-token'));
      const next = page?.next === undefined ? '' : `<NextContinuationToken>${page.next}</NextContinuationToken>`;
      const contents = page?.keys.map((key) => `<Contents><Key>in/${key}</Key><Size>${key.length}</Size></Contents>`);
      response.end(
        `<ListBucketResult><IsTruncated>${next !== ''}</IsTruncated>${next}${contents?.join('') ?? ''}</ListBucketResult>`,
      );
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    // A server on a TCP port has an address object.
    const { port } = server.address() as AddressInfo;
    const paged = await openBucket({ ...running, port }, { prefix: 'in' });
    expect(await listed(paged, '')).toEqual([
      { key: 'b/1', bytes: 3 },
      { key: 'b/2', bytes: 3 },
      { key: 'b/3', bytes: 3 },
      { key: 'c', bytes: 1 },
    ]);
    await paged.close();
    server.closeAllConnections();
    server.close();
  });

  test('does not take a whole object for the part that was asked for', async () => {
    await storage.putFile('first-byte', file, { contentType: 'text/plain' });
    expect(await codeOf(storage.read('first-byte', { start: 0, end: 1 }))).toBe('unavailable');
  });

  test('is unavailable while the server does not answer', async () => {
    const gone = await startServer();
    const orphan = await openBucket(gone);
    await stop(gone);
    expect(await codeOf(orphan.check())).toBe('unavailable');
    expect(await codeOf(orphan.stat('a'))).toBe('unavailable');
    expect(await codeOf(orphan.read('a'))).toBe('unavailable');
    expect(await codeOf(orphan.remove(['a']))).toBe('unavailable');
    expect(await codeOf(listed(orphan, ''))).toBe('unavailable');
    await orphan.close();
  });
});
