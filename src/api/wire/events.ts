import { Type } from 'typebox';
import { CHANGE_TYPES } from '../../library/index.ts';
import { Id, Time } from './common.ts';

export const EventListQuery = Type.Object(
  {
    after: Type.Integer({
      minimum: 0,
      maximum: Number.MAX_SAFE_INTEGER,
      default: 0,
      description: 'The `after` of the answer before; 0: from the oldest event that is kept',
    }),
    limit: Type.Integer({ minimum: 1, maximum: 1000, default: 100 }),
    types: Type.Optional(
      Type.String({
        maxLength: 1000,
        description: 'Types with commas between them; media.* stands for all that begin so',
      }),
    ),
  },
  { additionalProperties: false },
);

export const EventStreamQuery = Type.Object(
  {
    after: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: Number.MAX_SAFE_INTEGER,
        description: 'Events behind this one; without it and without Last-Event-ID: those from now on',
      }),
    ),
    types: EventListQuery.properties.types,
    progress: Type.Unsafe<'true' | 'false'>({
      type: 'string',
      enum: ['true', 'false'],
      default: 'false',
      description: 'Also how far deliveries, clips and edits of many assets are, as messages `progress` without an id',
    }),
  },
  { additionalProperties: false },
);

export const EventList = Type.Object({
  events: Type.Array(
    Type.Object({
      id: Type.Integer({ description: 'The version of the library that the change led to; counts up without end' }),
      type: Type.String({ enum: [...CHANGE_TYPES] }),
      created_at: Time,
      object: Type.Object({ kind: Type.String({ description: 'Such as media or action' }), id: Id }),
      data: Type.Object({}, { additionalProperties: true, description: 'What the type adds, such as media_ids' }),
    }),
  ),
  after: Type.Integer({ description: 'Where to go on; the same again when there is nothing new' }),
  has_more: Type.Boolean(),
});
