import type { IndexDetail } from '../../../library/index.ts';
import { encodeColumn } from './number-column.ts';
import { createNumbering, type Lists, ranked, textSections } from './numbering.ts';
import { CHUNK_DOCUMENTS, createPackedSetsBuilder } from './packed-sets.ts';
import { type Paged, pagedNumbers, pagedWords } from './paged.ts';
import { type DetailMark, markName, valueName } from './segment-details.ts';
import { type DetailsMeta, type DocumentsMeta, newSection, type Section } from './sections.ts';

/** Collects what assets have in the organization's own fields. */
export type DetailsBuilder = {
  /** Adds the values of a row; rows ascend, and those without a value need not come. */
  add(row: number, details: readonly IndexDetail[]): void;
  /** Makes the sections, document `n` being row `rows[n]`; the builder is used up. */
  finish(rows: Uint32Array): { readonly sections: Record<string, Section>; readonly meta: DetailsMeta };
};

/** The sets of values and marks, and those of each document. */
function finishSets(
  rows: Uint32Array,
  options: { readonly names: readonly string[]; readonly lists: Lists },
): Record<string, Section> {
  const { starts, items } = options.lists;
  const { ranks, sorted } = ranked(
    options.names.map((name) => Buffer.from(name)),
    (a, b) => a.compare(b),
  );
  const builder = createPackedSetsBuilder({ withImpacts: false });
  const forwardStarts = newSection('u32', rows.length + 1);
  const forward = newSection(sorted.length <= 65_536 ? 'u16' : 'u32', items.length);
  let at = 0;
  for (let document = 0; document < rows.length; document += 1) {
    const row = rows[document] ?? 0;
    const low = document % CHUNK_DOCUMENTS;
    const end = starts.get(row + 1);
    for (let from = starts.get(row); from < end; from += 1) {
      const set = ranks[items.get(from)] ?? 0;
      builder.add(set, low);
      forward[at] = set;
      at += 1;
    }
    forwardStarts[document + 1] = at;
    if (low === CHUNK_DOCUMENTS - 1 || document === rows.length - 1) {
      builder.endChunk(Math.floor(document / CHUNK_DOCUMENTS), low + 1);
    }
  }
  return {
    forward_starts: forwardStarts,
    forward,
    ...builder.finish(sorted.length, 'sets'),
    ...textSections('text', sorted),
  };
}

export function createDetailsBuilder(): DetailsBuilder {
  const names = createNumbering<string>();
  const lists: Lists = { starts: pagedWords(), items: pagedWords() };
  const numbers = new Map<number, Paged<Float64Array>>();

  const fill = (column: Paged<Float64Array>, length: number) => {
    while (column.length < length) column.push(Number.NaN);
    return column;
  };
  const addNumber = (field: number, row: number, value: number) => {
    const column = numbers.get(field) ?? pagedNumbers();
    numbers.set(field, column);
    fill(column, row).push(value);
  };
  const addSet = (name: string) => lists.items.push(names.of(name));
  const mark = (field: number, what: DetailMark) => addSet(markName(field, what));

  return {
    add(row, details) {
      while (lists.starts.length <= row) lists.starts.push(lists.items.length);
      for (const [field, value] of details) {
        if (typeof value === 'number') addNumber(field, row, value);
        else if (value === null) mark(field, 'long');
        else if (typeof value === 'string') {
          mark(field, 'text');
          addSet(valueName(field, value));
        } else {
          mark(field, 'list');
          for (const item of value) addSet(valueName(field, item));
        }
      }
    },
    finish(rows) {
      while (lists.starts.length <= rows.length) lists.starts.push(lists.items.length);
      const sections = finishSets(rows, { names: names.keys, lists });
      const columns: Record<string, DocumentsMeta['columns'][string]> = {};
      for (const [field, column] of numbers) {
        const encoded = encodeColumn(`number_${field}`, fill(column, rows.length), rows);
        columns[field] = encoded.meta;
        Object.assign(sections, encoded.sections);
      }
      return { sections, meta: { columns } };
    },
  };
}
