/**
 * `GET /v1/tag/search` at 100,000 tag options over HTTP, one request after another on one connection, on a service of its
 * own. Peer in the same run: PostgreSQL with a pg_trgm index on the same folded names (`ILIKE '%query%'`, ordered the same
 * way), which knows neither typos nor shirt numbers. `node bench/tag-lookup/run-http.ts`; the workload is workload.json.
 */
import { join } from 'node:path';
import pg from 'pg';
import { foldText } from '../../src/base/index.ts';
import { createServiceFolder } from '../../test/support/process.ts';
import { createRandom, generateLibrary } from './generator.ts';
import { generateRequests } from './queries.ts';
import workload from './workload.json' with { type: 'json' };

const print = (line: string): void => void process.stdout.write(`${line}\n`);
const QUERIES_PER_CLASS = 100;
const CLASSES = workload.classes.filter((name) => name !== 'deep_page' && name !== 'list');

function row(times: readonly number[]): string {
  const sorted = times.toSorted((a, b) => a - b);
  const at = (share: number) =>
    (sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0).toFixed(2).padStart(8);
  return `${at(0.5)} ${at(0.95)} ${at(0.99)}`;
}

async function timed<T>(work: () => Promise<T>): Promise<{ readonly ms: number; readonly value: T }> {
  const startedMs = performance.now();
  const value = await work();
  return { ms: performance.now() - startedMs, value };
}

const folder = await createServiceFolder();
try {
  const service = await folder.start({ LOG_LEVEL: 'warn' });
  const { api_key: key } = await folder.firstRun();
  const database = new pg.Client({
    host: join(folder.dataDir, 'postgres', 'data'),
    port: 5432,
    user: 'touchline',
    database: 'touchline',
  });
  await database.connect();
  const library = generateLibrary(workload.records, createRandom(workload.seed));
  await database.query(
    `INSERT INTO tag_option (organization_id, type, category, label, full_name, aliases, folded_names, media_count)
     SELECT 1, r->>'type', r->>'category', r->>'label', r->>'fullName', ARRAY(SELECT jsonb_array_elements_text(r->'aliases')),
       ARRAY(SELECT jsonb_array_elements_text(r->'folded')), (r->>'mediaCount')::int FROM jsonb_array_elements($1::jsonb) AS r`,
    [
      JSON.stringify(
        library.map((one) => ({ ...one, folded: [one.label, one.fullName ?? '', ...one.aliases].map(foldText) })),
      ),
    ],
  );
  await database.query('CREATE EXTENSION pg_trgm');
  await database.query(`ALTER TABLE tag_option ADD COLUMN bench_text text`);
  await database.query(`UPDATE tag_option SET bench_text = array_to_string(folded_names, ' ')`);
  await database.query('CREATE INDEX ON tag_option USING gin (bench_text gin_trgm_ops)');
  await database.query('ANALYZE tag_option');
  // Rows that came past the feed: far behind, the lookup loads everything anew.
  await database.query('UPDATE organization SET version = version + 1000000');

  const search = async (query: string): Promise<number> => {
    const response = await fetch(`${service.url}/v1/tag/search?limit=20&query=${encodeURIComponent(query)}`, {
      headers: { 'X-Api-Key': key },
    });
    const body = (await response.json()) as { total: number };
    if (response.status !== 200) throw new Error(`answered ${response.status}`);
    return body.total;
  };
  const peer = async (query: string) => {
    const found = await database.query(
      `SELECT id, label, full_name, aliases, media_count FROM tag_option
       WHERE organization_id = 1 AND bench_text LIKE '%' || $1 || '%' ORDER BY media_count DESC, length(label), id LIMIT 20`,
      [foldText(query).replace(/[%_\\]/g, '')],
    );
    const count = await database.query(
      `SELECT count(*) FROM tag_option WHERE organization_id = 1 AND bench_text LIKE '%' || $1 || '%'`,
      [foldText(query)],
    );
    return { rows: found.rows, total: Number(count.rows[0].count) };
  };

  const load = await timed(() => search('a'));
  if (load.value < 1000) throw new Error(`expected thousands of names with an a, received ${load.value}`);
  print(`${library.length} tag options; first search, which loads them: ${load.ms.toFixed(0)} ms`);
  print('milliseconds at 50 %, 95 % and 99 %: Touchline over HTTP, then PostgreSQL pg_trgm without HTTP');
  const all: number[] = [];
  const peers: number[] = [];
  for (const [at, name] of CLASSES.entries()) {
    const random = createRandom(workload.seed + 100 + at);
    const queries = generateRequests(name, { library, random, count: QUERIES_PER_CLASS, pageSize: 20 }).flatMap(
      (one) => one.query ?? [],
    );
    const ours: number[] = [];
    const theirs: number[] = [];
    for (const query of queries) {
      ours.push((await timed(() => search(query))).ms);
      theirs.push((await timed(() => peer(query))).ms);
    }
    print(`${name.padEnd(12)} ${row(ours)}   ${row(theirs)}`);
    all.push(...ours);
    peers.push(...theirs);
  }
  print(`${'all'.padEnd(12)} ${row(all)}   ${row(peers)}`);
  await database.end();
  await service.end('SIGTERM');
} finally {
  await folder.remove();
}
