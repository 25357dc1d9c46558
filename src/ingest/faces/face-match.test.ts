import { describe, expect, test } from 'vitest';
import type { ComparedFace } from '../../library/index.ts';
import { matchFaces } from './face-match.ts';

/** A descriptor that lies `at` along one of the directions. */
const lying = (at: number, direction = 0): Float32Array =>
  Float32Array.from({ length: 128 }, (_, index) => (index === direction ? at : 0));

const face = (n: number, at: number, more: Partial<ComparedFace> = {}): ComparedFace => ({
  assetId: 1,
  n,
  descriptor: lying(at),
  ownerId: null,
  suggestedId: null,
  rejectedIds: [],
  ...more,
});
const known = (tagOptionId: number, at: number) => ({ tagOptionId, descriptor: lying(at) });
const players = (faces: readonly ComparedFace[], references: ReturnType<typeof known>[]) =>
  matchFaces(faces, references).map(({ n, tagOptionId, distance }) => [n, tagOptionId, Number(distance.toFixed(3))]);

describe('a face may be the player', () => {
  test('whose closest face is within reach', () => {
    expect(players([face(0, 0)], [known(7, 0.3), known(7, 0.9), known(8, 2)])).toEqual([[0, 7, 0.3]]);
    expect(players([face(0, 0)], [known(7, 0.51)])).toEqual([]);
  });

  test('not when another is about as close', () => {
    expect(players([face(0, 0)], [known(7, 0.3), known(8, -0.34)])).toEqual([]);
    expect(players([face(0, 0)], [known(7, 0.3), known(8, -0.37)])).toEqual([[0, 7, 0.3]]);
  });

  test('not when a person said it is not', () => {
    expect(players([face(0, 0, { rejectedIds: [7] })], [known(7, 0.1)])).toEqual([]);
    // Then it is no rival of the next one either.
    expect(players([face(0, 0, { rejectedIds: [7] })], [known(7, 0.1), known(8, 0.12)])).toEqual([[0, 8, 0.12]]);
  });

  test('only one of two faces, the closer one', () => {
    expect(players([face(0, 0.3), face(1, 0.1)], [known(7, 0)])).toEqual([[1, 7, 0.1]]);
  });

  test('not when the player has a face in the picture', () => {
    expect(players([face(0, 0), face(1, 0.3, { ownerId: 7 })], [known(7, 0.1)])).toEqual([]);
  });

  test('not when it is too small to be described, or nobody is known', () => {
    expect(players([face(0, 0, { descriptor: undefined })], [known(7, 0.1)])).toEqual([]);
    expect(players([face(0, 0)], [])).toEqual([]);
  });
});
