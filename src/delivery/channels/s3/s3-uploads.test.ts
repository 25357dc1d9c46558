/** What becomes of a put when the store, or the way to it, does something else than to say yes. */
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer as createHttpServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterEach, describe, expect, test } from 'vitest';
import { startCuttingProxy } from '../../../../test/support/servers/cutting-proxy.ts';
import { startS3Server } from '../../../../test/support/servers/s3-server.ts';
import type { ChannelSession } from '../../channel.ts';
import { putOf } from '../../channel-contract.ts';
import { s3Channel } from './s3-channel.ts';
import { PART_BYTES } from './s3-put.ts';

const never = (): AbortSignal => new AbortController().signal;
const secrets = { access_key_id: 'S3RVER', secret_access_key: 'S3RVER' };
const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close();
});

async function openSession(port: number, stallMs?: number): Promise<ChannelSession> {
  const config = { bucket: 'library', endpoint: `http://127.0.0.1:${port}` };
  const session = await s3Channel.open({ config, secrets, concurrency: 4, stallMs, signal: never() });
  closers.push(() => session.close());
  return session;
}

/** The quick server behind a proxy. */
async function startStore() {
  const server = await startS3Server({ checkSignatures: false });
  closers.push(() => server.stop());
  const proxy = await startCuttingProxy(server);
  closers.push(() => proxy.close());
  const session = await openSession(proxy.port);
  const read = (path: string): Promise<Buffer> => buffer(session.read(path, never()));
  const putsOf = (path: string) =>
    proxy.answers.filter(({ method, url }) => method === 'PUT' && url.includes(path)).length;
  return { proxy, session, read, putsOf };
}

type Asked = {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: Buffer;
};
type Answer =
  | { readonly status: number; readonly headers?: Readonly<Record<string, string>>; readonly body?: string }
  | 'lost'
  | 'silence';

/** A store that says what the test wants. `answer` gets the request whole, and how many there were before it. */
async function startTold(answer: (request: Asked, before: number) => Answer, stallMs?: number) {
  const asked: Asked[] = [];
  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await buffer(request).catch(() => Buffer.alloc(0));
    const one: Asked = { method: request.method ?? '', url: request.url ?? '', headers: request.headers, body };
    const told = answer(one, asked.length);
    asked.push(one);
    if (told === 'silence') return;
    if (told === 'lost') request.socket.resetAndDestroy();
    else response.writeHead(told.status, told.headers).end(told.body);
  };
  const server = createHttpServer((request, response) => void serve(request, response));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  closers.push(async () => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  });
  // A server on a TCP port has an address object.
  const { port } = server.address() as AddressInfo;
  const session = await openSession(port, stallMs);
  const puts = (): readonly Asked[] => asked.filter(({ method }) => method === 'PUT');
  return { port, asked, puts, session };
}

const refusal = (status: number, code: string, headers: Readonly<Record<string, string>> = {}): Answer => ({
  status,
  headers: { 'content-type': 'application/xml', ...headers },
  body: `<?xml version="1.0"?><Error><Code>${code}</Code><Message>S3RVER is not told</Message></Error>`,
});
const stored = ({ body }: Asked): Answer => ({
  status: 200,
  headers: { etag: `"${createHash('md5').update(body).digest('hex')}"`, 'x-amz-version-id': 'v1' },
});
const errorOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => undefined,
    (error: unknown) => error,
  );
const bytes = randomBytes(70_000);
const large = randomBytes(2 * PART_BYTES + 4321);

describe('a lost answer', () => {
  test.each([true, false])(
    'to an object that was stored is a success, and nothing is sent again (replace: %s)',
    async (replace) => {
      const { proxy, session, read, putsOf } = await startStore();
      proxy.actOn(
        'answer',
        ({ method }) => method === 'PUT',
        () => proxy.goOn(),
      );
      const result = await session.put(putOf('lost.bin', bytes, { replace }));
      expect(result).toMatchObject({ verified: 'checksum', sentBytes: bytes.length });
      expect(putsOf('lost.bin')).toBe(1);
      expect((await read('lost.bin')).equals(bytes)).toBe(true);
    },
  );

  test('to an object that was not stored is told, and nothing is sent again', async () => {
    const told = await startTold(({ method }) => (method === 'PUT' ? 'lost' : { status: 404 }));
    const error = await errorOf(told.session.put(putOf('lost.bin', bytes)));
    expect(error).toMatchObject({ code: 'connection_lost', permanent: false });
    expect(told.puts()).toHaveLength(1);
  });

  test("does not make somebody else's object ours", async () => {
    const theirs = { status: 200, headers: { 'content-length': String(bytes.length), etag: '"0123"' } };
    const told = await startTold(({ method }) => (method === 'PUT' ? 'lost' : theirs));
    const error = await errorOf(told.session.put(putOf('lost.bin', bytes)));
    expect(error).toMatchObject({ code: 'connection_lost' });
  });

  test('to a part makes the part be sent again', async () => {
    const { proxy, session, read } = await startStore();
    proxy.actOn(
      'answer',
      ({ url }) => url.includes('partNumber=2'),
      () => proxy.goOn(),
    );
    const result = await session.put(putOf('parts.bin', large));
    expect(result.sentBytes).toBe(large.length);
    expect((await read('parts.bin')).equals(large)).toBe(true);
  });

  test('to the completion is a success when the store says that the name is taken by then', async () => {
    const digests: Buffer[] = [];
    let completions = 0;
    const told = await startTold((request) => {
      const { method, url, body } = request;
      if (method === 'PUT') {
        const part = Number(new URL(url, 'http://store').searchParams.get('partNumber'));
        digests[part - 1] = createHash('md5').update(body).digest();
        return stored(request);
      }
      if (method === 'POST' && url.includes('uploads')) {
        const said = '<InitiateMultipartUploadResult><UploadId>one</UploadId></InitiateMultipartUploadResult>';
        return { status: 200, body: said };
      }
      if (method === 'POST') {
        completions += 1;
        return completions === 1 ? 'lost' : refusal(412, 'PreconditionFailed');
      }
      if (completions === 0) return { status: 404 };
      const etag = `"${createHash('md5').update(Buffer.concat(digests)).digest('hex')}-${digests.length}"`;
      const sha256 = createHash('sha256').update(large).digest('hex');
      return { status: 200, headers: { etag, 'x-amz-meta-sha256': sha256, 'content-length': String(large.length) } };
    });
    const result = await told.session.put(putOf('parts.bin', large, { replace: false }));
    expect(result).toMatchObject({ verified: 'checksum', sentBytes: large.length });
    expect(completions).toBe(2);
  });
});

describe('a store that refuses', () => {
  test.each([
    ['InvalidAccessKeyId', 403, 'credentials'],
    ['SignatureDoesNotMatch', 403, 'credentials'],
    ['NoSuchBucket', 404, 'not_found'],
    ['QuotaExceeded', 403, 'disk_full'],
    ['PreconditionFailed', 412, 'name_taken'],
    ['BadDigest', 400, 'corrupted'],
    ['KeyTooLongError', 400, 'name_illegal'],
    ['OperationAborted', 409, 'busy'],
    ['SomethingNew', 403, 'permission'],
    ['SomethingNew', 507, 'disk_full'],
  ])('by %s (%i) makes it %s, after one request and without a word of it', async (name, status, code) => {
    const told = await startTold(({ method }) => (method === 'PUT' ? refusal(status, name) : { status: 404 }));
    const error = await errorOf(told.session.put(putOf('one.bin', bytes)));
    expect(error).toMatchObject({ name: 'ChannelError', code });
    expect(String(error)).toContain(`received ${name} (status ${status})`);
    expect(String(error)).not.toContain('S3RVER');
    expect(told.puts()).toHaveLength(1);
  });

  test('without XML is told by its status', async () => {
    const told = await startTold(({ method }) => ({ status: method === 'PUT' ? 403 : 404, body: 'Go away' }));
    expect(await errorOf(told.session.put(putOf('one.bin', bytes)))).toMatchObject({ code: 'permission' });
  });

  test('for a moment is asked again', async () => {
    const told = await startTold((request, before) => (before === 0 ? refusal(503, 'SlowDown') : stored(request)));
    const result = await told.session.put(putOf('one.bin', bytes));
    expect(result).toMatchObject({ verified: 'checksum', version: 'v1' });
    expect(told.puts()).toHaveLength(2);
  });

  test('by an error of its own is not asked to store an object again', async () => {
    const told = await startTold(({ method }) => (method === 'PUT' ? refusal(500, 'InternalError') : { status: 404 }));
    expect(await errorOf(told.session.put(putOf('one.bin', bytes)))).toMatchObject({
      code: 'failed',
      permanent: false,
    });
    expect(told.puts()).toHaveLength(1);
  });

  test('bodies without a signed SHA-256 gets one, from then on at once', async () => {
    const told = await startTold((request) =>
      request.headers['x-amz-content-sha256'] === 'UNSIGNED-PAYLOAD' ? refusal(403, 'AccessDenied') : stored(request),
    );
    for (const path of ['one.bin', 'two.bin']) await told.session.put(putOf(path, bytes));
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    const said = told.puts().map(({ headers }) => headers['x-amz-content-sha256']);
    expect(said).toEqual(['UNSIGNED-PAYLOAD', sha256, sha256]);
  });

  test('since our clock is wrong is asked again by its own', async () => {
    const date = new Date(Date.now() - 3_600_000).toUTCString();
    const told = await startTold((request, before) =>
      before === 0 ? refusal(403, 'RequestTimeTooSkewed', { date }) : stored(request),
    );
    await told.session.put(putOf('one.bin', bytes));
    const [, second] = told.puts().map(({ headers }) => String(headers['x-amz-date']));
    const theirs = new Date(date).toISOString().replaceAll(/[-:]|\.\d+/g, '');
    expect(second?.slice(0, 11)).toBe(theirs.slice(0, 11));
  });

  test('before it has the whole body is understood', async () => {
    const said = '<Error><Code>PreconditionFailed</Code></Error>';
    const server = createServer((socket) => {
      socket.on('error', () => socket.destroy());
      socket.once('data', () => {
        socket.pause();
        socket.write(`HTTP/1.1 412 No\r\nContent-Length: ${said.length}\r\n\r\n${said}`);
      });
      closers.push(async () => void socket.destroy());
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    closers.push(async () => void server.close());
    const session = await openSession((server.address() as AddressInfo).port);
    const error = await errorOf(session.put(putOf('one.bin', randomBytes(PART_BYTES))));
    expect(error).toMatchObject({ code: 'name_taken' });
  });
});

test('a store that says nothing is given up after the stall limit', async () => {
  const told = await startTold(() => 'silence', 300);
  const startedMs = performance.now();
  expect(await errorOf(told.session.put(putOf('one.bin', bytes)))).toMatchObject({ code: 'timeout', permanent: false });
  expect(performance.now() - startedMs).toBeLessThan(5000);
  expect(told.puts()).toHaveLength(1);
});

test('a put that is cancelled while it waits for the answer ends with the reason', async () => {
  const abort = new AbortController();
  const reason = new Error('no longer wanted');
  const told = await startTold(() => {
    setTimeout(() => abort.abort(reason), 50);
    return 'silence';
  });
  expect(await errorOf(told.session.put(putOf('one.bin', bytes, { signal: abort.signal })))).toBe(reason);
});

test.each([bytes.length, large.length])('a put of %i bytes ends when its session is closed', async (size) => {
  const told = await startTold(() => {
    setTimeout(() => void told.session.close(), 50);
    return 'silence';
  });
  const put = told.session.put(putOf('one.bin', large.subarray(0, size)));
  expect(await errorOf(put)).toMatchObject({ code: 'connection_lost', permanent: false });
});

test("the store's ETag that is another one has the object read back", async () => {
  const other = { status: 200, headers: { etag: '"0123"' }, body: 'not the bytes' };
  const told = await startTold(({ method }) => (method === 'DELETE' ? { status: 204 } : other));
  expect(await errorOf(told.session.put(putOf('one.bin', bytes)))).toMatchObject({ code: 'corrupted' });
  expect(told.asked.map(({ method }) => method)).toEqual(['PUT', 'GET', 'DELETE']);
});

describe('a store that says that the bucket is elsewhere', () => {
  const region = { 'x-amz-bucket-region': 'eu-west-1' };
  const told = '(config.region), the S3 store says that it is in eu-west-1';
  const body = (code: string, members = ''): string => `<Error><Code>${code}</Code>${members}</Error>`;
  const puts = [
    ['by a header', { status: 301, headers: region, body: body('PermanentRedirect') }],
    ['by a header alone', { status: 301, headers: region }],
    [
      'in the signature that it wants',
      { status: 400, body: body('AuthorizationHeaderMalformed', '<Region>eu-west-1</Region>') },
    ],
    ['for some minutes', { status: 307, headers: region, body: body('TemporaryRedirect') }],
  ] as const;

  test.each(puts)('%s, has its region told, and nothing sent anywhere else', async (_what, answer) => {
    const other = await startTold(() => ({ status: 200 }));
    const location = `http://127.0.0.1:${other.port}/library/one.bin`;
    const store = await startTold(({ method }) =>
      method === 'PUT'
        ? { ...answer, headers: { location, ...('headers' in answer && answer.headers) } }
        : { status: 404 },
    );
    const error = await errorOf(store.session.put(putOf('one.bin', bytes)));
    expect(error).toMatchObject({ code: 'refused', permanent: true });
    expect(String(error)).toContain(told);
    expect(store.puts()).toHaveLength(1);
    expect(other.asked).toEqual([]);
  });

  test.each([301, 400])('by a HEAD of %i, which has no body, has its region told', async (status) => {
    const store = await startTold(() => ({ status, headers: region }));
    const put = store.session.put(putOf('one.bin', bytes, { replace: false }));
    const error = await errorOf(put);
    expect(error).toMatchObject({ code: 'refused' });
    expect(String(error)).toContain(told);
    expect(store.puts()).toEqual([]);
  });

  test('when an upload of parts begins or a file is read has its region told', async () => {
    const answer = { status: 400, body: body('AuthorizationHeaderMalformed', '<Region>eu-west-1</Region>') };
    const store = await startTold(() => answer);
    expect(String(await errorOf(store.session.put(putOf('large.bin', large))))).toContain(told);
    expect(String(await errorOf(buffer(store.session.read('one.bin', never()))))).toContain(told);
  });

  test('and names its endpoint alone has that told', async () => {
    const endpoint = '<Endpoint>library.s3.other.example:8443</Endpoint>';
    const store = await startTold(() => ({ status: 301, body: body('PermanentRedirect', endpoint) }));
    const error = await errorOf(store.session.put(putOf('one.bin', bytes)));
    expect(error).toMatchObject({ code: 'refused' });
    expect(String(error)).toContain('it says that it is at library.s3.other.example:8443 (status 301)');
  });

  test('for now, in the very region of the destination, is asked again later', async () => {
    const headers = { 'x-amz-bucket-region': 'us-east-1' };
    const store = await startTold(() => ({ status: 307, headers, body: body('TemporaryRedirect') }));
    const error = await errorOf(store.session.put(putOf('one.bin', bytes)));
    expect(error).toMatchObject({ code: 'busy', permanent: false });
  });

  test('in words of its own has none of them told', async () => {
    const members = '<Region>your secret is S3RVER</Region><Endpoint>http://S3RVER@host/</Endpoint>';
    const store = await startTold(() => ({ status: 301, body: body('PermanentRedirect', members) }));
    const error = await errorOf(store.session.put(putOf('one.bin', bytes)));
    expect(error).toMatchObject({ code: 'refused' });
    expect(String(error)).toContain('it says that it is somewhere else (status 301)');
    expect(String(error)).not.toContain('S3RVER');
  });

  test('a refusal that names the region of the destination is what it is', async () => {
    const headers = { 'x-amz-bucket-region': 'us-east-1' };
    const store = await startTold(() => refusal(400, 'AuthorizationHeaderMalformed', headers));
    expect(String(await errorOf(store.session.put(putOf('one.bin', bytes))))).toContain(
      'received AuthorizationHeaderMalformed',
    );
  });
});

test('the request says what the file is, and its MD5 is signed', async () => {
  const told = await startTold((request) => (request.method === 'PUT' ? stored(request) : { status: 404 }));
  await told.session.put(putOf('a b/ü+.jpg', bytes, { contentType: 'image/jpeg', replace: false }));
  const [put] = told.puts();
  expect(put?.url).toBe('/library/a%20b/%C3%BC%2B.jpg');
  expect(put?.headers).toMatchObject({
    'content-type': 'image/jpeg',
    'content-md5': createHash('md5').update(bytes).digest('base64'),
    'x-amz-meta-sha256': createHash('sha256').update(bytes).digest('hex'),
    'if-none-match': '*',
    'x-amz-content-sha256': 'UNSIGNED-PAYLOAD',
  });
  expect(put?.headers.authorization).toContain('SignedHeaders=content-md5;content-type;host;if-none-match;');
});

describe('a whole file of this machine', () => {
  const fileOf = async (content: Buffer): Promise<string> => {
    const folder = await mkdtemp(join(tmpdir(), 'touchline-s3-file-'));
    closers.push(() => rm(folder, { recursive: true }));
    const file = join(folder, 'source.bin');
    await writeFile(file, content);
    return file;
  };
  const unread = (): AsyncIterable<Uint8Array> => {
    throw new Error('the file is read by its path');
  };

  test.each([0, 1, 70_000, 3_000_000, 2 * PART_BYTES, 2 * PART_BYTES + 1])('of %i bytes arrives', async (size) => {
    const { session, read } = await startStore();
    const content = randomBytes(size);
    const file = await fileOf(content);
    for (const path of ['one.bin', 'two.bin']) {
      const result = await session.put(putOf(path, content, { file, read: unread }));
      expect(result.sentBytes).toBe(size);
      expect((await read(path)).equals(content)).toBe(true);
    }
  });

  test.each([70_000, 3_000_000, 2 * PART_BYTES])('of %i bytes that has changed does not', async (size) => {
    const { session } = await startStore();
    const content = randomBytes(size);
    const changed = Buffer.concat([content.subarray(0, size - 1), Buffer.of((content.at(-1) ?? 0) ^ 1)]);
    for (const other of [changed, content.subarray(0, size - 1)]) {
      const put = putOf('one.bin', content, { file: await fileOf(other), read: unread });
      expect(await errorOf(session.put(put))).toMatchObject({ code: 'source_changed' });
      expect(await session.stat('one.bin', never())).toBeUndefined();
    }
  });

  test('that is gone is no fault of the store', async () => {
    const { session } = await startStore();
    const error = await errorOf(session.put(putOf('one.bin', bytes, { file: '/nowhere/at/all.bin', read: unread })));
    expect(error).toMatchObject({ code: 'ENOENT' });
  });
});
