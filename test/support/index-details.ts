import fc from 'fast-check';
import type { IndexDetail, IndexField, IndexRow } from '../../src/library/index.ts';
import type { Filter } from '../../src/search/filter/filter-tree.ts';
import { compares } from './index-page.ts';

/** Fields of an organization's own, random values of them in rows of a search index, and what tests of them mean. */
export const INDEX_FIELDS = [
  { id: 2, key: 'note', type: 'text' },
  { id: 7, key: 'frames', type: 'number' },
  { id: 21, key: 'due', type: 'date' },
  { id: 210, key: 'desk', type: 'choice' },
  { id: 2100, key: 'clients', type: 'list' },
] as const satisfies readonly IndexField[];

const TEXTS = ['', 'goal', 'Goal', 'goals', 'a=b', 'a:text', 'ß', 'ﬀ', '𠀀', 'Ä', '2 \u212Ag goal', '=', '>', '2=goal'];
const NUMBERS = [0, -1, 0.1, 0.3, 0.30000000000000004, 1e21, 2 ** 53 - 1, -(2 ** 53) + 1, 1.7e308, 5e-324];
const DATES = [Date.UTC(0, 0), Date.UTC(2026, 0, 1), Date.UTC(2026, 0, 1) + 1, Date.UTC(2026, 0, 1) - 1];
const PARTS = ['GOAL', 'KG', '2 k', 'NOTE 12', '7', 'a', '=', 'text', 'ß', 'ä', 'nothing', '𠀀'];

const text = fc.constantFrom(...TEXTS);
const VALUES: Readonly<Record<IndexField['type'], fc.Arbitrary<IndexDetail[1]>>> = {
  // The last one is too long to be kept.
  text: fc.oneof({ weight: 9, arbitrary: text }, { weight: 1, arbitrary: fc.constant(null) }),
  number: fc.oneof(fc.constantFrom(...NUMBERS), fc.integer({ min: -400, max: 400 })),
  date: fc.constantFrom(...DATES),
  choice: fc.constantFrom('sport', 'news', 'Šport'),
  list: fc.subarray(TEXTS, { maxLength: 4 }),
};

/** Those of `drawnDetails` among them. */
const ASKED = [...TEXTS, 'note 5', 'client 1', 'client 77', 'Client 1'];

/** Some of the fields with a value, by ID. */
export function detailValues(): fc.Arbitrary<readonly IndexDetail[]> {
  return fc.oneof(
    fc.constant([]),
    fc.subarray([...INDEX_FIELDS]).chain((fields) => {
      return fc.tuple(...fields.map(({ id, type }) => VALUES[type].map((value): IndexDetail => [id, value])));
    }),
  );
}

/** Values at random: of texts, dates and items of lists there are many, of choices few. */
export function drawnDetails(draw: (below: number) => number): readonly IndexDetail[] {
  const details: IndexDetail[] = [];
  if (draw(2) === 0) details.push([2, `note ${draw(9000)}`]);
  if (draw(3) > 0) details.push([7, draw(1_000_000) / 8]);
  if (draw(20) === 0) details.push([21, Date.UTC(2026, 0, draw(700))]);
  if (draw(4) > 0) details.push([210, ['sport', 'news', 'Šport'][draw(3) * draw(2)] ?? '']);
  if (draw(3) === 0) details.push([2100, [...new Set([`client ${draw(300)}`, `client ${draw(3)}`])]]);
  return details;
}

type Leaf = Extract<Filter, { kind: 'detail' }>;
const exists = fc.boolean().map((one): Leaf['test'] => ({ kind: 'exists', exists: one }));

function compare(names: readonly ('eq' | 'ne' | 'in' | 'gt' | 'gte' | 'lt' | 'lte')[], values: readonly unknown[]) {
  // Texts, numbers or dates, as the callers below have them.
  const given = fc.constantFrom(...(values as readonly (string | number | Date)[]));
  return fc
    .tuple(fc.constantFrom(...names), fc.array(given, { minLength: 1, maxLength: 3 }))
    .map(([comparison, list]): Leaf['test'] => {
      return { kind: 'compare', comparison, values: comparison === 'in' ? list : list.slice(0, 1) };
    });
}

const ORDERS = ['eq', 'ne', 'in', 'gt', 'gte', 'lt', 'lte'] as const;
const EQUALS = ['eq', 'ne', 'in'] as const;
const contains = fc.constantFrom(...PARTS).map((part): Leaf['test'] => ({ kind: 'contains', text: part }));
const TESTS: Readonly<Record<IndexField['type'], fc.Arbitrary<Leaf['test']>>> = {
  text: fc.oneof(compare(EQUALS, ASKED), contains, exists),
  choice: fc.oneof(compare(EQUALS, ['sport', 'news', 'Šport', 'other']), contains, exists),
  number: fc.oneof(compare(ORDERS, NUMBERS), compare(ORDERS, [-399, -3, 7, 200, 60_000, 125_000]), exists),
  date: fc.oneof(
    compare(
      ORDERS,
      DATES.map((one) => new Date(one)),
    ),
    exists,
  ),
  list: fc.oneof(
    exists,
    fc
      .tuple(fc.constantFrom('all', 'any', 'none'), fc.subarray(ASKED, { minLength: 1, maxLength: 2 }))
      .map(([kind, texts]) => ({ kind, texts })),
  ),
};

export function detailLeaf(): fc.Arbitrary<Leaf> {
  return fc
    .constantFrom(...INDEX_FIELDS)
    .chain((detail) => TESTS[detail.type].map((test): Leaf => ({ kind: 'detail', detail, test })));
}

const valueOf = (row: IndexRow, id: number): IndexDetail[1] | undefined =>
  row.details.find(([field]) => field === id)?.[1];

/** What a facet counts. */
export function textsOf(row: IndexRow, id: number): readonly string[] {
  const value = valueOf(row, id);
  return typeof value === 'string' ? [value] : Array.isArray(value) ? value : [];
}

export function holdsDetail(row: IndexRow, { detail, test }: Leaf): boolean {
  const value = valueOf(row, detail.id);
  switch (test.kind) {
    case 'exists':
      return (value !== undefined) === test.exists;
    case 'compare':
      return compares(typeof value === 'string' || typeof value === 'number' ? value : null, test);
    case 'contains':
      return typeof value === 'string' && value.toLowerCase().includes(test.text.toLowerCase());
    case 'all':
      return test.texts.every((one) => textsOf(row, detail.id).includes(one));
    case 'any':
      return test.texts.some((one) => textsOf(row, detail.id).includes(one));
    case 'none':
      return !test.texts.some((one) => textsOf(row, detail.id).includes(one));
  }
}
