/** Follows the changes of each organization in order: rules run on them, and saved searches tell what they find. */
import { type LibraryScope, scopeOf } from '../auth/index.ts';
import type { Logger } from '../base/index.ts';
import { messageOf } from '../base/index.ts';
import { type Database, withAdvisoryLock } from '../db/index.ts';
import type { Jobs } from '../jobs/index.ts';
import {
  type ChangeType,
  findBehind,
  findPosition,
  movePosition,
  onLibraryWritten,
  readEvents,
} from '../library/index.ts';
import { type BatchDeps, runBatch } from './rule-batch.ts';
import { breakLost, LOSSES } from './rule-health.ts';
import type { RunnerDeps } from './rule-runner.ts';
import { RULE_EVENTS } from './rule-types.ts';
import { watchSavedSearches } from './search-watch.ts';

/** `rule` in four bytes. */
const LOCK_CLASS = 0x7275_6c65;
/** Changes that are read and judged together. */
const BATCH = 500;
/** What saved searches look at beside what rules do, and what rules may lose. */
const FOLLOWED: readonly ChangeType[] = [...RULE_EVENTS, ...LOSSES, 'action.retracted', 'media.deleted'];

export type RuleFollower = {
  /** Follows an organization up to its newest change; ends quietly when another run does so already. */
  run(target: { readonly organizationId: number }, signal: AbortSignal): Promise<void>;
  /** Queues a run for every organization that is behind. */
  sweep(): Promise<void>;
  /** Ends waking runs after writes of this process. */
  close(): void;
};

export function createRuleFollower(
  deps: RunnerDeps & { readonly jobs: Pick<Jobs, 'enqueue'>; readonly logger: Logger },
): RuleFollower {
  const { db, jobs, logger } = deps;
  const watched: BatchDeps = { ...deps, faults: new Map() };
  const close = wakeOnWrites(deps);
  return {
    async run({ organizationId }, outer) {
      const scope = scopeOf(organizationId);
      for (;;) {
        outer.throwIfAborted();
        const locked = await withAdvisoryLock(db, { lockClass: LOCK_CLASS, id: organizationId }, (lost) =>
          follow(watched, scope, AbortSignal.any([outer, lost])),
        );
        // After the lock is gone: who found it held meanwhile counts on this look.
        if (!locked || !(await isBehind(db, scope))) return;
      }
    },
    async sweep() {
      for (const organizationId of await findBehind(db)) await jobs.enqueue(db, 'rule.run', { organizationId });
    },
    close() {
      close();
      logger.debug({ event: 'rules.closed' });
    },
  };
}

async function isBehind(db: Database, scope: LibraryScope): Promise<boolean> {
  const position = await findPosition(db, scope);
  if (position === undefined) return false;
  const { events } = await readEvents(db, scope, { after: position, limit: 1, types: FOLLOWED });
  return events.length > 0;
}

/** With the organization's lock. */
async function follow(deps: BatchDeps, scope: LibraryScope, signal: AbortSignal): Promise<void> {
  for (;;) {
    signal.throwIfAborted();
    const position = await findPosition(deps.db, scope);
    if (position === undefined) return;
    const page = await readEvents(deps.db, scope, { after: position, limit: BATCH, types: FOLLOWED });
    if (page.events.length > 0) {
      const batch = { scope, changes: page.events, version: page.newest, signal };
      if (page.events.some(({ type }) => LOSSES.includes(type))) await breakLost(deps, scope);
      await runBatch(deps, batch);
      await watchSavedSearches(deps, batch);
    }
    // Last: a run that is cut off before does the batch again, and what is done is done once.
    if (!(await movePosition(deps.db, scope, { from: position, to: page.readTo }))) return;
    if (page.readTo >= page.newest) return;
  }
}

const isFollowed: ReadonlySet<string> = new Set(FOLLOWED);

/**
 * Queues a run after each write of this process that something may follow; one at a time an organization. What is missed when the
 * process ends in between is found by the sweep.
 */
function wakeOnWrites(deps: {
  readonly db: Database;
  readonly jobs: Pick<Jobs, 'enqueue'>;
  readonly logger: Logger;
}): () => void {
  const waking = new Map<number, { again: boolean }>();
  const wake = async (organizationId: number): Promise<void> => {
    const scope = scopeOf(organizationId);
    if (await isBehind(deps.db, scope)) await deps.jobs.enqueue(deps.db, 'rule.run', { organizationId });
  };
  const start = (organizationId: number): void => {
    const present = waking.get(organizationId);
    if (present) {
      present.again = true;
      return;
    }
    const state = { again: false };
    waking.set(organizationId, state);
    void wake(organizationId)
      .catch((error: unknown) =>
        deps.logger.warn({ event: 'rules.wake_failed', organizationId, reason: messageOf(error) }),
      )
      .finally(() => {
        waking.delete(organizationId);
        if (state.again) start(organizationId);
      });
  };
  return onLibraryWritten(deps.db, (organizationId, _version, changes) => {
    if (changes.some((change) => isFollowed.has(change.type))) start(organizationId);
  });
}
