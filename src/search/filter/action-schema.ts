import { type Static, Type } from 'typebox';
import { ACTION_STATUSES } from '../../library/index.ts';
import { MAX_FILTER_DEPTH, MAX_FILTER_LEAVES } from './filter-schema.ts';
import { Id, Ids, IdTest, integer, MAX_LIST, scalarTest, TEXT_MEANS, time } from './test-schema.ts';

/** ID fields of a filter over actions that take tag options: of every type, or of their own. */
export const ACTION_TAG_FIELDS = [
  'tag_options',
  'player',
  'club',
  'stadium',
  'competition',
  'season',
  'match',
  'sponsor',
] as const;
export type ActionTagField = (typeof ACTION_TAG_FIELDS)[number];

const INT16_MAX = 32_767;
const MAX_TEXT = 200;

/** A value, a list (= in), or operators of a text that has no order. */
function keywordTest(value: ReturnType<typeof Type.String>, expected: string) {
  const list = Type.Array(value, { minItems: 1, maxItems: MAX_LIST });
  return Type.Union(
    [
      value,
      list,
      Type.Object(
        {
          eq: Type.Optional(value),
          ne: Type.Optional(value),
          in: Type.Optional(list),
          exists: Type.Optional(Type.Boolean()),
        },
        { additionalProperties: false, minProperties: 1 },
      ),
    ],
    { expected: `${expected}, a list of them, or an object of eq, ne, in and exists` },
  );
}

// A NUL can be in no text of the database.
const text = () => keywordTest(Type.String({ minLength: 1, maxLength: MAX_TEXT, pattern: '^[^\\u0000]*$' }), 'a text');
const statuses = Type.Union(ACTION_STATUSES.map((status) => Type.Literal(status)));
const status = () =>
  keywordTest(statuses as unknown as ReturnType<typeof Type.String>, `one of ${ACTION_STATUSES.join(', ')}`);

const KEYWORDS = { status: status(), outcome: text(), source: text(), angle: text() };
export type KeywordMember = keyof typeof KEYWORDS;
export const KEYWORD_MEMBERS = Object.keys(KEYWORDS) as KeywordMember[];

const NUMBERS = {
  start_ms: integer(0, Number.MAX_SAFE_INTEGER),
  period: integer(0, INT16_MAX),
  clock_ms: integer(0, Number.MAX_SAFE_INTEGER),
  minute: integer(0, INT16_MAX),
  stoppage: integer(0, INT16_MAX),
  confidence: scalarTest(Type.Number({ minimum: 0, maximum: 1 }), 'a number from 0 to 1'),
  wallclock_at: time(),
  created_at: time(),
  updated_at: time(),
};
export type NumberMember = keyof typeof NUMBERS;
export const NUMBER_MEMBERS = Object.keys(NUMBERS) as NumberMember[];

const TypeReference = Type.Union([Id, Type.String({ minLength: 1, maxLength: MAX_TEXT, pattern: '^[^\\u0000]*$' })], {
  expected: 'the ID of an action type or its key such as goal',
});
const TypeReferences = Type.Array(TypeReference, { minItems: 1, maxItems: MAX_LIST });
const TypeTest = Type.Union(
  [
    TypeReference,
    TypeReferences,
    Type.Object(
      { any: Type.Optional(TypeReferences), none: Type.Optional(TypeReferences) },
      { additionalProperties: false, minProperties: 1 },
    ),
  ],
  {
    expected: 'the ID or key of an action type, a list of them (any), or an object of any and none',
    description: 'Of an action type the ID, or the key such as goal. An action has one type: a list means any of them.',
  },
);

const tagTests = Object.fromEntries(ACTION_TAG_FIELDS.map((field) => [field, Type.Optional(IdTest)])) as {
  [Field in ActionTagField]: ReturnType<typeof Type.Optional<typeof IdTest>>;
};
const optional = <Tests extends Readonly<Record<string, ReturnType<typeof Type.Union>>>>(tests: Tests) =>
  Object.fromEntries(Object.entries(tests).map(([name, test]) => [name, Type.Optional(test)])) as {
    [Name in keyof Tests]: ReturnType<typeof Type.Optional<Tests[Name]>>;
  };

const actionRef = Type.Unsafe<Record<string, unknown>>({ $ref: 'ActionFilter#' });
const nested = () => Type.Optional(Type.Array(actionRef, { minItems: 1, maxItems: MAX_FILTER_LEAVES }));

/** Every member of a filter over actions by name; all given ones must hold on one action. */
export const actionMembers = {
  type: Type.Optional(TypeTest),
  ...tagTests,
  role: Type.Optional(
    Type.Unsafe<Static<ReturnType<typeof text>>>({
      ...text(),
      description:
        'A role such as scorer, or a list (any of them). Beside `player`: the role of those players in the action, given as ' +
        'a value, a list, eq or in. Otherwise that of any player; ne: no player has it.',
    }),
  ),
  media_id: Type.Optional(
    Type.Union([Id, Ids(1)], {
      expected: 'the ID of an asset, or a list of them (any)',
      description: 'The asset, or one of several, in which the action lies.',
    }),
  ),
  ...optional(KEYWORDS),
  ...optional(NUMBERS),
  text: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 400,
      description: `Words in label and details of the action, and in labels and aliases of its tag options. ${TEXT_MEANS}`,
    }),
  ),
  all: nested(),
  any: nested(),
  none: nested(),
};

/** The filter over actions as a named schema: it refers to itself in `all`, `any` and `none`. */
export const ActionFilterSchema = Type.Object(actionMembers, {
  $id: 'ActionFilter',
  additionalProperties: false,
  description:
    'All members must hold together on one action. Without a test of `status`, retracted actions are not found. `minute` is ' +
    'the minute as broadcast: 90 finds 90+3 too, whose `stoppage` is 3. Depth and number of tests count with those of the ' +
    `search around (${MAX_FILTER_DEPTH} and ${MAX_FILTER_LEAVES}).`,
});
export type ActionFilterInput = Static<typeof ActionFilterSchema>;
