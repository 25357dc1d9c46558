/** The bitmap engine, loaded, with what loading took. */
import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { LibraryScope } from '../../src/auth/index.ts';
import { createLogger } from '../../src/base/index.ts';
import type { ConnectionSettings, Database } from '../../src/db/index.ts';
import { type EngineRequest, type SearchEngine, SORT_FIELDS } from '../../src/search/engine.ts';
import { createBitmapEngine, createFreshness, createSnapshots } from '../../src/search/index.ts';
import type { TagWords } from '../../src/search/text/tag-words.ts';
import { mib, timed } from './statistics.ts';

type BitmapEngine = ReturnType<typeof createBitmapEngine>;

const LOAD_LIMIT_MS = 20 * 60_000;

setFlagsFromString('--expose-gc');
// The global `gc` appears only in contexts made after the flag was set.
const collectGarbage = runInNewContext('gc') as () => void;

export function memory(): { readonly rss: number; readonly used: number } {
  collectGarbage();
  const { rss, heapUsed, arrayBuffers } = process.memoryUsage();
  return { rss, used: heapUsed + arrayBuffers };
}

export type LoadOptions = {
  readonly db: Database;
  readonly connection: ConnectionSettings;
  readonly applicationName: string;
  readonly scope: LibraryScope;
  readonly postgres: SearchEngine;
  readonly tagWords: TagWords;
  /** Where snapshots are written. */
  readonly folder: string;
};

type Loaded = { readonly engine: BitmapEngine; readonly ms: number; close(): Promise<void> };

/** An engine, from its making until its index is loaded; until then it hands searches on. */
async function load(options: LoadOptions, request: EngineRequest): Promise<Loaded> {
  const { db, connection, applicationName, scope, postgres, folder } = options;
  const logger = createLogger({ level: 'warn' });
  const startedMs = performance.now();
  const freshness = createFreshness({ db, logger });
  const snapshots = createSnapshots({ folder, logger });
  const engine = createBitmapEngine({
    db,
    connection,
    applicationName,
    freshness,
    whileLoading: postgres,
    snapshots,
    maxBytes: Number.MAX_SAFE_INTEGER,
    logger,
  });
  let failed: unknown;
  engine.search(scope, request).catch((error: unknown) => {
    failed = error;
  });
  while (engine.stats().length === 0) {
    if (failed !== undefined) throw failed;
    if (performance.now() - startedMs > LOAD_LIMIT_MS) throw new Error('expected an index within 20 minutes');
    await delay(5);
  }
  const ms = performance.now() - startedMs;
  const close = async () => {
    await engine.close();
    await freshness.close();
  };
  return { engine, ms, close };
}

/** The list of a snapshot's files is written last, under this name. */
async function hasSnapshot(folder: string): Promise<boolean> {
  const names = await readdir(folder, { recursive: true }).catch(() => []);
  return names.some((name) => name.endsWith('snapshot.json'));
}

async function bytesIn(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  const sizes = await Promise.all(files.map(async (file) => (await stat(join(file.parentPath, file.name))).size));
  return sizes.reduce((sum, size) => sum + size, 0);
}

/**
 * Builds the index from PostgreSQL, writes its snapshot, and opens a second engine from that snapshot, which is the one to
 * measure. Prints what each step took.
 */
export async function openBitmapEngine(
  options: LoadOptions,
  print: (line: string) => void,
): Promise<Omit<Loaded, 'ms'>> {
  const request: EngineRequest = {
    filter: { kind: 'all', filters: [] },
    sort: { field: 'created_at', descending: true },
    limit: 1,
    offset: 0,
    after: undefined,
    facets: [],
    tagWords: options.tagWords,
  };
  await rm(options.folder, { recursive: true, force: true });
  const before = memory();
  const built = await load(options, request);
  const after = memory();
  const peak = process.resourceUsage().maxRSS * 1024;
  const [stats] = built.engine.stats();
  if (!stats) throw new Error('expected a loaded index, received none');
  const { size, actions, bytes, textBytes, segments } = stats;
  const perAsset = (total: number) => (total / size).toFixed(1);
  print(
    `index of ${size} assets with ${actions} actions in ${segments} segments built from PostgreSQL in ${(built.ms / 1000).toFixed(1)} s: ${perAsset(bytes)} bytes an asset, ` +
      `${perAsset(bytes - textBytes)} without text, by its own count; ${perAsset(after.used - before.used)} as growth of heap ` +
      `and buffers; process RSS ${mib(before.rss)} before, ${mib(after.rss)} after, ${mib(peak)} at most`,
  );
  const written = await timed(async () => {
    while (!(await hasSnapshot(options.folder))) await delay(5);
  });
  await built.close();
  print(`snapshot written in ${(written.ms / 1000).toFixed(1)} s, ${mib(await bytesIn(options.folder))}`);
  const opened = await load(options, request);
  const firsts: string[] = [];
  for (const field of SORT_FIELDS) {
    if (field === 'action.start_ms') continue;
    const sorted = { ...request, sort: { field, descending: true } };
    firsts.push(`${field} ${(await timed(() => opened.engine.search(options.scope, sorted))).ms.toFixed(1)}`);
  }
  print(
    `loaded from the snapshot in ${(opened.ms / 1000).toFixed(2)} s; first search by each sort, ms: ${firsts.join(', ')}`,
  );
  return opened;
}
