import type { FastifyReply } from 'fastify';
import type { ApiKeyRecord } from '../../auth/index.ts';
import { AppError, type Clock, MINUTE_MS, SECOND_MS } from '../../base/index.ts';

export type RateLimiter = {
  /**
   * Takes one request from the key's bucket and says on the answer what is left.
   * @throws AppError `rate_limited` with the seconds until the next request is free
   */
  take(key: ApiKeyRecord, reply: FastifyReply): void;
};

type Bucket = { tokens: number; filledAtMs: number };

/**
 * A token bucket per key and node: `burst` requests at once, refilled with `requestsPerSecond`. Headers as in
 * draft-ietf-httpapi-ratelimit-headers-10: q = quota, w = window in seconds, r = remaining, t = seconds until full.
 */
export function createRateLimiter(clock: Clock): RateLimiter {
  const buckets = new Map<number, Bucket>();
  let sweptAtMs = 0;

  const sweep = (nowMs: number) => {
    if (nowMs - sweptAtMs < MINUTE_MS) return;
    sweptAtMs = nowMs;
    // After ten minutes every sensible bucket is full again, which is what a new one starts as.
    for (const [id, bucket] of buckets) if (nowMs - bucket.filledAtMs > 10 * MINUTE_MS) buckets.delete(id);
  };

  return {
    take(key, reply) {
      const nowMs = clock.now().getTime();
      sweep(nowMs);
      const { burst, requestsPerSecond } = key;
      const bucket = buckets.get(key.id) ?? { tokens: burst, filledAtMs: nowMs };
      buckets.set(key.id, bucket);
      const elapsedMs = Math.max(0, nowMs - bucket.filledAtMs);
      bucket.tokens = Math.min(burst, bucket.tokens + (elapsedMs / SECOND_MS) * requestsPerSecond);
      bucket.filledAtMs = nowMs;
      const allowed = bucket.tokens >= 1;
      if (allowed) bucket.tokens -= 1;
      const secondsToFull = Math.ceil((burst - bucket.tokens) / requestsPerSecond);
      const window = Math.max(1, Math.ceil(burst / requestsPerSecond));
      reply.header('RateLimit-Policy', `"key";q=${burst};w=${window}`);
      reply.header('RateLimit', `"key";r=${Math.floor(bucket.tokens)};t=${secondsToFull}`);
      if (allowed) return;
      const retryAfterSeconds = Math.max(1, Math.ceil((1 - bucket.tokens) / requestsPerSecond));
      throw new AppError(
        'rate_limited',
        `This key may send ${requestsPerSecond} requests a second, with bursts of ${burst}.`,
        {
          retryAfterSeconds,
        },
      );
    },
  };
}
