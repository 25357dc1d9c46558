import type { LibraryScope } from '../auth/index.ts';
import type { Filter } from './filter/filter-tree.ts';

export const SORT_FIELDS = ['created_at', 'captured_at', 'updated_at', 'name', 'rating'] as const;
export type SortField = (typeof SORT_FIELDS)[number];
export type Sort = { readonly field: SortField; readonly descending: boolean };

/** Where a page ended: the sort value (times as RFC 3339 text, null = none) and the ID that breaks ties. */
export type SortKey = { readonly value: string | number | null; readonly id: number };

export type EngineRequest = {
  readonly filter: Filter;
  readonly sort: Sort;
  /** 0..200; 0 asks for the total only. */
  readonly limit: number;
  readonly offset: number;
  readonly after: SortKey | undefined;
};

export type EngineResult = {
  readonly ids: readonly number[];
  /** Exact, over all pages. */
  readonly total: number;
  /** Present when there is a further page. */
  readonly nextKey: SortKey | undefined;
};

/** Evaluates a filter over one organization's assets. Every engine gives the same IDs in the same order. */
export type SearchEngine = {
  search(scope: LibraryScope, request: EngineRequest): Promise<EngineResult>;
};
