import { test } from 'vitest';
import { startCuttingProxy } from '../../../../test/support/servers/cutting-proxy.ts';
import { missingSmbServer, startSmbServer } from '../../../../test/support/servers/smb-server.ts';
import { MIB } from '../../../base/index.ts';
import { describeChannel } from '../../channel-contract.ts';
import { smbChannel } from './smb-channel.ts';

const missing = smbChannel.missing?.() ?? missingSmbServer();

async function start(encryption: 'off' | 'required', over: Readonly<Record<string, unknown>>) {
  const server = await startSmbServer({ encryption });
  const proxy = await startCuttingProxy(server);
  const { user, domain, password } = server;
  const config = { host: '127.0.0.1', port: proxy.port, share: 'media', user, domain, ...over };
  const secrets = { password };
  const { fullShare } = server;
  return {
    channel: smbChannel,
    target: { config, secrets },
    // What is under way, and what is sent again.
    resumesFromBytes: 5 * MIB,
    wrongCredentials: { config, secrets: { password: 'not the password' } },
    withoutPermission: { config: { ...config, prefix: 'forbidden' }, secrets },
    missingRoot: { config: { ...config, share: 'not-there' }, secrets },
    ...(fullShare !== undefined && { fullDisk: { config: { ...config, share: fullShare }, secrets } }),
    unreachable: { config: { ...config, port: 1 }, secrets },
    cutAfter: proxy.cutAfter,
    close: async () => {
      await proxy.close();
      await server.stop();
    },
  };
}

if (missing !== undefined) {
  test.skip(`SMB channel (${missing})`);
} else {
  describeChannel('SMB channel, signed', () => start('off', { min_protocol: 'SMB2_10' }));
  describeChannel('SMB channel, encrypted', () =>
    start('required', { encryption: 'required', min_protocol: 'SMB3_11' }),
  );
}
