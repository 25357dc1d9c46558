import type { LibraryScope } from '../auth/index.ts';
import type { Database } from '../db/index.ts';
import { foldText } from '../base/index.ts';
import {
  BUILT_IN_ACTION_TYPES,
  type DetailField,
  findCollectionNames,
  findMissingCollections,
  findTagLabels,
  listDetailFields,
  type TagLabel,
  type TagSummary,
} from '../library/index.ts';
import type { ActionTypeNames } from './action-type-store.ts';
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
  /**
   * What keys of action types stand for: the type with that key, else with that name; and IDs, those that are such types.
   * A built-in key that nobody used yet stands for none. Unknown ones are missing.
   */
  actionTypes(
    scope: LibraryScope,
    types: readonly (number | string)[],
    options?: FreshnessOptions,
  ): Promise<ReadonlyMap<number | string, readonly number[]>>;
  missingCollections(scope: LibraryScope, ids: readonly number[]): Promise<readonly number[]>;
  detailFields(scope: LibraryScope): Promise<readonly DetailField[]>;
  /** Good until the next `await`. */
  tagWords(scope: LibraryScope, options?: FreshnessOptions): Promise<TagWords>;
  tagLabels(
    scope: LibraryScope,
    ids: readonly number[],
    options?: FreshnessOptions,
  ): Promise<ReadonlyMap<number, TagLabel>>;
  collectionNames(scope: LibraryScope, ids: readonly number[]): Promise<ReadonlyMap<number, string>>;
};

/** The types that are meant, from all that the organization has. */
function meantTypes(
  known: ReadonlyMap<number, ActionTypeNames>,
  types: readonly (number | string)[],
): ReadonlyMap<number | string, readonly number[]> {
  // Of several with the name, as writing an action chooses: the active one, else the oldest.
  const list = [...known.values()].toSorted((a, b) => Number(b.active) - Number(a.active) || a.id - b.id);
  const idOf = (type: number | string): number | undefined => {
    if (typeof type === 'number') return known.get(type)?.id;
    const name = foldText(type.replaceAll('_', ' '));
    return (list.find(({ keys }) => keys.includes(type)) ?? list.find((one) => one.foldedNames.includes(name)))?.id;
  };
  return new Map(
    types.flatMap((type): [number | string, readonly number[]][] => {
      const id = idOf(type);
      if (id !== undefined) return [[type, [id]]];
      return typeof type === 'string' && BUILT_IN_ACTION_TYPES.has(type) ? [[type, []]] : [];
    }),
  );
}

/** Tag options from memory, but for those that were merged since they were counted; collections from the database. */
export function createSearchNames(options: { readonly db: Database; readonly tagLookup: TagLookup }): SearchNames {
  const { db, tagLookup } = options;
  return {
    tags: (scope, ids, fresh) => tagLookup.summaries(scope, ids, fresh),
    async actionTypes(scope, types, fresh) {
      const known = meantTypes(await tagLookup.actionTypes(scope, fresh), types);
      if (types.every((type) => (known.get(type)?.length ?? 0) > 0)) return known;
      // Another node may have made it less than a second ago.
      return meantTypes(await tagLookup.actionTypes(scope, { ...fresh, version: Number.MAX_SAFE_INTEGER }), types);
    },
    missingCollections: (scope, ids) => findMissingCollections(db, scope, ids),
    detailFields: (scope) => listDetailFields(db, scope),
    tagWords: (scope, fresh) => tagLookup.tagWords(scope, fresh),
    async tagLabels(scope, ids, fresh) {
      const known = await tagLookup.labels(scope, ids, fresh);
      const others = ids.filter((id) => !known.has(id));
      return others.length === 0 ? known : new Map([...known, ...(await findTagLabels(db, scope, others))]);
    },
    collectionNames: (scope, ids) => findCollectionNames(db, scope, ids),
  };
}
