import { expect, test } from 'vitest';
import { PAUSED, PLAYING, press, rewound, toggle, type Shuttle } from './shuttle.ts';

const pressed = (keys: string, from: Shuttle = PAUSED): number =>
  keys.split('').reduce((shuttle, key) => press(shuttle, key === 'L' ? 'L' : 'J'), from).speed;

test.each([
  ['L', 1],
  ['LL', 2],
  ['LLLL', 8],
  ['LLLLLL', 8],
  ['J', -1],
  ['JJ', -2],
  ['LLLJ', -1],
  ['JJL', 1],
])('%s plays at %i', (keys, speed) => {
  expect(pressed(keys)).toBe(speed);
});

test('space plays from rest and rests from any speed', () => {
  expect(toggle(PAUSED)).toEqual(PLAYING);
  expect(toggle({ speed: -4 })).toEqual(PAUSED);
});

test('backwards play ends at the beginning', () => {
  expect(rewound(10, { speed: -2, elapsedMs: 500 })).toBe(9);
  expect(rewound(0.2, { speed: -4, elapsedMs: 500 })).toBe(0);
});
