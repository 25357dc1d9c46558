import { describe, expect, test } from 'vitest';
import { nameFaces } from './named-faces.ts';

const face = (x: number, y: number, size = 0.1) => ({ x, y, w: size, h: size, score: 0.9 });
const region = (name: string, x: number, y: number, size = 0.1) => ({ name, x, y, w: size, h: size });

describe('names of regions', () => {
  test('go to the faces they overlap', () => {
    const found = nameFaces([face(0.1, 0.1), face(0.5, 0.1)], [region('Right', 0.52, 0.12), region('Left', 0.09, 0.1)]);
    expect(found).toEqual([
      { ...face(0.1, 0.1), name: 'Left' },
      { ...face(0.5, 0.1), name: 'Right' },
    ]);
  });

  test('go to one face each, the closest first', () => {
    const found = nameFaces([face(0.1, 0.1), face(0.14, 0.1)], [region('A', 0.13, 0.1), region('B', 0.11, 0.1)]);
    expect(found.map((one) => one.name)).toEqual(['B', 'A']);
  });

  test('of a whole head go to the small face inside it', () => {
    expect(nameFaces([face(0.45, 0.45, 0.1)], [region('A', 0.38, 0.36, 0.22)])).toEqual([
      { ...face(0.45, 0.45, 0.1), name: 'A' },
    ]);
  });

  test('of a whole person, far larger than the face, do not go to it', () => {
    const found = nameFaces([face(0.45, 0.1, 0.05)], [region('A', 0.1, 0, 0.8)]);
    expect(found).toEqual([face(0.45, 0.1, 0.05), { x: 0.1, y: 0, w: 0.8, h: 0.8, score: 1, name: 'A' }]);
  });

  test('that no face was found for become faces of certainty 1', () => {
    expect(nameFaces([], [region('A', 0.2, 0.3)])).toEqual([{ x: 0.2, y: 0.3, w: 0.1, h: 0.1, score: 1, name: 'A' }]);
  });
});
