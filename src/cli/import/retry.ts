import { setTimeout as delay } from 'node:timers/promises';
import { MINUTE_MS, SECOND_MS } from '../../base/index.ts';

/**
 * Waits before tries 2 to 5. Together at least 21 s (28 s less a quarter for chance): a fail-over of the database behind
 * the service takes about 18 s.
 */
const FAILURE_WAITS_MS = [1, 3, 9, 15].map((seconds) => seconds * SECOND_MS);
/** A busy service is waited for, but not for ever. */
const BUSY_LIMIT_MS = 10 * MINUTE_MS;
const MAX_BUSY_WAIT_MS = MINUTE_MS;

/** What one try came to: an answer to keep, or a reason to try again. */
export type Try<T> =
  | { readonly kind: 'done'; readonly value: T }
  /** The service was not reached, or broke: counts as one of five tries. */
  | { readonly kind: 'failed'; readonly error: Error }
  /** The service asks to come back later (429, 503): does not count, the whole wait is limited instead. */
  | { readonly kind: 'busy'; readonly error: Error; readonly retryAfterMs: number | undefined };

export type RetryOptions = {
  readonly signal: AbortSignal;
  /** 1 to 5 (default): how often a failure is met before it is told. */
  readonly maxFailures?: number | undefined;
  /** 0 to 1; spreads the tries of parallel uploads. */
  readonly random?: () => number;
  readonly wait?: (ms: number, signal: AbortSignal) => Promise<unknown>;
};

const waitFor = (ms: number, signal: AbortSignal) => delay(ms, undefined, { signal });

/** Runs `attempt` until it is done. @throws the error of the last try, or the signal's reason */
export async function retry<T>(attempt: () => Promise<Try<T>>, options: RetryOptions): Promise<T> {
  const { signal, maxFailures = FAILURE_WAITS_MS.length + 1, random = Math.random, wait = waitFor } = options;
  let failures = 0;
  let busyMs = 0;
  let busyTries = 0;
  for (;;) {
    signal.throwIfAborted();
    const outcome = await attempt();
    if (outcome.kind === 'done') return outcome.value;
    signal.throwIfAborted();
    const spread = 0.75 + random() / 2;
    if (outcome.kind === 'failed') {
      const waitMs = FAILURE_WAITS_MS[failures];
      failures += 1;
      if (waitMs === undefined || failures >= maxFailures) throw outcome.error;
      await wait(waitMs * spread, signal);
    } else {
      const asked = outcome.retryAfterMs ?? SECOND_MS * 2 ** Math.min(busyTries, 5);
      // Never earlier than asked for, so chance only adds.
      const waitMs = Math.min(asked, MAX_BUSY_WAIT_MS) * (1 + random() / 4);
      busyTries += 1;
      busyMs += waitMs;
      if (busyMs > BUSY_LIMIT_MS) throw outcome.error;
      await wait(waitMs, signal);
    }
  }
}

/** `Retry-After` (RFC 9110, 10.2.3): seconds or a date. Undefined when it is neither. */
export function readRetryAfterMs(header: string | null, nowMs: number): number | undefined {
  if (header === null) return undefined;
  if (/^\s*\d{1,9}\s*$/.test(header)) return Number(header) * SECOND_MS;
  const atMs = Date.parse(header);
  return Number.isNaN(atMs) ? undefined : Math.max(0, atMs - nowMs);
}
