import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { BlobServiceClient, StorageSharedKeyCredential } from '@azure/storage-blob';
import { smbChannel } from '../../../src/delivery/channels/smb/smb-channel.ts';
import { missingAzureServer, startAzureServer } from '../servers/azure-server.ts';
import { missingCephServer } from '../servers/ceph-server.ts';
import { startCuttingProxy } from '../servers/cutting-proxy.ts';
import { missingFtpServer, startFtpServer } from '../servers/ftp-server.ts';
import { missingSftpServer, startSftpServer } from '../servers/sftp-server.ts';
import { missingSmbServer, startSmbServer } from '../servers/smb-server.ts';
import { missingWebdavServer, startWebdavServer } from '../servers/webdav-server.ts';
import type { FaultKind, FaultTarget } from './fault-target.ts';
import { createFilePlaces } from './file-places.ts';
import { countArrivals } from './object-places.ts';
import { startCephS3, startQuickS3 } from './s3-kinds.ts';

const run = promisify(execFile);
const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');
const NO_QUOTA = 'this server has no limit of space and no permissions that a test can set';

/** Folders for all kinds whose files lie on this disk; the service may deliver into it. */
export const FAULT_FOLDER_PREFIX = 'touchline-faults-';

async function startFolder(): Promise<FaultTarget> {
  const root = await mkdtemp(join(tmpdir(), FAULT_FOLDER_PREFIX));
  const places = createFilePlaces({ root, configOf: (name) => ({ path: join(root, name) }), secrets: {} });
  return {
    ...places,
    kind: 'folder',
    countsAll: true,
    showsHalves: undefined,
    proxy: undefined,
    server: undefined,
    wrongSecrets: undefined,
    close: async () => {
      await places.close();
      await rm(root, { recursive: true, force: true });
    },
  };
}

async function startAzure(): Promise<FaultTarget> {
  const server = await startAzureServer();
  const proxy = await startCuttingProxy(server);
  const { account, accountKey } = server;
  const service = new BlobServiceClient(server.endpoint, new StorageSharedKeyCredential(account, accountKey));
  const container = service.getContainerClient('library');
  await container.create();
  const secrets = { account_key: accountKey };
  return {
    kind: 'azure_blob',
    countsAll: false,
    showsHalves: undefined,
    proxy,
    server: {
      // It keeps what it has acknowledged in memory for seconds, which only an orderly end lets it write.
      kill: () => server.kill('SIGTERM'),
      restart: server.restart,
    },
    wrongSecrets: { account_key: Buffer.from('another key').toString('base64') },
    smallPlace: NO_QUOTA,
    closedPlace: NO_QUOTA,
    place: async (name) => {
      const prefix = `${name}/`;
      const list = async (includeUncommitedBlobs: boolean) => {
        const found = new Map<string, number>();
        for await (const blob of container.listBlobsFlat({ prefix, includeUncommitedBlobs }))
          found.set(blob.name.slice(prefix.length), blob.properties.contentLength ?? 0);
        return found;
      };
      return {
        config: { account, container: 'library', endpoint: `http://127.0.0.1:${proxy.port}/${account}`, prefix: name },
        secrets,
        sizes: () => list(false),
        hashes: async () => {
          const found = new Map<string, string>();
          for (const blob of (await list(false)).keys())
            found.set(blob, sha256(await container.getBlobClient(prefix + blob).downloadToBuffer()));
          return found;
        },
        unfinished: async () => {
          const whole = await list(false);
          return [...(await list(true)).keys()].filter((one) => !whole.has(one));
        },
        arrivals: async () =>
          countArrivals(proxy, {
            prefix: `/${account}/library/${prefix}`,
            completes: ({ method }, query) =>
              method === 'PUT' && (!query.has('comp') || query.get('comp') === 'blocklist'),
          }),
        putForeign: async (blob, bytes) =>
          void (await container.getBlockBlobClient(prefix + blob).upload(bytes, bytes.length)),
        close: async () => {},
      };
    },
    close: async () => {
      await proxy.close();
      await server.stop();
    },
  };
}

/** Whose files those of servers are that were started by root. */
async function findNobody(): Promise<{ readonly owner: { readonly uid: number; readonly gid: number } } | undefined> {
  const id = async (which: string): Promise<number> => Number((await run('id', [which, 'nobody'])).stdout);
  return process.getuid?.() === 0 ? { owner: { uid: await id('-u'), gid: await id('-g') } } : undefined;
}

async function startSftp(): Promise<FaultTarget> {
  const server = await startSftpServer();
  const proxy = await startCuttingProxy(server);
  const places = createFilePlaces({
    root: server.root,
    configOf: (name) => ({
      host: '127.0.0.1',
      port: proxy.port,
      user: server.user,
      host_key: server.hostKey,
      prefix: join(server.root, name),
    }),
    secrets: { private_key: server.privateKey },
    ...(await findNobody()),
  });
  return {
    ...places,
    kind: 'sftp',
    countsAll: true,
    showsHalves: undefined,
    proxy,
    server,
    wrongSecrets: { private_key: server.wrongKey },
    close: async () => {
      await proxy.close();
      await places.close();
      await server.stop();
    },
  };
}

async function startWebdav(): Promise<FaultTarget> {
  const server = await startWebdavServer({ followsDisk: true });
  const proxy = await startCuttingProxy(server);

  const places = createFilePlaces({
    root: server.root,
    configOf: (name) => ({ url: `http://127.0.0.1:${proxy.port}/${name}`, user: server.user }),
    secrets: { password: server.password },
  });
  return {
    ...places,
    kind: 'webdav',
    countsAll: true,
    showsHalves: undefined,
    proxy,
    server,
    wrongSecrets: { password: 'not-the-password' },
    close: async () => {
      await proxy.close();
      await places.close();
      await server.stop();
    },
  };
}

async function startFtp(): Promise<FaultTarget> {
  const server = await startFtpServer();
  const { host, port, dataPorts: samePorts } = server;
  const proxy = await startCuttingProxy({ host, port, samePorts });
  const places = createFilePlaces({
    root: server.root,
    configOf: (name) => ({
      host: '127.0.0.1',
      port: proxy.port,
      user: server.user,
      security: 'explicit',
      ca: server.ca,
      prefix: join(server.root, name),
    }),
    secrets: { password: server.password },
    ...(await findNobody()),
  });
  return {
    ...places,
    kind: 'ftp',
    countsAll: true,
    showsHalves: undefined,
    proxy,
    server,
    wrongSecrets: { password: 'not the password' },
    close: async () => {
      await proxy.close();
      await places.close();
      await server.stop();
    },
  };
}

async function startSmb(): Promise<FaultTarget> {
  const server = await startSmbServer({ encryption: 'required' });
  const proxy = await startCuttingProxy(server);
  const { user, domain } = server;
  const places = createFilePlaces({
    root: server.root,
    configOf: (name) => ({ host: '127.0.0.1', port: proxy.port, share: 'media', user, domain, prefix: name }),
    secrets: { password: server.password },
    ...(await findNobody()),
  });
  return {
    ...places,
    kind: 'smb',
    countsAll: true,
    showsHalves: undefined,
    proxy,
    server,
    wrongSecrets: { password: 'not the password' },
    close: async () => {
      await proxy.close();
      await places.close();
      await server.stop();
    },
  };
}

/** Every kind of destination that has a real server here. */
export const FAULT_KINDS: readonly FaultKind[] = [
  { name: 'folder', isQuick: true, missing: () => undefined, start: startFolder },
  { name: 's3', isQuick: true, missing: () => undefined, start: startQuickS3 },
  { name: 's3 on Ceph', isQuick: false, missing: missingCephServer, start: startCephS3 },
  { name: 'azure_blob', isQuick: true, missing: missingAzureServer, start: startAzure },
  { name: 'smb', isQuick: true, missing: () => smbChannel.missing?.() ?? missingSmbServer(), start: startSmb },
  { name: 'sftp', isQuick: true, missing: missingSftpServer, start: startSftp },
  { name: 'ftp', isQuick: true, missing: missingFtpServer, start: startFtp },
  { name: 'webdav', isQuick: true, missing: missingWebdavServer, start: startWebdav },
];
