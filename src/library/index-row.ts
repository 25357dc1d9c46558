/**
 * A word of an asset's own texts with its places as PostgreSQL's tsvector has them: position in the low 14 bits, class of
 * the field in the high two (A 3, B 2, C 1).
 */
export type WordPlaces = { readonly word: string; readonly places: readonly number[] };

/** An asset as a search index reads it: what can be filtered and sorted by. Times are milliseconds since 1970. */
export type IndexRow = {
  readonly id: number;
  readonly media_type: string;
  /** `deleted` for assets in the bin. */
  readonly status: string;
  readonly orientation: string | null;
  readonly usage: string;
  readonly captured_at: number | null;
  readonly created_at: number;
  readonly updated_at: number;
  readonly width: number | null;
  readonly height: number | null;
  readonly duration_ms: number | null;
  readonly people_count: number;
  readonly rating: number | null;
  readonly name: string;
  readonly tag_ids: readonly number[];
  readonly collection_ids: readonly number[];
  /** Each word once. */
  readonly text: readonly WordPlaces[];
};
