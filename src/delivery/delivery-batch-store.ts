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
  return (await findDeliveryBatches(db, scope, [batch])).get(batch);
}

/** Requests by their names, as they are listed: newest first, before the one whose first delivery is `beforeId`. */
export async function listDeliveryBatches(
  db: Queryable,
  scope: LibraryScope,
  page: {
    readonly beforeId: number;
    readonly limit: number;
    readonly destinationId?: number | undefined;
    /** Requests with at least one delivery in this state. */
    readonly state?: DeliveryState | undefined;
  },
): Promise<readonly (DeliveryBatch & { readonly firstId: number })[]> {
  const { beforeId, limit, destinationId, state } = page;
  const found = await sql<{ id: number; batch: string }>`SELECT id, batch FROM delivery AS first_one
    WHERE organization_id = ${scope.organizationId} AND leads_batch AND id < ${beforeId}
      AND (${destinationId ?? null}::bigint IS NULL OR destination_id = ${destinationId ?? null}::bigint)
      AND (${state ?? null}::text IS NULL OR EXISTS (SELECT 1 FROM delivery
        WHERE organization_id = ${scope.organizationId} AND batch = first_one.batch AND state = ${state ?? null}::text))
    ORDER BY id DESC LIMIT ${limit}`.execute(db);
  const names = found.rows.map(({ batch }) => batch);
  const batches = await findDeliveryBatches(db, scope, names);
  return found.rows.flatMap(({ id, batch }) => {
    const summed = batches.get(batch);
    return summed ? [{ ...summed, firstId: id }] : [];
  });
}

type Row = Omit<DeliveryBatch, 'states'> & DeliveryBatch['states'];

async function findDeliveryBatches(
  db: Queryable,
  scope: LibraryScope,
  names: readonly string[],
): Promise<ReadonlyMap<string, DeliveryBatch>> {
  if (names.length === 0) return new Map();
  const found = await sql<Row>`
    SELECT batch, min(destination_id) AS "destinationId", min(created_by) AS "createdBy", min(rule_id) AS "ruleId",
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
    FROM delivery WHERE organization_id = ${scope.organizationId} AND batch = ANY(${[...names]}::text[])
    GROUP BY batch`.execute(db);
  return new Map(
    found.rows.map((row) => {
      const { queued, running, succeeded, failed, exhausted, cancelled, skipped, ...others } = row;
      const states = { queued, running, succeeded, failed, exhausted, cancelled, skipped };
      return [row.batch, { ...others, states }];
    }),
  );
}
