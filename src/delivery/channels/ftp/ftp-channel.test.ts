import { execFile } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { describe, expect, onTestFinished, test } from 'vitest';
import { startCuttingProxy } from '../../../../test/support/servers/cutting-proxy.ts';
import { missingFtpServer, startFtpServer } from '../../../../test/support/servers/ftp-server.ts';
import type { ChannelSession } from '../../channel.ts';
import { describeChannel, putOf } from '../../channel-contract.ts';
import { ftpChannel } from './ftp-channel.ts';

const run = promisify(execFile);
const missing = missingFtpServer();
const never = (): AbortSignal => new AbortController().signal;

async function start(options: Parameters<typeof startFtpServer>[0] = {}) {
  const server = await startFtpServer(options);
  const { host, port, dataPorts: samePorts } = server;
  const proxy = await startCuttingProxy({ host, port, samePorts });
  return {
    server,
    proxy,
    config: {
      host: '127.0.0.1',
      port: proxy.port,
      user: server.user,
      security: options.security ?? 'explicit',
      ...(options.security !== 'none' && { ca: server.ca }),
      prefix: server.root,
    },
    secrets: { password: server.password },
    close: async () => {
      await proxy.close();
      await server.stop();
    },
  };
}

const subject = async (options: Parameters<typeof startFtpServer>[0] = {}) => {
  const { server, proxy, config, secrets, close } = await start(options);
  return {
    channel: ftpChannel,
    target: { config, secrets },
    // What is under way when the connection is cut.
    resumesFromBytes: 8 * 1024 * 1024,
    wrongCredentials: { config, secrets: { password: 'not the password' } },
    withoutPermission: { config: { ...config, prefix: server.forbidden }, secrets },
    missingRoot: { config: { ...config, prefix: `${server.root}/not-there` }, secrets },
    unreachable: { config: { ...config, port: 1 }, secrets },
    cutAfter: proxy.cutAfter,
    close,
  };
};

const open = (one: Awaited<ReturnType<typeof start>>, over: Record<string, unknown> = {}, concurrency = 4) =>
  ftpChannel.open({ config: { ...one.config, ...over }, secrets: one.secrets, concurrency, signal: never() });

const errorOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => undefined,
    (error: unknown) => error,
  );

/** Stores a file, replaces it, goes on with one that was broken off, and removes it. */
async function useOnce(session: ChannelSession): Promise<void> {
  const path = 'a folder/one.bin';
  for (const size of [300_000, 0, 1000]) {
    const bytes = randomBytes(size);
    await session.put(putOf(path, bytes));
    expect(await buffer(session.read(path, never()))).toEqual(bytes);
    expect((await session.stat(path, never()))?.bytes).toBe(size);
  }
  expect(await errorOf(session.put(putOf(path, Buffer.from('x'), { replace: false })))).toMatchObject({
    code: 'name_taken',
  });
  const [bytes, id] = [randomBytes(2_000_000), randomUUID()];
  async function* half(): AsyncIterable<Uint8Array> {
    yield bytes.subarray(0, 1_000_000);
    throw new Error('broken off');
  }
  await errorOf(session.put(putOf(path, bytes, { id, read: half })));
  await errorOf(session.put(putOf(path, bytes, { id })));
  await session.put(putOf(path, bytes, { id }));
  expect(await buffer(session.read(path, never()))).toEqual(bytes);
  expect(await session.leftovers(path, never())).toEqual([]);
  await session.remove(path, never());
  expect(await session.stat(path, never())).toBeUndefined();
}

if (missing !== undefined) {
  test.skip(`FTP channel (${missing})`);
} else {
  describeChannel('FTP channel with TLS', () => subject());
  describeChannel('FTP channel without TLS', () => subject({ security: 'none' }));

  describe('an FTP server', () => {
    const begin = async (options: Parameters<typeof startFtpServer>[0] = {}) => {
      const one = await start(options);
      // Also when the test fails.
      onTestFinished(one.close);
      return one;
    };

    test.each([
      ['with TLS from the first byte', { security: 'implicit' }],
      [
        'that never writes over files and never on from their ends',
        { lines: ['AllowOverwrite off', 'AllowStoreRestart off'] },
      ],
      ['without facts of files', { lines: ['FactsAdvertise off'] }],
      ['without hashes', { lines: ['DigestEngine off'] }],
      ['of TLS 1.2', { lines: ['TLSProtocol TLSv1.2'] }],
    ] as const)('%s is served', async (_what, options) => {
      const one = await begin(options);
      const session = await open(one);
      await useOnce(session);
      await session.close();
    });

    test('that takes two connections gets no more, and all files', async () => {
      const one = await begin({ lines: ['MaxClientsPerUser 2', 'MaxClientsPerHost 2'] });
      const session = await open(one, {}, 6);
      const files = Array.from({ length: 12 }, (_, at) => ({ path: `many/${at}.bin`, bytes: randomBytes(200_000) }));
      await Promise.all(files.map(({ path, bytes }) => session.put(putOf(path, bytes))));
      for (const { path, bytes } of files) expect(await buffer(session.read(path, never()))).toEqual(bytes);
      await session.close();
    });

    test('that was restarted is connected to again', async () => {
      const one = await begin();
      const session = await open(one);
      await session.put(putOf('before.bin', randomBytes(1000)));
      await one.server.restart();
      const bytes = randomBytes(1000);
      await errorOf(session.put(putOf('after.bin', bytes)));
      await session.put(putOf('after.bin', bytes));
      expect(await buffer(session.read('after.bin', never()))).toEqual(bytes);
      await session.close();
    });

    test('is refused when another authority signed its certificate, and when TLS is asked for and not there', async () => {
      const [one, plain] = [await begin(), await begin({ security: 'none' })];
      const { ca, ...unsigned } = one.config;
      expect(ca).toContain('CERTIFICATE');
      const refusals = [
        () => ftpChannel.open({ config: unsigned, secrets: one.secrets, concurrency: 1, signal: never() }),
        () => open(plain, { security: 'explicit' }),
        () => open(one, { security: 'none' }),
        () => open(plain, { security: 'implicit' }),
      ];
      for (const opening of refusals)
        expect(await errorOf(opening())).toMatchObject({ code: 'refused', permanent: true });
      const session = await ftpChannel.open({
        config: { ...unsigned, insecure: true },
        secrets: one.secrets,
        concurrency: 1,
        signal: never(),
      });
      await session.put(putOf('anyhow.bin', randomBytes(1000)));
      await session.close();
    });

    test('without space is told as such', async ({ skip }) => {
      const one = await begin();
      const small = join(one.server.root, 'small');
      await mkdir(small);
      const size = 'size=200k,mode=777';
      const mounted = await errorOf(run('mount', ['-t', 'tmpfs', '-o', size, 'tmpfs', small]));
      if (mounted === undefined) {
        const session = await open(one, { prefix: small });
        // This server calls the first write that is cut short an error of input and output.
        const put = putOf('large.bin', randomBytes(3_000_000));
        expect(await errorOf(session.put(put))).toMatchObject({ code: 'failed', permanent: false });
        expect(await errorOf(session.put(put))).toMatchObject({ code: 'disk_full', permanent: true });
        expect(await session.leftovers('large.bin', never())).toEqual([]);
        await session.put(putOf('small.bin', randomBytes(1000)));
        await session.close();
        await run('umount', ['--lazy', small]);
      }
      skip(mounted !== undefined, 'no file system can be mounted here');
    });

    test('that stops answering does not hold a cancelled put', async () => {
      const one = await begin();
      const session = await open(one);
      const abort = new AbortController();
      one.proxy.stallAfter(100_000);
      async function* slow(): AsyncIterable<Uint8Array> {
        const bytes = randomBytes(64 * 1024);
        for (let sent = 0; sent < 200; sent += 1) {
          yield bytes;
          if (sent === 1) setTimeout(() => abort.abort(new Error('no longer wanted')), 100);
        }
      }
      const put = putOf('stalled.bin', randomBytes(10), { bytes: 200 * 64 * 1024, read: slow, signal: abort.signal });
      expect(await errorOf(session.put(put))).toBe(abort.signal.reason);
      one.proxy.goOn();
      await session.close();
    });
  });
}
