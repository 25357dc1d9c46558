import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { missingCephServer, startCephServer } from '../../test/support/servers/ceph-server.ts';
import { startCuttingProxy } from '../../test/support/servers/cutting-proxy.ts';
import { createLogger, MIB } from '../base/index.ts';
import { openStorage } from './index.ts';
import { describeStorage } from './storage-contract.ts';

const missing = missingCephServer();

if (missing !== undefined) {
  test.skip(`S3 storage on Ceph (${missing})`);
} else {
  describeStorage('S3 storage on Ceph', async () => {
    const server = await startCephServer();
    const proxy = await startCuttingProxy(server);
    await server.makeBucket('library');
    const folder = await mkdtemp(join(tmpdir(), 'touchline-storage-'));
    const endpoint = encodeURIComponent(`http://127.0.0.1:${proxy.port}`);
    const { accessKeyId, secretAccessKey } = server.owner;
    const url = new URL(`s3://${accessKeyId}:${secretAccessKey}@library?endpoint=${endpoint}&prefix=some/place`);
    const storage = await openStorage(url, { tempDirectory: folder, logger: createLogger({ level: 'silent' }) });
    return {
      storage,
      copyBegun: () => new Promise((resolve) => proxy.actAfter(MIB, resolve)),
      close: async () => {
        expect(await readdir(join(folder, 'storage'))).toEqual([]);
        await storage.close();
        await proxy.close();
        await server.stop();
        await rm(folder, { recursive: true });
      },
    };
  });
}
