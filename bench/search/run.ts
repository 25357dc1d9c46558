/**
 * Searches by kind of query on the bitmap engine, PostgreSQL and Lucene: the same library, the same requests, the same run,
 * every answer compared. `node bench/search/run.ts [assets...] [options]`; the workload is workload.json.
 *
 *   --queries=100            of each class
 *   --classes=rare_tag,only  only these
 *   --actions                things happen in the videos, and the classes are those of action-queries.ts
 *   --postgres-seconds=20    of each class; the queries it has no time for are answered by the others alone
 *   --postgres-queries=3     of each class at least, however long they take
 *   --data-dir=<folder>      keeps the library (one size) and the Lucene index there, and uses them again
 *   --lucene-jars=<folder>   default /usr/share/java
 *   --no-bitmap --no-postgres --no-lucene
 *   --json=<file>            every time measured
 */
import { writeFile } from 'node:fs/promises';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { type LibraryScope, scopeOf } from '../../src/auth/index.ts';
import { createLogger } from '../../src/base/index.ts';
import { openDatabase } from '../../src/db/index.ts';
import { createPostgresEngine } from '../../src/search/index.ts';
import { createRandom } from '../tag-lookup/generator.ts';
import { generateActionTypes } from './action-generator.ts';
import { ACTION_CLASSES, generateActionRequests } from './action-queries.ts';
import { memory, openBitmapEngine } from './bitmap.ts';
import { APPLICATION_NAME, type DataFolder, openDataFolder, openServer } from './data-folder.ts';
import { generateTags } from './generator.ts';
import { ORGANIZATION_ID } from './library.ts';
import { HOW_TO_INSTALL, type Lucene, openLucene } from './lucene.ts';
import { type AnyRequest, type ClassResult, type Engines, measureClass, warmUp } from './measure.ts';
import { generateRequests, hottestTags } from './queries.ts';
import { HEAD, row, summary } from './report.ts';
import { mib, timed } from './statistics.ts';
import { createTagWords } from './tag-words.ts';
import workload from './workload.json' with { type: 'json' };

const print = (line: string): void => void process.stdout.write(`${line}\n`);
const scope: LibraryScope = scopeOf(ORGANIZATION_ID);

const { values, positionals } = parseArgs({
  allowPositionals: true,
  allowNegative: true,
  options: {
    queries: { type: 'string', default: String(workload.queries_per_class) },
    classes: { type: 'string' },
    actions: { type: 'boolean', default: false },
    'postgres-seconds': { type: 'string', default: '20' },
    'postgres-queries': { type: 'string', default: '3' },
    'data-dir': { type: 'string' },
    'lucene-jars': { type: 'string', default: '/usr/share/java' },
    json: { type: 'string' },
    bitmap: { type: 'boolean', default: true },
    postgres: { type: 'boolean', default: true },
    lucene: { type: 'boolean', default: true },
  },
});
const sizes = positionals.length > 0 ? positionals.map(Number) : workload.sizes;
const queries = Number(values.queries);
const postgresQueries = Number(values['postgres-queries']);
const postgresBudgetMs = Number(values['postgres-seconds']) * 1000;
for (const number of [...sizes, queries, postgresQueries]) {
  if (!Number.isInteger(number) || number < 1) throw new Error(`expected whole numbers above 0, received ${number}`);
}
if (values['data-dir'] !== undefined && sizes.length > 1) throw new Error('expected one size with --data-dir');
const { actions } = values;
const classes = values.classes?.split(',') ?? (actions ? ACTION_CLASSES : workload.classes);

const tagWords = createTagWords([...generateTags(), ...(actions ? generateActionTypes() : [])]);

type Requests = ReadonlyMap<string, readonly AnyRequest[]>;

function requestsBySeed(seed: number, folder: DataFolder, count: number): Requests {
  const options = { counts: Uint32Array.from(folder.facts.counts), assets: folder.facts.assets, tagWords, count };
  const hot = hottestTags(options.counts, workload.hottest_tags);
  return new Map(
    classes.map((name) => {
      const ofActions = ACTION_CLASSES.indexOf(name);
      const random = createRandom(
        workload.seed + seed + (ofActions < 0 ? workload.classes.indexOf(name) : 1000 + ofActions),
      );
      if (ofActions >= 0) return [name, generateActionRequests(name, { hot, tagWords, random, count })];
      return [name, generateRequests(name, { ...options, random })];
    }),
  );
}

async function describe(pool: pg.Pool, folder: DataFolder): Promise<void> {
  const { rows } = await pool.query<{ tags: string; words: string; bytes: string; version: string }>(
    `SELECT (SELECT avg(cardinality(tag_ids))::numeric(5, 1) FROM asset TABLESAMPLE SYSTEM (5)) AS tags,
       (SELECT avg(length(search_text))::numeric(5, 1) FROM asset TABLESAMPLE SYSTEM (5)) AS words,
       pg_total_relation_size('asset') AS bytes, current_setting('server_version') AS version`,
  );
  const one = rows[0];
  const settings = Object.entries(workload.postgres).map(([name, value]) => `${name} ${value}`);
  print(
    `\n${folder.facts.assets} assets, ${one?.tags} tags and ${one?.words} different words each, seed ${workload.seed}; ` +
      `generated in ${folder.facts.insertSeconds.toFixed(0)} s\nNode ${process.version}; PostgreSQL ${one?.version} with ` +
      `${settings.join(', ')}; table and indexes of assets ${mib(Number(one?.bytes))}`,
  );
}

async function startLucene(folder: DataFolder): Promise<Lucene | undefined> {
  if (!values.lucene) return undefined;
  const options = { folder: folder.path, assets: folder.facts.assets, jarFolder: values['lucene-jars'] };
  const lucene = await openLucene(options);
  if (!lucene) {
    print(HOW_TO_INSTALL);
    return undefined;
  }
  const { build } = lucene;
  print(
    `Lucene ${lucene.version}: index built in ${(build.buildMs / 1000).toFixed(1)} s ` +
      `(${(build.mergeMs / 1000).toFixed(1)} s of it merging into one segment), ${mib(build.bytes)} on disk, ` +
      `${(build.bytes / build.documents).toFixed(0)} bytes an asset`,
  );
  return lucene;
}

async function measureAll(engines: Engines, folder: DataFolder): Promise<readonly ClassResult[]> {
  const requests = requestsBySeed(100, folder, queries);
  // Others than those measured, so that no cache has an answer ready.
  const others = requestsBySeed(5100, folder, workload.warm_up_queries);
  const { ms } = await timed(() => warmUp(engines, others));
  print(`warmed up with ${workload.warm_up_queries_in_all} queries in ${(ms / 1000).toFixed(1)} s`);
  print(`load of the machine in the last minute: ${(loadavg()[0] ?? 0).toFixed(1)}`);
  print(`\n${HEAD}`);
  const results: ClassResult[] = [];
  for (const name of classes) {
    const result = await measureClass(name, engines, {
      requests: requests.get(name) ?? [],
      warmUp: others.get(name) ?? [],
      postgresQueries,
      postgresBudgetMs,
    });
    results.push(result);
    print(row(result));
  }
  print(`\n${summary(results)}`);
  return results;
}

async function measureLibrary(assets: number): Promise<readonly ClassResult[]> {
  const folder = await openDataFolder(values['data-dir'], { assets, complete: false, actions });
  const server = await openServer(folder.path);
  const logger = createLogger({ level: 'warn' });
  const { db, pool } = openDatabase({
    connection: server.connection,
    applicationName: APPLICATION_NAME,
    maxConnections: 4,
    logger,
  });
  let lucene: Lucene | undefined;
  let bitmap: Awaited<ReturnType<typeof openBitmapEngine>> | undefined;
  try {
    await describe(pool, folder);
    const postgres = createPostgresEngine(db);
    const { connection } = server;
    const snapshots = join(folder.path, 'bench-snapshots');
    const loading = { db, connection, applicationName: APPLICATION_NAME, scope, postgres, tagWords, folder: snapshots };
    bitmap = values.bitmap ? await openBitmapEngine(loading, print) : undefined;
    lucene = await startLucene(folder);
    const engines = { scope, bitmap: bitmap?.engine, postgres: values.postgres ? postgres : undefined, lucene };
    const results = await measureAll(engines, folder);
    const resident = lucene ? `, Lucene ${mib(await lucene.residentBytes())} (with what it maps of its files)` : '';
    print(`process RSS at the end: ${mib(memory().rss)}${resident}`);
    return results;
  } finally {
    lucene?.close();
    await bitmap?.close();
    await db.destroy();
    await server.stop({ applicationName: APPLICATION_NAME });
    await folder.remove();
  }
}

const measured: Record<string, readonly ClassResult[]> = {};
for (const size of sizes) measured[size] = await measureLibrary(size);
if (values.json !== undefined) await writeFile(values.json, JSON.stringify(measured));
