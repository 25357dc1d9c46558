import type { DetailField } from '../../library/index.ts';
import type { Comparison } from './filter-tree.ts';

/** A field of the organization's own that a filter tests. */
export type TestedField = Pick<DetailField, 'id' | 'key' | 'type'>;

/**
 * What is asked of a field. Texts and choices are compared as they are, numbers as numbers, dates as the times they stand
 * for. A missing value differs from every value (`ne`), contains nothing and passes no other comparison.
 */
export type DetailTest =
  | { readonly kind: 'compare'; readonly comparison: Comparison; readonly values: readonly (string | number | Date)[] }
  | { readonly kind: 'contains'; readonly text: string }
  /** Of lists: they hold all, any or none of these texts; a missing list holds none. */
  | { readonly kind: 'all' | 'any' | 'none'; readonly texts: readonly string[] }
  | { readonly kind: 'exists'; readonly exists: boolean };
