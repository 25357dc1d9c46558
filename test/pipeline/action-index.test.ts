import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { scopeOf } from '../../src/auth/index.ts';
import { createLogger } from '../../src/base/index.ts';
import { readVersion } from '../../src/library/index.ts';
import { type BitmapEngine, createBitmapEngine } from '../../src/search/bitmap/bitmap-engine.ts';
import { createSnapshots, type Snapshots } from '../../src/search/bitmap/snapshot/snapshots.ts';
import type { ActionEngineRequest, EngineRequest, SearchEngine } from '../../src/search/engine.ts';
import type { ActionFilter, Filter } from '../../src/search/filter/filter-tree.ts';
import { createFreshness, createPostgresEngine, type Freshness } from '../../src/search/index.ts';
import { startApp, type TestApp } from '../support/app.ts';
import { createTag } from '../support/library.ts';
import { createPlainTagWords } from '../support/plain-tag-words.ts';
import { insertAssets } from '../support/search-library.ts';

/** The index in memory follows what is written about actions: videos of one match, tagged over HTTP. */
let service: TestApp;
let freshness: Freshness;
let postgres: SearchEngine;
let videos: number[];
let players: number[];
let match: number;
const closers: (() => Promise<unknown>)[] = [];
const scope = () => scopeOf(service.organizationId);

beforeAll(async () => {
  service = await startApp({ SEARCH_ENGINE: 'postgres' });
  closers.push(() => service.close());
  const { db } = service.app.installation;
  freshness = createFreshness({ db, logger: createLogger({ level: 'error' }) });
  closers.push(() => freshness.close());
  postgres = createPostgresEngine(db);
  players = [];
  for (let n = 0; n < 3; n += 1) players.push(await createTag(service, { type: 'player', label: `Player ${n}` }));
  const home = await createTag(service, { type: 'club', label: 'Home' });
  match = await createTag(service, { type: 'match', label: 'Derby', relations: { home } });
  videos = await insertAssets(
    service,
    Array.from({ length: 4 }, (_, n) => ({
      mediaType: 'video' as const,
      durationMs: 7_200_000,
      name: `camera ${n}.mp4`,
      tags: n < 3 ? [match] : [],
    })),
  );
});
afterAll(async () => {
  for (const close of closers.toReversed()) await close();
});

/** An engine that reads every library in a thread. */
async function openEngine(
  snapshots?: Snapshots,
): Promise<{ readonly engine: BitmapEngine; readonly log: () => string }> {
  const lines: string[] = [];
  const { db, connection } = service.app.installation;
  const refusing = { search: () => Promise.reject(new Error('expected an index in memory')) };
  const engine = createBitmapEngine({
    db,
    connection,
    applicationName: 'touchline-test',
    freshness,
    whileLoading: { ...refusing, searchActions: refusing.search },
    snapshots,
    maxBytes: 2 ** 30,
    logger: createLogger({ level: 'debug', destination: { write: (line) => void lines.push(line) } }),
    smallLibrary: 0,
  });
  closers.push(() => engine.close());
  await engine.search(scope(), requests().media[0] as EngineRequest).catch(() => undefined);
  await vi.waitFor(() => expect(engine.stats().length).toBe(1), { timeout: 20_000 });
  return { engine, log: () => lines.join('') };
}

function requests(): { readonly media: readonly EngineRequest[]; readonly actions: readonly ActionEngineRequest[] } {
  const page = { limit: 200, offset: 0, after: undefined, tagWords: createPlainTagWords([]) };
  const ofPlayer: ActionFilter = {
    kind: 'ids',
    field: 'player',
    test: 'any',
    ids: players.slice(0, 2),
    roles: ['scorer', 'assist'],
  };
  const angle: ActionFilter = { kind: 'exists', field: 'angle', exists: true };
  const anyStatus: ActionFilter = { kind: 'exists', field: 'status', exists: true };
  const everything: ActionFilter = { kind: 'all', filters: [] };
  const asset = (filter: ActionFilter): Filter => ({ kind: 'all', filters: [{ kind: 'action', filter }] });
  return {
    media: [ofPlayer, angle, anyStatus, everything].map((filter) => ({
      ...page,
      filter: asset(filter),
      sort: { field: 'action.start_ms', descending: false },
      facets: [{ field: 'action.player', limit: 10, filter: asset(filter) }],
    })),
    actions: [ofPlayer, angle, anyStatus, everything].map((filter, at) => ({
      ...page,
      filter,
      media: { kind: 'all', filters: [] },
      homeOnly: at === 0,
      sort: { field: 'start_ms', descending: true },
      facets: [
        { field: 'type', limit: 10, filter },
        { field: 'role', limit: 10, filter },
      ],
    })),
  };
}

/** Both engines answer alike at the library's present version; answers how many actions there are. */
async function expectSame(engine: BitmapEngine): Promise<number> {
  const version = await readVersion(service.app.installation.db, scope());
  const { media, actions } = requests();
  for (const request of media) {
    expect(await engine.search(scope(), { ...request, version })).toEqual(await postgres.search(scope(), request));
  }
  let total = 0;
  for (const request of actions) {
    const answer = await engine.searchActions(scope(), { ...request, version });
    expect(answer).toEqual(await postgres.searchActions(scope(), request));
    total = answer.total;
  }
  return total;
}

async function actionIds(): Promise<readonly number[]> {
  const found = await service.app.installation.db
    .selectFrom('action')
    .select('id')
    .where('deleted_at', 'is', null)
    .execute();
  return found.map((row) => row.id);
}

type Write = () => Promise<unknown>;

function writes(): fc.Arbitrary<Write> {
  const video = fc.nat(3).map((at) => videos[at] ?? 0);
  const player = fc.record({
    id: fc.nat(2).map((at) => players[at] ?? 0),
    role: fc.constantFrom('scorer', 'assist', null),
  });
  const content = fc.record({
    type: fc.constantFrom('goal', 'shot', 'save'),
    label: fc.constantFrom('late winner', 'header', null),
    players: fc.array(player, { maxLength: 2 }),
    status: fc.constantFrom('confirmed', 'confirmed', 'retracted'),
  });
  const create = fc.tuple(video, fc.array(content, { minLength: 1, maxLength: 4 }), fc.nat(3_600_000)).map(
    ([id, contents, startMs]): Write =>
      async () => {
        const body = contents.map((one) => ({ ...one, start_ms: startMs, end_ms: startMs + 1 }));
        const answer = await service.call('POST', `/v1/media/${id}/action`, { body });
        // A video in the bin takes none.
        expect([200, 201, 404]).toContain(answer.status);
      },
  );
  const withOne =
    (at: number, work: (id: number) => Promise<unknown>): Write =>
    async () => {
      const ids = await actionIds();
      const id = ids[at % Math.max(1, ids.length)];
      if (id !== undefined) await work(id);
    };
  const change = fc
    .tuple(fc.nat(100), content)
    .map(([at, body]) => withOne(at, (id) => service.call('PATCH', `/v1/action/${id}`, { body })));
  const remove = fc.nat(100).map((at) => withOne(at, (id) => service.call('DELETE', `/v1/action/${id}`)));
  const timeline = fc.tuple(video, fc.constantFrom('main', 'behind goal'), fc.nat(60_000)).map(
    ([id, angle, startMs]): Write =>
      () =>
        service.call('PATCH', `/v1/media/${id}`, {
          body: { timeline: { angle, periods: [{ period: 1, start_ms: startMs }] } },
        }),
  );
  const bin = fc.tuple(video, fc.constantFrom(true, false, false, false)).map(
    ([id, away]): Write =>
      () =>
        away ? service.call('DELETE', `/v1/media/${id}`) : service.call('POST', `/v1/media/${id}/restore`),
  );
  return fc.oneof(
    { weight: 5, arbitrary: create },
    { weight: 3, arbitrary: change },
    { weight: 1, arbitrary: remove },
    { weight: 2, arbitrary: timeline },
    { weight: 1, arbitrary: bin },
  );
}

test('after every burst of writes the index knows the same actions as the database', async () => {
  const { engine } = await openEngine();
  let most = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(writes(), { minLength: 1, maxLength: 5 }), async (burst) => {
      for (const write of burst) await write();
      most = Math.max(most, await expectSame(engine));
    }),
    { numRuns: 30, endOnFailure: true },
  );
  expect(most).toBeGreaterThan(20);
}, 120_000);

test('an index that a thread reads, and one from its snapshot, have the same actions as the database', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'touchline-actions-'));
  closers.push(() => rm(folder, { recursive: true, force: true }));
  const snapshots = createSnapshots({ folder, logger: createLogger({ level: 'error' }) });
  const { engine, log } = await openEngine(snapshots);
  expect(await expectSame(engine)).toBeGreaterThan(5);
  await vi.waitFor(() => expect(log()).toContain('search_index.snapshot'), { timeout: 20_000 });
  const stats = engine.stats();
  expect(stats[0]?.actions).toBeGreaterThan(5);
  await engine.close();
  const reopened = await openEngine(snapshots);
  await expectSame(reopened.engine);
  expect(reopened.engine.stats().map(({ size, actions }) => [size, actions])).toEqual(
    stats.map(({ size, actions }) => [size, actions]),
  );
});
