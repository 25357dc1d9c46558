import type { BulkItem, BulkOperation } from '../../library/index.ts';
import type { BulkResultOut, OperationOut } from '../wire/bulk.ts';

/** @param errors items that failed; undefined in lists */
export function presentOperation(operation: BulkOperation, errors: readonly BulkItem[] | undefined): OperationOut {
  const { total, updated, unchanged, failed } = operation;
  return {
    id: operation.id,
    kind: 'media.bulk',
    state: operation.state,
    total,
    done: updated + unchanged + failed,
    updated,
    unchanged,
    failed,
    dry_run: operation.dryRun,
    failure: operation.failure,
    ...(errors && { errors: errors.flatMap(({ id, error }) => (error ? [{ id, ...error }] : [])) }),
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
