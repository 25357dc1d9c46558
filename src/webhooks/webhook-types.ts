import type { ChangeType } from '../library/index.ts';

export const WEBHOOK_STATUSES = ['active', 'disabled'] as const;
export type WebhookStatus = (typeof WEBHOOK_STATUSES)[number];
/** gone: it answered 410; failing: nothing has succeeded for days; asked: by a request. */
export const DISABLED_REASONS = ['gone', 'failing', 'asked'] as const;
export type DisabledReason = (typeof DISABLED_REASONS)[number];

export type WebhookFields = {
  readonly name: string;
  readonly url: string;
  /** As they were given: `media.ready`, `media.*`, `*`. */
  readonly types: readonly string[];
  /** First tries at a time, 1..4; 1 keeps them in the order of the events. */
  readonly concurrency: number;
};

export type Webhook = WebhookFields & {
  readonly id: number;
  readonly status: WebhookStatus;
  readonly disabledReason: DisabledReason | null;
  readonly disabledAt: Date | null;
  readonly secret: Buffer;
  readonly secretKeyId: string;
  readonly previousSecret: Buffer | null;
  readonly previousSecretKeyId: string | null;
  readonly previousSecretUntil: Date | null;
  /** The version of the library up to which its events are messages. */
  readonly position: number;
  readonly failingSince: Date | null;
  readonly version: number;
  readonly createdAt: Date;
  readonly updatedAt: Date;
};

export const MESSAGE_STATES = ['pending', 'delivered', 'failed'] as const;
export type MessageState = (typeof MESSAGE_STATES)[number];

/** One try, as it is kept and answered. */
export type MessageAttempt = {
  readonly started_at: string;
  readonly duration_ms: number;
  readonly status_code: number | null;
  readonly error_code: string | null;
  readonly error: string | null;
  /** The beginning of the answer's body, 1,000 characters at most. */
  readonly excerpt: string | null;
};

export type WebhookMessage = {
  readonly id: number;
  readonly webhookId: number;
  readonly eventVersion: number;
  readonly eventType: ChangeType;
  readonly state: MessageState;
  /** Since it was made or replayed. */
  readonly tries: number;
  readonly nextAttemptAt: Date;
  readonly attempts: readonly MessageAttempt[];
  readonly createdAt: Date;
  readonly finishedAt: Date | null;
};
