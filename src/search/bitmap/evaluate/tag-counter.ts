import { TAG_TYPES, type TagType } from '../../../library/index.ts';
import { ID_FACETS, type IdFacet } from '../../engine.ts';
import { CHUNK_DOCUMENTS } from '../segment/packed-sets.ts';
import type { Documents } from '../segment/documents.ts';
import { newValue, setAll, subtract, type Workspace } from './chunk-value.ts';
import type { Counts } from './counts.ts';
import { lowsOf } from './lows.ts';
import type { Sink } from './view.ts';

/** Free for sinks: evaluation holds the level above while they run. */
export const SINK_DEPTH = 1;

/** Documents with the numbers of their sets. */
export type Forward = Pick<Documents, 'sets' | 'forward' | 'forwardStarts'>;

/** Counts of all tag options in one segment, for every facet of IDs with the same filter. */
export type TagCounter = Sink & {
  /** The tag options' sets that some taken document may have. */
  finish(): { readonly sets: Iterable<number>; readonly counts: Uint32Array };
};

/** Documents that are touched before they are counted: what is fetched for them fits into a processor's nearest memory. */
const BLOCK_DOCUMENTS = 256;
/** Of so few documents it is noted which sets they have; of more, looking at the counts of all sets is quicker. */
const NOTED_DOCUMENTS = 4096;

type Tally = {
  readonly counts: Uint32Array;
  /** Sets whose count is not 0, as long as `noting`. */
  readonly noted: Uint32Array;
  notedCount: number;
  noting: boolean;
  /** What was read ahead, kept so that reading it is not left out. */
  fetched: number;
};

/** Raises the counts of a document's sets, and notes those that it raises from 0. */
function countAndNote(segment: Forward, document: number, tally: Tally): void {
  const { forward, forwardStarts } = segment;
  const { counts, noted } = tally;
  let { notedCount } = tally;
  const end = forwardStarts[document + 1] ?? 0;
  for (let at = forwardStarts[document] ?? 0; at < end; at += 1) {
    const set = forward[at] ?? 0;
    const before = counts[set] ?? 0;
    if (before === 0) {
      noted[notedCount] = set;
      notedCount += 1;
    }
    counts[set] = before + 1;
  }
  tally.notedCount = notedCount;
}

/** Changes the counts of the tag options of documents by `step`: this is where facets spend their time. */
function countTags(
  segment: Forward,
  lows: Uint16Array,
  { tally, base, step }: { readonly tally: Tally; readonly base: number; readonly step: 1 | -1 },
): void {
  const { forward, forwardStarts } = segment;
  const { counts, noting } = tally;
  for (let block = 0; block < lows.length; block += BLOCK_DOCUMENTS) {
    const blockEnd = Math.min(lows.length, block + BLOCK_DOCUMENTS);
    // The documents lie far apart. Touched in a loop of their own, which has nothing else to wait for, many are fetched from
    // memory at once; the counting loop would wait for one after the other (measured: 1.6 times as long).
    let sum = 0;
    for (let index = block; index < blockEnd; index += 1) {
      sum += forward[forwardStarts[base + (lows[index] ?? 0)] ?? 0] ?? 0;
    }
    tally.fetched = sum;
    for (let index = block; index < blockEnd; index += 1) {
      const document = base + (lows[index] ?? 0);
      if (noting) {
        countAndNote(segment, document, tally);
        continue;
      }
      const end = forwardStarts[document + 1] ?? 0;
      for (let at = forwardStarts[document] ?? 0; at < end; at += 1) {
        const set = forward[at] ?? 0;
        counts[set] = (counts[set] ?? 0) + step;
      }
    }
  }
}

/**
 * Reads the tag options of each document that is taken; of a chunk that is taken for the larger part, those of the documents
 * that are not, and subtracts them from the sizes of the sets.
 * @param setCount the sets from 0 up to before this are those that documents have the numbers of
 */
export function createTagCounter(work: Workspace, segment: Forward, setCount: number): TagCounter {
  const { sets } = segment;
  const counts = new Uint32Array(setCount);
  const tally: Tally = { counts, noted: new Uint32Array(setCount), notedCount: 0, noting: true, fetched: 0 };
  const inverted: number[] = [];
  const others = newValue();
  let taken = 0;
  return {
    take({ key, documents }, value, count) {
      const base = key * CHUNK_DOCUMENTS;
      taken += count;
      if (taken > NOTED_DOCUMENTS) tally.noting = false;
      if (count * 2 <= documents) {
        countTags(segment, lowsOf(work, value, { count, documents }), { tally, base, step: 1 });
        return;
      }
      tally.noting = false;
      inverted.push(key);
      setAll(others);
      subtract(work, work.level(SINK_DEPTH), { value: others, other: value, documents });
      // A count may pass below 0 on its way: unsigned arithmetic comes back to the true value.
      const lows = lowsOf(work, others, { count: documents - count, documents });
      countTags(segment, lows, { tally, base, step: -1 });
    },
    finish() {
      if (tally.noting) return { sets: tally.noted.subarray(0, tally.notedCount), counts };
      if (inverted.length > 0) {
        const isInverted = new Uint8Array(CHUNK_DOCUMENTS);
        for (const key of inverted) isInverted[key] = 1;
        const { first, keys, sizes } = sets;
        for (let set = 0; set < setCount; set += 1) {
          const end = first[set + 1] ?? 0;
          let size = 0;
          for (let entry = first[set] ?? 0; entry < end; entry += 1) {
            if (isInverted[keys[entry] ?? 0] === 1) size += (sizes[entry] ?? 0) + 1;
          }
          counts[set] = (counts[set] ?? 0) + size;
        }
      }
      return { sets: counts.keys(), counts };
    },
  };
}

export function isIdFacet(field: string): field is IdFacet {
  return (ID_FACETS as readonly string[]).includes(field);
}

export const TAG_OPTION_TYPES = [...TAG_TYPES];
const typesOfSegments = new WeakMap<Documents, Uint8Array>();

/** The types of the documents' tag options by the number of their set, as places in TAG_OPTION_TYPES. */
export function typesOf(segment: Documents, tagType: (id: number) => TagType | undefined): Uint8Array {
  const known = typesOfSegments.get(segment);
  if (known) return known;
  const types = Uint8Array.from(segment.tagIds, (id) => {
    const type = tagType(id);
    return type ? TAG_OPTION_TYPES.indexOf(type) : TAG_OPTION_TYPES.length;
  });
  typesOfSegments.set(segment, types);
  return types;
}

/** Adds what a tag counter found to the facets, each of which is about the tag options of one type or of all. */
export function addTagCounts(
  counter: ReturnType<TagCounter['finish']>,
  facets: readonly { readonly field: IdFacet; readonly counts: Counts }[],
  options: { readonly segment: Documents; readonly tagType: (id: number) => TagType | undefined },
): void {
  const { segment } = options;
  const types = typesOf(segment, options.tagType);
  const targets = [...TAG_OPTION_TYPES, undefined].map((type) =>
    facets.filter(({ field }) => field === type || field === 'tag_options').map(({ counts }) => counts),
  );
  for (const set of counter.sets) {
    const count = counter.counts[set] ?? 0;
    if (count === 0) continue;
    const id = segment.tagIds[set] ?? 0;
    for (const target of targets[types[set] ?? TAG_OPTION_TYPES.length] ?? []) target.add(id, count);
  }
}
