/** The job that brings files to a destination: due ones first, as many at a time as the destination takes, until none is due. */
import { type LibraryScope, scopeOf } from '../auth/index.ts';
import { type Clock, type Logger, MINUTE_MS, SECOND_MS } from '../base/index.ts';
import type { Database } from '../db/index.ts';
import type { JobPayloads, Jobs } from '../jobs/index.ts';
import { writeLibrary } from '../library/index.ts';
import type { ObjectStorage } from '../storage/index.ts';
import type { ChannelSession } from './channel.ts';
import { attemptDelivery, faultOf } from './delivery-attempt.ts';
import type { DeliveryMetadata } from './delivery-source.ts';
import {
  type DeliveryEnd,
  endAttempt,
  findDueDestinations,
  findNextDue,
  noteDeliveryProgress,
  requeueInterrupted,
  takeDueDeliveries,
  withDestinationLock,
} from './delivery-store.ts';
import type { Delivery } from './delivery-types.ts';
import { findDestination, noteDestinationHealth } from './destination-store.ts';
import type { Destination } from './destination-types.ts';
import { createSessionHolder, type SessionHolder } from './session-holder.ts';

export const MAX_ATTEMPTS = 10;
const FIRST_WAIT_MS = 2 * SECOND_MS;
const LONGEST_WAIT_MS = 10 * MINUTE_MS;
/** How often progress is written, and a cancellation noticed. */
const BEAT_MS = SECOND_MS;
/** Refusals that are of the whole target, not of one file. */
const TARGET_FAULTS: ReadonlySet<string> = new Set(['credentials', 'disk_full']);

/** 2 s, 4 s, 8 s up to 10 minutes, each half less to half more: many that failed together do not come back together. */
export function waitBeforeMs(attempt: number, random: () => number): number {
  return Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** (attempt - 1)) * (0.5 + random());
}

export type RunnerDeps = {
  readonly db: Database;
  readonly storage: ObjectStorage;
  readonly jobs: Pick<Jobs, 'enqueue'>;
  readonly metadata: DeliveryMetadata;
  readonly open: (scope: LibraryScope, destination: Destination, signal: AbortSignal) => Promise<ChannelSession>;
  readonly clock: Clock;
  readonly random: () => number;
  readonly logger: Logger;
};

type Target = JobPayloads['delivery.run'];

export type DeliveryRunner = {
  /** Sends what is due; ends quietly when another run does so already. */
  run(target: Target, signal: AbortSignal): Promise<void>;
  /** Queues a run for every destination with something due. */
  sweep(): Promise<void>;
};

export function createDeliveryRunner(deps: RunnerDeps): DeliveryRunner {
  const { db, clock } = deps;
  return {
    async run(target, signal) {
      const scope = scopeOf(target.organizationId);
      for (;;) {
        signal.throwIfAborted();
        const locked = await withDestinationLock(db, target.destinationId, (lost) =>
          drain(deps, { scope, destinationId: target.destinationId, signal: AbortSignal.any([signal, lost]) }),
        );
        if (!locked) return;
        // After the lock is gone: what was queued meanwhile found it held, and counts on this look.
        const next = await findNextDue(db, scope, target.destinationId);
        if (next === undefined || !(await findDestination(db, scope, target.destinationId))) return;
        if (next > clock.now()) return deps.jobs.enqueue(db, 'delivery.run', target, { startAt: next });
      }
    },
    async sweep() {
      for (const target of await findDueDestinations(db, clock.now()))
        await deps.jobs.enqueue(db, 'delivery.run', target);
    },
  };
}

type Running = { readonly done: Promise<void>; readonly abort: AbortController; progress: number };

/** With the destination's lock. */
async function drain(
  deps: RunnerDeps,
  run: { readonly scope: LibraryScope; readonly destinationId: number; readonly signal: AbortSignal },
): Promise<void> {
  const { db } = deps;
  const { scope, destinationId, signal } = run;
  const destination = await findDestination(db, scope, destinationId);
  if (!destination) return;
  await requeueInterrupted(db, scope, destinationId);
  const sessions = createSessionHolder(() => deps.open(scope, destination, signal));
  const running = new Map<number, Running>();
  const watch = watchRunning(deps, scope, running);
  try {
    while (!signal.aborted) {
      const room = destination.concurrency - running.size;
      const due =
        room > 0 ? await takeDueDeliveries(db, scope, { destinationId, limit: room, now: deps.clock.now() }) : [];
      for (const delivery of due) {
        const abort = new AbortController();
        const one: Running = {
          abort,
          progress: 0,
          done: deliverOne(
            deps,
            { scope, destination, delivery, sessions, stopping: signal, cancelled: abort.signal },
            (ratio) => {
              one.progress = ratio;
            },
          ).finally(() => running.delete(delivery.id)),
        };
        running.set(delivery.id, one);
      }
      if (running.size === 0) break;
      await Promise.race([...running.values()].map(({ done }) => done));
    }
    await Promise.allSettled([...running.values()].map(({ done }) => done));
  } finally {
    watch.stop();
    await sessions.close();
    if (signal.aborted) await requeueInterrupted(db, scope, destinationId);
  }
}

/** Writes the progress of all that run once a second, and tells those that were cancelled. */
function watchRunning(deps: RunnerDeps, scope: LibraryScope, running: ReadonlyMap<number, Running>) {
  let isWriting = false;
  const beat = async () => {
    if (isWriting || running.size === 0) return;
    isWriting = true;
    try {
      const now = [...running].map(([id, { progress }]) => ({ id, progress: Math.min(0.99, progress) }));
      for (const id of await noteDeliveryProgress(deps.db, scope, now)) {
        running.get(id)?.abort.abort(new Error('the delivery was cancelled'));
      }
    } catch (error) {
      deps.logger.warn({ event: 'delivery.progress_failed', err: error }, 'progress was not written');
    } finally {
      isWriting = false;
    }
  };
  const timer = setInterval(() => void beat(), BEAT_MS);
  return { stop: () => clearInterval(timer) };
}

type One = {
  readonly scope: LibraryScope;
  readonly destination: Destination;
  readonly delivery: Delivery;
  readonly sessions: SessionHolder;
  readonly stopping: AbortSignal;
  readonly cancelled: AbortSignal;
};

async function deliverOne(deps: RunnerDeps, one: One, onProgress: (ratio: number) => void): Promise<void> {
  const { scope, destination, delivery, sessions } = one;
  const signal = AbortSignal.any([one.stopping, one.cancelled]);
  const startedAt = deps.clock.now();
  let sentBytes = 0;
  let outcome: DeliveryEnd;
  let isOfTarget = false;
  try {
    outcome = await sessions.use((session) =>
      attemptDelivery(deps, {
        scope,
        destination,
        delivery,
        session,
        signal,
        now: () => deps.clock.now(),
        onSent: (bytes) => {
          sentBytes = bytes;
        },
        onProgress,
      }),
    );
  } catch (error) {
    if (one.stopping.aborted) return;
    if (one.cancelled.aborted) return cleanUp(deps, one);
    const { code, reason, isPermanent } = faultOf(error);
    if (code === 'internal') deps.logger.error({ event: 'delivery.try_failed', deliveryId: delivery.id, err: error });
    isOfTarget = isPermanent && TARGET_FAULTS.has(code);
    outcome = afterFault(deps, delivery, { code, reason, isPermanent });
  }
  const attempt = {
    started_at: startedAt.toISOString(),
    ended_at: deps.clock.now().toISOString(),
    error_code: 'code' in outcome ? outcome.code : null,
    error: 'reason' in outcome ? outcome.reason : null,
    bytes: sentBytes,
  };
  await writeLibrary(deps.db, scope, async ({ tx, record }) => {
    const ended = await endAttempt(tx, scope, { id: delivery.id, attempt, outcome });
    const { state } = outcome;
    if (ended && (state === 'succeeded' || state === 'failed' || state === 'exhausted')) {
      const data = { destination_id: destination.id, media_id: delivery.mediaId };
      record({ type: `delivery.${state}`, objectId: delivery.id, data });
    }
    if (!isOfTarget || !('code' in outcome)) return;
    const failure = { code: outcome.code, reason: outcome.reason };
    const { id, version } = destination;
    // Once: the version is another one when it was noted.
    if (destination.status === 'failed') return;
    if (await noteDestinationHealth(tx, scope, { id, version, failure, verifiedAt: null })) {
      record({ type: 'destination.degraded', objectId: id, data: failure });
    }
  });
  if (outcome.state === 'failed' || outcome.state === 'exhausted') await cleanUp(deps, one);
}

function afterFault(
  deps: RunnerDeps,
  delivery: Delivery,
  fault: { readonly code: string; readonly reason: string; readonly isPermanent: boolean },
): DeliveryEnd {
  const { code, reason } = fault;
  if (fault.isPermanent) return { state: 'failed', code, reason };
  if (delivery.attemptCount >= MAX_ATTEMPTS) return { state: 'exhausted', code, reason };
  const waitMs = waitBeforeMs(delivery.attemptCount, deps.random);
  return { state: 'queued', code, reason, nextAttemptAt: new Date(deps.clock.now().getTime() + waitMs) };
}

/** Nobody goes on from what was left at the target. As far as it goes: the target may not be there. */
async function cleanUp(deps: RunnerDeps, { sessions, delivery, stopping }: One): Promise<void> {
  const path = delivery.targetPath ?? delivery.path;
  const signal = AbortSignal.any([stopping, AbortSignal.timeout(MINUTE_MS)]);
  try {
    await sessions.use(async (session) => {
      for (const leftover of await session.leftovers(path, signal)) {
        if (leftover.id.startsWith(`${delivery.nonce}-`)) await session.removeLeftover(leftover, signal);
      }
    });
  } catch (error) {
    deps.logger.debug({ event: 'delivery.leftovers_kept', deliveryId: delivery.id, err: error });
  }
}
