import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { api, type BodyOf, dataOf, type Schemas } from './client.ts';

export type Destination = Schemas['Destination'];
export type DestinationBody = BodyOf<'/v1/destination', 'post'>;
export type DestinationPatch = BodyOf<'/v1/destination/{id}', 'patch'>;
export type VerifyAnswer = Awaited<ReturnType<typeof verifyDestination>>;
export type VerifyStep = VerifyAnswer['steps'][number];

/** Figures of health change by themselves. */
const POLL_MS = 5000;
const PAGE = 200;

/** All of the organization, oldest first. */
export const destinationsQuery = queryOptions({
  queryKey: ['destination', 'list'],
  queryFn: async ({ signal }) => {
    const destinations: Destination[] = [];
    let cursor: string | undefined;
    do {
      const query = { limit: PAGE, ...(cursor !== undefined && { cursor }) };
      const page = dataOf(await api.GET('/v1/destination', { params: { query }, signal }));
      destinations.push(...page.destinations);
      cursor = page.next_cursor ?? undefined;
    } while (cursor !== undefined);
    return destinations;
  },
});

export const useDestinations = () => useQuery({ ...destinationsQuery, refetchInterval: POLL_MS });

async function verifyDestination(id: number) {
  return dataOf(await api.POST('/v1/destination/{id}/verify', { params: { path: { id } } }));
}

/** Writes to destinations; the list follows. */
export function useDestinationWrites() {
  const client = useQueryClient();
  const onSettled = () => client.invalidateQueries({ queryKey: destinationsQuery.queryKey });
  const create = useMutation({
    mutationFn: async (body: DestinationBody) => dataOf(await api.POST('/v1/destination', { body })).destination,
    onSettled,
  });
  const change = useMutation({
    mutationFn: async ({ id, body, version }: { id: number; body: DestinationPatch; version?: number }) => {
      const header = version === undefined ? {} : { header: { 'If-Match': `"v${version}"` } };
      return dataOf(await api.PATCH('/v1/destination/{id}', { params: { path: { id }, ...header }, body })).destination;
    },
    onSettled,
  });
  const remove = useMutation({
    mutationFn: async (id: number) => {
      await api.DELETE('/v1/destination/{id}', { params: { path: { id } } });
    },
    onSettled,
  });
  const verify = useMutation({ mutationFn: verifyDestination, onSettled });
  return { create, change, remove, verify };
}

/** A destination that is there, or one of a kind that is not made yet. */
export type PreviewedDestination = { readonly id: number } | { readonly kind: string };
type PreviewOptions = Pick<BodyOf<'/v1/destination/preview', 'post'>, 'path_template' | 'qualities' | 'rendition'>;

/** The paths that assets get, by a template and qualities that need not be saved. */
export function pathPreviewQuery(
  destination: PreviewedDestination,
  asked: PreviewOptions & { readonly mediaIds: readonly number[] },
) {
  const { mediaIds, ...options } = asked;
  return queryOptions({
    queryKey: ['destination', 'preview', destination, asked],
    queryFn: async ({ signal }) => {
      const body = { ...options, media_ids: [...mediaIds] };
      const answer =
        'id' in destination
          ? await api.POST('/v1/destination/{id}/preview', { params: { path: { id: destination.id } }, body, signal })
          : await api.POST('/v1/destination/preview', { body: { ...body, kind: destination.kind }, signal });
      return dataOf(answer).paths;
    },
    enabled: mediaIds.length > 0,
    retry: false,
  });
}
