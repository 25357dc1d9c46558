import type { LibraryScope } from '../../auth/index.ts';
import type { Clock } from '../../base/index.ts';
import { messageIdOf, type Webhook, type WebhookMessage } from '../../webhooks/index.ts';
import type { WebhookMessageOut, WebhookOut } from '../wire/webhooks.ts';

/** A webhook as it is answered: never with a secret. */
export function presentWebhook(webhook: Webhook, clock: Clock): WebhookOut {
  const until = webhook.previousSecretUntil;
  return {
    id: webhook.id,
    name: webhook.name,
    url: webhook.url,
    types: [...webhook.types],
    concurrency: webhook.concurrency,
    status: webhook.status,
    disabled_reason: webhook.disabledReason,
    disabled_at: webhook.disabledAt?.toISOString() ?? null,
    failing_since: webhook.failingSince?.toISOString() ?? null,
    position: webhook.position,
    previous_secret_until: until && until > clock.now() ? until.toISOString() : null,
    created_at: webhook.createdAt.toISOString(),
    updated_at: webhook.updatedAt.toISOString(),
    version: webhook.version,
  };
}

export function presentWebhookMessage(scope: LibraryScope, message: WebhookMessage): WebhookMessageOut {
  return {
    id: message.id,
    webhook_id: message.webhookId,
    message_id: messageIdOf(scope, message.eventVersion),
    event: { id: message.eventVersion, type: message.eventType },
    state: message.state,
    tries: message.tries,
    next_attempt_at: message.state === 'pending' ? message.nextAttemptAt.toISOString() : null,
    attempts: message.attempts.map((attempt) => ({ ...attempt })),
    created_at: message.createdAt.toISOString(),
    finished_at: message.finishedAt?.toISOString() ?? null,
  };
}
