import { expect, test } from 'vitest';
import { createBlockPositions } from './block-positions.ts';

test('blocks follow one another, by estimate until they are laid out', () => {
  const blocks = createBlockPositions(5, 1000);
  expect(blocks.fullPx).toBe(5000);
  expect(blocks.setHeight(1, 1200)).toBe(200);
  expect(blocks.setHeight(1, 1200)).toBe(0);
  expect([0, 1, 2, 3, 5].map((block) => blocks.topPx(block))).toEqual([0, 1000, 2200, 3200, 5200]);
  expect(blocks.setHeight(0, 700)).toBe(-300);
  expect(blocks.fullPx).toBe(4900);
});

test('the block at a place is found, also at and beyond the ends', () => {
  const blocks = createBlockPositions(16_667, 1000);
  blocks.setHeight(0, 1500);
  expect([-5, 0, 1499, 1500, 2499, 2500].map((place) => blocks.blockAt(place))).toEqual([0, 0, 0, 1, 1, 2]);
  expect(blocks.blockAt(1e12)).toBe(16_666);
  expect(createBlockPositions(0, 1000).blockAt(10)).toBe(0);
});
