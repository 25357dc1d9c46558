import type { TagType } from '../../library/index.ts';
import { type EngineRequest, type EngineResult, SORT_FIELDS, type SortField } from '../engine.ts';
import { type AssetRow, KEYWORD_FIELDS, type KeywordField } from './asset-row.ts';
import { type Columns, createColumns } from './columns.ts';
import { evaluate } from './evaluate.ts';
import { createForwardList, type ForwardList } from './forward-list.ts';
import { createIdSet, type IdSet, type MutableIdSet } from './sets/index.ts';
import { createSortOrder, type SortOrder } from './sort-order.ts';

/** One organization's assets in memory: sets of documents by tag, collection and keyword, and columns of values. */
export type LibraryIndex = {
  upsert(rows: readonly AssetRow[]): void;
  /** Forgets assets that are gone for good. */
  remove(ids: readonly number[]): void;
  /** Says what types tag options are of; `only` asks for it. */
  setTagTypes(types: ReadonlyMap<number, TagType>): void;
  hasTagType(id: number): boolean;
  assetsInCollection(id: number): readonly number[];
  search(request: EngineRequest): EngineResult;
  /** Assets, those in the bin included. */
  readonly size: number;
  /** Estimated memory. */
  readonly bytes: number;
};

/** What evaluation reads. */
export type IndexReader = {
  readonly all: IdSet;
  tag(id: number): IdSet | undefined;
  collection(id: number): IdSet | undefined;
  keyword(field: KeywordField, value: string): IdSet | undefined;
  readonly columns: Columns;
  /** Tag option IDs of a document. */
  tagsOf(document: number): readonly number[];
  collectionsOf(document: number): readonly number[];
  tagType(id: number): TagType | undefined;
};

type Postings = {
  get(key: number): IdSet | undefined;
  /** Makes these the document's keys. */
  set(document: number, keys: readonly number[]): void;
  keysOf(document: number): readonly number[];
  readonly bytes: number;
};

/** Sets of documents by key, and the keys of each document. Keys are IDs up to 2^53; documents store 32-bit codes of them. */
function createPostings(): Postings {
  const codes = new Map<number, number>();
  const keys: number[] = [];
  const sets: MutableIdSet[] = [];
  const forward: ForwardList = createForwardList();
  const codeOf = (key: number): number => {
    const present = codes.get(key);
    if (present !== undefined) return present;
    codes.set(key, keys.length);
    sets.push(createIdSet());
    return keys.push(key) - 1;
  };
  return {
    get(key) {
      const code = codes.get(key);
      return code === undefined ? undefined : sets[code];
    },
    set(document, wanted) {
      const next = wanted.map(codeOf);
      for (const code of forward.get(document)) if (!next.includes(code)) sets[code]?.remove(document);
      for (const code of next) sets[code]?.add(document);
      forward.set(document, next);
    },
    keysOf: (document) => Array.from(forward.get(document), (code) => keys[code] ?? 0),
    get bytes() {
      return forward.bytes + sets.reduce((sum, set) => sum + set.bytes + 64, 0);
    },
  };
}

/** An empty index. Documents are numbered in the order of their first `upsert` and keep their number. */
export function createLibraryIndex(): LibraryIndex {
  const documents = new Map<number, number>();
  const all: MutableIdSet = createIdSet();
  const tags = createPostings();
  const collections = createPostings();
  const columns = createColumns();
  const tagTypes = new Map<number, TagType>();
  const keywords = new Map<string, MutableIdSet>();
  const keywordsOf: (readonly string[])[] = [];
  const keywordLists = new Map<string, readonly string[]>();
  const orders = Object.fromEntries(SORT_FIELDS.map((field) => [field, createSortOrder(field, columns)])) as Record<
    SortField,
    SortOrder
  >;

  /** The keys of a row's keywords; rows with the same keywords share one list, or each would hold its own texts. */
  const keywordKeys = (row: AssetRow): readonly string[] => {
    const values = KEYWORD_FIELDS.map((field) => row[field]).join();
    const known = keywordLists.get(values);
    if (known) return known;
    const keys = KEYWORD_FIELDS.flatMap((field) => (row[field] === null ? [] : [`${field}=${row[field]}`]));
    keywordLists.set(values, keys);
    return keys;
  };
  const setKeywords = (document: number, next: readonly string[]) => {
    if (keywordsOf[document] === next) return;
    for (const key of keywordsOf[document] ?? []) if (!next.includes(key)) keywords.get(key)?.remove(document);
    for (const key of next) {
      const set = keywords.get(key) ?? createIdSet();
      keywords.set(key, set);
      set.add(document);
    }
    keywordsOf[document] = next;
  };

  const reader: IndexReader = {
    all,
    tag: (id) => tags.get(id),
    collection: (id) => collections.get(id),
    keyword: (field, value) => keywords.get(`${field}=${value}`),
    columns,
    tagsOf: (document) => tags.keysOf(document),
    collectionsOf: (document) => collections.keysOf(document),
    tagType: (id) => tagTypes.get(id),
  };

  return {
    upsert(rows) {
      for (const row of rows) {
        const document = documents.get(row.id) ?? documents.size;
        documents.set(row.id, document);
        all.add(document);
        columns.set(document, row);
        tags.set(document, row.tag_ids);
        collections.set(document, row.collection_ids);
        setKeywords(document, keywordKeys(row));
        for (const field of SORT_FIELDS) orders[field].touch(document);
      }
    },
    remove(ids) {
      for (const id of ids) {
        const document = documents.get(id);
        if (document === undefined) continue;
        all.remove(document);
        tags.set(document, []);
        collections.set(document, []);
        setKeywords(document, []);
      }
    },
    setTagTypes(types) {
      for (const [id, type] of types) tagTypes.set(id, type);
    },
    hasTagType: (id) => tagTypes.has(id),
    assetsInCollection: (id) => Array.from(collections.get(id)?.toArray() ?? [], (document) => columns.id(document)),
    search(request) {
      const matching = evaluate(request.filter, reader);
      const order = orders[request.sort.field];
      const page = order.page(matching, {
        sort: request.sort,
        after: request.after,
        skip: request.offset,
        limit: request.limit === 0 ? 0 : request.limit + 1,
      });
      const shown = page.slice(0, request.limit);
      const last = page.length > request.limit ? shown.at(-1) : undefined;
      return {
        ids: shown.map((document) => columns.id(document)),
        total: matching.size,
        nextKey: last === undefined ? undefined : order.keyOf(last),
      };
    },
    get size() {
      return all.size;
    },
    get bytes() {
      return all.bytes + tags.bytes + collections.bytes + columns.bytes + documents.size * 48;
    },
  };
}
