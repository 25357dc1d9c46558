import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { draggedRange, packRows } from './lanes.ts';

const block = (id: number, startMs: number, endMs: number, row = 'goal') => ({ id, startMs, endMs, row });

describe('rows of the timeline', () => {
  test('blocks that overlap lie in lanes, and a lane is used again', () => {
    const [row] = packRows([block(1, 0, 10), block(2, 5, 20), block(3, 10, 30)], 0);
    expect(row?.lanes).toBe(2);
    expect(row?.blocks.map(({ block: { id }, lane }) => [id, lane])).toEqual([
      [1, 0],
      [2, 1],
      [3, 0],
    ]);
  });

  test('a moment takes room', () => {
    expect(packRows([block(1, 100, 100), block(2, 150, 160)], 100)[0]?.lanes).toBe(2);
    expect(packRows([block(1, 100, 100), block(2, 150, 160)], 10)[0]?.lanes).toBe(1);
  });

  test('nothing in one lane overlaps, nothing is lost', () => {
    const blocks = fc.array(
      fc.record({ start: fc.nat(1000), length: fc.nat(100), row: fc.constantFrom('goal', 'save') }),
      { maxLength: 60 },
    );
    fc.assert(
      fc.property(blocks, (drawn) => {
        const all = drawn.map(({ start, length, row }, id) => block(id, start, start + length, row));
        const rows = packRows(all, 5);
        expect(rows.flatMap((row) => row.blocks.map(({ block: { id } }) => id)).toSorted((a, b) => a - b)).toEqual(
          all.map(({ id }) => id),
        );
        for (const row of rows) {
          for (let lane = 0; lane < row.lanes; lane += 1) {
            const inLane = row.blocks.filter((one) => one.lane === lane).map((one) => one.block);
            inLane.slice(1).forEach((one, n) => expect(one.startMs).toBeGreaterThanOrEqual(inLane[n]?.endMs ?? 0));
          }
        }
      }),
    );
  });
});

describe('dragging', () => {
  const video = { durationMs: 1000, minMs: 40 };
  test.each([
    ['whole', 100, [300, 500]],
    ['whole', -900, [0, 200]],
    ['whole', 900, [800, 1000]],
    ['start', 500, [360, 400]],
    ['start', -500, [0, 400]],
    ['end', -500, [200, 240]],
    ['end', 5000, [200, 1000]],
  ] as const)('the %s by %i ms', (part, byMs, [startMs, endMs]) => {
    expect(draggedRange({ startMs: 200, endMs: 400 }, { part, byMs, ...video })).toEqual({ startMs, endMs });
  });
});
