import { resolveTagIds } from './assets.ts';
import { clearFaceSuggestions } from './face-descriptor-store.ts';
import { linkAcceptedFaces } from './face-suggestions.ts';
import type { LibraryWrite } from './changes-store.ts';
import {
  acceptSuggestions,
  insertSuggestions,
  readPairStates,
  rejectTags,
  type Suggestion,
} from './suggestion-store.ts';
import { findTagSummaries } from './tag-store.ts';
import { insertTags, recomputeTags, removeTags } from './tagging-store.ts';

export type TagChanges = {
  readonly add?: readonly number[] | undefined;
  readonly remove?: readonly number[] | undefined;
  readonly suggest?: readonly Suggestion[] | undefined;
  readonly accept?: readonly number[] | undefined;
  readonly reject?: readonly number[] | undefined;
  /** Name of the API key that asks. */
  readonly actor: string;
};

/** What was asked for and left out, without being a fault of who asked. */
export type SkippedTag = {
  readonly id: number;
  readonly reason: 'rejected' | 'present' | 'deactivated' | 'not_suggested';
};

async function suggest(
  write: LibraryWrite,
  assetId: number,
  given: { readonly suggestions: readonly Suggestion[]; readonly actor: string; readonly skipped: SkippedTag[] },
): Promise<boolean> {
  const asked = given.suggestions.map((one) => one.tagOptionId);
  await resolveTagIds(write, asked, { pointer: '/suggest', adding: false });
  const summaries = await findTagSummaries(write.tx, write.scope, asked);
  const targets = new Map(asked.map((id) => [id, summaries.get(id)?.mergedInto ?? id]));
  const target = await findTagSummaries(write.tx, write.scope, [...targets.values()]);
  const states = await readPairStates(write, assetId, [...targets.values()]);
  const open = new Map<number, Suggestion>();
  for (const one of given.suggestions) {
    const id = targets.get(one.tagOptionId) ?? one.tagOptionId;
    const state = states.get(id);
    if (state === 'rejected' || state === 'present') given.skipped.push({ id: one.tagOptionId, reason: state });
    else if (target.get(id)?.status === 'deactivated') {
      given.skipped.push({ id: one.tagOptionId, reason: 'deactivated' });
    } else open.set(id, { ...one, tagOptionId: id });
  }
  return insertSuggestions(write, assetId, { suggestions: [...open.values()], actor: given.actor });
}

/**
 * Changes the tags of an asset by hand (`add`, `remove`), takes what machines suggest (`suggest`), and what people say of
 * it (`accept`, `reject`), in the order remove, reject, add, accept, suggest. Answers what was left out.
 * @throws AppError `unknown_tag_option`, `tag_option_deactivated`
 */
export async function changeAssetTags(
  write: LibraryWrite,
  assetId: number,
  change: TagChanges,
): Promise<readonly SkippedTag[]> {
  const { actor } = change;
  const resolve = (ids: readonly number[] | undefined, pointer: string) =>
    resolveTagIds(write, ids ?? [], { pointer, adding: pointer === '/add' });
  const add = await resolve(change.add, '/add');
  const remove = await resolve(change.remove, '/remove');
  const accept = await resolve(change.accept, '/accept');
  const reject = await resolve(change.reject, '/reject');
  const skipped: SkippedTag[] = [];
  await removeTags(write, assetId, remove, { actor });
  const rejected = await rejectTags(write, assetId, { tagOptionIds: reject, actor });
  await clearFaceSuggestions(write.tx, assetId, [...reject, ...remove]);
  const added = await insertTags(
    write,
    assetId,
    add.map((tagOptionId) => ({ tagOptionId, source: 'manual', actor })),
  );
  const states = await readPairStates(write, assetId, accept);
  const suggested = accept.filter((id) => states.get(id) === 'suggested');
  for (const id of accept) {
    const state = states.get(id);
    if (state !== 'suggested') skipped.push({ id, reason: state ?? 'not_suggested' });
  }
  await acceptSuggestions(write, assetId, { tagOptionIds: suggested, actor });
  await linkAcceptedFaces(write, assetId, suggested);
  const suggestedAnew = await suggest(write, assetId, { suggestions: change.suggest ?? [], actor, skipped });
  const isTouched = rejected || added || suggested.length > 0 || suggestedAnew;
  await recomputeTags(write, [assetId], { touched: isTouched ? [assetId] : [] });
  return skipped;
}
