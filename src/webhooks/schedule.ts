import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../base/index.ts';

/** Between two tries of a message: 10 tries within 71.6 hours. */
const WAITS_MS: readonly number[] = [
  5 * SECOND_MS,
  30 * SECOND_MS,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  2 * HOUR_MS,
  6 * HOUR_MS,
  12 * HOUR_MS,
  20 * HOUR_MS,
  31 * HOUR_MS,
];
/** A tenth less to a tenth more: messages that failed together do not come back together. */
const JITTER = 0.1;
/** A server that asks for more time gets so much at most. */
const MAX_ASKED_MS = HOUR_MS;

/** When nothing has succeeded for this long, the webhook is disabled. */
export const FAILING_MS = 5 * DAY_MS;

/**
 * How long to wait after a try, or undefined after the last one.
 * @param tries that were made, 1 or more
 * @param options.askedMs what the answer said in `Retry-After`
 * @param options.random from 0 to 1
 */
export function waitAfterMs(
  tries: number,
  { askedMs = 0, random }: { readonly askedMs?: number | undefined; readonly random: number },
): number | undefined {
  const waitMs = WAITS_MS[tries - 1];
  if (waitMs === undefined) return undefined;
  return Math.max(waitMs * (1 - JITTER + 2 * JITTER * random), Math.min(askedMs, MAX_ASKED_MS));
}

/** `Retry-After` in seconds or as a date (RFC 9110, section 10.2.3). */
export function retryAfterMs(header: unknown, now: Date): number | undefined {
  if (typeof header !== 'string') return undefined;
  if (/^\d{1,9}$/.test(header)) return Number(header) * SECOND_MS;
  const atMs = Date.parse(header);
  return Number.isNaN(atMs) ? undefined : Math.max(0, atMs - now.getTime());
}
