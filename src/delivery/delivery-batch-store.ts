import { sql } from 'kysely';
import type { LibraryScope } from '../auth/index.ts';
import type { Queryable } from '../db/index.ts';
import type { DeliveryState } from './delivery-types.ts';

/** The deliveries of one request together. */
export type DeliveryBatch = {
  readonly batch: string;
  readonly destinationId: number;
  readonly createdBy: string;
  readonly ruleId: number | null;
  readonly createdAt: Date;
  /** When the last one ended; null while one waits or runs. */
  readonly finishedAt: Date | null;
  readonly total: number;
  readonly states: Readonly<Record<DeliveryState, number>>;
  /** Of what has arrived, waits or runs; pictures count when they have been made. */
  readonly bytesTotal: number;
  readonly bytesDone: number;
};

/** Undefined when no request of this organization has the name. */
export async function findDeliveryBatch(
  db: Queryable,
  scope: LibraryScope,
  batch: string,
): Promise<DeliveryBatch | undefined> {
  const found = await sql<Omit<DeliveryBatch, 'batch' | 'states'> & DeliveryBatch['states']>`
    SELECT min(destination_id) AS "destinationId", min(created_by) AS "createdBy", min(rule_id) AS "ruleId",
      min(created_at) AS "createdAt",
      CASE WHEN count(*) FILTER (WHERE state IN ('queued', 'running')) = 0 THEN max(finished_at) END AS "finishedAt",
      count(*) AS total,
      count(*) FILTER (WHERE state = 'queued') AS queued, count(*) FILTER (WHERE state = 'running') AS running,
      count(*) FILTER (WHERE state = 'succeeded') AS succeeded, count(*) FILTER (WHERE state = 'failed') AS failed,
      count(*) FILTER (WHERE state = 'exhausted') AS exhausted, count(*) FILTER (WHERE state = 'cancelled') AS cancelled,
      count(*) FILTER (WHERE state = 'skipped') AS skipped,
      coalesce(sum(bytes) FILTER (WHERE state IN ('queued', 'running', 'succeeded')), 0)::bigint AS "bytesTotal",
      coalesce(sum(CASE state WHEN 'succeeded' THEN bytes WHEN 'queued' THEN 0 ELSE floor(bytes * progress) END)
        FILTER (WHERE state IN ('queued', 'running', 'succeeded')), 0)::bigint AS "bytesDone"
    FROM delivery WHERE organization_id = ${scope.organizationId} AND batch = ${batch}
    HAVING count(*) > 0`.execute(db);
  const [row] = found.rows;
  if (!row) return undefined;
  const { queued, running, succeeded, failed, exhausted, cancelled, skipped, ...others } = row;
  return { ...others, batch, states: { queued, running, succeeded, failed, exhausted, cancelled, skipped } };
}
