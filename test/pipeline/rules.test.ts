import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { createLogger } from '../../src/base/index.ts';
import { type Database, openDatabase } from '../../src/db/index.ts';
import { createTestDatabase } from '../support/database.ts';
import { createServiceFolder, type RunningService, type ServiceFolder } from '../support/process.ts';
import { insertAssets } from '../support/search-library.ts';

type Body = { readonly [name: string]: any };

const ASSETS = 800;
const closers: (() => Promise<unknown>)[] = [];
let folders: readonly [ServiceFolder, ServiceFolder];
let env: Record<string, string>;
let a: RunningService;
let b: RunningService;
let db: Database;
let key: string;
let organizationId: number;

beforeAll(async () => {
  const own = await createTestDatabase();
  closers.push(() => own.drop());
  folders = [await createServiceFolder(), await createServiceFolder()];
  closers.push(async () => {
    for (const folder of folders) await folder.remove();
  });
  const root = folders[0].dataDir;
  await mkdir(join(root, 'out'));
  env = { DATABASE_URL: own.url, STORAGE_URL: `file://${root}/storage`, DELIVERY_FOLDERS: root };
  a = await folders[0].start(env);
  b = await folders[1].start(env);
  key = (await folders[0].firstRun()).api_key;
  const logger = createLogger({ level: 'error' });
  const connection = { connectionString: own.url };
  ({ db } = openDatabase({ connection, applicationName: 'touchline-test', maxConnections: 2, logger }));
  closers.push(() => db.destroy());
  organizationId = (await db.selectFrom('organization').select('id').executeTakeFirstOrThrow()).id;
}, 60_000);
afterAll(async () => {
  for (const node of [a, b]) await node.end('SIGTERM');
  for (const close of closers.toReversed()) await close();
});

async function ask(node: RunningService, method: string, path: string, body?: object): Promise<Body> {
  const response = await fetch(node.url + path, {
    method,
    headers: { 'X-Api-Key': key, ...(body && { 'Content-Type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  });
  const answer = (await response.json()) as Body;
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${JSON.stringify(answer)}`);
  return answer;
}

const createTag = async (label: string): Promise<number> =>
  (await ask(a, 'POST', '/v1/tag', { type: 'tag', label }))['tag_option'].id;
const createRule = async (body: object): Promise<number> => (await ask(a, 'POST', '/v1/rule', body))['rule'].id;

/** Assets with a row for an original that nothing reads. */
async function insertWithFiles(count: number): Promise<number[]> {
  const rows = Array.from({ length: count }, (_, n) => ({ name: `frame ${n}.jpg` }));
  const ids = await insertAssets({ app: { installation: { db } }, organizationId }, rows);
  await sql`INSERT INTO asset_file (asset_id, quality, storage_key, bytes, mime_type)
    SELECT id, 'photographer', 'test/' || id, 1000, 'image/jpeg' FROM asset WHERE id = ANY (${ids}::bigint[])`.execute(
    db,
  );
  return ids;
}

/** Runs by rule: how many, and of how many changes and assets. */
async function countRuns(): Promise<ReadonlyMap<number, Body>> {
  const found = await sql<{ rule: number; runs: number; events: number; assets: number }>`SELECT rule_id AS rule,
    count(*)::int AS runs, count(DISTINCT event_version)::int AS events, count(DISTINCT media_id)::int AS assets
    FROM rule_run WHERE state = 'succeeded' GROUP BY 1`.execute(db);
  return new Map(found.rows.map(({ rule, ...counts }) => [rule, counts]));
}

test('two nodes that are killed in turn lose no run and do nothing twice', async () => {
  const sent = await createTag('sent');
  const config = { path: join(folders[0].dataDir, 'out') };
  const destination = (
    await ask(a, 'POST', '/v1/destination', { name: 'Paused', kind: 'folder', config, paused: true })
  )['destination'].id;
  const sends = await createRule({
    name: 'Sends',
    on: ['media.updated'],
    // What the other rule changes is an event too.
    filter: { rating: 5, none: [{ tag_options: [sent] }] },
    then: [
      { do: 'deliver', destination_id: destination },
      { do: 'add_tags', tag_option_ids: [sent] },
    ],
  });
  const frees = await createRule({
    name: 'Frees',
    on: ['media.tags_changed'],
    filter: { tag_options: [sent] },
    then: [{ do: 'set_usage', usage: 'raw' }],
  });
  const ids = await insertWithFiles(ASSETS);
  await ask(b, 'POST', '/v1/media/bulk', { ids, set: { rating: 5 } });
  const done = async () => [...(await countRuns()).values()].reduce((sum, one) => sum + Number(one['runs']), 0);
  await vi.waitFor(async () => expect(await done()).toBeGreaterThan(0), { timeout: 30_000, interval: 10 });
  await a.end('SIGKILL');
  const first = await done();
  await vi.waitFor(async () => expect(await done()).toBeGreaterThan(first), { timeout: 60_000, interval: 10 });
  await b.end('SIGKILL');
  const left = await done();
  a = await folders[0].start(env);
  b = await folders[1].start(env);
  await vi.waitFor(
    async () => {
      const counts = await countRuns();
      expect(counts.get(sends)).toEqual({ runs: ASSETS, events: ASSETS, assets: ASSETS });
      expect(counts.get(frees)).toEqual({ runs: ASSETS, events: ASSETS, assets: ASSETS });
    },
    { timeout: 90_000, interval: 200 },
  );
  // Otherwise nothing was interrupted.
  expect(left).toBeLessThan(2 * ASSETS);
  const deliveries = await sql<{ n: number; assets: number }>`SELECT count(*)::int AS n,
    count(DISTINCT media_id)::int AS assets FROM delivery WHERE rule_id = ${sends} AND state = 'queued'`.execute(db);
  expect(deliveries.rows).toEqual([{ n: ASSETS, assets: ASSETS }]);
  const changes = await sql<{ type: string; rule: number; n: number; depth: number }>`SELECT type,
    (data -> 'caused_by' ->> 'rule_id')::int AS rule, (data -> 'caused_by' ->> 'depth')::int AS depth, count(*)::int AS n
    FROM change WHERE data ? 'caused_by' AND type LIKE 'media.%' GROUP BY 1, 2, 3 ORDER BY 1`.execute(db);
  expect(changes.rows).toEqual([
    { type: 'media.tags_changed', rule: sends, depth: 1, n: ASSETS },
    { type: 'media.updated', rule: frees, depth: 2, n: ASSETS },
  ]);
  const { total } = await ask(a, 'POST', '/v1/media/search', { tag_options: [sent], usage: 'raw', limit: 0 });
  expect(total).toBe(ASSETS);
}, 240_000);

test('eight hundred frames are through within seconds', async () => {
  const mark = await createTag('mark');
  const rule = await createRule({
    name: 'Quick',
    on: ['media.updated'],
    filter: { rating: 4 },
    then: [{ do: 'add_tags', tag_option_ids: [mark] }],
  });
  const ids = await insertWithFiles(ASSETS);
  await ask(a, 'POST', '/v1/media/bulk', { ids, set: { rating: 4 } });
  const writtenMs = performance.now();
  await vi.waitFor(async () => expect((await countRuns()).get(rule)).toMatchObject({ runs: ASSETS }), {
    timeout: 60_000,
    interval: 20,
  });
  const tookMs = performance.now() - writtenMs;
  // Two to four seconds.
  expect(tookMs).toBeLessThan(20_000);
}, 120_000);
