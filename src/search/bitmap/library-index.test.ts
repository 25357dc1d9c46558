import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { searchActionRows, searchRows } from '../../../test/support/index-model.ts';
import { indexActionRequest, indexFilter, indexRequest, indexTagWords } from '../../../test/support/index-queries.ts';
import {
  ACTION_TYPE_IDS,
  COLLECTION_IDS,
  indexRows,
  indexTagType,
  manyRows,
  rowContent,
  rowOf,
  TAG_IDS,
} from '../../../test/support/index-rows.ts';
import type { IndexRow } from '../../library/index.ts';
import type { ActionEngineRequest, EngineRequest, EngineResult, SortKey } from '../engine.ts';
import { isStale } from './evaluate/view.ts';
import { createLibraryIndex, type LibraryIndex, type MergePlan } from './library-index.ts';
import type { SegmentData } from './segment/sections.ts';
import { createSegmentBuilder } from './segment/segment-builder.ts';

const types = new Map(
  [...TAG_IDS, ...ACTION_TYPE_IDS].flatMap((id) =>
    indexTagType(id) ? [[id, indexTagType(id) ?? 'tag'] as const] : [],
  ),
);

/** What the background thread does with a plan. */
function merge(plan: MergePlan): SegmentData[] {
  const builder = createSegmentBuilder();
  for (const { segment, stale } of plan.parts) {
    const live = Array.from({ length: segment.size }, (_, at) => at).filter((at) => !isStale(stale, at));
    for (const row of segment.rows(live)) builder.add(row);
  }
  return builder.size === 0 ? [] : [builder.finish()];
}

async function indexOf(parts: readonly (readonly IndexRow[])[]): Promise<LibraryIndex> {
  const index = createLibraryIndex();
  index.setTagTypes(types);
  for (const rows of parts) await index.apply({ rows, removed: [] });
  return index;
}

type Request = EngineRequest | ActionEngineRequest;

const compared = ({ filter, sort, limit }: Request, answer: EngineResult) => ({
  filter,
  sort,
  limit,
  answer: JSON.parse(JSON.stringify(answer)) as unknown,
});

/** The index answers as a linear scan does, a search of assets or of actions. */
async function expectAnswer(index: LibraryIndex, rows: readonly IndexRow[], request: Request): Promise<EngineResult> {
  const answer = await ('media' in request ? index.searchActions(request) : index.search(request));
  const expected =
    'media' in request ? searchActionRows(rows, request, indexTagType) : searchRows(rows, request, indexTagType);
  expect(compared(request, answer)).toEqual(compared(request, expected));
  return answer;
}

const anyRequest = (): fc.Arbitrary<Request> => fc.oneof(indexRequest(), indexActionRequest());

type State = { readonly index: LibraryIndex; readonly rows: Map<number, IndexRow>; plan: MergePlan | undefined };
type Step = (state: State) => Promise<void>;

async function applied(
  { index, rows }: State,
  changed: readonly IndexRow[],
  removed: readonly number[],
): Promise<void> {
  await index.apply({ rows: changed, removed });
  for (const id of removed) rows.delete(id);
  for (const row of changed) rows.set(row.id, row);
}

/** Every twelfth asset has some. */
const fewActions = (_at: number, draw: (below: number) => number) => (draw(12) === 0 ? draw(20) : 0);

function steps(): fc.Arbitrary<Step> {
  const few = fc.tuple(indexRows({ maxLength: 6 }), fc.array(fc.nat(1000), { maxLength: 3 })).map(
    ([changed, picked]): Step =>
      (state) => {
        const ids = [...state.rows.keys()];
        const given = new Set(changed.map((row) => row.id));
        // Some of what is there, and an asset that never was.
        const removed = [...picked.map((at) => ids[at % Math.max(1, ids.length)] ?? 7), 123_456];
        return applied(
          state,
          changed,
          [...new Set(removed)].filter((id) => !given.has(id)),
        );
      },
  );
  const again = fc.tuple(fc.array(fc.nat(1000), { minLength: 1, maxLength: 8 }), rowContent()).map(
    ([picked, content]): Step =>
      (state) => {
        const ids = [...state.rows.keys()];
        const chosen = [...new Set(picked.map((at) => ids[at % Math.max(1, ids.length)] ?? 3))];
        return applied(
          state,
          chosen.map((id) => rowOf(id, content)),
          [],
        );
      },
  );
  const bulk = fc.tuple(fc.constantFrom(60, 127, 128, 129, 400, 600), fc.nat(30)).map(
    ([count, seed]): Step =>
      (state) =>
        applied(state, [...manyRows(count, { seed, firstId: 1 + seed * 70, actionsOf: fewActions })], []),
  );
  const clear: fc.Arbitrary<Step> = fc.constant((state) => applied(state, [], [...state.rows.keys()]));
  const plan: fc.Arbitrary<Step> = fc.constant(async (state) => {
    state.plan ??= state.index.planMerge();
  });
  // What the thread was given stays as it was; the index may have changed since.
  const finish: fc.Arbitrary<Step> = fc.constant(async (state) => {
    if (state.plan) state.index.finishMerge(state.plan, merge(state.plan));
    state.plan = undefined;
  });
  return fc.oneof(
    { weight: 12, arbitrary: few },
    { weight: 8, arbitrary: again },
    { weight: 16, arbitrary: bulk },
    { weight: 1, arbitrary: clear },
    { weight: 12, arbitrary: plan },
    { weight: 8, arbitrary: finish },
  );
}

describe('an index of a library', () => {
  test('answers after any history of writes and merges as a linear scan does, and so does one made from its snapshot', async () => {
    let merges = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(steps(), fc.array(anyRequest(), { maxLength: 2 })), {
          minLength: 15,
          maxLength: 40,
          size: 'max',
        }),
        async (history) => {
          const state: State = { index: await indexOf([]), rows: new Map(), plan: undefined };
          // Not far from so many segments that they are merged.
          for (let seed = 1; seed <= 11; seed += 1) {
            await applied(state, [...manyRows(130, { seed, firstId: seed * 100 })], []);
          }
          for (const [step, requests] of history) {
            const before = state.plan;
            await step(state);
            if (before && !state.plan) merges += 1;
            const rows = [...state.rows.values()];
            const actions = rows.reduce((sum, row) => sum + row.actions.length, 0);
            expect([state.index.size, state.index.actions]).toEqual([rows.length, actions]);
            for (const request of requests) await expectAnswer(state.index, rows, request);
          }
          const requests = history.flatMap(([, asked]) => asked).slice(0, 3);
          const rows = [...state.rows.values()];
          const restored = createLibraryIndex(state.index.snapshot());
          restored.setTagTypes(types);
          expect(restored.size).toBe(rows.length);
          for (const request of requests) {
            await expectAnswer(state.index, rows, request);
            await expectAnswer(restored, rows, request);
          }
          for (const id of COLLECTION_IDS) {
            const expected = rows.filter((row) => row.collection_ids.includes(id)).map((row) => row.id);
            expect(new Set(state.index.assetsInCollection(id))).toEqual(new Set(expected));
          }
        },
      ),
      { numRuns: 20, seed: 20_261_121, endOnFailure: true },
    );
    expect(merges).toBeGreaterThan(3);
  }, 120_000);

  test('pages through everything that is found, in every order', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(indexRows({ minLength: 1, maxLength: 40 }), { minLength: 1, maxLength: 4 }),
        anyRequest(),
        fc.constantFrom(1, 3, 7),
        async (parts, request, limit) => {
          const index = await indexOf(parts);
          const rows = [...new Map(parts.flat().map((row) => [row.id, row])).values()];
          for (let after: SortKey | undefined, page = 0; page < 60; page += 1) {
            const asked = { ...request, limit, offset: 0, facets: [], after };
            const { nextKey } = await expectAnswer(index, rows, asked);
            if (!nextKey) return;
            // As a client sends it back.
            after = JSON.parse(JSON.stringify(nextKey)) as SortKey;
          }
        },
      ),
      { numRuns: 100, endOnFailure: true },
    );
  }, 60_000);

  test('answers for libraries of several chunks', async () => {
    const rows = [...manyRows(70_000, { seed: 9 })];
    const builder = createSegmentBuilder();
    for (const row of rows) builder.add(row);
    const index = createLibraryIndex([{ data: builder.finish(), stale: [] }]);
    index.setTagTypes(types);
    // Some are gone, all of a stretch among them; some came anew.
    const removed = rows
      .filter((row) => row.id % 997 === 0 || (row.id > 66_000 && row.id < 67_500))
      .map((row) => row.id);
    const fresh = [...manyRows(300, { seed: 77, firstId: 69_900 })];
    await index.apply({ rows: fresh, removed });
    const gone = new Set([...removed, ...fresh.map((row) => row.id)]);
    const live = [...rows.filter((row) => !gone.has(row.id)), ...fresh];
    const requests = fc.sample(indexRequest(indexFilter()), { numRuns: 25, seed: 3 });
    for (const request of requests) {
      if (request.limit > 0) await expectAnswer(index, live, request);
      else await expectAnswer(index, live, { ...request, limit: 30 });
    }
  }, 120_000);

  test('finds an asset by its name before its words are known', async () => {
    const [row] = manyRows(1, { seed: 1 });
    if (!row) throw new RangeError('expected a row');
    const index = await indexOf([[{ ...row, name: 'IMG_0815.jpg', text: [] }]]);
    const request = {
      filter: { kind: 'name', contains: 'mg_08' },
      sort: { field: 'name', descending: false },
    } as const;
    const found = await index.search({
      ...request,
      limit: 5,
      offset: 0,
      after: undefined,
      facets: [],
      tagWords: indexTagWords,
    });
    expect(found.ids).toEqual([row.id]);
  });
});
