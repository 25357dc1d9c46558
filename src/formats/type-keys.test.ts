import { describe, expect, test } from 'vitest';
import { typeKeyOf } from './index.ts';

describe('keys of types', () => {
  test.each([
    ['Goals', 'goal'],
    ['GOAL', 'goal'],
    ['Yellow Card', 'card_yellow'],
    ['yellow-card', 'card_yellow'],
    ['2nd Yellow', 'card_second_yellow'],
    ['Corner kick', 'corner'],
    ['High Press!', 'high_press'],
    ['Zusammenspiel über außen', 'zusammenspiel_uber_aussen'],
    ['ゴール', 'ゴール'],
    ['!!!', 'unknown'],
    ['constructor', 'constructor'],
  ])('%j is %s', (name, key) => {
    expect(typeKeyOf(name)).toBe(key);
    expect(typeKeyOf(key)).toBe(key);
  });
});
