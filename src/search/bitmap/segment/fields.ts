import { ACTION_NUMBER_FIELDS } from '../../filter/filter-tree.ts';

/** Fields of assets whose values are few and known: each value has a set of its own. */
export const KEYWORD_FIELDS = ['media_type', 'status', 'orientation', 'usage'] as const;
export type KeywordField = (typeof KEYWORD_FIELDS)[number];

/** Fields of assets that are compared as numbers; times are milliseconds since 1970. */
export const NUMBER_FIELDS = [
  'captured_at',
  'created_at',
  'updated_at',
  'width',
  'height',
  'duration_ms',
  'people_count',
  'rating',
] as const;
export type NumberField = (typeof NUMBER_FIELDS)[number];

/** Columns of actions: what is compared as a number, and the type for counting. */
export const ACTION_COLUMNS = [...ACTION_NUMBER_FIELDS, 'type_id'] as const;
export type ActionColumn = (typeof ACTION_COLUMNS)[number];
