import { seek } from '../kernels/list-search.ts';
import { LIST_MAX, type PackedSets } from '../segment/packed-sets.ts';

function bitsIn(word: number): number {
  let bits = word - ((word >>> 1) & 0x5555_5555);
  bits = (bits & 0x3333_3333) + ((bits >>> 2) & 0x3333_3333);
  return Math.imul((bits + (bits >>> 4)) & 0x0f0f_0f0f, 0x0101_0101) >>> 24;
}

/**
 * Visits those of `lows` that an entry of sets has, with their place in `lows` and their rank among the entry's documents.
 */
export function visitRanks(
  sets: PackedSets,
  { entry, documents, lows }: { readonly entry: number; readonly documents: number; readonly lows: Uint16Array },
  visit: (at: number, rank: number) => void,
): void {
  const size = (sets.sizes[entry] ?? 0) + 1;
  const place = sets.places[entry] ?? 0;
  if (size === documents) {
    for (let at = 0; at < lows.length; at += 1) visit(at, lows[at] ?? 0);
  } else if (size <= LIST_MAX) {
    const list = { values: sets.lists, from: place, to: place + size };
    let from = place;
    for (let at = 0; at < lows.length && from < list.to; at += 1) {
      const low = lows[at] ?? 0;
      from = seek(list, from, low);
      if (from < list.to && list.values[from] === low) visit(at, from - place);
    }
  } else {
    const { bits } = sets;
    let word = 0;
    let before = 0;
    for (let at = 0; at < lows.length; at += 1) {
      const low = lows[at] ?? 0;
      for (; word < low >>> 5; word += 1) before += bitsIn(bits[place + word] ?? 0);
      const present = bits[place + word] ?? 0;
      if (((present >>> (low & 31)) & 1) === 0) continue;
      visit(at, before + bitsIn(present & ~(-1 << (low & 31))));
    }
  }
}
