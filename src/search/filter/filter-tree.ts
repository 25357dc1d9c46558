import type { TextQuery } from '../text/text-query.ts';
import type { DetailTest, TestedField } from './detail-test.ts';
import type { IdField, ScalarField } from './filter-schema.ts';

/** ID fields of an action: `type` = its type, `media` = the asset it lies in, the others as of assets. */
export const ACTION_ID_FIELDS = [
  'tag_options',
  'type',
  'player',
  'club',
  'stadium',
  'competition',
  'season',
  'match',
  'sponsor',
  'media',
] as const;
export type ActionIdField = (typeof ACTION_ID_FIELDS)[number];
/** Compared as texts, by eq, ne and in alone. `role`: of any player; an action has several, so `ne` means none of them is that. */
export const ACTION_KEYWORD_FIELDS = ['status', 'outcome', 'source', 'angle', 'role'] as const;
export type ActionKeywordField = (typeof ACTION_KEYWORD_FIELDS)[number];
export const ACTION_NUMBER_FIELDS = [
  'start_ms',
  'period',
  'clock_ms',
  'minute',
  'stoppage',
  'confidence',
  'wallclock_at',
  'created_at',
  'updated_at',
] as const;
export type ActionNumberField = (typeof ACTION_NUMBER_FIELDS)[number];

export type Comparison = 'eq' | 'ne' | 'in' | 'gt' | 'gte' | 'lt' | 'lte';

/** The typed expression both engines evaluate. IDs are resolved (merged ones redirected), times are Dates. */
export type Filter =
  | { readonly kind: 'all' | 'any' | 'none'; readonly filters: readonly Filter[] }
  | {
      readonly kind: 'ids';
      readonly field: IdField;
      readonly test: 'all' | 'any' | 'none' | 'only';
      readonly ids: readonly number[];
    }
  | {
      readonly kind: 'compare';
      readonly field: ScalarField;
      readonly comparison: Comparison;
      readonly values: readonly ScalarValue[];
    }
  | { readonly kind: 'exists'; readonly field: ScalarField; readonly exists: boolean }
  | { readonly kind: 'name'; readonly contains: string }
  | { readonly kind: 'text'; readonly query: TextQuery }
  /** These assets and no others: not in the filters of requests, for searches that judge some assets. */
  | { readonly kind: 'assets'; readonly ids: readonly number[] }
  /** A field of the organization's own in the details. */
  | { readonly kind: 'detail'; readonly detail: TestedField; readonly test: DetailTest }
  /** Some action that lies in the asset (its own or another video's) meets the filter and may be seen. */
  | { readonly kind: 'action'; readonly filter: ActionFilter };

/**
 * A test of one action in one video. Retracted actions are left out unless `status` is tested somewhere in the whole of it
 * (`actionVisibility`). ID fields look at the action's `tag_ids`, but `type` and `media`, of which an action has one each
 * (`all` and `only`: it is each, or one, of these); no IDs: `any` holds for none, `none` for all. A missing value differs
 * from every value and passes no other comparison. A `text` is resolved among the words of the organization's actions.
 */
export type ActionFilter =
  | { readonly kind: 'all' | 'any' | 'none'; readonly filters: readonly ActionFilter[] }
  | {
      readonly kind: 'ids';
      readonly field: ActionIdField;
      readonly test: 'all' | 'any' | 'none' | 'only';
      readonly ids: readonly number[];
      /**
       * Of `player` alone: a player counts in one of these roles only. `all`: each of the players; `any`: one of them;
       * `none`: none of them; `only`: one of them, and no other player in one of these roles.
       */
      readonly roles?: readonly string[];
    }
  | {
      readonly kind: 'compare';
      readonly field: ActionKeywordField | ActionNumberField;
      readonly comparison: Comparison;
      readonly values: readonly ScalarValue[];
    }
  | { readonly kind: 'exists'; readonly field: ActionKeywordField | ActionNumberField; readonly exists: boolean }
  | { readonly kind: 'text'; readonly query: TextQuery };

export type ScalarValue = string | number | Date;

/** True when some test of the asset satisfies `matches`: what is asked of actions is left aside. */
export function someLeaf(filter: Filter, matches: (leaf: Filter) => boolean): boolean {
  return 'filters' in filter ? filter.filters.some((child) => someLeaf(child, matches)) : matches(filter);
}

/** True when some test in the tree satisfies `matches`. */
export function someActionLeaf(filter: ActionFilter, matches: (leaf: ActionFilter) => boolean): boolean {
  return 'filters' in filter ? filter.filters.some((child) => someActionLeaf(child, matches)) : matches(filter);
}

export const isActionText = (leaf: ActionFilter): boolean => leaf.kind === 'text';

/** A text of assets, or a leaf that asks for one of their actions. */
export function isText(leaf: Filter): boolean {
  return leaf.kind === 'action' ? someActionLeaf(leaf.filter, isActionText) : leaf.kind === 'text';
}

/** What is asked of actions by the first action leaf that is not below a `none`: what `action.start_ms` sorts by. */
export function firstActionOf(filter: Filter): ActionFilter | undefined {
  if (filter.kind === 'action') return filter.filter;
  if (filter.kind !== 'all' && filter.kind !== 'any') return undefined;
  for (const child of filter.filters) {
    const found = firstActionOf(child);
    if (found) return found;
  }
  return undefined;
}

/** The tests of fields of the organization's own, wherever they are in the tree. */
export function detailTestsOf(filter: Filter): readonly Extract<Filter, { kind: 'detail' }>[] {
  if (filter.kind === 'detail') return [filter];
  return 'filters' in filter ? filter.filters.flatMap(detailTestsOf) : [];
}

/** True when something in the tree is asked of actions. */
export function asksForActions(filter: Filter): boolean {
  return someLeaf(filter, (leaf) => leaf.kind === 'action');
}
