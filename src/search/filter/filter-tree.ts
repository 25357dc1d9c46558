import type { TextQuery } from '../text/text-query.ts';
import type { IdField, ScalarField } from './filter-schema.ts';

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
  | { readonly kind: 'text'; readonly query: TextQuery };

export type ScalarValue = string | number | Date;

/** True when some test in the tree satisfies `matches`. */
export function someLeaf(filter: Filter, matches: (leaf: Filter) => boolean): boolean {
  return 'filters' in filter ? filter.filters.some((child) => someLeaf(child, matches)) : matches(filter);
}
