import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { searchActionRows, searchRows } from '../../../test/support/index-model.ts';
import {
  indexActionFilter,
  indexActionRequest,
  indexFilter,
  indexRequest,
  indexTagWords,
} from '../../../test/support/index-queries.ts';
import { ACTION_TYPE_IDS, indexTagType, manyRows, TAG_IDS } from '../../../test/support/index-rows.ts';
import type { IndexRow, TagType } from '../../library/index.ts';
import type { ActionEngineRequest, EngineRequest } from '../engine.ts';
import type { ActionFilter } from '../filter/filter-tree.ts';
import { createLibraryIndex, type LibraryIndex } from './library-index.ts';
import { createSegmentBuilder } from './segment/segment-builder.ts';

const types = new Map<number, TagType>(
  [...TAG_IDS, ...ACTION_TYPE_IDS].map((id) => [id, indexTagType(id) ?? 'tag'] as const),
);

function indexOf(rows: Iterable<IndexRow>): LibraryIndex {
  const builder = createSegmentBuilder();
  for (const row of rows) builder.add(row);
  const index = createLibraryIndex([{ data: builder.finish(), stale: [] }]);
  index.setTagTypes(types);
  return index;
}

const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value));
const SEED = 20_261_121;

/** Random searches by actions and of actions find in the index what a linear scan of the rows does. */
async function expectAnswers(index: LibraryIndex, rows: readonly IndexRow[], runs: number): Promise<void> {
  const byAction = fc.tuple(indexActionFilter(), indexFilter(), fc.boolean()).map(([filter, other, alone]) => ({
    kind: 'all' as const,
    filters: [{ kind: 'action' as const, filter }, ...(alone ? [] : [other])],
  }));
  for (const request of fc.sample(indexRequest(byAction), { numRuns: runs, seed: SEED })) {
    const { filter, sort } = request;
    const answer = await index.search(request);
    expect(plain({ filter, sort, ...answer })).toEqual(
      plain({ filter, sort, ...searchRows(rows, request, indexTagType) }),
    );
  }
  for (const request of fc.sample(indexActionRequest(), { numRuns: runs, seed: SEED })) {
    const { filter, media, sort } = request;
    const answer = await index.searchActions(request);
    expect(plain({ filter, media, sort, ...answer })).toEqual(
      plain({ filter, media, sort, ...searchActionRows(rows, request, indexTagType) }),
    );
  }
}

describe('searches by actions of libraries of several chunks', () => {
  test('whose actions are in few assets, one of which has them in three chunks', async () => {
    const actionsOf = (at: number) => (at === 150 ? 70_000 : at % 5 === 0 ? 20 : 0);
    const rows = [...manyRows(300, { seed: 51, actionsOf })];
    const index = indexOf(rows);
    // Some are gone, the largest stays; some came anew with other actions.
    const fresh = [...manyRows(20, { seed: 52, firstId: 200, actionsOf: (_, draw) => draw(40) })];
    const removed = rows.filter((row) => row.id % 17 === 0 && row.id < 150).map((row) => row.id);
    await index.apply({ rows: fresh, removed });
    const gone = new Set([...removed, ...fresh.map((row) => row.id)]);
    const live = [...rows.filter((row) => !gone.has(row.id)), ...fresh];
    expect(index.actions).toBe(live.reduce((sum, row) => sum + row.actions.length, 0));
    await expectAnswers(index, live, 20);
  }, 120_000);

  test('with a few actions in most assets', async () => {
    const rows = [...manyRows(70_000, { seed: 53, actionsOf: (_, draw) => (draw(3) === 0 ? 0 : 1 + draw(2)) })];
    const index = indexOf(rows);
    const removed = rows.filter((row) => row.id > 60_000 && row.id < 64_000).map((row) => row.id);
    await index.apply({ rows: [], removed });
    const gone = new Set(removed);
    await expectAnswers(
      index,
      rows.filter((row) => !gone.has(row.id)),
      12,
    );
  }, 120_000);

  test('without any action', async () => {
    const rows = [...manyRows(500, { seed: 54 })];
    await expectAnswers(indexOf(rows), rows, 20);
  });
});

/** No set helps with it: the players of every action are looked at. */
const slowFilter: ActionFilter = {
  kind: 'all',
  filters: [
    { kind: 'ids', field: 'player', test: 'only', ids: TAG_IDS.slice(0, 2) },
    { kind: 'compare', field: 'confidence', comparison: 'ne', values: [0.5] },
    { kind: 'none', filters: [{ kind: 'exists', field: 'wallclock_at', exists: true }] },
  ],
};

function slowRequest(signal?: AbortSignal): ActionEngineRequest {
  return {
    filter: slowFilter,
    media: { kind: 'all', filters: [] },
    homeOnly: true,
    sort: { field: 'wallclock_at', descending: false },
    limit: 50,
    offset: 0,
    after: undefined,
    facets: [{ field: 'tag_options', limit: 10, filter: slowFilter }],
    tagWords: indexTagWords,
    ...(signal && { signal }),
  };
}

function slowMediaRequest(signal?: AbortSignal): EngineRequest {
  const { media: _, homeOnly: __, ...rest } = slowRequest(signal);
  const filter = { kind: 'all', filters: [{ kind: 'action', filter: slowFilter }] } as const;
  return {
    ...rest,
    filter,
    sort: { field: 'action.start_ms', descending: false },
    facets: [{ field: 'action.player', limit: 10, filter }],
  };
}

describe('a search by actions that takes long', () => {
  // One asset in twenty is a match with 300 actions.
  const index = indexOf(manyRows(20_000, { seed: 60, actionsOf: (at) => (at % 20 === 0 ? 400 : 0) }));
  const searches: readonly (readonly [string, (signal?: AbortSignal) => Promise<{ readonly total: number }>])[] = [
    ['of actions', (signal) => index.searchActions(slowRequest(signal))],
    ['of assets', (signal) => index.search(slowMediaRequest(signal))],
  ];

  test.each(searches)('%s lets others run in between', async (_, search) => {
    // What is compiled meanwhile is not what this is about.
    await search();
    const gapsMs: number[] = [];
    // Time of this thread, since other processes may have the processor meanwhile.
    const nowMs = (): number => {
      const { user, system } = process.threadCpuUsage();
      return (user + system) / 1000;
    };
    const startedMs = nowMs();
    let lastMs = startedMs;
    let running = true;
    const beat = () => {
      gapsMs.push(nowMs() - lastMs);
      lastMs = nowMs();
      if (running) setImmediate(beat);
    };
    setImmediate(beat);
    const { total } = await search();
    running = false;
    expect(total).toBeGreaterThan(500);
    expect(nowMs() - startedMs).toBeGreaterThan(25);
    expect(gapsMs.filter((gapMs) => gapMs > 25)).toEqual([]);
  });

  test.each(searches)('%s ends with the reason of its signal', async (_, search) => {
    const ending = new AbortController();
    const searching = search(ending.signal);
    setTimeout(() => ending.abort(new Error('the client went away')), 1);
    await expect(searching).rejects.toThrow('the client went away');
  });
});
