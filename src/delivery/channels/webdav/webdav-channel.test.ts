import { test } from 'vitest';
import { startCuttingProxy } from '../../../../test/support/servers/cutting-proxy.ts';
import { missingWebdavServer, startWebdavServer } from '../../../../test/support/servers/webdav-server.ts';
import { describeChannel } from '../../channel-contract.ts';
import { webdavChannel } from './webdav-channel.ts';

const missing = missingWebdavServer();

if (missing !== undefined) {
  test.skip(`WebDAV channel (${missing})`);
} else {
  describeChannel('WebDAV channel', async () => {
    const server = await startWebdavServer();
    const proxy = await startCuttingProxy(server);
    const config = { url: `http://127.0.0.1:${proxy.port}/`, user: server.user };
    const secrets = { password: server.password };
    return {
      channel: webdavChannel,
      target: { config, secrets },
      resumesFromBytes: undefined,
      wrongCredentials: { config, secrets: { password: 'not-the-password' } },
      missingRoot: { config: { ...config, url: `${config.url}not-there/` }, secrets },
      unreachable: { config: { ...config, url: 'http://127.0.0.1:1/' }, secrets },
      cutAfter: proxy.cutAfter,
      close: async () => {
        await proxy.close();
        await server.stop();
      },
    };
  });
}
