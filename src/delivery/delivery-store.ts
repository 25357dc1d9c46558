import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import type { LibraryScope } from '../auth/index.ts';
import type { Queryable, Tx } from '../db/index.ts';
import type { Delivery, DeliverySettings, DeliveryState, PlannedDelivery } from './delivery-types.ts';

// What `$castTo<Delivery>()` says of quality, state, attempts and receipt is checked by the table, or was written from these types here.
export const DELIVERY_COLUMNS = [
  'id',
  'destination_id as destinationId',
  'batch',
  'media_id as mediaId',
  'quality',
  'rendition',
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
  'settings',
  'error_code as errorCode',
  'error_reason as errorReason',
  'created_by as createdBy',
  'rule_id as ruleId',
  'version',
  'created_at as createdAt',
  'updated_at as updatedAt',
  'finished_at as finishedAt',
] as const;

/** PostgreSQL takes 65,535 parameters a statement; a delivery needs 21. */
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
    readonly settings: DeliverySettings | null;
    readonly cause?: { readonly ruleId: number; readonly run: string } | undefined;
    readonly planned: readonly PlannedDelivery[];
  },
): Promise<void> {
  for (let at = 0; at < batch.planned.length; at += PER_STATEMENT) {
    const rows = batch.planned.slice(at, at + PER_STATEMENT).map((one, index) => ({
      id: one.id,
      organization_id: scope.organizationId,
      destination_id: batch.destinationId,
      batch: batch.id,
      media_id: one.mediaId,
      quality: one.quality,
      rendition: one.rendition && JSON.stringify(one.rendition),
      state: one.state,
      path: one.path,
      nonce: randomBytes(8).toString('hex'),
      fingerprint: one.fingerprint,
      bytes: one.bytes,
      sha256: one.sha256,
      attempts: '[]',
      include_restricted: batch.includeRestricted,
      settings: batch.settings && JSON.stringify(batch.settings),
      leads_batch: at + index === 0,
      error_code: one.errorCode,
      error_reason: one.errorReason,
      created_by: batch.createdBy,
      rule_id: batch.cause?.ruleId ?? null,
      rule_run: batch.cause?.run ?? null,
      ...(one.state !== 'queued' && { finished_at: new Date() }),
    }));
    await tx.insertInto('delivery').values(rows).execute();
  }
}

/** The batch that a run of a rule has queued for a destination. */
export async function findBatchOfRun(
  db: Queryable,
  scope: LibraryScope,
  wanted: { readonly destinationId: number; readonly run: string },
): Promise<string | undefined> {
  const found = await db
    .selectFrom('delivery')
    .select('batch')
    .where('organization_id', '=', scope.organizationId)
    .where('rule_run', '=', wanted.run)
    .where('destination_id', '=', wanted.destinationId)
    .limit(1)
    .executeTakeFirst();
  return found?.batch;
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
    .select(DELIVERY_COLUMNS)
    .where('organization_id', '=', scope.organizationId)
    .where('id', '=', id)
    .$castTo<Delivery>()
    .executeTakeFirst();
}

/** In the order of their IDs. */
export async function findDeliveries(
  db: Queryable,
  scope: LibraryScope,
  ids: readonly number[],
): Promise<readonly Delivery[]> {
  if (ids.length === 0) return [];
  return db
    .selectFrom('delivery')
    .select(DELIVERY_COLUMNS)
    .where('organization_id', '=', scope.organizationId)
    .where('id', 'in', [...ids])
    .orderBy('id')
    .$castTo<Delivery>()
    .execute();
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
    .select(DELIVERY_COLUMNS)
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

/** One delivery, or all of one request. */
export type DeliveryChoice = { readonly id: number } | { readonly batch: string };
type Touched = { readonly id: number; readonly destinationId: number; readonly mediaId: number };
const TOUCHED = ['id', 'destination_id as destinationId', 'media_id as mediaId'] as const;

/** Cancels what waits or runs; answers those. */
export async function cancelDeliveries(
  tx: Tx,
  scope: LibraryScope,
  choice: DeliveryChoice,
): Promise<readonly Touched[]> {
  return tx
    .updateTable('delivery')
    .set({
      state: 'cancelled',
      version: sql`version + 1`,
      updated_at: sql<Date>`now()`,
      finished_at: sql<Date>`now()`,
      // Bytes were sent before: something may be left there.
      cleanup_at: sql<Date | null>`CASE WHEN target_path IS NOT NULL THEN now() END`,
    })
    .where('organization_id', '=', scope.organizationId)
    .$if('id' in choice, (query) => query.where('id', '=', 'id' in choice ? choice.id : 0))
    .$if('batch' in choice, (query) => query.where('batch', '=', 'batch' in choice ? choice.batch : ''))
    .where('state', 'in', ['queued', 'running'])
    .returning(TOUCHED)
    .execute();
}

/**
 * Queues again what failed, was exhausted or cancelled; answers those. What failed before its first try has no path of its own, and
 * stays.
 */
export async function replayDeliveries(
  tx: Tx,
  scope: LibraryScope,
  choice: DeliveryChoice,
): Promise<readonly Touched[]> {
  return tx
    .updateTable('delivery')
    .set({
      state: 'queued',
      attempt_count: 0,
      progress: 0,
      error_code: null,
      error_reason: null,
      finished_at: null,
      cleanup_at: null,
      next_attempt_at: sql<Date>`now()`,
      version: sql`version + 1`,
      updated_at: sql<Date>`now()`,
    })
    .where('organization_id', '=', scope.organizationId)
    .$if('id' in choice, (query) => query.where('id', '=', 'id' in choice ? choice.id : 0))
    .$if('batch' in choice, (query) => query.where('batch', '=', 'batch' in choice ? choice.batch : ''))
    .where((one) =>
      one.or([
        one('state', 'in', ['exhausted', 'cancelled']),
        one.and([one('state', '=', 'failed'), sql<boolean>`attempts <> '[]'`]),
      ]),
    )
    .returning(TOUCHED)
    .execute();
}
