import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createIntLists } from './int-lists.ts';

describe('integer lists', () => {
  test('keep every row apart through growth, removal and reuse of room', () => {
    const step = fc.record({ row: fc.nat(5), value: fc.nat(40), push: fc.boolean() });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 300, size: 'max' }), (steps) => {
        const lists = createIntLists();
        const model = new Map<number, number[]>();
        for (const { row, value, push } of steps) {
          const expected = model.get(row) ?? [];
          model.set(row, expected);
          const at = expected.indexOf(value);
          if (push) {
            lists.push(row, value);
            expected.push(value);
          } else {
            lists.remove(row, value);
            if (at >= 0) expected.splice(at, 1);
          }
        }
        for (const [row, expected] of model) {
          const start = lists.startOf(row);
          const held = [...lists.cells.subarray(start, start + lists.lengthOf(row))];
          expect(held.toSorted((a, b) => a - b)).toEqual(expected.toSorted((a, b) => a - b));
        }
      }),
      { numRuns: 300 },
    );
  });

  test('use the same room again when lists of the same lengths come and go', () => {
    const lists = createIntLists();
    const fillAndEmpty = (): void => {
      for (let row = 0; row < 50; row += 1) for (let value = 0; value < 100; value += 1) lists.push(row, value);
      for (let row = 0; row < 50; row += 1) for (let value = 0; value < 100; value += 1) lists.remove(row, value);
    };
    fillAndEmpty();
    const { bytes } = lists;
    for (let round = 0; round < 20; round += 1) fillAndEmpty();
    expect(lists.bytes).toBe(bytes);
  });
});
