import type { ImportItem } from '../../ingest/index.ts';
import type { BulkItem, BulkOperation } from '../../library/index.ts';
import type { BulkResultOut, OperationOut } from '../wire/bulk.ts';

/** @param failures items that failed; undefined in lists */
export function presentOperation(
  operation: BulkOperation,
  failures: readonly BulkResultOut[] | undefined,
): OperationOut {
  const { total, created, updated, unchanged, failed } = operation;
  return {
    id: operation.id,
    kind: operation.kind,
    state: operation.state,
    total,
    done: created + updated + unchanged + failed,
    created,
    updated,
    unchanged,
    failed,
    dry_run: operation.dryRun,
    failure: operation.failure,
    ...(failures && {
      errors: failures.flatMap(({ status: _status, error, ...what }) => (error ? [{ ...what, ...error }] : [])),
    }),
    created_by: operation.createdBy,
    created_at: operation.createdAt.toISOString(),
    started_at: operation.startedAt?.toISOString() ?? null,
    finished_at: operation.finishedAt?.toISOString() ?? null,
    version: operation.version,
  };
}

export function presentItem({ id, status, error }: BulkItem): BulkResultOut {
  return { id, status, ...(error && { error }) };
}

export function presentImportItem({ url, mediaId, status, error }: ImportItem): BulkResultOut {
  return { ...(mediaId !== null && { id: mediaId }), url, status: status ?? 'waiting', ...(error && { error }) };
}
