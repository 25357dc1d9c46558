import { queryOptions } from '@tanstack/react-query';
import { api, dataOf, type Schemas } from './client.ts';

export type TagHit = Schemas['TagHit'];
export type TagOption = Schemas['TagOption'];

/** Tag options that somebody may mean by what they type; without a text, a list. */
export function tagSearchQuery(asked: {
  readonly text: string;
  /** Types with commas between; all without it. */
  readonly type?: string;
  readonly category?: string;
  readonly limit?: number;
}) {
  const { text, type, category, limit = 12 } = asked;
  return queryOptions({
    queryKey: ['tag', 'search', asked],
    queryFn: async ({ signal }) =>
      dataOf(
        await api.GET('/v1/tag/search', {
          params: {
            query: { ...(text !== '' && { query: text }), ...(type && { type }), ...(category && { category }), limit },
          },
          signal,
        }),
      ),
    staleTime: 60_000,
  });
}

/** One tag option. */
export function tagQuery(id: number) {
  return queryOptions({
    queryKey: ['tag', id],
    queryFn: async ({ signal }) =>
      dataOf(await api.GET('/v1/tag/{id}', { params: { path: { id } }, signal })).tag_option,
    staleTime: 5 * 60_000,
  });
}
