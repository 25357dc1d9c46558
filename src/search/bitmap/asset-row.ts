import type { IndexRow } from '../../library/index.ts';

/** What the index keeps of an asset: one row of the library's own reading. */
export type AssetRow = IndexRow;

/** Fields whose values are few and known: each value has a set of its own. */
export const KEYWORD_FIELDS = ['media_type', 'status', 'orientation', 'usage'] as const;
export type KeywordField = (typeof KEYWORD_FIELDS)[number];

/** Fields that are compared as numbers; times are milliseconds since 1970. */
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
