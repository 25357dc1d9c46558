import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { scopeOf } from '../../src/auth/index.ts';
import { createLogger, DAY_MS } from '../../src/base/index.ts';
import { type Database, openDatabase } from '../../src/db/index.ts';
import { deleteOldChanges, readOldestChange, readVersion, writeLibrary } from '../../src/library/index.ts';
import { createTestDatabase } from '../support/database.ts';
import { createServiceFolder, type RunningService, type ServiceFolder } from '../support/process.ts';
import { type AssetRow, insertAssets } from '../support/search-library.ts';

type Body = { readonly [name: string]: any };

/** Above what is read in the service's own thread, so that threads, merges and snapshots take part. */
const ASSETS = 3000;
const WORDS = ['goal', 'corner', 'celebration', 'kick-off', 'Šeško', 'crowd', 'tunnel', 'warm up'];
const closers: (() => Promise<unknown>)[] = [];
let folder: ServiceFolder;
let node: RunningService;
/** The same library searched in PostgreSQL. */
let oracle: RunningService;
let env: Record<string, string>;
let db: Database;
let key: string;
let organizationId: number;
let players: number[];
let collection: number;
let assets: number[] = [];

async function ask(to: RunningService, method: string, path: string, body?: object): Promise<Body> {
  const response = await fetch(to.url + path, {
    method,
    headers: { 'X-Api-Key': key, ...(body && { 'Content-Type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  });
  const answer = (await response.json()) as Body;
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${JSON.stringify(answer)}`);
  return answer;
}
const find = (to: RunningService, body: object): Promise<Body> => ask(to, 'POST', '/v1/media/search', body);
const rowOf = (n: number): AssetRow => ({
  name: `frame ${n % 11} ${WORDS[n % WORDS.length]} ${n}.jpg`,
  details: { caption: `${WORDS[(n * 3) % WORDS.length]} ${WORDS[(n * 5 + 1) % WORDS.length]}` },
  tags: players.filter((_, at) => n % (at + 2) === 0),
  collections: n % 9 === 0 ? [collection] : [],
  capturedAt: n % 6 === 0 ? null : new Date(Date.UTC(2026, 0, 1) + n * 3_600_000).toISOString(),
  rating: n % 7 === 6 ? null : n % 7,
  peopleCount: n % 4,
  status: n % 40 === 0 ? 'archived' : 'ready',
  usage: n % 5 === 0 ? 'raw' : 'approved',
});
const library = () => ({ app: { installation: { db } }, organizationId });

beforeAll(async () => {
  const own = await createTestDatabase();
  closers.push(() => own.drop());
  folder = await createServiceFolder();
  const second = await createServiceFolder();
  closers.push(
    () => second.remove(),
    () => folder.remove(),
  );
  env = { DATABASE_URL: own.url, STORAGE_URL: `file://${folder.dataDir}/storage`, LOG_LEVEL: 'debug' };
  node = await folder.start(env);
  oracle = await second.start({ ...env, SEARCH_ENGINE: 'postgres', LOG_LEVEL: 'info' });
  closers.push(() => oracle.end('SIGTERM'));
  key = (await folder.firstRun()).api_key;
  const logger = createLogger({ level: 'error' });
  const opened = openDatabase({
    connection: { connectionString: own.url },
    applicationName: 'touchline-test',
    maxConnections: 2,
    logger,
  });
  ({ db } = opened);
  closers.push(() => db.destroy());
  organizationId = (await db.selectFrom('organization').select('id').executeTakeFirstOrThrow()).id;
  const tag = async (n: number) =>
    (await ask(node, 'POST', '/v1/tag', { type: 'player', label: `Player ${n}` }))['tag_option'].id as number;
  players = [await tag(1), await tag(2), await tag(3)];
  collection = (await ask(node, 'POST', '/v1/collection', { name: 'c' }))['collection'].id;
  for (let from = 0; from < ASSETS; from += 1000) {
    assets = assets.concat(
      await insertAssets(
        library(),
        Array.from({ length: 1000 }, (_, n) => rowOf(from + n)),
      ),
    );
  }
});
afterAll(async () => {
  if (node.child.exitCode === null && node.child.signalCode === null) await node.end('SIGTERM');
  for (const close of closers.toReversed()) await close();
});

const loaded = () => vi.waitFor(() => expect(node.output()).toContain('search_index.loaded'), { timeout: 20_000 });
const snapshotFolder = () => join(folder.dataDir, 'search', String(organizationId));
const manifest = async (): Promise<Body> => JSON.parse(await readFile(join(snapshotFolder(), 'snapshot.json'), 'utf8'));
const segmentFiles = async () => (await readdir(snapshotFolder())).filter((name) => name.endsWith('.segment')).sort();

async function walk(to: RunningService, body: object): Promise<unknown> {
  const pages: unknown[] = [];
  for (let cursor: string | undefined; pages.length < 4; ) {
    const page = await find(to, { ...body, limit: 40, ...(cursor && { cursor }) });
    const ids = (page['media'] as Body[]).map((media) => media['id']);
    pages.push({ ids, total: page['total'], facets: page['facets'] });
    cursor = page['next_cursor'] ?? undefined;
    if (cursor === undefined) break;
  }
  return pages;
}

async function expectEqualAnswers(): Promise<void> {
  const facets = [
    { field: 'player' },
    { field: 'rating' },
    { field: 'captured_at', interval: 'month' },
    { field: 'collection' },
  ];
  const bodies = [
    { sort: '-created_at', facets },
    { sort: 'name' },
    { sort: '-captured_at', player: { only: [players[0]] } },
    { sort: 'updated_at', rating: { gte: 3 }, facets },
    { sort: '-rating', none: [{ tag_options: [players[1]] }] },
    { text: 'goal celebration', facets },
    { text: '"corner kick" -tunnel' },
    { text: 'celebratoin', sort: 'relevance' },
    { text: 'seskos', sort: 'captured_at' },
    { collection: { any: [collection] }, captured_at: { exists: false } },
    { status: ['archived', 'deleted'], sort: 'name' },
    { any: [{ name: 'crowd' }, { people_count: 3 }], sort: '-updated_at' },
  ];
  for (const body of bodies)
    expect({ body, pages: await walk(node, body) }).toEqual({ body, pages: await walk(oracle, body) });
}

/** Both have seen the last write: searches may answer from a second ago. */
async function settle(): Promise<void> {
  const { version } = await db
    .selectFrom('organization')
    .select('version')
    .where('id', '=', organizationId)
    .executeTakeFirstOrThrow();
  const headers = { 'X-Api-Key': key, 'Content-Type': 'application/json', 'X-Library-Version': String(version) };
  for (const one of [node, oracle]) {
    const answer = await fetch(`${one.url}/v1/media/search`, { method: 'POST', headers, body: '{"limit":0}' });
    expect(answer.status).toBe(200);
  }
}

test('searches are answered while the index is loaded in a thread, and from memory afterwards', async () => {
  await settle();
  const early = await find(node, { limit: 0, status: ['ready', 'archived'] });
  expect(early['total']).toBe(ASSETS);
  await loaded();
  await expectEqualAnswers();
  await vi.waitFor(async () => expect((await manifest())['segments'].length).toBeGreaterThan(0), { timeout: 10_000 });
  const metrics = await (await fetch(`${node.url}/metrics`)).text();
  expect(metrics).toMatch(
    new RegExp(`touchline_search_index_assets\\{organization="${organizationId}"\\} ${ASSETS}\\b`),
  );
});

test('killed in the middle of writes and merges, the service finds everything that it had acknowledged', async () => {
  for (const [round, writeMs] of [900, 1700].entries()) {
    const writing = new AbortController();
    const named = new Map<number, string>();
    const failed: unknown[] = [];
    const renaming = (async () => {
      for (let n = 0; !writing.signal.aborted; n += 1) {
        const id = assets[(n * 37 + round) % assets.length] ?? 0;
        const name = `renamed ${round} ${n} goal.jpg`;
        try {
          await ask(node, 'PATCH', `/v1/media/${id}`, { name });
          named.set(id, name);
        } catch (error) {
          failed.push(error);
          return;
        }
      }
    })();
    // Each of these becomes a segment or two; a dozen of them are merged.
    const importing = (async () => {
      for (let n = 0; !writing.signal.aborted; n += 1) {
        assets = assets.concat(
          await insertAssets(
            library(),
            Array.from({ length: 140 }, (_, at) => rowOf(10_000 * (round + 1) + n * 140 + at)),
          ),
        );
        await find(node, { limit: 0 }).catch(() => undefined);
      }
    })();
    const killing = (async () => {
      await delay(writeMs);
      // On a busy machine the first writes may take longer than that.
      await vi
        .waitUntil(() => named.size > 5, { timeout: 20_000, interval: 20 })
        .finally(() => {
          node.child.kill('SIGKILL');
          writing.abort();
        });
    })();
    await Promise.all([renaming, importing, killing]);
    // Each write that was not answered is the one that the kill cut off.
    expect(failed.length).toBeLessThanOrEqual(1);

    node = await folder.start(env);
    const total = async () => (await find(node, { limit: 0, status: ['ready', 'archived'] }))['total'];
    expect(await total()).toBe(assets.length);
    await loaded();
    expect(node.output()).not.toContain('search_index.snapshot_unreadable');
    await settle();
    expect(await total()).toBe(assets.length);
    const [id = 0, name] = [...named].at(-1) ?? [];
    const found = await find(node, { name, limit: 5, status: ['ready', 'archived'] });
    expect((found['media'] as Body[]).map((media) => media['id'])).toContain(id);
    await expectEqualAnswers();
  }
});

test('a snapshot that is behind is brought forward by the feed, and words that were filled in meanwhile are found', async () => {
  // As a node of an older version writes them: no words, which the next start fills in.
  const { result } = await writeLibrary(db, scopeOf(organizationId), async ({ tx, record }) => {
    const ids = assets.slice(100, 250);
    await tx
      .updateTable('asset')
      .set({ search_text: null, name: 'zebra crossing.jpg' })
      .where('id', 'in', ids)
      .execute();
    for (const id of ids) record({ type: 'media.updated', objectId: id });
    return ids;
  });
  await settle();
  expect((await node.end('SIGTERM')).code).toBe(0);
  const { version } = await manifest();
  const now = await db
    .selectFrom('organization')
    .select('version')
    .where('id', '=', organizationId)
    .executeTakeFirstOrThrow();
  expect(Number(version)).toBe(now.version);
  const files = await segmentFiles();
  // Written while it was down.
  await writeLibrary(db, scopeOf(organizationId), async ({ tx, record }) => {
    const ids = assets.slice(300, 320);
    await tx
      .updateTable('asset')
      .set({ rating: 5, tag_ids: [players[2] ?? 0] })
      .where('id', 'in', ids)
      .execute();
    await tx.deleteFrom('asset').where('id', 'in', assets.slice(320, 325)).execute();
    for (const id of ids) record({ type: 'media.updated', objectId: id });
    for (const id of assets.slice(320, 325)) record({ type: 'media.deleted', objectId: id });
  });
  node = await folder.start(env);
  await find(node, { limit: 0 });
  await loaded();
  await settle();
  await expectEqualAnswers();
  const zebras = await find(node, { text: 'zebra', limit: 0, status: ['ready', 'archived'] });
  expect(zebras['total']).toBe(result.length);
  // Read from the files: an index from the database would have written others. Small ones may have been merged meanwhile.
  const kept = await segmentFiles();
  expect(files.filter((file) => kept.includes(file))).not.toEqual([]);
});

test('a snapshot from before the events that are kept is left aside, and a node that slept meanwhile starts anew', async () => {
  await settle();
  expect((await node.end('SIGTERM')).code).toBe(0);
  const { version: before } = await manifest();
  await writeLibrary(db, scopeOf(organizationId), async ({ tx, record }) => {
    const ids = assets.slice(400, 410);
    await tx.updateTable('asset').set({ rating: 2, name: 'yak.jpg' }).where('id', 'in', ids).execute();
    for (const id of ids) record({ type: 'media.updated', objectId: id });
  });
  const keptMs = 30 * DAY_MS;
  const now = new Date(Date.now() + 31 * DAY_MS);
  const removed = await deleteOldChanges(db, { now, keptMs, signal: new AbortController().signal });
  expect(removed).toBeGreaterThan(Number(before));
  // The newest is left: what was written at that version is recognised by it.
  const newest = await readVersion(db, scopeOf(organizationId));
  expect(await readOldestChange(db, scopeOf(organizationId))).toBe(newest);
  node = await folder.start(env);
  await find(node, { limit: 0 });
  await loaded();
  await settle();
  await expectEqualAnswers();
  await expect.poll(async () => Number((await manifest())['version']), { timeout: 10_000 }).toBe(newest);
});

test('a damaged snapshot is left aside', async () => {
  await node.end('SIGKILL');
  const [file = ''] = await segmentFiles();
  const path = join(snapshotFolder(), file);
  const bytes = await readFile(path);
  bytes[bytes.length >> 1] = (bytes[bytes.length >> 1] ?? 0) ^ 1;
  await writeFile(path, bytes);
  node = await folder.start(env);
  await find(node, { limit: 0 });
  await loaded();
  expect(node.output()).toContain('search_index.snapshot_unreadable');
  await settle();
  await expectEqualAnswers();
});
