import fc from 'fast-check';

/** Detail fields of a small world, random values and tests of them, and what the tests mean, written from the contract alone. */

export const DETAIL_FIELDS = [
  { key: 'note', label: 'Note', type: 'text' },
  { key: 'frames', label: 'Frames', type: 'number' },
  { key: 'due', label: 'Due', type: 'date' },
  { key: 'desk', label: 'Desk', type: 'choice', choices: ['sport', 'news', 'Šport'] },
  { key: 'clients', label: 'Clients', type: 'list' },
] as const;
type Key = (typeof DETAIL_FIELDS)[number]['key'];
type Details = Readonly<Record<string, unknown>>;

const NOTES = ['goal', 'Goal', 'goals', 'šEŠ', '100%', 'a_b', 'back\\slash', '"quoted"', '', 'ß'];
const NUMBERS = [0, -1, 0.1, 0.30000000000000004, 0.3, 7, 1e21, -2.5, 9_007_199_254_740_991];
const DATES = [
  '2026-01-01',
  '2026-01-01T00:00:00.000Z',
  '2025-12-31T23:59:59.999Z',
  '2026-01-01T00:00:00.001Z',
  '0099-06-01',
  '9999-12-31',
];
const CLIENTS = ['a', 'A', 'b', 'c%', 'ß'];
const ASKED_DATES = [...DATES, '2026-01-01T01:00:00+01:00', '2026-01-02'];

const VALUES: Readonly<Record<Key, fc.Arbitrary<unknown>>> = {
  note: fc.constantFrom(...NOTES),
  frames: fc.constantFrom(...NUMBERS),
  due: fc.constantFrom(...DATES),
  desk: fc.constantFrom(...DETAIL_FIELDS[3].choices),
  clients: fc.subarray(CLIENTS),
};

/** Some of the fields with a value, as they are stored. */
export const fieldValues = (): fc.Arbitrary<Details> => fc.record(VALUES, { requiredKeys: [] });

function operators(value: fc.Arbitrary<unknown>, names: readonly string[]): fc.Arbitrary<unknown> {
  const list = fc.array(value, { minLength: 1, maxLength: 3 });
  const one = fc.oneof(
    fc.tuple(fc.constantFrom(...names), value),
    fc.tuple(fc.constant('in'), list),
    fc.tuple(fc.constant('exists'), fc.boolean()),
  );
  const few = fc.uniqueArray(one, { minLength: 1, maxLength: 2, selector: ([name]) => name });
  return fc.oneof(value, list, few.map(Object.fromEntries), few.map(Object.fromEntries));
}

function textTest(value: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  const part = fc.constantFrom('GOAL', 's', '%', '_', '\\', 'šeš', '"', 'SS');
  return fc.oneof(
    { weight: 3, arbitrary: operators(value, ['eq', 'ne', 'ne']) },
    { weight: 1, arbitrary: part.map((contains) => ({ contains })) },
  );
}

const ORDERS = ['eq', 'ne', 'gt', 'gte', 'lt', 'lte'];
const texts = fc.subarray(CLIENTS, { minLength: 1, maxLength: 2 });
const TESTS: Readonly<Record<Key, fc.Arbitrary<unknown>>> = {
  note: textTest(VALUES.note),
  frames: operators(VALUES.frames, ORDERS),
  due: operators(fc.constantFrom(...ASKED_DATES), ORDERS),
  desk: textTest(VALUES.desk),
  clients: fc.oneof(
    fc.constantFrom(...CLIENTS),
    texts,
    fc
      .record({ all: texts, any: texts, none: texts, exists: fc.boolean() }, { requiredKeys: [] })
      .filter((test) => Object.keys(test).length > 0),
  ),
};

/** The member `details` of a filter: tests of one or two fields. */
export function detailsTest(): fc.Arbitrary<Details> {
  const keys = fc.subarray(Object.keys(TESTS) as Key[], { minLength: 1, maxLength: 2 });
  return keys.chain((some) => fc.record(Object.fromEntries(some.map((key) => [key, TESTS[key]]))));
}

function holdsList(own: readonly string[] | undefined, test: unknown): boolean {
  const list = own ?? [];
  if (typeof test === 'string') return list.includes(test);
  if (Array.isArray(test)) return test.every((text) => list.includes(String(text)));
  return Object.entries(test as Record<string, unknown>).every(([kind, given]) => {
    if (kind === 'exists') return (own !== undefined) === given;
    const some = (given as string[]).some((text) => list.includes(text));
    if (kind === 'all') return (given as string[]).every((text) => list.includes(text));
    return kind === 'any' ? some : !some;
  });
}

function holdsOne(key: string, own: unknown, test: unknown): boolean {
  if (key === 'clients') return holdsList(own as readonly string[] | undefined, test);
  const read = (given: unknown): unknown => (key === 'due' ? Date.parse(String(given)) : given);
  const value = own === undefined ? undefined : read(own);
  const equals = (given: unknown) => value !== undefined && value === read(given);
  if (Array.isArray(test)) return test.some(equals);
  if (typeof test !== 'object' || test === null) return equals(test);
  return Object.entries(test).every(([operator, given]) => {
    if (operator === 'exists') return (value !== undefined) === given;
    if (operator === 'ne') return value === undefined || !equals(given);
    if (value === undefined) return false;
    if (operator === 'eq') return equals(given);
    if (operator === 'in') return (given as unknown[]).some(equals);
    // Only texts and choices are asked for parts.
    if (operator === 'contains') return (value as string).toLowerCase().includes(String(given).toLowerCase());
    const [a, b] = [Number(value), Number(read(given))];
    return { gt: a > b, gte: a >= b, lt: a < b, lte: a <= b }[operator] ?? false;
  });
}

/** The choice or the texts of a list that an asset has in a field. */
export function detailTexts(details: Details | undefined, key: string): readonly string[] {
  // Only fields of texts are counted.
  return [details?.[key] ?? []].flat() as string[];
}

/** Texts of a choice or list field by how many assets hold them: the largest counts first, ties by text. */
export function countDetails(assets: readonly Details[], key: Key): readonly { value: string; count: number }[] {
  const counts = new Map<string, number>();
  for (const details of assets) {
    for (const text of detailTexts(details, key)) counts.set(text, (counts.get(text) ?? 0) + 1);
  }
  return [...counts]
    .map(([value, count]) => ({ value, count }))
    .toSorted((a, b) => b.count - a.count || Buffer.compare(Buffer.from(a.value), Buffer.from(b.value)));
}

/** True when an asset's details meet the member `details` of a filter. */
export function holdsDetails(details: Details | undefined, tests: Details): boolean {
  return Object.entries(tests).every(([key, test]) => holdsOne(key, details?.[key], test));
}
