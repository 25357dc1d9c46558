import { Type } from 'typebox';
import { MAX_LIST } from './test-schema.ts';

const MAX_FIELDS = 100;

// Which operators and values a field takes follows from its type, which no schema knows: detail-parser.ts says so.
const value = Type.Unsafe<string | number>({ type: ['string', 'number'], maxLength: 10_000 });
const values = Type.Array(value, { minItems: 1, maxItems: MAX_LIST });
const operator = Type.Optional(value);
const several = Type.Optional(values);

const DetailTestSchema = Type.Union(
  [
    value,
    values,
    Type.Object(
      {
        eq: operator,
        ne: operator,
        in: several,
        gt: operator,
        gte: operator,
        lt: operator,
        lte: operator,
        contains: Type.Optional(Type.String({ minLength: 1, maxLength: 400 })),
        all: several,
        any: several,
        none: several,
        exists: Type.Optional(Type.Boolean()),
      },
      { additionalProperties: false, minProperties: 1 },
    ),
  ],
  {
    expected:
      'a value, a list of values, or an object of eq, ne, in, gt, gte, lt, lte, contains, all, any, none and exists',
  },
);

/** Member `details` of a filter: tests of the organization's own fields by their keys; all must hold. */
export const DetailsSchema = Type.Unsafe<Readonly<Record<string, unknown>>>({
  type: 'object',
  propertyNames: { pattern: '^[a-z][a-z0-9_]{0,63}$', expected: 'the key of a detail field' },
  additionalProperties: DetailTestSchema,
  minProperties: 1,
  maxProperties: MAX_FIELDS,
  description:
    "Tests of the organization's detail fields by key. text, choice: a value, a list (= in), or eq, ne, in, contains (a part, " +
    'case-insensitive), exists. number, date: a value, a list (= in), or eq, ne, in, gt, gte, lt, lte, exists. list: a text or ' +
    'a list (= all of them), or all, any, none, exists',
});
