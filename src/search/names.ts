import type { LibraryScope } from '../auth/index.ts';
import type { Database } from '../db/index.ts';
import {
  findCollectionNames,
  findMissingCollections,
  findTagLabels,
  type TagLabel,
  type TagSummary,
} from '../library/index.ts';
import type { FreshnessOptions, TagLookup } from './tag-lookup-follower.ts';
import type { TagWords } from './text/tag-words.ts';

/**
 * What a search has to know about tag options and collections: to check and redirect those of a filter, to find the words
 * of a text in their names, and to name those of facets.
 */
export type SearchNames = {
  tags(
    scope: LibraryScope,
    ids: readonly number[],
    options?: FreshnessOptions,
  ): Promise<ReadonlyMap<number, TagSummary>>;
  missingCollections(scope: LibraryScope, ids: readonly number[]): Promise<readonly number[]>;
  /** Good until the next `await`. */
  tagWords(scope: LibraryScope, options?: FreshnessOptions): Promise<TagWords>;
  tagLabels(
    scope: LibraryScope,
    ids: readonly number[],
    options?: FreshnessOptions,
  ): Promise<ReadonlyMap<number, TagLabel>>;
  collectionNames(scope: LibraryScope, ids: readonly number[]): Promise<ReadonlyMap<number, string>>;
};

/** Tag options from memory, but for those that were merged since they were counted; collections from the database. */
export function createSearchNames(options: { readonly db: Database; readonly tagLookup: TagLookup }): SearchNames {
  const { db, tagLookup } = options;
  return {
    tags: (scope, ids, fresh) => tagLookup.summaries(scope, ids, fresh),
    missingCollections: (scope, ids) => findMissingCollections(db, scope, ids),
    tagWords: (scope, fresh) => tagLookup.tagWords(scope, fresh),
    async tagLabels(scope, ids, fresh) {
      const known = await tagLookup.labels(scope, ids, fresh);
      const others = ids.filter((id) => !known.has(id));
      return others.length === 0 ? known : new Map([...known, ...(await findTagLabels(db, scope, others))]);
    },
    collectionNames: (scope, ids) => findCollectionNames(db, scope, ids),
  };
}
