import { createKernels, type Kernels, SLOT_WORDS } from '../kernels/kernels.ts';
import { LIST_MAX, type PackedSets } from '../segment/packed-sets.ts';

/** The documents of one chunk that meet a test: none, all of the chunk, a sorted list of their lower 16 bits, or bits. */
export type ChunkValue = {
  kind: 'none' | 'all' | 'list' | 'bits';
  list: Uint16Array;
  from: number;
  to: number;
  bits: Int32Array;
  /** Where the chunk's words begin in `bits`. */
  at: number;
};

const NO_LIST = new Uint16Array(0);
const NO_BITS = new Int32Array(0);

export function newValue(): ChunkValue {
  return { kind: 'none', list: NO_LIST, from: 0, to: 0, bits: NO_BITS, at: 0 };
}

export function setNone(value: ChunkValue): void {
  value.kind = 'none';
}

export function setAll(value: ChunkValue): void {
  value.kind = 'all';
}

export function setList(
  value: ChunkValue,
  list: Uint16Array,
  range: { readonly from: number; readonly to: number },
): void {
  value.kind = range.from === range.to ? 'none' : 'list';
  value.list = list;
  value.from = range.from;
  value.to = range.to;
}

export function setBits(value: ChunkValue, bits: Int32Array, at: number): void {
  value.kind = 'bits';
  value.bits = bits;
  value.at = at;
}

/** Makes the value that of an entry of packed sets; it refers to the segment's memory. `entry` -1 is an empty set. */
export function setEntry(
  value: ChunkValue,
  sets: PackedSets,
  { entry, documents }: { readonly entry: number; readonly documents: number },
): void {
  if (entry < 0) return setNone(value);
  const size = (sets.sizes[entry] ?? 0) + 1;
  const place = sets.places[entry] ?? 0;
  if (size === documents) setAll(value);
  else if (size <= LIST_MAX) setList(value, sets.lists, { from: place, to: place + size });
  else setBits(value, sets.bits, place);
}

/**
 * Memory for one level of the tree. A level owns one block of bits and two lists (one is read while the other is written);
 * what it holds is good until the level is used for the next test or chunk.
 */
export type Level = { readonly slot: number; readonly lists: readonly [Uint16Array, Uint16Array] };

/** Deeper than any filter: groups nest 6 deep, texts add clauses and sets below them. */
const LEVELS = 24;

export type Workspace = {
  readonly kernels: Kernels;
  level(depth: number): Level;
  /** A slot that no level owns, for a second operand. */
  readonly spareSlot: number;
};

export function createWorkspace(): Workspace {
  const kernels = createKernels();
  const levels = Array.from(
    { length: LEVELS },
    (_, at): Level => ({
      slot: at + 1,
      lists: [new Uint16Array(LIST_MAX), new Uint16Array(LIST_MAX)],
    }),
  );
  return {
    kernels,
    spareSlot: 0,
    level(depth) {
      const level = levels[depth];
      if (!level) throw new RangeError(`expected a filter of at most ${LEVELS} levels`);
      return level;
    },
  };
}

/** The slot that holds a value's bits; bits elsewhere are copied to `slot`. */
export function slotOf(kernels: Kernels, value: ChunkValue, slot: number): number {
  if (value.bits === kernels.words) return value.at / SLOT_WORDS;
  kernels.load(slot, value.bits, value.at);
  return slot;
}

/** Puts a value's bits into a level's own slot, to be changed there. */
function ownBits(work: Workspace, value: ChunkValue, slot: number): void {
  const { kernels } = work;
  const found = slotOf(kernels, value, slot);
  if (found !== slot) kernels.copy(slot, found);
  setBits(value, kernels.words, slot * SLOT_WORDS);
}

function isSet(value: ChunkValue, low: number): boolean {
  return (((value.bits[value.at + (low >>> 5)] ?? 0) >>> (low & 31)) & 1) === 1;
}

function lowerBound(list: Uint16Array, wanted: number, { from, to }: { from: number; to: number }): number {
  let low = from;
  let high = to;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((list[middle] ?? 0) < wanted) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The values of list `a` that list `b` has, or with `keep` false those that it lacks; answers how many went to `target`. */
function filterList(
  { kernels }: Workspace,
  a: ChunkValue,
  { b, target, keep }: { readonly b: ChunkValue; readonly target: Uint16Array; readonly keep: boolean },
): number {
  const work = keep ? kernels.intersectLists : kernels.subtractLists;
  return work(a.list, a.from, a.to, b.list, b.from, b.to, target);
}

/** The values of a list whose bits are set in `bits`, or with `keep` false unset; answers how many went to `target`. */
function filterByBits(
  { kernels }: Workspace,
  list: ChunkValue,
  { bits, target, keep }: { readonly bits: ChunkValue; readonly target: Uint16Array; readonly keep: boolean },
): number {
  const work = keep ? kernels.testBits : kernels.testBitsNot;
  return work(bits.bits, bits.at, list.list, list.from, list.to, target);
}

/** The list of a level that `value` does not lie in. */
function otherList(level: Level, value: ChunkValue): Uint16Array {
  return value.list === level.lists[0] ? level.lists[1] : level.lists[0];
}

/** Keeps in `value`, which belongs to `level`, the documents that `other` has. */
export function intersect(
  work: Workspace,
  level: Level,
  { value, other }: { value: ChunkValue; other: ChunkValue },
): void {
  if (value.kind === 'none' || other.kind === 'all') return;
  if (other.kind === 'none') return setNone(value);
  if (value.kind === 'all') return adopt(work, level, { value, other });
  const target = otherList(level, value);
  if (value.kind === 'list') {
    const count =
      other.kind === 'bits'
        ? filterByBits(work, value, { bits: other, target, keep: true })
        : filterList(work, value, { b: other, target, keep: true });
    return setList(value, target, { from: 0, to: count });
  }
  if (other.kind === 'list') {
    const count = filterByBits(work, other, { bits: value, target, keep: true });
    return setList(value, target, { from: 0, to: count });
  }
  ownBits(work, value, level.slot);
  work.kernels.and(level.slot, slotOf(work.kernels, other, work.spareSlot));
}

/** Makes `value` what `other` is, in the level's own memory where `other` lies in that of another level. */
export function adopt(work: Workspace, level: Level, { value, other }: { value: ChunkValue; other: ChunkValue }): void {
  value.kind = other.kind;
  if (other.kind === 'list') {
    setList(value, other.list, other);
    // Lists of segments are longer than a level's.
    if (other.list.length === LIST_MAX) {
      const [target] = level.lists;
      target.set(other.list.subarray(other.from, other.to));
      setList(value, target, { from: 0, to: other.to - other.from });
    }
  } else if (other.kind === 'bits') {
    setBits(value, other.bits, other.at);
    if (other.bits === work.kernels.words) ownBits(work, value, level.slot);
  }
}

/** Takes from `value`, which belongs to `level`, the documents that `other` has. */
export function subtract(
  work: Workspace,
  level: Level,
  { value, other, documents }: { value: ChunkValue; other: ChunkValue; documents: number },
): void {
  if (value.kind === 'none' || other.kind === 'none') return;
  if (other.kind === 'all') return setNone(value);
  const { kernels } = work;
  if (value.kind === 'list') {
    const target = otherList(level, value);
    const count =
      other.kind === 'bits'
        ? filterByBits(work, value, { bits: other, target, keep: false })
        : filterList(work, value, { b: other, target, keep: false });
    return setList(value, target, { from: 0, to: count });
  }
  if (value.kind === 'all') {
    kernels.clear(level.slot);
    kernels.fillRange(level.slot, 0, documents);
    setBits(value, kernels.words, level.slot * SLOT_WORDS);
  } else ownBits(work, value, level.slot);
  if (other.kind === 'bits') kernels.andNot(level.slot, slotOf(kernels, other, work.spareSlot));
  else kernels.clearList(level.slot, other.list, other.from, other.to);
}

/** Collects the documents that any of several values has, in the level's slot. */
export type Union = { add(other: ChunkValue): void; readonly full: boolean; finish(value: ChunkValue): void };

export function createUnion(work: Workspace, level: Level): Union {
  const { kernels } = work;
  const base = level.slot * SLOT_WORDS;
  let full = false;
  let started = false;
  let listed = 0;
  let hasBits = false;
  const only = newValue();
  const put = (other: ChunkValue) => {
    if (other.kind === 'bits') kernels.or(level.slot, slotOf(kernels, other, work.spareSlot));
    else kernels.setList(level.slot, other.list, other.from, other.to);
  };
  return {
    add(other) {
      if (full || other.kind === 'none') return;
      if (other.kind === 'all') {
        full = true;
        return;
      }
      if (other.kind === 'bits') hasBits = true;
      else listed += other.to - other.from;
      if (only.kind === 'none' && !started) {
        adopt(work, level, { value: only, other });
        return;
      }
      if (!started) {
        started = true;
        if (only.kind === 'bits') ownBits(work, only, level.slot);
        else {
          kernels.clear(level.slot);
          put(only);
        }
      }
      put(other);
    },
    get full() {
      return full;
    },
    finish(value) {
      if (full) setAll(value);
      else if (!started) Object.assign(value, only);
      else if (!hasBits && listed <= 512) {
        const [target] = level.lists;
        setList(value, target, { from: 0, to: kernels.toList(level.slot, target) });
      } else setBits(value, kernels.words, base);
    },
  };
}

/** How many documents a value has. */
export function countOf(work: Workspace, value: ChunkValue, documents: number): number {
  switch (value.kind) {
    case 'none':
      return 0;
    case 'all':
      return documents;
    case 'list':
      return value.to - value.from;
    case 'bits':
      return work.kernels.count(slotOf(work.kernels, value, work.spareSlot));
  }
}

/** Whether a value has the document with these lower 16 bits. */
export function hasLow(value: ChunkValue, low: number): boolean {
  if (value.kind === 'list') {
    const at = lowerBound(value.list, low, value);
    return at < value.to && value.list[at] === low;
  }
  return value.kind === 'all' || (value.kind === 'bits' && isSet(value, low));
}

/** Visits the lower 16 bits of a value's documents from `from` up to before `to`, ascending. */
export function visitLows(
  value: ChunkValue,
  { from, to }: { readonly from: number; readonly to: number },
  visit: (low: number) => void,
): void {
  if (value.kind === 'all') for (let low = from; low < to; low += 1) visit(low);
  else if (value.kind === 'list') {
    for (let at = lowerBound(value.list, from, value); at < value.to; at += 1) {
      const low = value.list[at] ?? 0;
      if (low >= to) return;
      visit(low);
    }
  } else if (value.kind === 'bits') {
    const { bits, at } = value;
    const last = (to + 31) >>> 5;
    for (let word = from >>> 5; word < last; word += 1) {
      let left = bits[at + word] ?? 0;
      if (word === from >>> 5) left &= -1 << (from & 31);
      if (word === last - 1 && (to & 31) !== 0) left &= ~(-1 << (to & 31));
      while (left !== 0) {
        const lowest = left & -left;
        visit(word * 32 + 31 - Math.clz32(lowest));
        left ^= lowest;
      }
    }
  }
}

/**
 * Keeps in `value`, which belongs to `level`, the documents that pass; for tests that read values one by one.
 * @param passes asked with the lower 16 bits
 */
export function filterEach(
  work: Workspace,
  level: Level,
  options: { readonly value: ChunkValue; readonly documents: number; readonly passes: (low: number) => boolean },
): void {
  const { value, documents, passes } = options;
  if (value.kind === 'none') return;
  if (value.kind === 'list') {
    const target = otherList(level, value);
    let count = 0;
    for (let index = value.from; index < value.to; index += 1) {
      const low = value.list[index] ?? 0;
      if (passes(low)) {
        target[count] = low;
        count += 1;
      }
    }
    return setList(value, target, { from: 0, to: count });
  }
  // Bits are dropped in the slot after each was looked at, so the value that is visited may be the same memory.
  const { kernels } = work;
  if (value.kind === 'all') {
    kernels.clear(level.slot);
    kernels.fillRange(level.slot, 0, documents);
    setBits(value, kernels.words, level.slot * SLOT_WORDS);
  } else ownBits(work, value, level.slot);
  const { words } = kernels;
  const base = level.slot * SLOT_WORDS;
  for (let word = 0; word < SLOT_WORDS; word += 1) {
    let left = words[base + word] ?? 0;
    if (left === 0) continue;
    let kept = left;
    while (left !== 0) {
      const lowest = left & -left;
      if (!passes(word * 32 + 31 - Math.clz32(lowest))) kept ^= lowest;
      left ^= lowest;
    }
    words[base + word] = kept;
  }
}
