/**
 * A page of 50 and the exact total from both search engines, on the same library in the same PostgreSQL in the same run;
 * every answer of one is compared with the other's. `node bench/search/run.ts [assets...] [--queries=100]`; the workload
 * is workload.json.
 */
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { isDeepStrictEqual, parseArgs } from 'node:util';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import pg from 'pg';
import { scopeOf } from '../../src/auth/index.ts';
import { createLogger } from '../../src/base/index.ts';
import { type Database, openDatabase } from '../../src/db/index.ts';
import { readVersion } from '../../src/library/index.ts';
import type { EngineRequest, SearchEngine } from '../../src/search/engine.ts';
import { SORT_FIELDS } from '../../src/search/engine.ts';
import { createBitmapEngine, createPostgresEngine } from '../../src/search/index.ts';
import { createServiceFolder } from '../../test/support/process.ts';
import { createRandom } from '../tag-lookup/generator.ts';
import { insertLibrary } from './library.ts';
import { generateRequests, type TagCounts } from './queries.ts';
import workload from './workload.json' with { type: 'json' };

const print = (line: string): void => void process.stdout.write(`${line}\n`);
const LOAD_LIMIT_MS = 10 * 60_000;
const ORGANIZATION_ID = 1;
const scope = scopeOf(ORGANIZATION_ID);

setFlagsFromString('--expose-gc');
// The global `gc` appears only in contexts made after the flag was set.
const collectGarbage = runInNewContext('gc') as () => void;

function memory(): { readonly rss: number; readonly used: number } {
  collectGarbage();
  const { rss, heapUsed, arrayBuffers } = process.memoryUsage();
  return { rss: rss / 2 ** 20, used: heapUsed + arrayBuffers };
}

async function timed<T>(work: () => Promise<T>): Promise<{ readonly ms: number; readonly value: T }> {
  const startedMs = performance.now();
  const value = await work();
  return { ms: performance.now() - startedMs, value };
}

function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}

function cells(times: readonly number[]): string {
  return [0.5, 0.95, 0.99].map((share) => quantile(times, share).toFixed(2).padStart(8)).join(' ');
}

type Engines = { readonly bitmap: SearchEngine; readonly postgres: SearchEngine };

async function measureClass(name: string, engines: Engines, requests: readonly EngineRequest[]): Promise<void> {
  for (const request of requests.slice(0, workload.warm_up_queries)) {
    await engines.postgres.search(scope, request);
    await engines.bitmap.search(scope, request);
  }
  const ours: number[] = [];
  const theirs: number[] = [];
  const totals: number[] = [];
  for (const request of requests) {
    const expected = await timed(() => engines.postgres.search(scope, request));
    const found = await timed(() => engines.bitmap.search(scope, request));
    if (!isDeepStrictEqual(found.value, expected.value)) {
      throw new Error(
        `${name}: the engines differ for ${JSON.stringify(request)}: ${JSON.stringify([found.value, expected.value])}`,
      );
    }
    ours.push(found.ms);
    theirs.push(expected.ms);
    totals.push(expected.value.total);
  }
  const ratio = quantile(theirs, 0.5) / quantile(ours, 0.5);
  print(
    `| ${name.padEnd(13)} | ${String(quantile(totals, 0.5)).padStart(7)} | ${String(requests.length).padStart(3)} | ` +
      `${cells(ours)} | ${cells(theirs)} | ${ratio.toFixed(1).padStart(6)} |`,
  );
}

/** The bitmap engine with its index loaded. Until then it hands searches on, which is how it is set to work here. */
async function loadBitmapEngine(db: Database, postgres: SearchEngine): Promise<SearchEngine> {
  const before = memory();
  const engine = createBitmapEngine({ db, whileLoading: postgres, logger: createLogger({ level: 'warn' }) });
  const { ms } = await timed(async () => {
    const startedMs = performance.now();
    await engine.search(scope, {
      filter: { kind: 'all', filters: [] },
      sort: { field: 'name', descending: false },
      limit: 0,
      offset: 0,
      after: undefined,
    });
    while (engine.stats().length === 0) {
      if (performance.now() - startedMs > LOAD_LIMIT_MS)
        throw new Error('expected the index to load within 10 minutes');
      await delay(5);
    }
  });
  const firsts: string[] = [];
  for (const field of SORT_FIELDS) {
    const request = {
      filter: { kind: 'all' as const, filters: [] },
      sort: { field, descending: true },
      limit: 1,
      offset: 0,
      after: undefined,
    };
    firsts.push(`${field} ${(await timed(() => engine.search(scope, request))).ms.toFixed(0)}`);
  }
  const after = memory();
  const [stats] = engine.stats();
  if (!stats) throw new Error('expected a loaded index, received none');
  const perAsset = (bytes: number) => (bytes / stats.size).toFixed(0);
  print(`index loaded in ${ms.toFixed(0)} ms; first search by each sort, ms: ${firsts.join(', ')}`);
  print(
    `bytes an asset: ${perAsset(stats.bytes)} by its own estimate, ${perAsset(after.used - before.used)} measured; ` +
      `process RSS ${before.rss.toFixed(0)} MiB before, ${after.rss.toFixed(0)} MiB after`,
  );
  return engine;
}

async function measure(
  db: Database,
  options: { readonly counts: TagCounts; readonly assets: number; readonly queries: number },
) {
  const postgres = createPostgresEngine(db);
  const bitmap = await loadBitmapEngine(db, postgres);
  print('| class         | matches |   n | bitmap p50, p95, p99 ms    | PostgreSQL p50, p95, p99 ms |  ratio |');
  print('|---|--:|--:|--:|--:|--:|');
  for (const [at, name] of workload.classes.entries()) {
    const random = createRandom(workload.seed + 100 + at);
    const requests = generateRequests(name, { ...options, random, count: options.queries });
    await measureClass(name, { bitmap, postgres }, requests);
  }
  const versions: number[] = [];
  for (let n = 0; n < options.queries; n += 1) versions.push((await timed(() => readVersion(db, scope))).ms);
  print(`reading the library's version, part of every search of the bitmap engine: ${cells(versions)} ms`);
  print(`process RSS at the end ${memory().rss.toFixed(0)} MiB`);
}

async function measureLibrary(assets: number, queries: number): Promise<void> {
  const folder = await createServiceFolder();
  try {
    const service = await folder.start({ LOG_LEVEL: 'warn' });
    const connection = {
      host: join(folder.dataDir, 'postgres', 'data'),
      port: 5432,
      user: 'touchline',
      database: 'touchline',
    };
    const client = new pg.Client(connection);
    await client.connect();
    const inserted = await timed(() => insertLibrary(client, { organizationId: ORGANIZATION_ID, count: assets }));
    const { rows } = await client.query<{ tags: string; bytes: string }>(
      `SELECT avg(cardinality(tag_ids))::numeric(5, 1) AS tags, pg_total_relation_size('asset') AS bytes FROM asset`,
    );
    await client.end();
    print(
      `\n${assets} assets with ${rows[0]?.tags} tags each, inserted in ${(inserted.ms / 1000).toFixed(0)} s; table and indexes ` +
        `${(Number(rows[0]?.bytes) / 2 ** 20).toFixed(0)} MiB; seed ${workload.seed}, Node ${process.version}`,
    );
    const { db, pool } = openDatabase({
      connection,
      applicationName: 'touchline bench',
      maxConnections: 4,
      logger: createLogger({ level: 'warn' }),
    });
    await measure(db, { counts: inserted.value, assets, queries });
    await pool.end();
    await service.end('SIGTERM');
  } finally {
    await folder.remove();
  }
}

const { values, positionals } = parseArgs({ allowPositionals: true, options: { queries: { type: 'string' } } });
const sizes = positionals.length > 0 ? positionals.map(Number) : workload.sizes;
const queries = Number(values.queries ?? workload.queries_per_class);
for (const number of [...sizes, queries]) {
  if (!Number.isInteger(number) || number < 1) throw new Error(`expected whole numbers above 0, received ${number}`);
}
for (const size of sizes) await measureLibrary(size, queries);
