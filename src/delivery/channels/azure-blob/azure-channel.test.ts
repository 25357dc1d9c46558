import { BlobServiceClient, StorageSharedKeyCredential } from '@azure/storage-blob';
import { test } from 'vitest';
import { missingAzureServer, startAzureServer } from '../../../../test/support/servers/azure-server.ts';
import { startCuttingProxy } from '../../../../test/support/servers/cutting-proxy.ts';
import { MIB } from '../../../base/index.ts';
import { describeChannel } from '../../channel-contract.ts';
import { azureBlobChannel } from './azure-channel.ts';

const missing = missingAzureServer();

if (missing !== undefined) {
  test.skip(`Azure Blob channel (${missing})`);
} else {
  describeChannel('Azure Blob channel', async () => {
    const server = await startAzureServer();
    const { account, accountKey } = server;
    const service = new BlobServiceClient(server.endpoint, new StorageSharedKeyCredential(account, accountKey));
    await service.createContainer('library');
    const proxy = await startCuttingProxy(server);
    const config = {
      account,
      container: 'library',
      endpoint: `http://127.0.0.1:${proxy.port}/${account}`,
      prefix: 'some/place',
    };
    const secrets = { account_key: accountKey };
    return {
      channel: azureBlobChannel,
      target: { config, secrets },
      // The block that is being filled.
      resumesFromBytes: 8 * MIB,
      wrongCredentials: { config, secrets: { account_key: Buffer.from('another key').toString('base64') } },
      missingRoot: { config: { ...config, container: 'nowhere' }, secrets },
      unreachable: { config: { ...config, endpoint: `http://127.0.0.1:1/${account}` }, secrets },
      cutAfter: proxy.cutAfter,
      close: async () => {
        await proxy.close();
        await server.stop();
      },
    };
  });
}
