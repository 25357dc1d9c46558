import { setImmediate } from 'node:timers/promises';
import { sql } from 'kysely';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { type LibraryScope, scopeOf } from '../../src/auth/index.ts';
import { createLogger } from '../../src/base/index.ts';
import { type Database, openDatabase } from '../../src/db/index.ts';
import { insertCollection, insertOrganization, readVersion, writeLibrary } from '../../src/library/index.ts';
import { type Advance, createFollowers, type Followers, type FollowersOptions } from '../../src/search/follower.ts';
import { createFreshness, type Freshness } from '../../src/search/freshness.ts';
import { createTestDatabase } from '../support/database.ts';

/** The library here are the collections of an organization; the index is the set of their IDs. */
type Ids = Set<number>;

let close: (() => Promise<void>)[];
let lines: string[];
let url: string;
let db: Database;
let scope: LibraryScope;
/** How often a connection was taken from the pool: a search that asks the database nothing takes none. */
let acquired: number;
const logger = createLogger({ level: 'debug', destination: { write: (line) => void lines.push(line) } });

const open = (applicationName: string) => {
  const opened = openDatabase({ connection: { connectionString: url }, applicationName, maxConnections: 8, logger });
  close.push(() => opened.db.destroy());
  return opened;
};

beforeEach(async () => {
  close = [];
  lines = [];
  const database = await createTestDatabase();
  close.push(() => database.drop());
  url = database.url;
  const opened = open('followers');
  db = opened.db;
  acquired = 0;
  opened.pool.on('acquire', () => (acquired += 1));
  scope = await addOrganization('first');
});
afterEach(async () => {
  for (const one of close.toReversed()) await one();
});

async function addOrganization(slug: string): Promise<LibraryScope> {
  return scopeOf((await insertOrganization(db, { slug, name: slug })).id);
}

async function addCollection(to: Database = db, organization: LibraryScope = scope): Promise<number> {
  const { version } = await writeLibrary(to, organization, async ({ tx, record }) => {
    record({ type: 'collection.created', objectId: await insertCollection(tx, organization, 'one') });
  });
  return version;
}

async function addCollections(count: number): Promise<void> {
  await writeLibrary(db, scope, async ({ tx, record }) => {
    const rows = await sql<{ id: number }>`INSERT INTO collection (organization_id, name)
      SELECT ${scope.organizationId}, 'bulk' FROM generate_series(1, ${count}::int) RETURNING id`.execute(tx);
    for (const { id } of rows.rows) record({ type: 'collection.created', objectId: id });
  });
}

async function idsOf(organization: LibraryScope): Promise<Ids> {
  const found = await sql<{
    id: number;
  }>`SELECT id FROM collection WHERE organization_id = ${organization.organizationId}`.execute(db);
  return new Set(found.rows.map(({ id }) => id));
}

function follow(
  options: Partial<FollowersOptions<Ids>> & { readonly nowMs?: () => number; readonly pollMs?: number } = {},
): { readonly followers: Followers<Ids>; readonly freshness: Freshness } {
  const { nowMs, pollMs, ...rest } = options;
  const freshness = createFreshness({ db, logger, ...(nowMs ? { nowMs } : {}), ...(pollMs ? { pollMs } : {}) });
  const followers = createFollowers<Ids>({
    db,
    logger,
    name: 'toy',
    load: async (organization) => {
      const version = await readVersion(db, organization);
      return { index: await idsOf(organization), version };
    },
    apply: async (_organization, index, { tx, changes }) => {
      const rows = await sql<{ id: number }>`SELECT id FROM collection
        WHERE id = ANY(${changes.map((change) => change.objectId)}::bigint[])`.execute(tx);
      for (const { id } of rows.rows) index.add(id);
    },
    sizeOf: (index) => ({ size: index.size, bytes: index.size * 100 }),
    freshness,
    maxBytes: 1e9,
    idleMs: 60_000,
    ...rest,
  });
  close.push(async () => {
    await followers.close();
    await freshness.close();
  });
  return { followers, freshness };
}

const size = async (followers: Followers<Ids>, wanted: { version?: number } = {}): Promise<number> =>
  (await followers.current(scope, { ...wanted, wait: true })).size;

describe('an index that follows the change feed', () => {
  test('has every write of this process at once, and asks the database nothing when nothing changed', async () => {
    const { followers } = follow({ pollMs: 60_000, nowMs: () => 0 });
    await addCollection();
    expect(await size(followers)).toBe(1);
    for (let count = 2; count < 10; count += 1) {
      await addCollection();
      expect(await size(followers)).toBe(count);
    }
    acquired = 0;
    for (let search = 0; search < 100; search += 1) await size(followers);
    expect(acquired).toBe(0);
  });

  test('has the write of another node after a poll, and at once with its version', async () => {
    const other = open('other').db;
    const { followers } = follow({ pollMs: 20 });
    expect(await size(followers)).toBe(0);
    await addCollection(other);
    await expect.poll(() => size(followers), { timeout: 1000, interval: 5 }).toBe(1);
    const slow = follow({ pollMs: 60_000, nowMs: () => 0 });
    expect(await size(slow.followers)).toBe(1);
    const version = await addCollection(other);
    expect(await size(slow.followers)).toBe(1);
    expect(await size(slow.followers, { version })).toBe(2);
    expect(await size(slow.followers)).toBe(2);
  });

  test('answers for a version that was never given out', async () => {
    const { followers } = follow();
    await addCollection();
    expect(await size(followers, { version: Number.MAX_SAFE_INTEGER })).toBe(1);
  });

  test('sees a write of 10,000 objects whole or not at all, also while it loads', async () => {
    const { followers } = follow();
    const written = new Set<string>();
    const seen = new Set<number>();
    const watch = async () => {
      while (!written.has('all')) {
        seen.add(await size(followers));
        // A search in memory never gives way to the connection that the write waits for.
        await setImmediate();
      }
    };
    await Promise.all([watch(), watch(), addCollections(10_000).finally(() => written.add('all'))]);
    expect([...seen].filter((count) => count !== 0 && count !== 10_000)).toEqual([]);
    expect(await size(followers)).toBe(10_000);

    // A load that reads page by page, with a write between its pages.
    const paged = follow({
      load: async (organization) => {
        const version = await readVersion(db, organization);
        await addCollections(500);
        return { index: new Set([...(await idsOf(organization))].slice(0, 10_100)), version };
      },
    });
    expect(await size(paged.followers)).toBe(10_500);
  });

  test('runs one load and one catch-up at a time, however many ask', async () => {
    let running = 0;
    let most = 0;
    let loads = 0;
    const { followers } = follow({
      load: async (organization) => {
        loads += 1;
        return { index: await idsOf(organization), version: await readVersion(db, organization) };
      },
      apply: async (_organization, index, { tx, changes }) => {
        running += 1;
        most = Math.max(most, running);
        await sql`SELECT 1`.execute(tx);
        for (const change of changes) index.add(change.objectId);
        running -= 1;
      },
    });
    await Promise.all(Array.from({ length: 50 }, () => size(followers)));
    expect(loads).toBe(1);
    const counts = await Promise.all(
      Array.from({ length: 40 }, async (_, at) => {
        await addCollection();
        return [at, await size(followers)];
      }),
    );
    expect(counts.filter(([, count]) => Number(count) < 1)).toEqual([]);
    expect(await size(followers)).toBe(40);
    expect(most).toBe(1);
  });

  test('without waiting answers nothing until it is loaded, and then follows', async () => {
    const { followers } = follow();
    await addCollection();
    const now = () => followers.current(scope, { wait: false });
    expect(await now()).toBeUndefined();
    await vi.waitFor(async () => expect((await now())?.size).toBe(1));
    await addCollection();
    expect((await now())?.size).toBe(2);
  });

  test('loads anew where the feed has a gap, and never answers from before it', async () => {
    const { followers } = follow();
    await addCollection();
    expect(await size(followers)).toBe(1);
    const gone = await addCollection();
    await addCollection();
    await sql`DELETE FROM change WHERE version = ${gone}`.execute(db);
    expect(await followers.current(scope, { wait: false })).toBeUndefined();
    expect(await size(followers)).toBe(3);
    expect(lines.filter((line) => line.includes('toy.loaded'))).toHaveLength(2);
  });

  test('loads anew when it is too far behind', async () => {
    const { followers } = follow({ maxChangesBehind: 100 });
    expect(await size(followers)).toBe(0);
    await addCollections(101);
    expect(await followers.current(scope, { wait: false })).toBeUndefined();
    expect(await size(followers)).toBe(101);
  });

  test('loads anew when the versions of the database went back', async () => {
    const { followers } = follow({ pollMs: 20 });
    await addCollection();
    const version = await addCollection();
    expect(await size(followers)).toBe(2);
    // As a failover to a replica that lacked the last write.
    await sql`DELETE FROM collection WHERE id = (SELECT object_id FROM change WHERE version = ${version})`.execute(db);
    await sql`DELETE FROM change WHERE version = ${version}`.execute(db);
    await sql`UPDATE organization SET version = ${version - 1}`.execute(db);
    await expect.poll(() => size(followers), { timeout: 2000 }).toBe(1);
  });

  test('catches up without a gap when its connection is cut in the middle', async () => {
    let cuts = 3;
    const applied: number[] = [];
    const { followers } = follow({
      apply: async (_organization, index, { tx, changes }: Advance) => {
        if (cuts-- > 0) await sql`SELECT pg_terminate_backend(pg_backend_pid())`.execute(tx);
        for (const change of changes) index.add(change.objectId);
        applied.push(...changes.map((change) => change.version));
      },
    });
    expect(await size(followers)).toBe(0);
    for (let write = 0; write < 20; write += 1) await addCollection();
    expect(await size(followers)).toBe(20);
    expect(applied).toEqual(Array.from({ length: 20 }, (_, at) => at + 1));
    expect(lines.filter((line) => line.includes('toy.catch_up_failed'))).toHaveLength(3);
  });

  test('lets an index go that a change cannot be applied to, and loads it anew', async () => {
    let broken = true;
    const { followers } = follow({
      apply: async (_organization, index, { changes }) => {
        if (broken) throw new Error('cannot be applied');
        for (const change of changes) index.add(change.objectId);
      },
    });
    expect(await size(followers)).toBe(0);
    await addCollection();
    await expect(size(followers)).rejects.toThrow('cannot be applied');
    broken = false;
    expect(await size(followers)).toBe(1);
  });

  test('logs a load that fails and tries again after a while, not at every search', async () => {
    let attempts = 0;
    const { followers } = follow({
      load: async (organization) => {
        attempts += 1;
        if (attempts < 2) throw new Error('no memory');
        return { index: await idsOf(organization), version: await readVersion(db, organization) };
      },
    });
    const now = () => followers.current(scope, { wait: false });
    await now();
    await vi.waitFor(() => expect(lines.join('')).toContain('toy.load_failed'));
    for (let search = 0; search < 20; search += 1) expect(await now()).toBeUndefined();
    expect(attempts).toBe(1);
    await expect.poll(async () => (await now()) !== undefined, { timeout: 5000 }).toBe(true);
    expect(attempts).toBe(2);
  });

  test('keeps within its memory: those used longest ago go first, and one that is too large is never kept', async () => {
    const { followers } = follow({ maxBytes: 1000 });
    const others = [await addOrganization('second'), await addOrganization('third')];
    for (const one of [scope, ...others]) for (let at = 0; at < 4; at += 1) await addCollection(db, one);
    const loaded = () => followers.stats().map((one) => one.organizationId);
    await followers.current(scope, { wait: true });
    await followers.current(others[0] ?? scope, { wait: true });
    await followers.current(scope, { wait: true });
    await followers.current(others[1] ?? scope, { wait: true });
    expect(loaded()).toEqual([scope.organizationId, others[1]?.organizationId]);

    await addCollections(10);
    expect((await followers.current(scope, { wait: true })).size).toBe(14);
    expect(loaded()).not.toContain(scope.organizationId);
    expect((await followers.current(scope, { wait: true })).size).toBe(14);
    expect(await followers.current(scope, { wait: false })).toBeUndefined();
    expect(lines.filter((line) => line.includes('toy.too_large'))).toHaveLength(1);
  });

  test('is told by a load that the library is too large, and does not try again at every search', async () => {
    let loads = 0;
    const { followers } = follow({
      maxBytes: 1000,
      load: async () => {
        loads += 1;
        return { tooLargeBytes: 5000 };
      },
    });
    await followers.current(scope, { wait: false });
    await vi.waitFor(() => expect(lines.join('')).toContain('toy.too_large'));
    for (let search = 0; search < 10; search += 1) await followers.current(scope, { wait: false });
    expect(loads).toBe(1);
    await expect(size(followers)).rejects.toMatchObject({ code: 'unavailable' });
    expect(lines.filter((line) => line.includes('toy.too_large'))).toHaveLength(1);
    expect(lines.join('')).not.toContain('toy.load_failed');
    expect(followers.entries()).toEqual([]);
  });

  test('lets an index go that nobody asked for, and follows one in use without being asked', async () => {
    const idle = follow({ idleMs: 50 });
    await size(idle.followers);
    await expect.poll(() => idle.followers.stats(), { timeout: 2000 }).toEqual([]);
    const used = follow();
    await size(used.followers);
    await addCollection();
    await expect.poll(() => used.followers.stats()[0]?.size, { timeout: 3000 }).toBe(1);
  });

  test('stops waiting when the signal ends, and the others go on', async () => {
    let openGate = () => {};
    const gate = new Promise<void>((resolve) => {
      openGate = resolve;
    });
    const { followers } = follow({
      load: async (organization) => {
        await gate;
        return { index: await idsOf(organization), version: await readVersion(db, organization) };
      },
    });
    const leaving = new AbortController();
    const left = followers.current(scope, { wait: true, signal: leaving.signal });
    const stays = followers.current(scope, { wait: true });
    leaving.abort(new Error('gone'));
    await expect(left).rejects.toThrow('gone');
    openGate();
    expect((await stays).size).toBe(0);
  });
});

describe('while the database is away', () => {
  const setAway = async (away: boolean) => {
    const name = new URL(url).pathname.slice(1);
    const admin = new pg.Client({ connectionString: url.replace(`/${name}`, '/postgres') });
    await admin.connect();
    await admin.query(`ALTER DATABASE ${name} ALLOW_CONNECTIONS ${!away}`);
    if (away) await admin.query('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1', [name]);
    await admin.end();
  };

  test('searches go on from memory for 30 seconds, then they are refused until it is back', async () => {
    let nowMs = 1000;
    const { followers } = follow({ pollMs: 20, nowMs: () => nowMs });
    await addCollection();
    expect(await size(followers)).toBe(1);
    await setAway(true);
    await vi.waitFor(() => expect(lines.join('')).toContain('library_version.poll_failed'));
    nowMs += 29_000;
    expect(await size(followers)).toBe(1);
    // A demanded version needs the database.
    await expect(size(followers, { version: 9 })).rejects.toMatchObject({ code: 'unavailable' });
    nowMs += 2000;
    await expect(size(followers)).rejects.toMatchObject({ code: 'unavailable' });
    await setAway(false);
    await vi.waitFor(() => expect(lines.join('')).toContain('library_version.poll_recovered'), { timeout: 8000 });
    expect(await size(followers)).toBe(1);
    expect(lines.filter((line) => line.includes('library_version.poll_failed'))).toHaveLength(1);
  });
});
