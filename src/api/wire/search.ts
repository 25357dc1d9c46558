import { Type } from 'typebox';
import { filterMembers, SORT_FIELDS } from '../../search/index.ts';
import { Nullable } from './common.ts';
import { mediaRef } from './media.ts';

const Page = Type.Integer({ minimum: 1, maximum: 1_000_000 });

/** A filter, and beside its members the options of the search. */
export const MediaSearchBody = Type.Object(
  {
    ...filterMembers,
    sort: Type.Optional(
      Type.Union(
        SORT_FIELDS.flatMap((field) => [Type.Literal(field), Type.Literal(`-${field}`)]),
        { description: 'Default -created_at; ties by id in the same direction; assets without a value come last' },
      ),
    ),
    // No default here: a body without a limit leaves it to the query.
    limit: Type.Optional(Type.Integer({ minimum: 0, maximum: 200, description: 'Default 50; 0 = the total only' })),
    cursor: Type.Optional(Type.String({ maxLength: 4000 })),
    page: Type.Optional(Page),
  },
  {
    additionalProperties: false,
    examples: [
      {
        player: { any: [12, 15] },
        competition: 9,
        none: [{ sponsor: 77 }],
        captured_at: { gte: '2026-03-01', lt: '2026-04-01' },
        sort: '-captured_at',
        limit: 20,
      },
    ],
  },
);

/** Existing clients send page and per_page in the query. */
export const MediaSearchQuery = Type.Object(
  {
    page: Type.Optional(Page),
    per_page: Type.Optional(Type.Integer({ minimum: 0, maximum: 200 })),
    limit: Type.Optional(Type.Integer({ minimum: 0, maximum: 200 })),
  },
  { additionalProperties: false },
);

export const MediaSearchAnswer = Type.Object({
  media: Type.Array(mediaRef),
  total: Type.Integer({ description: 'Exact, over all pages' }),
  next_cursor: Nullable(Type.String()),
  request_id: Type.String(),
  took_ms: Type.Number(),
});
