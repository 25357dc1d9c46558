import { execFile } from 'node:child_process';
import { chmod, chown, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { findProgram, freePort, missingProgram, runServer, type ServerProcess } from './server-process.ts';

const run = promisify(execFile);

export type SmbTestServer = ServerProcess & {
  readonly user: string;
  readonly password: string;
  readonly domain: string;
  /** The folder of the share `media`, and of `others`, which another user has. */
  readonly root: string;
  /** A share of 128 KiB; undefined where nothing may be mounted. */
  readonly fullShare: string | undefined;
  /** What the server says about its connections. */
  status(): Promise<string>;
};

/** Why it cannot be started here; undefined when it can. */
export function missingSmbServer(): string | undefined {
  const missing = missingProgram(['smbd', 'smbpasswd', 'smbstatus'], 'samba');
  if (missing === undefined && process.getuid?.() !== 0) return 'skipped: smbd has to be started by root';
  return missing;
}

/** Samba with settings and users of its own. Signing is mandatory; encryption is there for nobody, or a must. */
export async function startSmbServer(options: { readonly encryption: 'off' | 'required' }): Promise<SmbTestServer> {
  const folder = await mkdtemp(join(tmpdir(), 'touchline-smb-'));
  // Users of shares have to get through.
  await chmod(folder, 0o755);
  const port = await freePort();
  const [user, password, domain] = ['nobody', 'only of the tests: ü"% ', 'LAB'];
  const root = join(folder, 'share');
  await mkdir(root);
  const id = async (flag: string) => Number((await run('id', [flag, user])).stdout);
  await chown(root, await id('-u'), await id('-g'));
  await mkdir(join(root, 'forbidden'), { mode: 0o555 });
  const full = await mountSmall(join(folder, 'full'));
  const config = join(folder, 'smb.conf');
  await writeFile(config, configOf({ ...options, folder, port, root, full, domain }));
  await mkdir(join(folder, 'private'), { mode: 0o700 });
  for (const name of ['lock', 'state', 'cache', 'run', 'ncalrpc']) await mkdir(join(folder, name), { mode: 0o755 });
  const setting = run(findProgram('smbpasswd') ?? 'smbpasswd', ['-c', config, '-a', '-s', user]);
  setting.child.stdin?.end(`${password}\n${password}\n`);
  await setting;
  const server = await runServer({
    command: findProgram('smbd') ?? 'smbd',
    args: ['--foreground', '--no-process-group', '--debug-stdout', `--configfile=${config}`],
    port,
  });
  return {
    ...server,
    user,
    password,
    domain,
    root,
    fullShare: full === undefined ? undefined : 'full',
    status: async () => (await run('smbstatus', [`--configfile=${config}`, '--processes'])).stdout,
    stop: async () => {
      await server.stop();
      if (full !== undefined) await run('umount', [full]);
      await rm(folder, { recursive: true });
    },
  };
}

async function mountSmall(path: string): Promise<string | undefined> {
  await mkdir(path);
  try {
    await run('mount', ['-t', 'tmpfs', '-o', 'size=128k,mode=777', 'tmpfs', path]);
    return path;
  } catch {
    return undefined;
  }
}

function configOf(options: {
  readonly folder: string;
  readonly port: number;
  readonly root: string;
  readonly full: string | undefined;
  readonly domain: string;
  readonly encryption: string;
}): string {
  const { folder, root, full } = options;
  const share = (name: string, path: string, lines: readonly string[]): readonly string[] => [
    `[${name}]`,
    `path = ${path}`,
    'read only = no',
    ...lines,
  ];
  return [
    '[global]',
    `workgroup = ${options.domain}`,
    'server role = standalone server',
    `smb ports = ${options.port}`,
    'interfaces = lo',
    'bind interfaces only = yes',
    `private dir = ${folder}/private`,
    `lock directory = ${folder}/lock`,
    `state directory = ${folder}/state`,
    `cache directory = ${folder}/cache`,
    `pid directory = ${folder}/run`,
    `ncalrpc dir = ${folder}/ncalrpc`,
    `passdb backend = tdbsam:${folder}/private/passdb.tdb`,
    'log level = 0',
    'disable netbios = yes',
    'disable spoolss = yes',
    'load printers = no',
    'server min protocol = SMB2_10',
    'server signing = mandatory',
    'map to guest = never',
    `server smb encrypt = ${options.encryption}`,
    ...share('media', root, []),
    ...share('others', root, ['valid users = root']),
    ...(full === undefined ? [] : share('full', full, [])),
    '',
  ].join('\n');
}
