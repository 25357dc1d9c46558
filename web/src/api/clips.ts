import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { api, dataOf, type Schemas } from './client.ts';

export type Clip = Schemas['Clip'];
export type ClipAspect = Clip['aspect'];

/** What is cut: one action, several one after the other, or a part of a video. */
export type ClipSource =
  | { readonly kind: 'action'; readonly actionId: number; readonly mediaId: number }
  | { readonly kind: 'reel'; readonly actionIds: readonly number[] }
  | { readonly kind: 'part'; readonly mediaId: number; readonly inMs: number; readonly outMs: number };

export type ClipOptions = {
  readonly aspect: ClipAspect;
  readonly height?: number;
  readonly lead_ms?: number;
  readonly lag_ms?: number;
  readonly output: 'download' | 'asset';
};

const POLL_MS = 700;
const hasEnded = (clip: Clip | undefined) => clip !== undefined && clip.state !== 'queued' && clip.state !== 'running';

export function useCreateClip() {
  return useMutation({
    mutationFn: async ({ source, options }: { readonly source: ClipSource; readonly options: ClipOptions }) => {
      if (source.kind === 'action') {
        const params = { path: { id: source.actionId } };
        const body = { ...options, media_id: source.mediaId };
        return dataOf(await api.POST('/v1/action/{id}/clip', { params, body })).clip;
      }
      if (source.kind === 'reel') {
        return dataOf(await api.POST('/v1/clip', { body: { ...options, actions: [...source.actionIds] } })).clip;
      }
      const { lead_ms: _lead, lag_ms: _lag, ...rest } = options;
      const segments = [{ media_id: source.mediaId, in_ms: source.inMs, out_ms: source.outMs }];
      return dataOf(await api.POST('/v1/clip', { body: { ...rest, segments } })).clip;
    },
  });
}

/** A clip, asked for until it is ready, has failed or was cancelled. */
export function useClip(id: number | undefined) {
  return useQuery({
    queryKey: ['clip', id],
    enabled: id !== undefined,
    queryFn: async ({ signal }) =>
      dataOf(await api.GET('/v1/clip/{id}', { params: { path: { id: id ?? 0 } }, signal })).clip,
    refetchInterval: ({ state }) => (hasEnded(state.data) ? false : POLL_MS),
  });
}

/** Cancels a clip that is not ready yet, or removes one that is. */
export function useEndClip() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (id: number) => {
      await api.DELETE('/v1/clip/{id}', { params: { path: { id } } });
    },
    onSuccess: (_answer, id) => client.invalidateQueries({ queryKey: ['clip', id] }),
  });
}
