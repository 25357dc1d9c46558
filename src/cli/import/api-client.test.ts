import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { afterEach, describe, expect, test } from 'vitest';
import { MIB } from '../../base/index.ts';
import { ApiError, createApiClient, UnreachableError } from './api-client.ts';

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

/** A real HTTP server on a free port, for answers that the service gives only when something is wrong. */
async function serve(answer: (request: IncomingMessage, response: ServerResponse) => void): Promise<string> {
  const server = createServer(answer).listen(0, '127.0.0.1');
  await once(server, 'listening');
  closers.push(async () => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return `http://127.0.0.1:${address.port}`;
}
const { signal } = new AbortController();
const get = async (baseUrl: string, maxFailures = 5) =>
  createApiClient({ baseUrl, apiKey: 'tl_secret' }).call({ method: 'GET', path: '/v1/me', maxFailures, signal });
const json = (response: ServerResponse, status: number, body: object, headers: Record<string, string> = {}) =>
  response.writeHead(status, { 'Content-Type': 'application/json', ...headers }).end(JSON.stringify(body));

describe('createApiClient', () => {
  test('sends the key as a header, and not in the address', async () => {
    const seen: { readonly url: string | undefined; readonly key: unknown }[] = [];
    const baseUrl = await serve((request, response) => {
      seen.push({ url: request.url, key: request.headers['x-api-key'] });
      json(response, 200, { ok: true });
    });
    expect((await get(baseUrl)).body).toEqual({ ok: true });
    expect(seen).toEqual([{ url: '/v1/me', key: 'tl_secret' }]);
  });

  test('follows no redirect, which would hand the key on', async () => {
    let asked = 0;
    const other = await serve((_request, response) => {
      asked += 1;
      json(response, 200, {});
    });
    const baseUrl = await serve((_request, response) => response.writeHead(301, { Location: other }).end());
    await expect(get(baseUrl)).rejects.toThrow(`redirects to ${other}`);
    expect(asked).toBe(0);
  });

  test('tells the sentence and the code of a refusal, and does not repeat the request', async () => {
    let asked = 0;
    const baseUrl = await serve((_request, response) => {
      asked += 1;
      json(response, 400, { status: 400, code: 'validation_failed', detail: 'expected a name' });
    });
    const refusal = await get(baseUrl).catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(ApiError);
    expect(refusal).toMatchObject({ status: 400, code: 'validation_failed', message: 'expected a name' });
    expect(asked).toBe(1);
  });

  test('asks again after 503 with Retry-After, with the same Idempotency-Key', async () => {
    const keys: unknown[] = [];
    const baseUrl = await serve((request, response) => {
      keys.push(request.headers['idempotency-key']);
      if (keys.length < 3) json(response, 503, { code: 'overloaded' }, { 'Retry-After': '0' });
      else json(response, 201, { collection: { id: 1 } });
    });
    const client = createApiClient({ baseUrl, apiKey: 'tl_secret' });
    const { status } = await client.call({ method: 'POST', path: '/v1/collection', json: { name: 'a' }, signal });
    expect(status).toBe(201);
    expect(new Set(keys).size).toBe(1);
    expect(keys[0]).toMatch(/^[0-9a-f-]{36}$/);
  });

  test('says that something else answers at the address', async () => {
    const baseUrl = await serve((_request, response) => response.end('<html>hello</html>'));
    await expect(get(baseUrl)).rejects.toThrow(/expected a Touchline service at .* not JSON/);
  });

  test('says why the address was not reached', async () => {
    await expect(get('http://127.0.0.1:1', 1)).rejects.toThrow(UnreachableError);
    await expect(get('http://127.0.0.1:1', 1)).rejects.toThrow(/ECONNREFUSED|bad port/);
  });
});

describe('send', () => {
  const chunk = Buffer.alloc(MIB);
  const sendTo = (baseUrl: string, bytes: number, onChunk: () => void = () => undefined) =>
    createApiClient({ baseUrl, apiKey: 'tl_secret' }).send({
      path: '/v1/media',
      contentType: 'application/octet-stream',
      contentLength: bytes,
      async *body() {
        for (let sent = 0; sent < bytes; sent += chunk.length) {
          onChunk();
          // A buffer of its own each time, as a file is read.
          yield Buffer.from(chunk);
        }
      },
      signal,
    });

  test('streams with a known length, and keeps nothing of what it has sent', async () => {
    let received = 0;
    let length: string | undefined;
    const baseUrl = await serve((request, response) => {
      length = request.headers['content-length'];
      request.on('data', (data: Buffer) => {
        received += data.length;
      });
      request.on('end', () => json(response, 200, {}));
    });
    const bytes = 512 * MIB;
    let peakBytes = 0;
    await sendTo(baseUrl, bytes, () => {
      peakBytes = Math.max(peakBytes, process.memoryUsage().arrayBuffers);
    });
    expect(received).toBe(bytes);
    expect(length).toBe(String(bytes));
    expect(peakBytes).toBeLessThan(bytes / 2);
  });

  test('reads a refusal that comes before the whole body has gone out', async () => {
    const baseUrl = await serve((request, response) => {
      request.once('data', () => json(response, 415, { code: 'unsupported_media_type', detail: 'expected a photo' }));
    });
    await expect(sendTo(baseUrl, 64 * MIB)).rejects.toThrow('expected a photo');
  });

  test('tells a fault of the body as it is, without trying again', async () => {
    const baseUrl = await serve((request, response) => {
      request.resume();
      request.on('end', () => json(response, 200, {}));
    });
    let tries = 0;
    const sending = createApiClient({ baseUrl, apiKey: 'tl_secret' }).send({
      path: '/v1/media',
      contentType: 'application/octet-stream',
      contentLength: 2 * MIB,
      async *body() {
        tries += 1;
        yield chunk;
        throw new Error('it changed while it was read');
      },
      signal,
    });
    await expect(sending).rejects.toThrow('it changed while it was read');
    expect(tries).toBe(1);
  });
});
