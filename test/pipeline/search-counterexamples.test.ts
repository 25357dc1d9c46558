import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Database } from '../../src/db/index.ts';
import type { EngineResult, SearchEngine, SortKey } from '../../src/search/engine.ts';
import { createPostgresEngine } from '../../src/search/index.ts';
import type { AssetRow } from '../support/search-library.ts';
import { createSegmentEngine } from '../support/segment-engine.ts';
import { openWorlds, type World, type WorldQuery, type WorldTag, type Worlds } from '../support/search-worlds.ts';

/** Searches that random ones of search-model.test.ts meet seldom or never, each of which an engine could get wrong. */
const ENGINES: Readonly<Record<string, (db: Database) => SearchEngine>> = {
  postgres: createPostgresEngine,
  bitmap: createSegmentEngine,
};

let worlds: Worlds;
beforeAll(async () => {
  worlds = await openWorlds();
});
afterAll(() => worlds.close());

const worldOf = (assets: readonly AssetRow[], options: { tags?: readonly WorldTag[]; formerWords?: string[] } = {}) =>
  worlds.create({
    tags: options.tags ?? [],
    formerWords: options.formerWords ?? [],
    collections: 0,
    assets: () => assets,
  });

const named = (...names: readonly string[]): readonly AssetRow[] => names.map((name) => ({ name }));

async function ask(engine: SearchEngine, world: World, query: Partial<WorldQuery> & { after?: SortKey } = {}) {
  const request = await world.request({ filter: {}, sort: 'relevance', limit: 200, ...query });
  const found: EngineResult = await engine.search(world.scope, { ...request, after: query.after });
  return { ...found, at: found.ids.map((id) => world.assetIds.indexOf(id)) };
}

describe.each(Object.entries(ENGINES))('with the %s engine', (_, create) => {
  let engine: SearchEngine;
  beforeAll(() => {
    engine = create(worlds.db);
  });
  const found = async (world: World, text: string) => (await ask(engine, world, { filter: { text } })).at;

  test('a word that only another library has is a mistyped one here', async () => {
    await worldOf(named('gaol'));
    const world = await worldOf(named('goal'));
    expect(await found(world, 'gaol ')).toEqual([0]);
  });

  test('a word that no asset has any more does not hide that it is mistyped', async () => {
    const world = await worldOf(named('goal'), { formerWords: ['gaol', 'goat'] });
    expect(await found(world, 'gaol ')).toEqual([0]);
    expect(await found(world, 'goat ')).toEqual([0]);
  });

  test('a word that only an asset in the bin has is no mistyped one', async () => {
    const world = await worldOf([{ name: 'goal' }, { name: 'gaol', status: 'deleted' }]);
    expect(await found(world, 'gaol ')).toEqual([]);
  });

  test('a word that only a tag option has, on no asset, is no mistyped one', async () => {
    const world = await worldOf(named('goal'), { tags: [{ type: 'tag', names: ['gaol'] }] });
    expect(await found(world, 'gaol ')).toEqual([]);
  });

  test('the first letter is compared as UTF-16 has it: of a letter beyond its first 65,536 by the first half', async () => {
    const world = await worldOf(named('𠀁京北東', '𩀁京北東'));
    expect(await found(world, '𠀀京北東 ')).toEqual([0]);
  });

  test('a word of letters beyond the first 65,536 is as long as its UTF-16 units', async () => {
    const world = await worldOf(named('𠀀𠀁𠀂𠀃', '𠀀𠀁𠀃'));
    // Eight units forgive two edits; one of these letters is two.
    expect(await found(world, '𠀀𠀁𠀂𠀄 ')).toEqual([0]);
  });

  test('a phrase does not reach from one text of an asset into the next', async () => {
    const world = await worldOf([
      { name: 'left', details: { title: 'foot' } },
      { name: 'x', details: { keywords: ['left', 'foot'] } },
      { name: 'x', details: { keywords: ['left foot'] } },
    ]);
    expect(await found(world, '"left foot"')).toEqual([2]);
  });

  test('a phrase may say a word twice', async () => {
    const world = await worldOf(named('goal', 'goal goal', 'goal x goal'));
    expect(await found(world, '"goal goal"')).toEqual([1]);
  });

  test('a negated word is not forgiven a mistake', async () => {
    const world = await worldOf(named('goal left', 'foot left'));
    expect(await found(world, 'left -gaol ')).toEqual([1, 0]);
  });

  test('a text below none excludes, forgives, and adds nothing to a score', async () => {
    const world = await worldOf(named('goal goal x', 'goal', 'corner'));
    const filter = { none: [{ text: 'cormer ' }], text: 'goal ' };
    expect((await ask(engine, world, { filter })).at).toEqual([0, 1]);
    expect((await ask(engine, world, { filter: { none: [{ text: 'goal ' }] } })).at).toEqual([2]);
    const none = await ask(engine, world, { filter: { none: [{ text: 'x ' }] }, limit: 1 });
    expect(none.nextKey).toEqual({ value: 0, id: world.assetIds[2], weights: [] });
  });

  test('the weights of the first page order the next ones', async () => {
    const rows = [...named('goal a', 'goal b', 'goal c', 'goal d', 'corner e', 'corner f')];
    const world = await worldOf(rows);
    const filter = { any: [{ text: 'goal ' }, { text: 'corner ' }] };
    const first = await ask(engine, world, { filter, limit: 3 });
    expect(first.at).toEqual([5, 4, 3]);
    const [goal = 0, corner = 0] = first.nextKey?.weights ?? [];
    expect(corner).toBeGreaterThan(goal);
    const after = first.nextKey && { ...first.nextKey, weights: [corner, goal] };
    // As if the other word had been the rare one on the first page: the place is its score, below which nothing is left out.
    const value = (Number(first.nextKey?.value) / goal) * corner;
    const rest = await ask(engine, world, { filter, limit: 3, ...(after && { after: { ...after, value } }) });
    expect(rest.at).toEqual([2, 1, 0]);
    expect(rest.nextKey?.weights).toEqual([corner, goal]);
  });

  test('a time facet begins its weeks on Monday, also across the year, and keeps the newest', async () => {
    const times = [
      '2025-12-28T23:59:59.999Z',
      '2025-12-29T00:00:00Z',
      '2026-01-04T23:59:59.999Z',
      '2026-01-05T00:00:00Z',
    ];
    const world = await worldOf(times.map((capturedAt) => ({ capturedAt })));
    const week = (limit: number) => ({ field: 'captured_at', interval: 'week', limit });
    const { facets } = await ask(engine, world, { limit: 0, facets: [week(1000), week(2)] });
    expect(facets[0]?.map(({ key, count }) => [key, count])).toEqual([
      ['2025-12-22T00:00:00.000Z', 1],
      ['2025-12-29T00:00:00.000Z', 2],
      ['2026-01-05T00:00:00.000Z', 1],
    ]);
    expect(facets[1]).toEqual(facets[0]?.slice(1));
  });

  test('a facet sees what its own filter opens: the bin only when that asks for it', async () => {
    const world = await worldOf([{ status: 'ready' }, { status: 'archived' }, { status: 'deleted' }]);
    const status = { field: 'status', limit: 10 };
    const { facets, total } = await ask(engine, world, {
      limit: 0,
      facets: [
        status,
        { ...status, filter: { status: { ne: 'ready' } } },
        { ...status, filter: { status: ['deleted'] } },
      ],
    });
    expect(total).toBe(1);
    expect(facets).toEqual([
      [{ key: 'ready', count: 1 }],
      [{ key: 'archived', count: 1 }],
      [{ key: 'deleted', count: 1 }],
    ]);
  });

  test('two hundred words in one filter find and score', async () => {
    const world = await worldOf(named('goal', 'goal corner'));
    const text = Array.from({ length: 20 }, (_unused, n) => (n % 2 === 0 ? 'goal' : 'corner')).join(' ');
    const { at } = await ask(engine, world, {
      filter: { any: Array.from({ length: 10 }, () => ({ text: `${text} ` })) },
    });
    expect(at).toEqual([1]);
  });
});
