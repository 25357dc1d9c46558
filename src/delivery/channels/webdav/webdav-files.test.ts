import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { Agent, createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { KIB, MIB } from '../../../base/index.ts';
import { createPutMemory, filePieces } from '../file-pieces.ts';
import { createWebdavFiles } from './webdav-files.ts';
import { createWebdavRequests } from './webdav-requests.ts';

const BODY = randomBytes(6 * MIB + 77);
const never = (): AbortSignal => new AbortController().signal;
const closers: (() => void)[] = [];
let folder: string;
let path: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'touchline-webdav-files-'));
  path = join(folder, 'source.bin');
  await writeFile(path, BODY);
});
afterAll(() => rm(folder, { recursive: true }));
afterEach(() => {
  for (const close of closers.splice(0)) close();
});

/** Writes the source to a server that answers so, and tells what became of its memory. */
async function writeTo(answer: (...[request, response]: Parameters<RequestListener>) => void | Promise<void>) {
  const server = createServer((request, response) => void answer(request, response));
  closers.push(
    () => server.closeAllConnections(),
    () => server.close(),
  );
  await once(server.listen(0, '127.0.0.1'), 'listening');
  // A server on a TCP port has an address object.
  const { port } = server.address() as AddressInfo;
  const root = new URL(`http://127.0.0.1:${port}/`);
  const agent = new Agent({ keepAlive: true });
  closers.push(() => agent.destroy());
  const files = createWebdavFiles(createWebdavRequests({ root, agent, headers: {}, stallMs: 1000, tls: {} }));
  const memory = createPutMemory(4 * MIB);
  const used = new Set<ArrayBufferLike>();
  const seen: number[] = [];
  let sourceEnded = false;
  async function* chunks() {
    try {
      yield* filePieces({ path, bytes: BODY.length, pieceBytes: 256 * KIB, memory, signal: never() });
    } finally {
      sourceEnded = true;
    }
  }
  const giveBack = (chunk: Uint8Array): void => {
    used.add(chunk.buffer);
    memory.give(chunk);
  };
  const file = { path: 'a.bin', offset: 0, bytes: BODY.length, contentType: 'video/mp4', chunks: chunks() };
  const written = files.write({ ...file, signal: never(), onBytes: (bytes) => seen.push(bytes), giveBack });
  const error = await written.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  return { error, buffers: used.size, seen, sourceEnded: () => sourceEnded };
}

describe('writing a file of this machine over WebDAV', () => {
  test('fills no memory anew whose bytes have not gone out, to a server that takes its time', async () => {
    const hash = createHash('sha256');
    const { error, buffers, seen } = await writeTo(async (request, response) => {
      for await (const chunk of request as AsyncIterable<Buffer>) {
        await delay(1);
        hash.update(chunk);
      }
      response.writeHead(201).end();
    });
    expect(error).toBeUndefined();
    expect(hash.digest('hex')).toBe(createHash('sha256').update(BODY).digest('hex'));
    expect(buffers).toBeLessThan(8);
    expect(seen.at(-1)).toBe(BODY.length);
  });

  test('stops reading the source when the server refuses before it has all', async () => {
    const { error, seen, sourceEnded } = await writeTo((_request, response) => void response.writeHead(507).end());
    expect(error).toMatchObject({ code: 'disk_full' });
    expect(seen.at(-1) ?? 0).toBeLessThan(BODY.length);
    await expect.poll(sourceEnded).toBe(true);
  });

  test.each([1, 3 * MIB])('stops reading the source when the connection is cut after %i bytes', async (until) => {
    const { error, sourceEnded } = await writeTo((request) => {
      let bytes = 0;
      request.on('data', (chunk: Buffer) => {
        bytes += chunk.length;
        if (bytes >= until) request.socket.resetAndDestroy();
      });
    });
    expect(error).toBeInstanceOf(Error);
    await expect.poll(sourceEnded).toBe(true);
  });

  test('gives up a server that reads nothing more', async () => {
    const { error, sourceEnded } = await writeTo((request) => void request.pause());
    expect(error).toMatchObject({ code: 'timeout' });
    await expect.poll(sourceEnded).toBe(true);
  });
});
