import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { chmod, chown, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { findProgram, missingProgram, runServer, type ServerProcess } from './server-process.ts';

const run = promisify(execFile);

/** Not the address of the proxies, which listen on the ports of its data connections. */
const ADDRESS = '127.0.0.2';
const DATA_PORTS = 24;

export type FtpTestServer = ServerProcess & {
  readonly host: string;
  /** Those of data connections. */
  readonly dataPorts: readonly number[];
  readonly user: string;
  readonly password: string;
  /** In PEM: what signed the certificate of the server, which is for 127.0.0.1. */
  readonly ca: string;
  /** A folder of the user, and one that is not the user's. */
  readonly root: string;
  readonly forbidden: string;
};

/** Why it cannot be started here; undefined when it can. */
export const missingFtpServer = (): string | undefined =>
  process.platform === 'linux'
    ? missingProgram(['proftpd', 'openssl'], 'proftpd-core proftpd-mod-crypto openssl')
    : `skipped: ${process.platform} has no second loopback address`;

/**
 * ProFTPD with a certificate of its own, which asks for TLS on all connections and for its session on those of data. `lines` are added
 * to its settings, and come last.
 */
export async function startFtpServer(
  options: {
    readonly security?: 'explicit' | 'implicit' | 'none';
    readonly lines?: readonly string[];
    /**
     * The system chooses the ports of data connections, which a proxy cannot know. Of a few, two transfers that begin at the same moment
     * may take the same one: both bind it, and the second to listen there ends with 425, some times in 10,000 files.
     */
    readonly hasAnyDataPort?: boolean;
  } = {},
): Promise<FtpTestServer> {
  const folder = await mkdtemp(join(tmpdir(), 'touchline-ftp-'));
  await chmod(folder, 0o755);
  const [root, forbidden] = [join(folder, 'root'), join(folder, 'forbidden')];
  await mkdir(root);
  await mkdir(forbidden, { mode: 0o555 });
  const { uid, gid } = await findUser();
  if (process.getuid?.() === 0) await chown(root, uid, gid);
  const [user, password] = ['library', 'only of the tests: ü'];
  const { stdout } = await run('openssl', ['passwd', '-6', password]);
  await writeFile(join(folder, 'users'), `${user}:${stdout.trim()}:${uid}:${gid}::${folder}:/bin/false\n`, {
    mode: 0o600,
  });
  await writeFile(join(folder, 'groups'), `library:x:${gid}:\n`, { mode: 0o600 });
  const ca = await makeCertificates(folder);
  const [port = 0, ...dataPorts] = await freePorts(options.hasAnyDataPort === true ? 1 : DATA_PORTS + 1);
  const lines = [
    ...settings({ folder, port, dataPorts, security: options.security ?? 'explicit' }),
    ...(options.lines ?? []),
  ];
  await writeFile(join(folder, 'config'), `${lines.join('\n')}\n`);
  const server = await runServer({
    command: findProgram('proftpd') ?? 'proftpd',
    args: ['--nodaemon', '--config', join(folder, 'config')],
    host: ADDRESS,
    port,
  });
  return {
    ...server,
    host: ADDRESS,
    dataPorts,
    user,
    password,
    ca,
    root,
    forbidden,
    stop: async () => {
      await server.stop();
      await rm(folder, { recursive: true });
    },
  };
}

function settings(server: {
  readonly folder: string;
  readonly port: number;
  readonly dataPorts: readonly number[];
  readonly security: 'explicit' | 'implicit' | 'none';
}): string[] {
  const { folder, port, dataPorts, security } = server;
  const at = (name: string): string => join(folder, name);
  const tls = [
    'LoadModule mod_tls.c',
    'TLSEngine on',
    'TLSRequired on',
    `TLSRSACertificateFile ${at('server.pem')}`,
    `TLSRSACertificateKeyFile ${at('server.key')}`,
    ...(security === 'implicit' ? ['TLSOptions UseImplicitSSL'] : []),
  ];
  return [
    'ServerType standalone',
    `DefaultAddress ${ADDRESS}`,
    'SocketBindTight on',
    `Port ${port}`,
    ...(dataPorts.length === 0 ? [] : [`PassivePorts ${dataPorts[0]} ${dataPorts.at(-1)}`]),
    'UseIPv6 off',
    'UseReverseDNS off',
    'WtmpLog off',
    'TransferLog none',
    `SystemLog ${at('log')}`,
    `PidFile ${at('pid')}`,
    `ScoreboardFile ${at('scoreboard')}`,
    'DelayTable none',
    'User nobody',
    'Group nogroup',
    `AuthUserFile ${at('users')}`,
    `AuthGroupFile ${at('groups')}`,
    'AuthOrder mod_auth_file.c',
    'AuthPAM off',
    'RequireValidShell off',
    'AllowOverwrite on',
    'AllowStoreRestart on',
    'LoadModule mod_digest.c',
    ...(security === 'none' ? [] : tls),
  ];
}

/** Who the files belong to: as root, `nobody`. */
async function findUser(): Promise<{ readonly uid: number; readonly gid: number }> {
  const own = { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 };
  if (own.uid !== 0) return own;
  const id = async (flag: string): Promise<number> => Number((await run('id', [flag, 'nobody'])).stdout);
  return { uid: await id('-u'), gid: await id('-g') };
}

/** Makes an authority and the certificate of the server, and answers that of the authority. */
async function makeCertificates(folder: string): Promise<string> {
  const at = (name: string): string => join(folder, name);
  const key = (name: string): string[] => [
    '-newkey',
    'ec',
    '-pkeyopt',
    'ec_paramgen_curve:P-256',
    '-nodes',
    '-keyout',
    at(name),
  ];
  await run('openssl', ['req', '-x509', ...key('ca.key'), '-out', at('ca.pem'), '-days', '2', '-subj', '/CN=Tests']);
  const request = ['req', '-x509', ...key('server.key'), '-out', at('server.pem'), '-days', '2', '-subj', '/CN=FTP'];
  const signed = ['-CA', at('ca.pem'), '-CAkey', at('ca.key'), '-addext', 'subjectAltName=IP:127.0.0.1'];
  await run('openssl', [...request, ...signed, '-addext', 'basicConstraints=critical,CA:FALSE']);
  return readFile(at('ca.pem'), 'utf8');
}

/** Ports in a row that nobody listens on, at either address. */
async function freePorts(count: number): Promise<number[]> {
  for (let tries = 0; tries < 100; tries += 1) {
    const first = 20_000 + Math.floor(Math.random() * 10_000);
    const ports = Array.from({ length: count }, (_, at) => first + at);
    const free = await Promise.all(ports.flatMap((port) => [isFree(port, '127.0.0.1'), isFree(port, ADDRESS)]));
    if (free.every(Boolean)) return ports;
  }
  throw new Error(`expected ${count} free ports in a row, found none`);
}

async function isFree(port: number, host: string): Promise<boolean> {
  const server = createServer();
  try {
    await once(server.listen(port, host), 'listening');
    return true;
  } catch {
    return false;
  } finally {
    server.close();
  }
}
