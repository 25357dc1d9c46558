import { infiniteQueryOptions, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { api, type BodyOf, dataOf, type Schemas } from './client.ts';

export type Delivery = Schemas['Delivery'];
export type DeliveryState = Delivery['state'];
export type DeliveryBatch = Schemas['DeliveryBatch'];
export type DeliveryRequest = BodyOf<'/v1/delivery', 'post'>;
/** Which deliveries are listed. */
export type DeliveryFilter = {
  readonly batch?: string;
  readonly state?: DeliveryState;
  readonly destination?: number;
  readonly media?: number;
};

/** Rows of one page of a list. */
export const DELIVERY_PAGE = 100;
const POLL_MS = 1500;
/** For requests that are made elsewhere, should the event stream not tell of them. */
const SLOW_POLL_MS = 15_000;

const isOpen = ({ state }: Delivery) => state === 'queued' || state === 'running';

/** What a request comes to, path by path; nothing is delivered. */
export const deliveryPlanQuery = (request: DeliveryRequest) =>
  queryOptions({
    queryKey: ['delivery-plan', request],
    queryFn: async ({ signal }) =>
      dataOf(await api.POST('/v1/delivery', { body: { ...request, dry_run: true }, signal })),
    // Another delivery may have made it old at any time.
    staleTime: 0,
  });

/** Image presets, which pictures can be delivered by. */
export const imagePresetsQuery = queryOptions({
  queryKey: ['image-preset'],
  queryFn: async ({ signal }) => dataOf(await api.GET('/v1/image-preset', { signal })).image_presets,
});

/** One request: how many of its deliveries are in each state. Asked for until all have ended. */
export const batchQuery = (batch: string) =>
  queryOptions({
    queryKey: ['delivery', 'batch', batch],
    queryFn: async ({ signal }) =>
      dataOf(await api.GET('/v1/delivery/batch/{batch}', { params: { path: { batch } }, signal })).batch,
    refetchInterval: ({ state: { data } }) => (data?.finished_at === null ? POLL_MS : false),
  });

export const batchesQuery = (filter: Pick<DeliveryFilter, 'destination' | 'state'>) =>
  infiniteQueryOptions({
    queryKey: ['delivery', 'batches', filter],
    queryFn: async ({ pageParam, signal }) => {
      const query = { ...filter, ...(pageParam !== undefined && { cursor: pageParam }) };
      return dataOf(await api.GET('/v1/delivery/batch', { params: { query }, signal }));
    },
    // oxlint-disable-next-line no-undefined
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.next_cursor,
    refetchInterval: ({ state: { data } }) =>
      data?.pages.some(({ batches }) => batches.some(({ finished_at }) => finished_at === null))
        ? POLL_MS
        : SLOW_POLL_MS,
  });

/** One page of the deliveries, newest first; asked for again while one of them waits or runs. */
export const deliveryPageQuery = (filter: DeliveryFilter, cursor: string | undefined) =>
  queryOptions({
    queryKey: ['delivery', 'list', filter, cursor ?? 'first'],
    queryFn: async ({ signal }) => {
      const query = { ...filter, limit: DELIVERY_PAGE, ...(cursor !== undefined && { cursor }) };
      return dataOf(await api.GET('/v1/delivery', { params: { query }, signal }));
    },
    refetchInterval: ({ state: { data } }) => (data?.deliveries.some(isOpen) ? POLL_MS : false),
  });

/** One delivery with all its tries. */
export const deliveryQuery = (id: number) =>
  queryOptions({
    queryKey: ['delivery', id],
    queryFn: async ({ signal }) =>
      dataOf(await api.GET('/v1/delivery/{id}', { params: { path: { id } }, signal })).delivery,
    refetchInterval: ({ state: { data } }) => (data && isOpen(data) ? POLL_MS : false),
  });

/** For the header of this name: the service answers the second of two requests with the same one as the first. */
export const newIdempotencyKey = (): string =>
  [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('');

export function useDeliver() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async ({
      body,
      idempotencyKey,
    }: {
      readonly body: DeliveryRequest;
      readonly idempotencyKey: string;
    }) => {
      const params = { header: { 'Idempotency-Key': idempotencyKey } };
      return dataOf(await api.POST('/v1/delivery', { params, body }));
    },
    onSuccess: () => client.invalidateQueries({ queryKey: ['delivery'] }),
  });
}

/** Ends and repeats deliveries: one, or all of a request. */
export function useDeliveryWrites() {
  const client = useQueryClient();
  const onSettled = () => client.invalidateQueries({ queryKey: ['delivery'] });
  const cancel = useMutation({
    mutationFn: async (id: number) => dataOf(await api.DELETE('/v1/delivery/{id}', { params: { path: { id } } })),
    onSettled,
  });
  const replay = useMutation({
    mutationFn: async (id: number) => dataOf(await api.POST('/v1/delivery/{id}/replay', { params: { path: { id } } })),
    onSettled,
  });
  const cancelBatch = useMutation({
    mutationFn: async (batch: string) =>
      dataOf(await api.DELETE('/v1/delivery/batch/{batch}', { params: { path: { batch } } })),
    onSettled,
  });
  const replayBatch = useMutation({
    mutationFn: async (batch: string) =>
      dataOf(await api.POST('/v1/delivery/batch/{batch}/replay', { params: { path: { batch } } })),
    onSettled,
  });
  return { cancel, replay, cancelBatch, replayBatch };
}
