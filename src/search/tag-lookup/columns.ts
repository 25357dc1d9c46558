import type { TagLookupRecord, TagType } from './types.ts';

const TYPE_CODES: Readonly<Record<TagType, number>> = {
  player: 0,
  club: 1,
  stadium: 2,
  competition: 3,
  season: 4,
  match: 5,
  sponsor: 6,
  tag: 7,
};
const INITIAL_SLOTS = 256;

/** What ranking and filters read of every record, by slot, in typed arrays; and one query's working memory. */
export type Columns = {
  readonly capacity: number;
  readonly ids: Float64Array;
  readonly mediaCounts: Float64Array;
  readonly typeBits: Uint8Array;
  readonly categories: Uint32Array;
  readonly deactivated: Uint8Array;
  readonly labelLengths: Uint32Array;
  /** The first three UTF-16 units of the folded label as a number in code point order. */
  readonly labelKeys: Float64Array;
  /** How far a slot has come in the present query; see evaluate.ts. */
  readonly progress: Uint32Array;
  readonly classes: Uint8Array;
  /** Which query words begin a word of the slot's names, one bit each; only for queries with a shirt number. */
  readonly ownWords: Uint16Array;
};

function allocate(capacity: number): Columns {
  return {
    capacity,
    ids: new Float64Array(capacity),
    mediaCounts: new Float64Array(capacity),
    typeBits: new Uint8Array(capacity),
    categories: new Uint32Array(capacity),
    deactivated: new Uint8Array(capacity),
    labelLengths: new Uint32Array(capacity),
    labelKeys: new Float64Array(capacity),
    progress: new Uint32Array(capacity),
    classes: new Uint8Array(capacity),
    ownWords: new Uint16Array(capacity),
  };
}

export function createColumns(): Columns {
  return allocate(INITIAL_SLOTS);
}

/** The same columns with room for `slots` and half as many again. Progress starts anew: it lives for one query. */
export function grownColumns(columns: Columns, slots: number): Columns {
  const larger = allocate(Math.ceil(slots * 1.5));
  larger.ids.set(columns.ids);
  larger.mediaCounts.set(columns.mediaCounts);
  larger.typeBits.set(columns.typeBits);
  larger.categories.set(columns.categories);
  larger.deactivated.set(columns.deactivated);
  larger.labelLengths.set(columns.labelLengths);
  larger.labelKeys.set(columns.labelKeys);
  larger.progress.set(columns.progress);
  return larger;
}

export function columnBytes(columns: Columns): number {
  // Ids, counts, label keys of 8 bytes; categories, lengths, progress of 4; own words of 2; three of one byte.
  return columns.capacity * (3 * 8 + 3 * 4 + 2 + 3);
}

/** Writes one record's sort and filter values; its type bit stays 0 only for an empty slot. */
export function writeColumns(
  columns: Columns,
  slot: number,
  values: { readonly record: TagLookupRecord; readonly label: string; readonly category: number },
): void {
  const { record, label } = values;
  columns.ids[slot] = record.id;
  columns.mediaCounts[slot] = record.mediaCount;
  columns.typeBits[slot] = typeBit(record.type);
  columns.categories[slot] = values.category;
  columns.deactivated[slot] = record.status === 'deactivated' ? 1 : 0;
  columns.labelLengths[slot] = label.length;
  columns.labelKeys[slot] = labelKey(label);
}

export function typeBit(type: TagType): number {
  return 1 << TYPE_CODES[type];
}

/** UTF-16 order differs from code point order only in that surrogates stand before U+E000..U+FFFF: they are lifted. */
function orderedUnit(text: string, at: number): number {
  if (at >= text.length) return 0;
  const unit = text.charCodeAt(at);
  if (unit < 0xd800) return unit;
  return unit < 0xe000 ? unit + 0x2000 : unit - 0x800;
}

function labelKey(label: string): number {
  return (orderedUnit(label, 0) * 0x1_0000 + orderedUnit(label, 1)) * 0x1_0000 + orderedUnit(label, 2);
}

/** Code point order, as PostgreSQL compares under C.UTF-8. */
export function compareCodePoints(a: string, b: string): number {
  const common = Math.min(a.length, b.length);
  for (let at = 0; at < common; at += 1) {
    if (a.charCodeAt(at) !== b.charCodeAt(at)) return orderedUnit(a, at) - orderedUnit(b, at);
  }
  return a.length - b.length;
}
