import { infiniteQueryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { api, type BodyOf, dataOf, type Schemas } from './client.ts';

export type ApiKey = Schemas['ApiKey'];
export type NewApiKey = BodyOf<'/v1/key', 'post'>;
/** A key as it is answered once: `key` is the secret. */
export type CreatedApiKey = { readonly api_key: ApiKey; readonly key: string | null };

const PAGE = 200;

/** Newest first, with those that are revoked or expired. */
export const keysQuery = infiniteQueryOptions({
  queryKey: ['key'],
  queryFn: async ({ pageParam, signal }) => {
    const query = { limit: PAGE, ...(pageParam !== '' && { cursor: pageParam }) };
    return dataOf(await api.GET('/v1/key', { params: { query }, signal }));
  },
  initialPageParam: '',
  getNextPageParam: (page) => page.next_cursor,
});

export function useCreateKey() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (body: NewApiKey): Promise<CreatedApiKey> => dataOf(await api.POST('/v1/key', { body })),
    onSuccess: () => client.invalidateQueries({ queryKey: ['key'] }),
    // A secret stays nowhere but in the dialog that shows it.
    gcTime: 0,
  });
}

export function useRevokeKey() {
  return useMutation({
    mutationFn: async (id: number) => dataOf(await api.DELETE('/v1/key/{id}', { params: { path: { id } } })).api_key,
  });
}
