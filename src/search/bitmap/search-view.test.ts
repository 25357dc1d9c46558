import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { indexTagWords, indexRequest } from '../../../test/support/index-queries.ts';
import { createDraws, indexTagType, manyRows } from '../../../test/support/index-rows.ts';
import type { IndexRow } from '../../library/index.ts';
import type { EngineRequest, EngineResult } from '../engine.ts';
import { createWorkspace } from './evaluate/chunk-value.ts';
import { withStale } from './evaluate/view.ts';
import { createLibraryIndex } from './library-index.ts';
import type { IndexView } from './contexts.ts';
import { searchView } from './search-view.ts';
import { openSegment, type Segment } from './segment/segment.ts';
import { createSegmentBuilder } from './segment/segment-builder.ts';

function segmentOf(rows: Iterable<IndexRow>): Segment {
  const builder = createSegmentBuilder();
  for (const row of rows) builder.add(row);
  return openSegment(builder.finish());
}

const work = createWorkspace();

function finish(steps: Generator<void, EngineResult>): EngineResult {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}

describe('a search of one state of a library', () => {
  const large = segmentOf(manyRows(70_000, { seed: 21 }));
  const small = segmentOf(manyRows(500, { seed: 22, firstId: 80_000 }));
  const newer = segmentOf(manyRows(600, { seed: 23, firstId: 69_000 }));
  const draw = createDraws(24);
  const gone = Array.from({ length: 3000 }, () => draw(large.size));
  const before: IndexView = {
    segments: [
      { segment: large, stale: withStale(undefined, large, gone) },
      { segment: small, stale: undefined },
    ],
    size: large.size + small.size - new Set(gone).size,
    tagType: indexTagType,
  };
  /** What a write of 600 assets makes of it. */
  const after = (): IndexView => {
    const replaced = Array.from({ length: newer.size }, (_, at) => large.documentOf(newer.id(at)));
    const stale = withStale(before.segments[0]?.stale, large, replaced);
    const segments = [
      { segment: large, stale },
      { segment: small, stale: withStale(undefined, small, [0, 1, 499]) },
      { segment: newer, stale: undefined },
    ];
    return {
      ...before,
      segments,
      size: segments.reduce((sum, one) => sum + one.segment.size - (one.stale?.count ?? 0), 0),
    };
  };

  test('gives the answer of that state, whatever is written and searched between its steps', () => {
    const order = fc.infiniteStream(fc.nat(2));
    let steps = 0;
    fc.assert(
      fc.property(fc.array(indexRequest(), { minLength: 2, maxLength: 3 }), order, (requests, turns) => {
        const alone = requests.map((request) => finish(searchView(work, before, request)));
        // Started at the state before the write; a search of the one after it takes turns with them.
        const running = requests.map((request) => searchView(work, before, request));
        const answers: (EngineResult | undefined)[] = requests.map(() => undefined);
        const [first] = requests;
        const written = after();
        const other = first && searchView(work, written, first);
        for (const turn of turns) {
          if (!answers.includes(undefined)) break;
          const at = turn % running.length;
          other?.next();
          const step = answers[at] ? undefined : running[at]?.next();
          if (step?.done) answers[at] = step.value;
          steps += 1;
        }
        expect(answers).toEqual(alone);
      }),
      { numRuns: 40, seed: 20_261_121, endOnFailure: true },
    );
    expect(steps).toBeGreaterThan(500);
  });

  test('that began before a write is not changed by it', async () => {
    const rows = [...manyRows(40_000, { seed: 30 })];
    const index = createLibraryIndex([{ data: segmentOf(rows).data, stale: [] }]);
    const request = slowRequest();
    const expected = await index.search(request);
    const searching = index.search(request);
    await index.apply({
      rows: [...manyRows(700, { seed: 31, firstId: 20_000 })],
      removed: rows.slice(0, 5000).map((row) => row.id),
    });
    expect(await searching).toEqual(expected);
    expect((await index.search(request)).total).toBeLessThan(expected.total);
  });
});

/** No index helps with it: every name is read. */
function slowRequest(signal?: AbortSignal): EngineRequest {
  const contains = (part: string) => ({ kind: 'name', contains: part }) as const;
  const letters = ['é', 'ü', 'ø', 'ß', 'š', 'ç'].map(contains);
  const filter = { kind: 'all', filters: [{ kind: 'none', filters: letters }] } as const;
  return {
    filter,
    sort: { field: 'name', descending: true },
    limit: 50,
    offset: 0,
    after: undefined,
    facets: [{ field: 'captured_at', interval: 'day', limit: 1000, filter }],
    tagWords: indexTagWords,
    ...(signal && { signal }),
  };
}

describe('a search that takes long', () => {
  const index = createLibraryIndex([{ data: segmentOf(manyRows(300_000, { seed: 40 })).data, stale: [] }]);

  test('lets others run in between', async () => {
    // What is compiled meanwhile is not what this is about.
    await index.search(slowRequest());
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
    const { total } = await index.search(slowRequest());
    running = false;
    expect(total).toBe(290_021);
    expect(nowMs() - startedMs).toBeGreaterThan(60);
    expect(
      gapsMs
        .toSorted((a, b) => b - a)
        .slice(0, 3)
        .filter((gapMs) => gapMs > 25),
    ).toEqual([]);
  });

  test('ends with the reason of its signal', async () => {
    const ending = new AbortController();
    const searching = index.search(slowRequest(ending.signal));
    setTimeout(() => ending.abort(new Error('the client went away')), 1);
    await expect(searching).rejects.toThrow('the client went away');
  });
});
