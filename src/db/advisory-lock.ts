import { sql } from 'kysely';
import type { Database } from './database.ts';

const BEAT_MS = 5000;

/**
 * Runs `work` while this process alone holds a lock, on a connection of its own; undefined when somebody else holds it. The
 * signal is aborted when the connection, and with it the lock, is lost.
 */
export async function withAdvisoryLock<T>(
  db: Database,
  lock: {
    /** Four bytes that name what is locked. */
    readonly lockClass: number;
    readonly id: number;
  },
  work: (lost: AbortSignal) => Promise<T>,
): Promise<{ readonly result: T } | undefined> {
  return db.connection().execute(async (connection) => {
    const key = sql`${lock.lockClass}::int, hashint8(${lock.id}::bigint)`;
    const got = await sql<{ locked: boolean }>`SELECT pg_try_advisory_lock(${key}) AS locked`.execute(connection);
    if (got.rows[0]?.locked !== true) return undefined;
    const lost = new AbortController();
    let asking: Promise<unknown> = Promise.resolve();
    const beat = setInterval(() => {
      asking = sql`SELECT 1`.execute(connection).catch((error: unknown) => lost.abort(error));
    }, BEAT_MS);
    try {
      return { result: await work(lost.signal) };
    } finally {
      clearInterval(beat);
      await asking;
      // A connection that broke has let go already.
      await sql`SELECT pg_advisory_unlock(${key})`.execute(connection).catch(() => undefined);
    }
  });
}
