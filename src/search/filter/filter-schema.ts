import { type Static, Type } from 'typebox';
import { ASSET_STATUSES, ORIENTATIONS, USAGES } from '../../library/index.ts';
import { DetailsSchema } from './detail-schema.ts';
import { IdTest, INT32_MAX, integer, oneOf, TEXT_MEANS, time } from './test-schema.ts';

/** Limits of one filter, what it asks of actions included: nested `all`/`any`/`none`, and members that test something. */
export const MAX_FILTER_DEPTH = 6;
export const MAX_FILTER_LEAVES = 200;

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

// A schema of its own, by name: it refers to itself as well.
const actionRef = Type.Unsafe<Record<string, unknown>>({ $ref: 'ActionFilter#' });
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
      description: `Words in name, details, and the labels and aliases of tag options on the asset. ${TEXT_MEANS}`,
    }),
  ),
  details: Type.Optional(DetailsSchema),
  action: Type.Optional(actionRef),
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
