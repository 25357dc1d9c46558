import type { TagWords } from '../text/tag-words.ts';

/** The kinds of tag option (API.md section 2). */
export type TagType = 'player' | 'club' | 'stadium' | 'competition' | 'season' | 'match' | 'sponsor' | 'tag';

/** What the lookup knows about one tag option. */
export type TagLookupRecord = {
  readonly id: number;
  readonly type: TagType;
  readonly category: string | null;
  readonly label: string;
  readonly fullName: string | null;
  readonly aliases: readonly string[];
  readonly mediaCount: number;
  readonly status: 'active' | 'deactivated' | 'merged';
  /** Players: their shirt numbers (0..999), past ones too, each with the names and aliases of its club. */
  readonly shirts: readonly TagLookupShirt[];
};

/** Dates are `YYYY-MM-DD`, both ends included, null = open. */
export type TagLookupShirt = {
  readonly number: number;
  readonly clubNames: readonly string[];
  readonly from: string | null;
  readonly to: string | null;
};

/** One tag option that was found, with the field that decided its rank. */
export type TagLookupHit = {
  readonly id: number;
  readonly matchedOn: 'id' | 'label' | 'full_name' | 'alias' | 'shirt' | 'typo' | 'list';
};

export type TagLookupRequest = {
  /** Absent or blank: the list. Only the first 200 characters and 12 words count. */
  readonly query?: string;
  /** Absent: all types. An empty list matches nothing. */
  readonly types?: readonly TagType[];
  /** Absent: all categories. An empty list matches nothing. */
  readonly categories?: readonly string[];
  /** Absent: all records. Otherwise only those with one of these IDs. */
  readonly within?: ReadonlySet<number>;
  /** The day, `YYYY-MM-DD`, of which shirt numbers are meant. Absent: of any day. */
  readonly at?: string;
  readonly offset: number;
  readonly limit: number;
};

export type TagLookupResult = { readonly hits: readonly TagLookupHit[]; readonly total: number };

/** An in-memory index over the tag options of one organization; synchronous, one thread. */
export type TagLookupIndex = {
  /** Adds or replaces records by id. A merged record is taken out, since lookups never answer it. */
  upsert(records: readonly TagLookupRecord[]): void;
  /** Unknown ids are ignored. */
  remove(ids: readonly number[]): void;
  /** One page, best first, and the exact number of hits in all classes that were looked at. */
  search(request: TagLookupRequest): TagLookupResult;
  get(id: number): TagLookupRecord | undefined;
  /** The words of the names of all records, deactivated ones included. */
  readonly words: TagWords;
  readonly size: number;
  /** Estimated memory of the index and its records, in bytes. */
  readonly bytes: number;
};
