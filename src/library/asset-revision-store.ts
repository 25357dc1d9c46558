import { type RawBuilder, sql } from 'kysely';

/**
 * The revision of an asset after a change of what its image URLs show; `table` is the name that the statement has for `asset`.
 * While it is processed it stays: nobody has its images yet, and the job finishes the revision that it began with.
 */
export function nextRevision(table: string): RawBuilder<number> {
  const revision = sql.ref(`${table}.revision`);
  return sql`CASE WHEN ${sql.ref(`${table}.status`)} = 'processing' THEN ${revision} ELSE ${revision} + 1 END`;
}
