import { TAG_TYPES, type TagType } from '../../../library/index.ts';
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
import { CHUNK_DOCUMENTS, CHUNK_WORDS, entryOf } from '../segment/packed-sets.ts';
import type { Segment } from '../segment/segment.ts';
import { KEYWORD_FIELDS, type KeywordField } from '../segment/segment-builder.ts';
import {
  type ChunkValue,
  countOf,
  intersect,
  newValue,
  setAll,
  setEntry,
  subtract,
  visitLows,
  type Workspace,
} from './chunk-value.ts';
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
  finish(): { readonly sets: Iterable<number>; readonly counts: Uint32Array };
};

/** Raises the counts of the tag options of a value's documents; a loop of its own for each form, for this is where facets spend their time. */
function countTags(
  segment: Segment,
  {
    counts,
    value,
    base,
    documents,
    step,
  }: { counts: Uint32Array; value: ChunkValue; base: number; documents: number; step: 1 | -1 },
): void {
  const { forward, forwardStarts } = segment;
  if (value.kind === 'all') {
    const end = forwardStarts[base + documents] ?? 0;
    for (let at = forwardStarts[base] ?? 0; at < end; at += 1) {
      const set = forward[at] ?? 0;
      counts[set] = (counts[set] ?? 0) + step;
    }
  } else if (value.kind === 'list') {
    const { list } = value;
    for (let index = value.from; index < value.to; index += 1) {
      const document = base + (list[index] ?? 0);
      const end = forwardStarts[document + 1] ?? 0;
      for (let at = forwardStarts[document] ?? 0; at < end; at += 1) {
        const set = forward[at] ?? 0;
        counts[set] = (counts[set] ?? 0) + step;
      }
    }
  } else if (value.kind === 'bits') {
    const { bits } = value;
    for (let word = 0; word < CHUNK_WORDS; word += 1) {
      let left = bits[value.at + word] ?? 0;
      while (left !== 0) {
        const lowest = left & -left;
        const document = base + word * 32 + 31 - Math.clz32(lowest);
        left ^= lowest;
        const end = forwardStarts[document + 1] ?? 0;
        for (let at = forwardStarts[document] ?? 0; at < end; at += 1) {
          const set = forward[at] ?? 0;
          counts[set] = (counts[set] ?? 0) + step;
        }
      }
    }
  }
}

/** Fewer documents than this: their tag options are noted one by one, and the others are not looked at in the end. */
const NOTED_DOCUMENTS = 500;

/**
 * Reads the tag options of each document that is taken; of a chunk that is taken for the larger part, those of the documents
 * that are not, and subtracts them from the sizes of the sets.
 */
export function createTagCounter(work: Workspace, segment: Segment): TagCounter {
  const { sets, tagIds, forward, forwardStarts } = segment;
  const counts = new Uint32Array(tagIds.length);
  const inverted: number[] = [];
  const others = newValue();
  let taken = 0;
  const noted = new Set<number>();
  const note = (value: ChunkValue, base: number, documents: number) =>
    visitLows(value, { from: 0, to: documents }, (low) => {
      const end = forwardStarts[base + low + 1] ?? 0;
      for (let at = forwardStarts[base + low] ?? 0; at < end; at += 1) noted.add(forward[at] ?? 0);
    });
  return {
    take({ key, documents }, value, count) {
      const base = key * CHUNK_DOCUMENTS;
      taken += count;
      if (count * 2 <= documents) {
        countTags(segment, { counts, value, base, documents, step: 1 });
        if (taken <= NOTED_DOCUMENTS) note(value, base, documents);
        return;
      }
      taken += NOTED_DOCUMENTS;
      inverted.push(key);
      setAll(others);
      subtract(work, work.level(SINK_DEPTH), { value: others, other: value, documents });
      // A count may pass below 0 on its way: unsigned arithmetic comes back to the true value.
      countTags(segment, { counts, value: others, base, documents, step: -1 });
    },
    finish() {
      if (inverted.length > 0) {
        const isInverted = new Uint8Array(CHUNK_DOCUMENTS);
        for (const key of inverted) isInverted[key] = 1;
        for (let set = 0; set < tagIds.length; set += 1) {
          const end = sets.first[set + 1] ?? 0;
          let size = 0;
          for (let entry = sets.first[set] ?? 0; entry < end; entry += 1) {
            if (isInverted[sets.keys[entry] ?? 0] === 1) size += (sets.sizes[entry] ?? 0) + 1;
          }
          counts[set] = (counts[set] ?? 0) + size;
        }
      }
      return { sets: taken <= NOTED_DOCUMENTS ? noted : counts.keys(), counts };
    },
  };
}

export function isIdFacet(field: string): field is IdFacet {
  return (ID_FACETS as readonly string[]).includes(field);
}

const TYPES = [...TAG_TYPES];
/** The types of a segment's tag options by the number of their set, as places in TYPES. */
const typesOfSegments = new WeakMap<Segment, Uint8Array>();

function typesOf(segment: Segment, tagType: (id: number) => TagType | undefined): Uint8Array {
  const known = typesOfSegments.get(segment);
  if (known) return known;
  const types = Uint8Array.from(segment.tagIds, (id) => {
    const type = tagType(id);
    return type ? TYPES.indexOf(type) : TYPES.length;
  });
  typesOfSegments.set(segment, types);
  return types;
}

/** Adds what a tag counter found to the facets, each of which is about the tag options of one type or of all. */
export function addTagCounts(
  counter: ReturnType<TagCounter['finish']>,
  facets: readonly { readonly field: IdFacet; readonly counts: Counts }[],
  options: { readonly segment: Segment; readonly tagType: (id: number) => TagType | undefined },
): void {
  const { segment } = options;
  const types = typesOf(segment, options.tagType);
  const targets = [...TYPES, undefined].map((type) =>
    facets.filter(({ field }) => field === type || field === 'tag_options').map(({ counts }) => counts),
  );
  for (const set of counter.sets) {
    const count = counter.counts[set] ?? 0;
    if (count === 0) continue;
    const id = segment.tagIds[set] ?? 0;
    for (const target of targets[types[set] ?? TYPES.length] ?? []) raise(target, id, count);
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
  if ((TIME_FACETS as readonly string[]).includes(facet.field)) {
    return Array.from(counts, ([key, count]) => ({ key, count }))
      .sort((a, b) => Number(a.key) - Number(b.key))
      .slice(-facet.limit)
      .map(({ key, count }) => ({ key: new Date(Number(key)).toISOString(), count }));
  }
  // Of thousands of players a facet shows thirty: only what reaches the count of the last one is put in order.
  let least = 0;
  if (counts.size > facet.limit) least = Float64Array.from(counts.values()).sort()[counts.size - facet.limit] ?? 0;
  const large: FacetBucket[] = [];
  for (const [key, count] of counts) if (count >= least) large.push({ key, count });
  return large.sort((a, b) => b.count - a.count || (a.key < b.key ? -1 : 1)).slice(0, facet.limit);
}
