import { type Static, Type } from 'typebox';
import { ACTION_STATUSES, SIDES, TAG_TYPES } from '../../library/index.ts';
import { Id, Nullable, Time } from './common.ts';

const strict = { additionalProperties: false } as const;
const Ms = Type.Integer({ minimum: 0, maximum: 8_640_000_000, description: 'Position in the video in ms' });
const Percent = Type.Number({ minimum: 0, maximum: 100 });
const Timecode = Type.String({
  pattern: '^\\d{2}:\\d{2}:\\d{2}[:;.,]\\d{2,3}$',
  expected: 'a timecode such as 10:00:12:04, or 01:02:03;04 for drop frame',
});

/** A tag option by its ID, or by an external ID. */
const TagRef = Type.Unsafe<number | { source: string; id: string }>({
  anyOf: [
    { type: 'integer', minimum: 1, maximum: Number.MAX_SAFE_INTEGER },
    {
      type: 'object',
      properties: {
        source: { type: 'string', minLength: 1, maxLength: 100 },
        id: { type: 'string', minLength: 1, maxLength: 200 },
      },
      required: ['source', 'id'],
      additionalProperties: false,
    },
  ],
  expected: 'the ID of a tag option, or {source, id} of an external one',
});

const ActionDetails = Type.Unsafe<Record<string, unknown>>({
  type: 'object',
  propertyNames: { pattern: '^[a-z][a-z0-9_]{0,63}$', expected: 'a snake_case name of at most 64 characters' },
  maxProperties: 200,
  description: 'Free fields by snake_case name',
});

const writable = {
  type: Type.Optional(
    Type.Unsafe<number | string>({
      anyOf: [
        { type: 'integer', minimum: 1, maximum: Number.MAX_SAFE_INTEGER },
        { type: 'string', minLength: 1, maxLength: 200 },
      ],
      expected: 'the ID of an action type, or its key such as goal',
      description: 'ID of an action type (a tag option of category `action type`), or its key such as goal',
    }),
  ),
  label: Type.Optional(Nullable(Type.String({ minLength: 1, maxLength: 1000 }))),
  start_ms: Type.Optional(Ms),
  end_ms: Type.Optional(Ms),
  event_ms: Type.Optional(Ms),
  start_tc: Type.Optional(Timecode),
  end_tc: Type.Optional(Timecode),
  wallclock_at: Type.Optional(Nullable(Type.String({ format: 'date-time' }))),
  period: Type.Optional(Nullable(Type.Integer({ minimum: 1, maximum: 20 }))),
  clock_ms: Type.Optional(
    Nullable(
      Type.Integer({
        minimum: 0,
        maximum: 86_400_000,
        description: 'Match clock in ms, running on: the second half of a football match begins at 2700000',
      }),
    ),
  ),
  match: Type.Optional(
    Type.Unsafe<number | { source: string; id: string } | null>({
      anyOf: [TagRef, { type: 'null' }],
      expected: 'the ID of a match, {source, id} of an external one, or null',
      description: 'Default: the match of the video, where it carries one',
    }),
  ),
  clubs: Type.Optional(
    Type.Array(
      Type.Object(
        { id: TagRef, side: Type.Optional(Nullable(Type.String({ enum: [...SIDES] }))) },
        { ...strict, description: 'side by default as in the match' },
      ),
      { maxItems: 20 },
    ),
  ),
  players: Type.Optional(
    Type.Array(
      Type.Object(
        {
          id: TagRef,
          role: Type.Optional(
            Nullable(
              Type.String({
                pattern: '^[a-z][a-z0-9_]{0,39}$',
                expected: 'a snake_case word such as scorer, of at most 40 characters',
              }),
            ),
          ),
          shirt: Type.Optional(Nullable(Type.Integer({ minimum: 0, maximum: 999 }))),
        },
        strict,
      ),
      { maxItems: 100 },
    ),
  ),
  tag_options: Type.Optional(Type.Array(TagRef, { maxItems: 100 })),
  outcome: Type.Optional(Nullable(Type.String({ minLength: 1, maxLength: 200 }))),
  x: Type.Optional(Nullable(Percent)),
  y: Type.Optional(Nullable(Percent)),
  end_x: Type.Optional(Nullable(Percent)),
  end_y: Type.Optional(Nullable(Percent)),
  details: Type.Optional(ActionDetails),
  confidence: Type.Optional(Nullable(Type.Number({ minimum: 0, maximum: 1 }))),
  status: Type.Optional(Type.Union(ACTION_STATUSES.map((status) => Type.Literal(status)))),
  parent_id: Type.Optional(Nullable(Id)),
};

const identity = {
  source: Type.Optional(
    Type.String({
      pattern: '^[a-z][a-z0-9_]{0,31}(:[A-Za-z0-9_.-]{1,64})?$',
      expected: 'manual, or a kind and a name such as feed:opta',
      default: 'manual',
    }),
  ),
  source_ref: Type.Optional(Nullable(Type.String({ minLength: 1, maxLength: 200 }))),
  source_version: Type.Optional(Nullable(Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }))),
};

const example = {
  type: 'goal',
  start_ms: 2500,
  end_ms: 9500,
  event_ms: 5900,
  period: 2,
  clock_ms: 4637900,
  players: [{ id: 12, role: 'scorer', shirt: 7 }],
  source: 'feed:opta',
  source_ref: '2412907461',
  source_version: 3,
};

/** An action as it is recorded in a video. */
export const ActionBody = Type.Object({ ...writable, ...identity }, { ...strict, examples: [example] });
export type ActionBody = Static<typeof ActionBody>;

export const ActionPatchBody = Type.Object(writable, {
  ...strict,
  minProperties: 1,
  examples: [{ status: 'retracted', details: { reason: 'offside, VAR' } }],
});
export type ActionPatchBody = Static<typeof ActionPatchBody>;

/** Most items in one call. */
export const MAX_ACTIONS = 5000;

/** For the document: the route reads its items one by one, so that a wrong one leaves the others alone. */
export const ActionWrite = Type.Unsafe<ActionBody | ActionBody[]>({
  anyOf: [ActionBody, { type: 'array', items: ActionBody, minItems: 1, maxItems: MAX_ACTIONS }],
});
export const ActionBulkItem = Type.Object(
  { media_id: Id, ...writable, ...identity },
  { ...strict, examples: [{ media_id: 42, ...example }] },
);
export type ActionBulkItem = Static<typeof ActionBulkItem>;
export const ActionBulk = Type.Object(
  { actions: Type.Array(ActionBulkItem, { minItems: 1, maxItems: MAX_ACTIONS }) },
  strict,
);

const Angle = Type.Object({
  media_id: Id,
  angle: Nullable(Type.String({ description: "Of the video's timeline" })),
  start_ms: Type.Integer(),
  end_ms: Type.Integer(),
  event_ms: Type.Integer(),
  start_tc: Nullable(Type.String()),
  derived: Type.Boolean({ description: 'Found through the time of day or the match clock, not given' }),
});
const FrameRateOut = Type.Object({ num: Type.Integer(), den: Type.Integer(), drop_frame: Type.Boolean() });

const shown = {
  id: Id,
  media_id: Id,
  type: Id,
  type_key: Type.String({ description: 'Such as goal' }),
  type_label: Type.String(),
  label: Nullable(Type.String()),
  start_ms: Type.Integer({ description: 'Half open; start_ms = end_ms: a point' }),
  end_ms: Type.Integer(),
  event_ms: Type.Integer({ description: 'The moment itself' }),
  start_tc: Nullable(Type.String({ description: 'SMPTE; null while the frame rate of the video is not known' })),
  end_tc: Nullable(Type.String()),
  frame_rate: Nullable(FrameRateOut),
  wallclock_at: Nullable(Time),
  period: Nullable(Type.Integer()),
  clock_ms: Nullable(Type.Integer({ description: 'As fed' })),
  minute: Nullable(Type.Integer({ description: 'As broadcast, from 1: 45+2 is minute 45, stoppage 2' })),
  stoppage: Nullable(Type.Integer()),
  match: Nullable(Id),
  match_label: Nullable(Type.String()),
  clubs: Type.Array(Type.Object({ id: Id, label: Type.String(), side: Nullable(Type.String({ enum: [...SIDES] })) })),
  players: Type.Array(
    Type.Object({
      id: Id,
      label: Type.String(),
      role: Nullable(Type.String()),
      shirt: Nullable(Type.Integer()),
    }),
  ),
  outcome: Nullable(Type.String()),
  x: Nullable(Type.Number({ description: '0..100, attack from left to right' })),
  y: Nullable(Type.Number()),
  end_x: Nullable(Type.Number()),
  end_y: Nullable(Type.Number()),
  tag_options: Type.Array(Type.Object({ id: Id, type: Type.String({ enum: [...TAG_TYPES] }), label: Type.String() })),
  details: Type.Object({}, { additionalProperties: true }),
  source: Type.String(),
  source_ref: Nullable(Type.String()),
  source_version: Nullable(Type.Integer()),
  confidence: Nullable(Type.Number()),
  status: Type.String({ enum: [...ACTION_STATUSES] }),
  parent_id: Nullable(Id),
  version: Type.Integer(),
  created_at: Time,
  updated_at: Time,
  created_by: Nullable(Type.String({ description: 'Name of the API key' })),
  updated_by: Nullable(Type.String()),
  angles: Type.Array(Angle, { description: 'Every video that shows it, its own first' }),
  in_ms: Type.Integer({ description: 'Where a clip begins: start_ms, or for a point the lead of its type before it' }),
  out_ms: Type.Integer(),
};

export const ActionOut = Type.Object(
  {
    ...shown,
    play_url: Nullable(Type.String({ description: 'The compressed tier from in to out; null while there is none' })),
    clip_url: Type.String({ description: 'POST makes the clip' }),
    poster_url: Nullable(Type.String()),
  },
  { $id: 'Action' },
);
export type ActionOut = Static<typeof ActionOut>;
export const actionRef = Type.Unsafe<ActionOut>({ $ref: 'Action#' });

export const ActionAnswer = Type.Object({ action: actionRef });

const Written = Type.Object(
  {
    ...ActionOut.properties,
    index: Type.Integer({ description: 'Of its item, from 0' }),
    result: Type.String({
      enum: ['created', 'updated', 'unchanged', 'stale'],
      description: 'unchanged: the same content again. stale: a newer source_version is stored; nothing was changed',
    }),
  },
  { $id: 'WrittenAction' },
);
export const WrittenAction = Written;
export type WrittenAction = Static<typeof Written>;

export const ActionsAnswer = Type.Object({
  actions: Type.Array(Type.Unsafe<WrittenAction>({ $ref: 'WrittenAction#' })),
  errors: Type.Array(
    Type.Object({
      index: Type.Integer({ description: 'Of the item, from 0' }),
      code: Type.String(),
      detail: Type.String(),
      errors: Type.Array(Type.Object({ pointer: Type.String(), code: Type.String(), detail: Type.String() })),
    }),
  ),
});

export const ActionList = Type.Object({
  actions: Type.Array(actionRef),
  total: Type.Integer(),
  next_cursor: Nullable(Type.String()),
});
export const ActionListQuery = Type.Object(
  {
    status: Type.Optional(
      Type.String({
        maxLength: 100,
        description: `Some of ${ACTION_STATUSES.join(', ')}, with commas; default: all but retracted`,
      }),
    ),
    limit: Type.Integer({ minimum: 0, maximum: 200, default: 50 }),
    cursor: Type.Optional(Type.String({ maxLength: 2000 })),
  },
  strict,
);

export const ActionHistory = Type.Object({
  history: Type.Array(
    Type.Object({
      version: Type.Integer(),
      change: Type.String({ enum: ['created', 'updated', 'retracted', 'deleted'] }),
      actor: Nullable(Type.String({ description: 'Name of the API key' })),
      created_at: Time,
      state: Type.Unsafe<Omit<ActionOut, 'play_url' | 'clip_url' | 'poster_url'>>(Type.Object(shown)),
    }),
  ),
});
