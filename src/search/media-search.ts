import { type LibraryScope, openCursor, sealCursor } from '../auth/index.ts';
import { invalidField } from '../base/index.ts';
import { type SearchEngine, SORT_FIELDS, type SortKey } from './engine.ts';
import { findAllIds, type FindIdsOptions } from './found-ids.ts';
import { type NamedBucket, nameFacets } from './facet-names.ts';
import { countsDetails, type FacetInput, parseFacets } from './facets.ts';
import { parseFilter } from './filter/filter-parser.ts';
import type { FilterInput } from './filter/filter-schema.ts';
import { type ActionFilter, type Filter, firstActionOf, isText, someLeaf } from './filter/filter-tree.ts';
import type { SearchNames } from './names.ts';
import { fingerprintOf, idResolverOf, limited, NO_TAG_WORDS, parseSort } from './search-request.ts';
import type { FreshnessOptions } from './tag-lookup-follower.ts';
import type { TextClause } from './text/text-query.ts';

export type MediaSearchRequest = {
  readonly filter: FilterInput;
  /** A field of SORT_FIELDS, `-` in front for descending; relevance is best first either way. Default `-created_at`. */
  readonly sort?: string | undefined;
  readonly limit: number;
  /** 1-based; not together with a cursor. */
  readonly page?: number | undefined;
  readonly cursor?: string | undefined;
  readonly facets?: readonly FacetInput[] | undefined;
};

export type MediaSearchResult = {
  readonly ids: readonly number[];
  readonly total: number;
  readonly nextCursor: string | null;
  /** By field, in the order of the request; undefined when it asked for none. */
  readonly facets: Readonly<Record<string, readonly NamedBucket[]>> | undefined;
  /** The clauses of `text` that what was found may show: not those that exclude. */
  readonly clauses: readonly TextClause[];
  /** What the filter asks of actions; what excludes is left out. */
  readonly actions: readonly ActionFilter[];
};

export type MediaSearchOptions = {
  readonly signingKey: Buffer;
  /** Sees the library at this version or a later one. */
  readonly version?: number | undefined;
  /** Ends the search with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
};

export type MediaSearch = {
  /**
   * @throws AppError `validation_failed`, `unknown_tag_option`, `unknown_collection`, `cursor_invalid`, `overloaded` after
   *   30 seconds
   */
  search(scope: LibraryScope, request: MediaSearchRequest, options: MediaSearchOptions): Promise<MediaSearchResult>;
  /** Every asset that a filter finds, oldest first. @throws AppError as `search` does, and for more than a limit */
  findIds(scope: LibraryScope, filter: FilterInput, options: FindIdsOptions): Promise<readonly number[]>;
  /** Throws what a search of this filter, sort and facets would refuse. */
  check(scope: LibraryScope, request: Pick<MediaSearchRequest, 'filter' | 'sort' | 'facets'>): Promise<void>;
};

function shownClauses(filter: Filter): readonly TextClause[] {
  if (filter.kind === 'none') return [];
  if ('filters' in filter) return filter.filters.flatMap(shownClauses);
  return filter.kind === 'text' ? filter.query.clauses.filter((clause) => !clause.negated) : [];
}

function shownActions(filter: Filter): readonly ActionFilter[] {
  if (filter.kind === 'none') return [];
  if ('filters' in filter) return filter.filters.flatMap(shownActions);
  return filter.kind === 'action' ? [filter.filter] : [];
}

/** Search over one organization's assets: parses the request, asks an engine, and keeps pages stable through cursors. */
export function createMediaSearch(options: {
  readonly engine: SearchEngine;
  readonly names: SearchNames;
}): MediaSearch {
  const { engine, names } = options;

  const parse = async (
    scope: LibraryScope,
    request: Pick<MediaSearchRequest, 'filter' | 'sort' | 'facets'>,
    fresh: FreshnessOptions,
  ) => {
    const sort = parseSort(SORT_FIELDS, request.sort ?? '-created_at');
    const filter = await parseFilter(request.filter, idResolverOf(names, scope, fresh));
    if (sort.field === 'action.start_ms' && !firstActionOf(filter)) {
      throw invalidField(
        '/sort',
        'expected a member action that is not below a none with action.start_ms, received none',
      );
    }
    const inputs = request.facets ?? [];
    const fields = countsDetails(inputs) ? await names.detailFields(scope) : [];
    return { sort, filter, facets: parseFacets(inputs, filter, fields) };
  };

  return {
    async search(scope, request, { signingKey, version, signal: outer }) {
      if (request.cursor !== undefined && request.page !== undefined) {
        throw invalidField('/page', 'expected either cursor or page, received both');
      }
      const fresh = { version, signal: outer };
      const { sort, filter, facets } = await parse(scope, request, fresh);
      const query = fingerprintOf(request.filter);
      const purpose = `media:${scope.organizationId}:${sort.descending ? '-' : ''}${sort.field}:${query}`;
      // Signed for this purpose by ourselves, so its payload is the key that was sealed.
      const after =
        request.cursor === undefined ? undefined : (openCursor(signingKey, purpose, request.cursor) as SortKey);
      const asksForText = someLeaf(filter, (leaf) => leaf.kind === 'text');
      const asksForWords = someLeaf(filter, isText);
      const words = asksForWords ? await names.tagWords(scope, fresh) : NO_TAG_WORDS;
      const found = await limited(outer, (signal) =>
        engine.search(scope, {
          filter,
          sort,
          limit: request.limit,
          offset: request.page === undefined ? 0 : (request.page - 1) * request.limit,
          after,
          facets,
          tagWords: words,
          signal,
          version,
        }),
      );
      return {
        ids: found.ids,
        total: found.total,
        nextCursor: found.nextKey ? sealCursor(signingKey, purpose, found.nextKey) : null,
        facets:
          request.facets &&
          (await nameFacets(
            scope,
            { names, fresh },
            facets.map((facet, at) => ({
              field: 'detail' in facet ? (`details.${facet.detail.key}` as const) : facet.field,
              buckets: found.facets[at] ?? [],
            })),
          )),
        clauses: asksForText ? shownClauses(filter) : [],
        actions: shownActions(filter),
      };
    },
    findIds: (scope, filter, options) => findAllIds({ engine, names }, { scope, filter }, options),
    async check(scope, request) {
      await parse(scope, request, {});
    },
  };
}
