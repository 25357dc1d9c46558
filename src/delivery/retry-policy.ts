import { type Circuit, MINUTE_MS, SECOND_MS } from '../base/index.ts';
import type { DeliveryEnd } from './delivery-run-store.ts';

export const MAX_ATTEMPTS = 10;
const FIRST_WAIT_MS = 2 * SECOND_MS;
const LONGEST_WAIT_MS = 10 * MINUTE_MS;

/** 2 s, 4 s, 8 s up to 10 minutes, each half less to half more: many that failed together do not come back together. */
export function waitBeforeMs(attempt: number, random: () => number): number {
  return Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** (attempt - 1)) * (0.5 + random());
}

/** What becomes of a delivery whose try failed. */
export function afterFault(
  fault: { readonly code: string; readonly reason: string; readonly isPermanent: boolean },
  context: {
    /** Of this try, from 1. */
    readonly attempt: number;
    /** As it is after this fault, when the fault was the target's. */
    readonly circuit: Circuit | undefined;
    /** This try was the one that was to find out whether the target answers. */
    readonly wasProbe: boolean;
    readonly now: Date;
    readonly random: () => number;
  },
): DeliveryEnd {
  const { code, reason } = fault;
  const { circuit, now } = context;
  if (circuit && context.wasProbe) {
    // It tried for all that wait, so it goes on waiting as they do.
    return { state: 'queued', code, reason, nextAttemptAt: circuit.retryAt ?? now, isFree: true };
  }
  if (fault.isPermanent) return { state: 'failed', code, reason };
  if (context.attempt >= MAX_ATTEMPTS) return { state: 'exhausted', code, reason };
  const waitMs = waitBeforeMs(context.attempt, context.random);
  return { state: 'queued', code, reason, nextAttemptAt: new Date(now.getTime() + waitMs), isFree: false };
}
