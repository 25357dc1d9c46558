import { queryOptions } from '@tanstack/react-query';
import { api, dataOf } from './client.ts';

export function collectionQuery(id: number) {
  return queryOptions({
    queryKey: ['collection', id],
    queryFn: async ({ signal }) =>
      dataOf(await api.GET('/v1/collection/{id}', { params: { path: { id } }, signal })).collection,
    staleTime: 5 * 60_000,
  });
}
