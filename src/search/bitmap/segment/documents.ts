import type { WordPlaces } from '../../../library/index.ts';
import { type NumberColumn, openColumn } from './number-column.ts';
import type { TextTable } from './order.ts';
import { CHUNK_DOCUMENTS, CHUNK_WORDS, LIST_MAX, openPackedSets, type PackedSets } from './packed-sets.ts';
import { type DocumentsMeta, type Section, type Sections, sectionOf } from './sections.ts';
import { WordPlaceReader } from './word-places.ts';

/** Documents of one kind, assets or actions in them: what tests of both look at. Nothing in it ever changes. */
export type Documents<NumberField extends string = never> = {
  readonly size: number;
  /** Sets by number: tag options, then values. */
  readonly sets: PackedSets;
  readonly words: PackedSets;
  readonly columns: Readonly<Record<NumberField, NumberColumn>>;
  /** IDs of tag options, ascending: their places are the numbers of their sets. */
  readonly tagIds: Float64Array;
  /** Sets of tag options of a document: `forward[forwardStarts[document]]` and on. */
  readonly forwardStarts: Uint32Array;
  readonly forward: Uint16Array | Uint32Array;
  /** Documents without a single word. */
  readonly wordless: number;
  id(document: number): number;
  /** The number of a tag option's set, -1 when no document has it. */
  tagSet(id: number): number;
  valueSet(field: string, value: string | number): number;
  /** Values of a field that some document has, with their sets. */
  valuesOf(field: string): readonly { readonly value: string; readonly set: number }[];
  /** Numbers of words from `from` up to before `to`: the word itself, or all that begin so. */
  wordRange(word: string, options: { readonly prefix: boolean }): { readonly from: number; readonly to: number };
  wordText(word: number): string;
  readonly wordTable: TextTable;
  hasWords(document: number): boolean;
  /** Puts the reader before a document's first word. */
  seekWords(reader: WordPlaceReader, document: number): void;
  newWordReader(): WordPlaceReader;
  /** Documents of a set, ascending. */
  documentsOf(set: number): readonly number[];
  /** Whether some document of a set or of a word's passes. */
  someDocument(sets: PackedSets, set: number, passes: (document: number) => boolean): boolean;
  /** Reads documents back as they were added; looks at all of them once, for what reads many. */
  openContents(): Contents<NumberField>;
};

export type Contents<NumberField extends string> = {
  number(field: NumberField, document: number): number | null;
  tags(document: number): number[];
  text(document: number): WordPlaces[];
  /** The document's values, as field and value, ascending by both. */
  values(document: number): readonly (readonly [field: string, value: string])[];
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

/** The first of ascending texts that is not below `wanted`. */
function textBound(texts: readonly string[], wanted: string): number {
  let low = 0;
  let high = texts.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((texts[middle] ?? '') < wanted) low = middle + 1;
    else high = middle;
  }
  return low;
}

export function openIds(sections: Sections): Uint32Array | Float64Array {
  return sectionOf(sections, 'ids', sections['ids'] instanceof Float64Array ? 'f64' : 'u32');
}

export function openTextTable(sections: Sections, name: string): TextTable {
  const bytes = sectionOf(sections, `${name}_bytes`, 'u8');
  return {
    starts: sectionOf(sections, `${name}_starts`, 'u32'),
    bytes: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength),
  };
}

/** Opens the sections that a DocumentsBuilder of these fields made. */
export function openDocuments<NumberField extends string>(
  sections: Sections,
  meta: DocumentsMeta,
  options: { readonly size: number; readonly numberFields: readonly NumberField[] },
): Documents<NumberField> {
  const { size, numberFields } = options;
  const ids: Section = openIds(sections);
  const sets = openPackedSets(sections, 'sets');
  const words = openPackedSets(sections, 'words');
  const tagIds = sectionOf(sections, 'tag_ids', 'f64');
  const forwardStarts = sectionOf(sections, 'forward_starts', 'u32');
  const forward = sectionOf(sections, 'forward', sections['forward'] instanceof Uint32Array ? 'u32' : 'u16');
  const wordTable = openTextTable(sections, 'word');
  const placeStarts = sectionOf(sections, 'place_starts', 'u32');
  const places = sectionOf(sections, 'places', 'u8');
  const valuesFrom = tagIds.length;
  const { valueSets } = meta;
  // Every field of the list has a column, which the type of Object.fromEntries does not say.
  const columns = Object.fromEntries(
    numberFields.map((field) => {
      const column = meta.columns[field];
      if (!column) throw new RangeError(`the segment lacks its column ${field}`);
      return [field, openColumn(field, sections, column)];
    }),
  ) as Record<NumberField, NumberColumn>;
  const wordText = (word: number) =>
    wordTable.bytes.toString('utf8', wordTable.starts[word], wordTable.starts[word + 1]);

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

  const seekWords = (reader: WordPlaceReader, document: number) =>
    reader.seek(placeStarts[document] ?? 0, placeStarts[document + 1] ?? 0);

  /** The values of each document, by their place in `valueSets`. */
  const listValues = (): { readonly starts: Uint32Array; readonly items: Uint32Array } => {
    const starts = new Uint32Array(size + 1);
    const eachSet = (visit: (at: number, document: number) => void) => {
      for (let at = 0; at < valueSets.length; at += 1) {
        forEachDocument(sets, valuesFrom + at, size, (document) => visit(at, document));
      }
    };
    eachSet((_, document) => {
      starts[document + 1] = (starts[document + 1] ?? 0) + 1;
    });
    for (let document = 0; document < size; document += 1) {
      starts[document + 1] = (starts[document + 1] ?? 0) + (starts[document] ?? 0);
    }
    const next = starts.slice();
    const items = new Uint32Array(starts[size] ?? 0);
    eachSet((at, document) => {
      const place = next[document] ?? 0;
      items[place] = at;
      next[document] = place + 1;
    });
    return { starts, items };
  };

  return {
    size,
    sets,
    words,
    columns,
    tagIds,
    forwardStarts,
    forward,
    wordless: meta.wordless,
    wordTable,
    id: (document) => ids[document] ?? Number.NaN,
    tagSet: (id) => numberSearch(tagIds, id),
    valueSet(field, value) {
      const text = `${field}=${value}`;
      const at = textBound(valueSets, text);
      return valueSets[at] === text ? valuesFrom + at : -1;
    },
    valuesOf(field) {
      // The character after the equals sign is the greater-than sign.
      const from = textBound(valueSets, `${field}=`);
      const to = textBound(valueSets, `${field}>`);
      return valueSets
        .slice(from, to)
        .map((text, at) => ({ value: text.slice(field.length + 1), set: valuesFrom + from + at }));
    },
    wordRange(word, { prefix }) {
      const text = Buffer.from(word);
      const from = wordBound(text, false);
      if (prefix) return { from, to: wordBound(text, true) };
      const found = from < words.count && wordText(from) === word;
      return { from, to: found ? from + 1 : from };
    },
    wordText,
    hasWords: (document) => placeStarts[document] !== placeStarts[document + 1],
    seekWords,
    newWordReader: () => new WordPlaceReader(places),
    documentsOf(set) {
      const found: number[] = [];
      forEachDocument(sets, set, size, (document) => void found.push(document));
      return found;
    },
    someDocument: (of, set, passes) => visitDocuments(of, set, { size, visit: (document) => !passes(document) }),
    openContents() {
      const reader = new WordPlaceReader(places);
      const { starts, items } = listValues();
      const pairs = valueSets.map((text) => {
        const at = text.indexOf('=');
        return [text.slice(0, at), text.slice(at + 1)] as const;
      });
      return {
        number(field, document) {
          const value = columns[field].value(document);
          return Number.isNaN(value) ? null : value;
        },
        tags: (document) =>
          Array.from(forward.subarray(forwardStarts[document], forwardStarts[document + 1]), (set) => tagIds[set] ?? 0),
        text(document) {
          const text: WordPlaces[] = [];
          seekWords(reader, document);
          while (reader.next()) text.push({ word: wordText(reader.word), places: reader.places() });
          return text;
        },
        values: (document) =>
          Array.from(items.subarray(starts[document], starts[document + 1]), (at) => pairs[at] ?? ['', '']),
      };
    },
  };
}

/** Visits the documents of a set in ascending order. */
function forEachDocument(sets: PackedSets, set: number, size: number, visit: (document: number) => void): void {
  visitDocuments(sets, set, {
    size,
    visit(document) {
      visit(document);
      return true;
    },
  });
}

/** Visits the documents of a set in ascending order until `visit` answers false; whether it did. */
function visitDocuments(
  sets: PackedSets,
  set: number,
  { size, visit }: { readonly size: number; readonly visit: (document: number) => boolean },
): boolean {
  const end = sets.first[set + 1] ?? 0;
  for (let entry = sets.first[set] ?? 0; entry < end; entry += 1) {
    const base = (sets.keys[entry] ?? 0) * CHUNK_DOCUMENTS;
    const count = (sets.sizes[entry] ?? 0) + 1;
    const place = sets.places[entry] ?? 0;
    if (count === Math.min(CHUNK_DOCUMENTS, size - base)) {
      for (let low = 0; low < count; low += 1) if (!visit(base + low)) return true;
    } else if (count <= LIST_MAX) {
      for (let at = place; at < place + count; at += 1) if (!visit(base + (sets.lists[at] ?? 0))) return true;
    } else {
      for (let word = 0; word < CHUNK_WORDS; word += 1) {
        let bits = sets.bits[place + word] ?? 0;
        while (bits !== 0) {
          const lowest = bits & -bits;
          if (!visit(base + word * 32 + 31 - Math.clz32(lowest))) return true;
          bits ^= lowest;
        }
      }
    }
  }
  return false;
}
