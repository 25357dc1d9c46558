import { sql } from 'kysely';
import type { LibraryScope } from '../auth/index.ts';
import type { Queryable } from '../db/index.ts';

export type RunningWork = {
  readonly kind: 'clip' | 'operation';
  readonly id: number;
  /** 0 to 1. */
  readonly progress: number;
};

const MOST = 100;

/** Clips and edits of many assets that are under way, the newest 100 of each. */
export async function findRunningWork(db: Queryable, scope: LibraryScope): Promise<readonly RunningWork[]> {
  const found = await sql<RunningWork>`
    (SELECT 'clip' AS kind, id, progress::float8 AS progress FROM clip
      WHERE organization_id = ${scope.organizationId} AND state = 'running' ORDER BY id DESC LIMIT ${MOST})
    UNION ALL
    (SELECT 'operation', id, CASE WHEN total = 0 THEN 0 ELSE (updated + unchanged + failed)::float8 / total END FROM bulk_operation
      WHERE organization_id = ${scope.organizationId} AND state = 'running' ORDER BY id DESC LIMIT ${MOST})`.execute(
    db,
  );
  return found.rows;
}
