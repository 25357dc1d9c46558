import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findProgram, freePort, missingProgram, runServer, type ServerProcess } from './server-process.ts';

export type WebdavTestServer = ServerProcess & {
  readonly user: string;
  readonly password: string;
  /** The folder of this machine that it serves. */
  readonly root: string;
};

/** Why it cannot be started here; undefined when it can. */
export const missingWebdavServer = (): string | undefined => missingProgram(['rclone'], 'rclone');

/** The WebDAV server of rclone. */
export async function startWebdavServer(options: { readonly followsDisk?: boolean } = {}): Promise<WebdavTestServer> {
  // It keeps what it knows of a folder for minutes: a test that puts files there by itself must switch that off.
  const cache = options.followsDisk === true ? ['--dir-cache-time', '0s'] : [];
  const folder = await mkdtemp(join(tmpdir(), 'touchline-webdav-'));
  const port = await freePort();
  const [user, password] = ['library', 'only-of-the-tests'];
  const server = await runServer({
    command: findProgram('rclone') ?? 'rclone',
    args: ['serve', 'webdav', folder, '--addr', `127.0.0.1:${port}`, '--user', user, '--pass', password, ...cache],
    port,
    env: { RCLONE_CONFIG: '/dev/null' },
  });
  return {
    ...server,
    root: folder,
    user,
    password,
    stop: async () => {
      await server.stop();
      await rm(folder, { recursive: true });
    },
  };
}
