import type { WordPlaces } from '../../../library/index.ts';
import { impactOf, PLACE_WEIGHTS } from '../../text/relevance.ts';
import { encodeColumn } from './number-column.ts';
import { createNumbering, type Lists, ranked, textSections } from './numbering.ts';
import { CHUNK_DOCUMENTS, createPackedSetsBuilder, MANY_POSITIONS } from './packed-sets.ts';
import { type Paged, pagedBytes, pagedNumbers, pagedWords } from './paged.ts';
import { type DocumentsMeta, newSection, type Section } from './sections.ts';
import { WordPlaceReader, writeHead, writeWord } from './word-places.ts';

/** What assets and actions have in common; numbers that are not there are null. */
export type NewDocument<NumberField extends string> = Readonly<Record<NumberField, number | null>> & {
  readonly id: number;
  readonly tag_ids: readonly number[];
  readonly text: readonly WordPlaces[];
};

/** Collects documents of one kind and makes their sections: IDs, sets, columns, words. */
export type DocumentsBuilder<NumberField extends string> = {
  /** The number of a value, which is written field=value; each has a set of its own. */
  valueNumber(text: string): number;
  /** Adds a document with its values by their numbers, each once. Rows are numbered as they come. */
  add(document: NewDocument<NumberField>, values: readonly number[]): void;
  readonly size: number;
  readonly ids: Paged<Float64Array>;
  readonly numbers: Readonly<Record<NumberField, Paged<Float64Array>>>;
  /** Makes the sections, document `n` being row `rows[n]`; the builder is used up. */
  finish(rows: Uint32Array): { readonly sections: Record<string, Section>; readonly meta: DocumentsMeta };
};

function finishIds(ids: Paged<Float64Array>, rows: Uint32Array): Section {
  let greatest = 0;
  for (let row = 0; row < rows.length; row += 1) greatest = Math.max(greatest, ids.get(row));
  const section = newSection(greatest < 2 ** 32 ? 'u32' : 'f64', rows.length);
  for (let document = 0; document < rows.length; document += 1) section[document] = ids.get(rows[document] ?? 0);
  return section;
}

/** The sets of tag options and values, and the tags of each document. */
function finishSets(
  rows: Uint32Array,
  options: {
    readonly tags: readonly number[];
    readonly tagLists: Lists;
    readonly values: readonly string[];
    readonly valueLists: Lists;
  },
): { readonly sections: Record<string, Section>; readonly valueSets: readonly string[] } {
  const { tagLists, valueLists } = options;
  const tags = ranked(options.tags, (a, b) => a - b);
  const values = ranked(options.values, (a, b) => (a < b ? -1 : 1));
  const valuesFrom = tags.sorted.length;
  tagLists.starts.push(tagLists.items.length);
  valueLists.starts.push(valueLists.items.length);
  const builder = createPackedSetsBuilder({ withImpacts: false });
  const forwardStarts = newSection('u32', rows.length + 1);
  const forward = newSection(valuesFrom <= 65_536 ? 'u16' : 'u32', tagLists.items.length);
  let at = 0;
  for (let document = 0; document < rows.length; document += 1) {
    const row = rows[document] ?? 0;
    const low = document % CHUNK_DOCUMENTS;
    const end = tagLists.starts.get(row + 1);
    for (let from = tagLists.starts.get(row); from < end; from += 1) {
      const set = tags.ranks[tagLists.items.get(from)] ?? 0;
      builder.add(set, low);
      forward[at] = set;
      at += 1;
    }
    forwardStarts[document + 1] = at;
    const valuesEnd = valueLists.starts.get(row + 1);
    for (let from = valueLists.starts.get(row); from < valuesEnd; from += 1) {
      builder.add(valuesFrom + (values.ranks[valueLists.items.get(from)] ?? 0), low);
    }
    if (low === CHUNK_DOCUMENTS - 1 || document === rows.length - 1) {
      builder.endChunk(Math.floor(document / CHUNK_DOCUMENTS), low + 1);
    }
  }
  const tagIds = newSection('f64', valuesFrom);
  tagIds.set(tags.sorted);
  return {
    sections: {
      tag_ids: tagIds,
      forward_starts: forwardStarts,
      forward,
      ...builder.finish(valuesFrom + values.sorted.length, 'sets'),
    },
    valueSets: values.sorted,
  };
}

/** Weights of places by the class of their field as it is written. */
const WEIGHTS = [0, PLACE_WEIGHTS.C, PLACE_WEIGHTS.B, PLACE_WEIGHTS.A];

function finishWords(
  rows: Uint32Array,
  options: {
    readonly words: readonly string[];
    readonly placeStarts: Paged<Uint32Array>;
    readonly places: Paged<Uint8Array>;
  },
): Record<string, Section> {
  const { words, placeStarts, places } = options;
  placeStarts.push(places.length);
  const texts = words.map((word) => Buffer.from(word));
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
}

export function createDocumentsBuilder<NumberField extends string>(
  numberFields: readonly NumberField[],
): DocumentsBuilder<NumberField> {
  const ids = pagedNumbers();
  // Every field of the list has a column, which the type of Object.fromEntries does not say.
  const numbers = Object.fromEntries(numberFields.map((field) => [field, pagedNumbers()])) as Record<
    NumberField,
    Paged<Float64Array>
  >;
  const columns = numberFields.map((field) => ({ field, column: numbers[field] }));
  const values = createNumbering<string>();
  const valueLists: Lists = { starts: pagedWords(), items: pagedWords() };
  const tags = createNumbering<number>();
  const tagLists: Lists = { starts: pagedWords(), items: pagedWords() };
  const words = createNumbering<string>();
  const placeStarts = pagedWords();
  const places = pagedBytes();
  let wordless = 0;
  return {
    valueNumber: (text) => values.of(text),
    add(document, given) {
      ids.push(document.id);
      for (const { field, column } of columns) column.push(document[field] ?? Number.NaN);
      valueLists.starts.push(valueLists.items.length);
      for (const value of given) valueLists.items.push(value);
      tagLists.starts.push(tagLists.items.length);
      for (const id of document.tag_ids) tagLists.items.push(tags.of(id));
      placeStarts.push(places.length);
      if (document.text.length === 0) wordless += 1;
      for (const { word, places: at } of document.text) writeWord(places, words.of(word), at);
    },
    get size() {
      return ids.length;
    },
    ids,
    numbers,
    finish(rows) {
      const sets = finishSets(rows, { tags: tags.keys, tagLists, values: values.keys, valueLists });
      const sections: Record<string, Section> = {
        ids: finishIds(ids, rows),
        ...sets.sections,
        ...finishWords(rows, { words: words.keys, placeStarts, places }),
      };
      const meta: Record<string, DocumentsMeta['columns'][string]> = {};
      for (const { field, column } of columns) {
        const encoded = encodeColumn(field, column, rows);
        meta[field] = encoded.meta;
        Object.assign(sections, encoded.sections);
      }
      return { sections, meta: { columns: meta, valueSets: sets.valueSets, wordless } };
    },
  };
}
