import { type Static, Type } from 'typebox';
import { CLIP_LIMITS } from '../../clips/index.ts';
import { CLIP_ASPECTS, CLIP_STATES } from '../../library/index.ts';
import { Id, Nullable, Time } from './common.ts';

const strict = { additionalProperties: false } as const;
const Aspect = Type.Unsafe<(typeof CLIP_ASPECTS)[number]>({ type: 'string', enum: [...CLIP_ASPECTS] });
const Output = Type.Unsafe<'download' | 'asset'>({ type: 'string', enum: ['download', 'asset'] });
const Margin = Type.Integer({ minimum: 0, maximum: CLIP_LIMITS.maxMarginMs });
const Position = Type.Integer({ minimum: 0, maximum: 12 * 3_600_000, description: 'ms from the start of the video' });

const options = {
  aspect: Type.Optional({
    ...Aspect,
    default: 'original',
    description:
      'Crops to the focal point of the video, else to the faces at the moment of the action, else to the centre',
  }),
  height: Type.Optional(
    Type.Integer({ minimum: 144, maximum: 4320, description: 'At most this many pixels high; never enlarged' }),
  ),
  output: Type.Optional({
    ...Output,
    default: 'download',
    description:
      'download: a file behind a signed URL for 7 days; asset: a new video of the library, tagged as the action',
  }),
  name: Type.Optional(Type.String({ minLength: 1, maxLength: 200, pattern: '\\S', description: 'Of the file' })),
};
const margins = {
  lead_ms: Type.Optional({
    ...Margin,
    description: 'Shown before the start; by default 0, or for a point that of its type',
  }),
  lag_ms: Type.Optional({
    ...Margin,
    description: 'Shown after the end; by default 0, or for a point that of its type',
  }),
};

export const ActionClipBody = Type.Object(
  {
    ...margins,
    ...options,
    media_id: Type.Optional({ ...Id, description: 'Another video that the action lies in, such as a second camera' }),
  },
  { ...strict, examples: [{ lead_ms: 5000, lag_ms: 8000, aspect: '9:16', height: 1280 }] },
);
export type ActionClipBody = Static<typeof ActionClipBody>;

const SegmentIn = Type.Object({ media_id: Id, in_ms: Position, out_ms: Position }, strict);
const list = { minItems: 1, maxItems: CLIP_LIMITS.maxSegments };
export const ClipBody = Type.Object(
  {
    actions: Type.Optional(Type.Array(Id, { ...list, description: 'Actions in the order of the reel' })),
    segments: Type.Optional(
      Type.Array(SegmentIn, { ...list, description: 'Cuts in the order of the reel; half open, at least one frame' }),
    ),
    ...margins,
    ...options,
  },
  { ...strict, examples: [{ actions: [311, 318, 342], aspect: '16:9', height: 720, name: 'Goals' }] },
);
export type ClipBody = Static<typeof ClipBody>;

const SegmentOut = Type.Object({
  media_id: Id,
  action_id: Nullable(Id),
  in_ms: Type.Integer(),
  out_ms: Type.Integer(),
  event_ms: Type.Integer(),
  cut_in_ms: Nullable(
    Type.Number({ description: 'When the first frame begins in the video; null until the clip is ready' }),
  ),
  cut_out_ms: Nullable(Type.Number({ description: 'When the last frame ends in the video' })),
  at_ms: Nullable(Type.Number({ description: 'Where the segment begins in the clip' })),
});

const FileOut = Type.Object({
  width: Type.Integer(),
  height: Type.Integer(),
  duration_ms: Type.Integer(),
  frames: Type.Integer(),
  bytes: Type.Integer(),
  sha256: Type.String(),
  method: Type.Unsafe<'copy' | 'encode'>({
    type: 'string',
    enum: ['copy', 'encode'],
    description: 'copy: the coded frames of the source, untouched',
  }),
});

export const ClipOut = Type.Object(
  {
    id: Id,
    kind: Type.Unsafe<'clip' | 'reel'>({ type: 'string', enum: ['clip', 'reel'] }),
    state: Type.Unsafe<(typeof CLIP_STATES)[number]>({ type: 'string', enum: [...CLIP_STATES] }),
    progress: Type.Number({ description: '0 to 1' }),
    name: Type.String(),
    segments: Type.Array(SegmentOut),
    aspect: Aspect,
    height: Nullable(Type.Integer()),
    output: Output,
    url: Nullable(
      Type.String({ description: 'MP4, signed, good until expires_at; null until it is ready, and for assets' }),
    ),
    poster_url: Nullable(Type.String({ description: 'JPEG of the moment of the first segment' })),
    media_id: Nullable({ ...Id, description: 'The asset that the clip became' }),
    file: Type.Unsafe<Static<typeof FileOut> | null>({ ...FileOut, type: ['object', 'null'] }),
    failure: Type.Unsafe<{ code: string; reason: string } | null>({
      ...Type.Object({ code: Type.String(), reason: Type.String() }),
      type: ['object', 'null'],
    }),
    created_by: Type.String({ description: 'Name of the API key' }),
    created_at: Time,
    updated_at: Time,
    expires_at: Nullable(Time),
    version: Type.Integer(),
  },
  { $id: 'Clip' },
);
export type ClipOut = Static<typeof ClipOut>;
const clipRef = Type.Unsafe<ClipOut>({ $ref: 'Clip#' });

export const ClipAnswer = Type.Object({ clip: clipRef });
export const ClipList = Type.Object({ clips: Type.Array(clipRef), next_cursor: Nullable(Type.String()) });
export const ClipListQuery = Type.Object(
  {
    limit: Type.Integer({ minimum: 0, maximum: 200, default: 50 }),
    cursor: Type.Optional(Type.String({ maxLength: 2000 })),
  },
  strict,
);
