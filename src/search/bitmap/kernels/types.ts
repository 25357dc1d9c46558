/** The functions of kernels.wat that stand in the interface as they are. */
export type BlockKernels = {
  /** dst becomes dst AND src. */
  readonly and: (dst: number, src: number) => void;
  /** dst becomes dst OR src. */
  readonly or: (dst: number, src: number) => void;
  /** dst becomes dst AND NOT src. */
  readonly andNot: (dst: number, src: number) => void;
  /** The slot becomes its complement within the 65,536 values. */
  readonly not: (slot: number) => void;
  /** dst becomes src. */
  readonly copy: (dst: number, src: number) => void;
  /** Takes all values out of the slot. */
  readonly clear: (slot: number) => void;
  /** Puts all 65,536 values into the slot. */
  readonly fill: (slot: number) => void;
  /** How many values the slot has: 0 to 65,536. */
  readonly count: (slot: number) => number;
  /** How many values both have, without a result. */
  readonly andCount: (a: number, b: number) => number;
  /** How many values `a` has and `b` lacks, without a result. */
  readonly andNotCount: (a: number, b: number) => number;
  /** 1 when the slot has no value, else 0. Stops at the first value. */
  readonly isEmpty: (slot: number) => 0 | 1;
  /** Adds the values from .. to - 1; both 0 to 65,536, nothing happens when from >= to. */
  readonly fillRange: (slot: number, from: number, to: number) => void;
  /** How many of the values from .. to - 1 the slot has; both 0 to 65,536, 0 when from >= to. */
  readonly countRange: (slot: number, from: number, to: number) => number;
};

/** Kernels of kernels.wat that take addresses in the instance's memory. */
export type RawKernels = BlockKernels & {
  readonly setList: (slot: number, list: number, listEnd: number) => void;
  /** Keeps values whose bit is set, with `flip` 1 those whose bit is not; answers how many. */
  readonly testList: (slot: number, list: number, listEnd: number, flip: 0 | 1, out: number) => number;
  /** Writes from address `out` on; answers how many values. */
  readonly toList: (slot: number, out: number) => number;
  /** Lists by the address of the first value and the one behind the last; writes from address `out` on; answers how many. */
  readonly intersectLists: (a: number, aEnd: number, b: number, bEnd: number, out: number) => number;
  readonly subtractLists: (a: number, aEnd: number, b: number, bEnd: number, out: number) => number;
};

/** Lists are ascending, without repeats, at most 65,536 long; a range is list[from] .. list[to - 1]. */
export type ListKernels = {
  /** Adds the values to the slot. */
  readonly setList: (slot: number, list: Uint16Array, from: number, to: number) => void;
  /** Takes the values out of the slot. */
  readonly clearList: (slot: number, list: Uint16Array, from: number, to: number) => void;
  /**
   * Writes the values that the slot has from target[0] on; answers how many. `target` has room for to - from values,
   * all of which may be overwritten; it may be `list` itself.
   */
  readonly testList: (slot: number, list: Uint16Array, from: number, to: number, target: Uint16Array) => number;
  /** As testList, the values that the slot lacks. */
  readonly testListNot: (slot: number, list: Uint16Array, from: number, to: number, target: Uint16Array) => number;
  /** How many of the values the slot has. */
  readonly testListCount: (slot: number, list: Uint16Array, from: number, to: number) => number;
  /**
   * As testList, for bits that are not in a slot: bits[at] .. bits[at + SLOT_WORDS - 1]. Less work than `load` and testList
   * up to some 500 values.
   */
  readonly testBits: (
    bits: Int32Array,
    at: number,
    list: Uint16Array,
    from: number,
    to: number,
    target: Uint16Array,
  ) => number;
  /** As testBits, the values that the bits lack. */
  readonly testBitsNot: (
    bits: Int32Array,
    at: number,
    list: Uint16Array,
    from: number,
    to: number,
    target: Uint16Array,
  ) => number;
  /** How many of the values the bits have. */
  readonly testBitsCount: (bits: Int32Array, at: number, list: Uint16Array, from: number, to: number) => number;
  /** Writes the slot's values, ascending, from target[0] on; answers how many. `target` has room for all of them. */
  readonly toList: (slot: number, target: Uint16Array) => number;
  /** Writes what both have from target[0] on; answers how many. `target` has room for the shorter list and is neither. */
  readonly intersectLists: (
    a: Uint16Array,
    aFrom: number,
    aTo: number,
    b: Uint16Array,
    bFrom: number,
    bTo: number,
    target: Uint16Array,
  ) => number;
  /** Writes what `a` has and `b` lacks from target[0] on; answers how many. `target` has room for all of `a`, and is neither. */
  readonly subtractLists: (
    a: Uint16Array,
    aFrom: number,
    aTo: number,
    b: Uint16Array,
    bFrom: number,
    bTo: number,
    target: Uint16Array,
  ) => number;
  /** How many values both have. */
  readonly intersectListsCount: (
    a: Uint16Array,
    aFrom: number,
    aTo: number,
    b: Uint16Array,
    bFrom: number,
    bTo: number,
  ) => number;
};

/**
 * One instance with a memory of its own (960 KiB), for one thread. Slots are 0 to SLOTS - 1, which is not checked. The
 * functions need no `this`. Arguments stand in a row because a call takes tens of nanoseconds.
 */
export type Kernels = BlockKernels &
  ListKernels & {
    /** All slots, SLOT_WORDS words each; slot s from s * SLOT_WORDS on. */
    readonly words: Int32Array;
    /** The same as bytes. */
    readonly bytes: Uint8Array;
    /**
     * Fills the slot with bits[at] .. bits[at + SLOT_WORDS - 1]. From shared memory five times as fast as
     * `words.set(bits.subarray(...), ...)`; nobody may write to `bits` meanwhile.
     */
    readonly load: (slot: number, bits: Int32Array, at: number) => void;
  };
