import { queryOptions } from '@tanstack/react-query';
import { api, type BodyOf, dataOf, type Schemas } from './client.ts';

export type MediaHit = Schemas['MediaHit'];
export type Filter = Schemas['Filter'];
/** What decides which assets are found, and in which order. */
export type SearchRequest = { readonly filter: Filter; readonly sort: string };
export type FacetBucket = {
  readonly id?: number;
  readonly type?: string;
  readonly label?: string;
  readonly value?: string | number;
  readonly count: number;
};
export type FacetRequest =
  | string
  | {
      readonly field: string;
      readonly limit?: number;
      readonly interval?: 'day' | 'week' | 'month' | 'year';
      readonly disjunctive?: boolean;
    };

/** Assets of one page. The service takes any page number, so a place in the middle costs no more than the first. */
export const PAGE_SIZE = 60;

type Body = BodyOf<'/v1/media/search', 'post'>;

/** Members of a filter and options stand beside each other in the body; both are validated by the service. */
function bodyOf(request: SearchRequest, options: object): Body {
  return { ...request.filter, sort: request.sort, ...options } as Body;
}

export type PageAnswer = {
  readonly media: readonly MediaHit[];
  readonly total: number;
  readonly next_cursor: string | null;
};

/** One page of a search, the first is 1. */
export function mediaPageQuery(request: SearchRequest, page: number) {
  return queryOptions({
    queryKey: ['media', 'search', request, page],
    queryFn: async ({ signal }): Promise<PageAnswer> =>
      dataOf(
        await api.POST('/v1/media/search', {
          body: bodyOf(request, { limit: PAGE_SIZE, include: [], ...(page > 1 && { page }) }),
          signal,
        }),
      ),
  });
}

/** Counts by value of everything that the filter finds. */
export function facetsQuery(filter: Filter, facets: readonly FacetRequest[]) {
  return queryOptions({
    queryKey: ['media', 'facets', filter, facets],
    queryFn: async ({ signal }) => {
      const body = bodyOf({ filter, sort: '-created_at' }, { limit: 0, facets });
      const answer = dataOf(await api.POST('/v1/media/search', { body, signal }));
      const counted: Readonly<Record<string, readonly FacetBucket[]>> = answer.facets ?? {};
      return { total: answer.total, facets: counted };
    },
  });
}
