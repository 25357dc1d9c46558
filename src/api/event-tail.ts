/**
 * The newest events of libraries that somebody listens to, in memory: each is read once, whatever the number of listeners. Writes of this
 * process are known at once, those of other nodes by `freshness`. Only what is in the feed counts, so nothing is missed or told twice.
 */
import type { LibraryScope } from '../auth/index.ts';
import { createSingleFlight, MINUTE_MS } from '../base/index.ts';
import type { Database } from '../db/index.ts';
import { CHANGE_TYPES, type LibraryEvent, onLibraryWritten, readEvents } from '../library/index.ts';
import type { Freshness } from '../search/index.ts';

export type TailPage = {
  /** Of all types, without a gap, behind `after`. */
  readonly events: readonly LibraryEvent[];
  readonly newest: number;
  /** The oldest that is kept, where the page was read from the database. */
  readonly oldest: number | undefined;
};

export type EventTail = {
  /** Events behind `after` that are known now. @throws AppError `unavailable`, and what the database throws */
  read(scope: LibraryScope, after: number): Promise<TailPage>;
  /** Resolves when there may be events behind `after`, after `limitMs`, or when the signal ends. Never throws. */
  wait(
    scope: LibraryScope,
    after: number,
    options: { readonly limitMs: number; readonly signal: AbortSignal },
  ): Promise<void>;
  close(): void;
};

/** Events that are kept of each library. */
const KEPT = 1000;
const PAGE = 500;
/** How often what other nodes wrote is looked for; `freshness` asks the database every 0.4 s. */
const LOOK_MS = 200;
/** `freshness` stops asking for libraries that nobody asks it for. */
const ASK_MS = MINUTE_MS;

type Waiter = { readonly after: number; readonly wake: () => void };
type Tail = {
  readonly scope: LibraryScope;
  /** Without a gap, ending at `end`. */
  events: LibraryEvent[];
  end: number;
  epoch: number;
  askedAtMs: number;
  readonly waiters: Set<Waiter>;
};

export function createEventTail({
  db,
  freshness,
}: {
  readonly db: Database;
  readonly freshness: Freshness;
}): EventTail {
  const tails = new Map<number, Tail>();
  const reads = createSingleFlight<void>();

  const wake = (tail: Tail, version: number): void => {
    for (const waiter of tail.waiters) if (version > waiter.after) waiter.wake();
  };
  const stopListening = onLibraryWritten(db, (id, version) => {
    const tail = tails.get(id);
    if (tail) wake(tail, version);
  });
  const look = setInterval(() => {
    for (const [id, tail] of tails) {
      if (tail.waiters.size === 0) {
        // Nobody has come back for a minute.
        if (performance.now() - tail.askedAtMs > 2 * ASK_MS) tails.delete(id);
        continue;
      }
      wake(tail, freshness.known(id));
    }
  }, LOOK_MS).unref();

  /** Reads what is behind the end of the tail. */
  const advance = async (tail: Tail): Promise<void> => {
    const { events, readTo } = await readEvents(db, tail.scope, { after: tail.end, limit: PAGE, types: CHANGE_TYPES });
    const [first] = events;
    // Everything behind the end, or the tail begins anew.
    tail.events = first && first.version === tail.end + 1 ? [...tail.events, ...events].slice(-KEPT) : [...events];
    tail.end = readTo;
  };

  const open = async (scope: LibraryScope): Promise<{ readonly tail: Tail; readonly newest: number }> => {
    const id = scope.organizationId;
    const newest = await freshness.target(scope);
    const epoch = freshness.epoch(id);
    const present = tails.get(id);
    if (present) {
      present.askedAtMs = performance.now();
      // Versions went back: what was read is of a past that is no more.
      if (present.epoch !== epoch) Object.assign(present, { epoch, events: [], end: newest });
      return { tail: present, newest };
    }
    const tail = { scope, events: [], end: newest, epoch, askedAtMs: performance.now(), waiters: new Set<Waiter>() };
    tails.set(id, tail);
    return { tail, newest };
  };

  return {
    async read(scope, after) {
      const { tail, newest } = await open(scope);
      if (newest > tail.end) await reads.run(String(scope.organizationId), () => advance(tail));
      const begin = tail.events[0]?.version ?? tail.end + 1;
      if (after >= begin - 1) {
        // One version an event, without a gap.
        const from = Math.max(0, after + 1 - begin);
        return { events: tail.events.slice(from, from + PAGE), newest: tail.end, oldest: undefined };
      }
      return readEvents(db, scope, { after, limit: PAGE, types: CHANGE_TYPES });
    },
    async wait(scope, after, { limitMs, signal }) {
      const { tail, newest } = await open(scope).catch(() => ({ tail: undefined, newest: 0 }));
      if (signal.aborted || newest > after) return;
      await new Promise<void>((resolve) => {
        const timer = setTimeout(() => waiter.wake(), limitMs);
        const waiter: Waiter = {
          after,
          wake: () => {
            clearTimeout(timer);
            signal.removeEventListener('abort', waiter.wake);
            tail?.waiters.delete(waiter);
            resolve();
          },
        };
        signal.addEventListener('abort', waiter.wake, { once: true });
        tail?.waiters.add(waiter);
      });
    },
    close() {
      stopListening();
      clearInterval(look);
      for (const { waiters } of tails.values()) for (const waiter of waiters) waiter.wake();
      tails.clear();
    },
  };
}
