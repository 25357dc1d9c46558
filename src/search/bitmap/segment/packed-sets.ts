import { pagedBytes, pagedShorts, pagedWords } from './paged.ts';
import { newSection, type Section, sectionOf } from './sections.ts';

/** Documents of a chunk; sets are kept chunk by chunk, as in Roaring bitmaps (Lemire et al., 2016). */
export const CHUNK_DOCUMENTS = 65_536;
/** 32-bit words of a chunk's bits. */
export const CHUNK_WORDS = 2048;
/** Up to here a list of 16-bit values is not larger than the bits. */
export const LIST_MAX = 4096;

/** Sets of documents that never change: per set and chunk a list, bits, or only a note that all documents are in it. */
export type PackedSets = {
  readonly count: number;
  /** Entries `first[set]` to `first[set + 1] - 1` are the set's chunks in ascending order. */
  readonly first: Uint32Array;
  readonly keys: Uint16Array;
  /** Documents in the chunk, less one. */
  readonly sizes: Uint16Array;
  /** Where the chunk's list begins in `lists`, or its bits in `bits`. */
  readonly places: Uint32Array;
  readonly lists: Uint16Array;
  readonly bits: Int32Array;
  /** Where the impacts of a chunk's documents begin; only sets of words have them. */
  readonly impactPlaces: Uint32Array | undefined;
  readonly impacts: Uint8Array | undefined;
  /** Beside each impact, the position of the word where it occurs once, or MANY_POSITIONS. */
  readonly positions: Uint8Array | undefined;
};

/** Stands for several positions, or one from here on. */
export const MANY_POSITIONS = 255;

/** The entry of a set's chunk, -1 without one. */
export function entryOf(sets: PackedSets, set: number, key: number): number {
  const { first, keys } = sets;
  let low = first[set] ?? 0;
  let high = first[set + 1] ?? 0;
  const end = high;
  // A set that is everywhere has its chunks at their numbers.
  const guess = low + key;
  if (guess < high && keys[guess] === key) return guess;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((keys[middle] ?? 0) < key) low = middle + 1;
    else high = middle;
  }
  return low < end && keys[low] === key ? low : -1;
}

/** Documents in a set. */
export function sizeOf(sets: PackedSets, set: number): number {
  let size = 0;
  const end = sets.first[set + 1] ?? 0;
  for (let entry = sets.first[set] ?? 0; entry < end; entry += 1) size += (sets.sizes[entry] ?? 0) + 1;
  return size;
}

/** Of a word in a document: its impact, and its position or MANY_POSITIONS. */
export type Occurrence = { readonly impact: number; readonly position: number };

/** Takes the members of all sets chunk by chunk. */
export type PackedSetsBuilder = {
  /** Puts document `low` of the present chunk into a set; documents in ascending order. */
  add(set: number, low: number, occurrence?: Occurrence): void;
  /** Closes the chunk of this number, which has this many documents. */
  endChunk(key: number, documents: number): void;
  /** Answers the sections, their names beginning with `prefix`. */
  finish(setCount: number, prefix: string): Record<string, Section>;
};

function grown<ArrayType extends Uint32Array | Uint16Array | Uint8Array>(
  array: ArrayType,
  make: (length: number) => ArrayType,
): ArrayType {
  const next = make(array.length * 2);
  next.set(array);
  return next;
}

export function createPackedSetsBuilder(options: { readonly withImpacts: boolean }): PackedSetsBuilder {
  const { withImpacts } = options;
  // Members of the present chunk as they come; sorted by set when it ends.
  let memberSets = new Uint32Array(1024);
  let memberLows = new Uint16Array(1024);
  let memberImpacts = new Uint8Array(withImpacts ? 1024 : 0);
  let memberPositions = new Uint8Array(withImpacts ? 1024 : 0);
  let members = 0;
  let counts = new Uint32Array(256);
  let touched: number[] = [];
  // One entry a chunk of a set, in the order of the chunks.
  const entrySets = pagedWords();
  const entryKeys = pagedShorts();
  const entrySizes = pagedShorts();
  const entryPlaces = pagedWords();
  const entryImpacts = pagedWords();
  const lists = pagedShorts();
  const impacts = pagedBytes();
  const positions = pagedBytes();
  const blocks: Int32Array[] = [];

  const grow = () => {
    memberSets = grown(memberSets, (length) => new Uint32Array(length));
    memberLows = grown(memberLows, (length) => new Uint16Array(length));
    if (!withImpacts) return;
    memberImpacts = grown(memberImpacts, (length) => new Uint8Array(length));
    memberPositions = grown(memberPositions, (length) => new Uint8Array(length));
  };

  const place = (lows: Uint16Array, from: number, options: { to: number; documents: number }): number => {
    const { to, documents } = options;
    const size = to - from;
    if (size === documents) return 0;
    if (size <= LIST_MAX) {
      const at = lists.length;
      for (let index = from; index < to; index += 1) lists.push(lows[index] ?? 0);
      return at;
    }
    const block = new Int32Array(CHUNK_WORDS);
    for (let index = from; index < to; index += 1) {
      const low = lows[index] ?? 0;
      block[low >>> 5] = (block[low >>> 5] ?? 0) | (1 << (low & 31));
    }
    return (blocks.push(block) - 1) * CHUNK_WORDS;
  };

  return {
    add(set, low, occurrence) {
      if (members === memberSets.length) grow();
      while (set >= counts.length) counts = grown(counts, (length) => new Uint32Array(length));
      if (counts[set] === 0) touched.push(set);
      counts[set] = (counts[set] ?? 0) + 1;
      memberSets[members] = set;
      memberLows[members] = low;
      if (withImpacts && occurrence) {
        memberImpacts[members] = occurrence.impact;
        memberPositions[members] = occurrence.position;
      }
      members += 1;
    },
    endChunk(key, documents) {
      // Counting sort: sets in any order, documents of each in the order they came.
      const starts = new Map<number, number>();
      let at = 0;
      for (const set of touched) {
        starts.set(set, at);
        const size = counts[set] ?? 0;
        counts[set] = at;
        at += size;
      }
      const lows = new Uint16Array(members);
      const sorted = new Uint8Array(withImpacts ? members : 0);
      const sortedPositions = new Uint8Array(withImpacts ? members : 0);
      for (let member = 0; member < members; member += 1) {
        const set = memberSets[member] ?? 0;
        const target = counts[set] ?? 0;
        counts[set] = target + 1;
        lows[target] = memberLows[member] ?? 0;
        if (!withImpacts) continue;
        sorted[target] = memberImpacts[member] ?? 0;
        sortedPositions[target] = memberPositions[member] ?? 0;
      }
      for (const set of touched) {
        const from = starts.get(set) ?? 0;
        const to = counts[set] ?? 0;
        entrySets.push(set);
        entryKeys.push(key);
        entrySizes.push(to - from - 1);
        entryPlaces.push(place(lows, from, { to, documents }));
        if (withImpacts) {
          entryImpacts.push(impacts.length);
          for (let index = from; index < to; index += 1) {
            impacts.push(sorted[index] ?? 0);
            positions.push(sortedPositions[index] ?? 0);
          }
        }
        counts[set] = 0;
      }
      touched = [];
      members = 0;
    },
    finish(setCount, prefix) {
      const entries = entrySets.length;
      const first = newSection('u32', setCount + 1);
      for (let entry = 0; entry < entries; entry += 1) {
        const set = entrySets.get(entry);
        first[set + 1] = (first[set + 1] ?? 0) + 1;
      }
      for (let set = 0; set < setCount; set += 1) first[set + 1] = (first[set + 1] ?? 0) + (first[set] ?? 0);
      const next = first.slice(0, setCount);
      const keys = newSection('u16', entries);
      const sizes = newSection('u16', entries);
      const places = newSection('u32', entries);
      const impactPlaces = newSection('u32', withImpacts ? entries : 0);
      for (let entry = 0; entry < entries; entry += 1) {
        const set = entrySets.get(entry);
        const target = next[set] ?? 0;
        next[set] = target + 1;
        keys[target] = entryKeys.get(entry);
        sizes[target] = entrySizes.get(entry);
        places[target] = entryPlaces.get(entry);
        if (withImpacts) impactPlaces[target] = entryImpacts.get(entry);
      }
      const bits = newSection('i32', blocks.length * CHUNK_WORDS);
      for (const [at, block] of blocks.entries()) bits.set(block, at * CHUNK_WORDS);
      blocks.length = 0;
      return {
        [`${prefix}_first`]: first,
        [`${prefix}_keys`]: keys,
        [`${prefix}_sizes`]: sizes,
        [`${prefix}_places`]: places,
        [`${prefix}_lists`]: lists.moveTo(newSection('u16', lists.length)),
        [`${prefix}_bits`]: bits,
        ...(withImpacts && {
          [`${prefix}_impact_places`]: impactPlaces,
          [`${prefix}_impacts`]: impacts.moveTo(newSection('u8', impacts.length)),
          [`${prefix}_positions`]: positions.moveTo(newSection('u8', positions.length)),
        }),
      };
    },
  };
}

/** Reads the sections that a builder answered. */
export function openPackedSets(sections: Readonly<Record<string, Section>>, prefix: string): PackedSets {
  const first = sectionOf(sections, `${prefix}_first`, 'u32');
  const withImpacts = `${prefix}_impacts` in sections;
  return {
    count: first.length - 1,
    first,
    keys: sectionOf(sections, `${prefix}_keys`, 'u16'),
    sizes: sectionOf(sections, `${prefix}_sizes`, 'u16'),
    places: sectionOf(sections, `${prefix}_places`, 'u32'),
    lists: sectionOf(sections, `${prefix}_lists`, 'u16'),
    bits: sectionOf(sections, `${prefix}_bits`, 'i32'),
    impactPlaces: withImpacts ? sectionOf(sections, `${prefix}_impact_places`, 'u32') : undefined,
    impacts: withImpacts ? sectionOf(sections, `${prefix}_impacts`, 'u8') : undefined,
    positions: withImpacts ? sectionOf(sections, `${prefix}_positions`, 'u8') : undefined,
  };
}
