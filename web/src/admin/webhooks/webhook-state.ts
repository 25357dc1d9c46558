import type { MessageState, Webhook, WebhookAttempt } from '../../api/webhooks.ts';
import type { BadgeTone } from '../../ui/badge.tsx';
import { formatMoment } from '../../ui/when.ts';

export type StateText = {
  readonly tone: BadgeTone;
  readonly text: string;
  /** Why and since when, and what follows from it; nothing when all is well. */
  readonly reason?: string;
};

const DISABLED: Readonly<
  Record<NonNullable<Webhook['disabled_reason']>, { readonly tone: BadgeTone; readonly why: string }>
> = {
  asked: { tone: 'plain', why: 'by hand' },
  gone: { tone: 'danger', why: 'because its server answered 410: it wants no more messages' },
  failing: { tone: 'danger', why: 'because no message was taken in for 5 days' },
};

export function stateOfWebhook(webhook: Webhook): StateText {
  if (webhook.status === 'disabled') {
    const { tone, why } = DISABLED[webhook.disabled_reason ?? 'asked'];
    const when = webhook.disabled_at === null ? '' : ` on ${formatMoment(webhook.disabled_at)}`;
    return { tone, text: 'Disabled', reason: `It was disabled${when}, ${why}.` };
  }
  if (webhook.failing_since === null) return { tone: 'ok', text: 'Active' };
  const reason = `No message was taken in since ${formatMoment(webhook.failing_since)}. After 5 days of that it is disabled.`;
  return { tone: 'warn', text: 'Failing', reason };
}

export const MESSAGE_STATES: Readonly<Record<MessageState, { readonly tone: BadgeTone; readonly text: string }>> = {
  pending: { tone: 'warn', text: 'Waiting' },
  delivered: { tone: 'ok', text: 'Delivered' },
  failed: { tone: 'danger', text: 'Failed' },
};

const FAULTS: Readonly<Record<string, string>> = {
  timeout: 'No answer in time',
  unreachable: 'Not reachable',
  address_refused: 'Address not allowed',
};

const formatMs = (ms: number) => (ms < 10_000 ? `${ms} ms` : `${(ms / 1000).toFixed(1)} s`);

/** What came back, and how long that took: `204 in 35 ms`. */
export function answerOf({ status_code: status, error_code: fault, duration_ms: ms }: WebhookAttempt): string {
  const what = status === null ? (FAULTS[fault ?? ''] ?? fault ?? 'No answer') : String(status);
  return `${what} ${status === null ? 'after' : 'in'} ${formatMs(ms)}`;
}

export const isTakenIn = ({ status_code: status }: Pick<WebhookAttempt, 'status_code'>): boolean =>
  status !== null && status >= 200 && status < 300;
