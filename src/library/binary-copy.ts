import { AppError } from '../base/index.ts';
import type { WordPlaces } from './index-row.ts';
import { RecurringStrings } from './recurring-strings.ts';

/**
 * Reads what PostgreSQL sends for `COPY ... TO STDOUT (FORMAT binary)`: a header, rows of length-prefixed fields, and a field
 * count of -1 at the end (PostgreSQL manual, "COPY", "Binary Format"). The fields are in the form of each type's send
 * function: int8 and timestamptz as 8 bytes (the latter microseconds since 2000), arrays and tsvector as below.
 */

const SIGNATURE = Buffer.from('PGCOPY\n\xff\r\n\0', 'latin1');
/** Signature, flags (int32), size of the header extension (int32). */
const HEADER_BYTES = SIGNATURE.length + 8;
const EPOCH_2000_MS = Date.UTC(2000, 0, 1);
const NO_IDS: readonly number[] = [];
export const NO_WORDS: readonly WordPlaces[] = [];
/** Most words are in a text once: the list of a single place is shared by all words that are there. */
const SINGLE_PLACES: (readonly number[] | undefined)[] = Array.from({ length: 1 << 16 }, () => undefined);

/** A buffer with a view of the same bytes: the view reads numbers in network order. */
export type Bytes = { readonly buffer: Buffer; readonly view: DataView };

const bytesOf = (buffer: Buffer): Bytes => ({
  buffer,
  view: new DataView(buffer.buffer, buffer.byteOffset, buffer.byteLength),
});

/** Below 2^53, as all IDs, sizes and times are. */
export const int8At = (view: DataView, at: number): number =>
  view.getInt32(at) * 0x1_0000_0000 + view.getUint32(at + 4);
export const millisecondsAt = (view: DataView, at: number): number => int8At(view, at) / 1000 + EPOCH_2000_MS;

/** int8[]: dimensions, has-null flag, element type; per dimension its size and lower bound; per element size and value. */
export function idsAt(view: DataView, at: number): readonly number[] {
  if (view.getInt32(at) === 0) return NO_IDS;
  const count = view.getInt32(at + 12);
  const ids: number[] = [];
  for (let n = 0, element = at + 24; n < count; n += 1, element += 12) ids.push(int8At(view, element));
  return ids;
}

function placesAt(view: DataView, at: number, count: number): readonly number[] {
  const first = view.getUint16(at);
  if (count === 1) return (SINGLE_PLACES[first] ??= [first]);
  const places = [first];
  for (let n = 1; n < count; n += 1) places.push(view.getUint16(at + 2 * n));
  return places;
}

/** tsvector: the number of words; per word its text with a zero behind, the number of places, the places (2 bytes each). */
export function wordsAt({ buffer, view }: Bytes, start: number, strings: RecurringStrings): readonly WordPlaces[] {
  const count = view.getInt32(start);
  const words: WordPlaces[] = [];
  let at = start + 4;
  for (let n = 0; n < count; n += 1) {
    const word = strings.readToZero(buffer, at);
    at = strings.end + 3;
    const places = view.getUint16(at - 2);
    words.push({ word, places: places === 0 ? NO_IDS : placesAt(view, at, places) });
    at += 2 * places;
  }
  return words;
}

const ownStrings = new RecurringStrings();

/** The words of what `tsvectorsend` gives. */
export function readWordPlaces(sent: Buffer): readonly WordPlaces[] {
  return wordsAt(bytesOf(sent), 0, ownStrings);
}

/** Where the fields of a row are in the bytes, -1 for null, and their sizes. */
export type Fields = { readonly starts: Int32Array; readonly sizes: Int32Array };

export type CopyReader<Row> = {
  /** The rows that end in this chunk; the rest of it is kept. @throws AppError `internal` for other bytes than rows */
  read(chunk: Buffer): readonly Row[];
  /** Whether the end of the copy has been read: without it, rows are missing. */
  readonly isComplete: boolean;
};

/** Finds where the fields of the row at `at` are; undefined when the chunk ends before the row does. */
function locateFields(view: DataView, at: number, fields: Fields): number | undefined {
  const end = view.byteLength;
  let next = at + 2;
  for (let field = 0; field < fields.starts.length; field += 1) {
    if (next + 4 > end) return undefined;
    const size = view.getInt32(next);
    next += 4;
    fields.starts[field] = size < 0 ? -1 : next;
    fields.sizes[field] = size;
    if (size > 0) next += size;
  }
  return next <= end ? next : undefined;
}

/** Reads the rows of one binary COPY of so many columns. */
export function createCopyReader<Row>(
  columns: number,
  rowOf: (bytes: Bytes, fields: Fields, strings: RecurringStrings) => Row,
): CopyReader<Row> {
  const strings = new RecurringStrings();
  const fields: Fields = { starts: new Int32Array(columns), sizes: new Int32Array(columns) };
  let rest: Buffer | undefined;
  let headerRead = false;
  let isComplete = false;

  const readHeader = ({ buffer, view }: Bytes): number | undefined => {
    if (buffer.length < HEADER_BYTES) return undefined;
    if (!buffer.subarray(0, SIGNATURE.length).equals(SIGNATURE)) {
      throw new AppError('internal', 'expected a binary COPY, received other bytes');
    }
    const end = HEADER_BYTES + view.getInt32(HEADER_BYTES - 4);
    return end <= buffer.length ? end : undefined;
  };

  return {
    read(chunk) {
      const bytes = bytesOf(rest === undefined ? chunk : Buffer.concat([rest, chunk]));
      const rows: Row[] = [];
      let at = headerRead ? 0 : readHeader(bytes);
      headerRead = at !== undefined;
      while (at !== undefined && !isComplete && at + 2 <= bytes.buffer.length) {
        const count = bytes.view.getInt16(at);
        isComplete = count === -1;
        if (isComplete) break;
        if (count !== columns) throw new AppError('internal', `expected ${columns} fields in a row, received ${count}`);
        const end = locateFields(bytes.view, at, fields);
        if (end === undefined) break;
        rows.push(rowOf(bytes, fields, strings));
        at = end;
      }
      rest = (at ?? 0) < bytes.buffer.length ? bytes.buffer.subarray(at) : undefined;
      return rows;
    },
    get isComplete() {
      return isComplete;
    },
  };
}
