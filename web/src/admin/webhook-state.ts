import type { MessageState, Webhook, WebhookAttempt } from '../api/webhooks.ts';
import type { Tone } from './state-badge.tsx';

export type StateText = {
  readonly tone: Tone;
  readonly text: string;
  /** Why, and what follows from it; nothing when all is well. */
  readonly reason?: string;
  /** Since when. */
  readonly since?: string | null;
};

const DISABLED: Readonly<Record<NonNullable<Webhook['disabled_reason']>, StateText>> = {
  asked: { tone: 'plain', text: 'Disabled', reason: 'It was disabled by hand.' },
  gone: { tone: 'danger', text: 'Disabled', reason: 'Its server answered 410: it wants no more messages.' },
  failing: { tone: 'danger', text: 'Disabled', reason: 'No message was taken in for 5 days.' },
};

export function stateOfWebhook(webhook: Webhook): StateText {
  if (webhook.status === 'disabled') {
    return { ...DISABLED[webhook.disabled_reason ?? 'asked'], since: webhook.disabled_at };
  }
  if (webhook.failing_since === null) return { tone: 'ok', text: 'Active' };
  return {
    tone: 'warn',
    text: 'Failing',
    reason: 'No message has been taken in. After 5 days of that it is disabled.',
    since: webhook.failing_since,
  };
}

export const MESSAGE_STATES: Readonly<Record<MessageState, { readonly tone: Tone; readonly text: string }>> = {
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
