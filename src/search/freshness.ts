import type { LibraryScope } from '../auth/index.ts';
import { AppError, type Logger, messageOf, MINUTE_MS, SECOND_MS } from '../base/index.ts';
import type { Database } from '../db/index.ts';
import { onLibraryWritten, readVersions } from '../library/index.ts';
import { withinTime } from './within-time.ts';

/**
 * What version of a library a search must see. Writes of this process are told by `writeLibrary`, those of other nodes
 * are found by one small query every 400 ms: a search itself asks the database nothing.
 */
export type Freshness = {
  /**
   * The version that a search has to see: the newest one known. With `version`, one that the database had after the call
   * if it has that; a version the database never gave out counts as its newest.
   * @throws AppError `unavailable` when nothing was heard of the database for 30 s, or not in 2 s where it must be asked
   */
  target(scope: LibraryScope, options?: TargetOptions): Promise<number>;
  /** The newest version known, without asking; 0 for an organization that nothing was asked about. */
  known(organizationId: number): number;
  /** Changes when versions went back, as after a failover that lost writes: what was read before is then void. */
  epoch(organizationId: number): number;
  close(): Promise<void>;
};
export type TargetOptions = {
  /** The `X-Library-Version` of a write that the search must see. */
  readonly version?: number | undefined;
  readonly signal?: AbortSignal | undefined;
};

const POLL_MS = 400;
const POLL_MAX_MS = 5 * SECOND_MS;
/** Other nodes' writes are found within this: a poll that is later is waited for. */
const FRESH_FOR_MS = SECOND_MS;
/** How long a search waits for a late poll before it answers from what is known. */
const LATE_POLL_MS = 250;
/** So long searches go on from memory while the database is away. */
const TRUST_MS = 30 * SECOND_MS;
const READ_LIMIT_MS = 2 * SECOND_MS;
/** An organization that nobody searches is no longer asked for. */
const WATCH_MS = 15 * MINUTE_MS;

type Watched = { version: number; epoch: number; checkedAtMs: number; usedAtMs: number };

export function createFreshness(options: {
  readonly db: Database;
  readonly logger: Logger;
  /** Between two polls, in ms; default 400. */
  readonly pollMs?: number;
  /** Monotonic; default `performance.now`. */
  readonly nowMs?: () => number;
}): Freshness {
  const { db, logger, pollMs = POLL_MS, nowMs = () => performance.now() } = options;
  const watched = new Map<number, Watched>();
  let timer: NodeJS.Timeout | undefined;
  let polling: Promise<void> | undefined;
  let failures = 0;
  let closed = false;

  /** Asks for the versions of these organizations. A signal cannot end a query: the caller stops waiting instead. */
  const check = async (ids: readonly number[]): Promise<void> => {
    const before = new Map(ids.map((id) => [id, watched.get(id)?.version ?? 0]));
    const startedMs = nowMs();
    const versions = await readVersions(db, ids);
    for (const [id, version] of versions) {
      const entry = watched.get(id);
      if (!entry) continue;
      entry.checkedAtMs = Math.max(entry.checkedAtMs, startedMs);
      if (version < (before.get(id) ?? 0)) {
        // It had been committed before the question: only a database put back to an earlier state answers so.
        logger.warn({ event: 'library_version.went_back', organizationId: id, from: entry.version, to: version });
        entry.version = version;
        entry.epoch += 1;
      } else entry.version = Math.max(entry.version, version);
    }
  };

  const heard = (error?: unknown): void => {
    if (error === undefined) {
      if (failures > 0) logger.info({ event: 'library_version.poll_recovered', failures });
      failures = 0;
      return;
    }
    if (failures === 0) logger.warn({ event: 'library_version.poll_failed', reason: messageOf(error) });
    failures += 1;
  };

  const poll = (): Promise<void> => {
    const ids = [...watched.keys()];
    polling ??= check(ids)
      .then(() => heard(), heard)
      .finally(() => {
        polling = undefined;
      });
    return polling;
  };

  const schedule = (): void => {
    if (closed || timer !== undefined || watched.size === 0) return;
    const waitMs = Math.min(pollMs * 2 ** Math.min(failures, 10), Math.max(pollMs, POLL_MAX_MS));
    timer = setTimeout(() => {
      const unusedSinceMs = nowMs() - WATCH_MS;
      for (const [id, entry] of watched) if (entry.usedAtMs < unusedSinceMs) watched.delete(id);
      // A poll that hangs is one failure, and no second connection is taken for another one meanwhile.
      withinTime(poll(), { limitMs: READ_LIMIT_MS })
        .catch(heard)
        .finally(() => {
          timer = undefined;
          schedule();
        });
    }, waitMs).unref();
  };

  const watch = (id: number): Watched => {
    const present = watched.get(id);
    if (present) {
      present.usedAtMs = nowMs();
      return present;
    }
    // Before the first question, so that a write which is committed while it is under way is not missed.
    const entry = { version: 0, epoch: 0, checkedAtMs: Number.NEGATIVE_INFINITY, usedAtMs: nowMs() };
    watched.set(id, entry);
    schedule();
    return entry;
  };

  const ask = async (id: number, signal: AbortSignal | undefined): Promise<void> => {
    try {
      await withinTime(check([id]), { limitMs: READ_LIMIT_MS, signal });
    } catch (cause) {
      signal?.throwIfAborted();
      throw new AppError('unavailable', 'the database does not answer', { cause });
    }
  };

  const stopListening = onLibraryWritten(db, (id, version) => {
    const entry = watched.get(id);
    if (entry) entry.version = Math.max(entry.version, version);
  });

  return {
    async target(scope, { version = 0, signal } = {}) {
      const id = scope.organizationId;
      const entry = watch(id);
      const ageMs = nowMs() - entry.checkedAtMs;
      if (version > entry.version || ageMs > TRUST_MS) await ask(id, signal);
      else if (ageMs > FRESH_FOR_MS && failures === 0) {
        await withinTime(poll(), { limitMs: LATE_POLL_MS, signal }).catch(() => signal?.throwIfAborted());
      }
      return entry.version;
    },
    known: (id) => watched.get(id)?.version ?? 0,
    epoch: (id) => watched.get(id)?.epoch ?? 0,
    async close() {
      closed = true;
      stopListening();
      clearTimeout(timer);
      await polling;
    },
  };
}
