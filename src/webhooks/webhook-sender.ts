/** One try of one message: what is posted, and what the answer means. */
import { randomUUID } from 'node:crypto';
import type { LibraryScope } from '../auth/index.ts';
import { type Clock, type Logger, SECOND_MS, type SecretBox, type TargetSign } from '../base/index.ts';
import type { Database } from '../db/index.ts';
import { eventDocument, type LibraryEvent, writeLibrary } from '../library/index.ts';
import { type Outbound, type OutboundAnswer, OutboundError, signedHeaders } from '../outbound/index.ts';
import { endAttempt } from './message-store.ts';
import { FAILING_MS, retryAfterMs, waitAfterMs } from './schedule.ts';
import { signOfAnswer } from './webhook-circuits.ts';
import { disableWebhook, noteFailing } from './webhook-store.ts';
import type { DisabledReason, MessageAttempt, Webhook, WebhookMessage } from './webhook-types.ts';

/** For all of a try: name, connection, redirects, answer. */
const TIMEOUT_MS = 15 * SECOND_MS;
const EXCERPT_CHARACTERS = 1000;
const GONE = 410;

export type SenderDeps = {
  readonly db: Database;
  readonly outbound: Pick<Outbound, 'post'>;
  readonly secretBox: SecretBox;
  readonly clock: Clock;
  readonly random: () => number;
  readonly logger: Logger;
};

export type Try = {
  readonly attempt: MessageAttempt;
  readonly isDelivered: boolean;
  readonly askedMs: number | undefined;
};

/** `webhook-id` of an event: the same at every try and for every webhook of the organization. */
export const messageIdOf = (scope: LibraryScope, eventVersion: number): string =>
  `evt_${scope.organizationId}_${eventVersion}`;

/** The beginning of an answer as text: control characters would garble whatever shows it. */
function excerptOf(body: Buffer): string | null {
  const text = body
    .subarray(0, 4 * EXCERPT_CHARACTERS)
    .toString('utf8')
    .replaceAll(/[^\P{Cc}\t\n]/gu, '');
  return text === '' ? null : text.slice(0, EXCERPT_CHARACTERS);
}

/** The secrets that sign at the moment, the newest first. */
function secretsOf({ secretBox, clock }: SenderDeps, scope: LibraryScope, webhook: Webhook): readonly string[] {
  const { previousSecret, previousSecretKeyId, previousSecretUntil } = webhook;
  const sealed = [{ sealed: webhook.secret, keyId: webhook.secretKeyId }];
  if (previousSecret && previousSecretKeyId !== null && previousSecretUntil && previousSecretUntil > clock.now()) {
    sealed.push({ sealed: previousSecret, keyId: previousSecretKeyId });
  }
  return sealed.map((one) => String(secretBox.open(scope.organizationId, one)['secret']));
}

/** Posts one signed body. @throws the signal's reason, AppError `unavailable` when the secret cannot be opened */
async function post(
  deps: SenderDeps,
  scope: LibraryScope,
  message: { readonly webhook: Webhook; readonly id: string; readonly body: Buffer; readonly signal: AbortSignal },
): Promise<Try & { readonly status: number | null }> {
  const { webhook, id, body, signal } = message;
  const startedAt = deps.clock.now();
  const startedMs = performance.now();
  const signed = signedHeaders({ id, sentAt: startedAt, body, secrets: secretsOf(deps, scope, webhook) });
  let answer: OutboundAnswer | undefined;
  let fault: OutboundError | undefined;
  try {
    const headers = { 'Content-Type': 'application/json', ...signed };
    answer = await deps.outbound.post(webhook.url, { headers, body, timeoutMs: TIMEOUT_MS, signal });
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error;
    fault = error;
  }
  const status = answer?.status ?? null;
  // Only 2xx says that it was taken in.
  const isDelivered = status !== null && status >= 200 && status < 300;
  const attempt: MessageAttempt = {
    started_at: startedAt.toISOString(),
    duration_ms: Math.round(performance.now() - startedMs),
    status_code: status,
    error_code: fault?.code ?? (isDelivered ? null : 'status'),
    error: fault?.message ?? (isDelivered ? null : `expected an answer of status 2xx, received ${status}`),
    excerpt: answer ? excerptOf(answer.body) : null,
  };
  return { attempt, isDelivered, status, askedMs: retryAfterMs(answer?.headers['retry-after'], deps.clock.now()) };
}

/** A message that says nothing, to see whether it arrives; it is not kept. @throws as `post` */
export function sendPing(
  deps: SenderDeps,
  scope: LibraryScope,
  { webhook, signal }: { readonly webhook: Webhook; readonly signal: AbortSignal },
): Promise<Try> {
  const timestamp = deps.clock.now().toISOString();
  const body = Buffer.from(JSON.stringify({ type: 'webhook.ping', timestamp, data: { webhook_id: webhook.id } }));
  return post(deps, scope, { webhook, id: `ping_${randomUUID()}`, body, signal });
}

/** What a message says: the same at every try, because all of it is in the event, which never changes. */
export function payloadOf(event: LibraryEvent) {
  const data = eventDocument(event);
  return { type: data.type, timestamp: data.created_at, data };
}

/** What a try says of its endpoint, and whether the webhook is still one to send to. */
export type Sent = { readonly sign: TargetSign; readonly isDisabled: boolean };

/** Tries a message once and notes how it went. @throws as `post` */
export async function sendMessage(
  deps: SenderDeps,
  scope: LibraryScope,
  sent: {
    readonly webhook: Webhook;
    readonly message: WebhookMessage;
    /** Undefined when it is not kept any more. */
    readonly event: LibraryEvent | undefined;
    readonly signal: AbortSignal;
  },
): Promise<Sent> {
  const { webhook, message, event, signal } = sent;
  const { db, clock } = deps;
  if (!event) {
    // Events are kept for as long as messages of them wait; only a disabled webhook waits longer.
    await endAttempt(db, scope, { id: message.id, attempt: undefined, outcome: { state: 'failed' } });
    return { sign: 'nothing', isDisabled: false };
  }
  const id = messageIdOf(scope, message.eventVersion);
  const { attempt, isDelivered, status, askedMs } = await post(deps, scope, {
    webhook,
    id,
    body: Buffer.from(JSON.stringify(payloadOf(event))),
    signal,
  });
  const waitMs = waitAfterMs(message.tries + 1, { askedMs, random: deps.random() });
  const outcome = isDelivered
    ? ({ state: 'delivered' } as const)
    : waitMs === undefined
      ? ({ state: 'failed' } as const)
      : ({ state: 'pending', next: new Date(clock.now().getTime() + waitMs) } as const);
  await endAttempt(db, scope, { id: message.id, attempt, outcome });
  const sign = signOfAnswer(status);
  if (isDelivered) return { sign, isDisabled: false };
  const failingSince = await noteFailing(db, scope, { id: webhook.id, now: clock.now() });
  deps.logger.debug({
    event: 'webhook.try_failed',
    webhookId: webhook.id,
    messageId: message.id,
    code: attempt.error_code,
  });
  const isOver = failingSince !== null && clock.now().getTime() - failingSince.getTime() > FAILING_MS;
  if (status !== GONE && !isOver) return { sign, isDisabled: false };
  await disable(deps, scope, { id: webhook.id, reason: status === GONE ? 'gone' : 'failing' });
  return { sign, isDisabled: true };
}

/** With an event, which other webhooks may tell somebody of. */
async function disable(
  { db, logger }: SenderDeps,
  scope: LibraryScope,
  { id, reason }: { readonly id: number; readonly reason: DisabledReason },
): Promise<void> {
  await writeLibrary(db, scope, async ({ tx, record }) => {
    if (!(await disableWebhook(tx, scope, { id, reason }))) return;
    record({ type: 'webhook.disabled', objectId: id, data: { reason } });
    logger.warn({ event: 'webhook.disabled', organizationId: scope.organizationId, webhookId: id, reason });
  });
}
