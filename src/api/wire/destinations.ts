import { type Static, Type } from 'typebox';
import { CIRCUIT_STATES } from '../../base/index.ts';
import {
  COLLISIONS,
  DELIVERED_QUALITIES,
  DESTINATION_STATUSES,
  SIDECARS,
  VERIFY_STEP_STATUSES,
  VERIFY_STEPS,
  WINDOW_DAYS,
} from '../../delivery/index.ts';
import { Id, Nullable, Time } from './common.ts';

export const HOLD_REASONS = ['paused', 'window', 'circuit'] as const;

const strict = { additionalProperties: false } as const;
export const choice = <const T extends string>(values: readonly T[], options: object = {}) =>
  Type.Unsafe<T>({ type: 'string', enum: [...values], ...options });
const Fields = (description: string) =>
  Type.Unsafe<Record<string, unknown>>({ type: 'object', additionalProperties: true, description });

export const Qualities = Type.Array(choice(DELIVERED_QUALITIES), { minItems: 1, maxItems: 3, uniqueItems: true });

const TIME_OF_DAY = '^([01]\\d|2[0-3]):[0-5]\\d$';
const Window = Type.Object(
  {
    days: Type.Array(choice(WINDOW_DAYS), {
      minItems: 1,
      maxItems: 7,
      uniqueItems: true,
      description: 'On which it opens',
    }),
    from: Type.String({ pattern: TIME_OF_DAY }),
    to: Type.String({ pattern: TIME_OF_DAY, description: 'Not later than from: of the next day' }),
    time_zone: Type.String({ minLength: 1, maxLength: 60, description: 'IANA, such as Europe/Berlin' }),
  },
  { ...strict, description: 'When deliveries may start. What runs when it closes may finish' },
);
const NullableWindow = Type.Unsafe<Static<typeof Window> | null>({ ...Window, type: ['object', 'null'] });

/** A picture in place of a quality. */
const ImageRendition = Type.Object(
  {
    kind: choice(['image']),
    params: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 1000,
        description: 'As in image URLs: w=1080&h=1920&f=face&fmt=jpeg. Without fmt JPEG',
      }),
    ),
    preset: Type.Optional(
      Type.String({ minLength: 1, maxLength: 100, description: 'Or an image preset of the organization' }),
    ),
  },
  strict,
);
type ImageRendition = Static<typeof ImageRendition>;
export const RenditionBody = Type.Unsafe<ImageRendition>({
  ...ImageRendition,
  description: 'A picture made of each asset in place of qualities',
});
const NullableRendition = Type.Unsafe<ImageRendition | null>({
  ...ImageRendition,
  type: ['object', 'null'],
  description: 'A picture made of each asset, where a request asks for nothing else; null: qualities',
});
export const RenditionOut = Type.Object({
  kind: choice(['image', 'clip']),
  params: Type.Optional(Type.String()),
  clip_id: Type.Optional(Id),
});

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
  bandwidth_limit: Type.Optional(
    Nullable(
      Type.Integer({
        minimum: 10_000,
        maximum: 100_000_000_000,
        description: 'Bytes a second that all deliveries to it send together; null: no limit',
      }),
    ),
  ),
  window: Type.Optional(NullableWindow),
  paused: Type.Optional(Type.Boolean({ description: 'Nothing starts while it is true; what runs may finish' })),
  rendition: Type.Optional(NullableRendition),
};
const example = {
  name: 'Press agency',
  kind: 'folder',
  config: { path: '/srv/delivery/press' },
  path_template: '{competition|slug|default:other}/{captured_at:yyyy/MM/dd}/{media.name}.{media.ext}',
  collision: 'suffix',
};

const Kind = Type.String({ minLength: 1, maxLength: 40, description: 'folder, s3, sftp...' });
export const DestinationBody = Type.Object({ ...writable, kind: Kind }, { ...strict, examples: [example] });
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

export const Failure = Type.Object({ code: Type.String(), reason: Type.String() });
export const NullableFailure = (description: string) =>
  Type.Unsafe<Static<typeof Failure> | null>({ ...Failure, type: ['object', 'null'], description });

const Hold = Type.Object({
  reason: choice(HOLD_REASONS),
  until: Nullable({ ...Time, description: 'null: until somebody changes it' }),
});
const Health = Type.Object({
  consecutive_failures: Type.Integer({ description: 'Tries that failed since one arrived' }),
  last_success_at: Nullable(Time),
  last_error: Type.Unsafe<{ at: string; code: string; reason: string } | null>({
    ...Type.Object({ at: Time, code: Type.String(), reason: Type.String() }),
    type: ['object', 'null'],
  }),
  queued: Type.Integer(),
  running: Type.Integer(),
  last_hour: Type.Object(
    {
      succeeded: Type.Integer(),
      failed: Type.Integer(),
      bytes: Type.Integer(),
      p50_ms: Nullable(Type.Integer({ description: 'Median time of a try that arrived' })),
      bytes_per_second: Nullable(Type.Integer({ description: 'Of one delivery; several run at a time' })),
    },
    { description: 'Of the last 1,000 deliveries at most' },
  ),
});

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
    bandwidth_limit: Nullable(Type.Integer()),
    window: NullableWindow,
    paused: Type.Boolean(),
    rendition: Type.Unsafe<Static<typeof RenditionOut> | null>({ ...RenditionOut, type: ['object', 'null'] }),
    circuit: choice(CIRCUIT_STATES, {
      description:
        'open: the target failed several times in a row, so nothing starts before retry_at; half_open: one delivery finds out whether it answers again',
    }),
    retry_at: Nullable(Time),
    on_hold: Type.Unsafe<Static<typeof Hold> | null>({
      ...Hold,
      type: ['object', 'null'],
      description: 'Why nothing starts now',
    }),
    health: Health,
    created_at: Time,
    updated_at: Time,
    version: Type.Integer(),
  },
  { $id: 'Destination' },
);
export type DestinationOut = Static<typeof DestinationOut>;
const destinationRef = Type.Unsafe<DestinationOut>({ $ref: 'Destination#' });
export const DestinationAnswer = Type.Object({ destination: destinationRef });
export const VerifyAnswer = Type.Object({
  destination: destinationRef,
  steps: Type.Array(
    Type.Object({
      step: choice(VERIFY_STEPS),
      status: choice(VERIFY_STEP_STATUSES, { description: 'not_reached: a step before it failed' }),
    }),
    { description: 'How far it got. The failure of the destination says what went wrong' },
  ),
  host_key: Nullable(
    Type.String({
      description:
        'The fingerprint that an SFTP server has shown, where config has none or another. When it is the right one, PATCH config.host_key to it',
    }),
  ),
});
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

export const Ids = (maxItems: number) => Type.Array(Id, { minItems: 1, maxItems });
const previewed = {
  media_ids: Ids(200),
  path_template: Type.Optional(Type.String({ maxLength: 1000, description: 'Instead of that of the destination' })),
  qualities: Type.Optional(Qualities),
  rendition: Type.Optional(RenditionBody),
};
export const PreviewBody = Type.Object(previewed, {
  ...strict,
  examples: [{ media_ids: [1, 2], path_template: '{player|slug}/{media.name}.{media.ext}' }],
});
export type PreviewBody = Static<typeof PreviewBody>;
export const DraftPreviewBody = Type.Object(
  {
    ...previewed,
    kind: Kind,
    path_template: Type.Optional(Type.String({ maxLength: 1000, description: 'Default as for a new destination' })),
  },
  { ...strict, examples: [{ kind: 's3', media_ids: [1, 2], path_template: '{player|slug}/{media.name}.{media.ext}' }] },
);

export const PreviewAnswer = Type.Object({
  paths: Type.Array(
    Type.Object({
      media_id: Id,
      quality: Nullable(choice(DELIVERED_QUALITIES)),
      path: Type.String(),
      collision: Type.Boolean({ description: 'Another file of this list has the path' }),
    }),
  ),
});
