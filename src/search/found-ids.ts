import type { LibraryScope } from '../auth/index.ts';
import { invalidField } from '../base/index.ts';
import type { SearchEngine, SortKey } from './engine.ts';
import { parseFilter } from './filter/filter-parser.ts';
import type { FilterInput } from './filter/filter-schema.ts';
import { type Filter, isText, someLeaf } from './filter/filter-tree.ts';
import type { SearchNames } from './names.ts';
import { idResolverOf, limited, NO_TAG_WORDS } from './search-request.ts';

export type FindIdsOptions = {
  /** Sees the library at this version or a later one. */
  readonly version?: number | undefined;
  /** Ends the search with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** Where the filter stands in the request, for faults in it. */
  readonly pointer: string;
  /** IDs at most. */
  readonly limit: number;
  /** Only these assets are judged; undefined: all. */
  readonly among?: readonly number[] | undefined;
};

const PAGE = 5000;

/**
 * Every asset that a filter finds, oldest first. Page by page in an order in which assets never move: what is written
 * meanwhile is in or not, but none is there twice and none is passed over.
 * @throws AppError as a search does; `validation_failed` when there are more than `limit`
 */
export async function findAllIds(
  { engine, names }: { readonly engine: SearchEngine; readonly names: SearchNames },
  { scope, filter: input }: { readonly scope: LibraryScope; readonly filter: FilterInput },
  { version, signal: outer, pointer, limit, among }: FindIdsOptions,
): Promise<readonly number[]> {
  const fresh = { version, signal: outer };
  const parsed = await parseFilter(input, idResolverOf(names, scope, fresh), pointer);
  if (among?.length === 0) return [];
  const filter: Filter = among ? { kind: 'all', filters: [{ kind: 'assets', ids: among }, parsed] } : parsed;
  const ids: number[] = [];
  let after: SortKey | undefined;
  do {
    const tagWords = someLeaf(filter, isText) ? await names.tagWords(scope, fresh) : NO_TAG_WORDS;
    const found = await limited(outer, (signal) =>
      engine.search(scope, {
        filter,
        sort: { field: 'created_at', descending: false },
        limit: PAGE,
        offset: 0,
        after,
        facets: [],
        tagWords,
        signal,
        version,
      }),
    );
    if (found.total > limit) {
      throw invalidField(
        pointer,
        `expected a filter that finds at most ${limit} assets, received one that finds ${found.total}`,
      );
    }
    for (const id of found.ids) ids.push(id);
    after = found.nextKey;
  } while (after);
  return ids;
}
