/** One run of a destination, with its lock: takes what is due, watches what runs, cleans up behind it. */
import { setTimeout as delay } from 'node:timers/promises';
import type { LibraryScope } from '../auth/index.ts';
import { DAY_MS, SECOND_MS } from '../base/index.ts';
import type { Jobs } from '../jobs/index.ts';
import { type Asset, findAssets } from '../library/index.ts';
import { type Bandwidth, createBandwidth } from './bandwidth.ts';
import type { ChannelSession } from './channel.ts';
import { CLEANUP_AGAIN_MS, deliverOne, type DeliverDeps, removeLeftovers } from './deliver-one.ts';
import {
  findCleanups,
  noteCleanup,
  noteDeliveryProgress,
  requeueInterrupted,
  takeDueDeliveries,
} from './delivery-run-store.ts';
import { noteProbing } from './destination-health-store.ts';
import { holdOf } from './destination-hold.ts';
import { findDestination } from './destination-store.ts';
import type { Destination } from './destination-types.ts';
import { createSessionHolder, type SessionHolder } from './session-holder.ts';
import { createSharedReads, type Find } from './shared-reads.ts';
import { createSharedWrites, type SharedWrites } from './shared-writes.ts';
import { createSlots, type Slots } from './slots.ts';

/** How often progress is written, a cancellation noticed, and looked for what was queued meanwhile. */
const BEAT_MS = SECOND_MS;
/** While puts are this short, the library's own work for each would leave the target waiting: more are taken, and wait for their turn. */
const QUICK_MS = 500;
/** Of the concurrency: one part is being sent, one about to be, and of one the end is written down. */
const QUICK_FACTOR = 3;
const CLEANUPS_AT_ONCE = 50;
/** Targets that are gone for good are not asked for ever. */
const CLEANUP_FOR_MS = 3 * DAY_MS;

export type DrainDeps = DeliverDeps & {
  readonly jobs: Pick<Jobs, 'enqueue'>;
  readonly open: (scope: LibraryScope, destination: Destination, signal: AbortSignal) => Promise<ChannelSession>;
  readonly wait: (ms: number, signal: AbortSignal) => Promise<unknown>;
};

type Run = { readonly scope: LibraryScope; readonly destinationId: number; readonly signal: AbortSignal };
type Running = { readonly done: Promise<void>; readonly abort: AbortController; progress: number };
/** Sessions with the target that a destination was at one time. */
type Target = { readonly revision: number; readonly sessions: SessionHolder };

type Drain = Run & {
  readonly running: Map<number, Running>;
  readonly bandwidth: Bandwidth;
  readonly findAssets: Find<Asset>;
  readonly writes: SharedWrites;
  readonly slots: Slots;
  /** As the destination was when it was last looked at. */
  isHeld: boolean;
  /** Whether a success has something to put right in the destination's health. */
  health: { isTroubled: boolean };
};

export async function drain(deps: DrainDeps, run: Run): Promise<void> {
  const { scope, destinationId } = run;
  const failed = new AbortController();
  const signal = AbortSignal.any([run.signal, failed.signal]);
  await requeueInterrupted(deps.db, scope, { destinationId, counts: true });
  const targets: Target[] = [];
  const state: Drain = {
    ...run,
    signal,
    running: new Map(),
    bandwidth: createBandwidth(),
    findAssets: createSharedReads((ids) => findAssets(deps.db, scope, ids)),
    writes: createSharedWrites(deps.db, scope),
    slots: createSlots(),
    isHeld: false,
    health: { isTroubled: false },
  };
  const watch = watchRunning(deps, scope, state.running);
  try {
    while (!signal.aborted) {
      const destination = await findDestination(deps.db, scope, destinationId);
      if (!destination) break;
      await startDue(deps, state, { destination, target: targetOf(deps, state, { targets, destination }) });
      if (state.running.size > 0) await turn(state, destination);
      else if (!(await cleanUpDue(deps, state, { destination, targets }))) break;
    }
  } catch (error) {
    failed.abort(error);
    throw error;
  } finally {
    await Promise.allSettled([...state.running.values()].map(({ done }) => done));
    watch.stop();
    for (const { sessions } of targets) await sessions.close();
    if (run.signal.aborted) await requeueInterrupted(deps.db, scope, { destinationId, counts: false });
  }
}

/** What runs goes on with the target that it began with. */
function targetOf(
  deps: DrainDeps,
  { scope, signal }: Drain,
  { targets, destination }: { readonly targets: Target[]; readonly destination: Destination },
): Target {
  const present = targets.at(-1);
  if (present?.revision === destination.targetRevision) return present;
  const made: Target = {
    revision: destination.targetRevision,
    sessions: createSessionHolder(() => deps.open(scope, destination, signal)),
  };
  targets.push(made);
  return made;
}

const isTroubled = ({ status, circuit, circuitFaults, consecutiveFailures }: Destination): boolean =>
  status === 'failed' || circuit !== 'closed' || circuitFaults > 0 || consecutiveFailures > 0;

async function startDue(
  deps: DrainDeps,
  state: Drain,
  { destination, target }: { readonly destination: Destination; readonly target: Target },
): Promise<void> {
  const { scope, destinationId, running, signal } = state;
  const now = deps.clock.now();
  state.bandwidth.limit(destination.bandwidthLimit ?? undefined);
  state.health = { isTroubled: isTroubled(destination) };
  state.slots.limit(destination.concurrency);
  state.isHeld = holdOf(destination, now) !== undefined;
  if (state.isHeld) return;
  const isProbing = destination.circuit !== 'closed';
  const limit = (isProbing ? 1 : mostRunning(state, destination)) - running.size;
  if (limit <= 0) return;
  const except = [...running.keys()];
  const due = await takeDueDeliveries(deps.db, scope, { destinationId, limit, now, except });
  if (isProbing && due.length > 0) await noteProbing(deps.db, scope, destinationId);
  for (const delivery of due) {
    const abort = new AbortController();
    const one: Running = {
      abort,
      progress: 0,
      done: deliverOne(deps, {
        scope,
        destination,
        delivery,
        sessions: target.sessions,
        bandwidth: state.bandwidth,
        slots: state.slots,
        isHeld: () => state.isHeld,
        findAssets: state.findAssets,
        writes: state.writes,
        health: state.health,
        isProbe: isProbing,
        stopping: signal,
        cancelled: abort.signal,
        onProgress: (ratio) => {
          one.progress = ratio;
        },
      }).finally(() => running.delete(delivery.id)),
    };
    running.set(delivery.id, one);
  }
}

function mostRunning({ slots, health }: Drain, { concurrency }: Destination): number {
  const isQuick = slots.lastMs !== undefined && slots.lastMs < QUICK_MS && !health.isTroubled;
  return isQuick ? concurrency * QUICK_FACTOR : concurrency;
}

/**
 * Until one that runs has ended, and few enough are left that the next ones are worth being taken together; or until it is time to
 * look again. Those that are left keep the target busy.
 */
async function turn({ running, signal }: Drain, { concurrency }: Destination): Promise<void> {
  const left = concurrency * (QUICK_FACTOR - 1);
  const enough = new AbortController();
  const beat = delay(BEAT_MS, undefined, { signal: AbortSignal.any([signal, enough.signal]) }).catch(() => {});
  const late = beat.then(() => true);
  try {
    for (let isLate = false; !isLate; ) {
      const ended = [...running.values()].map(({ done }) => done.then(() => false));
      isLate = await Promise.race([...ended, late]);
      if (running.size <= left) break;
    }
  } finally {
    enough.abort();
  }
}

/** Removes what ended deliveries have left at the target. False when there was nothing to do, or it cannot be done now. */
async function cleanUpDue(
  deps: DrainDeps,
  { scope, destinationId, signal }: Drain,
  { destination, targets }: { readonly destination: Destination; readonly targets: readonly Target[] },
): Promise<boolean> {
  const now = deps.clock.now();
  const sessions = targets.at(-1)?.sessions;
  if (!sessions || destination.circuit !== 'closed' || holdOf(destination, now)) return false;
  const due = await findCleanups(deps.db, scope, { destinationId, limit: CLEANUPS_AT_ONCE, now });
  for (const delivery of due) {
    signal.throwIfAborted();
    const isDone = await removeLeftovers(deps, { delivery, sessions, signal });
    const isGivenUp = now.getTime() - (delivery.finishedAt ?? now).getTime() > CLEANUP_FOR_MS;
    const again = isDone || isGivenUp ? null : new Date(now.getTime() + CLEANUP_AGAIN_MS);
    await noteCleanup(deps.db, scope, { id: delivery.id, again });
  }
  return due.length > 0;
}

/** Writes the progress of all that run once a second, and tells those that were cancelled. */
function watchRunning(deps: DrainDeps, scope: LibraryScope, running: ReadonlyMap<number, Running>) {
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
