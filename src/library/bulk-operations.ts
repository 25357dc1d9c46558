import type { LibraryScope } from '../auth/index.ts';
import { AppError } from '../base/index.ts';
import type { Database } from '../db/index.ts';
import { applyBulkEdit, type BulkHooks, checkBulkEdit } from './bulk-edits.ts';
import {
  type BulkOperation,
  endOperation,
  findBulkOperation,
  keepResults,
  listWaiting,
} from './bulk-operation-store.ts';
import { type LibraryWrite, writeLibrary } from './changes-store.ts';

/** Some 0.2 s of work: other writes of the organization wait for one batch at most. */
const BATCH_ITEMS = 200;

const hasEnded = ({ state }: BulkOperation) => state !== 'queued' && state !== 'running';

type Batch = { readonly more: boolean; readonly deletedIds: readonly number[] };
const DONE: Batch = { more: false, deletedIds: [] };

async function runBatch(write: LibraryWrite, id: number, hooks: BulkHooks): Promise<Batch> {
  const operation = await findBulkOperation(write.tx, write.scope, id);
  // Cancelled, forgotten, or ended by a run that this one followed.
  if (!operation || hasEnded(operation)) return DONE;
  const items = await listWaiting(write, operation, BATCH_ITEMS);
  if (items.length === 0) {
    await endOperation(write, operation, { state: 'succeeded' });
    return DONE;
  }
  let edit;
  try {
    // Again for every batch: tag options may have been merged, and fields changed, since the last one.
    edit = await checkBulkEdit(write, operation.edit);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    await endOperation(write, operation, { state: 'failed', failure: error.message });
    return DONE;
  }
  const { dryRun, createdBy: actor } = operation;
  const ids = items.map((item) => item.id);
  const results = await applyBulkEdit(write, ids, { edit, dryRun, actor, hooks });
  await keepResults(
    write,
    operation,
    items.flatMap(({ n }, at) => {
      const result = results[at];
      return result ? [{ n, result }] : [];
    }),
  );
  const deletes = edit.bin === 'delete' && !dryRun;
  const deletedIds = deletes ? results.filter((one) => one.status === 'updated').map((one) => one.id) : [];
  if (items.length < BATCH_ITEMS) await endOperation(write, operation, { state: 'succeeded' });
  return { more: items.length === BATCH_ITEMS, deletedIds };
}

/**
 * Runs an operation to its end, in transactions of 200 assets with what is done noted in the same transaction: a run that
 * was interrupted goes on where it was, one beside another does other assets, and a cancelled one stops.
 * @param options.onDeleted told of assets after the commit that moved them into the bin
 */
export async function runBulkOperation(
  db: Database,
  scope: LibraryScope,
  options: {
    readonly id: number;
    readonly hooks: BulkHooks;
    readonly onDeleted: (ids: readonly number[]) => Promise<void>;
    readonly signal: AbortSignal;
  },
): Promise<void> {
  for (;;) {
    options.signal.throwIfAborted();
    const { result } = await writeLibrary(db, scope, (write) => runBatch(write, options.id, options.hooks));
    await options.onDeleted(result.deletedIds);
    if (!result.more) return;
  }
}

/** Notes that an operation was given up, unless it has ended. */
export async function giveUpBulkOperation(
  db: Database,
  scope: LibraryScope,
  options: { readonly id: number; readonly reason: string },
): Promise<void> {
  await writeLibrary(db, scope, async (write) => {
    const operation = await findBulkOperation(write.tx, scope, options.id);
    if (operation && !hasEnded(operation)) {
      await endOperation(write, operation, { state: 'failed', failure: options.reason });
    }
  });
}
