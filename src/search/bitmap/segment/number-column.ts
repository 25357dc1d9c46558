import type { Paged } from './paged.ts';
import { type ColumnEncoding, newSection, type Section, type SegmentMeta, sectionOf } from './sections.ts';

/** Documents of a zone: for each zone a column knows its least and greatest value, so that a range can pass it over. */
export const ZONE_DOCUMENTS = 1024;
const ZONE_BITS = 10;

export const NO_TIME = 0xffff_ffff;
const NO_CODE = 255;
/** A column that fewer documents than this share have is kept as a list of those. */
const SPARSE_SHARE = 1 / 8;

/** One number a document; NaN where it has none. */
export type NumberColumn = {
  value(document: number): number;
  /** The least value in a zone, +Infinity when it has none. */
  zoneLeast(zone: number): number;
  /** The greatest value in a zone, -Infinity when it has none. */
  zoneGreatest(zone: number): number;
  /** Whether some document of the zone has no value. */
  zoneHasMissing(zone: number): boolean;
  /** For a column of times: whole seconds since `base` a document (NO_TIME = none); `base` is a whole second in milliseconds. */
  readonly times: { readonly seconds: Uint32Array; readonly base: number } | undefined;
  /** For a column of few distinct values: a code a document (255 = none) and the values by code, ascending. */
  readonly codes: { readonly byDocument: Uint8Array; readonly values: Float64Array } | undefined;
};

export function zoneOf(document: number): number {
  return document >>> ZONE_BITS;
}

type Encoded = { readonly encoding: ColumnEncoding; readonly base: number; readonly sections: Record<string, Section> };

function distinctValues(source: Paged<Float64Array>): Float64Array | undefined {
  const distinct = new Set<number>();
  for (let at = 0; at < source.length; at += 1) {
    const value = source.get(at);
    if (!Number.isNaN(value)) distinct.add(value);
    if (distinct.size >= NO_CODE) return undefined;
  }
  return Float64Array.from(distinct).sort();
}

function encodeCodes(read: (document: number) => number, size: number, values: Float64Array): Encoded {
  const codeOf = new Map(Array.from(values, (value, code) => [value, code]));
  const codes = newSection('u8', size);
  for (let document = 0; document < size; document += 1) codes[document] = codeOf.get(read(document)) ?? NO_CODE;
  const table = newSection('f64', values.length);
  table.set(values);
  return { encoding: 'codes', base: 0, sections: { codes, table } };
}

function encodeTimes(read: (document: number) => number, size: number, base: number): Encoded {
  const seconds = newSection('u32', size);
  const milliseconds = newSection('u16', size);
  for (let document = 0; document < size; document += 1) {
    const value = read(document);
    seconds[document] = Number.isNaN(value) ? NO_TIME : Math.floor((value - base) / 1000);
    milliseconds[document] = Number.isNaN(value) ? 0 : (value - base) % 1000;
  }
  return { encoding: 'times', base, sections: { seconds, milliseconds } };
}

function encodeSparse(read: (document: number) => number, size: number, present: number): Encoded {
  const documents = newSection('u32', present);
  const values = newSection('f64', present);
  let at = 0;
  for (let document = 0; document < size; document += 1) {
    const value = read(document);
    if (Number.isNaN(value)) continue;
    documents[at] = document;
    values[at] = value;
    at += 1;
  }
  return { encoding: 'sparse', base: 0, sections: { documents, values } };
}

function encodeWide(read: (document: number) => number, size: number): Encoded {
  const wide = newSection('f64', size);
  for (let document = 0; document < size; document += 1) wide[document] = read(document);
  return { encoding: 'wide', base: 0, sections: { wide } };
}

/**
 * Encodes the values that `source` holds by row, in the documents' order (`rows[document]`), in the least memory that keeps
 * them exact. Answers sections whose names begin with the column's.
 */
export function encodeColumn(
  name: string,
  source: Paged<Float64Array>,
  rows: Uint32Array,
): { readonly sections: Record<string, Section>; readonly meta: SegmentMeta['columns'][string] } {
  const size = rows.length;
  const read = (document: number): number => source.get(rows[document] ?? 0);
  let least = Number.POSITIVE_INFINITY;
  let greatest = Number.NEGATIVE_INFINITY;
  let present = 0;
  let whole = true;
  for (let at = 0; at < size; at += 1) {
    const value = source.get(at);
    if (Number.isNaN(value)) continue;
    present += 1;
    // Beyond the safe ones a second and its rest do not add up to the same number again.
    whole &&= Number.isSafeInteger(value);
    least = Math.min(least, value);
    greatest = Math.max(greatest, value);
  }
  const values = distinctValues(source);
  let encoded: Encoded;
  // Whole seconds since a whole second; a range of more than 136 years does not fit.
  const base = Math.floor(least / 1000) * 1000;
  const fitsSeconds = whole && present > 0 && Math.floor((greatest - base) / 1000) < NO_TIME;
  if (values) encoded = encodeCodes(read, size, values);
  else if (present < size * SPARSE_SHARE) encoded = encodeSparse(read, size, present);
  else if (fitsSeconds) encoded = encodeTimes(read, size, base);
  else encoded = encodeWide(read, size);
  const zones = Math.ceil(size / ZONE_DOCUMENTS);
  const bounds = newSection('f64', zones * 2);
  const missing = newSection('u8', zones);
  for (let zone = 0; zone < zones; zone += 1) {
    let low = Number.POSITIVE_INFINITY;
    let high = Number.NEGATIVE_INFINITY;
    const end = Math.min(size, (zone + 1) * ZONE_DOCUMENTS);
    for (let document = zone * ZONE_DOCUMENTS; document < end; document += 1) {
      const value = read(document);
      if (Number.isNaN(value)) missing[zone] = 1;
      else {
        if (value < low) low = value;
        if (value > high) high = value;
      }
    }
    bounds[zone * 2] = low;
    bounds[zone * 2 + 1] = high;
  }
  const sections = Object.entries({ ...encoded.sections, bounds, missing }).map(([part, section]) => [
    `${name}_${part}`,
    section,
  ]);
  return { sections: Object.fromEntries(sections), meta: { encoding: encoded.encoding, base: encoded.base } };
}

type Read = (document: number) => number;

function reader(name: string, sections: Readonly<Record<string, Section>>, meta: SegmentMeta['columns'][string]): Read {
  const { encoding, base } = meta;
  switch (encoding) {
    case 'codes': {
      const codes = sectionOf(sections, `${name}_codes`, 'u8');
      const table = sectionOf(sections, `${name}_table`, 'f64');
      return (document) => table[codes[document] ?? NO_CODE] ?? Number.NaN;
    }
    case 'times': {
      const seconds = sectionOf(sections, `${name}_seconds`, 'u32');
      const milliseconds = sectionOf(sections, `${name}_milliseconds`, 'u16');
      return (document) => {
        const second = seconds[document] ?? NO_TIME;
        return second === NO_TIME ? Number.NaN : base + second * 1000 + (milliseconds[document] ?? 0);
      };
    }
    case 'sparse': {
      const documents = sectionOf(sections, `${name}_documents`, 'u32');
      const values = sectionOf(sections, `${name}_values`, 'f64');
      return (document) => {
        let low = 0;
        let high = documents.length;
        while (low < high) {
          const middle = (low + high) >>> 1;
          if ((documents[middle] ?? 0) < document) low = middle + 1;
          else high = middle;
        }
        return documents[low] === document ? (values[low] ?? Number.NaN) : Number.NaN;
      };
    }
    case 'wide': {
      const wide = sectionOf(sections, `${name}_wide`, 'f64');
      return (document) => wide[document] ?? Number.NaN;
    }
  }
}

/** Reads the sections of a column. */
export function openColumn(
  name: string,
  sections: Readonly<Record<string, Section>>,
  meta: SegmentMeta['columns'][string],
): NumberColumn {
  const bounds = sectionOf(sections, `${name}_bounds`, 'f64');
  const missing = sectionOf(sections, `${name}_missing`, 'u8');
  return {
    value: reader(name, sections, meta),
    zoneLeast: (zone) => bounds[zone * 2] ?? Number.POSITIVE_INFINITY,
    zoneGreatest: (zone) => bounds[zone * 2 + 1] ?? Number.NEGATIVE_INFINITY,
    zoneHasMissing: (zone) => missing[zone] === 1,
    times:
      meta.encoding === 'times'
        ? { seconds: sectionOf(sections, `${name}_seconds`, 'u32'), base: meta.base }
        : undefined,
    codes:
      meta.encoding === 'codes'
        ? {
            byDocument: sectionOf(sections, `${name}_codes`, 'u8'),
            values: sectionOf(sections, `${name}_table`, 'f64'),
          }
        : undefined,
  };
}
