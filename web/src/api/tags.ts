import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { api, type BodyOf, dataOf, type Schemas } from './client.ts';
import { toProblem } from './problem.ts';

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

export type TagType = TagOption['type'];
/** The types of tag options, in the order in which people look for them. */
export const TAG_TYPES = [
  'player',
  'club',
  'match',
  'competition',
  'season',
  'stadium',
  'sponsor',
  'tag',
] as const satisfies readonly TagType[];
export type TagCreate = BodyOf<'/v1/tag', 'post'>;
export type TagChange = BodyOf<'/v1/tag/{id}', 'patch'>;

export type TagPageAsked = {
  readonly text: string;
  readonly type?: string | undefined;
  readonly category?: string | undefined;
};

/** One page of the tag options that a text may mean; without a text, of all of them, those on most assets first. */
export function tagPageQuery(asked: TagPageAsked, { cursor, limit }: { cursor: string | undefined; limit: number }) {
  const { text, type, category } = asked;
  return queryOptions({
    queryKey: ['tag', 'search', asked, cursor, limit],
    queryFn: async ({ signal }) => {
      const query = {
        ...(text !== '' && { query: text }),
        ...(type !== undefined && { type }),
        ...(category !== undefined && { category }),
        ...(cursor !== undefined && { cursor }),
        limit,
      };
      const { tag_options, total, next_cursor } = dataOf(
        await api.GET('/v1/tag/search', { params: { query }, signal }),
      );
      return { tags: tag_options, total, nextCursor: next_cursor };
    },
  });
}

/** How many tag options there are of each type and category. */
export const tagCategoriesQuery = queryOptions({
  queryKey: ['tag', 'category'],
  queryFn: async ({ signal }) => dataOf(await api.GET('/v1/tag/category', { signal })).categories,
});

/** What names a tag option: what a merge would move, and what stands in the way of a deletion. */
export function tagUsageQuery(id: number) {
  return queryOptions({
    queryKey: ['tag', id, 'usage'],
    queryFn: async ({ signal }) =>
      dataOf(await api.GET('/v1/tag/{id}/usage', { params: { path: { id } }, signal })).usage,
    staleTime: 0,
  });
}

/** How many assets carry one or the other of two tag options. */
export function mediaWithEitherQuery(first: number, second: number) {
  return queryOptions({
    queryKey: ['media', 'with-either', first, second],
    queryFn: async ({ signal }) => {
      const body = { tag_options: { any: [first, second] }, limit: 0 };
      return dataOf(await api.POST('/v1/media/search', { body, signal })).total;
    },
    staleTime: 0,
  });
}

/** Players of a club on a day, in full; a squad is never longer than a few pages. */
export function squadQuery(club: number, at: string) {
  return queryOptions({
    queryKey: ['tag', 'squad', club, at],
    queryFn: async ({ signal }) => {
      const players: TagOption[] = [];
      let cursor: string | undefined;
      do {
        const query = { club, at, limit: 200, ...(cursor !== undefined && { cursor }) };
        const page = dataOf(await api.GET('/v1/tag', { params: { query }, signal }));
        players.push(...page.tag_options);
        cursor = page.next_cursor ?? undefined;
      } while (cursor !== undefined);
      return players;
    },
  });
}

/** Writes to tag options. All that shows tags follows. */
export function useTagWrites() {
  const client = useQueryClient();
  // Not waited for: a form that was saved says so at once.
  const follow = (goneId?: number) => {
    void client.invalidateQueries({ predicate: ({ queryKey: [kind, id] }) => kind === 'tag' && id !== goneId });
    // Assets are shown with the names of their tags.
    void client.invalidateQueries({ queryKey: ['media'] });
  };
  const create = useMutation({
    mutationFn: async (body: TagCreate) => dataOf(await api.POST('/v1/tag', { body })).tag_option,
    onSuccess: (tag) => {
      // Its panel opens at once, in the place of the form.
      client.setQueryData(tagQuery(tag.id).queryKey, tag);
      follow();
    },
  });
  const change = useMutation({
    mutationFn: async ({ tag, body }: { readonly tag: TagOption; readonly body: TagChange }) => {
      const params = { path: { id: tag.id }, header: { 'If-Match': `"v${tag.version}"` } };
      return dataOf(await api.PATCH('/v1/tag/{id}', { params, body })).tag_option;
    },
    onSuccess: (tag) => {
      client.setQueryData(tagQuery(tag.id).queryKey, tag);
      follow();
    },
    onError: (error, { tag }) => {
      // Somebody was faster: what they made of it is to be seen beside what was typed.
      if (toProblem(error).status === 412) void client.invalidateQueries({ queryKey: ['tag', tag.id] });
    },
  });
  const merge = useMutation({
    mutationFn: async ({ from, into }: { readonly from: number; readonly into: number }) =>
      dataOf(await api.POST('/v1/tag/{id}/merge', { params: { path: { id: from } }, body: { into } })).tag_option,
    onSuccess: () => follow(),
  });
  const remove = useMutation({
    mutationFn: async (tag: TagOption) => {
      const params = { path: { id: tag.id }, header: { 'If-Match': `"v${tag.version}"` } };
      await api.DELETE('/v1/tag/{id}', { params });
    },
    onSuccess: (_, tag) => follow(tag.id),
  });
  const renameCategory = useMutation({
    mutationFn: async (body: BodyOf<'/v1/tag/category/rename', 'post'>) =>
      dataOf(await api.POST('/v1/tag/category/rename', { body })).changed,
    onSuccess: () => follow(),
  });
  return { create, change, merge, remove, renameCategory };
}
