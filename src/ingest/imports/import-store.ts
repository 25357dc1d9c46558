import { sql } from 'kysely';
import type { LibraryScope } from '../../auth/index.ts';
import type { Queryable } from '../../db/index.ts';
import type { LibraryWrite } from '../../library/index.ts';
import type { UploadFields } from '../intake.ts';
import { readStoredFields, type StoredFields } from '../upload-fields.ts';

export type NewImportItem = {
  readonly url: string;
  readonly fields: UploadFields;
  /** Whether the request named the file. */
  readonly named: boolean;
};

/** One URL of an import. */
export type ImportItem = NewImportItem & {
  readonly operationId: number;
  /** Place in the operation, from 1. */
  readonly n: number;
  readonly status: 'created' | 'updated' | 'failed' | null;
  readonly mediaId: number | null;
  readonly error: { readonly code: string; readonly detail: string } | null;
  /** The upload that its bytes go into, where their length is known. */
  readonly uploadId: number | null;
  readonly validator: string | null;
  /** Whether its operation still runs. */
  readonly isWanted: boolean;
  readonly createdBy: string;
};

type Key = { readonly operationId: number; readonly n: number };

/** Queues an import; whoever calls it queues a job for each item. */
export async function insertImport(
  { tx, scope }: Pick<LibraryWrite, 'tx' | 'scope'>,
  { items, createdBy }: { readonly items: readonly NewImportItem[]; readonly createdBy: string },
): Promise<number> {
  const { id } = await tx
    .insertInto('bulk_operation')
    .values({
      organization_id: scope.organizationId,
      kind: 'media.import',
      state: 'queued',
      edit: '{}',
      total: items.length,
      created_by: createdBy,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await sql`INSERT INTO import_item (operation_id, n, url, fields, named)
    SELECT ${id}, given.n, given.url, given.fields::jsonb, given.named
    FROM unnest(${items.map((one) => one.url)}::text[], ${items.map((one) => JSON.stringify(one.fields))}::text[],
      ${items.map((one) => one.named)}::boolean[]) WITH ORDINALITY AS given (url, fields, named, n)`.execute(tx);
  return id;
}

type Row = Omit<ImportItem, 'fields'> & { readonly fields: StoredFields };

const COLUMNS = sql`i.operation_id AS "operationId", i.n, i.url, i.fields, i.named, i.status, i.media_id AS "mediaId",
  i.error, i.upload_id AS "uploadId", i.validator, o.state IN ('queued', 'running') AS "isWanted",
  o.created_by AS "createdBy"`;

const toItem = (row: Row): ImportItem => ({ ...row, fields: readStoredFields(row.fields) });

export async function findImportItem(
  db: Queryable,
  scope: LibraryScope,
  { operationId, n }: Key,
): Promise<ImportItem | undefined> {
  const found = await sql<Row>`SELECT ${COLUMNS} FROM import_item i JOIN bulk_operation o ON o.id = i.operation_id
    WHERE o.organization_id = ${scope.organizationId} AND i.operation_id = ${operationId} AND i.n = ${n}`.execute(db);
  const row = found.rows[0];
  return row && toItem(row);
}

/** Items of an operation that was found in the caller's organization, by place. */
export async function listImportItems(
  db: Queryable,
  operation: { readonly id: number },
  page: { readonly afterN: number; readonly limit: number; readonly status?: string | undefined },
): Promise<readonly ImportItem[]> {
  const only =
    page.status === undefined
      ? sql``
      : page.status === 'waiting'
        ? sql`AND i.status IS NULL`
        : sql`AND i.status = ${page.status}`;
  const found = await sql<Row>`SELECT ${COLUMNS} FROM import_item i JOIN bulk_operation o ON o.id = i.operation_id
    WHERE i.operation_id = ${operation.id} AND i.n > ${page.afterN} ${only} ORDER BY i.n LIMIT ${page.limit}`.execute(
    db,
  );
  return found.rows.map(toItem);
}

/** Notes where the bytes of an item go, and what they are bytes of. */
export async function noteImportSource(
  db: Queryable,
  { operationId, n }: Key,
  source: { readonly uploadId: number | null; readonly validator: string | null },
): Promise<void> {
  await sql`UPDATE import_item SET upload_id = ${source.uploadId}, validator = ${source.validator}
    WHERE operation_id = ${operationId} AND n = ${n}`.execute(db);
}

export type ImportResult =
  | { readonly status: 'created' | 'updated'; readonly mediaId: number }
  | { readonly status: 'failed'; readonly error: { readonly code: string; readonly detail: string } };

/** Notes that an operation has begun. */
export async function beginImport(db: Queryable, operationId: number): Promise<void> {
  await sql`UPDATE bulk_operation SET state = 'running', started_at = now(), version = version + 1
    WHERE id = ${operationId} AND state = 'queued'`.execute(db);
}

/**
 * Notes what became of an item, once, and ends the operation with its last one. The URL loses its query, which may hold a
 * signature. What was fetched while the operation was cancelled is noted too.
 */
export async function finishImportItem(db: Queryable, { operationId, n }: Key, result: ImportResult): Promise<void> {
  const mediaId = result.status === 'failed' ? null : result.mediaId;
  const error = result.status === 'failed' ? JSON.stringify(result.error) : null;
  await sql`WITH noted AS (
      UPDATE import_item SET status = ${result.status}, media_id = ${mediaId}, error = ${error}::jsonb, validator = NULL,
        upload_id = NULL, url = regexp_replace(url, '[?#].*$', '')
      WHERE operation_id = ${operationId} AND n = ${n} AND status IS NULL RETURNING status)
    UPDATE bulk_operation o SET
      created = created + CASE WHEN noted.status = 'created' THEN 1 ELSE 0 END,
      updated = updated + CASE WHEN noted.status = 'updated' THEN 1 ELSE 0 END,
      failed = failed + CASE WHEN noted.status = 'failed' THEN 1 ELSE 0 END,
      started_at = COALESCE(started_at, now()), version = version + 1,
      state = CASE WHEN state NOT IN ('queued', 'running') THEN state
        WHEN created + updated + failed + 1 >= total THEN 'succeeded' ELSE 'running' END,
      finished_at = CASE WHEN finished_at IS NULL AND created + updated + failed + 1 >= total THEN now() ELSE finished_at END
    FROM noted WHERE o.id = ${operationId}`.execute(db);
}

/** Takes the queries off the URLs of a cancelled import. */
export async function forgetImportQueries(db: Queryable): Promise<void> {
  await sql`UPDATE import_item i SET url = regexp_replace(url, '[?#].*$', '') FROM bulk_operation o
    WHERE o.id = i.operation_id AND o.state NOT IN ('queued', 'running') AND url ~ '[?#]'`.execute(db);
}
