import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api, dataOf } from './client.ts';

/** What the library has, and what was asked of it in so many days. */
export const usageQuery = (days: number) =>
  queryOptions({
    queryKey: ['usage', days],
    queryFn: async ({ signal }) => dataOf(await api.GET('/v1/usage', { params: { query: { days } }, signal })).usage,
    placeholderData: keepPreviousData,
  });
