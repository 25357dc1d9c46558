/** How a destination is doing: what its tries say of the target, and figures of its last hour. */
import { sql } from 'kysely';
import type { LibraryScope } from '../auth/index.ts';
import type { Queryable, Tx } from '../db/index.ts';
import type { Circuit } from '../base/index.ts';
import { findDestination } from './destination-store.ts';
import type { Destination } from './destination-types.ts';

type Seen = { readonly id: number; readonly targetRevision: number };

/** The destination as it is, locked for the rest of the transaction; undefined when it is another target than the one that was seen. */
export async function lockDestination(tx: Tx, scope: LibraryScope, seen: Seen): Promise<Destination | undefined> {
  const locked = await sql<{ id: number }>`SELECT id FROM destination WHERE id = ${seen.id}
    AND organization_id = ${scope.organizationId} AND target_revision = ${seen.targetRevision} FOR UPDATE`.execute(tx);
  return locked.rows.length === 0 ? undefined : findDestination(tx, scope, seen.id);
}

/** Members that are left out stay. Health is no edit: the version stays too. */
export async function noteDestinationHealth(
  tx: Tx,
  scope: LibraryScope,
  health: {
    readonly id: number;
    readonly circuit?: Circuit;
    readonly status?: Destination['status'];
    /** Why the status is failed; null takes it away. */
    readonly failure?: { readonly code: string; readonly reason: string } | null;
    readonly verifiedAt?: Date;
    readonly consecutiveFailures?: number;
    readonly lastError?: { readonly at: Date; readonly code: string; readonly reason: string };
  },
): Promise<void> {
  const { circuit, failure, lastError } = health;
  await tx
    .updateTable('destination')
    .set({
      ...(circuit && {
        circuit: circuit.state,
        circuit_faults: circuit.faults,
        circuit_openings: circuit.openings,
        circuit_retry_at: circuit.retryAt,
      }),
      ...(health.status !== undefined && { status: health.status }),
      ...(failure !== undefined && {
        failure_code: failure?.code ?? null,
        failure_reason: failure?.reason ?? null,
      }),
      ...(health.verifiedAt && { last_verified_at: health.verifiedAt }),
      ...(health.consecutiveFailures !== undefined && { consecutive_failures: health.consecutiveFailures }),
      ...(lastError && {
        last_error_at: lastError.at,
        last_error_code: lastError.code,
        last_error_reason: lastError.reason,
      }),
      updated_at: sql<Date>`now()`,
    })
    .where('organization_id', '=', scope.organizationId)
    .where('id', '=', health.id)
    .execute();
}

/** One delivery is on its way to find out whether the target answers. */
export async function noteProbing(db: Queryable, scope: LibraryScope, id: number): Promise<void> {
  await db
    .updateTable('destination')
    .set({ circuit: 'half_open' })
    .where('organization_id', '=', scope.organizationId)
    .where('id', '=', id)
    .where('circuit', '=', 'open')
    .execute();
}

/** Whether the caller is to queue the run of this time: false while an earlier one is queued. */
export async function claimWake(
  tx: Queryable,
  scope: LibraryScope,
  wake: { readonly id: number; readonly at: Date; readonly now: Date },
): Promise<boolean> {
  const claimed = await tx
    .updateTable('destination')
    .set({ wake_at: wake.at })
    .where('organization_id', '=', scope.organizationId)
    .where('id', '=', wake.id)
    .where((one) => one.or([one('wake_at', 'is', null), one('wake_at', '<=', wake.now), one('wake_at', '>', wake.at)]))
    .returning('id')
    .executeTakeFirst();
  return claimed !== undefined;
}

export type DestinationFigures = {
  readonly queued: number;
  readonly running: number;
  readonly lastSuccessAt: Date | null;
  /** Of the last hour. */
  readonly succeeded: number;
  readonly failed: number;
  readonly bytes: number;
  /** Median time of the last try of those that arrived; null when none has. */
  readonly p50Ms: number | null;
  /** Bytes of those that arrived, by the time that their tries took. */
  readonly bytesPerSecond: number | null;
};

export const NO_FIGURES: DestinationFigures = {
  queued: 0,
  running: 0,
  lastSuccessAt: null,
  succeeded: 0,
  failed: 0,
  bytes: 0,
  p50Ms: null,
  bytesPerSecond: null,
};

/** Tries counted for the figures of an hour: newer ones say enough. */
const FIGURES_FROM = 1000;

/** Reads at most the last 1,000 that ended of each, by an index of each. */
export async function findDestinationFigures(
  db: Queryable,
  scope: LibraryScope,
  wanted: { readonly ids: readonly number[]; readonly now: Date },
): Promise<ReadonlyMap<number, DestinationFigures>> {
  if (wanted.ids.length === 0) return new Map();
  const found = await sql<DestinationFigures & { id: number }>`
    SELECT given.id, waiting.queued, waiting.running, newest.finished_at AS "lastSuccessAt",
      coalesce(hour.succeeded, 0) AS succeeded, coalesce(hour.failed, 0) AS failed, coalesce(hour.bytes, 0) AS bytes,
      hour.p50 AS "p50Ms", CASE WHEN hour.took > 0 THEN round(hour.bytes * 1000 / hour.took)::bigint END AS "bytesPerSecond"
    FROM unnest(${[...wanted.ids]}::bigint[]) AS given (id)
    CROSS JOIN LATERAL (
      SELECT count(*) FILTER (WHERE state = 'queued') AS queued, count(*) FILTER (WHERE state = 'running') AS running
      FROM delivery WHERE destination_id = given.id AND state IN ('queued', 'running')
    ) waiting
    LEFT JOIN LATERAL (
      SELECT finished_at FROM delivery WHERE destination_id = given.id AND finished_at IS NOT NULL AND state = 'succeeded'
      ORDER BY finished_at DESC LIMIT 1
    ) newest ON true
    LEFT JOIN LATERAL (
      SELECT count(*) FILTER (WHERE state = 'succeeded') AS succeeded,
        count(*) FILTER (WHERE state IN ('failed', 'exhausted')) AS failed,
        sum(bytes) FILTER (WHERE state = 'succeeded')::bigint AS bytes,
        round(percentile_cont(0.5) WITHIN GROUP (ORDER BY took) FILTER (WHERE state = 'succeeded'))::bigint AS p50,
        sum(took) FILTER (WHERE state = 'succeeded') AS took
      FROM (
        SELECT state, bytes, extract(epoch FROM
          (attempts -> -1 ->> 'ended_at')::timestamptz - (attempts -> -1 ->> 'started_at')::timestamptz) * 1000 AS took
        FROM delivery
        WHERE destination_id = given.id AND finished_at > ${wanted.now}::timestamptz - interval '1 hour'
          AND state IN ('succeeded', 'failed', 'exhausted')
        ORDER BY finished_at DESC LIMIT ${FIGURES_FROM}
      ) last
    ) hour ON true
    WHERE EXISTS (SELECT FROM destination WHERE id = given.id AND organization_id = ${scope.organizationId})`.execute(
    db,
  );
  return new Map(found.rows.map((row) => [row.id, row]));
}
