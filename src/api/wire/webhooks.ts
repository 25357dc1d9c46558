import { type Static, Type } from 'typebox';
import { DISABLED_REASONS, MESSAGE_STATES, WEBHOOK_STATUSES } from '../../webhooks/index.ts';
import { Id, Nullable, Time } from './common.ts';

const strict = { additionalProperties: false } as const;
const choice = <const T extends string>(values: readonly T[], options: object = {}) =>
  Type.Unsafe<T>({ type: 'string', enum: [...values], ...options });
const NullableChoice = <const T extends string>(values: readonly T[], options: object = {}) =>
  Type.Unsafe<T | null>({ type: ['string', 'null'], enum: [...values, null], ...options });

const writable = {
  name: Type.String({ minLength: 1, maxLength: 200, pattern: '\\S' }),
  url: Type.String({
    minLength: 1,
    maxLength: 2000,
    description: 'https, to an address in the public internet; others only where the setting OUTBOUND_ALLOW has them',
  }),
  types: Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: 100 }), {
      minItems: 1,
      maxItems: 100,
      uniqueItems: true,
      description: 'Types of GET /v1/event; media.* stands for all that begin so, * for all. Default *',
    }),
  ),
  concurrency: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 4,
      description: 'First tries at a time. Default 1: messages are tried first in the order of their events',
    }),
  ),
};

export const WebhookBody = Type.Object(writable, {
  ...strict,
  examples: [{ name: 'Website', url: 'https://example.com/hooks/touchline', types: ['media.ready', 'media.deleted'] }],
});

export const WebhookPatch = Type.Object(
  {
    ...writable,
    name: Type.Optional(writable.name),
    url: Type.Optional(writable.url),
    status: Type.Optional(
      choice(WEBHOOK_STATUSES, { description: 'active: goes on where it stopped; nothing was left out meanwhile' }),
    ),
  },
  { ...strict, minProperties: 1, examples: [{ types: ['media.*'] }] },
);
export type WebhookPatch = Static<typeof WebhookPatch>;

export const WebhookOut = Type.Object(
  {
    id: Id,
    name: Type.String(),
    url: Type.String(),
    types: Type.Array(Type.String()),
    concurrency: Type.Integer(),
    status: choice(WEBHOOK_STATUSES),
    disabled_reason: NullableChoice(DISABLED_REASONS, {
      description: 'gone: it answered 410; failing: no try has succeeded for 5 days; asked: by a request',
    }),
    disabled_at: Nullable(Time),
    failing_since: Nullable({ ...Time, description: 'Since when no try has succeeded' }),
    position: Type.Integer({ description: 'The event up to which messages are made' }),
    previous_secret_until: Nullable({ ...Time, description: 'Until then the secret before the rotation signs too' }),
    created_at: Time,
    updated_at: Time,
    version: Type.Integer(),
  },
  { $id: 'Webhook' },
);
export type WebhookOut = Static<typeof WebhookOut>;
const webhookRef = Type.Unsafe<WebhookOut>({ $ref: 'Webhook#' });
export const WebhookAnswer = Type.Object({ webhook: webhookRef });
const secret = Nullable(
  Type.String({ description: 'whsec_...: shown here and nowhere else; null when the answer is replayed' }),
);
export const WebhookWithSecret = Type.Object({ webhook: webhookRef, secret });
export const WebhookList = Type.Object({
  webhooks: Type.Array(webhookRef),
  next_cursor: Nullable(Type.String()),
});

const attemptMembers = {
  started_at: Time,
  duration_ms: Type.Integer(),
  status_code: Nullable(Type.Integer()),
  error_code: Nullable(Type.String({ description: 'Such as status, timeout, unreachable or address_refused' })),
  error: Nullable(Type.String()),
  excerpt: Nullable(Type.String({ description: 'The beginning of what was answered' })),
};
export const WebhookTestAnswer = Type.Object({
  delivered: Type.Boolean({ description: 'Answered with 2xx' }),
  ...attemptMembers,
});

export const WebhookMessageOut = Type.Object(
  {
    id: Id,
    webhook_id: Id,
    message_id: Type.String({ description: 'The header webhook-id: the same at every try' }),
    event: Type.Object({ id: Type.Integer(), type: Type.String() }),
    state: choice(MESSAGE_STATES, { description: 'failed: after 10 tries; it can be replayed' }),
    tries: Type.Integer({ description: 'Since it was made or replayed' }),
    next_attempt_at: Nullable(Time),
    attempts: Type.Array(Type.Object(attemptMembers), { description: 'The last 20' }),
    created_at: Time,
    finished_at: Nullable(Time),
  },
  { $id: 'WebhookMessage' },
);
export type WebhookMessageOut = Static<typeof WebhookMessageOut>;
const messageRef = Type.Unsafe<WebhookMessageOut>({ $ref: 'WebhookMessage#' });
export const WebhookMessageAnswer = Type.Object({ message: messageRef });
export const WebhookMessageWithPayload = Type.Object({
  message: messageRef,
  payload: Nullable(
    Type.Object(
      {
        type: Type.String(),
        timestamp: Time,
        data: Type.Object({}, { additionalProperties: true, description: 'The event' }),
      },
      { description: 'What is posted; null when the event is not kept any more' },
    ),
  ),
});
export const WebhookMessageList = Type.Object({
  messages: Type.Array(messageRef),
  next_cursor: Nullable(Type.String()),
});

export const WebhookPageQuery = Type.Object(
  {
    limit: Type.Integer({ minimum: 0, maximum: 200, default: 50 }),
    cursor: Type.Optional(Type.String({ maxLength: 2000 })),
  },
  strict,
);
export const WebhookMessageQuery = Type.Object(
  {
    state: Type.Optional(choice(MESSAGE_STATES)),
    limit: Type.Integer({ minimum: 0, maximum: 200, default: 50 }),
    cursor: Type.Optional(Type.String({ maxLength: 2000 })),
  },
  strict,
);
export const MessageParams = Type.Object({ id: Id, message: Id });

const Version = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER });
export const WebhookReplayBody = Type.Object(
  {
    after: { ...Version, description: 'Events behind this one' },
    before: Type.Optional({ ...Version, description: 'and in front of this one. Default: all up to `position`' }),
  },
  { ...strict, examples: [{ after: 1200 }] },
);
export const WebhookReplayAnswer = Type.Object({
  queued: Type.Integer(),
  after: Type.Integer({ description: 'How far it went: where the next request goes on' }),
  has_more: Type.Boolean({ description: 'True when there were more than 10,000' }),
});
