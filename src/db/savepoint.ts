import { sql } from 'kysely';
import type { Tx } from './database.ts';

/** Takes back what `work` wrote in the transaction, and nothing else of it, when it throws. */
export async function inSavepoint<T>(tx: Tx, work: () => Promise<T>): Promise<T> {
  await sql`SAVEPOINT step`.execute(tx);
  try {
    const result = await work();
    await sql`RELEASE SAVEPOINT step`.execute(tx);
    return result;
  } catch (error) {
    await sql`ROLLBACK TO SAVEPOINT step`.execute(tx);
    throw error;
  }
}
