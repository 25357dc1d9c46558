import type { LibraryScope } from '../auth/index.ts';
import { ACTION_FACETS, ACTION_ID_FACETS, type ActionFacetField, type FacetResult } from './engine.ts';
import type { FacetField } from './facets.ts';
import type { SearchNames } from './names.ts';
import type { FreshnessOptions } from './tag-lookup-follower.ts';

export type NamedBucket =
  | { readonly id: number; readonly type?: string; readonly label: string; readonly count: number }
  | { readonly value: string | number; readonly count: number };

type Field = FacetField | ActionFacetField;

/** Of searches over assets and over actions. */
const TAG_FACETS: ReadonlySet<Field> = new Set<Field>([...ACTION_ID_FACETS, ...ACTION_FACETS]);

type Counted = { readonly field: Field; readonly buckets: FacetResult };

/** Facets as they are answered, by field: tag options and collections with what people call them. */
export async function nameFacets(
  scope: LibraryScope,
  asked: { readonly names: SearchNames; readonly fresh: FreshnessOptions },
  facets: readonly Counted[],
): Promise<Readonly<Record<string, readonly NamedBucket[]>>> {
  const { names, fresh } = asked;
  const keysOf = (matches: (field: Field) => boolean): number[] => {
    const keys = facets.flatMap(({ field, buckets }) => (matches(field) ? buckets.map(({ key }) => Number(key)) : []));
    return [...new Set(keys)];
  };
  const tagIds = keysOf((field) => TAG_FACETS.has(field));
  const collectionIds = keysOf((field) => field === 'collection');
  const [tags, collections] = await Promise.all([
    names.tagLabels(scope, tagIds, fresh),
    names.collectionNames(scope, collectionIds),
  ]);
  const named = (field: Field, { key, count }: FacetResult[number]): NamedBucket => {
    const id = Number(key);
    // What was removed since it was counted is named by its ID.
    if (field === 'collection') return { id, label: collections.get(id) ?? String(id), count };
    if (!TAG_FACETS.has(field)) return { value: key, count };
    const tag = tags.get(id);
    return { id, ...(tag && { type: tag.type }), label: tag?.label ?? String(id), count };
  };
  return Object.fromEntries(facets.map(({ field, buckets }) => [field, buckets.map((bucket) => named(field, bucket))]));
}
