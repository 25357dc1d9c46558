import { describe, expect, test } from 'vitest';
import { boxesWithin, estimateHeightPx, layoutBlock, neighbourInColumn } from './justified-layout.ts';

const options = { widthPx: 1240, rowHeightPx: 200, gapPx: 4, isLastBlock: false };
/** Mixed as a match day is: mostly landscape, some portrait and square, a panorama. */
const mixed = (count: number, seed = 1): number[] => {
  let state = seed;
  return Array.from({ length: count }, () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return [1.5, 1.5, 1.5, 0.667, 1, 1.778, 2.8][Math.floor((state / 2_147_483_648) * 7)] ?? 1.5;
  });
};

describe('rows of pictures', () => {
  test.each([390, 768, 1240, 1900, 2560])('fill %i px to the last pixel, also the last row of a block', (widthPx) => {
    for (let seed = 1; seed <= 20; seed += 1) {
      const { rows, boxes } = layoutBlock(mixed(60, seed), { ...options, widthPx });
      for (const row of rows) {
        const last = boxes[row.end - 1];
        expect((last?.leftPx ?? 0) + (last?.widthPx ?? 0)).toBe(widthPx);
        expect(boxes[row.start]?.leftPx).toBe(0);
      }
    }
  });

  test('hold every picture once and in order, and never overlap', () => {
    const { rows, boxes, heightPx } = layoutBlock(mixed(60), options);
    expect(boxes).toHaveLength(60);
    expect(rows[0]?.start).toBe(0);
    expect(rows.at(-1)?.end).toBe(60);
    rows.forEach((row, index) => {
      expect(row.start).toBe(index === 0 ? 0 : rows[index - 1]?.end);
      expect(row.topPx).toBe(index === 0 ? 0 : (rows[index - 1]?.topPx ?? 0) + (rows[index - 1]?.heightPx ?? 0) + 4);
      for (let at = row.start + 1; at < row.end; at += 1) {
        const [left, right] = [boxes[at - 1], boxes[at]];
        expect((right?.leftPx ?? 0) - (left?.leftPx ?? 0) - (left?.widthPx ?? 0)).toBe(4);
      }
    });
    expect(heightPx).toBe((rows.at(-1)?.topPx ?? 0) + (rows.at(-1)?.heightPx ?? 0) + 4);
  });

  test('keep near the wished height', () => {
    for (let seed = 1; seed <= 50; seed += 1) {
      for (const { heightPx } of layoutBlock(mixed(60, seed), options).rows) {
        expect(heightPx).toBeGreaterThan(130);
        expect(heightPx).toBeLessThan(310);
      }
    }
  });

  test('keep the ratio of each picture within a pixel or two', () => {
    const ratios = mixed(60);
    layoutBlock(ratios, options).boxes.forEach((box, index) => {
      expect(Math.abs(box.widthPx - (ratios[index] ?? 1) * box.heightPx)).toBeLessThan(3);
    });
  });

  test('leave the very last row open rather than blow one picture up', () => {
    const { rows, boxes } = layoutBlock([1.5], { ...options, isLastBlock: true });
    expect(rows).toEqual([{ topPx: 0, heightPx: 200, start: 0, end: 1 }]);
    expect(boxes[0]?.widthPx).toBe(300);
  });

  test('bear pictures without a size, panoramas and nothing at all', () => {
    expect(layoutBlock([], options)).toEqual({ heightPx: 0, boxes: [], rows: [] });
    const odd = layoutBlock([Number.NaN, 40, 0.01, 0, Number.POSITIVE_INFINITY, 1.5, 1.5, 1.5, 1.5], options);
    for (const { widthPx, heightPx } of odd.boxes) {
      expect(widthPx).toBeGreaterThan(20);
      expect(heightPx).toBeGreaterThan(20);
    }
  });

  test('a portrait as wide as a phone may be a row of its own', () => {
    const { rows } = layoutBlock([0.5, 3, 3, 0.5], { widthPx: 390, rowHeightPx: 120, gapPx: 2, isLastBlock: false });
    expect(rows.length).toBeGreaterThan(1);
  });
});

test('the estimate of a block is within a quarter of what it becomes', () => {
  for (let seed = 1; seed <= 20; seed += 1) {
    const ratios = mixed(60, seed);
    const averageRatio = ratios.reduce((sum, one) => sum + one, 0) / ratios.length;
    const { heightPx } = layoutBlock(ratios, options);
    const estimate = estimateHeightPx(60, { ...options, averageRatio });
    expect(Math.abs(estimate / heightPx - 1)).toBeLessThan(0.25);
  }
});

test('up and down lead to the picture that lies nearest', () => {
  const layout = layoutBlock([1.5, 1.5, 1.5, 1.5, 1.5, 1.5, 1.5, 1.5], { ...options, rowHeightPx: 204 });
  expect(layout.rows.map(({ start, end }) => [start, end])).toEqual([
    [0, 4],
    [4, 8],
  ]);
  expect(neighbourInColumn(layout, 2, 1)).toBe(6);
  expect(neighbourInColumn(layout, 6, -1)).toBe(2);
  expect(neighbourInColumn(layout, 2, -1)).toBeUndefined();
  expect(neighbourInColumn(layout, 7, 1)).toBeUndefined();
});

test('a rectangle finds what it touches', () => {
  const layout = layoutBlock([1.5, 1.5, 1.5, 1.5, 1.5, 1.5, 1.5, 1.5], { ...options, rowHeightPx: 204 });
  expect(boxesWithin(layout, { leftPx: 320, topPx: 100, rightPx: 700, bottomPx: 260 })).toEqual([1, 2, 5, 6]);
  expect(boxesWithin(layout, { leftPx: 10, topPx: 10, rightPx: 11, bottomPx: 11 })).toEqual([0]);
});
