import { describe, expect, test } from 'vitest';
import { EXAMPLE_DESTINATION as DESTINATION } from '../example-destination.ts';
import { batchWords, contentWords, healthWords, mayReplay, waitWords } from './words.ts';

describe('the health of a destination', () => {
  test('is in order, with what is on its way', () => {
    expect(healthWords(DESTINATION)).toEqual({ tone: 'ok', text: 'In order.' });
    const health = { ...DESTINATION.health, queued: 1200, running: 4 };
    expect(healthWords({ ...DESTINATION, health }).text).toBe('In order. 1,204 on their way to it.');
  });
  test('says first that it is paused, whatever else is the matter', () => {
    const on_hold = { reason: 'paused', until: null } as const;
    const paused = healthWords({ ...DESTINATION, paused: true, on_hold, status: 'failed' });
    expect(paused).toMatchObject({ tone: 'warn', text: expect.stringContaining('Paused') });
  });
  test('says why the target does not answer', () => {
    const health = {
      ...DESTINATION.health,
      last_error: { at: '2026-03-14T19:30:00.000Z', code: 'target_unreachable', reason: 'the line is cut' },
    };
    const on_hold = { reason: 'circuit', until: null } as const;
    const { tone, text } = healthWords({ ...DESTINATION, health, on_hold, circuit: 'open' });
    expect([tone, text]).toEqual(['danger', 'The target does not answer: the line is cut. What is sent now waits.']);
  });
  test('tells a failed verification from one that has not been made', () => {
    const failure = { code: 'credentials_refused', reason: 'the password is wrong' };
    const failed = healthWords({ ...DESTINATION, status: 'failed', failure });
    expect(failed).toEqual({ tone: 'danger', text: 'The last verification failed: the password is wrong' });
    expect(healthWords({ ...DESTINATION, status: 'unverified' })).toEqual({ tone: 'warn', text: 'Not verified yet.' });
  });
});

test('a request names only the states that it has', () => {
  const none = { queued: 0, running: 0, succeeded: 0, failed: 0, exhausted: 0, cancelled: 0, skipped: 0 };
  expect(batchWords({ total: 3, states: { ...none, succeeded: 3 } })).toBe('3 of 3 arrived');
  const states = { ...none, succeeded: 1, failed: 2, queued: 1500 };
  expect(batchWords({ total: 1503, states })).toBe('1 of 1,503 arrived, 1,500 waiting, 2 failed');
});

test('what waits says for what, and nothing when it is about to start', () => {
  type Waiting = Parameters<typeof waitWords>[0];
  const wait = (waiting_for: Waiting['waiting_for'], next_attempt_at: string | null) =>
    waitWords({ waiting_for, next_attempt_at });
  expect(wait(null, '2026-03-14T19:30:00.000Z')).toBe('');
  expect(wait('paused', null)).toBe('The destination is paused');
  const soon = new Date(Date.now() + 60_000).toISOString();
  expect(wait('retry', soon)).toMatch(/^Next try at \d\d:\d\d:\d\d$/);
  expect(wait('window', soon)).toMatch(/^Its time of delivery has not come, next look at \d\d:\d\d:\d\d$/);
});

test('what goes out is named', () => {
  expect(contentWords({ quality: 'compressed', rendition: null })).toBe('Compressed');
  expect(contentWords({ quality: null, rendition: { kind: 'clip', clip_id: 3 } })).toBe('Clip');
  expect(contentWords({ quality: null, rendition: { kind: 'image', params: 'w=48' } })).toBe('Picture w=48');
});

test('what never had a path of its own is not sent again', () => {
  const attempt = { started_at: '', ended_at: '', error_code: 'io', error: 'x', bytes: 0 };
  expect(mayReplay({ state: 'failed', attempts: [] })).toBe(false);
  expect(mayReplay({ state: 'failed', attempts: [attempt] })).toBe(true);
  expect(mayReplay({ state: 'cancelled', attempts: [] })).toBe(true);
  expect(mayReplay({ state: 'succeeded', attempts: [attempt] })).toBe(false);
});
