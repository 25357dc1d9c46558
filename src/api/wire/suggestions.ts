import { Type } from 'typebox';
import { TAG_TYPES } from '../../library/index.ts';
import { Id, Nullable, Time } from './common.ts';

export const SuggestionListQuery = Type.Object(
  {
    tag: Type.Optional(
      Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER, description: 'ID of a tag option' }),
    ),
    source: Type.Optional(Type.String({ maxLength: 100, description: 'Who suggested it, such as ai:faces-2' })),
    min_confidence: Type.Optional(
      Type.String({ pattern: '^(0(\\.\\d{1,6})?|1(\\.0{1,6})?)$', expected: 'a number of 0 to 1 such as 0.8' }),
    ),
    limit: Type.Integer({ minimum: 0, maximum: 200, default: 50 }),
    cursor: Type.Optional(Type.String({ maxLength: 2000 })),
  },
  { additionalProperties: false },
);

export const SuggestionList = Type.Object({
  suggestions: Type.Array(
    Type.Object({
      media_id: Id,
      tag_option: Type.Object({ id: Id, type: Type.String({ enum: [...TAG_TYPES] }), label: Type.String() }),
      source: Type.String(),
      confidence: Nullable(Type.Number()),
      created_at: Time,
    }),
  ),
  next_cursor: Nullable(Type.String()),
});
