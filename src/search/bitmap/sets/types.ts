/**
 * A set of unsigned 32-bit integers (0 to 4,294,967,295); other numbers are not looked for and must not be asked about.
 * A set must not change while it is being iterated.
 */
export type IdSet = {
  readonly size: number;
  /** An estimate of the memory in bytes; a chunk that several sets share counts in each of them. */
  readonly bytes: number;
  has(value: number): boolean;
  /** In ascending order. */
  forEach(visit: (value: number) => void): void;
  /** In ascending order. */
  toArray(): Uint32Array;
  /** In ascending order from the first value that is at least `start`, until `visit` answers false. */
  walk(start: number, visit: (value: number) => boolean): void;
};

/** An `IdSet` that can change. Sets made from one another share memory until one of them changes, which the others never see. */
export type MutableIdSet = IdSet & {
  /** True when the value is new. */
  add(value: number): boolean;
  /** True when the value was there. */
  remove(value: number): boolean;
  /** A set of its own with the same values; takes time and memory by chunks of 65,536 values, not by values. */
  clone(): MutableIdSet;
};
