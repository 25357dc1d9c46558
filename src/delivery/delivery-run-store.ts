/** Deliveries as the run of a destination sees them: what is due, how far it is, how it ended. */
import { sql } from 'kysely';
import type { LibraryScope } from '../auth/index.ts';
import { type Database, PREPARED, type Queryable, type Tx, withAdvisoryLock } from '../db/index.ts';
import { DELIVERY_COLUMNS } from './delivery-store.ts';
import type { Attempt, Delivery, Receipt } from './delivery-types.ts';

/** Those that a run left behind which ended without a word; the caller holds the destination's lock. */
export async function requeueInterrupted(
  db: Queryable,
  scope: LibraryScope,
  interrupted: {
    readonly destinationId: number;
    /** False for a stop of the service. A try that a crash ended counts: it may be what brings the service down. */
    readonly counts: boolean;
  },
): Promise<void> {
  await db
    .updateTable('delivery')
    .set({
      state: 'queued',
      next_attempt_at: sql<Date>`now()`,
      ...(!interrupted.counts && { attempt_count: sql<number>`greatest(0, attempt_count - 1)` }),
      updated_at: sql<Date>`now()`,
    })
    .where('organization_id', '=', scope.organizationId)
    .where('destination_id', '=', interrupted.destinationId)
    .where('state', '=', 'running')
    .execute();
}

/**
 * Marks the next due ones as running, in the order in which they are due. It does not wait for the disk: lost in a crash of the database,
 * they are what they were, queued.
 */
export async function takeDueDeliveries(
  db: Queryable,
  scope: LibraryScope,
  wanted: {
    readonly destinationId: number;
    readonly limit: number;
    readonly now: Date;
    /** Of a cancelled one that was queued again, the try before is still ending. */
    readonly except: readonly number[];
  },
): Promise<readonly Delivery[]> {
  return db
    .with('commit', (one) => one.selectNoFrom(sql`set_config('synchronous_commit', 'off', true)`.as('mode')))
    .updateTable('delivery')
    .set({
      state: 'running',
      attempt_count: sql`attempt_count + 1`,
      cleanup_at: null,
      version: sql`version + 1`,
      updated_at: sql<Date>`now()`,
    })
    .where('id', 'in', (due) =>
      due
        .selectFrom('delivery')
        .select('id')
        .where('organization_id', '=', scope.organizationId)
        .where('destination_id', '=', wanted.destinationId)
        .where('state', '=', 'queued')
        .where('next_attempt_at', '<=', wanted.now)
        // A part that nobody reads is not run.
        .where((one) => one.exists(one.selectFrom('commit').select('mode')))
        .$if(wanted.except.length > 0, (query) => query.where('id', 'not in', [...wanted.except]))
        .orderBy('next_attempt_at')
        .orderBy('id')
        .limit(wanted.limit)
        .forUpdate()
        .skipLocked(),
    )
    .returning(DELIVERY_COLUMNS)
    .$castTo<Delivery>()
    .execute();
}

/** When the next one is due, or something is to be cleaned up; undefined when nothing waits. */
export async function findNextDue(
  db: Queryable,
  scope: LibraryScope,
  destinationId: number,
): Promise<{ readonly deliveryAt: Date | null; readonly cleanupAt: Date | null }> {
  const found = await sql<{ deliveryAt: Date | null; cleanupAt: Date | null }>`SELECT
      (SELECT min(next_attempt_at) FROM delivery WHERE destination_id = ${destinationId} AND state = 'queued'
        AND organization_id = ${scope.organizationId}) AS "deliveryAt",
      (SELECT min(cleanup_at) FROM delivery WHERE destination_id = ${destinationId} AND cleanup_at IS NOT NULL
        AND organization_id = ${scope.organizationId}) AS "cleanupAt"`.execute(db);
  return found.rows[0] ?? { deliveryAt: null, cleanupAt: null };
}

/** Ended ones that may have left something at the target. */
export async function findCleanups(
  db: Queryable,
  scope: LibraryScope,
  wanted: { readonly destinationId: number; readonly limit: number; readonly now: Date },
): Promise<readonly Delivery[]> {
  return db
    .selectFrom('delivery')
    .select(DELIVERY_COLUMNS)
    .where('organization_id', '=', scope.organizationId)
    .where('destination_id', '=', wanted.destinationId)
    .where('cleanup_at', '<=', wanted.now)
    .where('state', 'not in', ['queued', 'running'])
    .orderBy('cleanup_at')
    .limit(wanted.limit)
    .$castTo<Delivery>()
    .execute();
}

/** Those that may have something unfinished at the target, whatever becomes of them. */
export async function findUnfinished(
  db: Queryable,
  scope: LibraryScope,
  destinationId: number,
): Promise<readonly Delivery[]> {
  return db
    .selectFrom('delivery')
    .select(DELIVERY_COLUMNS)
    .where('organization_id', '=', scope.organizationId)
    .where('destination_id', '=', destinationId)
    .where('target_path', 'is not', null)
    .where((where) => where.or([where('state', 'in', ['queued', 'running']), where('cleanup_at', 'is not', null)]))
    .orderBy('id')
    .$castTo<Delivery>()
    .execute();
}

/** `again`: when to look next; null when nothing is left. One that was queued again meanwhile is left alone. */
export async function noteCleanup(
  db: Queryable,
  scope: LibraryScope,
  cleanup: { readonly id: number; readonly again: Date | null },
): Promise<void> {
  await db
    .updateTable('delivery')
    .set({ cleanup_at: cleanup.again })
    .where('organization_id', '=', scope.organizationId)
    .where('id', '=', cleanup.id)
    .where('state', 'not in', ['queued', 'running'])
    .execute();
}

/**
 * Writes how far those are that run; answers the IDs of those that are not wanted any more. Of one that is just being ended nothing is
 * written: to wait for it, with others locked, would be a deadlock with the write that ends several of them.
 */
export async function noteDeliveryProgress(
  db: Queryable,
  scope: LibraryScope,
  running: readonly { readonly id: number; readonly progress: number }[],
): Promise<readonly number[]> {
  const ids = running.map(({ id }) => id);
  const isRunning = sql`organization_id = ${scope.organizationId} AND id = ANY(${ids}::bigint[]) AND state = 'running'`;
  const kept = await sql<{ id: number }>`
    WITH free AS (SELECT id FROM delivery WHERE ${isRunning} FOR NO KEY UPDATE SKIP LOCKED),
    noted AS (
      UPDATE delivery d SET progress = given.progress, updated_at = now()
      FROM unnest(${ids}::bigint[], ${running.map(({ progress }) => progress)}::real[]) AS given (id, progress)
      JOIN free ON free.id = given.id WHERE d.id = free.id)
    SELECT id FROM delivery WHERE ${isRunning} ${PREPARED}`.execute(db);
  const still = new Set(kept.rows.map(({ id }) => id));
  return ids.filter((id) => !still.has(id));
}

/** What has to outlive a crash before bytes are sent. */
export async function noteDeliveryTarget(
  db: Queryable,
  scope: LibraryScope,
  note: {
    readonly id: number;
    readonly targetPath?: string | null;
    readonly resumeToken?: string | undefined;
    readonly sha256?: string;
    readonly bytes?: number;
  },
): Promise<void> {
  await db
    .updateTable('delivery')
    .set({
      ...(note.targetPath !== undefined && { target_path: note.targetPath }),
      ...(note.resumeToken !== undefined && { resume_token: note.resumeToken }),
      ...(note.sha256 !== undefined && { sha256: note.sha256 }),
      ...(note.bytes !== undefined && { bytes: note.bytes }),
      updated_at: sql<Date>`now()`,
    })
    .where('organization_id', '=', scope.organizationId)
    .where('id', '=', note.id)
    .modifyEnd(PREPARED)
    .execute();
}

export type DeliveryEnd =
  | { readonly state: 'succeeded'; readonly receipt: Receipt }
  | { readonly state: 'skipped'; readonly receipt: Receipt | null; readonly code: string; readonly reason: string }
  | { readonly state: 'failed' | 'exhausted'; readonly code: string; readonly reason: string }
  | {
      readonly state: 'queued';
      readonly nextAttemptAt: Date;
      readonly code: string | null;
      readonly reason: string | null;
      /** It does not count as one of the tries that a delivery has. */
      readonly isFree: boolean;
    };

/** Kept of a delivery whose target is away for weeks. */
const KEPT_ATTEMPTS = 50;

/**
 * Ends a try of a delivery that runs; undefined when it was cancelled meanwhile. One that has arrived in spite of that is where it
 * is, and says so.
 */
export async function endAttempt(
  tx: Tx,
  scope: LibraryScope,
  ended: { readonly id: number; readonly attempt: Attempt | null; readonly outcome: DeliveryEnd; readonly now: Date },
): Promise<{ readonly needsCleanup: boolean } | undefined> {
  const { outcome } = ended;
  const isOver = outcome.state !== 'queued';
  const added = ended.attempt && JSON.stringify([ended.attempt]);
  return tx
    .updateTable('delivery')
    .set({
      state: outcome.state,
      ...(added && {
        attempts: sql<string>`(CASE WHEN jsonb_array_length(attempts) >= ${KEPT_ATTEMPTS} THEN attempts - 0
          ELSE attempts END) || ${added}::jsonb`,
      }),
      ...(outcome.state === 'queued' && outcome.isFree && { attempt_count: sql<number>`attempt_count - 1` }),
      ...('receipt' in outcome && { receipt: outcome.receipt && JSON.stringify(outcome.receipt), progress: 1 }),
      error_code: 'code' in outcome ? outcome.code : null,
      error_reason: 'reason' in outcome ? outcome.reason : null,
      ...('nextAttemptAt' in outcome && { next_attempt_at: outcome.nextAttemptAt }),
      ...(isOver && {
        finished_at: ended.now,
        // Else what is left at the target is known by it: to a replay, and to whoever cleans up.
        ...((outcome.state === 'succeeded' || outcome.state === 'skipped') && { resume_token: null }),
        // The first try that arrives has left nothing; others may have begun under another name.
        cleanup_at: sql<Date | null>`CASE WHEN target_path IS NOT NULL
          AND NOT (${outcome.state} IN ('succeeded', 'skipped') AND attempt_count <= 1) THEN ${ended.now}::timestamptz END`,
      }),
      version: sql`version + 1`,
      updated_at: sql<Date>`now()`,
    })
    .where('organization_id', '=', scope.organizationId)
    .where('id', '=', ended.id)
    .where('state', 'in', outcome.state === 'succeeded' ? ['running', 'cancelled'] : ['running'])
    .returning(sql<boolean>`cleanup_at IS NOT NULL AND ${isOver}`.as('needsCleanup'))
    .modifyEnd(PREPARED)
    .executeTakeFirst();
}

/** Destinations of every organization that have something due, or something that a crash left running. */
export async function findDueDestinations(
  db: Queryable,
  now: Date,
): Promise<
  readonly { readonly organizationId: number; readonly destinationId: number; readonly isInterrupted: boolean }[]
> {
  return db
    .selectFrom('delivery')
    .select(['organization_id as organizationId', 'destination_id as destinationId'])
    .select(sql<boolean>`bool_or(state = 'running')`.as('isInterrupted'))
    .groupBy(['organization_id', 'destination_id'])
    .where((one) =>
      one.or([
        one('state', '=', 'running'),
        one.and([one('state', '=', 'queued'), one('next_attempt_at', '<=', now)]),
        one('cleanup_at', '<=', now),
      ]),
    )
    .execute();
}

/** Makes deliveries due that wait for a clip. */
export async function wakeForClip(tx: Queryable, scope: LibraryScope, clipId: number): Promise<readonly number[]> {
  const woken = await sql<{ destinationId: number }>`UPDATE delivery SET next_attempt_at = now()
    WHERE organization_id = ${scope.organizationId} AND state = 'queued' AND rendition ->> 'kind' = 'clip'
      AND (rendition ->> 'clip_id')::bigint = ${clipId} AND attempts = '[]'
    RETURNING destination_id AS "destinationId"`.execute(tx);
  return [...new Set(woken.rows.map(({ destinationId }) => destinationId))];
}

/** Any number of ours; the second is the destination. */
const LOCK_CLASS = 0x7463_6864;

/**
 * Runs `work` while nobody else works on the destination, on any node; undefined when somebody does. The lock belongs to a
 * connection, so that a process that is killed lets go of it. `work` gets a signal that tells of a connection that broke.
 */
export async function withDestinationLock<T>(
  db: Database,
  destinationId: number,
  work: (lost: AbortSignal) => Promise<T>,
): Promise<{ readonly result: T } | undefined> {
  return withAdvisoryLock(db, { lockClass: LOCK_CLASS, id: destinationId }, work);
}
