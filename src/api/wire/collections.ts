import { type Static, Type } from 'typebox';
import { Id, Nullable, Time } from './common.ts';

const Name = Type.String({ minLength: 1, maxLength: 300, pattern: '\\S' });
export const CollectionBody = Type.Object({ name: Name }, { additionalProperties: false });

export const CollectionOut = Type.Object(
  {
    id: Id,
    name: Type.String(),
    media_count: Type.Integer(),
    created_at: Time,
    updated_at: Time,
    version: Type.Integer(),
  },
  { $id: 'Collection' },
);
export type CollectionOut = Static<typeof CollectionOut>;
const collectionRef = Type.Unsafe<CollectionOut>({ $ref: 'Collection#' });
export const CollectionAnswer = Type.Object({ collection: collectionRef });
export const CollectionList = Type.Object({
  collections: Type.Array(collectionRef),
  next_cursor: Nullable(Type.String()),
});
export const CollectionListQuery = Type.Object(
  {
    limit: Type.Integer({ minimum: 0, maximum: 200, default: 50 }),
    cursor: Type.Optional(Type.String({ maxLength: 2000 })),
  },
  { additionalProperties: false },
);
