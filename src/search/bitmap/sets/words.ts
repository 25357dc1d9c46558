/**
 * One chunk as bits: value v is bit v % 32 of word floor(v / 32). Every function here takes exactly this many words.
 * Signed ones: V8 works on bits as signed integers, and reads unsigned words half as fast.
 */
export const CHUNK_WORDS = 2048;

/** SWAR count of one word; `| 0` after each sum lets V8 stay with 32-bit integers. */
function popcount(word: number): number {
  const pairs = (word - ((word >>> 1) & 0x55555555)) | 0;
  const fours = ((pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333)) | 0;
  return Math.imul(((fours + (fours >>> 4)) | 0) & 0x0f0f0f0f, 0x01010101) >>> 24;
}

/** The upper bit of the sum of three bits, in all 32 columns at once; the lower bit is `a ^ b ^ c`. */
function carry(a: number, b: number, c: number): number {
  return (a & b) | ((a ^ b) & c);
}

/**
 * How many bits are set in both. Harley and Seal's carry-save adder (Warren, Hacker's Delight, 5-1): eight words are
 * added column by column, so that the SWAR count runs once per eight words.
 */
export function countCommonBits(a: Int32Array, b: Int32Array): number {
  let ones = 0;
  let twos = 0;
  let fours = 0;
  let eights = 0;
  for (let at = 0; at < CHUNK_WORDS; at += 8) {
    const w0 = (a[at] ?? 0) & (b[at] ?? 0);
    const w1 = (a[at + 1] ?? 0) & (b[at + 1] ?? 0);
    const w2 = (a[at + 2] ?? 0) & (b[at + 2] ?? 0);
    const w3 = (a[at + 3] ?? 0) & (b[at + 3] ?? 0);
    const twosA = carry(ones, w0, w1);
    ones ^= w0 ^ w1;
    const twosB = carry(ones, w2, w3);
    ones ^= w2 ^ w3;
    const foursA = carry(twos, twosA, twosB);
    twos ^= twosA ^ twosB;
    const w4 = (a[at + 4] ?? 0) & (b[at + 4] ?? 0);
    const w5 = (a[at + 5] ?? 0) & (b[at + 5] ?? 0);
    const w6 = (a[at + 6] ?? 0) & (b[at + 6] ?? 0);
    const w7 = (a[at + 7] ?? 0) & (b[at + 7] ?? 0);
    const twosC = carry(ones, w4, w5);
    ones ^= w4 ^ w5;
    const twosD = carry(ones, w6, w7);
    ones ^= w6 ^ w7;
    const foursB = carry(twos, twosC, twosD);
    twos ^= twosC ^ twosD;
    eights = (eights + popcount(carry(fours, foursA, foursB))) | 0;
    fours ^= foursA ^ foursB;
  }
  return 8 * eights + 4 * popcount(fours) + 2 * popcount(twos) + popcount(ones);
}

export function countBits(words: Int32Array): number {
  return countCommonBits(words, words);
}

export function haveCommonBit(a: Int32Array, b: Int32Array): boolean {
  for (let at = 0; at < CHUNK_WORDS; at += 1) if (((a[at] ?? 0) & (b[at] ?? 0)) !== 0) return true;
  return false;
}

/** Four words a turn, here and below: half the time of one. `target` may be `a` or `b`. */
export function andWords(target: Int32Array, a: Int32Array, b: Int32Array): void {
  for (let at = 0; at < CHUNK_WORDS; at += 4) {
    target[at] = (a[at] ?? 0) & (b[at] ?? 0);
    target[at + 1] = (a[at + 1] ?? 0) & (b[at + 1] ?? 0);
    target[at + 2] = (a[at + 2] ?? 0) & (b[at + 2] ?? 0);
    target[at + 3] = (a[at + 3] ?? 0) & (b[at + 3] ?? 0);
  }
}

export function andNotWords(target: Int32Array, a: Int32Array, b: Int32Array): void {
  for (let at = 0; at < CHUNK_WORDS; at += 4) {
    target[at] = (a[at] ?? 0) & ~(b[at] ?? 0);
    target[at + 1] = (a[at + 1] ?? 0) & ~(b[at + 1] ?? 0);
    target[at + 2] = (a[at + 2] ?? 0) & ~(b[at + 2] ?? 0);
    target[at + 3] = (a[at + 3] ?? 0) & ~(b[at + 3] ?? 0);
  }
}

/** Adds the bits of two to `target`: in one pass, since the writing is what takes the time. */
export function addWords(target: Int32Array, a: Int32Array, b: Int32Array): void {
  for (let at = 0; at < CHUNK_WORDS; at += 4) {
    target[at] = (target[at] ?? 0) | (a[at] ?? 0) | (b[at] ?? 0);
    target[at + 1] = (target[at + 1] ?? 0) | (a[at + 1] ?? 0) | (b[at + 1] ?? 0);
    target[at + 2] = (target[at + 2] ?? 0) | (a[at + 2] ?? 0) | (b[at + 2] ?? 0);
    target[at + 3] = (target[at + 3] ?? 0) | (a[at + 3] ?? 0) | (b[at + 3] ?? 0);
  }
}

function setBit(words: Int32Array, value: number): void {
  words[value >>> 5] = (words[value >>> 5] ?? 0) | (1 << (value & 31));
}

/**
 * Sorted neighbours fall into the same word, whose reading has to wait for its writing: four places of the list advance
 * side by side, in a quarter less time.
 */
export function setBits(words: Int32Array, values: Uint16Array, count: number): void {
  const quarter = count >>> 2;
  for (let at = 0; at < quarter; at += 1) {
    setBit(words, values[at] ?? 0);
    setBit(words, values[at + quarter] ?? 0);
    setBit(words, values[at + 2 * quarter] ?? 0);
    setBit(words, values[at + 3 * quarter] ?? 0);
  }
  for (let at = 4 * quarter; at < count; at += 1) setBit(words, values[at] ?? 0);
}

export function clearBits(words: Int32Array, values: Uint16Array, count: number): void {
  for (let at = 0; at < count; at += 1) {
    const value = values[at] ?? 0;
    words[value >>> 5] = (words[value >>> 5] ?? 0) & ~(1 << (value & 31));
  }
}

/** Writes `base` plus the place of every set bit, ascending, from `target[at]` on; answers the place after the last. */
export function listBits(
  words: Int32Array,
  to: { readonly target: Uint16Array | Uint32Array; readonly at: number; readonly base: number },
): number {
  const { target } = to;
  let at = to.at;
  for (let index = 0; index < CHUNK_WORDS; index += 1) {
    let word = words[index] ?? 0;
    const base = to.base + index * 32;
    while (word !== 0) {
      const lowest = word & -word;
      target[at] = base + 31 - Math.clz32(lowest);
      at += 1;
      word ^= lowest;
    }
  }
  return at;
}
