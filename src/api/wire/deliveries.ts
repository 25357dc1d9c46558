import { type Static, type TInteger, Type } from 'typebox';
import {
  COLLISIONS,
  DELIVERED_QUALITIES,
  DELIVERY_STATES,
  type DeliveryState,
  MAX_FILES,
  SIDECARS,
} from '../../delivery/index.ts';
import { Id, Nullable, Time } from './common.ts';
import { choice, HOLD_REASONS, Ids, NullableFailure, Qualities, RenditionBody, RenditionOut } from './destinations.ts';

const strict = { additionalProperties: false } as const;

/** What a request may say in place of its destination. */
const SETTINGS = {
  collision: Type.Optional(choice(COLLISIONS, { description: 'In place of that of the destination' })),
  sidecar: Type.Optional(choice(SIDECARS, { description: 'In place of that of the destination' })),
  embed_metadata: Type.Optional(Type.Boolean({ description: 'In place of that of the destination' })),
};
const Settings = Type.Object(SETTINGS);

export const DeliveryBody = Type.Object(
  {
    destination_id: Id,
    media_ids: Type.Optional({ ...Ids(MAX_FILES), description: 'Either these assets' }),
    filter: Type.Optional(
      Type.Unsafe<Record<string, unknown>>({
        $ref: 'Filter#',
        description: 'or those that this filter of POST /v1/media/search finds now',
      }),
    ),
    clip_ids: Type.Optional({
      ...Ids(MAX_FILES),
      description: 'or these clips; one that is not ready yet is delivered when it is',
    }),
    quality: Type.Optional(choice(DELIVERED_QUALITIES)),
    qualities: Type.Optional({ ...Qualities, description: 'Several. Default what the destination has' }),
    rendition: Type.Optional(RenditionBody),
    path_template: Type.Optional(Type.String({ maxLength: 1000, description: 'In place of that of the destination' })),
    ...SETTINGS,
    again: Type.Optional(Type.Boolean({ description: 'Also what has been delivered to the same path before' })),
    include_restricted: Type.Optional(
      Type.Boolean({ description: 'Also assets that are limited, embargoed or expired; needs the scope admin too' }),
    ),
    dry_run: Type.Optional(Type.Boolean({ description: 'Answers what would be delivered where, and does nothing' })),
  },
  { ...strict, examples: [{ destination_id: 1, filter: { match: 12, rating: { gte: 4 } }, dry_run: true }] },
);

const Attempt = Type.Object({
  started_at: Time,
  ended_at: Time,
  error_code: Nullable(Type.String()),
  error: Nullable(Type.String()),
  bytes: Type.Integer({ description: 'Bytes that the target had when the try ended' }),
});
const Receipt = Type.Object({
  path: Type.String(),
  bytes: Type.Integer(),
  sha256: Type.String(),
  verified: choice(['checksum', 'read_back', 'accepted'], {
    description: 'checksum: the target said the right one; read_back: the bytes were read there and hashed',
  }),
  etag: Type.Optional(Type.String()),
  version: Type.Optional(Type.String()),
  checksum: Type.Optional(Type.String()),
  sidecar_path: Type.Optional(Type.String()),
  metadata_embedded: Type.Optional(Type.Boolean()),
  finished_at: Time,
});

export const DeliveryOut = Type.Object(
  {
    id: Nullable({ ...Id, description: 'null in a dry run' }),
    destination_id: Id,
    batch: Nullable(Type.String({ description: 'Names the request that made it' })),
    media_id: Id,
    quality: Nullable(choice(DELIVERED_QUALITIES)),
    rendition: Type.Unsafe<Static<typeof RenditionOut> | null>({
      ...RenditionOut,
      type: ['object', 'null'],
      description: 'What is delivered in place of a quality',
    }),
    state: choice(DELIVERY_STATES),
    path: Type.String(),
    bytes: Type.Integer(),
    sha256: Nullable(Type.String()),
    progress: Type.Number({ description: '0 to 1' }),
    attempts: Type.Array(Attempt),
    next_attempt_at: Nullable(Time),
    waiting_for: Nullable(
      choice(['retry', 'clip', ...HOLD_REASONS], {
        description: 'Why a queued one does not start now; null: it is about to, or behind others',
      }),
    ),
    receipt: Type.Unsafe<Static<typeof Receipt> | null>({ ...Receipt, type: ['object', 'null'] }),
    failure: NullableFailure('Of the last try, or why it was skipped'),
    settings: Type.Unsafe<Static<typeof Settings> | null>({
      ...Settings,
      type: ['object', 'null'],
      description: 'What the request says in place of its destination',
    }),
    created_by: Nullable(Type.String({ description: 'Name of the API key, or of the rule' })),
    rule_id: Nullable({ ...Id, description: 'Of the rule that asked for it' }),
    created_at: Nullable(Time),
    updated_at: Nullable(Time),
    finished_at: Nullable(Time),
    version: Type.Integer(),
  },
  { $id: 'Delivery' },
);
export type DeliveryOut = Static<typeof DeliveryOut>;
const deliveryRef = Type.Unsafe<DeliveryOut>({ $ref: 'Delivery#' });
export const DeliveryAnswer = Type.Object({ delivery: deliveryRef });
export const DeliveryList = Type.Object({ deliveries: Type.Array(deliveryRef), next_cursor: Nullable(Type.String()) });
export const DeliveriesQueued = Type.Object({
  batch: Nullable(Type.String({ description: 'For GET /v1/delivery?batch=; null in a dry run' })),
  total: Type.Integer({ description: 'Files' }),
  queued: Type.Integer(),
  skipped: Type.Integer(),
  failed: Type.Integer({ description: 'Whose path another file of this request has' }),
  dry_run: Type.Boolean(),
  deliveries: Type.Array(deliveryRef, { description: 'The first 200' }),
});
const States = Type.Object(
  Object.fromEntries(DELIVERY_STATES.map((state) => [state, Type.Integer()])) as Record<DeliveryState, TInteger>,
);
export const BatchOut = Type.Object(
  {
    batch: Type.String(),
    destination_id: Id,
    total: Type.Integer({ description: 'Files' }),
    states: States,
    bytes_total: Type.Integer({ description: 'Of what waits, runs or has arrived; pictures count when they are made' }),
    bytes_done: Type.Integer(),
    progress: Type.Number({ description: '0 to 1, by bytes where they are known' }),
    created_by: Type.String(),
    rule_id: Nullable(Id),
    created_at: Time,
    finished_at: Nullable({ ...Time, description: 'null while one waits or runs' }),
  },
  { $id: 'DeliveryBatch' },
);
export type BatchOut = Static<typeof BatchOut>;
const batchRef = Type.Unsafe<BatchOut>({ $ref: 'DeliveryBatch#' });
export const BatchParams = Type.Object({ batch: Type.String({ minLength: 1, maxLength: 100 }) }, strict);
export const BatchAnswer = Type.Object({ batch: batchRef });
export const BatchList = Type.Object({ batches: Type.Array(batchRef), next_cursor: Nullable(Type.String()) });
export const BatchCancelled = Type.Object({ batch: batchRef, cancelled: Type.Integer() });
export const BatchReplayed = Type.Object({ batch: batchRef, replayed: Type.Integer() });

export const BatchListQuery = Type.Object(
  {
    destination: Type.Optional(Id),
    state: Type.Optional(choice(DELIVERY_STATES, { description: 'With at least one delivery in this state' })),
    limit: Type.Integer({ minimum: 0, maximum: 100, default: 20 }),
    cursor: Type.Optional(Type.String({ maxLength: 2000 })),
  },
  strict,
);

export const DeliveryListQuery = Type.Object(
  {
    destination: Type.Optional(Id),
    media: Type.Optional(Id),
    state: Type.Optional(choice(DELIVERY_STATES)),
    batch: Type.Optional(Type.String({ maxLength: 100 })),
    limit: Type.Integer({ minimum: 0, maximum: 200, default: 50 }),
    cursor: Type.Optional(Type.String({ maxLength: 2000 })),
  },
  strict,
);
