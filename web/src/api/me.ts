import { queryOptions, useQuery } from '@tanstack/react-query';
import { api, dataOf, type Schemas } from './client.ts';

export type Scope = Schemas['ApiKey']['scopes'][number];

export const meQuery = queryOptions({
  queryKey: ['me'],
  queryFn: async ({ signal }) => dataOf(await api.GET('/v1/me', { signal })),
  staleTime: 60_000,
});

/** The organization, the key and its scopes. */
export function useMe() {
  return useQuery(meQuery);
}

/** Whether the key may do something; false until that is known. */
export function useHasScope(scope: Scope): boolean {
  return useMe().data?.scopes.includes(scope) ?? false;
}

/** Tries a key without signing in. @throws ApiProblem when the service refuses it */
export async function checkKey(key: string, signal?: AbortSignal) {
  return dataOf(await api.GET('/v1/me', { headers: { 'X-Api-Key': key }, ...(signal && { signal }) }));
}
