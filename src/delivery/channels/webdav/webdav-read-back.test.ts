import { execFile } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { Agent, IncomingMessage } from 'node:http';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { createServer as createTlsServer } from 'node:tls';
import { promisify } from 'node:util';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { MIB } from '../../../base/index.ts';
import { missingProgram } from '../../../../test/support/servers/server-process.ts';
import { readBack } from './webdav-read-back.ts';
import { createWebdavRequests } from './webdav-requests.ts';

const BODY = randomBytes(5 * MIB + 123);
const SHA256 = createHash('sha256').update(BODY).digest('hex');
const HEAD = `HTTP/1.1 200 OK\r\nContent-Length: ${BODY.length}\r\n\r\n`;
const run = promisify(execFile);
const closers: (() => void)[] = [];
afterEach(() => {
  for (const close of closers.splice(0)) close();
});

type Answer = (socket: Socket) => void | Promise<void>;
type Certificate = { readonly key: string; readonly cert: string };
type Options = { readonly certificate?: Certificate; readonly ca?: string; readonly signal?: AbortSignal };

/** Reads back from a server that answers its first request so. */
async function readFrom(answer: Answer, options: Options = {}) {
  const { certificate, ca, signal = new AbortController().signal } = options;
  const onConnection = (socket: Socket): void => {
    socket.on('error', () => {});
    closers.push(() => socket.destroy());
    socket.once('data', () => void answer(socket));
  };
  const server = certificate ? createTlsServer(certificate, onConnection) : createServer(onConnection);
  closers.push(() => server.close());
  await once(server.listen(0, '127.0.0.1'), 'listening');
  // A server on a TCP port has an address object.
  const { port } = server.address() as AddressInfo;
  const root = new URL(`${certificate ? 'https' : 'http'}://127.0.0.1:${port}/`);
  const agent = new Agent();
  const { send } = createWebdavRequests({
    root,
    agent,
    headers: {},
    stallMs: 400,
    tls: ca === undefined ? {} : { ca },
  });
  return readBack(send, { path: 'a.bin', bytes: BODY.length, signal });
}

/** Signed by itself, so that it is its own authority. */
async function makeCertificate(): Promise<Certificate> {
  const folder = await mkdtemp(join(tmpdir(), 'touchline-certificate-'));
  const at = (name: string): string => join(folder, name);
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-keyout', at('key.pem')];
  const names = ['-subj', '/CN=Tests', '-addext', 'subjectAltName=IP:127.0.0.1'];
  await run('openssl', ['req', '-x509', ...key, '-out', at('cert.pem'), '-days', '2', ...names]);
  const certificate = { key: await readFile(at('key.pem'), 'utf8'), cert: await readFile(at('cert.pem'), 'utf8') };
  await rm(folder, { recursive: true });
  return certificate;
}

const whole = { sha256: SHA256, bytes: BODY.length };
const answerWhole: Answer = (socket) => void socket.end(Buffer.concat([Buffer.from(HEAD), BODY]));

describe('reading a large file back', () => {
  test('hashes what the server sends at once, past the parser of Node', async () => {
    const parsed = vi.spyOn(IncomingMessage.prototype, 'push');
    expect(await readFrom(answerWhole)).toEqual(whole);
    const bytes = parsed.mock.calls.reduce((sum, [chunk]) => sum + (Buffer.isBuffer(chunk) ? chunk.length : 0), 0);
    expect(bytes).toBeLessThan(MIB);
    parsed.mockRestore();
  });

  test('hashes what comes in pieces, the head byte by byte', async () => {
    const answer: Answer = async (socket) => {
      socket.setNoDelay(true);
      for (const byte of HEAD) {
        socket.write(byte);
        await delay(1);
      }
      for (let at = 0, step = 1; at < BODY.length; at += step, step = Math.min(step * 3, 700_001)) {
        socket.write(BODY.subarray(at, at + step));
        await delay(2);
      }
    };
    expect(await readFrom(answer)).toEqual(whole);
  });

  test('passes over what the server says before its answer', async () => {
    const answer: Answer = (socket) => {
      socket.write('HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n');
      return answerWhole(socket);
    };
    expect(await readFrom(answer)).toEqual(whole);
  });

  test('hashes a body in chunks, and one that ends with its connection', async () => {
    const chunked: Answer = (socket) => {
      socket.write('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n');
      for (let at = 0; at < BODY.length; at += 1_000_003) {
        const chunk = BODY.subarray(at, at + 1_000_003);
        socket.write(`${chunk.length.toString(16)}\r\n`);
        socket.write(chunk);
        socket.write('\r\n');
      }
      socket.end('0\r\n\r\n');
    };
    expect(await readFrom(chunked)).toEqual(whole);
    const ended: Answer = (socket) => void socket.end(Buffer.concat([Buffer.from('HTTP/1.1 200 OK\r\n\r\n'), BODY]));
    expect(await readFrom(ended)).toEqual(whole);
  });

  test('takes no more bytes than the head says', async () => {
    const answer: Answer = (socket) => void socket.end(Buffer.concat([Buffer.from(HEAD), BODY, randomBytes(MIB)]));
    expect(await readFrom(answer)).toEqual(whole);
  });

  test('tells the length of a file that is another one', async () => {
    for (const other of [Buffer.alloc(0), BODY.subarray(1), Buffer.concat([BODY, BODY])]) {
      const head = `HTTP/1.1 200 OK\r\nContent-Length: ${other.length}\r\n\r\n`;
      const back = await readFrom((socket) => void socket.end(Buffer.concat([Buffer.from(head), other])));
      expect(back).toEqual({ sha256: createHash('sha256').update(other).digest('hex'), bytes: other.length });
    }
  });

  test.each([0, 1, 70_000, BODY.length - 1])('fails when the body ends or is cut after %i bytes', async (until) => {
    const part = Buffer.concat([Buffer.from(HEAD), BODY.subarray(0, until)]);
    await expect(readFrom((socket) => void socket.end(part))).rejects.toMatchObject({ code: 'ECONNRESET' });
    const cut: Answer = (socket) => void socket.write(part, () => setTimeout(() => socket.resetAndDestroy(), 50));
    await expect(readFrom(cut)).rejects.toMatchObject({ code: 'ECONNRESET' });
  });

  test('fails when the head is cut, broken or refuses', async () => {
    await expect(readFrom((socket) => void socket.end(HEAD.slice(0, 20)))).rejects.toThrow();
    await expect(readFrom((socket) => void socket.end('SSH-2.0-OpenSSH\r\n'))).rejects.toThrow();
    const refusal = 'HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n';
    await expect(readFrom((socket) => void socket.end(refusal))).rejects.toMatchObject({ code: 'permission' });
    const moved = 'HTTP/1.1 302 Found\r\nLocation: /b.bin\r\nContent-Length: 0\r\n\r\n';
    await expect(readFrom((socket) => void socket.end(moved))).rejects.toMatchObject({ code: 'failed' });
  });

  test('gives up a server that falls silent, and does what the signal says', async () => {
    const silent: Answer = (socket) => void socket.write(Buffer.concat([Buffer.from(HEAD), BODY.subarray(0, 4 * MIB)]));
    await expect(readFrom(silent)).rejects.toThrow();
    const abort = new AbortController();
    setTimeout(() => abort.abort(new Error('no longer wanted')), 150);
    await expect(readFrom(silent, { signal: abort.signal })).rejects.toThrow();
    expect(abort.signal.aborted).toBe(true);
  });

  test.skipIf(missingProgram(['openssl'], 'openssl') !== undefined)('checks the certificate over TLS', async () => {
    const certificate = await makeCertificate();
    expect(await readFrom(answerWhole, { certificate, ca: certificate.cert })).toEqual(whole);
    await expect(readFrom(answerWhole, { certificate })).rejects.toMatchObject({ code: 'DEPTH_ZERO_SELF_SIGNED_CERT' });
    const cut: Answer = (socket) => void socket.write(HEAD + 'a'.repeat(MIB), () => socket.destroy());
    await expect(readFrom(cut, { certificate, ca: certificate.cert })).rejects.toMatchObject({ code: 'ECONNRESET' });
  });
});
