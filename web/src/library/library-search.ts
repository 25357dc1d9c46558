import { useNavigate } from '@tanstack/react-router';
import { useCallback, useMemo } from 'react';
import type { SearchRequest } from '../api/media-search.ts';
import { ownSearchNow, useOwnSearch } from '../app/own-search.ts';
import { filterOf, type LibraryQuery, readQuery, writeQuery } from './query.ts';

/** The search of a query as the API is asked. */
export function searchOf(query: LibraryQuery): SearchRequest {
  return { filter: filterOf(query), sort: query.sort };
}

export type ChangeQuery = (
  change: (query: LibraryQuery) => LibraryQuery,
  options?: {
    /** Typing should not fill the history with every letter. */
    readonly replace?: boolean;
  },
) => void;

/** The query in the address, and how to change it: each change is a step that Back takes back. */
export function useLibraryQuery(): { readonly query: LibraryQuery; readonly changeQuery: ChangeQuery } {
  const search = useOwnSearch('/');
  const navigate = useNavigate();
  const query = useMemo(() => readQuery(search), [search]);
  const changeQuery = useCallback<ChangeQuery>(
    (change, { replace = false } = {}) => {
      const present = ownSearchNow('/');
      if (present) void navigate({ to: '/', search: writeQuery(change(readQuery(present))), replace });
    },
    [navigate],
  );
  return { query, changeQuery };
}
