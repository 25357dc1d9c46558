import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer, type IncomingHttpHeaders, type RequestListener, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, describe, expect, test } from 'vitest';
import { NOTHING_ALLOWED, parseAllowList } from './allow-list.ts';
import { createOutbound, type Outbound } from './outbound.ts';

const closers: (() => void)[] = [];
afterEach(() => {
  for (const close of closers.splice(0)) close();
});

async function serve(handler: RequestListener): Promise<{ readonly server: Server; readonly port: number }> {
  const server = createServer(handler);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  closers.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return { server, port: (server.address() as AddressInfo).port };
}

function outbound(allow: string | undefined, names: Readonly<Record<string, readonly string[]>> = {}): Outbound {
  const made = createOutbound({
    allow: (allow === undefined ? undefined : parseAllowList(allow)) ?? NOTHING_ALLOWED,
    userAgent: 'Touchline/test',
    resolve: async (host) => names[host] ?? [],
  });
  closers.push(() => made.close());
  return made;
}

const message = (timeoutMs = 5000) => ({
  headers: { 'content-type': 'application/json' },
  body: Buffer.from('{"a":1}'),
  timeoutMs,
  signal: new AbortController().signal,
});

describe('a request', () => {
  test('brings body and headers, and answers status and the beginning of the body', async () => {
    const seen: { headers: IncomingHttpHeaders; body: string }[] = [];
    const { port } = await serve((request, response) => {
      let body = '';
      request.on('data', (chunk: Buffer) => (body += chunk.toString()));
      request.on('end', () => {
        seen.push({ headers: request.headers, body });
        response.writeHead(202, { 'set-cookie': 'a=b' }).end('x'.repeat(200_000));
      });
    });
    const client = outbound('127.0.0.1');
    const answer = await client.post(`http://127.0.0.1:${port}/hook`, message());
    expect(answer.status).toBe(202);
    expect(answer.body).toHaveLength(65_536);
    await client.post(`http://127.0.0.1:${port}/hook`, message());
    expect(seen.map(({ body }) => body)).toEqual(['{"a":1}', '{"a":1}']);
    expect(seen[1]?.headers).toMatchObject({ 'user-agent': 'Touchline/test', 'content-length': '7' });
    expect(seen[1]?.headers.cookie).toBeUndefined();
  });

  test('goes again on a new connection where a kept one was closed meanwhile', async () => {
    let requests = 0;
    const { server, port } = await serve((request, response) => {
      requests += 1;
      request.resume();
      // The second request of a connection gets no answer.
      if (requests === 2) request.socket.destroy();
      else response.end();
    });
    const client = outbound('127.0.0.1');
    let connections = 0;
    server.on('connection', () => (connections += 1));
    expect((await client.post(`http://127.0.0.1:${port}/`, message())).status).toBe(200);
    expect((await client.post(`http://127.0.0.1:${port}/`, message())).status).toBe(200);
    expect([requests, connections]).toEqual([3, 2]);
  });

  test('ends after its time, also while the body drips', async () => {
    const { port } = await serve((_request, response) => {
      response.writeHead(200);
      const timer = setInterval(() => response.write('.'), 20);
      response.on('close', () => clearInterval(timer));
    });
    await expect(outbound('127.0.0.1').post(`http://127.0.0.1:${port}/`, message(150))).rejects.toMatchObject({
      code: 'timeout',
    });
  });

  test('ends when it is cancelled', async () => {
    const abort = new AbortController();
    const { port } = await serve(() => abort.abort(new Error('enough')));
    const sent = outbound('127.0.0.1').post(`http://127.0.0.1:${port}/`, { ...message(), signal: abort.signal });
    await expect(sent).rejects.toThrow('enough');
  });
});

describe('refused as internal', () => {
  const outer = '93.184.215.14';
  test.each([
    ['an address', 'https://127.0.0.1/'],
    ['an address as a number', 'https://2130706433/'],
    ['an address in octal', 'https://0177.0.0.1/'],
    ['a mapped address', 'https://[::ffff:127.0.0.1]/'],
    ['the metadata of a cloud', 'https://169.254.169.254/latest/'],
    ['a name', 'https://inside.example/'],
    ['a name with a public address too', 'https://mixed.example/'],
    ['a public address without TLS', `http://${outer}/`],
  ])('%s', async (_, url) => {
    const names = { 'inside.example': ['10.0.0.1'], 'mixed.example': [outer, '::1'] };
    await expect(outbound(undefined, names).post(url, message())).rejects.toMatchObject({ code: 'address_refused' });
  });

  test('a name whose address changes between the look at it and the connection', async () => {
    let asked = 0;
    const client = createOutbound({
      allow: NOTHING_ALLOWED,
      userAgent: 'test',
      resolve: async () => [(asked += 1) === 1 ? '127.0.0.1' : outer],
    });
    // What is connected to is what was judged: there is no second question that could be answered differently.
    await expect(client.post('https://rebind.example/', message())).rejects.toMatchObject({ code: 'address_refused' });
    expect(asked).toBe(1);
  });

  test('a redirect to an internal address, after the first address was fine', async () => {
    let inside = 0;
    const internal = await serve((_request, response) => {
      inside += 1;
      response.end();
    });
    const { port } = await serve((_request, response) => {
      response.writeHead(307, { location: `http://127.0.0.1:${internal.port}/` }).end();
    });
    const client = outbound(`127.0.0.1:${port}`);
    await expect(client.post(`http://127.0.0.1:${port}/`, message())).rejects.toMatchObject({
      code: 'address_refused',
    });
    expect(inside).toBe(0);
  });

  test.each(['ftp://host/', 'file:///etc/passwd', 'https://user:secret@host/', 'nonsense'])(
    '%s is no URL to post to',
    async (url) => {
      await expect(outbound('host').post(url, message())).rejects.toMatchObject({ code: 'url_invalid' });
    },
  );

  test('a name that does not exist', async () => {
    await expect(outbound(undefined).post('https://nobody.example/', message())).rejects.toMatchObject({
      code: 'name_not_found',
    });
  });
});

describe('redirects', () => {
  test('are followed with the same body, three at most', async () => {
    const bodies: string[] = [];
    const { port } = await serve((request, response) => {
      let body = '';
      request.on('data', (chunk: Buffer) => (body += chunk.toString()));
      request.on('end', () => {
        bodies.push(`${request.method} ${request.url} ${body}`);
        const step = Number(request.url?.slice(1));
        if (step === 3) response.end();
        else response.writeHead(308, { location: `/${step + 1}` }).end();
      });
    });
    const client = outbound('127.0.0.1');
    expect((await client.post(`http://127.0.0.1:${port}/0`, message())).status).toBe(200);
    expect(bodies).toEqual([0, 1, 2, 3].map((step) => `POST /${step} {"a":1}`));
    await expect(client.post(`http://127.0.0.1:${port}/-1`, message())).rejects.toMatchObject({
      code: 'too_many_redirects',
    });
  });

  test('that would change the method are not followed', async () => {
    const { port } = await serve((_request, response) => response.writeHead(303, { location: '/other' }).end());
    expect((await outbound('127.0.0.1').post(`http://127.0.0.1:${port}/`, message())).status).toBe(303);
  });
});

test('a host of the allow-list is reached under whatever address it has', async () => {
  const { port } = await serve((_request, response) => response.end('inside'));
  const answer = await outbound(`localhost:${port}`).post(`http://localhost:${port}/`, message());
  expect(answer.body.toString()).toBe('inside');
});

test('what can be said of a URL is said before it is used', () => {
  const client = outbound('10.0.0.0/8');
  expect(() => client.check('https://169.254.169.254/')).toThrow('internal');
  expect(() => client.check('http://8.8.8.8/')).toThrow('without TLS');
  expect(() => client.check('http://10.1.1.1/')).not.toThrow();
  expect(() => client.check('http://name.inside/')).not.toThrow();
  expect(() => outbound(undefined).check('http://name.inside/')).toThrow('without TLS');
});

const run = promisify(execFile);
const hasOpenssl = await run('openssl', ['version']).then(
  () => true,
  () => false,
);

test.skipIf(!hasOpenssl)('a server whose certificate nobody vouches for gets nothing', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'touchline-tls-'));
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
  const subject = ['-subj', '/CN=localhost', '-days', '2', '-nodes', '-newkey', 'rsa:2048'];
  await run('openssl', ['req', '-x509', '-keyout', key, '-out', cert, ...subject]);
  let requests = 0;
  const server = createTlsServer({ key: await readFile(key), cert: await readFile(cert) }, (_request, response) => {
    requests += 1;
    response.end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const sent = outbound('localhost').post(`https://localhost:${port}/`, message());
  await expect(sent).rejects.toMatchObject({ code: 'tls_failed' });
  expect(requests).toBe(0);
  server.close();
  await rm(folder, { recursive: true, force: true });
});
