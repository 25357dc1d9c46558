/** The job that brings files to a destination: due ones first, as many at a time as the destination takes, until none is due. */
import { scopeOf } from '../auth/index.ts';
import { SECOND_MS } from '../base/index.ts';
import type { JobPayloads } from '../jobs/index.ts';
import { drain, type DrainDeps } from './delivery-drain.ts';
import { findDueDestinations, findNextDue, withDestinationLock } from './delivery-run-store.ts';
import { claimWake } from './destination-health-store.ts';
import { holdOf } from './destination-hold.ts';
import { findDestination } from './destination-store.ts';

/** Waited for in the run itself: a job that starts later is found up to 5 s behind its time. */
const SHORT_WAIT_MS = 5 * SECOND_MS;

type Target = JobPayloads['delivery.run'];

export type DeliveryRunner = {
  /** Sends what is due; ends quietly when another run does so already. */
  run(target: Target, signal: AbortSignal): Promise<void>;
  /** Queues a run for every destination with something due. */
  sweep(): Promise<void>;
};

export function createDeliveryRunner(deps: DrainDeps): DeliveryRunner {
  const { db, clock, jobs } = deps;

  /** When there is something to do next; undefined when nothing waits, or only for somebody. */
  const nextAt = async (target: Target): Promise<Date | undefined> => {
    const scope = scopeOf(target.organizationId);
    const { deliveryAt, cleanupAt } = await findNextDue(db, scope, target.destinationId);
    const times = [deliveryAt, cleanupAt].filter((at) => at !== null);
    const destination = times.length === 0 ? undefined : await findDestination(db, scope, target.destinationId);
    const hold = destination && holdOf(destination, clock.now());
    if (!destination || hold?.until === null) return undefined;
    return new Date(Math.max(Math.min(...times.map(Number)), hold?.until.getTime() ?? 0));
  };

  return {
    async run(target, signal) {
      const scope = scopeOf(target.organizationId);
      const { destinationId } = target;
      for (;;) {
        signal.throwIfAborted();
        const locked = await withDestinationLock(db, destinationId, (lost) =>
          drain(deps, { scope, destinationId, signal: AbortSignal.any([signal, lost]) }),
        );
        if (!locked) return;
        // After the lock is gone: what was queued meanwhile found it held, and counts on this look.
        const next = await nextAt(target);
        if (next === undefined) return;
        const now = clock.now();
        const waitMs = next.getTime() - now.getTime();
        if (waitMs > SHORT_WAIT_MS) {
          await db.transaction().execute(async (tx) => {
            if (!(await claimWake(tx, scope, { id: destinationId, at: next, now }))) return;
            await jobs.enqueue(tx, 'delivery.run', target, { startAt: next });
          });
          return;
        }
        if (waitMs > 0) await deps.wait(waitMs, signal);
      }
    },
    async sweep() {
      const now = clock.now();
      for (const { isInterrupted, ...target } of await findDueDestinations(db, now)) {
        const destination = await findDestination(db, scopeOf(target.organizationId), target.destinationId);
        if (destination && (isInterrupted || !holdOf(destination, now))) await jobs.enqueue(db, 'delivery.run', target);
      }
    },
  };
}
