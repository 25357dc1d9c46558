import type { ActionSortField, Sort, SortKey } from '../../engine.ts';
import type { Documents } from '../segment/documents.ts';
import type { Segment } from '../segment/segment.ts';
import type { ActionDocuments } from '../segment/segment-actions.ts';
import type { ActionParents } from './action-parents.ts';
import { type NumberColumn, ZONE_DOCUMENTS, zoneOf } from '../segment/number-column.ts';
import { CHUNK_DOCUMENTS } from '../segment/packed-sets.ts';
import { visitLows, type Workspace } from './chunk-value.ts';
import type { Chunk } from './node.ts';
import { createBest, type InOrder } from './best.ts';
import { lowsOf } from './lows.ts';
import type { Scores } from './scores.ts';
import type { Sink } from './view.ts';

/** A document's place in the order: what it is sorted by (a number, or its name), and its ID, which breaks ties. */
export type Placed = { readonly id: number; readonly value: number | string | null };

/** The first documents of a segment in the order of a sort. */
export type SegmentPage = {
  readonly length: number;
  /** Made when it is asked for: what lies before a deep page is mostly not. */
  placed(at: number): Placed;
};

/** Collects the first documents of a segment in the order of a sort. */
export type PageSink = Sink & {
  /** At most as many as were wanted. */
  finish(): SegmentPage;
};

function pageOf(best: InOrder, placed: (document: number, key: number) => Placed): SegmentPage {
  return { length: best.length, placed: (at) => placed(best.document(at), best.key(at)) };
}

/** The order of a search over assets or actions. */
export type Order = { readonly field: Sort['field'] | ActionSortField; readonly descending: boolean };

/** Whether what is sorted by is a time, which cursors have as text. */
export function isTimeSort({ field }: Order): boolean {
  return field.endsWith('_at');
}

/** Compares by value, those without one last, then by ID. Negative when `a` comes first. */
export function comparePlaced(sort: Order): (a: Placed, b: Placed) => number {
  const sign = sort.descending ? -1 : 1;
  return (a, b) => {
    if (a.value === null || b.value === null) {
      return Number(a.value === null) - Number(b.value === null) || sign * (a.id - b.id);
    }
    return sign * (compareValues(a.value, b.value) || a.id - b.id);
  };
}

/** Texts by code points, as PostgreSQL's "C" collation of UTF-8 has them; JavaScript compares UTF-16 units. */
function compareValues(a: number | string, b: number | string): number {
  if (typeof a === 'number' || typeof b === 'number') return Number(a) - Number(b);
  return a === b ? 0 : Buffer.compare(Buffer.from(a), Buffer.from(b));
}

/** The key of a cursor in the terms of `Placed`. */
export function placedOf(sort: Order, key: SortKey): Placed {
  return { id: key.id, value: isTimeSort(sort) && key.value !== null ? Date.parse(String(key.value)) : key.value };
}

/** Documents are numbered in the order of their creation: the wanted ones are the first that are met. */
function createCreationPage(
  segment: Segment,
  options: { readonly descending: boolean; readonly wanted: number; readonly after: Placed | undefined },
): PageSink {
  const { descending, wanted, after } = options;
  const column = segment.columns.created_at;
  let from = 0;
  let to = segment.size;
  if (after) {
    const time = Number(after.value);
    // The first document behind the key's place.
    let low = 0;
    let high = segment.size;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const value = column.value(middle);
      const before = value < time || (value === time && segment.id(middle) < after.id);
      if (before || (!descending && value === time && segment.id(middle) === after.id)) low = middle + 1;
      else high = middle;
    }
    if (descending) to = low;
    else from = low;
  }
  const found: number[] = [];
  return {
    take(chunk, value) {
      if (found.length >= wanted) return;
      const base = chunk.key * CHUNK_DOCUMENTS;
      const start = Math.max(0, from - base);
      const end = Math.min(chunk.documents, to - base);
      if (start >= end) return;
      if (!descending) {
        for (let zone = start; zone < end && found.length < wanted; zone += ZONE_DOCUMENTS) {
          visitLows(value, { from: zone, to: Math.min(end, zone + ZONE_DOCUMENTS) }, (low) => {
            if (found.length < wanted) found.push(base + low);
          });
        }
        return;
      }
      for (let zoneEnd = end; zoneEnd > start && found.length < wanted; zoneEnd -= ZONE_DOCUMENTS) {
        const zone: number[] = [];
        visitLows(
          value,
          { from: Math.max(start, zoneEnd - ZONE_DOCUMENTS), to: zoneEnd },
          (low) => void zone.push(low),
        );
        for (let at = zone.length - 1; at >= 0 && found.length < wanted; at -= 1) found.push(base + (zone[at] ?? 0));
      }
    },
    finish: () => ({
      length: found.length,
      placed: (at) => {
        const document = found[at] ?? 0;
        return { id: segment.id(document), value: column.value(document) };
      },
    }),
  };
}

/** Visits a chunk's zones in the order in which the sort is likely to find its first ones. */
function* zonesOf(chunk: Chunk, descending: boolean): Generator<{ zone: number; from: number; to: number }> {
  const zones = Math.ceil(chunk.documents / ZONE_DOCUMENTS);
  const first = zoneOf(chunk.key * CHUNK_DOCUMENTS);
  for (let step = 0; step < zones; step += 1) {
    const at = descending ? zones - 1 - step : step;
    const from = at * ZONE_DOCUMENTS;
    yield { zone: first + at, from, to: Math.min(chunk.documents, from + ZONE_DOCUMENTS) };
  }
}

/** Whether a document with this key, the worst one for none, comes behind where a page ended. */
function createKeyBound(
  { id: idOf }: Documents,
  { descending, after }: { readonly descending: boolean; readonly after: Placed | undefined },
): (key: number, document: number) => boolean {
  if (!after) return () => true;
  const worst = descending ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
  const bound = after.value === null ? worst : Number(after.value);
  return (key, document) => {
    if (key !== bound) return descending ? key < bound : key > bound;
    const id = idOf(document);
    return descending ? id < after.id : id > after.id;
  };
}

function createNumberPage(
  segment: Documents,
  column: NumberColumn,
  options: { readonly descending: boolean; readonly wanted: number; readonly after: Placed | undefined },
): PageSink {
  const { descending, wanted, after } = options;
  const worst = descending ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
  const best = createBest(wanted, { descending, idOf: segment.id });
  const lows = new Uint16Array(ZONE_DOCUMENTS);
  const isAfter = createKeyBound(segment, { descending, after });
  return {
    take(chunk, value) {
      const base = chunk.key * CHUNK_DOCUMENTS;
      for (const { zone, from, to } of zonesOf(chunk, descending)) {
        const promising = descending ? column.zoneGreatest(zone) : column.zoneLeast(zone);
        const reach = column.zoneHasMissing(zone) && (promising === worst || best.bound === worst) ? worst : promising;
        if (best.isBeyond(reach)) continue;
        let found = 0;
        visitLows(value, { from, to }, (low) => {
          lows[found] = low;
          found += 1;
        });
        // From the end where the best are: most of the others are then beyond what was found.
        for (let step = 0; step < found; step += 1) {
          const document = base + (lows[descending ? found - 1 - step : step] ?? 0);
          const number = column.value(document);
          const key = Number.isNaN(number) ? worst : number;
          if (!best.isBeyond(key) && isAfter(key, document)) best.add(key, document);
        }
      }
    },
    finish: () =>
      pageOf(best.finish(), (document, key) => ({ id: segment.id(document), value: key === worst ? null : key })),
  };
}

/**
 * Says of the ranks of names whether they come before, at or after a name that the segment need not have. Each comparison
 * of texts narrows the ranks that are still unknown, so that few are needed.
 */
function createNameBound(segment: Segment, name: string): (document: number) => number {
  const wanted = Buffer.from(name);
  let before = -1;
  let after = Number.POSITIVE_INFINITY;
  let equal = -1;
  return (document) => {
    const rank = segment.nameRanks[document] ?? 0;
    if (rank === equal) return 0;
    if (rank <= before) return -1;
    if (rank >= after) return 1;
    const order = Buffer.compare(Buffer.from(segment.name(document)), wanted);
    if (order < 0) before = Math.max(before, rank);
    else if (order > 0) after = Math.min(after, rank);
    else equal = rank;
    return order;
  };
}

function createNamePage(
  segment: Segment,
  options: { readonly descending: boolean; readonly wanted: number; readonly after: Placed | undefined },
): PageSink {
  const { descending, wanted, after } = options;
  const best = createBest(wanted, { descending, idOf: segment.id });
  const place = after && createNameBound(segment, String(after.value));
  const isAfter = (document: number): boolean => {
    if (!after || !place) return true;
    const order = place(document) || Math.sign(segment.id(document) - after.id);
    return descending ? order < 0 : order > 0;
  };
  return {
    take(chunk, value) {
      const base = chunk.key * CHUNK_DOCUMENTS;
      visitLows(value, { from: 0, to: chunk.documents }, (low) => {
        const rank = segment.nameRanks[base + low] ?? 0;
        if (!best.isBeyond(rank) && isAfter(base + low)) best.add(rank, base + low);
      });
    },
    finish: () => pageOf(best.finish(), (document) => ({ id: segment.id(document), value: segment.name(document) })),
  };
}

function createScorePage(
  work: Workspace,
  segment: Documents,
  options: { readonly scores: Scores | undefined; readonly wanted: number; readonly after: Placed | undefined },
): PageSink {
  const { scores, wanted, after } = options;
  const best = createBest(wanted, { descending: true, idOf: segment.id });
  return {
    take(chunk, value, count) {
      const base = chunk.key * CHUNK_DOCUMENTS;
      const lows = lowsOf(work, value, { count, documents: chunk.documents });
      const found = scores?.of(chunk, lows);
      // The higher IDs, which win among equal scores, are mostly at the end.
      for (let at = lows.length - 1; at >= 0; at -= 1) {
        const score = found?.[at] ?? 0;
        const document = base + (lows[at] ?? 0);
        if (best.isBeyond(score)) continue;
        if (after) {
          const limit = Number(after.value);
          if (score > limit || (score === limit && segment.id(document) >= after.id)) continue;
        }
        best.add(score, document);
      }
    },
    finish: () => pageOf(best.finish(), (document, key) => ({ id: segment.id(document), value: key })),
  };
}

const NO_PARENTS = { lows: new Uint16Array(0), firsts: undefined };

/** Assets by where the first of some of their actions starts; those without one last. */
function createStartPage(
  work: Workspace,
  segment: Segment,
  options: {
    readonly parents: ActionParents | undefined;
    readonly descending: boolean;
    readonly wanted: number;
    readonly after: Placed | undefined;
  },
): PageSink {
  const { parents, descending, wanted, after } = options;
  const worst = descending ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
  const best = createBest(wanted, { descending, idOf: segment.id });
  const isAfter = createKeyBound(segment, { descending, after });
  return {
    take(chunk, value, count) {
      const base = chunk.key * CHUNK_DOCUMENTS;
      const { lows: known, firsts } = parents?.chunks.get(chunk.key) ?? NO_PARENTS;
      let at = 0;
      for (const low of lowsOf(work, value, { count, documents: chunk.documents })) {
        while ((known[at] ?? CHUNK_DOCUMENTS) < low) at += 1;
        const first = known[at] === low ? firsts?.[at] : undefined;
        const key = first === undefined ? worst : (segment.actions?.columns.start_ms.value(first) ?? worst);
        if (!best.isBeyond(key) && isAfter(key, base + low)) best.add(key, base + low);
      }
    },
    finish: () =>
      pageOf(best.finish(), (document, key) => ({ id: segment.id(document), value: key === worst ? null : key })),
  };
}

type PageOptions<Field extends Order['field']> = {
  readonly sort: { readonly field: Field; readonly descending: boolean };
  readonly wanted: number;
  readonly after: Placed | undefined;
  /** Needed to sort by relevance. */
  readonly scores: Scores | undefined;
};

/** @param parents of the actions that `action.start_ms` sorts by, with the first of each asset */
export function createPageSink(
  work: Workspace,
  segment: Segment,
  options: PageOptions<Sort['field']> & { readonly parents: ActionParents | undefined },
): PageSink {
  const { sort, after, scores } = options;
  const wanted = Math.min(options.wanted, segment.size);
  const { descending } = sort;
  switch (sort.field) {
    case 'created_at':
      return createCreationPage(segment, { descending, wanted, after });
    case 'name':
      return createNamePage(segment, { descending, wanted, after });
    case 'relevance':
      return createScorePage(work, segment, { scores, wanted, after });
    case 'action.start_ms':
      return createStartPage(work, segment, { parents: options.parents, descending, wanted, after });
    default:
      return createNumberPage(segment, segment.columns[sort.field], { descending, wanted, after });
  }
}

export function createActionPageSink(
  work: Workspace,
  actions: ActionDocuments,
  options: PageOptions<ActionSortField>,
): PageSink {
  const { sort, after, scores } = options;
  const wanted = Math.min(options.wanted, actions.size);
  if (sort.field === 'relevance') return createScorePage(work, actions, { scores, wanted, after });
  return createNumberPage(actions, actions.columns[sort.field], { descending: sort.descending, wanted, after });
}
