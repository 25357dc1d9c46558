/** Standard Webhooks 1.0.0: https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md */
import { createHmac, randomBytes } from 'node:crypto';
import { SECOND_MS } from '../base/index.ts';

const PREFIX = 'whsec_';
/** The specification asks for 24 to 64 bytes. */
const SECRET_BYTES = 32;

/** `whsec_` and 32 random bytes in base64. */
export function generateWebhookSecret(): string {
  return PREFIX + randomBytes(SECRET_BYTES).toString('base64');
}

/**
 * The headers that prove where a message is from: identifier, time in seconds since 1970, and one HMAC-SHA256 over `id.timestamp.body`
 * for each secret, with a space between.
 */
export function signedHeaders(message: {
  readonly id: string;
  readonly sentAt: Date;
  readonly body: Buffer;
  readonly secrets: readonly string[];
}): Readonly<Record<string, string>> {
  const timestamp = String(Math.floor(message.sentAt.getTime() / SECOND_MS));
  const signatures = message.secrets.map((secret) => {
    const key = Buffer.from(secret.slice(PREFIX.length), 'base64');
    const hmac = createHmac('sha256', key).update(`${message.id}.${timestamp}.`).update(message.body);
    return `v1,${hmac.digest('base64')}`;
  });
  return {
    'webhook-id': message.id,
    'webhook-timestamp': timestamp,
    'webhook-signature': signatures.join(' '),
  };
}
