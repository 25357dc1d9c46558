import { type Clock, type Logger, SECOND_MS } from '../base/index.ts';
import type { Database } from '../db/index.ts';
import { addUsage, type DayUsage } from '../library/index.ts';

export type UsageCounter = {
  /** Counts one answered request of an organization. */
  count(organizationId: number, request: { readonly isSearch: boolean }): void;
  /** Writes what was counted since; then counts are read as they are. */
  flush(): Promise<void>;
  close(): Promise<void>;
};

const FLUSH_MS = 10 * SECOND_MS;

export const dayOf = (date: Date): string => date.toISOString().slice(0, 10);

/** Counts in memory and adds to the day's row every 10 s: a search must not cost a write. A killed process loses those. */
export function createUsageCounter(options: {
  readonly db: Database;
  readonly clock: Clock;
  readonly logger: Logger;
}): UsageCounter {
  const { db, clock, logger } = options;
  type Counted = { organizationId: number } & { -readonly [K in keyof DayUsage]: DayUsage[K] };
  let counts = new Map<string, Counted>();
  let writing: Promise<void> = Promise.resolve();

  const add = (organizationId: number, more: DayUsage): void => {
    const key = `${organizationId}/${more.day}`;
    const one = counts.get(key) ?? { organizationId, day: more.day, requests: 0, searches: 0 };
    one.requests += more.requests;
    one.searches += more.searches;
    counts.set(key, one);
  };
  const write = async (): Promise<void> => {
    const counted = [...counts.values()];
    counts = new Map();
    try {
      await addUsage(db, counted);
    } catch (error) {
      // Kept for the next time: the database may be away.
      for (const one of counted) add(one.organizationId, one);
      logger.warn({ event: 'usage.not_written', err: error }, 'counts of requests were not written');
    }
  };
  const flush = (): Promise<void> => {
    writing = writing.then(write);
    return writing;
  };
  const timer = setInterval(() => void flush(), FLUSH_MS);
  timer.unref();

  return {
    count(organizationId, { isSearch }) {
      add(organizationId, { day: dayOf(clock.now()), requests: 1, searches: isSearch ? 1 : 0 });
    },
    flush,
    async close() {
      clearInterval(timer);
      await flush();
    },
  };
}
