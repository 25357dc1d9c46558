import { TAG_TYPES, type TagType } from '../../../library/index.ts';
import { ID_FACETS, type IdFacet } from '../../engine.ts';
import { CHUNK_DOCUMENTS, CHUNK_WORDS } from '../segment/packed-sets.ts';
import type { Segment } from '../segment/segment.ts';
import { type ChunkValue, newValue, setAll, subtract, type Workspace } from './chunk-value.ts';
import type { Counts } from './counts.ts';
import type { Sink } from './view.ts';

/** Free for sinks: evaluation holds the level above while they run. */
export const SINK_DEPTH = 1;

/** Counts of all tag options in one segment, for every facet of IDs with the same filter. */
export type TagCounter = Sink & {
  /** The tag options' sets that some taken document may have. */
  finish(): { readonly sets: Iterable<number>; readonly counts: Uint32Array };
};

/** Counts by set, and the sets whose count is not 0 as long as all counting was upwards. */
type Tally = { readonly counts: Uint32Array; readonly touched: Uint32Array; touchedCount: number; fetched: number };

/** Raises or lowers the counts of the tag options in a stretch of the forward list. */
function countStretch(
  forward: Uint16Array | Uint32Array,
  { from, to }: { readonly from: number; readonly to: number },
  { tally, step }: { readonly tally: Tally; readonly step: 1 | -1 },
): void {
  const { counts, touched } = tally;
  let { touchedCount } = tally;
  for (let at = from; at < to; at += 1) {
    const set = forward[at] ?? 0;
    const before = counts[set] ?? 0;
    // Sets whose count passes 0 on its way up from below are noted twice at most, and only while nothing reads the notes.
    if (before === 0 && touchedCount < touched.length) {
      touched[touchedCount] = set;
      touchedCount += 1;
    }
    counts[set] = before + step;
  }
  tally.touchedCount = touchedCount;
}

/** Counts the tag options of a value's documents: this is where facets spend their time. */
function countTags(
  segment: Segment,
  value: ChunkValue,
  { tally, base, documents, step }: { readonly tally: Tally; base: number; documents: number; step: 1 | -1 },
): void {
  const { forward, forwardStarts } = segment;
  const options = { tally, step };
  const stretch = (document: number) =>
    countStretch(forward, { from: forwardStarts[document] ?? 0, to: forwardStarts[document + 1] ?? 0 }, options);
  if (value.kind === 'all') {
    const range = { from: forwardStarts[base] ?? 0, to: forwardStarts[base + documents] ?? 0 };
    countStretch(forward, range, options);
  } else if (value.kind === 'list') {
    // Documents of a list lie far apart. Touched in a loop of their own, which has nothing else to wait for, many are fetched
    // from memory at once; the counting loop would wait for one after the other (measured: 1.6 times as long).
    let sum = 0;
    for (let index = value.from; index < value.to; index += 1) {
      sum += forward[forwardStarts[base + (value.list[index] ?? 0)] ?? 0] ?? 0;
    }
    tally.fetched = sum;
    for (let index = value.from; index < value.to; index += 1) stretch(base + (value.list[index] ?? 0));
  } else if (value.kind === 'bits') {
    for (let word = 0; word < CHUNK_WORDS; word += 1) {
      let left = value.bits[value.at + word] ?? 0;
      while (left !== 0) {
        const lowest = left & -left;
        stretch(base + word * 32 + 31 - Math.clz32(lowest));
        left ^= lowest;
      }
    }
  }
}

/**
 * Reads the tag options of each document that is taken; of a chunk that is taken for the larger part, those of the documents
 * that are not, and subtracts them from the sizes of the sets.
 */
export function createTagCounter(work: Workspace, segment: Segment): TagCounter {
  const { sets, tagIds } = segment;
  const tally: Tally = {
    counts: new Uint32Array(tagIds.length),
    touched: new Uint32Array(tagIds.length),
    touchedCount: 0,
    fetched: 0,
  };
  const { counts } = tally;
  const inverted: number[] = [];
  const others = newValue();
  return {
    take({ key, documents }, value, count) {
      const base = key * CHUNK_DOCUMENTS;
      if (count * 2 <= documents) return countTags(segment, value, { tally, base, documents, step: 1 });
      inverted.push(key);
      setAll(others);
      subtract(work, work.level(SINK_DEPTH), { value: others, other: value, documents });
      // A count may pass below 0 on its way: unsigned arithmetic comes back to the true value.
      countTags(segment, others, { tally, base, documents, step: -1 });
    },
    finish() {
      if (inverted.length === 0) return { sets: tally.touched.subarray(0, tally.touchedCount), counts };
      const isInverted = new Uint8Array(CHUNK_DOCUMENTS);
      for (const key of inverted) isInverted[key] = 1;
      const { first, keys, sizes } = sets;
      for (let set = 0; set < tagIds.length; set += 1) {
        const end = first[set + 1] ?? 0;
        let size = 0;
        for (let entry = first[set] ?? 0; entry < end; entry += 1) {
          if (isInverted[keys[entry] ?? 0] === 1) size += (sizes[entry] ?? 0) + 1;
        }
        counts[set] = (counts[set] ?? 0) + size;
      }
      return { sets: counts.keys(), counts };
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
    for (const target of targets[types[set] ?? TYPES.length] ?? []) target.add(id, count);
  }
}
