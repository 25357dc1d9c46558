import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { startCuttingProxy } from '../../../../test/support/servers/cutting-proxy.ts';
import { missingSftpServer, startSftpServer } from '../../../../test/support/servers/sftp-server.ts';
import { startStrictSftpServer } from '../../../../test/support/servers/strict-sftp-server.ts';
import { MIB } from '../../../base/index.ts';
import { describeChannel, putOf } from '../../channel-contract.ts';
import { sftpChannel } from './sftp-channel.ts';

const missing = missingSftpServer();

async function start() {
  const server = await startSftpServer();
  const proxy = await startCuttingProxy(server);
  const { user, hostKey, root: prefix } = server;
  const config = { host: '127.0.0.1', port: proxy.port, user, host_key: hostKey, prefix };
  return { server, proxy, config, secrets: { private_key: server.privateKey } };
}

if (missing !== undefined) {
  test.skip(`SFTP channel (${missing})`);
} else {
  describeChannel('SFTP channel', async () => {
    const { server, proxy, config, secrets } = await start();
    return {
      channel: sftpChannel,
      target: { config, secrets },
      // What is under way, and what is sent again.
      resumesFromBytes: 5 * MIB,
      wrongCredentials: { config, secrets: { private_key: server.wrongKey } },
      withoutPermission: { config: { ...config, prefix: server.forbidden }, secrets },
      missingRoot: { config: { ...config, prefix: `${server.root}/not-there` }, secrets },
      unreachable: { config: { ...config, port: 1 }, secrets },
      cutAfter: proxy.cutAfter,
      close: async () => {
        await proxy.close();
        await server.stop();
      },
    };
  });

  describe('a file that is large', () => {
    const large = randomBytes(40 * MIB + 7);
    async function open(concurrency: number) {
      const { server, proxy, config, secrets } = await start();
      const { signal } = new AbortController();
      const session = await sftpChannel.open({ config, secrets, concurrency, signal });
      onTestFinished(async () => {
        await session.close();
        await proxy.close();
        await server.stop();
      });
      return { server, proxy, session };
    }

    test('is read over a second connection while it is written', async () => {
      const { server, proxy, session } = await open(2);
      const before = proxy.connections();
      expect(await session.put(putOf('match.mp4', large))).toEqual({ verified: 'read_back', sentBytes: large.length });
      expect(large.equals(await readFile(join(server.root, 'match.mp4')))).toBe(true);
      expect(proxy.connections()).toBe(before + 1);
    });

    test('does not appear when its source is other than was said, and is sent whole when it is right', async () => {
      const { session } = await open(2);
      const other = Buffer.from(large);
      other.writeUInt8(other.readUInt8(33 * MIB) ^ 1, 33 * MIB);
      const wrong = putOf('match.mp4', large, { read: putOf('match.mp4', other).read });
      await expect(session.put(wrong)).rejects.toMatchObject({ code: 'source_changed' });
      const { signal } = new AbortController();
      expect(await session.stat('match.mp4', signal)).toBeUndefined();
      expect(await session.put(putOf('match.mp4', large))).toMatchObject({ verified: 'read_back' });
    });

    test('goes on where both connections were cut', async () => {
      const { server, proxy, session } = await open(2);
      const put = putOf('match.mp4', large);
      proxy.cutAfter(20 * MIB);
      await expect(session.put(put)).rejects.toMatchObject({ code: 'connection_lost' });
      const { sentBytes } = await session.put(put);
      expect(sentBytes).toBeLessThan(30 * MIB);
      expect(large.equals(await readFile(join(server.root, 'match.mp4')))).toBe(true);
    });

    test('ends with its signal, and leaves nothing under its name', async () => {
      const { session } = await open(2);
      const cancelled = new AbortController();
      const put = putOf('match.mp4', large, {
        signal: cancelled.signal,
        onProgress: (bytes) => {
          if (bytes > 10 * MIB) cancelled.abort(new Error('enough'));
        },
      });
      await expect(session.put(put)).rejects.toThrow('enough');
      expect(await session.stat('match.mp4', new AbortController().signal)).toBeUndefined();
      expect(await session.put(putOf('match.mp4', large))).toMatchObject({ verified: 'read_back' });
    });
  });

  describe('an SFTP server with another host key', () => {
    test('is refused, also when no key is pinned yet, and its key is told', async () => {
      const { server, proxy, config, secrets } = await start();
      const { host_key, ...unpinned } = config;
      const other = { ...config, host_key: `SHA256:${'A'.repeat(43)}` };
      for (const one of [unpinned, other]) {
        const opening = sftpChannel.open({
          config: one,
          secrets,
          concurrency: 1,
          signal: new AbortController().signal,
        });
        const error = await opening.catch((thrown: unknown) => thrown);
        expect(error).toMatchObject({ code: 'refused', permanent: true });
        expect(String(error)).toContain(host_key);
      }
      await proxy.close();
      await server.stop();
    });
  });
}

describe.each([
  ['lets nobody read what is being written', 4, Number.POSITIVE_INFINITY],
  ['does so, and takes one connection', 4, 1],
  ['does so, and is given one file at a time', 1, 1],
])('an SFTP server that %s', (_what, concurrency, mostConnections) => {
  test.each([MIB + 7, 40 * MIB + 7])('gets %d bytes, which are read when they are there', async (bytes) => {
    const { config, secrets, ...server } = await startStrictSftpServer({ mostConnections });
    const session = await sftpChannel.open({ config, secrets, concurrency, signal: new AbortController().signal });
    onTestFinished(async () => {
      await session.close();
      await server.stop();
    });
    const content = randomBytes(bytes);
    expect(await session.put(putOf('a/match.mp4', content))).toMatchObject({ verified: 'read_back', sentBytes: bytes });
    expect(server.file('./a/match.mp4')?.equals(content)).toBe(true);
    expect(server.paths()).toEqual(['./a/match.mp4']);
    if (concurrency === 1) expect(server.refused()).toBe(0);
  });
});
