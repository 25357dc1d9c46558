import { useQueries, type UseQueryResult } from '@tanstack/react-query';
import { useCallback } from 'react';
import { type MediaHit, mediaPageQuery, type PageAnswer } from '../api/media-search.ts';
import type { Slice } from './result-blocks.ts';

type Pages = {
  readonly media: readonly MediaHit[] | undefined;
  readonly error: unknown;
  readonly retry: () => void;
};

/** The results of a block, when all pages that hold them are there. */
export function useSlices(slices: readonly Slice[], isEnabled: boolean): Pages {
  const combine = useCallback(
    (results: readonly UseQueryResult<PageAnswer>[]): Pages => ({
      media:
        results.length > 0 && results.every(({ data }) => data !== undefined)
          ? slices.flatMap(({ from, to }, at) => results[at]?.data?.media.slice(from, to) ?? [])
          : undefined,
      error: results.find(({ error }) => error !== null)?.error ?? null,
      retry: () => {
        for (const { isError, refetch } of results) if (isError) void refetch();
      },
    }),
    [slices],
  );
  return useQueries({
    queries: slices.map(({ request, page }) => ({
      ...mediaPageQuery(request, page),
      enabled: isEnabled,
      // Pages far away are let go soon: each holds some hundred kilobytes.
      gcTime: 60_000,
    })),
    combine,
  });
}
