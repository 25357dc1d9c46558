import { createHash } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AppError, DAY_MS, invalidField, MINUTE_MS } from '../../base/index.ts';
import type { Database } from '../../db/index.ts';
import { claimIdempotencyKey, releaseIdempotencyKey, type StoredAnswer, storeAnswer } from './idempotency-store.ts';
import { principalOf } from './principal.ts';

declare module 'fastify' {
  interface FastifyRequest {
    idempotency: { readonly apiKeyId: number; readonly key: string } | null;
  }
  interface FastifyContextConfig {
    /** `body`: the JSON body identifies the request. `manual`: the route calls `claimIdempotency` itself. */
    idempotent?: 'body' | 'manual';
    /** Members of the answer that are shown once: null in what is kept for a replay. */
    shownOnce?: readonly string[];
  }
}

const KEPT_HEADERS = ['etag', 'location', 'x-library-version'];
/** A request that holds its key for longer than this without an answer died with its node. */
const ABANDONED_AFTER_MS = 10 * MINUTE_MS;

/** The answer as it is kept: without what may be shown only once. */
function keptBody(payload: string, shownOnce: readonly string[]): string {
  if (shownOnce.length === 0) return payload;
  // Our own serialiser wrote it, and routes answer objects.
  const body = JSON.parse(payload) as Record<string, unknown>;
  return JSON.stringify({ ...body, ...Object.fromEntries(shownOnce.map((member) => [member, null])) });
}

function replay(reply: FastifyReply, answer: StoredAnswer): FastifyReply {
  for (const [name, value] of Object.entries(answer.headers)) reply.header(name, value);
  return reply
    .code(answer.status ?? 200)
    .header('Idempotency-Replayed', 'true')
    .type('application/json; charset=utf-8')
    .serializer(JSON.stringify)
    .send(answer.body);
}

/**
 * Claims the request's `Idempotency-Key` (if it sends one) for the request that `fingerprint` identifies. True when the
 * answer of an earlier equal request was sent and the route must stop.
 * @throws AppError `idempotency_key_reused`, `idempotency_in_progress`, `validation_failed`
 */
export async function claimIdempotency(
  db: Database,
  {
    request,
    reply,
    fingerprint,
  }: { readonly request: FastifyRequest; readonly reply: FastifyReply; readonly fingerprint: string },
): Promise<boolean> {
  const key = [request.headers['idempotency-key']].flat()[0];
  if (key === undefined) return false;
  if (!/^[\x21-\x7e]{1,255}$/.test(key)) {
    throw invalidField('Idempotency-Key', 'expected 1 to 255 visible ASCII characters');
  }
  const slot = { apiKeyId: principalOf(request).key.id, key };
  const text = `${request.method} ${request.routeOptions.url} ${JSON.stringify(request.params)}\n${fingerprint}`;
  const requestSha256 = createHash('sha256').update(text).digest('hex');
  let earlier = await claimIdempotencyKey(db, slot, requestSha256);
  if (earlier && (earlier.ageMs > DAY_MS || (earlier.status === null && earlier.ageMs > ABANDONED_AFTER_MS))) {
    await releaseIdempotencyKey(db, slot);
    earlier = await claimIdempotencyKey(db, slot, requestSha256);
  }
  if (!earlier) {
    request.idempotency = slot;
    return false;
  }
  if (earlier.requestSha256 !== requestSha256) {
    throw new AppError('idempotency_key_reused', 'This Idempotency-Key was used with another request: take a new one.');
  }
  if (earlier.status === null) {
    throw new AppError('idempotency_in_progress', 'The first request with this Idempotency-Key is still running.', {
      retryAfterSeconds: 1,
    });
  }
  await replay(reply, earlier);
  return true;
}

/** `Idempotency-Key` on routes that create: the first 2xx answer is kept 24 h and answered again to the same request. */
export function registerIdempotency(app: FastifyInstance, { db }: { readonly db: Database }): void {
  app.decorateRequest('idempotency', null);
  app.addHook('preHandler', async (request, reply) => {
    if (request.routeOptions.config.idempotent !== 'body') return;
    if (await claimIdempotency(db, { request, reply, fingerprint: JSON.stringify(request.body) })) return reply;
    return undefined;
  });
  app.addHook('onSend', async (request, reply, payload: unknown) => {
    const slot = request.idempotency;
    if (!slot) return payload;
    request.idempotency = null;
    if (reply.statusCode >= 200 && reply.statusCode < 300 && typeof payload === 'string') {
      const headers = Object.fromEntries(
        KEPT_HEADERS.flatMap((name) =>
          reply.getHeader(name) === undefined ? [] : [[name, String(reply.getHeader(name))]],
        ),
      );
      const body = keptBody(payload, request.routeOptions.config.shownOnce ?? []);
      await storeAnswer(db, slot, { status: reply.statusCode, body, headers });
    } else {
      await releaseIdempotencyKey(db, slot);
    }
    return payload;
  });
}
