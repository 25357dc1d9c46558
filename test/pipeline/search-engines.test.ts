import fc from 'fast-check';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { scopeOf } from '../../src/auth/index.ts';
import { createLogger } from '../../src/base/index.ts';
import {
  createFreshness,
  createMediaSearch,
  createPostgresEngine,
  createSearchNames,
  createTagLookup,
  type Freshness,
  type MediaSearch,
  type TagLookup,
} from '../../src/search/index.ts';
import { startApp, type TestApp } from '../support/app.ts';
import { createTag, idsOf, searchMedia } from '../support/library.ts';
import { insertAssets } from '../support/search-library.ts';

const ASSETS = 120;
const signingKey = Buffer.alloc(32, 7);
let service: TestApp;
let oracle: MediaSearch;
let freshness: Freshness;
let tagLookup: TagLookup;
let assets: number[];
let players: number[];
let match: number;
let collection: number;

beforeAll(async () => {
  service = await startApp({ SEARCH_ENGINE: 'bitmap' });
  const { db } = service.app.installation;
  const logger = createLogger({ level: 'error' });
  freshness = createFreshness({ db, logger });
  tagLookup = createTagLookup({ db, logger, freshness });
  oracle = createMediaSearch({
    engine: createPostgresEngine(db),
    names: createSearchNames({ db, tagLookup }),
  });
  players = [];
  for (let n = 0; n < 5; n++) players.push(await createTag(service, { type: 'player', label: `Player ${n}` }));
  const home = await createTag(service, { type: 'club', label: 'Home' });
  match = await createTag(service, { type: 'match', label: 'Derby', relations: { home } });
  collection = (await service.call('POST', '/v1/collection', { body: { name: 'c' } })).body['collection'].id;
  assets = await insertAssets(
    service,
    Array.from({ length: ASSETS }, (_, n) => ({
      name: `frame ${n % 7}.jpg`,
      tags: [players[n % players.length] ?? 0],
      collections: n % 3 === 0 ? [collection] : [],
      capturedAt: n % 4 === 0 ? null : `2026-03-${String((n % 28) + 1).padStart(2, '0')}T12:00:00.000Z`,
      rating: n % 6,
    })),
  );
  await searchMedia(service, { limit: 0 });
  await vi.waitFor(() => expect(service.log()).toContain('search_index.loaded'), { timeout: 20_000 });
});
afterAll(async () => {
  await tagLookup.close();
  await freshness.close();
  await service.close();
});

type Write = () => Promise<unknown>;

function writes(): fc.Arbitrary<Write> {
  const asset = fc.constantFrom(...assets);
  const player = fc.constantFrom(...players);
  const patch =
    (id: number, body: object): Write =>
    () =>
      service.call('PATCH', `/v1/media/${id}`, { body });
  return fc.oneof(
    fc.tuple(asset, fc.integer({ min: 0, max: 5 })).map(([id, rating]) => patch(id, { rating })),
    fc.tuple(asset, fc.constantFrom('a.jpg', 'Z.jpg', 'é.jpg', 'frame 3.jpg')).map(([id, name]) => patch(id, { name })),
    fc.tuple(asset, fc.constantFrom(null, '2026-03-05T12:00:00Z')).map(([id, at]) => patch(id, { captured_at: at })),
    fc.tuple(asset, fc.boolean()).map(([id, inside]) => patch(id, { collections: inside ? [collection] : [] })),
    fc.tuple(asset, fc.constantFrom('ready', 'archived')).map(([id, status]) => patch(id, { status })),
    fc.tuple(asset, player, fc.boolean()).map(
      ([id, tag, adds]): Write =>
        () =>
          service.call('POST', `/v1/media/${id}/tag`, {
            body: adds ? { add: [tag, match] } : { remove: [tag, match] },
          }),
    ),
    asset.map(
      (id): Write =>
        () =>
          service.call('DELETE', `/v1/media/${id}`),
    ),
    asset.map(
      (id): Write =>
        () =>
          service.call('POST', `/v1/media/${id}/restore`),
    ),
  );
}

const QUERIES = [
  {},
  { player: 0 },
  { player: { only: [0] } },
  { none: [{ player: 0 }] },
  { rating: { gte: 3 } },
  { captured_at: { exists: false } },
  { name: 'frame' },
  { status: ['archived', 'deleted'] },
];

async function expectEqualAnswers(): Promise<void> {
  const named = QUERIES.map((query) =>
    JSON.parse(JSON.stringify(query).replaceAll(/(player":|\[)0/g, `$1${players[0]}`)),
  );
  const filters = [...named, { match }, { collection: { any: [collection] } }];
  for (const filter of filters) {
    for (const sort of ['-created_at', 'captured_at', 'name', '-rating', '-updated_at']) {
      const found = await searchMedia(service, { ...filter, sort, limit: 200 });
      const expected = await oracle.search(
        scopeOf(service.organizationId),
        { filter, sort, limit: 200 },
        { signingKey },
      );
      expect({ filter, sort, ids: idsOf(found), total: found['total'] }).toEqual({
        filter,
        sort,
        ids: expected.ids,
        total: expected.total,
      });
    }
  }
}

test('after every burst of writes both engines find the same assets in the same order', async () => {
  const burst = fc.array(writes(), { minLength: 1, maxLength: 12 });
  await fc.assert(
    fc.asyncProperty(burst, async (work) => {
      await Promise.all(work.map((write) => write()));
      await expectEqualAnswers();
    }),
    { numRuns: 25, seed: 20_261_121, endOnFailure: true },
  );
}, 120_000);

test('a merged tag and a removed collection leave both engines in agreement', async () => {
  await service.call('POST', `/v1/tag/${players[1]}/merge`, { body: { into: players[0] } });
  await expectEqualAnswers();
  // Its assets change with it: they leave the collection, and are the ones that were changed last.
  await service.call('DELETE', `/v1/collection/${collection}`);
  collection = (await service.call('POST', '/v1/collection', { body: { name: 'second' } })).body['collection'].id;
  await expectEqualAnswers();
});

test('searches that run while assets are written answer from one state of the library', async () => {
  const [tag = 0] = players;
  const readers = Array.from({ length: 20 }, () => searchMedia(service, { player: tag, limit: 200 }));
  const writers = assets
    .slice(0, 20)
    .map((id) => service.call('POST', `/v1/media/${id}/tag`, { body: { add: [tag] } }));
  const found = await Promise.all(readers);
  for (const one of found) expect(idsOf(one).length).toBe(one['total']);
  await Promise.all(writers);
  await expectEqualAnswers();
});
