import { QueryClient } from '@tanstack/react-query';
import { ApiProblem } from './problem.ts';

const MAX_TRIES = 3;
const MAX_DELAY_MS = 8000;

/** Again only where the same request may succeed: no answer, too many requests, not available. */
function mayRetry(failures: number, error: unknown): boolean {
  return failures < MAX_TRIES - 1 && error instanceof ApiProblem && error.isRetryable;
}

function delayMs(failures: number, error: unknown): number {
  const asked = error instanceof ApiProblem ? error.retryAfterMs : undefined;
  return Math.min(MAX_DELAY_MS, asked ?? 400 * 2 ** failures);
}

export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: 20_000,
        gcTime: 5 * 60_000,
        retry: mayRetry,
        retryDelay: delayMs,
        // A search that was shown does not change under the reader's eyes because they looked at another window.
        refetchOnWindowFocus: false,
        networkMode: 'always',
      },
      // A write is repeated by who asked for it, knowing whether it may run twice.
      mutations: { retry: false, networkMode: 'always' },
    },
  });
}
