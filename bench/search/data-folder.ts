/** A data folder with a generated library: made once, reused when it is asked for again. */
import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { createLogger } from '../../src/base/index.ts';
import { type EmbeddedPostgres, migrateToLatest, openDatabase, openEmbeddedPostgres } from '../../src/db/index.ts';
import { insertOrganization } from '../../src/library/index.ts';
import { insertLibrary, type TagCounts } from './library.ts';
import workload from './workload.json' with { type: 'json' };

export const APPLICATION_NAME = 'touchline bench';
const FACTS = 'bench-library.json';

/** What the library in a folder is. */
export type Facts = {
  /** Everything that decides what is generated. */
  readonly workload: string;
  readonly assets: number;
  readonly complete: boolean;
  readonly actions: boolean;
  readonly insertSeconds: number;
  readonly counts: readonly number[];
};

export type LibraryRequest = {
  readonly assets: number;
  readonly complete: boolean;
  /** Whether things happen in the videos. */
  readonly actions: boolean;
};

const logger = createLogger({ level: 'warn' });
// A change of the generator itself must change `generation` in the workload, or kept folders go on being used.
const { generation, seed, tags, video_share, photographers, actions } = workload;
const identity = (request: LibraryRequest): string =>
  JSON.stringify({ generation, seed, tags, video_share, photographers, ...(request.actions && { actions }) });

export function openServer(dataDir: string): Promise<EmbeddedPostgres> {
  return openEmbeddedPostgres({ folder: join(dataDir, 'postgres'), database: 'touchline', logger });
}

async function readFacts(dataDir: string): Promise<Facts | undefined> {
  try {
    return JSON.parse(await readFile(join(dataDir, FACTS), 'utf8')) as Facts;
  } catch {
    return undefined;
  }
}

async function withClient<T>(server: EmbeddedPostgres, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ ...server.connection, application_name: APPLICATION_NAME });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** Writes settings of the server and starts it anew, so that all of them hold. */
async function restartWith(
  dataDir: string,
  server: EmbeddedPostgres,
  settings: Readonly<Record<string, string>>,
): Promise<EmbeddedPostgres> {
  await withClient(server, async (client) => {
    await client.query('ALTER SYSTEM RESET ALL');
    for (const [name, value] of Object.entries(settings)) await client.query(`ALTER SYSTEM SET ${name} = '${value}'`);
  });
  await server.stop({ applicationName: APPLICATION_NAME });
  return openServer(dataDir);
}

/** Generates into a folder; in a process of its own, whose memory is no part of what is measured. */
export async function generateInto(
  dataDir: string,
  request: LibraryRequest,
  print: (line: string) => void,
): Promise<void> {
  await rm(join(dataDir, 'postgres'), { recursive: true, force: true });
  await mkdir(dataDir, { recursive: true });
  const startedMs = performance.now();
  const { db, server, close } = await (async () => {
    const first = await openServer(dataDir);
    const running = await restartWith(dataDir, first, workload.postgres_while_loading);
    const opened = openDatabase({
      connection: running.connection,
      applicationName: APPLICATION_NAME,
      maxConnections: 2,
      logger,
    });
    return { db: opened.db, server: running, close: () => opened.db.destroy() };
  })();
  await migrateToLatest(db);
  await insertOrganization(db, { slug: 'bench', name: 'Bench' });
  await close();
  const counts: TagCounts = await withClient(server, (client) =>
    insertLibrary(client, { count: request.assets, complete: request.complete, actions: request.actions, print }),
  );
  const measured = await restartWith(dataDir, server, workload.postgres);
  await measured.stop({ applicationName: APPLICATION_NAME });
  const facts: Facts = {
    ...request,
    workload: identity(request),
    insertSeconds: (performance.now() - startedMs) / 1000,
    counts: [...counts],
  };
  await writeFile(join(dataDir, `${FACTS}.tmp`), JSON.stringify(facts));
  await rename(join(dataDir, `${FACTS}.tmp`), join(dataDir, FACTS));
}

function runGenerator(dataDir: string, request: LibraryRequest): Promise<void> {
  return new Promise((resolve, reject) => {
    const script = join(import.meta.dirname, 'generate.ts');
    const args = [script, dataDir, String(request.assets), ...(request.complete ? ['--complete'] : [])];
    if (request.actions) args.push('--actions');
    const child = spawn(process.execPath, args, { stdio: 'inherit' });
    child.once('error', reject);
    child.once('exit', (code) => (code === 0 ? resolve() : reject(new Error(`the generator ended with ${code}`))));
  });
}

export type DataFolder = { readonly path: string; readonly facts: Facts; remove(): Promise<void> };

/**
 * The library in `dataDir`, which is kept, or in a temporary folder, which `remove` removes. A folder that holds another
 * library than the one asked for is an error rather than something to overwrite.
 */
export async function openDataFolder(dataDir: string | undefined, request: LibraryRequest): Promise<DataFolder> {
  const path = dataDir ?? (await mkdtemp(join(tmpdir(), 'touchline-bench-')));
  const remove = async () => {
    if (dataDir === undefined) await rm(path, { recursive: true, force: true });
  };
  const present = await readFacts(path);
  if (!present) await runGenerator(path, request);
  const facts = present ?? (await readFacts(path));
  if (!facts) throw new Error(`expected a library in ${path}, received none`);
  const fits =
    facts.workload === identity(request) && facts.assets === request.assets && (facts.complete || !request.complete);
  if (!fits) throw new Error(`${path} holds another library (${facts.assets} assets): give another --data-dir`);
  return { path, facts, remove };
}
