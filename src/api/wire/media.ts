import { type Static, Type } from 'typebox';
import { ASSET_STATUSES, type MachineSource, ORIENTATIONS, TAG_TYPES, USAGES } from '../../library/index.ts';
import { Id, Nullable, Time } from './common.ts';

const strict = { additionalProperties: false } as const;

const Tier = Type.Object({
  url: Type.String(),
  width: Nullable(Type.Integer()),
  height: Nullable(Type.Integer()),
  bytes: Type.Integer(),
  mime_type: Type.String(),
});
const deprecated = (description: string) => ({ deprecated: true, description });

export const MediaOut = Type.Object(
  {
    id: Id,
    media_type: Type.String({ enum: ['photo', 'video'] }),
    status: Type.String({ enum: [...ASSET_STATUSES] }),
    failure: Nullable(Type.Object({ code: Type.String(), reason: Type.String() })),
    name: Type.String(),
    external_id: Nullable(Type.String()),
    created_at: Time,
    updated_at: Time,
    captured_at: Nullable(Time),
    captured_offset_minutes: Nullable(Type.Integer({ description: "The camera's clock, minutes east of UTC" })),
    width: Nullable(Type.Integer()),
    height: Nullable(Type.Integer()),
    orientation: Nullable(Type.String({ enum: [...ORIENTATIONS] })),
    duration_ms: Nullable(Type.Integer()),
    frame_rate: Nullable(Type.Object({ num: Type.Integer(), den: Type.Integer() })),
    video: Nullable(Type.Object({}, { additionalProperties: true })),
    timeline: Nullable(
      Type.Object(
        {
          angle: Nullable(Type.String()),
          started_at_wallclock: Nullable(Time),
          start_tc: Nullable(Type.String()),
          periods: Type.Array(Type.Object({ period: Type.Integer(), start_ms: Type.Integer() })),
        },
        { description: 'What ties a video to its match, so that the clock and the time of day are positions in it' },
      ),
    ),
    bytes: Type.Integer(),
    mime_type: Type.String(),
    sha256: Type.String(),
    rating: Nullable(Type.Integer({ minimum: 0, maximum: 5 })),
    usage: Type.String({ enum: [...USAGES] }),
    usage_at: Nullable(Time),
    collections: Type.Array(Id),
    tag_options: Type.Array(
      Type.Object({
        id: Id,
        type: Type.String({ enum: [...TAG_TYPES] }),
        label: Type.String(),
        source: Type.String({
          description: 'manual, import, metadata, implied (by a match), ai:<name> or feed:<name>',
        }),
        confidence: Nullable(Type.Number()),
      }),
    ),
    suggested_tag_options: Type.Array(
      Type.Object({
        id: Id,
        type: Type.String({ enum: [...TAG_TYPES] }),
        label: Type.String(),
        source: Type.String(),
        confidence: Nullable(Type.Number()),
      }),
      {
        description: 'What machines suggest; accept or reject it with POST /v1/media/{id}/tag. Searches do not see it',
      },
    ),
    details: Type.Object({}, { additionalProperties: true }),
    faces: Type.Array(
      Type.Object({
        x: Type.Number(),
        y: Type.Number(),
        w: Type.Number(),
        h: Type.Number(),
        score: Type.Number(),
        tag_option_id: Type.Optional(Id),
        suggestion: Type.Optional(
          Type.Object(
            { tag_option_id: Id, distance: Type.Number({ description: '0 (the same picture) to 0.5' }) },
            {
              description:
                'Who it may be, by the faces that are linked to players; only where /v1/face-settings says so',
            },
          ),
        ),
      }),
    ),
    focal: Nullable(Type.Object({ x: Type.Number(), y: Type.Number() })),
    people_count: Type.Integer({ description: 'Faces found' }),
    actions_count: Type.Integer(),
    warnings: Type.Array(Type.String()),
    version: Type.Integer(),
    qualities: Type.Object({ photographer: Nullable(Tier), compressed: Nullable(Tier), thumbnail: Nullable(Tier) }),
    images: Nullable(
      Type.Object({
        url: Type.String({ description: 'Add parameters: ?w=600&h=818&f=face' }),
        square: Type.String(),
        portrait: Type.String(),
        landscape: Type.String(),
        story: Type.String(),
      }),
    ),
    ID: Type.Integer(deprecated('Same as id')),
    CreatedAt: Type.String(deprecated('Same as created_at')),
    UpdatedAt: Type.String(deprecated('Same as updated_at')),
    date: Type.String(deprecated('captured_at, or created_at where there is none')),
    thumbnail_url: Nullable(Type.String(deprecated('Same as qualities.thumbnail.url'))),
    original_url: Nullable(Type.String(deprecated('Same as qualities.photographer.url'))),
    files: Type.Array(Type.Object({ details: Type.String(), url: Type.String() }), deprecated('See qualities')),
  },
  { $id: 'Media' },
);
export type MediaOut = Static<typeof MediaOut>;
export const mediaRef = Type.Unsafe<MediaOut>({ $ref: 'Media#' });

export const MediaAnswer = Type.Object({ media: mediaRef });
export const UploadAnswer = Type.Object({
  media: mediaRef,
  duplicate: Type.Boolean({ description: 'The organization had these bytes already: this is the existing asset' }),
});

export const Details = Type.Unsafe<Record<string, unknown>>({
  type: 'object',
  propertyNames: { pattern: '^[a-z][a-z0-9_]{0,63}$', expected: 'a snake_case name of at most 64 characters' },
  maxProperties: 200,
  description: 'Free fields by snake_case name; null removes one (JSON Merge Patch)',
});

const writable = {
  name: Type.Optional(Type.String({ minLength: 1, maxLength: 400, pattern: '\\S' })),
  external_id: Type.Optional(Nullable(Type.String({ minLength: 1, maxLength: 200 }))),
  captured_at: Type.Optional(Nullable(Type.String({ format: 'date-time' }))),
  rating: Type.Optional(Nullable(Type.Integer({ minimum: 0, maximum: 5 }))),
  usage: Type.Optional(Type.Union(USAGES.map((usage) => Type.Literal(usage)))),
  usage_at: Type.Optional(Nullable(Type.String({ format: 'date-time' }))),
  tag_options: Type.Optional(Type.Array(Id, { maxItems: 500 })),
  collections: Type.Optional(Type.Array(Id, { maxItems: 100 })),
  details: Type.Optional(Details),
};

/** Part `metadata` of an upload. */
export const UploadMetadata = Type.Object(
  {
    ...writable,
    tag_source: Type.Optional(
      Type.Union([Type.Literal('manual'), Type.Literal('import')], { description: 'Where tag_options come from' }),
    ),
  },
  { $id: 'UploadMetadata', ...strict },
);
export type UploadMetadata = Static<typeof UploadMetadata>;

/** The parts of an upload, in this order; for the OpenAPI document. */
export const UploadParts = Type.Object({
  metadata: Type.Optional(Type.Unsafe<UploadMetadata>({ $ref: 'UploadMetadata#' })),
  file: Type.String({ format: 'binary', contentMediaType: 'application/octet-stream' }),
});

const Period = Type.Object(
  {
    period: Type.Integer({ minimum: 1, maximum: 20 }),
    start_ms: Type.Integer({
      minimum: -86_400_000,
      maximum: 86_400_000,
      description: 'Where it kicks off; below 0 when the video begins later',
    }),
  },
  strict,
);
/** A merge patch: what is not given stays, null removes it. */
const TimelinePatch = Type.Object(
  {
    angle: Type.Optional(Nullable(Type.String({ minLength: 1, maxLength: 100, pattern: '\\S' }))),
    started_at_wallclock: Type.Optional(Nullable(Type.String({ format: 'date-time' }))),
    start_tc: Type.Optional(
      Nullable(
        Type.String({
          pattern: '^\\d{2}:\\d{2}:\\d{2}[:;.,]\\d{2,3}$',
          expected: 'a timecode such as 10:00:00:00, or 01:00:00;00 for drop frame',
          description: 'Of the first frame, where the file has none or a wrong one',
        }),
      ),
    ),
    periods: Type.Optional(Nullable(Type.Array(Period, { maxItems: 20 }))),
  },
  strict,
);
export type TimelinePatch = Static<typeof TimelinePatch>;

const fraction = Type.Number({ minimum: 0, maximum: 1 });
export const MediaPatch = Type.Object(
  {
    ...writable,
    status: Type.Optional(Type.Union([Type.Literal('ready'), Type.Literal('archived')])),
    timeline: Type.Optional(Nullable(TimelinePatch)),
    focal: Type.Optional(
      Type.Unsafe<{ x: number; y: number } | null>({
        type: ['object', 'null'],
        properties: { x: fraction, y: fraction },
        required: ['x', 'y'],
        additionalProperties: false,
        description: 'Fractions of the oriented picture from the top left; null removes it',
      }),
    ),
  },
  {
    ...strict,
    minProperties: 1,
    examples: [{ rating: 5, details: { caption: 'The winner in the 89th minute' }, focal: { x: 0.4, y: 0.3 } }],
  },
);

export const FaceLink = Type.Object(
  { tag_option_id: Nullable(Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER, description: 'A player' })) },
  { ...strict, examples: [{ tag_option_id: 12 }] },
);

export const TagChange = Type.Object(
  {
    add: Type.Optional(Type.Array(Id, { maxItems: 500 })),
    remove: Type.Optional(Type.Array(Id, { maxItems: 500 })),
    suggest: Type.Optional(
      Type.Array(
        Type.Object(
          {
            id: Id,
            source: Type.Unsafe<MachineSource>({
              type: 'string',
              pattern: '^(ai|feed):[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$',
              expected: 'ai: or feed: and a name such as ai:faces-2',
            }),
            confidence: Type.Optional(Nullable(Type.Number({ minimum: 0, maximum: 1 }))),
          },
          strict,
        ),
        { maxItems: 500 },
      ),
    ),
    accept: Type.Optional(Type.Array(Id, { maxItems: 500, description: 'Suggested tag options that are right' })),
    reject: Type.Optional(
      Type.Array(Id, { maxItems: 500, description: 'Taken off; no machine puts them on this asset again' }),
    ),
  },
  {
    ...strict,
    minProperties: 1,
    examples: [
      { add: [12, 40], remove: [7] },
      { accept: [18], reject: [43] },
    ],
  },
);

export const TagChangeAnswer = Type.Object({
  media: mediaRef,
  skipped: Type.Array(
    Type.Object({ id: Id, reason: Type.String({ enum: ['rejected', 'present', 'deactivated', 'not_suggested'] }) }),
    { description: 'What was suggested or accepted and left out, and why' },
  ),
});
