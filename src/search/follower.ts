import { setTimeout as delay } from 'node:timers/promises';
import type { LibraryScope } from '../auth/index.ts';
import { AppError, createPermits, HOUR_MS, type Logger, messageOf, MINUTE_MS, SECOND_MS } from '../base/index.ts';
import { type Database, isConnectionError, type Tx } from '../db/index.ts';
import { type ChangeRow, inSnapshot, readChanges, readVersion } from '../library/index.ts';
import type { Freshness } from './freshness.ts';
import { withinTime } from './within-time.ts';

/** What an index is brought forward by: all changes up to `version`, and reads in the state that they led to. */
export type Advance = {
  /** REPEATABLE READ, READ ONLY: every read sees the library at exactly `version`. */
  readonly tx: Tx;
  /** One or more, without a gap, oldest first. */
  readonly changes: readonly ChangeRow[];
  readonly version: number;
};

export type Loaded<Index> = { readonly index: Index; readonly version: number };

export type FollowersOptions<Index> = {
  readonly db: Database;
  readonly logger: Logger;
  /** Begins the names of log events: `tag_lookup`, `search_index`. */
  readonly name: string;
  /**
   * Makes an index of the whole library. `version` is read before the rows; what changes while they are read is applied
   * once more before anybody sees the index. One that sees early that the index would exceed `maxBytes` answers its size.
   */
  readonly load: (
    scope: LibraryScope,
    signal: AbortSignal,
  ) => Promise<Loaded<Index> | { readonly tooLargeBytes: number }>;
  /**
   * Brings the index forward. Reads first and changes the index after the last `await`, so that no search sees half of
   * a write. May be called again with the same changes, and with changes that the index knows already. `reload`: the index
   * is let go, since making it anew is quicker; nothing in it has changed.
   */
  readonly apply: (scope: LibraryScope, index: Index, advance: Advance) => Promise<'reload' | void>;
  readonly sizeOf: (index: Index) => { readonly size: number; readonly bytes: number };
  readonly freshness: Freshness;
  /** For all organizations together; those used longest ago are unloaded. */
  readonly maxBytes: number;
  /** An index that nothing asked for during this time is unloaded. */
  readonly idleMs: number;
  /** Further behind than this, loading anew is quicker than following; default 50,000. */
  readonly maxChangesBehind?: number;
  /** Told of changes that an index has taken in. Must not throw. */
  readonly onChanges?: (scope: LibraryScope, changes: readonly ChangeRow[]) => void;
};

export type FollowerStats = {
  readonly organizationId: number;
  readonly size: number;
  readonly bytes: number;
  readonly version: number;
};

type CurrentOptions = { readonly version?: number | undefined; readonly signal?: AbortSignal | undefined };
export type Followers<Index> = {
  /**
   * The organization's index at the version that a search must see, or a later one; never at an earlier one. Use it before
   * the next `await`, since it goes on following. With `wait: false` undefined while it is not loaded, which starts that.
   * @throws AppError `unavailable` when the database does not answer; what `load` and `apply` throw; the signal's reason
   */
  current(scope: LibraryScope, options: CurrentOptions & { readonly wait: true }): Promise<Index>;
  current(scope: LibraryScope, options: CurrentOptions & { readonly wait: boolean }): Promise<Index | undefined>;
  /** The indexes in memory, those used longest ago first, each with the version it has reached. */
  entries(): readonly (Loaded<Index> & { readonly scope: LibraryScope })[];
  /** Organizations in memory, with their number of documents and estimated bytes. */
  stats(): readonly FollowerStats[];
  /** Ends loading and following, and lets the indexes go. */
  close(): Promise<void>;
};

const CHANGES_PAGE = 5000;
const MAX_CHANGES_BEHIND = 50_000;
/** Each load holds a connection and a large part of a core. */
const PARALLEL_LOADS = 2;
/** Waits between the attempts of one catch-up: a connection that was cut is replaced at once. */
const RETRY_MS: readonly number[] = [20, 100, 400];
const LOAD_RETRY_MS = SECOND_MS;
const LOAD_RETRY_MAX_MS = MINUTE_MS;
/** A library that did not fit into memory is tried again after this: it may have become smaller. */
const TOO_LARGE_RETRY_MS = 10 * MINUTE_MS;
const TEND_MS = SECOND_MS;

type Follower<Index> = {
  readonly scope: LibraryScope;
  readonly index: Index;
  readonly epoch: number;
  version: number;
  usedAtMs: number;
};
type Fault = { failures: number; retryAtMs: number };

/** Keeps one index per organization in step with its change feed. */
export function createFollowers<Index>(options: FollowersOptions<Index>): Followers<Index> {
  const { db, logger, name, freshness, maxChangesBehind = MAX_CHANGES_BEHIND } = options;
  /** In order of use: the first entry is the one used longest ago. */
  const followers = new Map<number, Follower<Index>>();
  /** At most one an organization: two catch-ups of one index must not overlap. */
  const flights = new Map<number, Promise<Follower<Index> | undefined>>();
  const faults = new Map<number, Fault>();
  const tooLarge = new Set<number>();
  const closing = new AbortController();
  const permits = createPermits({ name, running: PARALLEL_LOADS, waiting: 1000, maxWaitMs: HOUR_MS });

  const unload = (id: number, reason: string): void => {
    if (followers.delete(id)) logger.debug({ event: `${name}.unloaded`, organizationId: id, reason });
  };

  const refuse = (id: number, bytes: number): void => {
    faults.set(id, { failures: 0, retryAtMs: performance.now() + TOO_LARGE_RETRY_MS });
    if (!tooLarge.has(id)) {
      logger.warn({ event: `${name}.too_large`, organizationId: id, bytes, maxBytes: options.maxBytes });
    }
    tooLarge.add(id);
  };

  /** Unloads those used longest ago until the rest fits. */
  const trim = (): void => {
    let bytes = 0;
    for (const { index } of followers.values()) bytes += options.sizeOf(index).bytes;
    for (const [id, { index }] of followers) {
      if (bytes <= options.maxBytes) return;
      const own = options.sizeOf(index).bytes;
      bytes -= own;
      unload(id, 'memory');
      if (own > options.maxBytes) refuse(id, own);
    }
  };

  const keep = (follower: Follower<Index>): void => {
    const id = follower.scope.organizationId;
    followers.delete(id);
    followers.set(id, follower);
  };

  /** One catch-up in one state of the database; false when the feed does not lead from the index to there, or too far. */
  const follow = async (follower: Follower<Index>, most: number): Promise<boolean> => {
    const { scope } = follower;
    const advanced = await inSnapshot(db, async (tx) => {
      const version = await readVersion(tx, scope);
      const behind = version - follower.version;
      if (behind < 0 || behind > most) return undefined;
      const changes: ChangeRow[] = [];
      while (changes.length < behind) {
        const after = changes.at(-1)?.version ?? follower.version;
        const page = await readChanges(tx, scope, { after, limit: CHANGES_PAGE });
        if (page.length === 0) return undefined;
        changes.push(...page);
      }
      // Versions are counted without gaps: as many changes as versions means that none is missing in between.
      if (changes.length !== behind) return undefined;
      const applied = behind > 0 ? await options.apply(scope, follower.index, { tx, changes, version }) : undefined;
      return applied === 'reload' ? undefined : { changes, version };
    });
    if (!advanced) return false;
    follower.version = advanced.version;
    if (advanced.changes.length > 0) options.onChanges?.(scope, advanced.changes);
    return true;
  };

  /** Until the transaction succeeds the version stays, so an attempt that broke off leaves no gap. */
  const followWithRetries = async (follower: Follower<Index>, most: number): Promise<boolean> => {
    for (const waitMs of RETRY_MS) {
      try {
        return await follow(follower, most);
      } catch (error) {
        closing.signal.throwIfAborted();
        const organizationId = follower.scope.organizationId;
        logger.warn({ event: `${name}.catch_up_failed`, organizationId, reason: messageOf(error) });
        await delay(waitMs, undefined, { signal: closing.signal });
      }
    }
    return follow(follower, most);
  };

  const catchUp = async (follower: Follower<Index>): Promise<Follower<Index> | undefined> => {
    const id = follower.scope.organizationId;
    try {
      if (await followWithRetries(follower, maxChangesBehind)) {
        trim();
        return follower;
      }
      unload(id, 'behind');
      return undefined;
    } catch (error) {
      // While the database is away the index stays good. Anything else may have left it half changed for good.
      if (!isConnectionError(error)) unload(id, 'failed');
      throw error;
    }
  };

  const load = async (scope: LibraryScope): Promise<Follower<Index>> => {
    const id = scope.organizationId;
    const startedMs = performance.now();
    try {
      const epoch = freshness.epoch(id);
      const loaded = await permits.run(() => options.load(scope, closing.signal), closing.signal);
      closing.signal.throwIfAborted();
      if ('tooLargeBytes' in loaded) {
        refuse(id, loaded.tooLargeBytes);
        throw new AppError('unavailable', `${name}: the library does not fit into memory`);
      }
      const { index } = loaded;
      const follower: Follower<Index> = { scope, ...loaded, epoch, usedAtMs: performance.now() };
      // The rows were read one page after the other: only after this they are one state of the library.
      if (!(await followWithRetries(follower, Number.POSITIVE_INFINITY))) {
        throw new AppError(
          'unavailable',
          'the library changed too much while it was loaded, or its change feed has a gap',
        );
      }
      faults.delete(id);
      keep(follower);
      trim();
      if (followers.has(id)) tooLarge.delete(id);
      const tookMs = Math.round(performance.now() - startedMs);
      logger.info({ event: `${name}.loaded`, organizationId: id, ...options.sizeOf(index), tookMs });
      return follower;
    } catch (error) {
      closing.signal.throwIfAborted();
      // What was refused for its size is waited for longer already.
      if ((faults.get(id)?.retryAtMs ?? 0) > performance.now() + LOAD_RETRY_MAX_MS) throw error;
      const failures = (faults.get(id)?.failures ?? 0) + 1;
      const waitMs = Math.min(LOAD_RETRY_MS * 2 ** (failures - 1), LOAD_RETRY_MAX_MS);
      faults.set(id, { failures, retryAtMs: performance.now() + waitMs });
      logger.warn({ event: `${name}.load_failed`, organizationId: id, failures, reason: messageOf(error) });
      throw error;
    }
  };

  const begin = (scope: LibraryScope, present: Follower<Index> | undefined): Promise<Follower<Index> | undefined> => {
    const id = scope.organizationId;
    const flight = (present ? catchUp(present) : load(scope)).finally(() => flights.delete(id));
    flights.set(id, flight);
    // Whoever waits is told of a failure; in the background nobody waits.
    flight.catch(() => {});
    return flight;
  };

  const find = (id: number): Follower<Index> | undefined => {
    const present = followers.get(id);
    if (present && present.epoch !== freshness.epoch(id)) {
      unload(id, 'versions went back');
      return undefined;
    }
    return present;
  };

  const loadInBackground = (scope: LibraryScope): void => {
    const id = scope.organizationId;
    const waits = (faults.get(id)?.retryAtMs ?? 0) > performance.now();
    if (!flights.has(id) && !waits) void begin(scope, undefined);
  };

  const tend = (): void => {
    const idleSinceMs = performance.now() - options.idleMs;
    for (const [id, follower] of followers) {
      if (flights.has(id)) continue;
      if (follower.usedAtMs < idleSinceMs) unload(id, 'idle');
      // Also without searches, so that the next one need not wait for all that an import has written.
      else if (freshness.known(id) > follower.version) void begin(follower.scope, follower);
    }
  };
  const tending = setInterval(tend, Math.min(TEND_MS, options.idleMs)).unref();

  const used = (follower: Follower<Index>): Index => {
    follower.usedAtMs = performance.now();
    if (followers.get(follower.scope.organizationId) === follower) keep(follower);
    return follower.index;
  };

  const current = async (
    scope: LibraryScope,
    { version, signal, wait }: CurrentOptions & { readonly wait: boolean },
  ): Promise<Index | undefined> => {
    const target = await freshness.target(scope, { version, signal });
    for (;;) {
      closing.signal.throwIfAborted();
      const present = find(scope.organizationId);
      if (present && present.version >= target) return used(present);
      if (!present && !wait) {
        loadInBackground(scope);
        return undefined;
      }
      const joined = flights.get(scope.organizationId);
      const reached = await withinTime(joined ?? begin(scope, present), { signal });
      // One that began earlier may not have gone far enough; one of our own saw the library as it is now.
      if (reached && (!joined || reached.version >= target)) return used(reached);
    }
  };

  return {
    // The overloads promise an index where the call waits for one, which the loop above does.
    current: current as Followers<Index>['current'],
    entries: () => [...followers.values()].map(({ scope, index, version }) => ({ scope, index, version })),
    stats: () =>
      [...followers].map(([organizationId, { index, version }]) => ({
        organizationId,
        ...options.sizeOf(index),
        version,
      })),
    async close() {
      clearInterval(tending);
      closing.abort(new AppError('unavailable', `${name} is closed`));
      await Promise.allSettled(flights.values());
      followers.clear();
    },
  };
}
