import fc from 'fast-check';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { scopeOf } from '../../src/auth/index.ts';
import { createLogger } from '../../src/base/index.ts';
import { findActionPlaces } from '../../src/library/index.ts';
import {
  type ActionSearch,
  createActionSearch,
  createFreshness,
  createMediaSearch,
  createPostgresEngine,
  createSearchNames,
  createTagLookup,
  type FilterInput,
  type MediaSearch,
} from '../../src/search/index.ts';
import { type Json, startApp, type TestApp } from '../support/app.ts';
import { createTag, idsOf, searchMedia } from '../support/library.ts';
import { insertAssets } from '../support/search-library.ts';

/** The engine in memory follows what happens to actions: after every burst of writes it answers as PostgreSQL does. */

const VIDEOS = 12;
const MINUTE_MS = 60_000;
const signingKey = Buffer.alloc(32, 7);
let service: TestApp;
let oracle: { readonly media: MediaSearch; readonly actions: ActionSearch; close(): Promise<void> };
let videos: number[];
let players: number[];
let matches: number[];
/** As they were recorded; some are deleted later. */
const actions: number[] = [];

function openOracle(): typeof oracle {
  const { db } = service.app.installation;
  const logger = createLogger({ level: 'error' });
  const freshness = createFreshness({ db, logger });
  const tagLookup = createTagLookup({ db, logger, freshness });
  const options = { engine: createPostgresEngine(db), names: createSearchNames({ db, tagLookup }) };
  return {
    media: createMediaSearch(options),
    actions: createActionSearch(options),
    async close() {
      await tagLookup.close();
      await freshness.close();
    },
  };
}

beforeAll(async () => {
  service = await startApp({ SEARCH_ENGINE: 'bitmap' });
  oracle = openOracle();
  players = [];
  for (let n = 0; n < 4; n++) players.push(await createTag(service, { type: 'player', label: `Player ${n}` }));
  const home = await createTag(service, { type: 'club', label: 'Home' });
  const competition = await createTag(service, { type: 'competition', label: 'Cup' });
  matches = [];
  for (const label of ['Derby', 'Final']) {
    matches.push(await createTag(service, { type: 'match', label, relations: { home, competition } }));
  }
  videos = await insertAssets(
    service,
    Array.from({ length: VIDEOS }, (_, n) => ({
      name: `camera ${n}.mp4`,
      mediaType: 'video' as const,
      durationMs: 60 * MINUTE_MS,
      tags: [matches[n % 2] ?? 0],
    })),
  );
  await searchMedia(service, { limit: 0 });
  await vi.waitFor(() => expect(service.log()).toContain('search_index.loaded'), { timeout: 20_000 });
});
afterAll(async () => {
  await oracle.close();
  await service.close();
});

type Write = () => Promise<unknown>;

/** A refusal is an answer too: two writes of a burst may ask for what does not go together. */
const call = async (method: 'POST' | 'PATCH' | 'DELETE', path: string, body?: object): Promise<Json> =>
  (await service.call(method, path, body ? { body } : {})).body;

async function record(video: number, body: object): Promise<void> {
  const answer = await call('POST', `/v1/media/${video}/action`, body);
  for (const action of answer?.['actions'] ?? []) actions.push(action['id']);
}

function writes(): fc.Arbitrary<Write> {
  const video = fc.constantFrom(...videos);
  const tag = fc.constantFrom(...players);
  const minute = fc.integer({ min: 0, max: 50 });
  const some = fc.nat().map((n) => () => actions[n % Math.max(1, actions.length)] ?? 0);
  const fields = fc.record({
    type: fc.constantFrom('goal', 'shot', 'save'),
    label: fc.constantFrom('late winner', 'header', null),
    players: fc.array(fc.record({ id: tag, role: fc.constantFrom('scorer', 'assist') }), { maxLength: 2 }),
    outcome: fc.constantFrom('scored', null),
    source_ref: fc.constantFrom('1', '2', '3', '4', null),
  });
  const clock = minute.map((at) => ({ period: 1, clock_ms: at * MINUTE_MS }));
  const patch = fc.oneof(
    fc.constantFrom('confirmed', 'retracted', 'disputed').map((status) => ({ status })),
    fields.map(({ source_ref: _ref, ...rest }) => rest),
    minute.map((at) => ({ start_ms: at * MINUTE_MS, end_ms: at * MINUTE_MS + 1000 })),
  );
  const timeline = fc.record({
    angle: fc.constantFrom('main', 'behind goal', null),
    periods: fc.constantFrom([], [{ period: 1, start_ms: 0 }], [{ period: 1, start_ms: 5 * MINUTE_MS }]),
  });
  const many = (weight: number, arbitrary: fc.Arbitrary<Write>) => ({ weight, arbitrary });
  return fc.oneof(
    many(
      4,
      fc.tuple(video, fields, minute).map(
        ([id, body, at]) =>
          () =>
            record(id, { ...body, start_ms: at * MINUTE_MS }),
      ),
    ),
    many(
      3,
      fc.tuple(video, fields, clock).map(
        ([id, body, at]) =>
          () =>
            record(id, { ...body, ...at }),
      ),
    ),
    many(
      3,
      fc.tuple(some, patch).map(
        ([id, body]) =>
          () =>
            call('PATCH', `/v1/action/${id()}`, body),
      ),
    ),
    many(
      1,
      some.map((id) => () => call('DELETE', `/v1/action/${id()}`)),
    ),
    many(
      2,
      fc.tuple(video, timeline).map(
        ([id, body]) =>
          () =>
            call('PATCH', `/v1/media/${id}`, { timeline: body }),
      ),
    ),
    many(
      1,
      fc.tuple(video, fc.constantFrom(...matches), fc.boolean()).map(
        ([id, match, adds]) =>
          () =>
            call('POST', `/v1/media/${id}/tag`, adds ? { add: [match] } : { remove: [match] }),
      ),
    ),
    many(
      1,
      video.map((id) => () => call('DELETE', `/v1/media/${id}`)),
    ),
    many(
      1,
      video.map((id) => () => call('POST', `/v1/media/${id}/restore`)),
    ),
  );
}

function actionFilters(): readonly object[] {
  const [first, second] = players;
  return [
    {},
    { type: 'goal' },
    { player: first, role: 'scorer' },
    { player: { only: [first] } },
    { none: [{ player: second }] },
    { match: matches[0], minute: { gte: 10 } },
    { angle: 'behind goal' },
    { angle: { ne: 'main' } },
    { media_id: videos.slice(0, 3) },
    { status: ['retracted', 'disputed'] },
    { text: 'winner' },
    { text: '"late winner" -player' },
    { start_ms: { lt: 20 * MINUTE_MS }, outcome: { exists: true } },
  ];
}

async function expectEqualAnswers(): Promise<void> {
  const { db } = service.app.installation;
  const scope = scopeOf(service.organizationId);
  const facets = ['type', 'player', 'angle', 'role', 'status', 'minute'] as const;
  for (const filter of actionFilters()) {
    for (const sort of ['-created_at', 'start_ms', '-clock_ms', 'relevance']) {
      const found = await service.call('POST', '/v1/action/search', { body: { ...filter, sort, limit: 200, facets } });
      expect(found.status, JSON.stringify(found.body)).toBe(200);
      const expected = await oracle.actions.search(
        scope,
        { filter, sort, limit: 200, facets: [...facets] },
        { signingKey },
      );
      const placed = await findActionPlaces(db, scope, expected.placeIds);
      expect({
        filter,
        sort,
        actions: found.body['actions'].map((one: Json) => [one['id'], one['media_id']]),
        total: found.body['total'],
        facets: found.body['facets'],
      }).toEqual({
        filter,
        sort,
        actions: placed.map(({ action, place }) => [action.id, place.mediaId]),
        total: expected.total,
        facets: expected.facets,
      });
    }
    const byAction: readonly FilterInput[] = [{ action: { ...filter } }, { none: [{ action: filter }] }];
    for (const asked of byAction) {
      const sort = 'action' in asked ? 'action.start_ms' : 'name';
      const request = { ...asked, sort, limit: 200, facets: ['action.type', 'action.player'] as const };
      const found = await searchMedia(service, request);
      const expected = await oracle.media.search(
        scope,
        { filter: asked, sort, limit: 200, facets: [...request.facets] },
        { signingKey },
      );
      expect({ asked, ids: idsOf(found), total: found['total'], facets: found['facets'] }).toEqual({
        asked,
        ids: expected.ids,
        total: expected.total,
        facets: expected.facets,
      });
    }
  }
}

test('after every burst of writes both engines find the same actions, and the same assets by them', async () => {
  const burst = fc.array(writes(), { minLength: 1, maxLength: 10 });
  await fc.assert(
    fc.asyncProperty(burst, async (work) => {
      await Promise.all(work.map((write) => write()));
      await expectEqualAnswers();
    }),
    { numRuns: 15, seed: 20_261_121, endOnFailure: true },
  );
  // Searches of an empty library would agree with anything.
  expect((await service.call('POST', '/v1/action/search', { body: { limit: 0 } })).body['total']).toBeGreaterThan(5);
}, 180_000);

test('a merged player leaves both engines in agreement', async () => {
  const [into, from] = players;
  const merged = await call('POST', `/v1/tag/${from}/merge`, { into });
  expect(merged['code']).toBeUndefined();
  await expectEqualAnswers();
}, 60_000);
