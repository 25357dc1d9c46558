import fc from 'fast-check';
import { detailsTest, fieldValues } from './search-details.ts';
import type { AssetRow } from './search-library.ts';
import type { ModelFacet, ModelFilter } from './search-model.ts';
import { readQuery } from './search-model-text.ts';

/** Random assets, filters, texts and facets over a small world, in which values meet, repeat and nearly repeat. */

export const TAG_TYPES = ['player', 'club', 'stadium', 'competition', 'season', 'match', 'sponsor', 'tag'] as const;
const NAMES = ['IMG_01.jpg', 'img-02.JPG', '100%.jpg', 'Šeško_goal.jpg', 'back\\slash.jpg', 'É.tif', 'a b', 'ß.jpg'];
export const TIMES = [
  '2025-12-31T23:59:59.999Z',
  '2026-01-01T00:00:00.000Z',
  '2026-01-01T00:00:00.001Z',
  '2026-01-04T23:59:59.999Z',
  '2026-01-05T00:00:00Z',
  '2026-06-15T12:00:00Z',
];
const STATUSES = ['processing', 'ready', 'failed', 'archived', 'deleted'] as const;
const USAGES = ['approved', 'limited', 'raw', 'embargoed', 'expired'] as const;
const ORIENTATIONS = ['landscape', 'portrait', 'square'] as const;
/** Words that lie a typing error apart, begin alike, fold to the same, or are no Latin letters. */
const WORDS = [
  'goal',
  'goals',
  'goalie',
  'Goals',
  'gaol',
  'corner',
  'korner',
  'Šeško',
  'sesko',
  'seskos',
  'Ødegaard',
  'odegard',
  'celebration',
  'celebrations',
  'left',
  'foot',
  'football',
  'free-kick',
  "O'Neill",
  '2',
  '2nd',
  'a',
  'ﬁnal',
  '北京',
  'Кириллица',
  '𠀀𠀁𠀂𠀃',
];

const COUNTED_FIELDS = [
  'tag_options',
  ...TAG_TYPES,
  'collection',
  'media_type',
  'orientation',
  'usage',
  'status',
  'rating',
  'people_count',
  'details.desk',
  'details.clients',
];

/** IDs by type of tag option, and under `tag_options` and `collection`. */
export type Ids = ReadonlyMap<string, readonly number[]>;

const idsIn = (ids: Ids, field: string): number[] => [...(ids.get(field) ?? [])];
export const orNull = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { freq: 3, nil: null });
const word = fc.constantFrom(...WORDS);

/** A few words with something between them: a phrase goes on across all of these but not from one text to the next. */
export const phrase = (maxWords = 4, words: readonly string[] = WORDS): fc.Arbitrary<string> =>
  fc
    .array(fc.tuple(fc.constantFrom(...words), fc.constantFrom(' ', ' ', '_', ', ')), {
      minLength: 1,
      maxLength: maxWords,
    })
    .map((parts) => parts.flat().slice(0, -1).join(''));

function details(words: readonly string[]): fc.Arbitrary<Readonly<Record<string, unknown>>> {
  const members = {
    title: phrase(2, words),
    caption: phrase(4, words),
    keywords: fc.array(phrase(2, words), { maxLength: 3 }),
    credit: phrase(2, words),
    shoot: fc.record({
      note: phrase(2, words),
      people: fc.array(fc.constantFrom(...words), { maxLength: 2 }),
      number: fc.integer(),
    }),
  };
  return fc.tuple(fc.record(members, { requiredKeys: [] }), fieldValues()).map(([free, own]) => ({ ...free, ...own }));
}

/** A library's own choice of the words that texts of queries are made of: the others are mistakes there. */
export const vocabulary = (): fc.Arbitrary<readonly string[]> =>
  fc.subarray(WORDS, { minLength: Math.floor(WORDS.length * 0.75) });

export function assetRow(ids: Ids, words: readonly string[] = WORDS): fc.Arbitrary<AssetRow> {
  return fc.record({
    name: fc.oneof(fc.constantFrom(...NAMES), phrase(2, words)),
    details: details(words),
    mediaType: fc.constantFrom('photo', 'photo', 'video'),
    status: fc.constantFrom('ready', 'ready', 'ready', 'ready', ...STATUSES),
    tags: fc.subarray(idsIn(ids, 'tag_options'), { maxLength: 8 }),
    collections: fc.subarray(idsIn(ids, 'collection')),
    capturedAt: orNull(fc.constantFrom(...TIMES)),
    createdAt: fc.constantFrom(...TIMES),
    updatedAt: fc.constantFrom(...TIMES),
    width: orNull(fc.integer({ min: 1, max: 4 })),
    height: orNull(fc.integer({ min: 1, max: 4 })),
    orientation: orNull(fc.constantFrom(...ORIENTATIONS)),
    durationMs: orNull(fc.constantFrom(0, 1, 5_000_000_000)),
    peopleCount: fc.integer({ min: 0, max: 3 }),
    rating: orNull(fc.integer({ min: 0, max: 5 })),
    usage: fc.constantFrom(...USAGES),
  });
}

export function idTest(ids: readonly number[]): fc.Arbitrary<unknown> {
  const some = fc.subarray([...ids], { minLength: 1, maxLength: Math.min(3, ids.length) });
  const operators = fc.record({ all: some, any: some, none: some, only: some }, { requiredKeys: [] });
  return fc.oneof(
    fc.constantFrom(...ids),
    fc.subarray([...ids], { maxLength: Math.min(2, ids.length) }),
    operators.filter((test) => Object.keys(test).length > 0),
  );
}

export function scalarTest(value: fc.Arbitrary<string | number>): fc.Arbitrary<unknown> {
  const list = fc.array(value, { minLength: 1, maxLength: 3 });
  const operator = fc.oneof(
    { weight: 7, arbitrary: fc.tuple(fc.constantFrom('eq', 'ne', 'ne', 'gt', 'gte', 'lt', 'lte'), value) },
    { weight: 1, arbitrary: fc.tuple(fc.constant('in'), list) },
    { weight: 1, arbitrary: fc.tuple(fc.constant('exists'), fc.boolean()) },
  );
  // One or two: more hardly ever hold together.
  const few = fc.uniqueArray(operator, { minLength: 1, maxLength: 2, selector: ([name]) => name });
  return fc.oneof(
    { weight: 1, arbitrary: value },
    { weight: 1, arbitrary: list },
    { weight: 4, arbitrary: few.map(Object.fromEntries) },
  );
}

/** A word as typed in haste: whole, cut short, or with a letter swapped, left out, replaced or put in. */
const typedWord = fc
  .tuple(word, fc.nat(20), fc.constantFrom('whole', 'whole', 'whole', 'cut', 'swapped', 'missing', 'other', 'more'))
  .map(([text, place, mistake]) => {
    const at = 1 + (place % Math.max(1, text.length - 1));
    const [before, here, after] = [text.slice(0, at), text.charAt(at), text.slice(at + 1)];
    if (mistake === 'cut') return before;
    if (mistake === 'swapped') return before + after.charAt(0) + here + after.slice(1);
    if (mistake === 'missing') return before + after;
    if (mistake === 'other') return `${before}z${after}`;
    return mistake === 'more' ? `${before}e${here}${after}` : text;
  });

export function text(): fc.Arbitrary<string> {
  const quoted = fc.array(word, { minLength: 1, maxLength: 3 }).map((words) => `"${words.join(' ')}"`);
  const part = fc.oneof(
    { weight: 6, arbitrary: typedWord },
    { weight: 2, arbitrary: quoted },
    { weight: 2, arbitrary: fc.oneof(typedWord, quoted).map((one) => `-${one}`) },
    { weight: 1, arbitrary: fc.constantFrom('-', '"', '--', '!', '-"', 'goal"', 'a"b', '- goal') },
  );
  // Often one: three words are hardly ever in one asset.
  const parts = fc.oneof(fc.tuple(part), fc.array(part, { minLength: 1, maxLength: 3 }));
  return fc
    .tuple(parts, fc.constantFrom('', '', ' '))
    .map(([list, end]) => list.join(' ') + end)
    .filter((query) => readQuery(query).length > 0);
}

function leafTests(ids: Ids): Record<string, fc.Arbitrary<unknown>> {
  const time = () => fc.constantFrom(...TIMES, '2026-01-01', '2026-01-01T01:00:00+01:00');
  const tests: Record<string, fc.Arbitrary<unknown>> = {
    name: fc.constantFrom('img', '_', '%', 'šEŠ', '\\', 'é', 'jpg', ' ', 'nothing'),
    media_type: scalarTest(fc.constantFrom('photo', 'video')),
    captured_at: scalarTest(time()),
    created_at: scalarTest(time()),
    updated_at: scalarTest(time()),
    width: scalarTest(fc.integer({ min: 0, max: 5 })),
    height: scalarTest(fc.integer({ min: 0, max: 5 })),
    orientation: scalarTest(fc.constantFrom(...ORIENTATIONS)),
    duration_ms: scalarTest(fc.constantFrom(0, 1, 5_000_000_000)),
    people_count: scalarTest(fc.integer({ min: 0, max: 3 })),
    rating: scalarTest(fc.integer({ min: 0, max: 5 })),
    usage: scalarTest(fc.constantFrom(...USAGES)),
    status: scalarTest(fc.constantFrom(...STATUSES)),
    details: detailsTest(),
  };
  for (const [field, list] of ids) if (field !== 'tag') tests[field] = idTest(list);
  return tests;
}

/** Filters of such leaves; a group may hold groups. */
export function treeOf(leaf: fc.Arbitrary<ModelFilter>, maxDepth = 4): fc.Arbitrary<ModelFilter> {
  const { filter } = fc.letrec<{ filter: ModelFilter }>((tie) => {
    const children = fc.array(tie('filter'), { minLength: 1, maxLength: 3 });
    const group = fc
      .constantFrom('all', 'any', 'any', 'none')
      .chain((kind) => children.map((list) => ({ [kind]: list })));
    const several = fc.array(leaf, { maxLength: 3 }).map((leaves) => Object.assign({}, ...leaves) as ModelFilter);
    const mixed = fc.tuple(leaf, group).map(([one, groups]) => ({ ...one, ...groups }));
    return { filter: fc.oneof({ maxDepth, withCrossShrink: true }, leaf, several, group, mixed) };
  });
  return filter;
}

/**
 * Filters of all kinds. `textShare`: of ten leaves, how many test a text; `actions`: what a leaf asks of actions now and
 * then.
 */
export function tree(
  ids: Ids,
  { textShare, actions }: { readonly textShare: number; readonly actions?: fc.Arbitrary<ModelFilter> },
): fc.Arbitrary<ModelFilter> {
  const tests = leafTests(ids);
  const idFields = Object.keys(tests).filter((field) => ids.has(field));
  // ID fields as often as all others together: they are what searches are made of.
  const field = fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom(...idFields) },
    { weight: 3, arbitrary: fc.constantFrom(...Object.keys(tests)) },
    // One field of the contract, and a grammar of its own.
    { weight: 1, arbitrary: fc.constant('details') },
  );
  const other = field.chain((name) => (tests[name] ?? fc.constant(undefined)).map((value) => ({ [name]: value })));
  const leaf: fc.Arbitrary<ModelFilter> = fc.oneof(
    { weight: textShare, arbitrary: text().map((query) => ({ text: query })) },
    { weight: 10 - textShare, arbitrary: other },
    ...(actions ? [{ weight: 5, arbitrary: actions.map((action) => ({ action })) }] : []),
  );
  // What is asked of actions is nested too, and both count together.
  return treeOf(leaf, actions ? 2 : 4);
}

export function facet(): fc.Arbitrary<ModelFacet> {
  const limit = fc.constantFrom(1, 2, 3, 1000);
  const values = fc.constantFrom(...COUNTED_FIELDS);
  const times = fc.constantFrom('captured_at', 'created_at', 'updated_at');
  return fc.oneof(
    { weight: 3, arbitrary: fc.record({ field: values, limit }) },
    {
      weight: 1,
      arbitrary: fc.record({ field: times, interval: fc.constantFrom('day', 'week', 'month', 'year'), limit }),
    },
  );
}

/** Assets by their actions. */
export const actionFacet = (): fc.Arbitrary<ModelFacet> =>
  fc.record({ field: fc.constantFrom('action.type', 'action.player'), limit: fc.constantFrom(1, 2, 1000) });

export const sortText = (fields: readonly string[]): fc.Arbitrary<string> =>
  fc.constantFrom(...fields.flatMap((field) => [field, `-${field}`]));
