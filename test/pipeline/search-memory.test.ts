import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as breathe } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type LibraryScope, scopeOf } from '../../src/auth/index.ts';
import { createLogger } from '../../src/base/index.ts';
import { type Database, openDatabase } from '../../src/db/index.ts';
import { insertOrganization } from '../../src/library/index.ts';
import { type BitmapEngine, createBitmapEngine } from '../../src/search/bitmap/bitmap-engine.ts';
import type { SegmentData } from '../../src/search/bitmap/segment/sections.ts';
import { createSnapshots, type Snapshots } from '../../src/search/bitmap/snapshot/snapshots.ts';
import type { EngineRequest, SearchEngine } from '../../src/search/engine.ts';
import { createFreshness, createPostgresEngine, type Freshness } from '../../src/search/index.ts';
import { createPlainTagWords } from '../support/plain-tag-words.ts';
import { createTestDatabase } from '../support/database.ts';
import { insertAssets } from '../support/search-library.ts';

const ASSETS = 300;
const closers: (() => Promise<unknown>)[] = [];
let url: string;
let db: Database;
let freshness: Freshness;
let postgres: SearchEngine;
let scopes: readonly [LibraryScope, LibraryScope];

beforeAll(async () => {
  const database = await createTestDatabase();
  closers.push(() => database.drop());
  url = database.url;
  const logger = createLogger({ level: 'error' });
  const connection = { connectionString: url };
  ({ db } = openDatabase({ connection, applicationName: 'touchline-test', maxConnections: 4, logger }));
  closers.push(() => db.destroy());
  freshness = createFreshness({ db, logger });
  closers.push(() => freshness.close());
  postgres = createPostgresEngine(db);
  const create = async (slug: string): Promise<LibraryScope> => {
    const { id } = await insertOrganization(db, { slug, name: slug });
    // Words of their own, so that an asset takes more than an engine expects of one before it has seen it.
    const caption = (n: number) => Array.from({ length: 60 }, (_, at) => `${slug}${n * 60 + at}`).join(' ');
    const rows = Array.from({ length: ASSETS }, (_, n) => ({
      name: `${slug} ${n}.jpg`,
      details: { caption: caption(n) },
      rating: n % 6,
    }));
    await insertAssets({ app: { installation: { db } }, organizationId: id }, rows);
    return scopeOf(id);
  };
  scopes = [await create('first'), await create('second')];
});
afterAll(async () => {
  for (const close of closers.toReversed()) await close();
});

const request: EngineRequest = {
  filter: { kind: 'all', filters: [{ kind: 'compare', field: 'rating', comparison: 'gte', values: [4] }] },
  sort: { field: 'name', descending: false },
  limit: 20,
  offset: 0,
  after: undefined,
  facets: [],
  tagWords: createPlainTagWords([]),
};

/** An engine for which every library is large: read by a thread, kept in a snapshot. */
function openEngine(
  maxBytes: number,
  snapshots?: Snapshots,
): { readonly engine: BitmapEngine; readonly log: () => string } {
  const lines: string[] = [];
  const engine = createBitmapEngine({
    db,
    connection: { connectionString: url },
    applicationName: 'touchline-test',
    freshness,
    whileLoading: postgres,
    snapshots,
    maxBytes,
    logger: createLogger({ level: 'debug', destination: { write: (line) => void lines.push(line) } }),
    smallLibrary: 0,
  });
  closers.push(() => engine.close());
  return { engine, log: () => lines.join('') };
}

async function expectAnswer(engine: BitmapEngine, scope: LibraryScope): Promise<void> {
  expect(await engine.search(scope, request)).toEqual(await postgres.search(scope, request));
}

const inMemory = (engine: BitmapEngine) => engine.stats().map((one) => one.organizationId);

/** What the first library takes in memory. */
async function measure(): Promise<number> {
  const { engine } = openEngine(2 ** 30);
  await engine.search(scopes[0], request);
  await vi.waitFor(() => expect(engine.stats().length).toBe(1), { timeout: 10_000 });
  const bytes = engine.stats()[0]?.bytes ?? 0;
  expect(bytes).toBeGreaterThan(ASSETS * 500);
  return bytes;
}

test('a library that does not fit is searched in PostgreSQL, and said to be too large once', async () => {
  // Seen before it is read, and afterwards.
  for (const maxBytes of [1000, Math.floor((await measure()) * 0.9)]) {
    const { engine, log } = openEngine(maxBytes);
    await expectAnswer(engine, scopes[0]);
    await vi.waitFor(() => expect(log()).toContain('search_index.too_large'), { timeout: 10_000 });
    for (let n = 0; n < 5; n += 1) await expectAnswer(engine, scopes[0]);
    expect(inMemory(engine)).toEqual([]);
    expect(log().split('search_index.too_large').length - 1).toBe(1);
  }
});

test('of two libraries that do not fit together the one used last is in memory, and the memory of the other is given back', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'touchline-memory-'));
  closers.push(() => rm(folder, { recursive: true, force: true }));
  const stored = createSnapshots({ folder, logger: createLogger({ level: 'error' }) });
  const held = new Map<number, WeakRef<SegmentData>>();
  const watching: Snapshots = {
    async read(organizationId, isCurrent) {
      const found = await stored.read(organizationId, isCurrent);
      for (const { data } of found?.segments ?? []) held.set(organizationId, new WeakRef(data));
      return found;
    },
    async write(organizationId, snapshot) {
      for (const { data } of snapshot.segments) held.set(organizationId, new WeakRef(data));
      await stored.write(organizationId, snapshot);
    },
  };
  const { engine, log } = openEngine((await measure()) * 1.5, watching);
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  for (let round = 0; round < 3; round += 1) {
    for (const [at, scope] of scopes.entries()) {
      const { organizationId } = scope;
      await expectAnswer(engine, scope);
      await vi.waitFor(() => expect(inMemory(engine)).toEqual([organizationId]), { timeout: 10_000 });
      await expectAnswer(engine, scope);
      // The first load writes the snapshot, later ones read it.
      await vi.waitFor(() => expect(held.has(organizationId)).toBe(true), { timeout: 10_000 });
      const other = scopes[1 - at]?.organizationId ?? 0;
      await vi.waitFor(
        async () => {
          await breathe();
          collect();
          // Not the segment itself: the error would hold it.
          expect(held.get(other)?.deref() === undefined).toBe(true);
        },
        { timeout: 10_000 },
      );
      expect(held.get(organizationId)?.deref() === undefined).toBe(false);
    }
  }
  expect(log()).toContain('search_index.unloaded');
  expect(log()).not.toContain('search_index.too_large');
});
