import type { Paged } from './paged.ts';
import { newSection, type Section } from './sections.ts';

/** Numbers for keys in the order they first come. */
export type Numbering<Key> = { of(key: Key): number; readonly keys: readonly Key[] };

export function createNumbering<Key>(): Numbering<Key> {
  const numbers = new Map<Key, number>();
  const keys: Key[] = [];
  return {
    of(key) {
      const known = numbers.get(key);
      if (known !== undefined) return known;
      numbers.set(key, keys.length);
      return keys.push(key) - 1;
    },
    keys,
  };
}

/** Where each number goes when its keys are put in ascending order, and the keys in that order. */
export function ranked<Key>(
  keys: readonly Key[],
  compare: (a: Key, b: Key) => number,
): { ranks: Uint32Array; sorted: Key[] } {
  const order = keys.map((_, at) => at).sort((a, b) => compare(keys[a] as Key, keys[b] as Key));
  const ranks = new Uint32Array(keys.length);
  for (const [rank, at] of order.entries()) ranks[at] = rank;
  return { ranks, sorted: order.map((at) => keys[at] as Key) };
}

/** Lists of numbers by row: where each begins, and all of them in a row. */
export type Lists = { readonly starts: Paged<Uint32Array>; readonly items: Paged<Uint32Array> };

/** UTF-8 bytes of texts, as sections. */
export function textSections(name: string, texts: readonly Uint8Array[]): Record<string, Section> {
  const starts = newSection('u32', texts.length + 1);
  let length = 0;
  for (const [at, text] of texts.entries()) {
    length += text.length;
    starts[at + 1] = length;
  }
  const bytes = newSection('u8', length);
  for (const [at, text] of texts.entries()) bytes.set(text, starts[at] ?? 0);
  return { [`${name}_starts`]: starts, [`${name}_bytes`]: bytes };
}
