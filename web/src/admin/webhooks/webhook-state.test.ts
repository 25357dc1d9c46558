import { describe, expect, test } from 'vitest';
import type { Webhook, WebhookAttempt } from '../../api/webhooks.ts';
import { answerOf, isTakenIn, stateOfWebhook } from './webhook-state.ts';

const webhook: Webhook = {
  id: 1,
  name: 'Website',
  url: 'https://example.com/hooks',
  types: ['*'],
  concurrency: 1,
  status: 'active',
  disabled_reason: null,
  disabled_at: null,
  failing_since: null,
  position: 4,
  previous_secret_until: null,
  created_at: '2026-11-01T00:00:00.000Z',
  updated_at: '2026-11-01T00:00:00.000Z',
  version: 1,
};
const attempt: WebhookAttempt = {
  started_at: '2026-11-01T00:00:00.000Z',
  duration_ms: 35,
  status_code: 204,
  error_code: null,
  error: null,
  excerpt: null,
};

describe('the state of a webhook', () => {
  test('is active, failing, or disabled for a reason', () => {
    expect(stateOfWebhook(webhook)).toEqual({ tone: 'ok', text: 'Active' });
    const since = '2026-11-20T12:00:00.000Z';
    expect(stateOfWebhook({ ...webhook, failing_since: since })).toMatchObject({ text: 'Failing', tone: 'warn' });
    const gone = { ...webhook, status: 'disabled', disabled_reason: 'gone', disabled_at: since } as const;
    expect(stateOfWebhook(gone)).toMatchObject({ text: 'Disabled', tone: 'danger' });
    expect(stateOfWebhook(gone).reason).toMatch(/^It was disabled on 20 Nov 2026, .*410/);
  });
});

describe('what came back', () => {
  test.each([
    [attempt, '204 in 35 ms', true],
    [{ ...attempt, status_code: 500, error_code: 'status' }, '500 in 35 ms', false],
    [
      { ...attempt, status_code: null, error_code: 'timeout', duration_ms: 15_002 },
      'No answer in time after 15.0 s',
      false,
    ],
    [{ ...attempt, status_code: null, error_code: 'dns' }, 'dns after 35 ms', false],
  ])('%o', (one, text, isGood) => {
    expect(answerOf(one)).toBe(text);
    expect(isTakenIn(one)).toBe(isGood);
  });
});
