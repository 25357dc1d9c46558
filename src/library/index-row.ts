import type { IndexDetail } from './index-details.ts';

/**
 * A word of an asset's own texts with its places as PostgreSQL's tsvector has them: position in the low 14 bits, class of
 * the field in the high two (A 3, B 2, C 1).
 */
export type WordPlaces = { readonly word: string; readonly places: readonly number[] };

/** An action in one video as a search index reads it: a document of its own, which belongs to its asset. */
export type IndexAction = {
  /** Of `action_media`: one action may lie in several videos. */
  readonly id: number;
  /** The asset is the action's own video. */
  readonly home: boolean;
  readonly type_id: number;
  readonly status: string;
  readonly outcome: string | null;
  readonly source: string;
  /** Of the asset's timeline. */
  readonly angle: string | null;
  readonly start_ms: number;
  readonly period: number | null;
  readonly clock_ms: number | null;
  readonly minute: number | null;
  readonly stoppage: number | null;
  readonly confidence: number | null;
  /** Milliseconds since 1970, as the next two. */
  readonly wallclock_at: number | null;
  readonly created_at: number;
  readonly updated_at: number;
  readonly tag_ids: readonly number[];
  /** Roles that players have in it, each pair once. */
  readonly roles: readonly { readonly player: number; readonly role: string }[];
  /** Words of label and details, each once. */
  readonly text: readonly WordPlaces[];
};

/** An asset as a search index reads it: what can be filtered and sorted by. Times are milliseconds since 1970. */
export type IndexAsset = {
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
  /** Of the fields that were asked for, each once, by ID. */
  readonly details: readonly IndexDetail[];
};

/** An asset with the actions that lie in it, its own and those of other videos. */
export type IndexRow = IndexAsset & { readonly actions: readonly IndexAction[] };
