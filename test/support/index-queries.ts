import fc from 'fast-check';
import type { ActionEngineRequest, EngineRequest, FacetRequest } from '../../src/search/engine.ts';
import {
  ACTION_FACETS,
  ACTION_ID_FACETS,
  ACTION_SORT_FIELDS,
  ACTION_VALUE_FACETS,
  ID_FACETS,
  INTERVALS,
  SORT_FIELDS,
  TIME_FACETS,
  VALUE_FACETS,
} from '../../src/search/engine.ts';
import {
  ACTION_KEYWORD_FIELDS,
  ACTION_NUMBER_FIELDS,
  type ActionFilter,
  type Filter,
} from '../../src/search/filter/filter-tree.ts';
import { detailLeaf, INDEX_FIELDS } from './index-details.ts';
import { createPlainTagWords } from './plain-tag-words.ts';
import { parseTextQuery } from '../../src/search/text/text-query.ts';
import {
  ACTION_STATUSES,
  ACTION_TYPE_IDS,
  ANGLES,
  COLLECTION_IDS,
  CONFIDENCES,
  INDEX_WORDS,
  OUTCOMES,
  ROLES,
  SOURCES,
  TAG_IDS,
  TIMES,
} from './index-rows.ts';

/** Random searches over the rows of index-rows.ts. */

export const indexTagWords = createPlainTagWords([
  { id: TAG_IDS[0], names: ['Corner Flag'] },
  { id: TAG_IDS[1], names: ['Goals', 'Final 2nd'] },
]);

const COMPARISONS = ['eq', 'ne', 'gt', 'gte', 'lt', 'lte', 'in'] as const;

function compare(field: Extract<Filter, { kind: 'compare' }>['field'], value: fc.Arbitrary<string | number | Date>) {
  const several = fc.array(value, { minLength: 1, maxLength: 3 });
  return fc.tuple(fc.constantFrom(...COMPARISONS), several).map(([comparison, values]): Filter => {
    return { kind: 'compare', field, comparison, values: comparison === 'in' ? values : values.slice(0, 1) };
  });
}

function ids(): fc.Arbitrary<Filter> {
  const test = fc.constantFrom('all', 'any', 'none', 'only');
  const tags = fc.record({
    kind: fc.constant('ids' as const),
    field: fc.constantFrom('tag_options', 'player', 'club', 'match'),
    test,
    ids: fc.subarray([...TAG_IDS, 77], { minLength: 1 }),
  });
  const collections = fc.record({
    kind: fc.constant('ids' as const),
    field: fc.constant('collection' as const),
    test,
    ids: fc.subarray([...COLLECTION_IDS, 78], { minLength: 1 }),
  });
  return fc.oneof({ weight: 3, arbitrary: tags }, { weight: 1, arbitrary: collections });
}

function text(): fc.Arbitrary<Extract<Filter, { kind: 'text' }>> {
  const word = fc.constantFrom(...INDEX_WORDS, 'goa', 'celebratoin', 'cornre', 'nothing', 'frame', 'jpg');
  const part = fc.oneof(
    { weight: 4, arbitrary: word },
    { weight: 1, arbitrary: word.map((one) => `-${one}`) },
    { weight: 2, arbitrary: fc.tuple(word, word).map(([a, b]) => `"${a} ${b}"`) },
  );
  return fc.array(part, { minLength: 1, maxLength: 3 }).map((parts) => {
    const query = parseTextQuery(parts.join(' '));
    if (!query) throw new RangeError('expected words');
    return { kind: 'text' as const, query };
  });
}

const ACTION_VALUES: Readonly<
  Record<
    (typeof ACTION_KEYWORD_FIELDS)[number] | (typeof ACTION_NUMBER_FIELDS)[number],
    readonly (string | number | Date)[]
  >
> = {
  status: [...ACTION_STATUSES, 'unknown'],
  outcome: [...OUTCOMES, 'none'],
  source: SOURCES,
  angle: [...ANGLES, 'other'],
  role: [...ROLES, 'referee'],
  start_ms: [0, 1000, 1001, 3_000_000, 5_000_000_000],
  period: [0, 1, 2],
  clock_ms: [0, 2_700_000, 4_000_000],
  minute: [1, 45, 80, 90],
  stoppage: [0, 1, 3],
  confidence: [...CONFIDENCES, 0.5],
  wallclock_at: TIMES.map((one) => new Date(one)),
  created_at: TIMES.map((one) => new Date(one)),
  updated_at: TIMES.map((one) => new Date(one)),
};

function actionLeaf(): fc.Arbitrary<ActionFilter> {
  const test = fc.constantFrom('all', 'any', 'none', 'only');
  const tags = fc.record({
    kind: fc.constant('ids' as const),
    field: fc.constantFrom('tag_options', 'player', 'club', 'match'),
    test,
    ids: fc.subarray([...TAG_IDS, 77], { minLength: 1, maxLength: 3 }),
  });
  const roles = fc.record({
    kind: fc.constant('ids' as const),
    field: fc.constant('player' as const),
    test,
    ids: fc.subarray(TAG_IDS.slice(0, 3), { minLength: 1, maxLength: 2 }),
    roles: fc.subarray([...ROLES], { minLength: 1, maxLength: 2 }),
  });
  const types = fc.record({
    kind: fc.constant('ids' as const),
    field: fc.constant('type' as const),
    test,
    ids: fc.subarray([...ACTION_TYPE_IDS, 78], { minLength: 1, maxLength: 2 }),
  });
  const media = fc.record({
    kind: fc.constant('ids' as const),
    field: fc.constant('media' as const),
    test,
    ids: fc.uniqueArray(fc.integer({ min: 1, max: 500 }), { minLength: 1, maxLength: 20 }),
  });
  const keywords = fc.constantFrom(...ACTION_KEYWORD_FIELDS).chain((field) =>
    fc
      .tuple(fc.constantFrom('eq', 'ne', 'in'), fc.subarray([...ACTION_VALUES[field]], { minLength: 1, maxLength: 2 }))
      .map(([comparison, values]): ActionFilter => {
        return { kind: 'compare', field, comparison, values: comparison === 'in' ? values : values.slice(0, 1) };
      }),
  );
  const numbers = fc.constantFrom(...ACTION_NUMBER_FIELDS).chain((field) =>
    fc
      .tuple(fc.constantFrom(...COMPARISONS), fc.subarray([...ACTION_VALUES[field]], { minLength: 1, maxLength: 2 }))
      .map(([comparison, values]): ActionFilter => {
        return { kind: 'compare', field, comparison, values: comparison === 'in' ? values : values.slice(0, 1) };
      }),
  );
  const exists = fc.record({
    kind: fc.constant('exists' as const),
    field: fc.constantFrom(...ACTION_KEYWORD_FIELDS, ...ACTION_NUMBER_FIELDS),
    exists: fc.boolean(),
  });
  return fc.oneof(tags, roles, types, types, media, keywords, keywords, numbers, exists, text());
}

export function indexActionFilter(): fc.Arbitrary<ActionFilter> {
  const { filter } = fc.letrec<{ filter: ActionFilter }>((tie) => {
    const kind = fc.constantFrom('all', 'any', 'none');
    const group = fc.record({ kind, filters: fc.array(tie('filter'), { maxLength: 3 }) });
    return { filter: fc.oneof({ maxDepth: 3, depthSize: 'small' }, actionLeaf(), group) };
  });
  return fc.array(filter, { maxLength: 2 }).map((filters): ActionFilter => ({ kind: 'all', filters }));
}

export function indexFilter(): fc.Arbitrary<Filter> {
  const time = fc.constantFrom(...TIMES, Date.UTC(2023, 3, 1)).map((one) => new Date(one));
  const scalar = fc.oneof(
    compare('captured_at', time),
    compare('created_at', time),
    compare('updated_at', time),
    compare('width', fc.constantFrom(1, 2000, 3000, 4567)),
    compare('height', fc.integer({ min: 0, max: 5 })),
    compare('duration_ms', fc.constantFrom(0, 1, 5_000_000_000)),
    compare('people_count', fc.integer({ min: 0, max: 3 })),
    compare('rating', fc.integer({ min: 0, max: 5 })),
    compare('media_type', fc.constantFrom('photo', 'video')),
    compare('status', fc.constantFrom('ready', 'archived', 'deleted')),
    compare('orientation', fc.constantFrom('landscape', 'square')),
    compare('usage', fc.constantFrom('approved', 'raw', 'expired')),
  );
  const exists = fc.record({
    kind: fc.constant('exists' as const),
    field: fc.constantFrom('captured_at', 'rating', 'width', 'orientation', 'duration_ms', 'usage'),
    exists: fc.boolean(),
  });
  const name = fc
    .constantFrom('img', '_', 'É', 'frame 3', '.jpg', 'fi', ' ', '𠀀', '𝒳', 'nothing', 'a')
    .map((contains): Filter => ({ kind: 'name', contains }));
  // Those of the rows are mostly numbered from 1; the last is of no row.
  const assets = fc
    .array(fc.oneof(fc.nat(70), fc.constantFrom(1500, 2 ** 40)), { maxLength: 30 })
    .map((given): Filter => ({ kind: 'assets', ids: given }));
  const leaf = fc.oneof(
    { weight: 4, arbitrary: ids() },
    { weight: 2, arbitrary: assets },
    { weight: 4, arbitrary: scalar },
    { weight: 1, arbitrary: exists },
    { weight: 1, arbitrary: name },
    { weight: 2, arbitrary: text() },
    { weight: 3, arbitrary: detailLeaf() },
    { weight: 3, arbitrary: indexActionFilter().map((one): Filter => ({ kind: 'action', filter: one })) },
  );
  const { filter } = fc.letrec<{ filter: Filter }>((tie) => {
    const kind = fc.constantFrom('all', 'any', 'none');
    const group = fc.record({ kind, filters: fc.array(tie('filter'), { maxLength: 3 }) });
    return { filter: fc.oneof({ maxDepth: 6, depthSize: 'medium' }, leaf, group) };
  });
  // As the parser does: a group around all of it.
  return fc.array(filter, { maxLength: 3 }).map((filters): Filter => ({ kind: 'all', filters }));
}

type FacetField = Omit<FacetRequest, 'filter'>;

function facet(): fc.Arbitrary<FacetField> {
  const limit = fc.constantFrom(1, 2, 1000);
  return fc.oneof(
    fc.record({ field: fc.constantFrom(...ID_FACETS, ...VALUE_FACETS, ...ACTION_FACETS), limit }),
    fc.record({
      field: fc.constant('detail' as const),
      detail: fc.constantFrom(INDEX_FIELDS[3], INDEX_FIELDS[4]),
      limit,
    }),
    fc.record({ field: fc.constantFrom(...TIME_FACETS), interval: fc.constantFrom(...INTERVALS), limit }),
  );
}

export function indexRequest(filters: fc.Arbitrary<Filter> = indexFilter()): fc.Arbitrary<EngineRequest> {
  return fc
    .record({
      filter: filters,
      other: filters,
      facets: fc.array(fc.tuple(facet(), fc.boolean()), { maxLength: 3 }),
      sort: fc.record({ field: fc.constantFrom(...SORT_FIELDS), descending: fc.boolean() }),
      limit: fc.constantFrom(0, 1, 5, 200),
      offset: fc.constantFrom(0, 0, 2),
    })
    .map(({ other, facets, ...request }) => ({
      ...request,
      after: undefined,
      tagWords: indexTagWords,
      // Each field with what belongs to it, by the generators above.
      facets: facets.map(([one, own]) => ({ ...one, filter: own ? request.filter : other }) as FacetRequest),
    }));
}

export function indexActionRequest(): fc.Arbitrary<ActionEngineRequest> {
  const everything = fc.constant<Filter>({ kind: 'all', filters: [] });
  return fc
    .record({
      filter: indexActionFilter(),
      other: indexActionFilter(),
      media: fc.oneof({ weight: 2, arbitrary: everything }, { weight: 1, arbitrary: indexFilter() }),
      homeOnly: fc.boolean(),
      facets: fc.array(
        fc.record({
          field: fc.constantFrom(...ACTION_ID_FACETS, ...ACTION_VALUE_FACETS),
          limit: fc.constantFrom(1, 2, 1000),
          own: fc.boolean(),
        }),
        { maxLength: 3 },
      ),
      sort: fc.record({ field: fc.constantFrom(...ACTION_SORT_FIELDS), descending: fc.boolean() }),
      limit: fc.constantFrom(0, 1, 5, 200),
      offset: fc.constantFrom(0, 0, 2),
    })
    .map(({ other, facets, ...request }) => ({
      ...request,
      after: undefined,
      tagWords: indexTagWords,
      facets: facets.map(({ own, ...one }) => ({ ...one, filter: own ? request.filter : other })),
    }));
}
