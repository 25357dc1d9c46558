import type { LibraryScope } from '../auth/index.ts';
import type { TestedField } from './filter/detail-test.ts';
import type { IdField } from './filter/filter-schema.ts';
import type { ActionFilter, Filter } from './filter/filter-tree.ts';
import type { TagWords } from './text/tag-words.ts';

/** `action.start_ms`: of the earliest visible action that meets `firstActionOf` the filter; only with one. */
export const SORT_FIELDS = [
  'created_at',
  'captured_at',
  'updated_at',
  'name',
  'rating',
  'relevance',
  'action.start_ms',
] as const;
export type SortField = (typeof SORT_FIELDS)[number];
export type Sort = { readonly field: SortField; readonly descending: boolean };

/** Where a page ended: the sort value (times as RFC 3339 text, null = none) and the ID that breaks ties. */
export type SortKey = {
  readonly value: string | number | null;
  readonly id: number;
  /** Sort by relevance: the weights of the positive text clauses in the order of the tree, kept from page to page. */
  readonly weights?: readonly number[];
};

/** Facets that count tag options (by type; `tag_options` of every type) or collections. */
export const ID_FACETS = [
  'tag_options',
  'player',
  'club',
  'stadium',
  'competition',
  'season',
  'match',
  'sponsor',
  'tag',
  'collection',
] as const satisfies readonly (IdField | 'tag')[];
export const VALUE_FACETS = ['media_type', 'orientation', 'usage', 'status', 'rating', 'people_count'] as const;
export const TIME_FACETS = ['captured_at', 'created_at', 'updated_at'] as const;
/**
 * Assets by type of action, or player in one, among their visible actions that meet `firstActionOf` the facet's filter; all
 * actions that are not retracted when it asks for none.
 */
export const ACTION_FACETS = ['action.type', 'action.player'] as const;
export const INTERVALS = ['day', 'week', 'month', 'year'] as const;
export type IdFacet = (typeof ID_FACETS)[number];
export type ValueFacet = (typeof VALUE_FACETS)[number];
export type ActionFacet = (typeof ACTION_FACETS)[number];
export type TimeFacet = (typeof TIME_FACETS)[number];
/** In UTC; a week begins on Monday. */
export type Interval = (typeof INTERVALS)[number];

export type FacetRequest = (
  | { readonly field: IdFacet }
  | { readonly field: ValueFacet }
  | { readonly field: ActionFacet }
  | { readonly field: TimeFacet; readonly interval: Interval }
  /** Values of a choice, texts of a list: a field of the organization's own. */
  | { readonly field: 'detail'; readonly detail: TestedField }
) & {
  /** 1..1000 buckets. */
  readonly limit: number;
  /** What is counted: the search's own filter, or for a disjunctive facet that without the tests of its field. */
  readonly filter: Filter;
};

/** `key`: an ID, a value, or the beginning of an interval as RFC 3339 text. */
export type FacetBucket = { readonly key: number | string; readonly count: number };
/**
 * Only buckets with a count. IDs and values: the largest counts first, ties by ascending key. Times: ascending, the newest
 * `limit` of them. Assets without the value are in no bucket.
 */
export type FacetResult = readonly FacetBucket[];

export type EngineRequest = {
  readonly filter: Filter;
  readonly sort: Sort;
  /** 0..200; 0 asks for total and facets only. */
  readonly limit: number;
  readonly offset: number;
  readonly after: SortKey | undefined;
  readonly facets: readonly FacetRequest[];
  readonly tagWords: TagWords;
  /** Ends the search with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** The search must see the library at this version or a later one. */
  readonly version?: number | undefined;
};

export type EngineResult = {
  readonly ids: readonly number[];
  /** Exact, over all pages. */
  readonly total: number;
  /** Present when there is a further page. */
  readonly nextKey: SortKey | undefined;
  /** In the order of the request's facets. */
  readonly facets: readonly FacetResult[];
};

export const ACTION_SORT_FIELDS = [
  'created_at',
  'updated_at',
  'start_ms',
  'clock_ms',
  'wallclock_at',
  'relevance',
] as const;
export type ActionSortField = (typeof ACTION_SORT_FIELDS)[number];
/** Tag options of the actions by type; `type` = the action's own type. */
export const ACTION_ID_FACETS = ['type', ...ID_FACETS.filter((field) => field !== 'collection')] as const;
export const ACTION_VALUE_FACETS = ['status', 'outcome', 'source', 'angle', 'role', 'period', 'minute'] as const;
export type ActionFacetField = (typeof ACTION_ID_FACETS)[number] | (typeof ACTION_VALUE_FACETS)[number];

/**
 * A search whose documents are actions in videos (rows of `action_media`); IDs are those, as that of the sort key. A facet
 * counts documents: ties by ascending key, texts by code point. Actions without a value of the sort come last. Relevance: as
 * of assets over the words of label and details (`text`) and the tag options (`tag_ids`); weights count all documents of
 * the organization and those that meet the clause, whatever their status and whether at home.
 */
export type ActionEngineRequest = {
  readonly filter: ActionFilter;
  /** What the asset has to meet; `visibilityOf` it says which may be seen, as in a search over assets. */
  readonly media: Filter;
  /** Each action once, in its own video; otherwise in every video that it lies in. */
  readonly homeOnly: boolean;
  readonly sort: { readonly field: ActionSortField; readonly descending: boolean };
  readonly limit: number;
  readonly offset: number;
  readonly after: SortKey | undefined;
  readonly facets: readonly {
    readonly field: ActionFacetField;
    readonly limit: number;
    readonly filter: ActionFilter;
  }[];
  readonly tagWords: TagWords;
  readonly signal?: AbortSignal | undefined;
  readonly version?: number | undefined;
};

/** Evaluates filters over one organization's assets and actions. Every engine gives the same IDs in the same order. */
export type SearchEngine = {
  search(scope: LibraryScope, request: EngineRequest): Promise<EngineResult>;
  searchActions(scope: LibraryScope, request: ActionEngineRequest): Promise<EngineResult>;
};
