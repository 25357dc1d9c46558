import { describe, expect, test } from 'vitest';
import { startCuttingProxy } from '../../../../test/support/servers/cutting-proxy.ts';
import { missingSftpServer, startSftpServer } from '../../../../test/support/servers/sftp-server.ts';
import { MIB } from '../../../base/index.ts';
import { describeChannel } from '../../channel-contract.ts';
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
