import { AppError } from '../base/index.ts';
import type { Asset } from './asset-types.ts';
import { findAssets } from './asset-store.ts';
import { resolveTagIds, type UploadOutcome } from './assets.ts';
import { moveAllToBin, restoreAllFromBin } from './bin.ts';
import { type BulkEdit, type BulkPlan, type BulkResult, planBulkEdit } from './bulk-edit.ts';
import { tryOut, writeBulkValues } from './bulk-edit-store.ts';
import type { LibraryWrite } from './changes-store.ts';
import { findMissingCollections } from './collection-store.ts';
import { checkDetails } from './detail-fields.ts';
import { insertTagsOfAssets, recomputeTags, removeTagsOfAssets } from './tagging-store.ts';

/** What an edit of assets leaves to do for others: processing to queue in the same transaction. */
export type BulkHooks = {
  enqueueProcessing(write: LibraryWrite, asset: Pick<UploadOutcome, 'id' | 'process'>): Promise<void>;
};

async function checkCollections(write: LibraryWrite, ids: readonly number[], pointer: string): Promise<void> {
  const missing = await findMissingCollections(write.tx, write.scope, ids);
  if (missing.length === 0) return;
  const detail = `expected IDs of collections, received unknown ${missing.join(', ')}`;
  throw new AppError('unknown_collection', detail, {
    errors: [{ pointer, code: 'unknown_collection', detail }],
    details: { unknown: missing },
  });
}

/**
 * An edit with its tag options and details checked: merged tag options followed, values in the form they are stored in.
 * @throws AppError `unknown_tag_option`, `tag_option_deactivated`, `unknown_collection`, `validation_failed`
 */
export async function checkBulkEdit(write: LibraryWrite, edit: BulkEdit): Promise<BulkEdit> {
  const { set, tags, collections } = edit;
  await checkCollections(write, set?.collections ?? [], '/set/collections');
  await checkCollections(write, collections?.add ?? [], '/collections/add');
  await checkCollections(write, collections?.remove ?? [], '/collections/remove');
  return {
    ...edit,
    ...(set?.details && {
      set: { ...set, details: await checkDetails(write, set.details, { pointer: '/set/details' }) },
    }),
    ...(tags && {
      tags: {
        add: await resolveTagIds(write, tags.add, { pointer: '/tags/add', adding: true }),
        remove: await resolveTagIds(write, tags.remove, { pointer: '/tags/remove', adding: false }),
      },
    }),
  };
}

const failed = (id: number, error: BulkResult['error'] & object): BulkResult => ({ id, status: 'failed', error });
const unknown = (id: number) => failed(id, { code: 'not_found', detail: `There is no asset ${id}.` });

/** Moves assets into the bin or out of it; one that is there already stays as it is. */
async function moveAssets(
  write: LibraryWrite,
  assets: readonly Asset[],
  { bin, hooks }: { readonly bin: 'delete' | 'restore'; readonly hooks: BulkHooks },
): Promise<ReadonlyMap<number, BulkResult>> {
  const moving = assets.filter((asset) => (asset.status === 'deleted') !== (bin === 'delete'));
  const results = new Map(assets.map(({ id }): [number, BulkResult] => [id, { id, status: 'unchanged' }]));
  for (const { id } of moving) results.set(id, { id, status: 'updated' });
  if (bin === 'delete') {
    await moveAllToBin(write, moving);
    return results;
  }
  const { conflicts, process } = await restoreAllFromBin(write, moving);
  for (const [id, detail] of conflicts) results.set(id, failed(id, { code: 'conflict', detail }));
  for (const outcome of process) await hooks.enqueueProcessing(write, outcome);
  return results;
}

function resultOf(id: number, plan: BulkPlan): BulkResult {
  if (plan.failure) return failed(id, plan.failure);
  const changes = plan.values !== undefined || plan.add.length > 0 || plan.remove.length > 0;
  return { id, status: changes ? 'updated' : 'unchanged' };
}

async function writePlans(
  write: LibraryWrite,
  plans: readonly (readonly [number, BulkPlan])[],
  actor: string,
): Promise<void> {
  const fine = plans.flatMap(([id, plan]) => (plan.failure ? [] : [{ id, ...plan }]));
  await writeBulkValues(
    write,
    fine.flatMap(({ id, values, detailsChange }) => (values ? [{ id, values, detailsChange }] : [])),
  );
  const tagged = fine.filter((one) => one.add.length > 0 || one.remove.length > 0);
  const pairs = (which: 'add' | 'remove') =>
    tagged.flatMap((one) => one[which].map((tagOptionId) => ({ assetId: one.id, tagOptionId })));
  await removeTagsOfAssets(write, pairs('remove'), { actor });
  const added = pairs('add').map((pair) => ({ ...pair, source: 'manual', actor }) as const);
  const touched = [...(await insertTagsOfAssets(write, added))];
  await recomputeTags(
    write,
    tagged.map(({ id }) => id),
    { touched },
  );
}

/**
 * Does an edit to assets, each wholly or not at all; answers one result an ID, in their order. An ID of nothing in the
 * organization has failed (`not_found`), as has one in the bin, but for edits that move assets there and back.
 * @param options.edit as checkBulkEdit answers it
 * @param options.actor name of the API key
 */
export async function applyBulkEdit(
  write: LibraryWrite,
  ids: readonly number[],
  options: {
    readonly edit: BulkEdit;
    readonly dryRun: boolean;
    readonly actor: string;
    readonly hooks: BulkHooks;
  },
): Promise<readonly BulkResult[]> {
  const { edit, dryRun, actor, hooks } = options;
  if (dryRun) return tryOut(write, (trial) => applyBulkEdit(trial, ids, { ...options, dryRun: false }));
  const assets = new Map((await findAssets(write.tx, write.scope, ids)).map((asset) => [asset.id, asset]));
  const { bin } = edit;
  if (bin) {
    const results = await moveAssets(write, [...assets.values()], { bin, hooks });
    return ids.map((id) => results.get(id) ?? unknown(id));
  }
  const plans = new Map<number, BulkPlan>();
  for (const asset of assets.values()) {
    if (asset.status !== 'deleted') plans.set(asset.id, planBulkEdit(asset, edit));
  }
  await writePlans(write, [...plans], actor);
  return ids.map((id) => {
    const plan = plans.get(id);
    return plan ? resultOf(id, plan) : unknown(id);
  });
}
