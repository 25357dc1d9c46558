import { type Static, Type } from 'typebox';
import { ASSET_STATUSES, ORIENTATIONS, USAGES } from '../../library/index.ts';

/** Limits of one filter: nested `all`/`any`/`none`, and members that test something. */
export const MAX_FILTER_DEPTH = 6;
export const MAX_FILTER_LEAVES = 200;
const MAX_LIST = 1000;

/** ID fields: `tag_options` takes every type of tag option, the others only their own. */
export const ID_FIELDS = [
  'tag_options',
  'player',
  'club',
  'stadium',
  'competition',
  'season',
  'match',
  'sponsor',
  'collection',
] as const;
export type IdField = (typeof ID_FIELDS)[number];

const Id = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER });
const Ids = (minItems: number) => Type.Array(Id, { minItems, maxItems: MAX_LIST });

const IdTest = Type.Union(
  [
    Id,
    Ids(0),
    Type.Object(
      {
        all: Type.Optional(Ids(1)),
        any: Type.Optional(Ids(1)),
        none: Type.Optional(Ids(1)),
        only: Type.Optional(Ids(1)),
      },
      { additionalProperties: false, minProperties: 1 },
    ),
  ],
  { expected: 'an ID, a list of IDs (all of them) or an object of all, any, none and only' },
);

/** A value, a list (= in), or operators, all of which must hold. */
function scalarTest<
  Value extends ReturnType<typeof Type.Integer> | ReturnType<typeof Type.String> | ReturnType<typeof Type.Enum>,
>(value: Value, expected: string) {
  return Type.Union(
    [
      value,
      Type.Array(value, { minItems: 1, maxItems: MAX_LIST }),
      Type.Object(
        {
          eq: Type.Optional(value),
          ne: Type.Optional(value),
          in: Type.Optional(Type.Array(value, { minItems: 1, maxItems: MAX_LIST })),
          gt: Type.Optional(value),
          gte: Type.Optional(value),
          lt: Type.Optional(value),
          lte: Type.Optional(value),
          exists: Type.Optional(Type.Boolean()),
        },
        { additionalProperties: false, minProperties: 1 },
      ),
    ],
    { expected: `${expected}, a list of them, or an object of eq, ne, in, gt, gte, lt, lte and exists` },
  );
}

const integer = (minimum: number, maximum: number) =>
  scalarTest(Type.Integer({ minimum, maximum }), `an integer from ${minimum} to ${maximum}`);
// A date alone stands for its midnight in UTC.
const time = () =>
  scalarTest(
    Type.String({
      pattern: '^\\d{4}-\\d{2}-\\d{2}([Tt]\\d{2}:\\d{2}:\\d{2}(\\.\\d{1,9})?([Zz]|[+-]\\d{2}:\\d{2}))?$',
      maxLength: 40,
      expected: 'an RFC 3339 time or date such as 2026-03-14T19:30:00Z',
    }),
    'an RFC 3339 time or date',
  );
const oneOf = (values: readonly string[]) =>
  scalarTest(
    Type.Union(values.map((value) => Type.Literal(value))) as unknown as ReturnType<typeof Type.String>,
    `one of ${values.join(', ')}`,
  );

const INT32_MAX = 2_147_483_647;

/** Scalar fields by name, with the test each takes. */
const SCALARS = {
  media_type: oneOf(['photo', 'video']),
  captured_at: time(),
  created_at: time(),
  updated_at: time(),
  width: integer(0, INT32_MAX),
  height: integer(0, INT32_MAX),
  orientation: oneOf(ORIENTATIONS),
  duration_ms: integer(0, Number.MAX_SAFE_INTEGER),
  people_count: integer(0, INT32_MAX),
  rating: integer(0, 5),
  usage: oneOf(USAGES),
  status: oneOf(ASSET_STATUSES),
};
export type ScalarField = keyof typeof SCALARS;
export const SCALAR_FIELDS = Object.keys(SCALARS) as ScalarField[];

const idTests = Object.fromEntries(ID_FIELDS.map((field) => [field, Type.Optional(IdTest)])) as {
  [Field in IdField]: ReturnType<typeof Type.Optional<typeof IdTest>>;
};
const scalarTests = Object.fromEntries(
  Object.entries(SCALARS).map(([field, test]) => [field, Type.Optional(test)]),
) as { [Field in ScalarField]: ReturnType<typeof Type.Optional<(typeof SCALARS)[Field]>> };

const filterRef = Type.Unsafe<Record<string, unknown>>({ $ref: 'Filter#' });
const nested = () => Type.Optional(Type.Array(filterRef, { minItems: 1, maxItems: MAX_FILTER_LEAVES }));

/** Every member of a filter by name; all given ones must hold. */
export const filterMembers = {
  ...idTests,
  ...scalarTests,
  name: Type.Optional(
    Type.String({ minLength: 1, maxLength: 400, description: 'Case-insensitive part of the file name.' }),
  ),
  text: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 400,
      description:
        'Words in name, details, and the labels and aliases of tag options on the asset. All of them must occur; the last one ' +
        'may be the beginning of a word. "words in quotes" follow one another; -word excludes.',
    }),
  ),
  all: nested(),
  any: nested(),
  none: nested(),
};

/** The filter as a named schema: it refers to itself in `all`, `any` and `none`. */
export const FilterSchema = Type.Object(filterMembers, {
  $id: 'Filter',
  additionalProperties: false,
  description:
    `All members must hold. Nested to depth ${MAX_FILTER_DEPTH} with at most ${MAX_FILTER_LEAVES} tests. ` +
    'Without a test of `status`, assets that are processing or ready are found; those in the bin only by asking for deleted.',
});
export type FilterInput = Static<typeof FilterSchema>;
