import { type Static, Type } from 'typebox';
import { Id, Nullable, Time } from './common.ts';
import { SavedRequest } from './search.ts';

const strict = { additionalProperties: false } as const;
const Name = Type.String({ minLength: 1, maxLength: 300, pattern: '\\S' });
const example = { name: 'Goals of the week', request: { text: 'goal', rating: { gte: 4 }, sort: '-captured_at' } };

const Notify = Type.Boolean({
  description: 'Records saved_search.matched in the change feed when assets begin to match; at most 50 searches do',
});

export const SavedSearchBody = Type.Object(
  { name: Name, request: SavedRequest, notify: Type.Optional(Notify) },
  { ...strict, examples: [example] },
);

/** A merge patch is no search yet: what it makes of the one that is kept is validated. */
export const SavedSearchPatch = Type.Object(
  {
    name: Type.Optional(Name),
    request: Type.Optional(
      Type.Unsafe<Readonly<Record<string, unknown>>>({
        type: 'object',
        additionalProperties: true,
        description: 'JSON Merge Patch of the search; null removes a member',
      }),
    ),
    notify: Type.Optional(Notify),
  },
  { ...strict, minProperties: 1, examples: [{ request: { rating: null, limit: 20 } }] },
);

export const SavedSearchOut = Type.Object(
  {
    id: Id,
    name: Type.String(),
    request: Type.Object(
      {},
      { additionalProperties: true, description: 'Filter and options of POST /v1/media/search' },
    ),
    notify: Notify,
    created_at: Time,
    updated_at: Time,
    version: Type.Integer(),
  },
  { $id: 'SavedSearch' },
);
export type SavedSearchOut = Static<typeof SavedSearchOut>;
const savedSearchRef = Type.Unsafe<SavedSearchOut>({ $ref: 'SavedSearch#' });

export const SavedSearchAnswer = Type.Object({ saved_search: savedSearchRef });
export const SavedSearchList = Type.Object({
  saved_searches: Type.Array(savedSearchRef),
  next_cursor: Nullable(Type.String()),
});
export const SavedSearchListQuery = Type.Object(
  {
    limit: Type.Integer({ minimum: 0, maximum: 200, default: 50 }),
    cursor: Type.Optional(Type.String({ maxLength: 2000 })),
  },
  strict,
);
