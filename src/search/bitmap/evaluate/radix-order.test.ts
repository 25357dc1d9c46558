import { expect, test } from 'vitest';
import { radixOrder } from './radix-order.ts';

const KEYS = [0, -0, 1, -1, 0.5, -0.5, 1e-300, -1e300, 2 ** 53, 3.25, Infinity, -Infinity, 1.7e12, 1.7e12 + 1];

test('orders any numbers, and equal ones by ID', () => {
  let seed = 12_345;
  const random = (below: number): number => {
    seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0;
    return Math.floor((seed / 2 ** 32) * below);
  };
  for (const count of [0, 1, 2, 1000, 70_000]) {
    const keys = Float64Array.from({ length: count }, () =>
      random(2) === 0 ? (KEYS[random(KEYS.length)] ?? 0) : random(50) - 25,
    );
    const ids = Float64Array.from({ length: count }, (_, at) => at * 7 + (at % 3) * 2 ** 40);
    const idAt = (place: number): number => ids[place] ?? 0;
    const expected = Array.from({ length: count }, (_, at) => at).toSorted((a, b) => {
      const [x = 0, y = 0] = [keys[a], keys[b]];
      return x === y ? idAt(a) - idAt(b) : x < y ? -1 : 1;
    });
    expect([...radixOrder(keys, count, idAt)]).toEqual(expected);
  }
});
