import * as fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type LibraryScope, scopeOf } from '../../src/auth/index.ts';
import { AppError, createLogger } from '../../src/base/index.ts';
import { type Database, openDatabase } from '../../src/db/index.ts';
import {
  type ActionInput,
  createTag,
  deleteAction,
  editAsset,
  editTag,
  findActionPlaces,
  findActions,
  findAsset,
  findTag,
  finishProcessing,
  insertOrganization,
  type LibraryWrite,
  mergeTag,
  patchAction,
  purgeAsset,
  readChanges,
  readVersion,
  releaseActions,
  type Timeline,
  writeActions,
  writeLibrary,
} from '../../src/library/index.ts';
import { changeTags } from '../../src/library/assets.ts';
import { recomputeAngles } from '../../src/library/action-follow-ups.ts';
import { createTestDatabase } from '../support/database.ts';
import { insertAssets } from '../support/search-library.ts';

const MINUTE = 60_000;
const ACTOR = { actor: 'test' };

const closers: (() => Promise<void>)[] = [];
let db: Database;
let organizations = 0;
beforeAll(async () => {
  const database = await createTestDatabase();
  closers.push(() => database.drop());
  const opened = openDatabase({
    connection: { connectionString: database.url },
    applicationName: 'actions',
    maxConnections: 4,
    logger: createLogger({ level: 'warn', destination: { write: () => {} } }),
  });
  db = opened.db;
  closers.push(() => db.destroy());
});
afterAll(async () => {
  for (const close of closers.toReversed()) await close();
});

type World = {
  readonly scope: LibraryScope;
  readonly match: number;
  readonly players: readonly [number, number];
  write<T>(work: (write: LibraryWrite) => Promise<T>): Promise<T>;
  /** Videos of two hours that carry these tags. */
  videos(count: number, tags: readonly number[]): Promise<number[]>;
};

async function openWorld(): Promise<World> {
  organizations += 1;
  const slug = `world-${organizations}`;
  const organization = await insertOrganization(db, { slug, name: slug });
  const scope = scopeOf(organization.id);
  const write: World['write'] = async (work) => (await writeLibrary(db, scope, work)).result;
  const create = (type: 'match' | 'player', label: string) => write((open) => createTag(open, { type, label }));
  const library = { app: { installation: { db } }, organizationId: organization.id };
  return {
    scope,
    write,
    match: await create('match', 'A-B'),
    players: [await create('player', 'Ann'), await create('player', 'Bea')],
    videos: (count, tags) =>
      insertAssets(
        library,
        Array.from({ length: count }, () => ({ mediaType: 'video', durationMs: 120 * MINUTE, tags })),
      ),
  };
}

const timeline = (startMs: number, given: Partial<Timeline> = {}): Timeline => ({
  angle: null,
  startedAt: null,
  startTimecode: null,
  periods: [{ period: 1, startMs }],
  ...given,
});

async function setTimeline({ scope, write }: World, id: number, given: Timeline | null): Promise<void> {
  await write(async (open) => {
    const asset = await findAsset(open.tx, scope, id);
    if (asset) await editAsset(open, asset, { timeline: given });
  });
}

/** Writes actions that must be taken, and answers their IDs. */
async function record({ write }: World, inputs: readonly ActionInput[]): Promise<number[]> {
  const outcomes = await write((open) => writeActions(open, inputs, ACTOR));
  return outcomes.map((outcome) => {
    if ('error' in outcome) throw outcome.error;
    return outcome.id;
  });
}

const tagIdsOf = async (id: number): Promise<number[]> => {
  const found = await sql<{ tag_ids: number[] }>`SELECT tag_ids FROM action WHERE id = ${id}`.execute(db);
  return found.rows[0]?.tag_ids ?? [];
};

describe('states of an event', () => {
  const stated = fc.record({
    label: fc.option(fc.constantFrom('one', 'two', 'three'), { nil: null }),
    startMs: fc.integer({ min: 0, max: 1000 }),
    lengthMs: fc.integer({ min: 0, max: 1000 }),
    outcome: fc.option(fc.constantFrom('goal', 'saved'), { nil: undefined }),
    x: fc.option(fc.float({ min: 0, max: 100, noNaN: true }), { nil: null }),
    status: fc.constantFrom('confirmed', 'retracted', 'disputed'),
    details: fc.dictionary(fc.constantFrom('a', 'b', 'c'), fc.oneof(fc.integer(), fc.constant('x'))),
  });
  const versions = fc.uniqueArray(fc.integer({ min: 0, max: 20 }), { minLength: 2, maxLength: 6 });

  test('in any order and in any number of calls end in the newest', async () => {
    const world = await openWorld();
    const [mediaId = 0] = await world.videos(1, [world.match]);
    let run = 0;
    const cases = versions.chain((numbers) =>
      fc.record({
        states: fc.tuple(...numbers.map((version) => fc.record({ version: fc.constant(version), stated }))),
        order: fc.shuffledSubarray([...numbers.keys()], { minLength: numbers.length }),
        calls: fc.integer({ min: 1, max: 6 }),
      }),
    );
    await fc.assert(
      fc.asyncProperty(cases, async ({ states, order, calls }) => {
        run += 1;
        const inputs = order.flatMap((at): ActionInput[] => {
          const state = states[at];
          if (!state) return [];
          const { lengthMs, ...given } = state.stated;
          const endMs = given.startMs + lengthMs;
          const ref = { source: 'feed:x', sourceRef: `run ${run}`, sourceVersion: state.version };
          return [{ mediaId, type: 'goal', ...given, endMs, ...ref }];
        });
        const size = Math.ceil(inputs.length / calls);
        const ids = new Set<number>();
        for (let at = 0; at < inputs.length; at += size) {
          for (const id of await record(world, inputs.slice(at, at + size))) ids.add(id);
        }
        expect(ids.size).toBe(1);
        const newest = inputs.toSorted((a, b) => (b.sourceVersion ?? 0) - (a.sourceVersion ?? 0))[0];
        const [action] = await findActions(db, world.scope, [...ids]);
        expect(action).toMatchObject({
          label: newest?.label,
          outcome: newest?.outcome ?? null,
          status: newest?.status,
          details: newest?.details,
          sourceVersion: newest?.sourceVersion,
          places: [{ startMs: newest?.startMs, endMs: newest?.endMs, eventMs: newest?.startMs }],
        });
        // The newest again changes nothing, although numbers of pitches are kept shorter than they were given.
        const before = await readVersion(db, world.scope);
        if (newest) await record(world, [newest]);
        expect(await readVersion(db, world.scope)).toBe(before);
      }),
      { numRuns: 40 },
    );
  }, 60_000);
});

describe('counts, places and feed', () => {
  type Step =
    | { readonly kind: 'record'; readonly video: number; readonly at: number; readonly clock: boolean }
    | { readonly kind: 'retract' | 'delete' | 'confirm' | 'move'; readonly action: number; readonly at: number }
    | { readonly kind: 'timeline'; readonly video: number; readonly at: number | null; readonly wallclock: boolean }
    | { readonly kind: 'tag' | 'untag'; readonly video: number };
  const video = fc.nat(3);
  const at = fc.integer({ min: 0, max: 100 }).map((minute) => minute * MINUTE);
  const steps: fc.Arbitrary<Step> = fc.oneof(
    { weight: 4, arbitrary: fc.record({ kind: fc.constant('record' as const), video, at, clock: fc.boolean() }) },
    {
      weight: 3,
      arbitrary: fc.record({
        kind: fc.constantFrom('retract' as const, 'delete' as const, 'confirm' as const, 'move' as const),
        action: fc.nat(20),
        at,
      }),
    },
    {
      weight: 4,
      arbitrary: fc.record({
        kind: fc.constant('timeline' as const),
        video,
        at: fc.option(at, { nil: null, freq: 5 }),
        wallclock: fc.boolean(),
      }),
    },
    { weight: 2, arbitrary: fc.record({ kind: fc.constantFrom('tag' as const, 'untag' as const), video }) },
  );

  async function take(world: World, videos: readonly number[], step: Step): Promise<void> {
    const { scope, match } = world;
    switch (step.kind) {
      case 'record': {
        const mediaId = videos[step.video] ?? 0;
        const moment = { period: 1, clockMs: step.at };
        const input = { mediaId, type: 'goal', match, ...(step.clock ? moment : { eventMs: step.at }) };
        // A clock without a kick-off is refused, and that changes nothing.
        await world.write((open) => writeActions(open, [input], ACTOR));
        return;
      }
      case 'timeline': {
        const startedAt = step.wallclock ? new Date(Date.UTC(2026, 2, 14, 19, 0) - (step.at ?? 0)) : null;
        const given = step.at === null ? null : timeline(step.at, { startedAt });
        return setTimeline(world, videos[step.video] ?? 0, given);
      }
      case 'tag':
      case 'untag': {
        const change = step.kind === 'tag' ? { add: [match], remove: [] } : { add: [], remove: [match] };
        await world.write((open) => changeTags(open, videos[step.video] ?? 0, change));
        return;
      }
      default: {
        const found = await sql<{ id: number }>`SELECT id FROM action WHERE organization_id = ${scope.organizationId}
          AND deleted_at IS NULL ORDER BY id`.execute(db);
        const id = found.rows[step.action % Math.max(1, found.rows.length)]?.id;
        const [action] = await findActions(db, scope, id === undefined ? [] : [id]);
        if (!action) return;
        await world.write(async (open) => {
          if (step.kind === 'delete') return deleteAction(open, action, ACTOR);
          const patch =
            step.kind === 'move'
              ? { eventMs: step.at }
              : ({ status: step.kind === 'retract' ? 'retracted' : 'confirmed' } as const);
          await patchAction(open, action, { patch, ...ACTOR });
          return undefined;
        });
      }
    }
  }

  test('are right after any writes', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(steps, { minLength: 5, maxLength: 25 }), async (taken) => {
        const world = await openWorld();
        const videos = await world.videos(4, [world.match]);
        for (const step of taken) {
          const from = await readVersion(db, world.scope);
          const before = await placesOf(world);
          await take(world, videos, step);
          await expectTold(world, { from, before });
        }
        const counted = await sql<{ id: number }>`SELECT id FROM asset a
          WHERE organization_id = ${world.scope.organizationId} AND actions_count <> (
            SELECT count(*) FROM action_media p JOIN action x ON x.id = p.action_id
            WHERE p.asset_id = a.id AND x.status <> 'retracted')`.execute(db);
        expect(counted.rows).toEqual([]);
        // Computing all of it anew finds nothing to change.
        const at = await readVersion(db, world.scope);
        await world.write((open) => recomputeAngles(open, videos));
        expect(await readVersion(db, world.scope)).toBe(at);
      }),
      { numRuns: 25 },
    );
  }, 120_000);

  async function placesOf({ scope }: World): Promise<ReadonlyMap<string, string>> {
    const found = await sql<{ key: string; state: string }>`
      SELECT p.asset_id || ' ' || p.action_id AS key, p.start_ms || ' ' || p.event_ms || ' ' || a.status AS state
      FROM action_media p JOIN action a ON a.id = p.action_id
      WHERE a.organization_id = ${scope.organizationId}`.execute(db);
    return new Map(found.rows.map(({ key, state }) => [key, state]));
  }

  /** Every asset in which a place came, went or changed is named by a change: indexes read these again. */
  async function expectTold(
    world: World,
    { from, before }: { readonly from: number; readonly before: ReadonlyMap<string, string> },
  ): Promise<void> {
    const after = await placesOf(world);
    const keys = new Set([...before.keys(), ...after.keys()]);
    const touched = [...keys]
      .filter((key) => before.get(key) !== after.get(key))
      .map((key) => Number(key.split(' ')[0]));
    const changes = await readChanges(db, world.scope, { after: from, limit: 1000 });
    const told = new Set(
      changes.flatMap(({ type, objectId, data }) =>
        type.startsWith('media.') ? [objectId] : ((data['media_ids'] as number[] | undefined) ?? []),
      ),
    );
    for (const id of touched) expect(told).toContain(id);
  }
});

describe('actions of tag options that change', () => {
  test('name the player that another was merged into, once for each role', async () => {
    const world = await openWorld();
    const { scope, write, players } = world;
    const [ann, bea] = players;
    const [mediaId = 0] = await world.videos(1, [world.match]);
    const [id = 0] = await record(world, [
      {
        mediaId,
        type: 'goal',
        eventMs: 1,
        players: [
          { tag: ann, role: 'scorer', shirt: 9 },
          { tag: bea, role: 'scorer', shirt: 10 },
          { tag: ann, role: 'assist', shirt: null },
        ],
      },
    ]);
    await write(async (open) => {
      const [from, into] = [await findTag(open.tx, scope, ann), await findTag(open.tx, scope, bea)];
      if (from && into) await mergeTag(open, { from, into });
    });
    const [action] = await findActions(db, scope, [id]);
    expect(action?.players).toEqual([
      { id: bea, role: 'scorer', shirt: 9 },
      { id: bea, role: 'assist', shirt: null },
    ]);
    expect(await tagIdsOf(id)).toContain(bea);
    expect(await tagIdsOf(id)).not.toContain(ann);
    expect(action?.version).toBe(2);
  });

  test('keep their other angles when matches are merged', async () => {
    const world = await openWorld();
    const { scope, write, match } = world;
    const other = await write((open) => createTag(open, { type: 'match', label: 'A-B again' }));
    const [main = 0, second = 0] = await world.videos(2, [match]);
    for (const id of [main, second]) await setTimeline(world, id, timeline(0));
    const [id = 0] = await record(world, [{ mediaId: main, type: 'goal', period: 1, clockMs: MINUTE }]);
    await write(async (open) => {
      const [from, into] = [await findTag(open.tx, scope, match), await findTag(open.tx, scope, other)];
      if (from && into) await mergeTag(open, { from, into });
    });
    const [action] = await findActions(db, scope, [id]);
    expect(action).toMatchObject({ matchId: other, places: [{ mediaId: main }, { mediaId: second, derived: true }] });
  });

  test('follow competition, season and stadium of their match', async () => {
    const world = await openWorld();
    const { scope, write, match } = world;
    const [mediaId = 0] = await world.videos(1, [match]);
    const [id = 0] = await record(world, [{ mediaId, type: 'goal', eventMs: 1 }]);
    const cup = await write((open) => createTag(open, { type: 'competition', label: 'Cup' }));
    const edit = (competition: number | null) =>
      write(async (open) => {
        const present = await findTag(open.tx, scope, match);
        if (present) await editTag(open, present, { match: { competition } });
      });
    await edit(cup);
    expect(await tagIdsOf(id)).toContain(cup);
    const from = await readVersion(db, scope);
    await edit(null);
    expect(await tagIdsOf(id)).not.toContain(cup);
    const changes = await readChanges(db, scope, { after: from, limit: 100 });
    expect(changes).toContainEqual(
      expect.objectContaining({ type: 'action.updated', objectId: id, data: { media_ids: [mediaId] } }),
    );
  });
});

describe('a video whose length becomes known', () => {
  test('shows the actions of its match that lie in it', async () => {
    const world = await openWorld();
    const { scope, write, match } = world;
    const [main = 0, second = 0] = await world.videos(2, [match]);
    await sql`UPDATE asset SET duration_ms = NULL, status = 'processing' WHERE id = ${second}`.execute(db);
    for (const id of [main, second]) await setTimeline(world, id, timeline(0));
    const goal = (minute: number): ActionInput => {
      return { mediaId: main, type: 'goal', period: 1, clockMs: minute * MINUTE };
    };
    const ids = await record(world, [goal(1), goal(3)]);
    const shownIn = async (id: number) =>
      (await findActions(db, scope, ids)).flatMap(({ places }) => places.filter((place) => place.mediaId === id));
    expect(await shownIn(second)).toEqual([]);
    const asset = await findAsset(db, scope, second);
    await write((open) =>
      finishProcessing(
        open,
        { id: second, revision: asset?.revision ?? 0 },
        {
          mimeType: 'video/mp4',
          extension: 'mp4',
          width: 1280,
          height: 720,
          orientation: 'landscape',
          durationMs: 2 * MINUTE,
          frameRate: { num: 25, den: 1 },
          video: {},
          hasAlpha: false,
          capturedAt: null,
          capturedOffsetMinutes: null,
          rating: null,
          details: {},
          warnings: [],
          files: [],
          faces: [],
          keywords: [],
          persons: [],
          events: [],
        },
      ),
    );
    expect(await shownIn(second)).toMatchObject([{ startMs: MINUTE, derived: true }]);
  });
});

describe('a video that is removed for good', () => {
  test('leaves its actions to another video that shows them', async () => {
    const world = await openWorld();
    const { scope, write, match } = world;
    const [main = 0, second = 0] = await world.videos(2, [match]);
    for (const id of [main, second]) await setTimeline(world, id, timeline(0));
    const ids = await record(world, [
      { mediaId: main, type: 'goal', period: 1, clockMs: MINUTE },
      { mediaId: main, type: 'shot', eventMs: MINUTE, match: null },
    ]);
    await write(async (open) => {
      await sql`UPDATE asset SET deleted_at = now() WHERE id = ${main}`.execute(open.tx);
      await releaseActions(open, main);
      await purgeAsset(open.tx, { id: main, organizationId: scope.organizationId });
    });
    const left = await findActions(db, scope, ids);
    expect(left).toMatchObject([{ id: ids[0], mediaId: second, places: [{ mediaId: second, startMs: MINUTE }] }]);
    const places = left.flatMap((action) => action.places.map((place) => place.id));
    expect(await findActionPlaces(db, scope, places)).toHaveLength(1);
  });
});

describe('another organization', () => {
  test('is told that a video, a player and a parent are unknown', async () => {
    const [own, foreign] = [await openWorld(), await openWorld()];
    const [video = 0] = await foreign.videos(1, [foreign.match]);
    const [ownVideo = 0] = await own.videos(1, []);
    const [parentId = 0] = await record(foreign, [{ mediaId: video, type: 'goal', eventMs: 1 }]);
    const goal = { mediaId: ownVideo, type: 'goal', eventMs: 1 };
    const outcomes = await own.write((open) =>
      writeActions(
        open,
        [
          { ...goal, mediaId: video },
          { ...goal, players: [{ tag: foreign.players[0], role: null, shirt: null }] },
          { ...goal, parentId },
        ],
        ACTOR,
      ),
    );
    const codes = outcomes.map((outcome) => ('error' in outcome ? outcome.error.code : outcome.result));
    expect(codes).toEqual(['not_found', 'unknown_tag_option', 'validation_failed']);
    expect(outcomes.every((outcome) => 'error' in outcome && outcome.error instanceof AppError)).toBe(true);
    expect(await findActions(db, own.scope, [parentId])).toEqual([]);
  });
});
