import { randomUUID } from 'node:crypto';
import { type RawBuilder, sql } from 'kysely';
import type { Database, Queryable } from '../../db/index.ts';

/** Runs one statement of a search. */
export type RunStatement = <Row>(statement: RawBuilder<Row>) => Promise<readonly Row[]>;

type SnapshotOptions = {
  readonly signal: AbortSignal | undefined;
  /** One statement sees one state by itself; several need a transaction to see the same one. */
  readonly severalStatements: boolean;
};

/**
 * Runs statements with a comment in front that tells them from all others, so that they can be cancelled from another
 * connection. Kysely's own cancelling does not reach statements of a transaction: its rollback hides them.
 */
async function runCancellable<T>(
  connections: { readonly held: Queryable; readonly others: Database },
  signal: AbortSignal,
  work: (run: RunStatement) => Promise<T>,
): Promise<T> {
  const tag = `/* search ${randomUUID()} */`;
  let cancelling: Promise<unknown> = Promise.resolve();
  const cancel = () => {
    const statement = sql`SELECT pg_cancel_backend(pid) FROM pg_stat_activity
      WHERE datname = current_database() AND state = 'active' AND starts_with(query, ${tag})`;
    // A search that cannot be cancelled ends by itself, at the latest by the statement timeout.
    cancelling = statement.execute(connections.others).catch(() => undefined);
  };
  signal.addEventListener('abort', cancel, { once: true });
  try {
    return await work(async <Row>(statement: RawBuilder<Row>) => {
      signal.throwIfAborted();
      return (await sql<Row>`${sql.raw(tag)} ${statement}`.execute(connections.held)).rows;
    });
  } catch (error) {
    throw signal.aborted ? signal.reason : error;
  } finally {
    signal.removeEventListener('abort', cancel);
    // The connection is given back only afterwards: the cancelling must not meet a statement of somebody else.
    await cancelling;
  }
}

/** Runs a search's statements on one state of the library; an aborted signal cancels the one that runs. */
export async function inSnapshot<T>(
  db: Database,
  { signal, severalStatements }: SnapshotOptions,
  work: (run: RunStatement) => Promise<T>,
): Promise<T> {
  signal?.throwIfAborted();
  const onConnection = (held: Queryable): Promise<T> =>
    signal
      ? runCancellable({ held, others: db }, signal, work)
      : work(async (statement) => (await statement.execute(held)).rows);
  if (severalStatements) {
    return db.transaction().setIsolationLevel('repeatable read').setAccessMode('read only').execute(onConnection);
  }
  return signal ? db.connection().execute(onConnection) : onConnection(db);
}
