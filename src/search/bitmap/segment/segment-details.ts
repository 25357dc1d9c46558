import type { IndexDetail } from '../../../library/index.ts';
import { openTextTable } from './documents.ts';
import { type NumberColumn, openColumn } from './number-column.ts';
import type { TextTable } from './order.ts';
import { openPackedSets, type PackedSets } from './packed-sets.ts';
import { type DetailsMeta, DETAIL_SECTIONS, type SegmentData, sectionOf, sectionsUnder } from './sections.ts';

/** That a document has a text, one that is too long to be kept, or a list, which may be empty. */
export type DetailMark = 'text' | 'long' | 'list';

/** Names of sets, which are in the order of their bytes: the values of a field follow one another. */
export const markName = (field: number, mark: DetailMark): string => `${field}:${mark}`;
export const valueName = (field: number, value: string): string => `${field}=${value}`;

/** What the assets of a segment have in the organization's own fields. */
export type SegmentDetails = {
  /** By the names above. */
  readonly sets: PackedSets;
  /** Sets of a document: `forward[forwardStarts[document]]` and on. */
  readonly forwardStarts: Uint32Array;
  readonly forward: Uint16Array | Uint32Array;
  /** The numbers or times of a field; undefined when no document has one. */
  column(field: number): NumberColumn | undefined;
  /** The set of a mark or a value, -1 when no document has it. */
  markSet(field: number, mark: DetailMark): number;
  valueSet(field: number, value: string): number;
  /** Sets of the values of a field: from `from` up to before `to`. */
  valueRange(field: number): { readonly from: number; readonly to: number };
  /** The value that a set of values is of. */
  value(set: number): string;
  /** Whether the values that sets of a field are of have a part, upper and lower case alike. */
  partFinder(field: number, part: string): (set: number) => boolean;
};

const lowerByte = (byte: number): number => (byte >= 0x41 && byte <= 0x5a ? byte | 0x20 : byte);

/** Where bytes have a part in lower case: a place, -1, or undefined where they have other than ASCII before any. */
function findAscii(bytes: Uint8Array, part: Uint8Array, range: { start: number; end: number }): number | undefined {
  const { start, end } = range;
  for (let at = start; at < end; at += 1) {
    if ((bytes[at] ?? 0) >= 0x80) return undefined;
    let same = 0;
    while (same < part.length && at + same < end && lowerByte(bytes[at + same] ?? 0) === part[same]) same += 1;
    if (same === part.length) return at;
  }
  return -1;
}

/** The first text that is not before `wanted`. */
function boundOf({ starts, bytes }: TextTable, count: number, wanted: string): number {
  const text = Buffer.from(wanted);
  let low = 0;
  let high = count;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (bytes.compare(text, 0, text.length, starts[middle], starts[middle + 1]) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

export function openDetails(data: SegmentData): SegmentDetails | undefined {
  const meta: DetailsMeta | undefined = data.meta.details;
  if (!meta) return undefined;
  const sections = sectionsUnder(data.sections, DETAIL_SECTIONS);
  const sets = openPackedSets(sections, 'sets');
  const table = openTextTable(sections, 'text');
  const columns = new Map(
    Object.entries(meta.columns).map(([field, column]) => [
      Number(field),
      openColumn(`number_${field}`, sections, column),
    ]),
  );
  const name = (set: number) => table.bytes.toString('utf8', table.starts[set], table.starts[set + 1]);
  const value = (set: number): string => {
    const text = name(set);
    return text.slice(text.indexOf('=') + 1);
  };
  const find = (wanted: string): number => {
    const set = boundOf(table, sets.count, wanted);
    return set < sets.count && name(set) === wanted ? set : -1;
  };
  return {
    sets,
    forwardStarts: sectionOf(sections, 'forward_starts', 'u32'),
    forward: sectionOf(sections, 'forward', sections['forward'] instanceof Uint32Array ? 'u32' : 'u16'),
    column: (field) => columns.get(field),
    markSet: (field, mark) => find(markName(field, mark)),
    valueSet: (field, value) => find(valueName(field, value)),
    valueRange: (field) => ({
      from: boundOf(table, sets.count, `${field}=`),
      // The character after the equals sign is the greater-than sign.
      to: boundOf(table, sets.count, `${field}>`),
    }),
    value,
    partFinder(field, part) {
      const lower = part.toLowerCase();
      const bytes = Buffer.from(lower);
      const isAscii = bytes.length === lower.length;
      const prefix = valueName(field, '').length;
      return (set) => {
        const range = { start: (table.starts[set] ?? 0) + prefix, end: table.starts[set + 1] ?? 0 };
        // Some letters beyond ASCII become ASCII in lower case; texts without any need not be made strings.
        const place = isAscii ? findAscii(table.bytes, bytes, range) : undefined;
        return place === undefined ? value(set).toLowerCase().includes(lower) : place >= 0;
      };
    },
  };
}

/** A set by its name: what it is of, and its value or mark. */
function parseName(name: string): { readonly field: number; readonly isMark: boolean; readonly text: string } {
  const at = name.search(/[:=]/);
  return { field: Number(name.slice(0, at)), isMark: name[at] === ':', text: name.slice(at + 1) };
}

/** Reads the details of documents back as they were added. */
export function detailReader(data: SegmentData): (document: number) => readonly IndexDetail[] {
  const details = openDetails(data);
  if (!details) return () => [];
  const { sets, forward, forwardStarts } = details;
  const table = openTextTable(sectionsUnder(data.sections, DETAIL_SECTIONS), 'text');
  const names = Array.from({ length: sets.count }, (_, set) =>
    parseName(table.bytes.toString('utf8', table.starts[set], table.starts[set + 1])),
  );
  const fields = Object.keys(data.meta.details?.columns ?? {}).map(Number);
  return (document) => {
    const found = new Map<number, IndexDetail[1]>();
    const lists = new Map<number, string[]>();
    for (const set of forward.subarray(forwardStarts[document], forwardStarts[document + 1])) {
      const { field, isMark, text } = names[set] ?? { field: 0, isMark: true, text: '' };
      const list = lists.get(field);
      if (isMark && text === 'list') {
        const items: string[] = [];
        lists.set(field, items);
        found.set(field, items);
      } else if (isMark) found.set(field, null);
      else if (list) list.push(text);
      else found.set(field, text);
    }
    for (const field of fields) {
      const number = details.column(field)?.value(document) ?? Number.NaN;
      if (!Number.isNaN(number)) found.set(field, number);
    }
    return [...found].toSorted(([a], [b]) => a - b);
  };
}
