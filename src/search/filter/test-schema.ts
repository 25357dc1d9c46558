import { Type } from 'typebox';

/** Shapes that members of filters over assets and over actions have in common. */

export const INT32_MAX = 2_147_483_647;
export const MAX_LIST = 1000;

/** What any text is read as. */
export const TEXT_MEANS =
  'All of them must occur; the last one may be the beginning of a word. "words in quotes" follow one another; -word excludes.';

export const Id = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER });
export const Ids = (minItems: number) => Type.Array(Id, { minItems, maxItems: MAX_LIST });

export const IdTest = Type.Union(
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
export function scalarTest<
  Value extends
    | ReturnType<typeof Type.Integer>
    | ReturnType<typeof Type.Number>
    | ReturnType<typeof Type.String>
    | ReturnType<typeof Type.Enum>,
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

export const integer = (minimum: number, maximum: number) =>
  scalarTest(Type.Integer({ minimum, maximum }), `an integer from ${minimum} to ${maximum}`);
// A date alone stands for its midnight in UTC.
export const time = () =>
  scalarTest(
    Type.String({
      pattern: '^\\d{4}-\\d{2}-\\d{2}([Tt]\\d{2}:\\d{2}:\\d{2}(\\.\\d{1,9})?([Zz]|[+-]\\d{2}:\\d{2}))?$',
      maxLength: 40,
      expected: 'an RFC 3339 time or date such as 2026-03-14T19:30:00Z',
    }),
    'an RFC 3339 time or date',
  );
export const oneOf = (values: readonly string[]) =>
  scalarTest(
    Type.Union(values.map((value) => Type.Literal(value))) as unknown as ReturnType<typeof Type.String>,
    `one of ${values.join(', ')}`,
  );
