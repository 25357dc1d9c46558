import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { NOTHING_ALLOWED, parseAllowList } from './allow-list.ts';
import { createDownloads } from './download.ts';

const asked: string[] = [];
const server = createServer((request, response) => {
  asked.push(`${request.headers.host} ${request.url} ${request.headers.range ?? ''}`.trim());
  if (request.url === '/stalls') response.write('some');
  else if (request.url === '/inside') response.writeHead(302, { Location: 'http://10.0.0.1/secret' }).end();
  else response.end('all of it');
});
let port: number;
beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  // It listens on a port of TCP.
  ({ port } = server.address() as AddressInfo);
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const downloads = (allow: string, address: string) =>
  createDownloads({
    allow: parseAllowList(allow) ?? NOTHING_ALLOWED,
    userAgent: 'test',
    resolve: async () => [address],
    idleTimeoutMs: 200,
  });
const request = (headers: Record<string, string> = {}) => ({ headers, signal: new AbortController().signal });

test('a name that leads to an internal address is refused, and nothing is asked', async () => {
  const before = asked.length;
  const get = downloads('', '127.0.0.1').get(`https://photos.example:${port}/a.jpg`, request());
  await expect(get).rejects.toMatchObject({ code: 'address_refused' });
  expect(asked).toHaveLength(before);
});

test('an address that is allowed gives its body, from where it was asked for', async () => {
  const { status, body } = await downloads(`127.0.0.1:${port}`, '10.9.9.9').get(
    `http://127.0.0.1:${port}/a`,
    request({ Range: 'bytes=4-' }),
  );
  expect([status, (await buffer(body)).toString()]).toEqual([200, 'all of it']);
  expect(asked.at(-1)).toBe(`127.0.0.1:${port} /a bytes=4-`);
});

test('a redirect is judged like the first address', async () => {
  const get = downloads(`127.0.0.1:${port}`, '10.9.9.9').get(`http://127.0.0.1:${port}/inside`, request());
  await expect(get).rejects.toMatchObject({ code: 'address_refused' });
});

test('a body of which nothing comes any more ends with a fault', async () => {
  const { body } = await downloads(`127.0.0.1:${port}`, '10.9.9.9').get(`http://127.0.0.1:${port}/stalls`, request());
  await expect(buffer(body)).rejects.toMatchObject({ code: 'timeout' });
});

test('one that is cancelled ends at once', async () => {
  const cancelled = new AbortController();
  cancelled.abort(new Error('enough'));
  const get = downloads(`127.0.0.1:${port}`, '10.9.9.9').get(`http://127.0.0.1:${port}/a`, {
    headers: {},
    signal: cancelled.signal,
  });
  await expect(get).rejects.toThrow('enough');
});
