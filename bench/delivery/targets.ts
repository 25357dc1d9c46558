import { execFile } from 'node:child_process';
import { chmod, mkdtemp, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import {
  AccountSASPermissions,
  AccountSASResourceTypes,
  AccountSASServices,
  BlobServiceClient,
  generateAccountSASQueryParameters,
  StorageSharedKeyCredential,
} from '@azure/storage-blob';
import { DAY_MS } from '../../src/base/index.ts';
import { smbChannel } from '../../src/delivery/channels/smb/smb-channel.ts';
import { missingAzureServer, startAzureServer } from '../../test/support/servers/azure-server.ts';
import { missingCephServer, startCephServer } from '../../test/support/servers/ceph-server.ts';
import { missingFtpServer, startFtpServer } from '../../test/support/servers/ftp-server.ts';
import { startS3Process } from '../../test/support/servers/s3-server.ts';
import { missingProgram } from '../../test/support/servers/server-process.ts';
import { missingSmbServer, startSmbServer } from '../../test/support/servers/smb-server.ts';
import { missingSftpServer, startSftpServer } from '../../test/support/servers/sftp-server.ts';
import { missingWebdavServer, startWebdavServer } from '../../test/support/servers/webdav-server.ts';

type Fields = Readonly<Record<string, unknown>>;

/** A command that copies a folder of files to a place at the target, as a peer does it. */
export type PeerCommand = {
  readonly command: string;
  readonly args: readonly string[];
  readonly input?: string;
};

export type BenchTarget = {
  readonly config: Fields;
  readonly secrets: Fields;
  /** The same place as a remote of rclone, by its environment. */
  readonly rclone: { readonly env: Readonly<Record<string, string>>; readonly root: string };
  /** What rclone is given beyond its defaults to be quick, and how it checks. */
  readonly tuned: readonly string[];
  /** What rclone compares after a copy. */
  readonly rcloneChecks: 'checksum' | 'size';
  /** What rclone leaves out that we do, as a command after it: without it the two are not alike. */
  readonly rest?: 'check' | 'sync';
  readonly peer?: { readonly name: string; command(folder: string, place: string): PeerCommand };
  /** Takes the bytes of a file away and leaves its name, where that can be done. */
  empty?(path: string): Promise<void>;
  stop(): Promise<void>;
};

export type BenchKind = { readonly kind: string; missing(): string | undefined; start(): Promise<BenchTarget> };

const run = promisify(execFile);

async function folderTarget(): Promise<BenchTarget> {
  const path = await mkdtemp(join(tmpdir(), 'touchline-bench-target-'));
  return {
    config: { path },
    secrets: {},
    rclone: { env: {}, root: path },
    tuned: [],
    rcloneChecks: 'checksum',
    rest: 'sync',
    peer: {
      name: 'cp, then sync',
      command: (folder, place) => ({
        command: 'sh',
        args: ['-c', 'cp -r "$1" "$2" && find "$2" -type f -exec sync {} +', 'sh', folder, join(path, place)],
      }),
    },
    empty: (file) => truncate(join(path, file)),
    stop: () => rm(path, { recursive: true, force: true }),
  };
}

async function s3Target(): Promise<BenchTarget> {
  const { port, bucket, stop } = await startS3Process({ checkSignatures: false });
  return s3Remote({ port, bucket, id: 'S3RVER', secret: 'S3RVER', stop });
}

async function cephTarget(): Promise<BenchTarget> {
  const { port, owner, makeBucket, stop } = await startCephServer();
  await makeBucket('library');
  return s3Remote({ port, bucket: 'library', id: owner.accessKeyId, secret: owner.secretAccessKey, stop });
}

function s3Remote(server: {
  readonly port: number;
  readonly bucket: string;
  readonly id: string;
  readonly secret: string;
  stop(): Promise<void>;
}): BenchTarget {
  const endpoint = `http://127.0.0.1:${server.port}`;
  return {
    config: { bucket: server.bucket, endpoint },
    secrets: { access_key_id: server.id, secret_access_key: server.secret },
    rclone: {
      env: {
        RCLONE_CONFIG_TARGET_TYPE: 's3',
        RCLONE_CONFIG_TARGET_PROVIDER: 'Other',
        RCLONE_CONFIG_TARGET_ENDPOINT: endpoint,
        RCLONE_CONFIG_TARGET_ACCESS_KEY_ID: server.id,
        RCLONE_CONFIG_TARGET_SECRET_ACCESS_KEY: server.secret,
        RCLONE_CONFIG_TARGET_NO_CHECK_BUCKET: 'true',
      },
      root: `target:${server.bucket}`,
    },
    tuned: ['--s3-chunk-size=8M', '--s3-upload-concurrency=4'],
    rcloneChecks: 'checksum',
    stop: server.stop,
  };
}

async function azureTarget(): Promise<BenchTarget> {
  const { endpoint, account, accountKey, stop } = await startAzureServer();
  const credential = new StorageSharedKeyCredential(account, accountKey);
  await new BlobServiceClient(endpoint, credential).createContainer('library');
  // This rclone takes another endpoint than Azure's only as a signed address.
  const signature = generateAccountSASQueryParameters(
    {
      expiresOn: new Date(Date.now() + DAY_MS),
      permissions: AccountSASPermissions.parse('rwdlac'),
      resourceTypes: AccountSASResourceTypes.parse('sco').toString(),
      services: AccountSASServices.parse('b').toString(),
    },
    credential,
  );
  return {
    config: { account, container: 'library', endpoint },
    secrets: { account_key: accountKey },
    rclone: {
      env: {
        RCLONE_CONFIG_TARGET_TYPE: 'azureblob',
        RCLONE_CONFIG_TARGET_SAS_URL: `${endpoint}?${signature.toString()}`,
      },
      root: 'target:library',
    },
    tuned: ['--azureblob-chunk-size=8M'],
    rcloneChecks: 'checksum',
    stop,
  };
}

async function sftpTarget(): Promise<BenchTarget> {
  const server = await startSftpServer();
  const folder = await mkdtemp(join(tmpdir(), 'touchline-bench-key-'));
  const keyFile = join(folder, 'key');
  await writeFile(keyFile, server.privateKey, { mode: 0o600 });
  await chmod(keyFile, 0o600);
  const { user, root, port } = server;
  const ssh = ['-i', keyFile, '-P', String(port), '-oStrictHostKeyChecking=no', '-oUserKnownHostsFile=/dev/null'];
  return {
    config: { host: '127.0.0.1', port, user, host_key: server.hostKey, prefix: root },
    secrets: { private_key: server.privateKey },
    rclone: {
      env: {
        RCLONE_CONFIG_TARGET_TYPE: 'sftp',
        RCLONE_CONFIG_TARGET_HOST: '127.0.0.1',
        RCLONE_CONFIG_TARGET_PORT: String(port),
        RCLONE_CONFIG_TARGET_USER: user,
        RCLONE_CONFIG_TARGET_KEY_FILE: keyFile,
        RCLONE_CONFIG_TARGET_SHELL_TYPE: 'none',
      },
      root: `target:${root}`,
    },
    tuned: [],
    rcloneChecks: 'size',
    rest: 'check',
    peer: {
      name: 'sftp',
      command: (from, place) => ({
        command: 'sftp',
        args: ['-q', '-R', '128', ...ssh, '-b', '-', `${user}@127.0.0.1`],
        input: `put -r ${from} ${root}/${place}\n`,
      }),
    },
    stop: async () => {
      await server.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function webdavTarget(): Promise<BenchTarget> {
  const { port, user, password, stop } = await startWebdavServer();
  const url = `http://127.0.0.1:${port}/`;
  return {
    config: { url, user },
    secrets: { password },
    rclone: {
      env: {
        RCLONE_CONFIG_TARGET_TYPE: 'webdav',
        RCLONE_CONFIG_TARGET_URL: url,
        RCLONE_CONFIG_TARGET_VENDOR: 'other',
        RCLONE_CONFIG_TARGET_USER: user,
        RCLONE_CONFIG_TARGET_PASS: await obscured(password),
      },
      root: 'target:',
    },
    tuned: [],
    rcloneChecks: 'size',
    rest: 'check',
    stop,
  };
}

const obscured = async (password: string): Promise<string> =>
  (await run('rclone', ['obscure', password])).stdout.trim();

async function ftpTarget(): Promise<BenchTarget> {
  // rclone does not always bring the session of the first connection to those of data.
  const server = await startFtpServer({ lines: ['TLSOptions NoSessionReuseRequired'], hasAnyDataPort: true });
  const { host, port, user, password, ca, root, stop } = server;
  return {
    // Its certificate is for the address of the tests' proxy.
    config: { host, port, user, security: 'explicit', ca, insecure: true, prefix: root },
    secrets: { password },
    rclone: {
      env: {
        RCLONE_CONFIG_TARGET_TYPE: 'ftp',
        RCLONE_CONFIG_TARGET_HOST: host,
        RCLONE_CONFIG_TARGET_PORT: String(port),
        RCLONE_CONFIG_TARGET_USER: user,
        RCLONE_CONFIG_TARGET_PASS: await obscured(password),
        RCLONE_CONFIG_TARGET_EXPLICIT_TLS: 'true',
        RCLONE_CONFIG_TARGET_NO_CHECK_CERTIFICATE: 'true',
      },
      root: `target:${root}`,
    },
    tuned: [],
    rcloneChecks: 'size',
    rest: 'check',
    stop,
  };
}

const smbTarget = (encryption: 'off' | 'required') => async (): Promise<BenchTarget> => {
  const { port, user, password, domain, root, stop } = await startSmbServer({ encryption });
  const logins = await mkdtemp(join(tmpdir(), 'touchline-bench-login-'));
  const login = join(logins, 'login');
  await writeFile(login, `username = ${user}\npassword = ${password}\ndomain = ${domain}\n`, { mode: 0o600 });
  return {
    config: { host: '127.0.0.1', port, share: 'media', user, domain },
    secrets: { password },
    rclone: {
      env: {
        RCLONE_CONFIG_TARGET_TYPE: 'smb',
        RCLONE_CONFIG_TARGET_HOST: '127.0.0.1',
        RCLONE_CONFIG_TARGET_PORT: String(port),
        RCLONE_CONFIG_TARGET_USER: user,
        RCLONE_CONFIG_TARGET_PASS: await obscured(password),
        RCLONE_CONFIG_TARGET_DOMAIN: domain,
      },
      root: 'target:media',
    },
    tuned: [],
    rcloneChecks: 'size',
    rest: 'check',
    peer: {
      name: 'smbclient',
      command: (from, place) => ({
        command: 'sh',
        // Folders are made from behind: `mput` makes none above its own.
        args: [
          '-c',
          'mkdir -p "$1" && chmod 777 "$1" && cd "$2" && smbclient //127.0.0.1/media -p "$3" -A "$4" -m SMB3 -c "prompt off; recurse on; cd $5; mput *"',
          'sh',
          join(root, place),
          from,
          String(port),
          login,
          place,
        ],
      }),
    },
    stop: async () => {
      await stop();
      await rm(logins, { recursive: true, force: true });
    },
  };
};

const always = (): undefined => undefined;
const missingSmb = (): string | undefined => smbChannel.missing?.() ?? missingSmbServer();

/** The real servers of the tests. Their data lies where TMPDIR says, that of Ceph in memory. */
export const BENCH_KINDS: ReadonlyMap<string, BenchKind> = new Map<string, BenchKind>([
  ['folder', { kind: 'folder', missing: always, start: folderTarget }],
  ['s3-ceph', { kind: 's3', missing: missingCephServer, start: cephTarget }],
  ['s3-quick', { kind: 's3', missing: always, start: s3Target }],
  ['azure_blob', { kind: 'azure_blob', missing: missingAzureServer, start: azureTarget }],
  ['smb-signed', { kind: 'smb', missing: missingSmb, start: smbTarget('off') }],
  ['smb-encrypted', { kind: 'smb', missing: missingSmb, start: smbTarget('required') }],
  ['sftp', { kind: 'sftp', missing: missingSftpServer, start: sftpTarget }],
  ['ftp', { kind: 'ftp', missing: missingFtpServer, start: ftpTarget }],
  ['webdav', { kind: 'webdav', missing: missingWebdavServer, start: webdavTarget }],
]);

export const missingPeer = (): string | undefined => missingProgram(['rclone'], 'rclone');
