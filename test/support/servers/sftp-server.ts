import { execFile } from 'node:child_process';
import { chmod, chown, copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { findProgram, freePort, missingProgram, runServer, type ServerProcess } from './server-process.ts';

const run = promisify(execFile);

export type SftpTestServer = ServerProcess & {
  readonly user: string;
  readonly privateKey: string;
  readonly wrongKey: string;
  readonly hostKey: string;
  /** A folder of the user, and one that is not the user's. */
  readonly root: string;
  readonly forbidden: string;
};

/** Why it cannot be started here; undefined when it can. */
export const missingSftpServer = (): string | undefined => missingProgram(['sshd', 'ssh-keygen'], 'openssh-server');

/** OpenSSH's sshd with keys of its own, for nothing but SFTP. As root, its user is `nobody`. */
export async function startSftpServer(): Promise<SftpTestServer> {
  const folder = await mkdtemp(join(tmpdir(), 'touchline-sftp-'));
  await chmod(folder, 0o755);
  const isRoot = process.getuid?.() === 0;
  const user = isRoot ? 'nobody' : userInfo().username;
  for (const name of ['host', 'user', 'wrong']) {
    await run('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', join(folder, name)]);
  }
  await copyFile(join(folder, 'user.pub'), join(folder, 'authorized'));
  const [root, forbidden] = [join(folder, 'root'), join(folder, 'forbidden')];
  await mkdir(root);
  await mkdir(forbidden, { mode: 0o555 });
  if (isRoot) {
    const id = async (flag: string) => Number((await run('id', [flag, user])).stdout);
    await chown(root, await id('-u'), await id('-g'));
    // Where sshd's unprivileged half lives; the service unit makes it.
    await mkdir('/run/sshd', { recursive: true, mode: 0o755 });
  }
  const port = await freePort();
  const lines = [
    `Port ${port}`,
    'ListenAddress 127.0.0.1',
    `HostKey ${join(folder, 'host')}`,
    `AuthorizedKeysFile ${join(folder, 'authorized')}`,
    'PidFile none',
    'StrictModes no',
    'UsePAM no',
    'PasswordAuthentication no',
    'KbdInteractiveAuthentication no',
    'MaxStartups 100',
    'Subsystem sftp internal-sftp',
    'ForceCommand internal-sftp',
  ];
  await writeFile(join(folder, 'config'), `${lines.join('\n')}\n`);
  const command = findProgram('sshd') ?? 'sshd';
  const server = await runServer({ command, args: ['-D', '-e', '-f', join(folder, 'config')], port });
  const print = await run('ssh-keygen', ['-lf', join(folder, 'host.pub')]);
  return {
    ...server,
    user,
    root,
    forbidden,
    privateKey: await readFile(join(folder, 'user'), 'utf8'),
    wrongKey: await readFile(join(folder, 'wrong'), 'utf8'),
    hostKey: print.stdout.split(' ')[1] ?? '',
    stop: async () => {
      await server.stop();
      await rm(folder, { recursive: true });
    },
  };
}
