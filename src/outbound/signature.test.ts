import { Webhook } from 'standardwebhooks';
import { expect, test } from 'vitest';
import { generateWebhookSecret, signedHeaders } from './signature.ts';

const body = Buffer.from('{"type":"media.ready","data":{"name":"Šeško"}}');

test('the reference library accepts the signature, and refuses another body, secret or time', () => {
  const secret = generateWebhookSecret();
  const headers = { ...signedHeaders({ id: 'msg_1_2', sentAt: new Date(), body, secrets: [secret] }) };
  expect(new Webhook(secret).verify(body, headers)).toEqual({ type: 'media.ready', data: { name: 'Šeško' } });
  expect(() => new Webhook(secret).verify(`${body.toString()} `, headers)).toThrow('No matching signature');
  expect(() => new Webhook(generateWebhookSecret()).verify(body, headers)).toThrow('No matching signature');
  const late = { ...signedHeaders({ id: 'msg_1_2', sentAt: new Date(Date.now() - 600_000), body, secrets: [secret] }) };
  expect(() => new Webhook(secret).verify(body, late)).toThrow('too old');
  expect(() => new Webhook(secret).verify(body, { ...headers, 'webhook-id': 'msg_1_3' })).toThrow();
});

test('with two secrets, holders of either accept it', () => {
  const secrets = [generateWebhookSecret(), generateWebhookSecret()];
  const headers = { ...signedHeaders({ id: 'msg_1_2', sentAt: new Date(), body, secrets }) };
  expect(headers['webhook-signature']?.split(' ')).toHaveLength(2);
  for (const secret of secrets) expect(() => new Webhook(secret).verify(body, headers)).not.toThrow();
});

test('secrets have 32 bytes and differ', () => {
  const [one, other] = [generateWebhookSecret(), generateWebhookSecret()];
  expect(one).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  expect(one).not.toBe(other);
});
