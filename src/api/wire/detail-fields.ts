import { type Static, Type } from 'typebox';
import { DETAIL_TYPES } from '../../library/index.ts';
import { Id, Nullable, Time } from './common.ts';

const strict = { additionalProperties: false } as const;

const Label = Type.String({ minLength: 1, maxLength: 200, pattern: '\\S' });
const FieldType = Type.Unsafe<(typeof DETAIL_TYPES)[number]>({
  type: 'string',
  enum: [...DETAIL_TYPES],
  description:
    'text; number; date (YYYY-MM-DD, or an RFC 3339 time, kept in UTC); choice (one of choices); list (texts, of choices where there are any)',
});
const Choices = Type.Array(Type.String({ minLength: 1, maxLength: 200, pattern: '\\S' }), {
  maxItems: 500,
  uniqueItems: true,
  description: 'choice: the values; list: what its texts are taken from, empty = any text',
});
const Searchable = Type.Boolean({ description: 'Filters may test it. Words in its texts are found either way' });
const Position = Type.Integer({ minimum: 0, maximum: 1_000_000, description: 'Place among the fields; default last' });

const example = { key: 'shift', label: 'Shift', type: 'choice', choices: ['morning', 'late'] };

export const DetailFieldBody = Type.Object(
  {
    key: Type.String({
      pattern: '^[a-z][a-z0-9_]{0,63}$',
      expected: 'a snake_case name of at most 64 characters',
      description: 'The name in details; never changes. Names of the IPTC core and of the camera are reserved',
    }),
    label: Label,
    type: FieldType,
    choices: Type.Optional(Choices),
    searchable: Type.Optional(Searchable),
    position: Type.Optional(Position),
  },
  { ...strict, examples: [example] },
);

export const DetailFieldPatch = Type.Object(
  {
    label: Type.Optional(Label),
    type: Type.Optional(FieldType),
    choices: Type.Optional(Choices),
    searchable: Type.Optional(Searchable),
    position: Type.Optional(Position),
  },
  { ...strict, minProperties: 1, examples: [{ label: 'Shift of the day', choices: ['morning', 'late', 'night'] }] },
);

export const DetailFieldOut = Type.Object(
  {
    id: Id,
    key: Type.String(),
    label: Type.String(),
    type: FieldType,
    choices: Choices,
    searchable: Searchable,
    position: Type.Integer(),
    created_at: Time,
    updated_at: Time,
    version: Type.Integer(),
  },
  { $id: 'DetailField' },
);
export type DetailFieldOut = Static<typeof DetailFieldOut>;
const detailFieldRef = Type.Unsafe<DetailFieldOut>({ $ref: 'DetailField#' });

export const DetailFieldAnswer = Type.Object({ detail_field: detailFieldRef });
export const DetailFieldList = Type.Object({
  detail_fields: Type.Array(detailFieldRef),
  next_cursor: Nullable(Type.String({ description: 'Always null: there are at most 100 fields' })),
});

export const DetailFieldDeleteQuery = Type.Object(
  {
    values: Type.Optional(
      Type.Unsafe<'keep' | 'remove'>({
        type: 'string',
        enum: ['keep', 'remove'],
        description: 'What becomes of the values: keep (default) leaves them as free details',
      }),
    ),
  },
  strict,
);
