import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { api, type BodyOf, dataOf, type Schemas } from './client.ts';

export type Media = Schemas['Media'];
export type MediaChange = BodyOf<'/v1/media/{id}', 'patch'>;
export type TagChange = BodyOf<'/v1/media/{id}/tag', 'post'>;

/** One asset with everything that the service knows of it. */
export const mediaQuery = (id: number) =>
  queryOptions({
    queryKey: ['media', id],
    queryFn: async ({ signal }) => dataOf(await api.GET('/v1/media/{id}', { params: { path: { id } }, signal })).media,
  });

export const useMedia = (id: number) => useQuery(mediaQuery(id));

/** Writes to one asset. The asset that the service answers is shown; searches are asked again when they are looked at. */
export function useMediaWrites(id: number) {
  const client = useQueryClient();
  const onSuccess = (media: Media) => {
    client.setQueryData(mediaQuery(id).queryKey, media);
    void client.invalidateQueries({ queryKey: ['media', 'search'], refetchType: 'none' });
    void client.invalidateQueries({ queryKey: ['media', 'facets'], refetchType: 'none' });
  };
  // An asset that somebody else has changed meanwhile is read again.
  const onError = () => client.invalidateQueries({ queryKey: mediaQuery(id).queryKey });

  const change = useMutation({
    mutationFn: async ({ body, version }: { readonly body: MediaChange; readonly version: number }) => {
      const params = { path: { id }, header: { 'If-Match': `"v${version}"` } };
      return dataOf(await api.PATCH('/v1/media/{id}', { params, body })).media;
    },
    onSuccess,
    onError,
  });
  const tag = useMutation({
    mutationFn: async (body: TagChange) =>
      dataOf(await api.POST('/v1/media/{id}/tag', { params: { path: { id } }, body })).media,
    onSuccess,
    onError,
  });
  const linkFace = useMutation({
    mutationFn: async ({ n, playerId }: { readonly n: number; readonly playerId: number | null }) => {
      const params = { path: { id, n } };
      return dataOf(await api.PATCH('/v1/media/{id}/face/{n}', { params, body: { tag_option_id: playerId } })).media;
    },
    onSuccess,
    onError,
  });
  return { change, tag, linkFace };
}
