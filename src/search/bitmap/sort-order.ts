import type { Sort, SortField, SortKey } from '../engine.ts';
import type { Columns } from './columns.ts';
import { createIdSet, type IdSet, type MutableIdSet } from './sets/index.ts';

/** Order of text by code points, as PostgreSQL's "C" collation of UTF-8 has it; JavaScript compares UTF-16 units. */
function compareText(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let at = 0; at < length; at += 1) {
    const x = a.charCodeAt(at);
    const y = b.charCodeAt(at);
    if (x === y) continue;
    // A surrogate (U+D800..DFFF) stands for a code point above every other unit.
    const xHigh = x >= 0xd800 && x <= 0xdfff;
    const yHigh = y >= 0xd800 && y <= 0xdfff;
    if (xHigh !== yHigh) return xHigh ? 1 : -1;
    return x - y;
  }
  return a.length - b.length;
}

type Position = { readonly value: number | string | null; readonly id: number };

export type SortOrder = {
  /** The document is new, has another value, or is gone: its place is looked up when it is asked for. */
  touch(document: number): void;
  /** Documents of `within` after `after`, in order, at most `limit` of them behind the first `skip`. */
  page(
    within: IdSet,
    request: {
      readonly sort: Sort;
      readonly after: SortKey | undefined;
      readonly skip: number;
      readonly limit: number;
    },
  ): number[];
  keyOf(document: number): SortKey;
};

/** Above this share of all documents (and in any case above 4,096), touched ones are merged into the order. */
const MERGE_SHARE = 1 / 64;

/**
 * All documents in order of one field: values ascending, then those without a value, IDs breaking ties. Descending is the
 * same walked backwards, but those without a value stay last.
 */
export function createSortOrder(field: SortField, columns: Columns): SortOrder {
  let base = new Uint32Array(0);
  /** Where those without a value begin in `base`. */
  let missingFrom = 0;
  let touched: MutableIdSet = createIdSet();

  const valueOf = (document: number): number | string | null => {
    if (field === 'name') return columns.name(document);
    const value = columns.number(field, document);
    return Number.isNaN(value) ? null : value;
  };
  const compareValues = (a: number | string | null, b: number | string | null): number => {
    if (typeof a === 'string') return compareText(a, String(b));
    return Number(a) - Number(b);
  };
  /** Ascending; those without a value behind all others. */
  const compare = (a: Position, b: Position): number => {
    if ((a.value === null) !== (b.value === null)) return a.value === null ? 1 : -1;
    return (a.value === null ? 0 : compareValues(a.value, b.value)) || a.id - b.id;
  };
  const positionOf = (document: number): Position => ({ value: valueOf(document), id: columns.id(document) });
  const sorted = (documents: Iterable<number>): number[] =>
    Array.from(documents, (document) => ({ document, position: positionOf(document) }))
      .sort((a, b) => compare(a.position, b.position))
      .map((one) => one.document);

  const merge = () => {
    const fresh = sorted(touched.toArray());
    const next = new Uint32Array(base.length + fresh.length);
    let count = 0;
    let at = 0;
    const positions = fresh.map(positionOf);
    for (const document of base) {
      if (touched.has(document)) continue;
      const position = positionOf(document);
      while (at < fresh.length) {
        const candidate = positions[at];
        if (!candidate || compare(candidate, position) > 0) break;
        next[count] = fresh[at] ?? 0;
        count += 1;
        at += 1;
      }
      next[count] = document;
      count += 1;
    }
    for (; at < fresh.length; at += 1, count += 1) next[count] = fresh[at] ?? 0;
    base = next.slice(0, count);
    touched = createIdSet();
    let low = 0;
    let high = base.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (valueOf(base[middle] ?? 0) === null) high = middle;
      else low = middle + 1;
    }
    missingFrom = low;
  };

  /** In the sort's own direction: negative when `a` comes first. */
  const directed = (descending: boolean) => (a: Position, b: Position) => {
    if (!descending) return compare(a, b);
    if ((a.value === null) !== (b.value === null)) return a.value === null ? 1 : -1;
    return -compare(a, b);
  };

  const toPosition = (key: SortKey): Position =>
    field === 'name' || field === 'rating' || key.value === null
      ? key
      : { id: key.id, value: Date.parse(String(key.value)) };

  return {
    touch: (document) => void touched.add(document),

    page(within, { sort, after, skip, limit }) {
      if (touched.size > Math.max(4096, base.length * MERGE_SHARE)) merge();
      const order = directed(sort.descending);
      const from = after && toPosition(after);
      const isBeyond = (document: number) => !from || order(positionOf(document), from) > 0;
      const wanted = skip + limit;
      // A narrow result is sorted by itself; a broad one is met every few steps of a walk along the order.
      const walkSteps = within.size === 0 ? 0 : (base.length / within.size) * wanted;
      if (within.size * Math.log2(within.size + 2) < walkSteps || within.size <= 512) {
        const documents = Array.from(within.toArray()).filter(isBeyond);
        const ordered = documents
          .map((document) => ({ document, position: positionOf(document) }))
          .sort((a, b) => order(a.position, b.position));
        return ordered.slice(skip, wanted).map((one) => one.document);
      }
      const fresh = Array.from(touched.toArray()).filter((document) => within.has(document) && isBeyond(document));
      const pending = fresh
        .map((document) => ({ document, position: positionOf(document) }))
        .sort((a, b) => order(a.position, b.position));
      const found: number[] = [];
      let next = 0;
      const step = (document: number): boolean => {
        if (touched.has(document) || !within.has(document)) return true;
        const position = positionOf(document);
        for (
          let one = pending[next];
          one && order(one.position, position) < 0 && found.length < wanted;
          one = pending[next]
        ) {
          found.push(one.document);
          next += 1;
        }
        if (found.length < wanted) found.push(document);
        return found.length < wanted;
      };
      walk(
        { base, missingFrom, descending: sort.descending, touched, startsBefore: (document) => !isBeyond(document) },
        step,
      );
      for (; next < pending.length && found.length < wanted; next += 1) found.push(pending[next]?.document ?? 0);
      return found.slice(skip, wanted);
    },

    keyOf(document) {
      const value = valueOf(document);
      const isTime = field !== 'name' && field !== 'rating';
      return { id: columns.id(document), value: isTime && value !== null ? new Date(value).toISOString() : value };
    },
  };
}

/** Visits the order from the first document that does not come before the start, found by bisection. */
function walk(
  order: {
    readonly base: Uint32Array;
    readonly missingFrom: number;
    readonly descending: boolean;
    /** Their places in `base` are those of values they no longer have: they are passed over. */
    readonly touched: IdSet;
    readonly startsBefore: (document: number) => boolean;
  },
  visit: (document: number) => boolean,
): void {
  const { base, missingFrom, descending, touched, startsBefore } = order;
  const count = base.length;
  // The i-th document in the direction of the walk: descending, both blocks are walked backwards one after the other.
  const at = (index: number): number => {
    if (!descending) return base[index] ?? 0;
    return index < missingFrom ? (base[missingFrom - 1 - index] ?? 0) : (base[count - 1 - (index - missingFrom)] ?? 0);
  };
  let low = 0;
  let high = count;
  while (low < high) {
    const middle = (low + high) >> 1;
    let probe = middle;
    while (probe < high && touched.has(at(probe))) probe += 1;
    if (probe < high && startsBefore(at(probe))) low = probe + 1;
    else high = middle;
  }
  for (let index = low; index < count; index += 1) if (!visit(at(index))) return;
}
