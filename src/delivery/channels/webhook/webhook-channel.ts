/**
 * Posts a signed manifest of each file, with a URL that the target fetches it from. Signed by Standard Webhooks, as events are; the header
 * `webhook-id` is the same at every try of the same bytes.
 */
import { randomUUID } from 'node:crypto';
import { Type } from 'typebox';
import { HOUR_MS, invalidField, SECOND_MS } from '../../../base/index.ts';
import { type Outbound, OutboundError, signedHeaders } from '../../../outbound/index.ts';
import { ChannelError, type ChannelSession, defineChannel, type FaultCode } from '../../channel.ts';
import { POSIX_NAMES } from '../../name-rules.ts';

/** For all of a try: name, connection, redirects, answer. */
const TIMEOUT_MS = 30 * SECOND_MS;
const DEFAULT_URL_HOURS = 24;
const SECRET = { pattern: '^whsec_[A-Za-z0-9+/]{32,86}={0,2}$', maxLength: 100 };

const configSchema = Type.Object(
  {
    url: Type.String({ minLength: 1, maxLength: 2000, description: 'https; others where OUTBOUND_ALLOW has them' }),
    url_hours: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 168, description: 'How long the URL of a file is good. Default 24' }),
    ),
  },
  { additionalProperties: false },
);
const secretsSchema = Type.Object(
  {
    secret: Type.String({ ...SECRET, description: 'whsec_ and 24 to 64 bytes in base64' }),
    previous_secret: Type.Optional(Type.String({ ...SECRET, description: 'Signs too, while a secret is changed' })),
  },
  { additionalProperties: false },
);

const FAULTS: Readonly<Record<OutboundError['code'], FaultCode>> = {
  address_refused: 'refused',
  url_invalid: 'refused',
  too_many_redirects: 'refused',
  name_not_found: 'unreachable',
  unreachable: 'unreachable',
  tls_failed: 'failed',
  timeout: 'timeout',
  connection_lost: 'connection_lost',
};

/** What an answer says that is no 2xx. */
function faultOfStatus(status: number): FaultCode {
  if (status === 401) return 'credentials';
  if (status === 403) return 'permission';
  if (status === 404) return 'not_found';
  if (status === 408) return 'timeout';
  return status === 425 || status === 429 || status >= 500 ? 'busy' : 'refused';
}

const notSupported = (): never => {
  throw new ChannelError('unsupported', 'a target that fetches files cannot be looked into');
};

/** `outbound` left out: the kind is not available. */
export function createWebhookChannel(outbound: Pick<Outbound, 'post' | 'check'> | undefined) {
  return defineChannel({
    kind: 'webhook',
    configSchema,
    secretsSchema,
    names: POSIX_NAMES,
    missing: () => (outbound ? undefined : 'it was started without a way out'),
    check(config) {
      try {
        outbound?.check(config.url);
      } catch (error) {
        if (!(error instanceof OutboundError)) throw error;
        throw invalidField('/config/url', error.message);
      }
    },
    async open({ config, secrets }): Promise<ChannelSession> {
      if (!outbound) throw new ChannelError('unsupported', 'webhooks are not available here');
      const keys = [secrets.secret, ...(secrets.previous_secret === undefined ? [] : [secrets.previous_secret])];

      /** @throws ChannelError, or the signal's reason */
      const post = async (
        message: { readonly id: string; readonly type: string; readonly data: object },
        signal: AbortSignal,
      ) => {
        const sentAt = new Date();
        const { id, type, data } = message;
        const body = Buffer.from(JSON.stringify({ type, timestamp: sentAt.toISOString(), data }));
        const headers = { 'Content-Type': 'application/json', ...signedHeaders({ id, sentAt, body, secrets: keys }) };
        try {
          const { status } = await outbound.post(config.url, { headers, body, timeoutMs: TIMEOUT_MS, signal });
          if (status >= 200 && status < 300) return;
          throw new ChannelError(faultOfStatus(status), `expected an answer of status 2xx, received ${status}`);
        } catch (error) {
          if (!(error instanceof OutboundError)) throw error;
          throw new ChannelError(FAULTS[error.code], error.message, { cause: error });
        }
      };

      return {
        fetches: { check: (signal) => post({ id: `ping_${randomUUID()}`, type: 'delivery.ping', data: {} }, signal) },
        async put({ path, bytes, sha256, contentType, id, offer, signal }) {
          if (!offer) throw new ChannelError('unsupported', 'there is no URL of the file');
          const expires = new Date(Date.now() + (config.url_hours ?? DEFAULT_URL_HOURS) * HOUR_MS);
          const url = await offer.url(expires);
          const file = { url, expires_at: expires.toISOString(), bytes, sha256, mime_type: contentType };
          await post({ id: `dlv_${id}`, type: 'delivery.file', data: { path, file, asset: offer.asset } }, signal);
          return { verified: 'accepted', sentBytes: 0 };
        },
        stat: async () => undefined,
        read: notSupported,
        remove: async () => notSupported(),
        leftovers: async () => [],
        removeLeftover: async () => undefined,
        close: async () => undefined,
      };
    },
  });
}
