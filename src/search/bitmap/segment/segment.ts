import type { IndexRow } from '../../../library/index.ts';
import { type NumberColumn, openColumn } from './number-column.ts';
import type { TextTable } from './order.ts';
import { CHUNK_DOCUMENTS, CHUNK_WORDS, LIST_MAX, openPackedSets, type PackedSets } from './packed-sets.ts';
import { bytesOf, type SegmentData, sectionOf } from './sections.ts';
import { KEYWORD_FIELDS, type KeywordField, NUMBER_FIELDS, type NumberField } from './segment-builder.ts';
import { WordPlaceReader } from './word-places.ts';

/** Assets of one organization as they were when the segment was made; nothing in it ever changes. */
export type Segment = {
  readonly data: SegmentData;
  readonly size: number;
  readonly bytes: number;
  /** Sets by number: tag options, collections, then values. */
  readonly sets: PackedSets;
  readonly words: PackedSets;
  readonly columns: Readonly<Record<NumberField, NumberColumn>>;
  /** IDs of tag options, ascending: their places are the numbers of their sets. */
  readonly tagIds: Float64Array;
  readonly collectionIds: Float64Array;
  /** Sets of tag options of a document: `forward[forwardStarts[document]]` and on. */
  readonly forwardStarts: Uint32Array;
  readonly forward: Uint16Array | Uint32Array;
  readonly nameRanks: Uint32Array;
  id(document: number): number;
  /** The document of an asset, -1 when it is not here. */
  documentOf(id: number): number;
  name(document: number): string;
  /** The number of a tag option's set, -1 when no document has it. */
  tagSet(id: number): number;
  collectionSet(id: number): number;
  valueSet(field: KeywordField, value: string): number;
  /** Numbers of words from `from` up to before `to`: the word itself, or all that begin so. */
  wordRange(word: string, options: { readonly prefix: boolean }): { readonly from: number; readonly to: number };
  wordText(word: number): string;
  readonly wordTable: TextTable;
  hasWords(document: number): boolean;
  /** Reads the first byte of a document's name, so that it is fetched from memory. */
  touchName(document: number): number;
  /** Puts the reader before a document's first word. */
  seekWords(reader: WordPlaceReader, document: number): void;
  newWordReader(): WordPlaceReader;
  /** Documents of a set, ascending. */
  documentsOf(set: number): readonly number[];
  /** The rows of documents, for a segment that takes them over. */
  rows(documents: Iterable<number>): Iterable<IndexRow>;
};

function numberSearch(values: Float64Array, wanted: number): number {
  let low = 0;
  let high = values.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((values[middle] ?? 0) < wanted) low = middle + 1;
    else high = middle;
  }
  return values[low] === wanted ? low : -1;
}

export function openSegment(data: SegmentData): Segment {
  const { sections, size } = data;
  const textTable = (name: string): TextTable => {
    const bytes = sectionOf(sections, `${name}_bytes`, 'u8');
    return {
      starts: sectionOf(sections, `${name}_starts`, 'u32'),
      bytes: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength),
    };
  };
  const ids = sectionOf(sections, 'ids', sections['ids'] instanceof Float64Array ? 'f64' : 'u32');
  const byId = 'by_id' in sections ? sectionOf(sections, 'by_id', 'u32') : undefined;
  const sets = openPackedSets(sections, 'sets');
  const words = openPackedSets(sections, 'words');
  const tagIds = sectionOf(sections, 'tag_ids', 'f64');
  const collectionIds = sectionOf(sections, 'collection_ids', 'f64');
  const forwardStarts = sectionOf(sections, 'forward_starts', 'u32');
  const forward = sectionOf(sections, 'forward', sections['forward'] instanceof Uint32Array ? 'u32' : 'u16');
  const names = textTable('name');
  const wordTable = textTable('word');
  const placeStarts = sectionOf(sections, 'place_starts', 'u32');
  const places = sectionOf(sections, 'places', 'u8');
  const valuesFrom = tagIds.length + collectionIds.length;
  const valueSets = new Map(data.meta.valueSets.map((name, at) => [name, valuesFrom + at]));
  const columns = Object.fromEntries(
    NUMBER_FIELDS.map((field) => {
      const meta = data.meta.columns[field];
      if (!meta) throw new RangeError(`the segment lacks its column ${field}`);
      return [field, openColumn(field, sections, meta)];
    }),
  ) as Record<NumberField, NumberColumn>;
  const wordText = (word: number) =>
    wordTable.bytes.toString('utf8', wordTable.starts[word], wordTable.starts[word + 1]);
  const name = (document: number) => names.bytes.toString('utf8', names.starts[document], names.starts[document + 1]);

  /** The first word that is not before `text`; with `past`, that does not begin with it either. */
  const wordBound = (text: Buffer, past: boolean): number => {
    let low = 0;
    let high = words.count;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const start = wordTable.starts[middle] ?? 0;
      const end = wordTable.starts[middle + 1] ?? 0;
      const order = past
        ? wordTable.bytes.compare(text, 0, text.length, start, Math.min(end, start + text.length))
        : wordTable.bytes.compare(text, 0, text.length, start, end);
      if (order < 0 || (past && order === 0)) low = middle + 1;
      else high = middle;
    }
    return low;
  };

  const collectionsOf = (): Map<number, number[]> => {
    const found = new Map<number, number[]>();
    for (const [at, id] of collectionIds.entries()) {
      forEachDocument(sets, tagIds.length + at, size, (document) => {
        const list = found.get(document);
        if (list) list.push(id);
        else found.set(document, [id]);
      });
    }
    return found;
  };
  /** For each field the number of a document's value in `valueSets` of the data, plus one; 0 = none. */
  const keywordsOf = (): Record<KeywordField, Uint8Array> => {
    const found = Object.fromEntries(KEYWORD_FIELDS.map((field) => [field, new Uint8Array(size)])) as Record<
      KeywordField,
      Uint8Array
    >;
    for (const [at, text] of data.meta.valueSets.entries()) {
      // Written by the builder as field=value.
      const values = found[text.slice(0, text.indexOf('=')) as KeywordField];
      forEachDocument(sets, valuesFrom + at, size, (document) => {
        values[document] = at + 1;
      });
    }
    return found;
  };

  return {
    data,
    size,
    bytes: bytesOf(data),
    sets,
    words,
    columns,
    tagIds,
    collectionIds,
    forwardStarts,
    forward,
    nameRanks: sectionOf(sections, 'name_ranks', 'u32'),
    wordTable,
    touchName: (document) => names.bytes[names.starts[document] ?? 0] ?? 0,
    hasWords: (document) => placeStarts[document] !== placeStarts[document + 1],
    id: (document) => ids[document] ?? Number.NaN,
    documentOf(id) {
      let low = 0;
      let high = size;
      while (low < high) {
        const middle = (low + high) >>> 1;
        if ((ids[byId ? (byId[middle] ?? 0) : middle] ?? 0) < id) low = middle + 1;
        else high = middle;
      }
      const document = byId ? (byId[low] ?? 0) : low;
      return low < size && ids[document] === id ? document : -1;
    },
    name,
    tagSet: (id) => numberSearch(tagIds, id),
    collectionSet(id) {
      const at = numberSearch(collectionIds, id);
      return at < 0 ? -1 : tagIds.length + at;
    },
    valueSet: (field, value) => valueSets.get(`${field}=${value}`) ?? -1,
    wordRange(word, { prefix }) {
      const text = Buffer.from(word);
      const from = wordBound(text, false);
      if (prefix) return { from, to: wordBound(text, true) };
      const found = from < words.count && wordText(from) === word;
      return { from, to: found ? from + 1 : from };
    },
    wordText,
    seekWords: (reader, document) => reader.seek(placeStarts[document] ?? 0, placeStarts[document + 1] ?? 0),
    documentsOf(set) {
      const found: number[] = [];
      forEachDocument(sets, set, size, (document) => void found.push(document));
      return found;
    },
    newWordReader: () => new WordPlaceReader(places),
    *rows(documents) {
      const collections = collectionsOf();
      const keywords = keywordsOf();
      const texts = data.meta.valueSets.map((text) => text.slice(text.indexOf('=') + 1));
      const keyword = (field: KeywordField, document: number) => texts[(keywords[field][document] ?? 0) - 1] ?? null;
      const reader = new WordPlaceReader(places);
      const numberOf = (field: NumberField, document: number): number | null => {
        const value = columns[field].value(document);
        return Number.isNaN(value) ? null : value;
      };
      for (const document of documents) {
        const text: { word: string; places: readonly number[] }[] = [];
        reader.seek(placeStarts[document] ?? 0, placeStarts[document + 1] ?? 0);
        while (reader.next()) text.push({ word: wordText(reader.word), places: reader.places() });
        yield {
          id: ids[document] ?? Number.NaN,
          media_type: keyword('media_type', document) ?? '',
          status: keyword('status', document) ?? '',
          orientation: keyword('orientation', document),
          usage: keyword('usage', document) ?? '',
          captured_at: numberOf('captured_at', document),
          created_at: columns.created_at.value(document),
          updated_at: columns.updated_at.value(document),
          width: numberOf('width', document),
          height: numberOf('height', document),
          duration_ms: numberOf('duration_ms', document),
          people_count: columns.people_count.value(document),
          rating: numberOf('rating', document),
          name: name(document),
          tag_ids: Array.from(
            forward.subarray(forwardStarts[document], forwardStarts[document + 1]),
            (set) => tagIds[set] ?? 0,
          ),
          collection_ids: collections.get(document) ?? [],
          text,
        };
      }
    },
  };
}

/** Visits the documents of a set in ascending order. */
function forEachDocument(sets: PackedSets, set: number, size: number, visit: (document: number) => void): void {
  const end = sets.first[set + 1] ?? 0;
  for (let entry = sets.first[set] ?? 0; entry < end; entry += 1) {
    const base = (sets.keys[entry] ?? 0) * CHUNK_DOCUMENTS;
    const count = (sets.sizes[entry] ?? 0) + 1;
    const place = sets.places[entry] ?? 0;
    if (count === Math.min(CHUNK_DOCUMENTS, size - base)) {
      for (let low = 0; low < count; low += 1) visit(base + low);
    } else if (count <= LIST_MAX) {
      for (let at = place; at < place + count; at += 1) visit(base + (sets.lists[at] ?? 0));
    } else {
      for (let word = 0; word < CHUNK_WORDS; word += 1) {
        let bits = sets.bits[place + word] ?? 0;
        while (bits !== 0) {
          const lowest = bits & -bits;
          visit(base + word * 32 + 31 - Math.clz32(lowest));
          bits ^= lowest;
        }
      }
    }
  }
}
