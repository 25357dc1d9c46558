import { expect, test } from 'vitest';
import { createWebhookCircuits, signOfAnswer } from './webhook-circuits.ts';

const START = new Date('2026-06-01T12:00:00Z');
const later = (seconds: number): Date => new Date(START.getTime() + seconds * 1000);
const webhook = { id: 7, version: 1 };

function openOne() {
  const circuits = createWebhookCircuits();
  for (let n = 1; n <= 5; n += 1) {
    expect(circuits.heldUntil(webhook, START)).toBeUndefined();
    circuits.note(webhook, 'fault', START);
  }
  return circuits;
}

test('five faults in a row hold a webhook for 30 s, and no other', () => {
  const circuits = openOne();
  expect(circuits.heldUntil(webhook, START)).toEqual(later(30));
  expect(circuits.isClosed(webhook)).toBe(false);
  expect(circuits.isClosed({ id: 8, version: 1 })).toBe(true);
});

test('a try that fails then holds it for longer, one that is answered lets all others go', () => {
  const circuits = openOne();
  expect(circuits.heldUntil(webhook, later(31))).toBeUndefined();
  expect(circuits.isClosed(webhook)).toBe(false);
  circuits.noteProbing(webhook);
  circuits.note(webhook, 'fault', later(31));
  expect(circuits.heldUntil(webhook, later(31))).toEqual(later(91));
  circuits.noteProbing(webhook);
  circuits.note(webhook, 'answered', later(92));
  expect(circuits.isClosed(webhook)).toBe(true);
  circuits.note(webhook, 'fault', later(93));
  expect(circuits.isClosed(webhook)).toBe(true);
});

test('a webhook that was changed, or has shown that it answers, is held no more', () => {
  const circuits = openOne();
  expect(circuits.isClosed({ ...webhook, version: 2 })).toBe(true);
  circuits.forget(webhook.id);
  expect(circuits.isClosed(webhook)).toBe(true);
});

test.each([
  [null, 'fault'],
  [429, 'fault'],
  [503, 'fault'],
  [500, 'answered'],
  [404, 'answered'],
  [204, 'answered'],
] as const)('the answer %s says %s of its endpoint', (status, sign) => {
  expect(signOfAnswer(status)).toBe(sign);
});
