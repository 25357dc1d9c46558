import { type Static, Type } from 'typebox';
import { CLIP_LIMITS } from '../../clips/index.ts';
import { DELIVERED_QUALITIES } from '../../delivery/index.ts';
import { CLIP_ASPECTS, USAGES } from '../../library/index.ts';
import { RULE_EVENTS, RUN_STATES, STEP_STATUSES } from '../../rules/index.ts';
import { Id, Nullable, Time } from './common.ts';

const strict = { additionalProperties: false } as const;
const choice = <const T extends string>(values: readonly T[], options: object = {}) =>
  Type.Unsafe<T>({ type: 'string', enum: [...values], ...options });
const filterRef = (description: string) => Type.Unsafe<Record<string, unknown>>({ $ref: 'Filter#', description });

const TagIds = Type.Array(Id, { minItems: 1, maxItems: 50, uniqueItems: true });
const Margin = Type.Integer({ minimum: 0, maximum: CLIP_LIMITS.maxMarginMs });

const Deliver = Type.Object(
  {
    do: Type.Literal('deliver'),
    destination_id: Id,
    qualities: Type.Optional(
      Type.Array(choice(DELIVERED_QUALITIES), {
        minItems: 1,
        maxItems: 3,
        uniqueItems: true,
        description: 'Default those of the destination',
      }),
    ),
    rendition: Type.Optional(
      Type.Object(
        { kind: Type.Literal('image'), params: Type.String({ minLength: 1, maxLength: 2000 }) },
        { ...strict, description: 'A picture made of each, in place of qualities; params as in image URLs' },
      ),
    ),
  },
  strict,
);
const AddTags = Type.Object({ do: Type.Literal('add_tags'), tag_option_ids: TagIds }, strict);
const RemoveTags = Type.Object({ do: Type.Literal('remove_tags'), tag_option_ids: TagIds }, strict);
const SetUsage = Type.Object(
  {
    do: Type.Literal('set_usage'),
    usage: choice(USAGES),
    usage_at: Type.Optional(Nullable(Type.String({ format: 'date-time', description: 'Of embargoed and expired' }))),
  },
  strict,
);
const Webhook = Type.Object({ do: Type.Literal('webhook'), webhook_id: Id }, strict);
const CutClip = Type.Object(
  {
    do: Type.Literal('clip'),
    lead_ms: Type.Optional({ ...Margin, description: 'Shown before the start; default that of the type of action' }),
    lag_ms: Type.Optional({ ...Margin, description: 'Shown after the end; default that of the type of action' }),
    aspect: Type.Optional(choice(CLIP_ASPECTS)),
    height: Type.Optional(Type.Integer({ minimum: 144, maximum: 4320 })),
    destination_id: Type.Optional({ ...Id, description: 'Where it is delivered to when it is ready' }),
  },
  strict,
);

/** By `do`, so that a fault is told of the step that is meant, and not of all. */
export const STEP_SCHEMAS = {
  deliver: Deliver,
  add_tags: AddTags,
  remove_tags: RemoveTags,
  set_usage: SetUsage,
  webhook: Webhook,
  clip: CutClip,
} as const;
type Step = { readonly do: keyof typeof STEP_SCHEMAS } & Readonly<Record<string, unknown>>;
/** What validates a list of steps before each is looked at by its own schema. */
const LooseStep = Type.Unsafe<Step>({
  type: 'object',
  required: ['do'],
  properties: { do: { type: 'string', enum: Object.keys(STEP_SCHEMAS) } },
  description: 'deliver, add_tags, remove_tags, set_usage, webhook or clip, with its members (docs/rules.md)',
});
const MAX_STEPS = 10;

const writable = {
  name: Type.String({ minLength: 1, maxLength: 200, pattern: '\\S' }),
  on: Type.Array(choice(RULE_EVENTS), {
    minItems: 1,
    maxItems: RULE_EVENTS.length,
    uniqueItems: true,
    description: 'Events of the change feed that it waits for',
  }),
  then: Type.Array(LooseStep, { minItems: 1, maxItems: MAX_STEPS, description: 'What is done, in this order' }),
};
const example = {
  name: 'Player 10 in the derby goes to the agency',
  on: ['media.ready', 'media.tags_changed'],
  filter: { player: 10, match: 12 },
  then: [
    { do: 'deliver', destination_id: 1, qualities: ['photographer'] },
    { do: 'add_tags', tag_option_ids: [40] },
  ],
};

const Filtered = Type.Optional(filterRef('What the asset has to meet, as in POST /v1/media/search; default any asset'));

export const RuleBody = Type.Object(
  {
    ...writable,
    enabled: Type.Optional(Type.Boolean({ description: 'Default true' })),
    filter: Filtered,
  },
  { ...strict, examples: [example] },
);
export const RulePatch = Type.Object(
  {
    name: Type.Optional(writable.name),
    enabled: Type.Optional(Type.Boolean({ description: 'true also lets a rule run again that was paused or broken' })),
    on: Type.Optional(writable.on),
    filter: Type.Optional(
      Type.Unsafe<Record<string, unknown>>({
        type: 'object',
        additionalProperties: true,
        description: 'JSON Merge Patch of the filter; null removes a member',
      }),
    ),
    then: Type.Optional(writable.then),
  },
  { ...strict, minProperties: 1, examples: [{ enabled: false }] },
);

const failure = { code: Type.String(), reason: Type.String() };
const Failure = Type.Object(failure);
const FailureAt = Type.Object({ ...failure, at: Nullable(Time) });
const NullableFailure = (description: string) =>
  Type.Unsafe<Static<typeof Failure> | null>({ ...Failure, type: ['object', 'null'], description });
const NullableFailureAt = (description: string) =>
  Type.Unsafe<Static<typeof FailureAt> | null>({ ...FailureAt, type: ['object', 'null'], description });

export const RuleOut = Type.Object(
  {
    id: Id,
    name: Type.String(),
    enabled: Type.Boolean(),
    status: choice(['active', 'disabled', 'paused', 'broken'], {
      description: 'paused: it ran on one object too often; broken: something that it needs is gone. Neither runs',
    }),
    failure: NullableFailureAt('Why it is paused or broken'),
    on: Type.Array(choice(RULE_EVENTS)),
    filter: Type.Object({}, { additionalProperties: true }),
    then: Type.Array(Type.Object({}, { additionalProperties: true })),
    matched: Type.Integer({ description: 'Runs' }),
    failed: Type.Integer({ description: 'Runs of which not everything was done' }),
    last_run_at: Nullable(Time),
    last_error: NullableFailureAt('Of the last run of which not everything was done'),
    created_by: Type.String({ description: 'Name of the API key' }),
    created_at: Time,
    updated_at: Time,
    version: Type.Integer(),
  },
  { $id: 'Rule' },
);
export type RuleOut = Static<typeof RuleOut>;
const ruleRef = Type.Unsafe<RuleOut>({ $ref: 'Rule#' });
export const RuleAnswer = Type.Object({ rule: ruleRef });
export const RuleList = Type.Object({ rules: Type.Array(ruleRef), next_cursor: Nullable(Type.String()) });

const StepOut = Type.Object({
  do: Type.String(),
  status: choice(STEP_STATUSES, {
    description: 'unchanged: it was so already; skipped: not possible for this asset, and the run ends',
  }),
  failure: Type.Optional(Failure),
  deliveries: Type.Optional(
    Type.Array(
      Type.Object({
        id: Nullable({ ...Id, description: 'null in a dry run' }),
        quality: Nullable(Type.String()),
        state: choice(['queued', 'skipped', 'failed']),
        path: Type.String(),
        failure: NullableFailure('Why it was not queued'),
      }),
    ),
  ),
  tag_option_ids: Type.Optional(Type.Array(Id, { description: 'Those that were really added or removed' })),
  usage: Type.Optional(Type.String()),
  clip_id: Type.Optional(Id),
});

const run = {
  object: Type.Object({ kind: choice(['media', 'action', 'clip']), id: Id }),
  media_id: Id,
  state: choice(RUN_STATES, { description: 'stopped: a step was skipped, and those behind it were not done' }),
  failure: NullableFailure('Why not everything was done'),
  steps: Type.Array(StepOut),
};
export const RuleRunOut = Type.Object(
  {
    id: Id,
    rule_id: Id,
    rule_version: Type.Integer(),
    event: Type.Object({ id: Type.Integer({ description: 'As in GET /v1/event' }), type: choice(RULE_EVENTS) }),
    depth: Type.Integer({ description: 'Rules that led to the event; 0 when somebody did' }),
    ...run,
    duration_ms: Type.Integer({ description: 'Of the write that it was part of' }),
    created_at: Time,
  },
  { $id: 'RuleRun' },
);
export type RuleRunOut = Static<typeof RuleRunOut>;
export const RuleRunList = Type.Object({
  runs: Type.Array(Type.Unsafe<RuleRunOut>({ $ref: 'RuleRun#' })),
  next_cursor: Nullable(Type.String()),
});
export const RuleRunQuery = Type.Object(
  {
    media: Type.Optional(Id),
    state: Type.Optional(choice(RUN_STATES)),
    limit: Type.Integer({ minimum: 0, maximum: 200, default: 50 }),
    cursor: Type.Optional(Type.String({ maxLength: 2000 })),
  },
  strict,
);

const tried = {
  after: Type.Optional(
    Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, description: 'Events after this one' }),
  ),
  days: Type.Optional(Type.Integer({ minimum: 1, maximum: 30, description: 'Events of so many days. Default 1' })),
  media_ids: Type.Optional(
    Type.Array(Id, { minItems: 1, maxItems: 200, description: 'These assets, as if one of the events came now' }),
  ),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 200, description: 'Runs. Default 50' })),
  cursor: Type.Optional(Type.String({ maxLength: 2000 })),
};
export const DryRunBody = Type.Object(tried, { ...strict, examples: [{ days: 7 }] });
export type DryRunBody = Static<typeof DryRunBody>;
export const DraftDryRunBody = Type.Object(
  { on: writable.on, filter: Filtered, then: writable.then, ...tried },
  { ...strict, examples: [{ on: example.on, filter: example.filter, then: example.then, days: 7 }] },
);
export const DryRunAnswer = Type.Object({
  runs: Type.Array(
    Type.Object({
      event: Type.Unsafe<{ id: number; type: string; created_at: string } | null>({
        ...Type.Object({ id: Type.Integer(), type: Type.String(), created_at: Time }),
        type: ['object', 'null'],
      }),
      ...run,
    }),
  ),
  looked: Type.Integer({ description: "Events of the rule's types, or assets and actions, that were looked at" }),
  next_cursor: Nullable(Type.String()),
});
