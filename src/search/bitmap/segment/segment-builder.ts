import type { IndexRow } from '../../../library/index.ts';
import { impactOf, PLACE_WEIGHTS } from '../../text/relevance.ts';
import { encodeColumn } from './number-column.ts';
import { sortByNumber, sortTexts } from './order.ts';
import { CHUNK_DOCUMENTS, createPackedSetsBuilder, MANY_POSITIONS } from './packed-sets.ts';
import { type Paged, pagedBytes, pagedNumbers, pagedWords } from './paged.ts';
import { newSection, type Section, type SegmentData, type SegmentMeta } from './sections.ts';
import { WordPlaceReader, writeHead, writeWord } from './word-places.ts';

/** Fields whose values are few and known: each value has a set of its own. */
export const KEYWORD_FIELDS = ['media_type', 'status', 'orientation', 'usage'] as const;
export type KeywordField = (typeof KEYWORD_FIELDS)[number];

export function isKeyword(field: string): field is KeywordField {
  return (KEYWORD_FIELDS as readonly string[]).includes(field);
}

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

export type SegmentBuilder = {
  /** Adds an asset; each ID once. */
  add(row: IndexRow): void;
  readonly size: number;
  /** Makes the segment, its documents numbered in the order of their creation; the builder is used up. */
  finish(): SegmentData;
};

/** Numbers for keys in the order they first come. */
type Numbering<Key> = { of(key: Key): number; readonly keys: readonly Key[] };

function createNumbering<Key>(): Numbering<Key> {
  const numbers = new Map<Key, number>();
  const keys: Key[] = [];
  return {
    of(key) {
      const known = numbers.get(key);
      if (known !== undefined) return known;
      numbers.set(key, keys.length);
      return keys.push(key) - 1;
    },
    keys,
  };
}

/** Where each number goes when its keys are put in ascending order, and the keys in that order. */
function ranked<Key>(keys: readonly Key[], compare: (a: Key, b: Key) => number): { ranks: Uint32Array; sorted: Key[] } {
  const order = keys.map((_, at) => at).sort((a, b) => compare(keys[a] as Key, keys[b] as Key));
  const ranks = new Uint32Array(keys.length);
  for (const [rank, at] of order.entries()) ranks[at] = rank;
  return { ranks, sorted: order.map((at) => keys[at] as Key) };
}

/** Lists of numbers by row: where each begins, and all of them in a row. */
type Lists = { readonly starts: Paged<Uint32Array>; readonly items: Paged<Uint32Array> };

/** UTF-8 bytes of texts, as sections. */
function textSections(name: string, texts: readonly Uint8Array[]): Record<string, Section> {
  const starts = newSection('u32', texts.length + 1);
  let length = 0;
  for (const [at, text] of texts.entries()) {
    length += text.length;
    starts[at + 1] = length;
  }
  const bytes = newSection('u8', length);
  for (const [at, text] of texts.entries()) bytes.set(text, starts[at] ?? 0);
  return { [`${name}_starts`]: starts, [`${name}_bytes`]: bytes };
}

/** Weights of places by the class of their field as it is written. */
const WEIGHTS = [0, PLACE_WEIGHTS.C, PLACE_WEIGHTS.B, PLACE_WEIGHTS.A];

export function createSegmentBuilder(): SegmentBuilder {
  const ids = pagedNumbers();
  const numbers = Object.fromEntries(NUMBER_FIELDS.map((field) => [field, pagedNumbers()])) as Record<
    NumberField,
    Paged<Float64Array>
  >;
  const keywords = createNumbering<string>();
  const keywordsOf = pagedWords();
  const keywordLists: (readonly string[])[] = [];
  const tags = createNumbering<number>();
  const tagLists: Lists = { starts: pagedWords(), items: pagedWords() };
  const collections = createNumbering<number>();
  const collectionLists: Lists = { starts: pagedWords(), items: pagedWords() };
  const nameStarts = pagedWords();
  const nameBytes = pagedBytes();
  const words = createNumbering<string>();
  const placeStarts = pagedWords();
  const places = pagedBytes();
  let wordless = 0;
  let scratch = Buffer.alloc(1024);

  const addList = (lists: Lists, numbering: Numbering<number>, keys: readonly number[]) => {
    lists.starts.push(lists.items.length);
    for (const key of keys) lists.items.push(numbering.of(key));
  };
  const addName = (name: string) => {
    nameStarts.push(nameBytes.length);
    if (scratch.length < name.length * 3) scratch = Buffer.alloc(name.length * 3);
    const length = scratch.write(name);
    for (let at = 0; at < length; at += 1) nameBytes.push(scratch[at] ?? 0);
  };

  /** The rows in the order of their creation, ties by ID. */
  const orderRows = (): Uint32Array => {
    const order = new Uint32Array(ids.length);
    for (let row = 0; row < order.length; row += 1) order[row] = row;
    sortByNumber(order, (row) => ids.get(row));
    let earliest = Number.POSITIVE_INFINITY;
    for (let row = 0; row < order.length; row += 1) earliest = Math.min(earliest, numbers.created_at.get(row));
    sortByNumber(order, (row) => numbers.created_at.get(row) - earliest);
    return order;
  };

  const finishIds = (rows: Uint32Array): Record<string, Section> => {
    let greatest = 0;
    let ascending = true;
    for (let document = 0; document < rows.length; document += 1) {
      const id = ids.get(rows[document] ?? 0);
      if (id < greatest) ascending = false;
      else greatest = id;
    }
    const section = newSection(greatest < 2 ** 32 ? 'u32' : 'f64', rows.length);
    for (let document = 0; document < rows.length; document += 1) section[document] = ids.get(rows[document] ?? 0);
    if (ascending) return { ids: section };
    const byId = newSection('u32', rows.length);
    for (let document = 0; document < rows.length; document += 1) byId[document] = document;
    sortByNumber(byId, (document) => section[document] ?? 0);
    return { ids: section, by_id: byId };
  };

  const finishNames = (rows: Uint32Array): Record<string, Section> => {
    nameStarts.push(nameBytes.length);
    const starts = newSection('u32', rows.length + 1);
    const bytes = newSection('u8', nameBytes.length);
    let at = 0;
    for (let document = 0; document < rows.length; document += 1) {
      const row = rows[document] ?? 0;
      const end = nameStarts.get(row + 1);
      for (let from = nameStarts.get(row); from < end; from += 1) {
        bytes[at] = nameBytes.get(from);
        at += 1;
      }
      starts[document + 1] = at;
    }
    const order = sortTexts({ starts, bytes: Buffer.from(bytes.buffer) }, rows.length);
    // Equal names have equal ranks: IDs break the tie.
    const ranks = newSection('u32', rows.length);
    const buffer = Buffer.from(bytes.buffer);
    let rank = 0;
    for (const [place, document] of order.entries()) {
      const before = order[place - 1];
      const same =
        before !== undefined &&
        buffer.compare(buffer, starts[before], starts[before + 1], starts[document], starts[document + 1]) === 0;
      if (place > 0 && !same) rank += 1;
      ranks[document] = rank;
    }
    return { name_starts: starts, name_bytes: bytes, name_ranks: ranks };
  };

  /** The sets of tag options, collections and values, and the tags of each document. */
  const finishSets = (rows: Uint32Array, valueSets: { names: string[]; of: (row: number) => readonly number[] }) => {
    const ascending = (a: number, b: number) => a - b;
    const tagRanks = ranked(tags.keys, ascending);
    const collectionRanks = ranked(collections.keys, ascending);
    const collectionsFrom = tags.keys.length;
    const valuesFrom = collectionsFrom + collections.keys.length;
    tagLists.starts.push(tagLists.items.length);
    collectionLists.starts.push(collectionLists.items.length);
    const builder = createPackedSetsBuilder({ withImpacts: false });
    const forwardStarts = newSection('u32', rows.length + 1);
    const forward = newSection(tags.keys.length <= 65_536 ? 'u16' : 'u32', tagLists.items.length);
    let at = 0;
    for (let document = 0; document < rows.length; document += 1) {
      const row = rows[document] ?? 0;
      const low = document % CHUNK_DOCUMENTS;
      const end = tagLists.starts.get(row + 1);
      for (let from = tagLists.starts.get(row); from < end; from += 1) {
        const set = tagRanks.ranks[tagLists.items.get(from)] ?? 0;
        builder.add(set, low);
        forward[at] = set;
        at += 1;
      }
      forwardStarts[document + 1] = at;
      const collectionsEnd = collectionLists.starts.get(row + 1);
      for (let from = collectionLists.starts.get(row); from < collectionsEnd; from += 1) {
        builder.add(collectionsFrom + (collectionRanks.ranks[collectionLists.items.get(from)] ?? 0), low);
      }
      for (const set of valueSets.of(row)) builder.add(valuesFrom + set, low);
      if (low === CHUNK_DOCUMENTS - 1 || document === rows.length - 1) {
        builder.endChunk(Math.floor(document / CHUNK_DOCUMENTS), low + 1);
      }
    }
    const tagIds = newSection('f64', tagRanks.sorted.length);
    tagIds.set(tagRanks.sorted);
    const collectionIds = newSection('f64', collectionRanks.sorted.length);
    collectionIds.set(collectionRanks.sorted);
    return {
      tag_ids: tagIds,
      collection_ids: collectionIds,
      forward_starts: forwardStarts,
      forward,
      ...builder.finish(valuesFrom + valueSets.names.length, 'sets'),
    };
  };

  const finishWords = (rows: Uint32Array): Record<string, Section> => {
    placeStarts.push(places.length);
    const texts = words.keys.map((word) => Buffer.from(word));
    const { ranks, sorted } = ranked(texts, (a, b) => a.compare(b));
    const builder = createPackedSetsBuilder({ withImpacts: true });
    const starts = newSection('u32', rows.length + 1);
    const bytes = pagedBytes();
    const written = places.moveTo(new Uint8Array(places.length));
    const reader = new WordPlaceReader(written);
    for (let document = 0; document < rows.length; document += 1) {
      const row = rows[document] ?? 0;
      const [from, to] = [placeStarts.get(row), placeStarts.get(row + 1)];
      let length = 0;
      reader.seek(from, to);
      while (reader.next()) length += reader.count;
      const low = document % CHUNK_DOCUMENTS;
      reader.seek(from, to);
      while (reader.next()) {
        const word = ranks[reader.word] ?? 0;
        builder.add(word, low, {
          impact: impactOf(reader.frequency(WEIGHTS), length),
          position: reader.count === 1 ? Math.min(MANY_POSITIONS, reader.firstPosition()) : MANY_POSITIONS,
        });
        writeHead(bytes, word, reader.count);
        for (let at = reader.placesStart; at < reader.end; at += 1) bytes.push(written[at] ?? 0);
      }
      starts[document + 1] = bytes.length;
      if (low === CHUNK_DOCUMENTS - 1 || document === rows.length - 1) {
        builder.endChunk(Math.floor(document / CHUNK_DOCUMENTS), low + 1);
      }
    }
    return {
      place_starts: starts,
      places: bytes.moveTo(newSection('u8', bytes.length)),
      ...textSections('word', sorted),
      ...builder.finish(sorted.length, 'words'),
    };
  };

  return {
    add(row) {
      ids.push(row.id);
      for (const field of NUMBER_FIELDS) numbers[field].push(row[field] ?? Number.NaN);
      const values = KEYWORD_FIELDS.map((field) => row[field]).join();
      const list = keywords.of(values);
      keywordsOf.push(list);
      if (list === keywordLists.length) {
        keywordLists.push(KEYWORD_FIELDS.flatMap((field) => (row[field] === null ? [] : [`${field}=${row[field]}`])));
      }
      addList(tagLists, tags, row.tag_ids);
      addList(collectionLists, collections, row.collection_ids);
      addName(row.name);
      placeStarts.push(places.length);
      if (row.text.length === 0) wordless += 1;
      for (const { word, places: at } of row.text) writeWord(places, words.of(word), at);
    },
    get size() {
      return ids.length;
    },
    finish() {
      const rows = orderRows();
      const names = [...new Set(keywordLists.flat())].sort();
      const setOf = new Map(names.map((name, at) => [name, at]));
      const setsOfList = keywordLists.map((list) => list.map((name) => setOf.get(name) ?? 0));
      const sets = finishSets(rows, { names, of: (row) => setsOfList[keywordsOf.get(row)] ?? [] });
      const columns: Record<string, SegmentMeta['columns'][string]> = {};
      const sections: Record<string, Section> = {
        ...finishIds(rows),
        ...sets,
        ...finishNames(rows),
        ...finishWords(rows),
      };
      for (const field of NUMBER_FIELDS) {
        const encoded = encodeColumn(field, numbers[field], rows);
        columns[field] = encoded.meta;
        Object.assign(sections, encoded.sections);
      }
      return { size: rows.length, sections, meta: { columns, valueSets: names, wordless } };
    },
  };
}
