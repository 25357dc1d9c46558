import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { api, dataOf, type Schemas } from './client.ts';

export type SavedSearch = Schemas['SavedSearch'];

export const savedSearchesQuery = queryOptions({
  queryKey: ['saved-search'],
  queryFn: async ({ signal }) =>
    dataOf(await api.GET('/v1/saved-search', { params: { query: { limit: 200 } }, signal })).saved_searches,
});

export function useSaveSearch() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (given: { readonly name: string; readonly request: object }) =>
      // The members of a search; the service validates them.
      dataOf(await api.POST('/v1/saved-search', { body: given })).saved_search,
    onSuccess: () => client.invalidateQueries({ queryKey: ['saved-search'] }),
  });
}

export function useDeleteSavedSearch() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (id: number) => {
      await api.DELETE('/v1/saved-search/{id}', { params: { path: { id } } });
    },
    onSuccess: () => client.invalidateQueries({ queryKey: ['saved-search'] }),
  });
}
