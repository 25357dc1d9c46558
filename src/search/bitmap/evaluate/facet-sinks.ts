import type { TagType } from '../../../library/index.ts';
import {
  type FacetBucket,
  type FacetRequest,
  ID_FACETS,
  type IdFacet,
  type Interval,
  TIME_FACETS,
  type TimeFacet,
  type ValueFacet,
} from '../../engine.ts';
import { ZONE_DOCUMENTS, zoneOf } from '../segment/number-column.ts';
import { CHUNK_DOCUMENTS, entryOf } from '../segment/packed-sets.ts';
import type { Segment } from '../segment/segment.ts';
import { KEYWORD_FIELDS, type KeywordField } from '../segment/segment-builder.ts';
import { type ChunkValue, countOf, intersect, newValue, setAll, setEntry, subtract, visitLows, type Workspace } from './chunk-value.ts';
import type { Sink } from './view.ts';

/** Counts of one facet over all segments, by key. */
export type Counts = Map<number | string, number>;

export type FacetSink = Sink & {
  /** Adds what was counted in this segment. */
  finish(counts: Counts): void;
};

/** Free for sinks: evaluation holds the level above while they run. */
const SINK_DEPTH = 1;

function raise(counts: Counts, key: number | string, count: number): void {
  if (count > 0) counts.set(key, (counts.get(key) ?? 0) + count);
}

/** Counts of all tag options in one segment, for every facet of IDs with the same filter. */
export type TagCounter = Sink & {
  /** The tag options' sets that some taken document has. */
  finish(): { readonly sets: readonly number[]; readonly counts: Uint32Array };
};

/**
 * Reads the tag options of each document that is taken; of a chunk that is taken for the larger part, those of the documents
 * that are not, and subtracts them from the sizes of the sets.
 */
export function createTagCounter(work: Workspace, segment: Segment): TagCounter {
  const { sets, tagIds, forward, forwardStarts } = segment;
  const counts = new Uint32Array(tagIds.length);
  const touched: number[] = [];
  const inverted: number[] = [];
  const others = newValue();
  // A sum may pass below 0 on its way: unsigned arithmetic comes back to the true value.
  const read = (value: ChunkValue, chunk: { key: number; documents: number }, step: number) => {
    const base = chunk.key * CHUNK_DOCUMENTS;
    visitLows(value, { from: 0, to: chunk.documents }, (low) => {
      const end = forwardStarts[base + low + 1] ?? 0;
      for (let at = forwardStarts[base + low] ?? 0; at < end; at += 1) {
        const set = forward[at] ?? 0;
        const before = counts[set] ?? 0;
        if (before === 0) touched.push(set);
        counts[set] = before + step;
      }
    });
  };
  return {
    take(chunk, value, count) {
      if (count * 2 <= chunk.documents) return read(value, chunk, 1);
      inverted.push(chunk.key);
      setAll(others);
      subtract(work, work.level(SINK_DEPTH), { value: others, other: value, documents: chunk.documents });
      read(others, chunk, -1);
    },
    finish() {
      if (inverted.length > 0) {
        const isInverted = new Uint8Array(CHUNK_DOCUMENTS);
        for (const key of inverted) isInverted[key] = 1;
        const end = sets.first[tagIds.length] ?? 0;
        let set = 0;
        for (let entry = 0; entry < end; entry += 1) {
          while (entry >= (sets.first[set + 1] ?? 0)) set += 1;
          if (isInverted[sets.keys[entry] ?? 0] === 1) counts[set] = (counts[set] ?? 0) + (sets.sizes[entry] ?? 0) + 1;
        }
        return { sets: Array.from(counts.keys()), counts };
      }
      return { sets: touched, counts };
    },
  };
}

export function isIdFacet(field: string): field is IdFacet {
  return (ID_FACETS as readonly string[]).includes(field);
}

/** Of what a tag counter found, the tag options that a facet is about. */
export function addTagCounts(
  counter: ReturnType<TagCounter['finish']>,
  counts: Counts,
  options: { readonly segment: Segment; readonly field: IdFacet; readonly tagType: (id: number) => TagType | undefined },
): void {
  const { segment, field, tagType } = options;
  for (const set of counter.sets) {
    const count = counter.counts[set] ?? 0;
    if (count === 0) continue;
    const id = segment.tagIds[set] ?? 0;
    if (field === 'tag_options' || tagType(id) === field) raise(counts, id, count);
  }
}

/** Counts a chunk's documents in each of some sets. */
function createSetCounter(
  work: Workspace,
  segment: Segment,
  keyed: readonly { readonly set: number; readonly key: number | string }[],
): FacetSink {
  const found = new Float64Array(keyed.length);
  const one = newValue();
  return {
    take(chunk, value) {
      for (const [at, { set }] of keyed.entries()) {
        const entry = entryOf(segment.sets, set, chunk.key);
        if (entry < 0) continue;
        setEntry(one, segment.sets, { entry, documents: chunk.documents });
        intersect(work, work.level(SINK_DEPTH), { value: one, other: value });
        found[at] = (found[at] ?? 0) + countOf(work, one, chunk.documents);
      }
    },
    finish(counts) {
      for (const [at, { key }] of keyed.entries()) raise(counts, key, found[at] ?? 0);
    },
  };
}

function createNumberCounter(segment: Segment, field: 'rating' | 'people_count'): FacetSink {
  const column = segment.columns[field];
  const found: Counts = new Map();
  const byCode = new Uint32Array(256);
  return {
    take(chunk, value) {
      const base = chunk.key * CHUNK_DOCUMENTS;
      const { codes } = column;
      visitLows(value, { from: 0, to: chunk.documents }, (low) => {
        if (codes) {
          const code = codes.byDocument[base + low] ?? 255;
          byCode[code] = (byCode[code] ?? 0) + 1;
          return;
        }
        const number = column.value(base + low);
        if (!Number.isNaN(number)) raise(found, number, 1);
      });
    },
    finish(counts) {
      for (const [code, value] of (column.codes?.values ?? []).entries()) raise(counts, value, byCode[code] ?? 0);
      for (const [value, count] of found) raise(counts, value, count);
    },
  };
}

const DAY = 86_400_000;

/** The beginning of the interval that a time is in, and that of the next one; milliseconds since 1970, in UTC. */
export function intervalAt(time: number, interval: Interval): { readonly from: number; readonly to: number } {
  const day = Math.floor(time / DAY);
  if (interval === 'day') return { from: day * DAY, to: (day + 1) * DAY };
  if (interval === 'week') {
    // 1970-01-01 was a Thursday, three days after a Monday.
    const monday = Math.floor((day + 3) / 7) * 7 - 3;
    return { from: monday * DAY, to: (monday + 7) * DAY };
  }
  const date = new Date(time);
  const year = date.getUTCFullYear();
  const month = interval === 'month' ? date.getUTCMonth() : 0;
  return {
    from: utc(year, month),
    to: interval === 'month' ? utc(year, month + 1) : utc(year + 1, 0),
  };
}

/** Date.UTC takes years below 100 for those of the 20th century. */
function utc(year: number, month: number): number {
  return new Date(0).setUTCFullYear(year, month, 1);
}

function createTimeCounter(segment: Segment, field: TimeFacet, interval: Interval): FacetSink {
  const column = segment.columns[field];
  const found: Counts = new Map();
  let present = { from: 0, to: 0 };
  let count = 0;
  const moveTo = (time: number) => {
    if (time >= present.from && time < present.to) return;
    raise(found, present.from, count);
    count = 0;
    present = intervalAt(time, interval);
  };
  return {
    take(chunk, value) {
      const base = chunk.key * CHUNK_DOCUMENTS;
      for (let from = 0; from < chunk.documents; from += ZONE_DOCUMENTS) {
        const zone = zoneOf(base + from);
        const range = { from, to: Math.min(chunk.documents, from + ZONE_DOCUMENTS) };
        const least = column.zoneLeast(zone);
        if (least > column.zoneGreatest(zone)) continue;
        moveTo(least);
        if (!column.zoneHasMissing(zone) && column.zoneGreatest(zone) < present.to) {
          visitLows(value, range, () => {
            count += 1;
          });
          continue;
        }
        visitLows(value, range, (low) => {
          const time = column.value(base + low);
          if (Number.isNaN(time)) return;
          moveTo(time);
          count += 1;
        });
      }
    },
    finish(counts) {
      raise(found, present.from, count);
      count = 0;
      for (const [key, sum] of found) raise(counts, key, sum);
    },
  };
}

function isKeyword(field: string): field is KeywordField {
  return (KEYWORD_FIELDS as readonly string[]).includes(field);
}

/** The sink of a facet that is not about tag options. */
export function createFacetSink(work: Workspace, segment: Segment, facet: FacetRequest): FacetSink {
  if ('interval' in facet) return createTimeCounter(segment, facet.field, facet.interval);
  if (facet.field === 'collection') {
    const keyed = Array.from(segment.collectionIds, (key, at) => ({ set: segment.tagIds.length + at, key }));
    return createSetCounter(work, segment, keyed);
  }
  if (isKeyword(facet.field)) {
    const { field } = facet;
    const values = segment.data.meta.valueSets
      .filter((text) => text.startsWith(`${field}=`))
      .map((text) => text.slice(field.length + 1));
    return createSetCounter(
      work,
      segment,
      values.map((key) => ({ set: segment.valueSet(field, key), key })),
    );
  }
  // Facets of tag options have a counter of their own.
  return createNumberCounter(segment, facet.field as Extract<ValueFacet, 'rating' | 'people_count'>);
}

/** The buckets of a facet, as src/search/engine.ts orders them. */
export function bucketsOf(facet: FacetRequest, counts: Counts): FacetBucket[] {
  const all = Array.from(counts, ([key, count]) => ({ key, count }));
  if ((TIME_FACETS as readonly string[]).includes(facet.field)) {
    return all
      .sort((a, b) => Number(a.key) - Number(b.key))
      .slice(-facet.limit)
      .map(({ key, count }) => ({ key: new Date(Number(key)).toISOString(), count }));
  }
  return all.sort((a, b) => b.count - a.count || (a.key < b.key ? -1 : 1)).slice(0, facet.limit);
}
