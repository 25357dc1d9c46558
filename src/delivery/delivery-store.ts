import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import type { LibraryScope } from '../auth/index.ts';
import type { Database, Queryable, Tx } from '../db/index.ts';
import type { Attempt, Delivery, DeliveryState, PlannedDelivery, Receipt } from './delivery-types.ts';

// What `$castTo<Delivery>()` says of quality, state, attempts and receipt is checked by the table, or was written from these types here.
const COLUMNS = [
  'id',
  'destination_id as destinationId',
  'batch',
  'media_id as mediaId',
  'quality',
  'state',
  'path',
  'target_path as targetPath',
  'nonce',
  'fingerprint',
  'bytes',
  'sha256',
  'progress',
  'attempts',
  'attempt_count as attemptCount',
  'next_attempt_at as nextAttemptAt',
  'resume_token as resumeToken',
  'receipt',
  'include_restricted as includeRestricted',
  'error_code as errorCode',
  'error_reason as errorReason',
  'created_by as createdBy',
  'version',
  'created_at as createdAt',
  'updated_at as updatedAt',
  'finished_at as finishedAt',
] as const;

/** PostgreSQL takes 65,535 parameters a statement; a delivery needs 15. */
const PER_STATEMENT = 2000;

/** IDs for deliveries that are planned: paths may hold them. */
export async function reserveDeliveryIds(db: Queryable, count: number): Promise<readonly number[]> {
  const found = await sql<{ id: number }>`SELECT nextval(pg_get_serial_sequence('delivery', 'id')) AS id
    FROM generate_series(1, ${count}::int)`.execute(db);
  return found.rows.map(({ id }) => id);
}

export async function insertDeliveries(
  tx: Tx,
  scope: LibraryScope,
  batch: {
    readonly id: string;
    readonly destinationId: number;
    readonly createdBy: string;
    readonly includeRestricted: boolean;
    readonly planned: readonly PlannedDelivery[];
  },
): Promise<void> {
  for (let at = 0; at < batch.planned.length; at += PER_STATEMENT) {
    const rows = batch.planned.slice(at, at + PER_STATEMENT).map((one) => ({
      id: one.id,
      organization_id: scope.organizationId,
      destination_id: batch.destinationId,
      batch: batch.id,
      media_id: one.mediaId,
      quality: one.quality,
      state: one.state,
      path: one.path,
      nonce: randomBytes(8).toString('hex'),
      fingerprint: one.fingerprint,
      bytes: one.bytes,
      sha256: one.sha256,
      attempts: '[]',
      include_restricted: batch.includeRestricted,
      error_code: one.errorCode,
      error_reason: one.errorReason,
      created_by: batch.createdBy,
      ...(one.state !== 'queued' && { finished_at: new Date() }),
    }));
    await tx.insertInto('delivery').values(rows).execute();
  }
}

/** Fingerprints that are on their way or have arrived. */
export async function findDelivered(
  db: Queryable,
  scope: LibraryScope,
  wanted: { readonly destinationId: number; readonly fingerprints: readonly string[] },
): Promise<ReadonlyMap<string, number>> {
  if (wanted.fingerprints.length === 0) return new Map();
  const found = await sql<{ fingerprint: string; id: number }>`SELECT fingerprint, max(id) AS id FROM delivery
    WHERE organization_id = ${scope.organizationId} AND destination_id = ${wanted.destinationId}
      AND fingerprint = ANY(${[...wanted.fingerprints]}::text[]) AND state IN ('queued', 'running', 'succeeded')
    GROUP BY fingerprint`.execute(db);
  return new Map(found.rows.map(({ fingerprint, id }) => [fingerprint, id]));
}

export async function findDelivery(db: Queryable, scope: LibraryScope, id: number): Promise<Delivery | undefined> {
  return db
    .selectFrom('delivery')
    .select(COLUMNS)
    .where('organization_id', '=', scope.organizationId)
    .where('id', '=', id)
    .$castTo<Delivery>()
    .executeTakeFirst();
}

/** Newest first, before `beforeId`. */
export async function listDeliveries(
  db: Queryable,
  scope: LibraryScope,
  page: {
    readonly beforeId: number;
    readonly limit: number;
    readonly destinationId?: number | undefined;
    readonly mediaId?: number | undefined;
    readonly state?: DeliveryState | undefined;
    readonly batch?: string | undefined;
  },
): Promise<readonly Delivery[]> {
  const { destinationId, mediaId, state, batch } = page;
  return db
    .selectFrom('delivery')
    .select(COLUMNS)
    .where('organization_id', '=', scope.organizationId)
    .where('id', '<', page.beforeId)
    .$if(destinationId !== undefined, (query) => query.where('destination_id', '=', destinationId ?? 0))
    .$if(mediaId !== undefined, (query) => query.where('media_id', '=', mediaId ?? 0))
    .$if(state !== undefined, (query) => query.where('state', '=', state ?? ''))
    .$if(batch !== undefined, (query) => query.where('batch', '=', batch ?? ''))
    .orderBy('id', 'desc')
    .limit(page.limit)
    .$castTo<Delivery>()
    .execute();
}

/** Those that a run left behind which ended without a word; the caller holds the destination's lock. */
export async function requeueInterrupted(db: Queryable, scope: LibraryScope, destinationId: number): Promise<void> {
  await db
    .updateTable('delivery')
    .set({ state: 'queued', next_attempt_at: sql<Date>`now()`, updated_at: sql<Date>`now()` })
    .where('organization_id', '=', scope.organizationId)
    .where('destination_id', '=', destinationId)
    .where('state', '=', 'running')
    .execute();
}

/** Marks the next due ones as running, in the order in which they are due. */
export async function takeDueDeliveries(
  db: Queryable,
  scope: LibraryScope,
  wanted: { readonly destinationId: number; readonly limit: number; readonly now: Date },
): Promise<readonly Delivery[]> {
  return db
    .updateTable('delivery')
    .set({
      state: 'running',
      attempt_count: sql`attempt_count + 1`,
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
        .orderBy('next_attempt_at')
        .orderBy('id')
        .limit(wanted.limit)
        .forUpdate()
        .skipLocked(),
    )
    .returning(COLUMNS)
    .$castTo<Delivery>()
    .execute();
}

/** When the next one is due; undefined when none waits. */
export async function findNextDue(
  db: Queryable,
  scope: LibraryScope,
  destinationId: number,
): Promise<Date | undefined> {
  const found = await db
    .selectFrom('delivery')
    .select((one) => one.fn.min('next_attempt_at').as('at'))
    .where('organization_id', '=', scope.organizationId)
    .where('destination_id', '=', destinationId)
    .where('state', '=', 'queued')
    .executeTakeFirst();
  return found?.at ?? undefined;
}

/** Writes how far those are that run; answers the IDs of those that are not wanted any more. */
export async function noteDeliveryProgress(
  db: Queryable,
  scope: LibraryScope,
  running: readonly { readonly id: number; readonly progress: number }[],
): Promise<readonly number[]> {
  const ids = running.map(({ id }) => id);
  const kept = await sql<{ id: number }>`UPDATE delivery d SET progress = given.progress, updated_at = now()
    FROM unnest(${ids}::bigint[], ${running.map(({ progress }) => progress)}::real[]) AS given (id, progress)
    WHERE d.id = given.id AND d.organization_id = ${scope.organizationId} AND d.state = 'running'
    RETURNING d.id`.execute(db);
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
    readonly resumeToken?: string;
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
    .execute();
}

export type DeliveryEnd =
  | { readonly state: 'succeeded'; readonly receipt: Receipt }
  | { readonly state: 'skipped'; readonly receipt: Receipt | null; readonly code: string; readonly reason: string }
  | { readonly state: 'failed' | 'exhausted'; readonly code: string; readonly reason: string }
  | { readonly state: 'queued'; readonly nextAttemptAt: Date; readonly code: string; readonly reason: string };

/** Ends a try of a delivery that runs; undefined when it was cancelled meanwhile. */
export async function endAttempt(
  tx: Tx,
  scope: LibraryScope,
  ended: { readonly id: number; readonly attempt: Attempt | null; readonly outcome: DeliveryEnd },
): Promise<Delivery | undefined> {
  const { outcome } = ended;
  const isOver = outcome.state !== 'queued';
  return tx
    .updateTable('delivery')
    .set({
      state: outcome.state,
      ...(ended.attempt && { attempts: sql<string>`attempts || ${JSON.stringify([ended.attempt])}::jsonb` }),
      ...('receipt' in outcome && { receipt: outcome.receipt && JSON.stringify(outcome.receipt), progress: 1 }),
      error_code: 'code' in outcome ? outcome.code : null,
      error_reason: 'reason' in outcome ? outcome.reason : null,
      ...('nextAttemptAt' in outcome && { next_attempt_at: outcome.nextAttemptAt }),
      ...(isOver && { finished_at: sql<Date>`now()`, resume_token: null }),
      version: sql`version + 1`,
      updated_at: sql<Date>`now()`,
    })
    .where('organization_id', '=', scope.organizationId)
    .where('id', '=', ended.id)
    .where('state', '=', 'running')
    .returning(COLUMNS)
    .$castTo<Delivery>()
    .executeTakeFirst();
}

/** Cancels one that waits or runs; undefined when it has ended. */
export async function cancelDelivery(tx: Tx, scope: LibraryScope, id: number): Promise<Delivery | undefined> {
  return tx
    .updateTable('delivery')
    .set({
      state: 'cancelled',
      version: sql`version + 1`,
      updated_at: sql<Date>`now()`,
      finished_at: sql<Date>`now()`,
    })
    .where('organization_id', '=', scope.organizationId)
    .where('id', '=', id)
    .where('state', 'in', ['queued', 'running'])
    .returning(COLUMNS)
    .$castTo<Delivery>()
    .executeTakeFirst();
}

/** Queues one again that ended without its file at the target; undefined when it is in another state. */
export async function replayDelivery(
  tx: Tx,
  scope: LibraryScope,
  replay: { readonly id: number; readonly states: readonly DeliveryState[] },
): Promise<Delivery | undefined> {
  return tx
    .updateTable('delivery')
    .set({
      state: 'queued',
      attempt_count: 0,
      progress: 0,
      error_code: null,
      error_reason: null,
      finished_at: null,
      next_attempt_at: sql<Date>`now()`,
      version: sql`version + 1`,
      updated_at: sql<Date>`now()`,
    })
    .where('organization_id', '=', scope.organizationId)
    .where('id', '=', replay.id)
    .where('state', 'in', [...replay.states])
    .returning(COLUMNS)
    .$castTo<Delivery>()
    .executeTakeFirst();
}

/** Destinations of every organization that have something due, or something that a crash left running. */
export async function findDueDestinations(
  db: Queryable,
  now: Date,
): Promise<readonly { readonly organizationId: number; readonly destinationId: number }[]> {
  return db
    .selectFrom('delivery')
    .select(['organization_id as organizationId', 'destination_id as destinationId'])
    .distinct()
    .where((one) =>
      one.or([one('state', '=', 'running'), one.and([one('state', '=', 'queued'), one('next_attempt_at', '<=', now)])]),
    )
    .execute();
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
  return db.connection().execute(async (connection) => {
    const key = sql`${LOCK_CLASS}::int, hashint8(${destinationId}::bigint)`;
    const got = await sql<{ locked: boolean }>`SELECT pg_try_advisory_lock(${key}) AS locked`.execute(connection);
    if (got.rows[0]?.locked !== true) return undefined;
    const lost = new AbortController();
    let asking: Promise<unknown> = Promise.resolve();
    const beat = setInterval(() => {
      asking = sql`SELECT 1`.execute(connection).catch((error: unknown) => lost.abort(error));
    }, 5000);
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
