import { type Static, Type } from 'typebox';
import {
  COLLISIONS,
  DELIVERED_QUALITIES,
  DELIVERY_STATES,
  DESTINATION_STATUSES,
  SIDECARS,
} from '../../delivery/index.ts';
import { Id, Nullable, Time } from './common.ts';

const strict = { additionalProperties: false } as const;
const choice = <const T extends string>(values: readonly T[], options: object = {}) =>
  Type.Unsafe<T>({ type: 'string', enum: [...values], ...options });
const Fields = (description: string) =>
  Type.Unsafe<Record<string, unknown>>({ type: 'object', additionalProperties: true, description });

/** Files of one request. */
const MAX_FILES = 10_000;
const Qualities = Type.Array(choice(DELIVERED_QUALITIES), { minItems: 1, maxItems: 3, uniqueItems: true });

const writable = {
  name: Type.String({ minLength: 1, maxLength: 200, pattern: '\\S' }),
  config: Fields('Where it is: what the kind asks for (docs/delivery.md)'),
  secrets: Type.Optional(
    Fields('Passwords and keys of the kind. Write-only: no answer shows them; they are encrypted where they are kept'),
  ),
  path_template: Type.Optional(
    Type.String({
      maxLength: 1000,
      description:
        'Default {captured_at:yyyy/MM/dd}/{media.name}-{media.id}-{quality}.{media.ext}; see docs/delivery.md',
    }),
  ),
  collision: Type.Optional(
    choice(COLLISIONS, { description: 'When the target has a file of the name. Default skip_same' }),
  ),
  qualities: Type.Optional({ ...Qualities, description: 'Of each asset. Default photographer' }),
  sidecar: Type.Optional(
    choice(SIDECARS, { description: 'A file beside each, named as it with .json or .xmp behind' }),
  ),
  embed_metadata: Type.Optional(
    Type.Boolean({ description: 'Writes the present texts, tags and credits into the copies as IPTC, XMP and EXIF' }),
  ),
  concurrency: Type.Optional(Type.Integer({ minimum: 1, maximum: 16, description: 'Files at a time. Default 4' })),
};
const example = {
  name: 'Press agency',
  kind: 'folder',
  config: { path: '/srv/delivery/press' },
  path_template: '{competition|slug|default:other}/{captured_at:yyyy/MM/dd}/{media.name}.{media.ext}',
  collision: 'suffix',
};

export const DestinationBody = Type.Object(
  { ...writable, kind: Type.String({ minLength: 1, maxLength: 40, description: 'folder, s3, sftp...' }) },
  { ...strict, examples: [example] },
);
export type DestinationBody = Static<typeof DestinationBody>;

export const DestinationPatch = Type.Object(
  {
    ...writable,
    name: Type.Optional(writable.name),
    config: Type.Optional(Fields('JSON Merge Patch')),
    secrets: Type.Optional(Nullable(Fields('Takes the place of all secrets; null removes them'))),
  },
  { ...strict, minProperties: 1, examples: [{ concurrency: 8, qualities: ['compressed'] }] },
);
export type DestinationPatch = Static<typeof DestinationPatch>;

const Failure = Type.Object({ code: Type.String(), reason: Type.String() });
const NullableFailure = (description: string) =>
  Type.Unsafe<Static<typeof Failure> | null>({ ...Failure, type: ['object', 'null'], description });

export const DestinationOut = Type.Object(
  {
    id: Id,
    name: Type.String(),
    kind: Type.String(),
    config: Type.Object({}, { additionalProperties: true }),
    has_secrets: Type.Boolean(),
    path_template: Type.String(),
    collision: choice(COLLISIONS),
    qualities: Type.Array(choice(DELIVERED_QUALITIES)),
    sidecar: choice(SIDECARS),
    embed_metadata: Type.Boolean(),
    concurrency: Type.Integer(),
    status: choice(DESTINATION_STATUSES, { description: 'As of the last verification, or of a delivery that failed' }),
    failure: NullableFailure('Why the status is failed'),
    last_verified_at: Nullable(Time),
    created_at: Time,
    updated_at: Time,
    version: Type.Integer(),
  },
  { $id: 'Destination' },
);
export type DestinationOut = Static<typeof DestinationOut>;
const destinationRef = Type.Unsafe<DestinationOut>({ $ref: 'Destination#' });
export const DestinationAnswer = Type.Object({ destination: destinationRef });
export const DestinationList = Type.Object({
  destinations: Type.Array(destinationRef),
  next_cursor: Nullable(Type.String()),
});

export const PageQuery = Type.Object(
  {
    limit: Type.Integer({ minimum: 0, maximum: 200, default: 50 }),
    cursor: Type.Optional(Type.String({ maxLength: 2000 })),
  },
  strict,
);

const Ids = (maxItems: number) => Type.Array(Id, { minItems: 1, maxItems });
export const PreviewBody = Type.Object(
  {
    media_ids: Ids(200),
    path_template: Type.Optional(Type.String({ maxLength: 1000, description: 'Instead of that of the destination' })),
    qualities: Type.Optional(Qualities),
  },
  { ...strict, examples: [{ media_ids: [1, 2], path_template: '{player|slug}/{media.name}.{media.ext}' }] },
);

export const PreviewAnswer = Type.Object({
  paths: Type.Array(
    Type.Object({
      media_id: Id,
      quality: choice(DELIVERED_QUALITIES),
      path: Type.String(),
      collision: Type.Boolean({ description: 'Another file of this list has the path' }),
    }),
  ),
});

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
    qualities: Type.Optional({ ...Qualities, description: 'Default those of the destination' }),
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
  verified: choice(['checksum', 'read_back'], {
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
    quality: choice(DELIVERED_QUALITIES),
    state: choice(DELIVERY_STATES),
    path: Type.String(),
    bytes: Type.Integer(),
    sha256: Nullable(Type.String()),
    progress: Type.Number({ description: '0 to 1' }),
    attempts: Type.Array(Attempt),
    next_attempt_at: Nullable(Time),
    receipt: Type.Unsafe<Static<typeof Receipt> | null>({ ...Receipt, type: ['object', 'null'] }),
    failure: NullableFailure('Of the last try, or why it was skipped'),
    created_by: Nullable(Type.String({ description: 'Name of the API key' })),
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
