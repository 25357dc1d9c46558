import { type LibraryScope, openCursor, sealCursor } from '../auth/index.ts';
import { invalidField } from '../base/index.ts';
import { type ActionFacetInput, parseActionFacets } from './action-facets.ts';
import { ACTION_SORT_FIELDS, type SearchEngine, type SortKey } from './engine.ts';
import { type NamedBucket, nameFacets } from './facet-names.ts';
import type { ActionFilterInput } from './filter/action-schema.ts';
import { parseActionFilters } from './filter/filter-parser.ts';
import type { FilterInput } from './filter/filter-schema.ts';
import { isActionText, isText, someActionLeaf, someLeaf } from './filter/filter-tree.ts';
import type { MediaSearchOptions } from './media-search.ts';
import type { SearchNames } from './names.ts';
import { fingerprintOf, idResolverOf, limited, NO_TAG_WORDS, parseSort } from './search-request.ts';

export type ActionSearchRequest = {
  readonly filter: ActionFilterInput;
  /** What the asset has to meet in which an action lies. */
  readonly media?: FilterInput | undefined;
  /** A field of ACTION_SORT_FIELDS, `-` in front for descending; relevance is best first either way. Default `-created_at`. */
  readonly sort?: string | undefined;
  readonly limit: number;
  /** 1-based; not together with a cursor. */
  readonly page?: number | undefined;
  readonly cursor?: string | undefined;
  readonly facets?: readonly ActionFacetInput[] | undefined;
};

export type ActionSearchResult = {
  /** Of actions in videos: where an action lies in a video has an ID of its own. */
  readonly placeIds: readonly number[];
  readonly total: number;
  readonly nextCursor: string | null;
  /** By field, in the order of the request; undefined when it asked for none. */
  readonly facets: Readonly<Record<string, readonly NamedBucket[]>> | undefined;
};

export type ActionSearch = {
  /**
   * @throws AppError `validation_failed`, `unknown_tag_option`, `unknown_collection`, `cursor_invalid`, `overloaded` after
   *   30 seconds
   */
  search(scope: LibraryScope, request: ActionSearchRequest, options: MediaSearchOptions): Promise<ActionSearchResult>;
};

/** Search over the actions in one organization's videos. */
export function createActionSearch(options: {
  readonly engine: SearchEngine;
  readonly names: SearchNames;
}): ActionSearch {
  const { engine, names } = options;
  return {
    async search(scope, request, { signingKey, version, signal: outer }) {
      if (request.cursor !== undefined && request.page !== undefined) {
        throw invalidField('/page', 'expected either cursor or page, received both');
      }
      const fresh = { version, signal: outer };
      const sort = parseSort(ACTION_SORT_FIELDS, request.sort ?? '-created_at');
      const input = { action: request.filter, media: request.media ?? {} };
      const { filter, media } = await parseActionFilters(input, idResolverOf(names, scope, fresh));
      const facets = parseActionFacets(request.facets ?? [], filter);
      const direction = sort.descending ? '-' : '';
      const purpose = `actions:${scope.organizationId}:${direction}${sort.field}:${fingerprintOf(input)}`;
      // Signed for this purpose by ourselves, so its payload is the key that was sealed.
      const after =
        request.cursor === undefined ? undefined : (openCursor(signingKey, purpose, request.cursor) as SortKey);
      const asksForWords = someActionLeaf(filter, isActionText) || someLeaf(media, isText);
      const tagWords = asksForWords ? await names.tagWords(scope, fresh) : NO_TAG_WORDS;
      // Whoever asks for a video or a camera means the action as it lies there.
      const asksForPlace = someActionLeaf(
        filter,
        (leaf) => 'field' in leaf && (leaf.field === 'media' || leaf.field === 'angle'),
      );
      const found = await limited(outer, (signal) =>
        engine.searchActions(scope, {
          filter,
          media,
          homeOnly: !asksForPlace,
          sort,
          limit: request.limit,
          offset: request.page === undefined ? 0 : (request.page - 1) * request.limit,
          after,
          facets,
          tagWords,
          signal,
          version,
        }),
      );
      const counted = facets.map(({ field }, at) => ({ field, buckets: found.facets[at] ?? [] }));
      return {
        placeIds: found.ids,
        total: found.total,
        nextCursor: found.nextKey ? sealCursor(signingKey, purpose, found.nextKey) : null,
        facets: request.facets && (await nameFacets(scope, { names, fresh }, counted)),
      };
    },
  };
}
