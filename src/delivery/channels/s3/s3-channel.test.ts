import { startCuttingProxy } from '../../../../test/support/servers/cutting-proxy.ts';
import { startS3Server } from '../../../../test/support/servers/s3-server.ts';
import { describeChannel } from '../../channel-contract.ts';
import { s3Channel } from './s3-channel.ts';

const secrets = { access_key_id: 'S3RVER', secret_access_key: 'S3RVER' };

describeChannel('S3 channel', async () => {
  const server = await startS3Server({ checkSignatures: false });
  const strict = await startS3Server({ checkSignatures: true });
  const proxy = await startCuttingProxy(server);
  const config = { bucket: server.bucket, endpoint: `http://127.0.0.1:${proxy.port}`, prefix: 'some/place' };
  return {
    channel: s3Channel,
    target: { config, secrets },
    // This server has no list of parts, so that every try starts anew.
    resumesFromBytes: undefined,
    wrongCredentials: {
      config: { ...config, endpoint: `http://127.0.0.1:${strict.port}` },
      secrets: { ...secrets, secret_access_key: 'not-the-secret' },
    },
    missingRoot: { config: { ...config, bucket: 'nowhere' }, secrets },
    unreachable: { config: { ...config, endpoint: 'http://127.0.0.1:1' }, secrets },
    cutAfter: proxy.cutAfter,
    close: async () => {
      await proxy.close();
      await server.stop();
      await strict.stop();
    },
  };
});
