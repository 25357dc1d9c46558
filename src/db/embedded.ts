import { type ChildProcess, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chown, lstat, mkdir, open, readdir, readFile, readlink, rename, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { AppError, isProcessAlive, type Logger, messageOf, SECOND_MS } from '../base/index.ts';
import { type EmbeddedBinaries, findServerAccount, locateBinaries, type ServerAccount } from './embedded-binaries.ts';

/**
 * Our own supervisor of an embedded PostgreSQL: adopt the server that runs on the data folder, or start one.
 *
 * - The server is a detached process: after kill -9 of Node it lives on and the next start adopts it in milliseconds.
 *   Racing starters end on one server, because PostgreSQL's own postmaster.pid lock lets only one win.
 * - It listens on a Unix socket inside its 0700 data folder and nowhere else; to reach the socket is to be its owner or root.
 * - As root it runs under another account. Its folder may lie below a folder which that account cannot enter (/root is
 *   0700), so the working directory is entered while still root and the server is told to use `/proc/self/cwd`.
 */
export type EmbeddedPostgres = {
  /** Connection settings for `pg`. */
  readonly connection: {
    readonly host: string;
    readonly port: number;
    readonly user: string;
    readonly database: string;
  };
  readonly adopted: boolean;
  /** Stops the server unless clients other than those named `applicationName` still use it. */
  stop(options: { readonly applicationName: string }): Promise<void>;
};

const PORT = 5432;
const USER = 'touchline';
/** sun_path holds 108 bytes on Linux and 104 on macOS, with the closing zero; `/.s.PGSQL.5432` takes 14 of them. */
const SOCKET_FOLDER_MAX_BYTES = 103 - 14;
const START_LIMIT_MS = 120 * SECOND_MS;
/** Longer than this, a start is not an ordinary one: the server works through its log after a crash. */
const RECOVERY_SHOWS_AFTER_MS = 2 * SECOND_MS;
const STOP_LIMIT_MS = 30 * SECOND_MS;

/** A short path to the socket folder: itself, or a link in the temporary folder when its name is too long. */
async function shortSocketFolder(dataFolder: string): Promise<string> {
  if (Buffer.byteLength(dataFolder) <= SOCKET_FOLDER_MAX_BYTES) return dataFolder;
  const link = join(tmpdir(), `touchline-${createHash('sha256').update(dataFolder).digest('hex').slice(0, 16)}`);
  const present = await lstat(link).catch(() => undefined);
  if (present) {
    const ours =
      present.isSymbolicLink() && present.uid === process.getuid?.() && (await readlink(link)) === dataFolder;
    if (ours) return link;
    await rm(link, { force: true });
  }
  await symlink(dataFolder, link);
  return link;
}

type Probe = 'ready' | 'starting' | 'down';

async function probe(host: string): Promise<Probe> {
  const client = new pg.Client({ host, port: PORT, user: USER, database: 'postgres', connectionTimeoutMillis: 2000 });
  client.on('error', () => {});
  try {
    await client.connect();
    return 'ready';
  } catch (error) {
    // 57P03: the server runs and is recovering after a crash, or is shutting down.
    return error instanceof pg.DatabaseError && error.code === '57P03' ? 'starting' : 'down';
  } finally {
    await client.end().catch(() => {});
  }
}

function runToEnd(options: {
  readonly program: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly account: ServerAccount | undefined;
}): Promise<void> {
  return new Promise((resolveRun, rejectRun) => {
    const child = spawn(options.program, options.args, {
      cwd: options.cwd,
      env: { LC_ALL: 'C', TZ: 'UTC' },
      stdio: ['ignore', 'pipe', 'pipe'],
      ...options.account,
    });
    let output = '';
    const keep = (chunk: Buffer) => {
      output = (output + chunk.toString('utf8')).slice(-4000);
    };
    child.stdout.on('data', keep);
    child.stderr.on('data', keep);
    child.on('error', rejectRun);
    child.on('close', (code) =>
      code === 0 ? resolveRun() : rejectRun(new AppError('unavailable', `initdb ended with ${code}: ${output}`)),
    );
  });
}

/** How the server names its own data folder: through its working directory where its account may not walk the path. */
function ownName(dataFolder: string, account: ServerAccount | undefined): string {
  return account && process.platform === 'linux' ? '/proc/self/cwd' : dataFolder;
}

/**
 * Creates the cluster under a temporary name and renames it: a kill -9 in the middle leaves no half cluster, and of two
 * racing first starts the later rename fails and that one uses the other's cluster.
 */
async function initialize(
  binaries: EmbeddedBinaries,
  options: { readonly dataFolder: string; readonly account: ServerAccount | undefined },
): Promise<void> {
  const { dataFolder, account } = options;
  if (await hasCluster(dataFolder)) return;
  await removeAbandoned(dataFolder);
  const temporary = `${dataFolder}.init-${process.pid}`;
  await mkdir(temporary, { recursive: true, mode: 0o700 });
  if (account) await chown(temporary, account.uid, account.gid);
  const args = [
    '-D',
    ownName(temporary, account),
    '-U',
    USER,
    '-E',
    'UTF8',
    '--auth-local=trust',
    '--auth-host=reject',
  ];
  args.push('--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--no-instructions');
  try {
    await runToEnd({ program: binaries.initdb, args, cwd: temporary, account });
    await rename(temporary, dataFolder);
  } catch (error) {
    await rm(temporary, { recursive: true, force: true });
    if (!(await hasCluster(dataFolder))) throw error;
  }
}

/** Half-made clusters of starts that were killed; those of a start that still runs are left to it. */
async function removeAbandoned(dataFolder: string): Promise<void> {
  const prefix = `${basename(dataFolder)}.init-`;
  const names = await readdir(dirname(dataFolder)).catch(() => []);
  for (const name of names.filter((one) => one.startsWith(prefix))) {
    const owner = Number(name.slice(prefix.length));
    // Our own number on a folder we have not made yet: an earlier process had it, as after a container's restart.
    if (owner === process.pid || !isProcessAlive(owner))
      await rm(join(dirname(dataFolder), name), { recursive: true, force: true });
  }
}

async function hasCluster(dataFolder: string): Promise<boolean> {
  return (await readFile(join(dataFolder, 'PG_VERSION'), 'utf8').catch(() => '')) !== '';
}

/** PostgreSQL believes a leftover lock when its process number lives again as another program (common in containers). */
async function removeForeignLock(dataFolder: string): Promise<void> {
  const lockFile = join(dataFolder, 'postmaster.pid');
  const pid = Number((await readFile(lockFile, 'utf8').catch(() => '')).split('\n')[0]);
  if (!Number.isInteger(pid) || pid <= 0) return;
  const name = await readFile(`/proc/${pid}/comm`, 'utf8').catch(() => undefined);
  if (name !== undefined && name.trim() !== 'postgres') await rm(lockFile, { force: true });
}

async function launch(
  binaries: EmbeddedBinaries,
  options: { readonly dataFolder: string; readonly account: ServerAccount | undefined },
): Promise<ChildProcess> {
  const { dataFolder, account } = options;
  await removeForeignLock(dataFolder);
  const logFile = await open(join(dataFolder, '..', 'postgres.log'), 'a', 0o600);
  const settings = ['listen_addresses=', 'unix_socket_directories=.', `port=${PORT}`, 'max_connections=100'];
  settings.push('logging_collector=off', 'log_min_messages=warning', 'wal_compression=on', 'max_wal_size=512MB');
  const child = spawn(
    binaries.postgres,
    ['-D', ownName(dataFolder, account), ...settings.flatMap((setting) => ['-c', setting])],
    {
      cwd: dataFolder,
      env: { LC_ALL: 'C', TZ: 'UTC' },
      detached: true,
      stdio: ['ignore', logFile.fd, logFile.fd],
      ...account,
    },
  );
  child.on('error', () => {});
  child.unref();
  await logFile.close();
  return child;
}

async function adoptOrStart(
  binaries: EmbeddedBinaries,
  options: {
    readonly dataFolder: string;
    readonly account: ServerAccount | undefined;
    readonly host: string;
    readonly logger: Logger;
  },
): Promise<{ adopted: boolean }> {
  const startedAtMs = Date.now();
  const deadline = startedAtMs + START_LIMIT_MS;
  let child: ChildProcess | undefined;
  let launches = 0;
  let announced = false;
  for (;;) {
    const state = await probe(options.host);
    if (state === 'ready') return { adopted: launches === 0 };
    if (Date.now() > deadline) {
      throw new AppError(
        'unavailable',
        `PostgreSQL did not start within ${START_LIMIT_MS / SECOND_MS} s: see postgres.log`,
      );
    }
    if (state === 'starting' && !announced && Date.now() - startedAtMs > RECOVERY_SHOWS_AFTER_MS) {
      announced = true;
      options.logger.info({ event: 'database.recovering' }, 'database recovering');
    }
    const running = child !== undefined && child.exitCode === null && child.signalCode === null;
    if (state === 'down' && !running) {
      if (launches >= 5) throw new AppError('unavailable', 'PostgreSQL ended at once, five times: see postgres.log');
      if (launches > 0) await delay(200);
      child = await launch(binaries, options);
      launches += 1;
    }
    await delay(10);
  }
}

async function ensureDatabase(host: string, name: string): Promise<void> {
  const client = new pg.Client({ host, port: PORT, user: USER, database: 'postgres' });
  await client.connect();
  try {
    const found = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [name]);
    if (found.rowCount === 0) await client.query(`CREATE DATABASE ${client.escapeIdentifier(name)}`);
  } catch (error) {
    // Two first starts may race for CREATE DATABASE: 42P04 duplicate_database, 23505 on pg_database.
    const code = error instanceof pg.DatabaseError ? error.code : undefined;
    if (code !== '42P04' && code !== '23505') throw error;
  } finally {
    await client.end();
  }
}

/**
 * Adopts or starts the server whose data folder is `<folder>/data`, creating it first when it is empty.
 * @throws AppError `unavailable` when there are no binaries for this platform or the server does not start
 */
export async function openEmbeddedPostgres(options: {
  readonly folder: string;
  readonly database: string;
  readonly logger: Logger;
}): Promise<EmbeddedPostgres> {
  const dataFolder = join(resolve(options.folder), 'data');
  const account = await findServerAccount();
  const host = await shortSocketFolder(dataFolder);
  let adopted = (await hasCluster(dataFolder)) && (await probe(host)) === 'ready';
  if (!adopted) {
    const binaries = await locateBinaries(account);
    await initialize(binaries, { dataFolder, account });
    ({ adopted } = await adoptOrStart(binaries, { dataFolder, account, host, logger: options.logger }));
  }
  await ensureDatabase(host, options.database);
  return {
    connection: { host, port: PORT, user: USER, database: options.database },
    adopted,
    stop: ({ applicationName }) => stopServer({ dataFolder, host, applicationName, logger: options.logger }),
  };
}

async function stopServer(options: {
  readonly dataFolder: string;
  readonly host: string;
  readonly applicationName: string;
  readonly logger: Logger;
}): Promise<void> {
  const client = new pg.Client({
    host: options.host,
    port: PORT,
    user: USER,
    database: 'postgres',
    application_name: options.applicationName,
  });
  client.on('error', () => {});
  try {
    await client.connect();
    const others = await client.query<{ n: number }>(
      `SELECT count(*)::int AS n FROM pg_stat_activity
       WHERE backend_type = 'client backend' AND application_name <> $1`,
      [options.applicationName],
    );
    if ((others.rows[0]?.n ?? 0) > 0) return;
  } catch (error) {
    options.logger.warn({ event: 'database.stop_skipped', reason: messageOf(error) }, 'database stop skipped');
    return;
  } finally {
    await client.end().catch(() => {});
  }
  const lockFile = join(options.dataFolder, 'postmaster.pid');
  const pid = Number((await readFile(lockFile, 'utf8').catch(() => '')).split('\n')[0]);
  if (!Number.isInteger(pid) || pid <= 0) return;
  // SIGINT is PostgreSQL's "fast shutdown": open transactions are aborted, the checkpoint is written.
  process.kill(pid, 'SIGINT');
  const deadline = Date.now() + STOP_LIMIT_MS;
  while (Date.now() < deadline && (await readFile(lockFile, 'utf8').catch(() => '')) !== '') await delay(10);
}
