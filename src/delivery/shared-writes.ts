import type { LibraryScope } from '../auth/index.ts';
import type { Database } from '../db/index.ts';
import { type LibraryWrite, writeLibrary } from '../library/index.ts';

type Work<T> = (write: LibraryWrite) => Promise<T>;

export type SharedWrites = {
  /** Runs `work` inside a write of the library, with what others asked for meanwhile; it may run twice. Rejects as it does. */
  write<T>(work: Work<T>): Promise<T>;
};

/** A transaction holds the lock of the library: so many ends of deliveries take a few hundredths of a second. */
const MOST = 50;

type Entry = { readonly run: Work<void>; readonly settle: (error?: unknown) => void };

/**
 * Writes that come at about the same time share a transaction: those that come while one commits are the next one. Thousands of small
 * files end faster than a commit each could be made.
 */
export function createSharedWrites(db: Database, scope: LibraryScope): SharedWrites {
  const waiting: Entry[] = [];
  let isWriting = false;

  const writeOne = async ({ run, settle }: Entry): Promise<void> => {
    try {
      await writeLibrary(db, scope, run);
      settle();
    } catch (error) {
      settle(error);
    }
  };
  const writeAll = async (entries: readonly Entry[]): Promise<void> => {
    try {
      await writeLibrary(db, scope, async (write) => {
        for (const { run } of entries) await run(write);
      });
      for (const { settle } of entries) settle();
    } catch {
      // Nothing of it was kept. Alone, only the one that is at fault fails.
      for (const entry of entries) await writeOne(entry);
    }
  };
  const flush = async (): Promise<void> => {
    if (isWriting) return;
    isWriting = true;
    try {
      while (waiting.length > 0) await writeAll(waiting.splice(0, MOST));
    } finally {
      isWriting = false;
    }
  };

  return {
    write: <T>(work: Work<T>) =>
      new Promise<T>((resolve, reject) => {
        let result: { readonly value: T } | undefined;
        waiting.push({
          run: async (write) => {
            result = { value: await work(write) };
          },
          settle: (error) => {
            if (result && error === undefined) resolve(result.value);
            else reject(error);
          },
        });
        void flush();
      }),
  };
}
