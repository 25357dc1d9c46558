/** One try of one delivery, from its turn to what the library says of it. */
import type { LibraryScope } from '../auth/index.ts';
import { afterSign, type Circuit, type Clock, type Logger, MINUTE_MS, type TargetSign } from '../base/index.ts';
import type { Database } from '../db/index.ts';
import type { Asset, LibraryWrite } from '../library/index.ts';
import type { Bandwidth } from './bandwidth.ts';
import { PERMANENT_CODES } from './channel.ts';
import { signOf } from './circuit.ts';
import { type AttemptDeps, attemptDelivery, faultOf } from './delivery-attempt.ts';
import { type DeliveryEnd, endAttempt, noteCleanup } from './delivery-run-store.ts';
import { findDelivery } from './delivery-store.ts';
import type { Delivery } from './delivery-types.ts';
import { lockDestination, noteDestinationHealth } from './destination-health-store.ts';
import { circuitOf } from './destination-hold.ts';
import type { Destination } from './destination-types.ts';
import { readToken } from './resume-token.ts';
import { afterFault } from './retry-policy.ts';
import type { SessionHolder } from './session-holder.ts';
import type { Find } from './shared-reads.ts';
import type { SharedWrites } from './shared-writes.ts';
import type { Slots } from './slots.ts';

export type DeliverDeps = AttemptDeps & {
  readonly db: Database;
  readonly clock: Clock;
  readonly random: () => number;
  readonly logger: Logger;
};

export type One = {
  readonly scope: LibraryScope;
  readonly destination: Destination;
  readonly delivery: Delivery;
  readonly sessions: SessionHolder;
  readonly bandwidth: Bandwidth;
  readonly slots: Slots;
  readonly isHeld: () => boolean;
  readonly findAssets: Find<Asset>;
  readonly writes: SharedWrites;
  /** Shared by all that run: a fault makes it true, and the next success looks at the destination's health. */
  readonly health: { isTroubled: boolean };
  /** The one that is to find out whether the target answers. */
  readonly isProbe: boolean;
  readonly stopping: AbortSignal;
  readonly cancelled: AbortSignal;
  readonly onProgress: (ratio: number) => void;
};

type Fault = {
  readonly code: string;
  readonly reason: string;
  readonly isPermanent: boolean;
  readonly atOpening: boolean;
};
type Tried = { readonly result: DeliveryEnd } | { readonly fault: Fault };

/** Nothing is written when the service stops: the delivery is queued again by whoever stops it. */
export async function deliverOne(deps: DeliverDeps, one: One): Promise<void> {
  const { scope, delivery } = one;
  const startedAt = deps.clock.now();
  let sentBytes = 0;
  const tried = await tryOnce(deps, one, (bytes) => {
    sentBytes = bytes;
  });
  if (tried === 'stopped') return;
  if (tried === 'cancelled') {
    await cleanUp(deps, one);
    return;
  }
  if ('fault' in tried) one.health.isTroubled = true;
  const now = deps.clock.now();
  const ended = await one.writes.write(async (write) => {
    const circuit = await noteHealth(write, one, { tried, now });
    const outcome = 'result' in tried ? tried.result : endOf(deps, one, { fault: tried.fault, circuit, now });
    // One that waits for something else has not been tried.
    const attempt = isUntried(outcome)
      ? null
      : {
          started_at: startedAt.toISOString(),
          ended_at: now.toISOString(),
          error_code: 'code' in outcome ? outcome.code : null,
          error: 'reason' in outcome ? outcome.reason : null,
          bytes: sentBytes,
        };
    const written = await endAttempt(write.tx, scope, { id: delivery.id, attempt, outcome, now });
    const { state } = outcome;
    if (written && (state === 'succeeded' || state === 'failed' || state === 'exhausted')) {
      const data = {
        destination_id: delivery.destinationId,
        media_id: delivery.mediaId,
        ...(delivery.ruleId !== null && { rule_id: delivery.ruleId }),
      };
      write.record({ type: `delivery.${state}`, objectId: delivery.id, data });
    }
    return written;
  });
  if (ended?.needsCleanup || !ended) await cleanUp(deps, one);
}

const isUntried = (outcome: DeliveryEnd): boolean => outcome.state === 'queued' && outcome.code === null;

async function tryOnce(
  deps: DeliverDeps,
  one: One,
  onSent: (bytes: number) => void,
): Promise<Tried | 'stopped' | 'cancelled'> {
  const { scope, delivery, sessions, findAssets, bandwidth, slots, isHeld } = one;
  const destination = { ...one.destination, ...delivery.settings };
  const signal = AbortSignal.any([one.stopping, one.cancelled]);
  try {
    const shared = { scope, destination, delivery, findAssets, bandwidth, slots, isHeld };
    const context = { ...shared, signal, now: () => deps.clock.now(), onSent };
    const { onProgress } = one;
    return { result: await sessions.use((session) => attemptDelivery(deps, { ...context, session, onProgress })) };
  } catch (error) {
    if (one.stopping.aborted) return 'stopped';
    if (one.cancelled.aborted) return 'cancelled';
    const fault = faultOf(error);
    if (fault.code === 'internal') {
      deps.logger.error({ event: 'delivery.try_failed', deliveryId: delivery.id, err: error });
    }
    return { fault: { ...fault, atOpening: sessions.isOfOpening(error) } };
  }
}

function endOf(
  deps: DeliverDeps,
  { delivery, isProbe }: One,
  { fault, circuit, now }: { readonly fault: Fault; readonly circuit: Circuit | undefined; readonly now: Date },
): DeliveryEnd {
  const ofTarget = signOf(fault) === 'fault' ? circuit : undefined;
  const { random } = deps;
  return afterFault(fault, {
    attempt: delivery.attemptCount,
    circuit: ofTarget,
    wasProbe: isProbe,
    now,
    random,
  });
}

/** What could not be removed is looked at again. */
export const CLEANUP_AGAIN_MS = 15 * MINUTE_MS;

const PERMANENT: ReadonlySet<string> = new Set(PERMANENT_CODES);

/** Writes what the try says of its target, with an event when that is news. Answers the circuit as it is then. */
async function noteHealth(
  { tx, scope, record }: LibraryWrite,
  { destination: seen, isProbe, health }: One,
  { tried, now }: { readonly tried: Tried; readonly now: Date },
): Promise<Circuit | undefined> {
  const fault = 'fault' in tried ? tried.fault : undefined;
  if (!fault && !isProbe && !health.isTroubled) return undefined;
  const present = await lockDestination(tx, scope, seen);
  if (!present) return undefined;
  const sign = 'result' in tried ? signOfResult(tried.result) : signOf(tried.fault);
  const circuit = afterSign(circuitOf(present), sign, now);
  const { id } = present;
  const isDegraded =
    fault !== undefined && sign === 'fault' && (circuit.state !== 'closed' || PERMANENT.has(fault.code));
  const isBack = sign === 'answered' && (present.circuit !== 'closed' || (!fault && present.status === 'failed'));
  const failure = fault && { code: fault.code, reason: fault.reason };
  await noteDestinationHealth(tx, scope, {
    id,
    circuit,
    ...(failure && {
      consecutiveFailures: present.consecutiveFailures + 1,
      lastError: { at: now, ...failure },
    }),
    ...(sign === 'answered' && !fault && { consecutiveFailures: 0 }),
    ...(isDegraded && failure && { status: 'failed', failure }),
    ...(isBack && { status: 'ok', failure: null }),
  });
  if (isDegraded && failure && present.status !== 'failed') {
    const retryAt = circuit.retryAt?.toISOString();
    const data = { ...failure, circuit: circuit.state, ...(retryAt !== undefined && { retry_at: retryAt }) };
    record({ type: 'destination.degraded', objectId: id, data });
  }
  if (isBack) record({ type: 'destination.verified', objectId: id, data: { circuit: circuit.state } });
  return circuit;
}

/** Only what has asked the target says something of it. */
function signOfResult(result: DeliveryEnd): TargetSign {
  return 'receipt' in result && result.receipt !== null ? 'answered' : 'nothing';
}

async function cleanUp(deps: DeliverDeps, { scope, delivery, sessions, stopping }: One): Promise<void> {
  // The try may have got a token since it was taken.
  const present = (await findDelivery(deps.db, scope, delivery.id)) ?? delivery;
  const isDone = await removeLeftovers(deps, { delivery: present, sessions, signal: stopping });
  const again = isDone ? null : new Date(deps.clock.now().getTime() + CLEANUP_AGAIN_MS);
  await noteCleanup(deps.db, scope, { id: delivery.id, again });
}

/** Nobody goes on from what is left at the target. False when it could not be looked at: the target may be away. */
export async function removeLeftovers(
  deps: Pick<DeliverDeps, 'logger'>,
  ended: { readonly delivery: Delivery; readonly sessions: SessionHolder; readonly signal: AbortSignal },
): Promise<boolean> {
  const { delivery, sessions } = ended;
  const path = delivery.targetPath ?? delivery.path;
  const token = delivery.resumeToken === null ? undefined : readToken(delivery.resumeToken).token;
  const signal = AbortSignal.any([ended.signal, AbortSignal.timeout(MINUTE_MS)]);
  try {
    await sessions.use(async (session) => {
      for (const leftover of await session.leftovers(path, signal)) {
        const isOurs = leftover.id.startsWith(`${delivery.nonce}-`) || leftover.id === token;
        if (isOurs) await session.removeLeftover(leftover, signal);
      }
    });
    return true;
  } catch (error) {
    deps.logger.debug({ event: 'delivery.leftovers_kept', deliveryId: delivery.id, err: error });
    return false;
  }
}
