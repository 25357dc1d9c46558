/** The peer: one bit per document of the whole range, whatever the density. */
export type PlainWords = Uint32Array;

export function plainWords(range: number, values: Uint32Array): PlainWords {
  const words = new Uint32Array(Math.ceil(range / 32));
  for (const value of values) words[value >>> 5] = (words[value >>> 5] ?? 0) | (1 << (value & 31));
  return words;
}

export function plainCount(a: PlainWords, b: PlainWords): number {
  let count = 0;
  for (let at = 0; at < a.length; at += 1) {
    const word = (a[at] ?? 0) & (b[at] ?? 0);
    const pairs = word - ((word >>> 1) & 0x55555555);
    const fours = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333);
    count += Math.imul((fours + (fours >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
  }
  return count;
}

export function plainAnd(a: PlainWords, b: PlainWords): PlainWords {
  const result = new Uint32Array(a.length);
  for (let at = 0; at < a.length; at += 1) result[at] = (a[at] ?? 0) & (b[at] ?? 0);
  return result;
}

export function plainOr(all: readonly PlainWords[]): PlainWords {
  const result = all[0]?.slice() ?? new Uint32Array(0);
  for (const words of all.slice(1)) {
    for (let at = 0; at < result.length; at += 1) result[at] = (result[at] ?? 0) | (words[at] ?? 0);
  }
  return result;
}

export function plainAndNot(a: PlainWords, b: PlainWords): PlainWords {
  const result = new Uint32Array(a.length);
  for (let at = 0; at < a.length; at += 1) result[at] = (a[at] ?? 0) & ~(b[at] ?? 0);
  return result;
}
