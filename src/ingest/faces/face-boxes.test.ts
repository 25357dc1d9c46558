import { describe, expect, test } from 'vitest';
import { decodeFaces, type Face, overlap, rankFaces, suppressOverlaps } from './face-boxes.ts';

const face = (x: number, y: number, side: number, score: number): Face => ({ x, y, w: side, h: side, score });

describe('boxes of the network', () => {
  const decode = (options: { readonly logit: number; readonly encoding?: readonly number[] }) =>
    decodeFaces({
      boxes: Float32Array.from(options.encoding ?? [0, 0, 0, 0]),
      classes: Float32Array.of(0, options.logit, 0),
      // centre y 50, centre x 100, height 20, width 40
      anchors: Float32Array.of(50, 100, 20, 40),
      contentWidth: 200,
      contentHeight: 100,
      minScore: 0.5,
    });

  test('lie on their anchor when the network asks for no change', () => {
    expect(rankFaces(decode({ logit: 0 }), 1)).toEqual([{ x: 0.4, y: 0.4, w: 0.2, h: 0.2, score: 0.5 }]);
  });

  test('move by tenths of the anchor and grow by fifths of a logarithm', () => {
    const [moved] = decode({ logit: 2, encoding: [5, -10, 5 * Math.log(2), 0] });
    expect(moved?.x).toBeCloseTo(0.2, 5);
    expect(moved?.y).toBeCloseTo(0.4, 5);
    expect(moved?.h).toBeCloseTo(0.4, 5);
    expect(moved?.score).toBeCloseTo(0.8808, 4);
  });

  test('are dropped when uncertain, mostly outside, or not numbers', () => {
    expect(decode({ logit: -0.01 })).toEqual([]);
    expect(decode({ logit: 5, encoding: [0, 28, 0, 0] })).toEqual([]);
    expect(decode({ logit: 5, encoding: [Number.NaN, 0, 0, 0] })).toEqual([]);
  });

  test('must match the anchors in number', () => {
    const empty = new Float32Array(0);
    const anchors = new Float32Array(8);
    const size = { contentWidth: 10, contentHeight: 10, minScore: 0.5 };
    expect(() => decodeFaces({ boxes: empty, classes: empty, anchors, ...size })).toThrow('expected 2 boxes');
  });
});

describe('overlapping boxes', () => {
  test('overlap is intersection over union', () => {
    expect(overlap(face(0, 0, 0.2, 1), face(0.1, 0, 0.2, 1))).toBeCloseTo(1 / 3, 6);
    expect(overlap(face(0, 0, 0.2, 1), face(0.2, 0, 0.2, 1))).toBe(0);
  });

  test('of one face leave the most certain', () => {
    const kept = suppressOverlaps([face(0.1, 0.1, 0.2, 0.7), face(0.11, 0.1, 0.2, 0.9), face(0.6, 0.1, 0.2, 0.6)], 0.4);
    expect(kept.map(({ score }) => score)).toEqual([0.9, 0.6]);
  });
});

test('a large, fairly certain face comes before a small, certain one; values have four decimals', () => {
  const ranked = rankFaces([face(0.5, 0.5, 0.05, 0.99), face(0.123456, 0.1, 0.3, 0.75)], 100);
  expect(ranked[0]).toEqual({ x: 0.1235, y: 0.1, w: 0.3, h: 0.3, score: 0.75 });
  expect(rankFaces(ranked, 1)).toHaveLength(1);
});
