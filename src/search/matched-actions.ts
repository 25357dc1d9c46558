import type { LibraryScope } from '../auth/index.ts';
import type { Database } from '../db/index.ts';
import { type ActionFilter, isActionText, someActionLeaf } from './filter/filter-tree.ts';
import type { SearchNames } from './names.ts';
import { findMatchedPlaces, type MatchedPlaces } from './postgres/matched-action-store.ts';
import { NO_TAG_WORDS } from './search-request.ts';
import type { FreshnessOptions } from './tag-lookup-follower.ts';

/** Most actions that are shown of one asset. */
export const MAX_MATCHED_ACTIONS = 100;

/** Actions of every kind, but for those that are retracted. */
export const ANY_ACTION: ActionFilter = { kind: 'all', filters: [] };

export type MatchedActions = {
  /**
   * The actions in each asset that meet one of the filters, the first MAX_MATCHED_ACTIONS by start; assets without any are
   * missing. Reads the library as it is now.
   */
  find(
    scope: LibraryScope,
    asked: { readonly filters: readonly ActionFilter[]; readonly mediaIds: readonly number[] },
    options?: FreshnessOptions,
  ): Promise<ReadonlyMap<number, MatchedPlaces>>;
};

/** Says which actions made assets a search's results. */
export function createMatchedActions(options: { readonly db: Database; readonly names: SearchNames }): MatchedActions {
  const { db, names } = options;
  return {
    async find(scope, { filters, mediaIds }, fresh = {}) {
      const asksForText = filters.some((filter) => someActionLeaf(filter, isActionText));
      const tagWords = asksForText ? await names.tagWords(scope, fresh) : NO_TAG_WORDS;
      const { signal } = fresh;
      return findMatchedPlaces(db, scope, { filters, mediaIds, most: MAX_MATCHED_ACTIONS, tagWords, signal });
    },
  };
}
