import fc from 'fast-check';
import { expect, test } from 'vitest';
import { comparePlaced, type Placed, type SegmentPage } from './evaluate/page.ts';
import { mergePages } from './results.ts';

const pageOf = (placed: readonly Placed[]): SegmentPage & { looks: number } => {
  const page = {
    looks: 0,
    length: placed.length,
    placed: (at: number): Placed => {
      page.looks += 1;
      const one = placed[at];
      if (!one) throw new Error(`expected a place below ${placed.length}, received ${at}`);
      return one;
    },
  };
  return page;
};

test.each([true, false])('a page of several segments is that of all their documents (descending: %s)', (descending) => {
  const value = fc.option(fc.constantFrom('a', 'b', 'é', '𝄞', 'zz'), { nil: null });
  const cases = fc.record({
    values: fc.array(fc.tuple(value, fc.nat({ max: 3 })), { maxLength: 40 }),
    offset: fc.nat({ max: 45 }),
    limit: fc.nat({ max: 10 }),
  });
  const sort = { field: 'name', descending } as const;
  fc.assert(
    fc.property(cases, ({ values, offset, limit }) => {
      const all = values.map(([one, segment], at) => ({ id: at + 1, value: one, segment }));
      const ordered = all.toSorted(comparePlaced(sort));
      const pages = [0, 1, 2, 3].map((wanted) => pageOf(ordered.filter(({ segment }) => segment === wanted)));
      const { ids, nextKey } = mergePages(pages, { sort, offset, limit }, undefined);
      const expected = ordered.slice(offset, offset + limit);
      expect(ids).toEqual(expected.map(({ id }) => id));
      const hasNext = limit > 0 && ordered.length > offset + limit;
      expect(nextKey).toEqual(hasNext ? { id: expected.at(-1)?.id, value: expected.at(-1)?.value } : undefined);
    }),
  );
});

test('what lies before a deep page is not looked at one by one', () => {
  const large = pageOf(Array.from({ length: 200_000 }, (_, at) => ({ id: at * 2, value: at })));
  const small = pageOf([7, 5000, 150_001].map((id) => ({ id, value: id / 2 })));
  const sort = { field: 'rating', descending: false } as const;
  const { ids } = mergePages([large, small], { sort, offset: 190_000, limit: 3 }, undefined);
  expect(ids).toEqual([379_994, 379_996, 379_998]);
  expect(large.looks).toBeLessThan(300);
});
