import { infiniteQueryOptions, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { api, type BodyOf, dataOf, type Schemas } from './client.ts';

export type Webhook = Schemas['Webhook'];
export type WebhookMessage = Schemas['WebhookMessage'];
export type WebhookAttempt = WebhookMessage['attempts'][number];
export type MessageState = WebhookMessage['state'];
export type NewWebhook = BodyOf<'/v1/webhook', 'post'>;
export type WebhookChange = BodyOf<'/v1/webhook/{id}', 'patch'>;

/** As many as an organization may have. */
const ALL = 200;
const LOG_PAGE = 50;
/** So often a log is read again while somebody looks at it. */
const LOG_MS = 4000;

export const webhooksQuery = queryOptions({
  queryKey: ['webhook', 'all'],
  queryFn: async ({ signal }) =>
    dataOf(await api.GET('/v1/webhook', { params: { query: { limit: ALL } }, signal })).webhooks,
});

export const webhookQuery = (id: number) =>
  queryOptions({
    queryKey: ['webhook', id],
    queryFn: async ({ signal }) =>
      dataOf(await api.GET('/v1/webhook/{id}', { params: { path: { id } }, signal })).webhook,
    refetchInterval: LOG_MS,
  });

/** Newest first. */
export const webhookMessagesQuery = (id: number, state: MessageState | undefined) =>
  infiniteQueryOptions({
    queryKey: ['webhook', id, 'messages', state],
    queryFn: async ({ pageParam, signal }) => {
      const query = { limit: LOG_PAGE, ...(state && { state }), ...(pageParam !== '' && { cursor: pageParam }) };
      return dataOf(await api.GET('/v1/webhook/{id}/message', { params: { path: { id }, query }, signal }));
    },
    initialPageParam: '',
    getNextPageParam: (page) => page.next_cursor,
    refetchInterval: LOG_MS,
  });

export const webhookMessageQuery = (id: number, message: number) =>
  queryOptions({
    queryKey: ['webhook', id, 'message', message],
    queryFn: async ({ signal }) =>
      dataOf(await api.GET('/v1/webhook/{id}/message/{message}', { params: { path: { id, message } }, signal })),
    refetchInterval: LOG_MS,
  });

export function useCreateWebhook() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (body: NewWebhook) => dataOf(await api.POST('/v1/webhook', { body })),
    onSuccess: () => client.invalidateQueries({ queryKey: ['webhook'] }),
    gcTime: 0,
  });
}

/** Writes to one webhook. */
export function useWebhookWrites(id: number) {
  const client = useQueryClient();
  const params = { path: { id } };
  const onSettled = () => client.invalidateQueries({ queryKey: ['webhook'] });
  const change = useMutation({
    mutationFn: async ({ body, version }: { readonly body: WebhookChange; readonly version: number }) => {
      const header = { 'If-Match': `"v${version}"` };
      return dataOf(await api.PATCH('/v1/webhook/{id}', { params: { ...params, header }, body })).webhook;
    },
    onSettled,
  });
  const rotate = useMutation({
    mutationFn: async () => dataOf(await api.POST('/v1/webhook/{id}/rotate', { params })),
    onSettled,
    gcTime: 0,
  });
  const remove = useMutation({
    mutationFn: async () => {
      await api.DELETE('/v1/webhook/{id}', { params });
    },
    // The page of what is gone is left first; asking for it again would only be refused.
    onSuccess: () => client.invalidateQueries({ queryKey: webhooksQuery.queryKey }),
  });
  const ping = useMutation({
    mutationFn: async () => dataOf(await api.POST('/v1/webhook/{id}/test', { params })),
  });
  return { change, rotate, remove, ping };
}

/** Sends messages of a webhook again: one, or all of the events behind one. */
export function useWebhookReplays(id: number) {
  const client = useQueryClient();
  const onSettled = () => client.invalidateQueries({ queryKey: ['webhook', id] });
  const message = useMutation({
    mutationFn: async (messageId: number) => {
      const params = { path: { id, message: messageId } };
      return dataOf(await api.POST('/v1/webhook/{id}/message/{message}/replay', { params })).message;
    },
    onSettled,
  });
  const range = useMutation({
    mutationFn: async (after: number): Promise<number> => {
      let queued = 0;
      let from = after;
      for (;;) {
        const params = { path: { id } };
        const answer = dataOf(await api.POST('/v1/webhook/{id}/replay', { params, body: { after: from } }));
        queued += answer.queued;
        from = answer.after;
        if (!answer.has_more) return queued;
      }
    },
    onSettled,
  });
  return { message, range };
}
