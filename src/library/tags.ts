import { AppError } from '../base/index.ts';
import { moveTagOnActions } from './action-tag-store.ts';
import type { LibraryWrite } from './changes-store.ts';
import { applyTagItems } from './tag-batch.ts';
import { failed, type TagItem } from './tag-draft.ts';
import type { TagInput } from './tag-input.ts';
import { deleteTag, updateTag } from './tag-store.ts';
import { moveTagOnAssets, recomputeImplied } from './tagging-store.ts';
import type { TagOption } from './tag-types.ts';
import { isTagOnActions, markMerged, moveSuggestions, redirectReferences } from './tag-merge-store.ts';

/** Applies one item; what a list reports of it is thrown. Answers the option's ID. */
async function applyOne(write: LibraryWrite, item: TagItem): Promise<number> {
  const [outcome] = await applyTagItems(write, [item]);
  if (outcome?.status === 'failed') throw outcome.error;
  if (!outcome || outcome.status === 'deferred') throw new Error('one item has nothing to wait for');
  return outcome.state.id;
}

/** Creates an option. @throws AppError `validation_failed`, `external_id_taken` */
export async function createTag(write: LibraryWrite, input: TagInput): Promise<number> {
  return applyOne(write, { input, target: 'new' });
}

/**
 * Changes the given fields; nothing is written when they are so already.
 * @throws AppError `validation_failed`, `external_id_taken`, `state_conflict` (merged)
 */
export async function editTag(write: LibraryWrite, present: TagOption, input: TagInput): Promise<void> {
  await applyOne(write, { input, target: present });
}

/**
 * Removes an option that no asset carries.
 * @throws AppError `conflict` when one does, when an action names it, or when another was merged into it
 */
export async function removeTag(write: LibraryWrite, present: TagOption): Promise<void> {
  if (present.mediaCount > 0) {
    throw new AppError(
      'conflict',
      `Tag option ${present.id} is on ${present.mediaCount} assets: deactivate it (status) or merge it into another.`,
    );
  }
  if (await isTagOnActions(write.tx, write.scope, present.id)) {
    throw new AppError(
      'conflict',
      `Actions name tag option ${present.id}: deactivate it (status) or merge it into another.`,
    );
  }
  try {
    await deleteTag(write.tx, write.scope, present.id);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === '23503') {
      throw new AppError('conflict', `Other tag options were merged into ${present.id}: it keeps their redirects.`);
    }
    throw error;
  }
  write.record({ type: 'tag_option.deleted', objectId: present.id });
}

/**
 * Merges `from` into `into`: assets, actions, relations, external IDs and names move, the old ID stays as a redirect.
 * @throws AppError `validation_failed` when the two are the same, of different types, or merged already
 */
export async function mergeTag(
  write: LibraryWrite,
  { from, into, actor = null }: { readonly from: TagOption; readonly into: TagOption; readonly actor?: string | null },
): Promise<void> {
  const wrong =
    from.id === into.id
      ? 'expected another tag option, received the same one'
      : from.type !== into.type
        ? `expected a tag option of type ${from.type}, received one of type ${into.type}`
        : from.status === 'merged' || into.status === 'merged'
          ? 'expected two tag options that are not merged'
          : undefined;
  if (wrong) throw failed([{ pointer: '/into', code: 'invalid', detail: wrong }]);
  const names = [from.label, from.fullName, ...from.aliases].filter((name) => name !== null);
  const aliases = [...new Set([...into.aliases, ...names])].filter(
    (name) => name !== into.label && name !== into.fullName,
  );
  await updateTag(write.tx, write.scope, into.id, { ...into, aliases });
  const pair = { fromId: from.id, intoId: into.id };
  await redirectReferences(write, pair);
  await markMerged(write.tx, pair);
  await moveTagOnActions(write, pair, actor);
  await moveTagOnAssets(write, pair);
  await moveSuggestions(write.tx, pair);
  // A club that takes over the stadiums of another one plays its matches there.
  await recomputeImplied(write, { matchIds: [], movedClubIds: from.type === 'club' ? [into.id] : [] });
  write.record({
    type: 'tag_option.merged',
    objectId: from.id,
    data: { merged_into: into.id, tag_option_ids: [into.id] },
  });
}

export type BulkTagResult =
  | { readonly index: number; readonly status: 'created' | 'updated' | 'unchanged'; readonly id: number }
  | { readonly index: number; readonly status: 'failed'; readonly error: AppError };

/**
 * Creates or changes many options, each found by its external IDs. Items may refer to each other in any order. One that
 * fails changes nothing and is reported.
 */
export async function upsertTags(write: LibraryWrite, inputs: readonly TagInput[]): Promise<readonly BulkTagResult[]> {
  const outcomes = await applyTagItems(
    write,
    inputs.map((input) => ({ input })),
  );
  return outcomes.map((outcome, index): BulkTagResult => {
    if (outcome.status === 'failed') return { index, status: 'failed', error: outcome.error };
    if (outcome.status === 'deferred') throw new Error('a whole list has nothing to wait for');
    return { index, status: outcome.status, id: outcome.state.id };
  });
}
