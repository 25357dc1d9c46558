import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { selectPage } from './page.ts';

test('a page is the slice that a full sort would give', () => {
  const keys = fc.array(fc.nat(20), { maxLength: 600, size: 'max' });
  fc.assert(
    fc.property(keys, fc.nat(300), fc.nat(60), (values, from, size) => {
      const slots = Uint32Array.from(values.keys());
      const order = (a: number, b: number): number => (values[a] ?? 0) - (values[b] ?? 0) || a - b;
      const expected = [...slots].sort(order).slice(from, from + size);
      expect(selectPage(slots, { count: values.length, from, to: from + size, order })).toEqual(expected);
    }),
    { numRuns: 1000 },
  );
});
