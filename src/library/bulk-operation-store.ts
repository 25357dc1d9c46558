import { sql } from 'kysely';
import type { LibraryScope } from '../auth/index.ts';
import { AppError } from '../base/index.ts';
import { type Database, type Queryable } from '../db/index.ts';
import type { BulkEdit, BulkResult } from './bulk-edit.ts';
import type { LibraryWrite } from './changes-store.ts';

export const OPERATION_STATES = ['queued', 'running', 'succeeded', 'failed', 'cancelled'] as const;
export type OperationState = (typeof OPERATION_STATES)[number];

export const OPERATION_KINDS = ['media.bulk', 'media.import'] as const;

/** What goes on with many assets as jobs: an edit, or an import of files from URLs. */
export type BulkOperation = {
  readonly id: number;
  readonly kind: (typeof OPERATION_KINDS)[number];
  readonly state: OperationState;
  readonly edit: BulkEdit;
  readonly dryRun: boolean;
  readonly total: number;
  /** By an import. */
  readonly created: number;
  readonly updated: number;
  readonly unchanged: number;
  readonly failed: number;
  /** Why the operation as a whole has failed. */
  readonly failure: string | null;
  /** Name of the API key. */
  readonly createdBy: string;
  readonly version: number;
  readonly createdAt: Date;
  readonly startedAt: Date | null;
  readonly finishedAt: Date | null;
};

const SELECT = sql`SELECT id, kind, state, edit, dry_run AS "dryRun", total, created, updated, unchanged, failed, failure,
  created_by AS "createdBy", version, created_at AS "createdAt", started_at AS "startedAt", finished_at AS "finishedAt"
  FROM bulk_operation`;

/** PostgreSQL takes one parameter of up to 1 GiB; an ID is some 10 bytes of it. */
const ITEMS_PER_STATEMENT = 100_000;

/** Queues an operation over these assets; whoever calls it queues the job. */
export async function insertBulkOperation(
  write: LibraryWrite,
  operation: {
    readonly ids: readonly number[];
    readonly edit: BulkEdit;
    readonly dryRun: boolean;
    readonly createdBy: string;
  },
): Promise<number> {
  const { ids, edit, dryRun, createdBy } = operation;
  const { id } = await write.tx
    .insertInto('bulk_operation')
    .values({
      organization_id: write.scope.organizationId,
      state: 'queued',
      edit: JSON.stringify(edit),
      dry_run: dryRun,
      total: ids.length,
      created_by: createdBy,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  for (let at = 0; at < ids.length; at += ITEMS_PER_STATEMENT) {
    const part = ids.slice(at, at + ITEMS_PER_STATEMENT);
    await sql`INSERT INTO bulk_item (operation_id, n, media_id)
      SELECT ${id}, ${at} + n, media_id FROM unnest(${part}::bigint[]) WITH ORDINALITY AS given (media_id, n)`.execute(
      write.tx,
    );
  }
  return id;
}

export async function findBulkOperation(
  db: Queryable,
  scope: LibraryScope,
  id: number,
): Promise<BulkOperation | undefined> {
  const found =
    await sql<BulkOperation>`${SELECT} WHERE organization_id = ${scope.organizationId} AND id = ${id}`.execute(db);
  return found.rows[0];
}

/** The newest first, before `beforeId`. */
export async function listBulkOperations(
  db: Queryable,
  scope: LibraryScope,
  page: { readonly beforeId: number; readonly limit: number },
): Promise<readonly BulkOperation[]> {
  const found = await sql<BulkOperation>`${SELECT} WHERE organization_id = ${scope.organizationId}
    AND id < ${page.beforeId} ORDER BY id DESC LIMIT ${page.limit}`.execute(db);
  return found.rows;
}

export type BulkItem = {
  /** Place in the operation, from 1. */
  readonly n: number;
  readonly id: number;
  readonly status: BulkResult['status'] | 'waiting';
  readonly error: { readonly code: string; readonly detail: string } | null;
};

/** Items of an operation that was found in the caller's organization, by place. */
export async function listBulkItems(
  db: Queryable,
  operation: Pick<BulkOperation, 'id'>,
  page: { readonly afterN: number; readonly limit: number; readonly status?: string | undefined },
): Promise<readonly BulkItem[]> {
  const only =
    page.status === undefined
      ? sql``
      : page.status === 'waiting'
        ? sql`AND status IS NULL`
        : sql`AND status = ${page.status}`;
  const found =
    await sql<BulkItem>`SELECT n, media_id AS id, COALESCE(status, 'waiting') AS status, error FROM bulk_item
    WHERE operation_id = ${operation.id} AND n > ${page.afterN} ${only} ORDER BY n LIMIT ${page.limit}`.execute(db);
  return found.rows;
}

/** The assets of an operation that were not done yet. */
export async function listWaiting(
  { tx }: LibraryWrite,
  operation: Pick<BulkOperation, 'id'>,
  limit: number,
): Promise<readonly { readonly n: number; readonly id: number }[]> {
  const found = await sql<{ n: number; id: number }>`SELECT n, media_id AS id FROM bulk_item
    WHERE operation_id = ${operation.id} AND status IS NULL ORDER BY n LIMIT ${limit}`.execute(tx);
  return found.rows;
}

/** Keeps the results of a batch and how far the operation is, in the transaction that did the work. */
export async function keepResults(
  { tx }: LibraryWrite,
  operation: Pick<BulkOperation, 'id'>,
  results: readonly { readonly n: number; readonly result: BulkResult }[],
): Promise<void> {
  await sql`UPDATE bulk_item i SET status = g.status, error = g.error::jsonb
    FROM unnest(${results.map((one) => one.n)}::int[], ${results.map((one) => one.result.status)}::text[],
      ${results.map((one) => (one.result.error ? JSON.stringify(one.result.error) : null))}::text[]) AS g (n, status, error)
    WHERE i.operation_id = ${operation.id} AND i.n = g.n`.execute(tx);
  const count = (status: BulkResult['status']) => results.filter((one) => one.result.status === status).length;
  await sql`UPDATE bulk_operation SET state = 'running', started_at = COALESCE(started_at, now()),
      updated = updated + ${count('updated')}, unchanged = unchanged + ${count('unchanged')},
      failed = failed + ${count('failed')}, version = version + 1
    WHERE id = ${operation.id}`.execute(tx);
}

/** Ends an operation that has not ended. @throws AppError `conflict` when it has */
export async function endOperation(
  { tx, scope }: Pick<LibraryWrite, 'tx' | 'scope'>,
  operation: Pick<BulkOperation, 'id'>,
  end: { readonly state: 'succeeded' | 'failed' | 'cancelled'; readonly failure?: string },
): Promise<void> {
  const ended = await sql`UPDATE bulk_operation SET state = ${end.state}, failure = ${end.failure ?? null},
      started_at = COALESCE(started_at, now()), finished_at = now(), version = version + 1
    WHERE organization_id = ${scope.organizationId} AND id = ${operation.id} AND state IN ('queued', 'running')
    RETURNING id`.execute(tx);
  if (ended.rows.length === 0) throw new AppError('conflict', `Operation ${operation.id} has ended already.`);
}

/** Forgets operations that were queued before a time and have ended. Answers how many. */
export async function deleteOldOperations(db: Database, before: Date): Promise<number> {
  const deleted = await sql`DELETE FROM bulk_operation
    WHERE created_at < ${before} AND state NOT IN ('queued', 'running') RETURNING id`.execute(db);
  return deleted.rows.length;
}
