import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { writeLibrary } from '../../src/library/index.ts';
import type { SearchEngine } from '../../src/search/engine.ts';
import { createPostgresEngine } from '../../src/search/index.ts';
import { insertAssets } from '../support/search-library.ts';
import { openWorlds, type World, type WorldQuery, type Worlds } from '../support/search-worlds.ts';

let worlds: Worlds;
let world: World;
let engine: SearchEngine;
beforeAll(async () => {
  worlds = await openWorlds();
  engine = createPostgresEngine(worlds.db);
  const assets = Array.from({ length: 20 }, (_, n) => ({ name: `goal ${n}` }));
  world = await worlds.create({ tags: [], collections: 0, assets: () => assets });
});
afterAll(() => worlds.close());

const PLAIN: WorldQuery = { filter: {}, sort: '-created_at', limit: 5 };
const SCORED: WorldQuery = {
  filter: { text: 'goal ' },
  sort: 'relevance',
  limit: 200,
  facets: [{ field: 'media_type', limit: 10 }],
};

/** Statements of searches on the server, by what they are doing. */
async function countSearching(): Promise<number> {
  const found = await sql<{ n: number }>`SELECT count(*) AS n FROM pg_stat_activity
    WHERE datname = current_database() AND state = 'active' AND query LIKE '/* search %'`.execute(worlds.db);
  return found.rows[0]?.n ?? 0;
}

test.each([
  ['one statement', PLAIN],
  ['a transaction', SCORED],
])('an aborted search of %s ends with the reason, on the server too', async (_, query) => {
  const controller = new AbortController();
  const request = { ...(await world.request(query)), signal: controller.signal };
  let searching: Promise<unknown> = Promise.resolve();
  await worlds.db.transaction().execute(async (tx) => {
    // Searches wait for this lock as long as the transaction is open.
    await sql`LOCK TABLE asset IN ACCESS EXCLUSIVE MODE`.execute(tx);
    searching = engine.search(world.scope, request).catch((error: unknown) => error);
    await vi.waitFor(async () => expect(await countSearching()).toBe(1), { timeout: 10_000, interval: 10 });
    controller.abort(new RangeError('enough'));
    expect(await searching).toEqual(new RangeError('enough'));
    expect(await countSearching()).toBe(0);
  });
  // Its connection serves the next one.
  expect((await engine.search(world.scope, { ...request, signal: undefined })).total).toBeGreaterThan(0);
});

test('a signal that was aborted before ends a search with its reason', async () => {
  const request = { ...(await world.request(PLAIN)), signal: AbortSignal.abort(new RangeError('too late')) };
  await expect(engine.search(world.scope, request)).rejects.toThrow('too late');
});

test('page, total and facets are of one state while assets come and go', async () => {
  const organizationId = world.scope.organizationId;
  const request = { ...(await world.request(SCORED)), signal: new AbortController().signal };
  const totals = new Set<number>();
  const write = async (n: number) => {
    const [id = 0] = await insertAssets({ app: { installation: { db: worlds.db } }, organizationId }, [
      { name: 'goal' },
    ]);
    if (n % 3 > 0) return;
    await writeLibrary(worlds.db, world.scope, async ({ tx, record }) => {
      await tx.deleteFrom('asset').where('id', '=', id).execute();
      record({ type: 'media.purged', objectId: id });
    });
  };
  const search = async () => {
    const found = await engine.search(world.scope, request);
    expect([found.ids.length, found.facets[0]?.[0]?.count]).toEqual([found.total, found.total]);
    totals.add(found.total);
  };
  for (let n = 0; n < 30; n += 1) await Promise.all([write(n), search(), search()]);
  // Searches that all saw the same library would prove nothing.
  expect(totals.size).toBeGreaterThan(1);
});
