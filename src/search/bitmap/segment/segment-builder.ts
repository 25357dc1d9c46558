import type { IndexAction, IndexAsset, IndexRow } from '../../../library/index.ts';
import { type ActionsBuilder, createActionsBuilder } from './actions-builder.ts';
import { createDetailsBuilder, type DetailsBuilder } from './details-builder.ts';
import { createDocumentsBuilder } from './documents-builder.ts';
import { KEYWORD_FIELDS, NUMBER_FIELDS } from './fields.ts';
import { sortByNumber, sortTexts } from './order.ts';
import { pagedBytes, pagedWords } from './paged.ts';
import { ACTION_SECTIONS, DETAIL_SECTIONS, newSection, prefixed, type Section, type SegmentData } from './sections.ts';

/** What an action takes in memory and time, beside an asset. */
const ACTION_WEIGHT = 1 / 4;

/** Of a segment or a part of it: how much there is to read and to keep, in assets. */
export function weightOf(size: { readonly assets: number; readonly actions: number }): number {
  return size.assets + size.actions * ACTION_WEIGHT;
}

/** While a segment is made it takes three times its room: a library of ten million assets is made in ten. */
export const SEGMENT_WEIGHT = 1_000_000;

export type SegmentBuilder = {
  /** Adds an asset with its actions; each ID once. */
  add(row: IndexRow): void;
  /** Adds an asset whose actions are added one by one, before or after it. */
  addAsset(asset: IndexAsset): void;
  addAction(assetId: number, action: IndexAction): void;
  readonly size: number;
  /** In assets, see `weightOf`. */
  readonly weight: number;
  /** Makes the segment, its documents numbered in the order of their creation; the builder is used up. */
  finish(): SegmentData;
};

/** Document by ID, where the IDs do not ascend as the documents do. */
function sectionById(ids: Section): Record<string, Section> {
  let ascending = true;
  for (let document = 1; document < ids.length && ascending; document += 1) {
    ascending = (ids[document - 1] ?? 0) <= (ids[document] ?? 0);
  }
  if (ascending) return {};
  const byId = newSection('u32', ids.length);
  for (let document = 0; document < ids.length; document += 1) byId[document] = document;
  sortByNumber(byId, (document) => ids[document] ?? 0);
  return { by_id: byId };
}

/** The place of an ID among the documents' IDs, -1 when it is not there. */
export function findDocument(ids: Section, byId: Uint32Array | undefined, id: number): number {
  let low = 0;
  let high = ids.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((ids[byId ? (byId[middle] ?? 0) : middle] ?? 0) < id) low = middle + 1;
    else high = middle;
  }
  const document = byId ? (byId[low] ?? 0) : low;
  return low < ids.length && ids[document] === id ? document : -1;
}

/** Names in the order of the documents, and their ranks in the order of their bytes. */
function createNamesBuilder() {
  const starts = pagedWords();
  const bytes = pagedBytes();
  let scratch = Buffer.alloc(1024);
  return {
    add(name: string): void {
      starts.push(bytes.length);
      if (scratch.length < name.length * 3) scratch = Buffer.alloc(name.length * 3);
      const length = scratch.write(name);
      for (let at = 0; at < length; at += 1) bytes.push(scratch[at] ?? 0);
    },
    finish(rows: Uint32Array): Record<string, Section> {
      starts.push(bytes.length);
      const nameStarts = newSection('u32', rows.length + 1);
      const nameBytes = newSection('u8', bytes.length);
      let at = 0;
      for (let document = 0; document < rows.length; document += 1) {
        const row = rows[document] ?? 0;
        const end = starts.get(row + 1);
        for (let from = starts.get(row); from < end; from += 1) {
          nameBytes[at] = bytes.get(from);
          at += 1;
        }
        nameStarts[document + 1] = at;
      }
      const table = { starts: nameStarts, bytes: Buffer.from(nameBytes.buffer) };
      return { name_starts: nameStarts, name_bytes: nameBytes, name_ranks: ranksOf(table, rows.length) };
    },
  };
}

/** Equal names have equal ranks: IDs break the tie. */
function ranksOf(table: { readonly starts: Uint32Array; readonly bytes: Buffer }, size: number): Section {
  const { starts, bytes } = table;
  const order = sortTexts(table, size);
  const ranks = newSection('u32', size);
  let rank = 0;
  for (const [place, document] of order.entries()) {
    const before = order[place - 1];
    const same =
      before !== undefined &&
      bytes.compare(bytes, starts[before], starts[before + 1], starts[document], starts[document + 1]) === 0;
    if (place > 0 && !same) rank += 1;
    ranks[document] = rank;
  }
  return ranks;
}

export function createSegmentBuilder(): SegmentBuilder {
  const documents = createDocumentsBuilder(NUMBER_FIELDS);
  const names = createNamesBuilder();
  let actions: ActionsBuilder | undefined;
  let details: DetailsBuilder | undefined;
  const keywords = new Map<string, readonly number[]>();

  const keywordsOf = (row: IndexAsset): readonly number[] => {
    const key = KEYWORD_FIELDS.map((field) => row[field]).join();
    const found = keywords.get(key);
    if (found) return found;
    const texts = KEYWORD_FIELDS.flatMap((field) => (row[field] === null ? [] : [`${field}=${row[field]}`]));
    const numbers = texts.map((text) => documents.valueNumber(text));
    keywords.set(key, numbers);
    return numbers;
  };
  const valuesOf = (row: IndexAsset): readonly number[] =>
    row.collection_ids.length === 0
      ? keywordsOf(row)
      : [...keywordsOf(row), ...row.collection_ids.map((id) => documents.valueNumber(`collection=${id}`))];

  /** The rows in the order of their creation, ties by ID. */
  const orderRows = (): Uint32Array => {
    const order = new Uint32Array(documents.size);
    for (let row = 0; row < order.length; row += 1) order[row] = row;
    sortByNumber(order, (row) => documents.ids.get(row));
    const { created_at: created } = documents.numbers;
    let earliest = Number.POSITIVE_INFINITY;
    for (let row = 0; row < order.length; row += 1) earliest = Math.min(earliest, created.get(row));
    sortByNumber(order, (row) => created.get(row) - earliest);
    return order;
  };

  const addAction = (assetId: number, action: IndexAction): void => {
    actions ??= createActionsBuilder();
    actions.add(assetId, action);
  };

  const addAsset = (asset: IndexAsset): void => {
    if (asset.details.length > 0) {
      details ??= createDetailsBuilder();
      details.add(documents.size, asset.details);
    }
    documents.add(asset, valuesOf(asset));
    names.add(asset.name);
  };

  return {
    add(row) {
      addAsset(row);
      for (const action of row.actions) addAction(row.id, action);
    },
    addAsset,
    addAction,
    get size() {
      return documents.size;
    },
    get weight() {
      return weightOf({ assets: documents.size, actions: actions?.size ?? 0 });
    },
    finish() {
      const rows = orderRows();
      const { sections: own, meta: ownMeta } = documents.finish(rows);
      const held = details?.finish(rows);
      const meta = { ...ownMeta, ...(held && { details: held.meta }) };
      const ids = own['ids'] ?? new Uint32Array();
      const byId = sectionById(ids);
      const sections = {
        ...own,
        ...byId,
        ...names.finish(rows),
        ...prefixed(held?.sections ?? {}, DETAIL_SECTIONS),
      };
      if (!actions) return { size: rows.length, sections, meta };
      const inOrder = byId['by_id'];
      const found = actions.finish({
        size: rows.length,
        documentOf: (id) => findDocument(ids, inOrder instanceof Uint32Array ? inOrder : undefined, id),
      });
      return {
        size: rows.length,
        sections: { ...sections, ...prefixed(found.sections, ACTION_SECTIONS) },
        meta: { ...meta, actions: found.meta },
      };
    },
  };
}
