/** A list so many times longer than the other is searched for each value of the other instead of read through. */
export const SEARCH_RATIO = 32;

/** An ascending list without repeats: values[from] .. values[to - 1]. */
export type ListRange = { readonly values: Uint16Array; readonly from: number; readonly to: number };

/** The place of the first value of `list` from `from` on that is at least `low`, in steps that double (galloping search). */
export function seek(list: ListRange, from: number, low: number): number {
  const { values, to } = list;
  let step = 1;
  let below = from;
  let probe = from;
  while (probe < to && (values[probe] ?? 0) < low) {
    below = probe + 1;
    probe += step;
    step *= 2;
  }
  let above = Math.min(probe, to);
  while (below < above) {
    const middle = (below + above) >>> 1;
    if ((values[middle] ?? 0) < low) below = middle + 1;
    else above = middle;
  }
  return below;
}

/** Writes the values of the short list that the long one has to `target`; answers how many. */
export function intersectBySearch(short: ListRange, long: ListRange, target: Uint16Array): number {
  let kept = 0;
  let place = long.from;
  for (let at = short.from; at < short.to && place < long.to; at += 1) {
    const low = short.values[at] ?? 0;
    place = seek(long, place, low);
    if (place < long.to && long.values[place] === low) {
      target[kept] = low;
      kept += 1;
    }
  }
  return kept;
}

/** Writes the values of the short list that the long one lacks to `target`; answers how many. */
export function subtractBySearch(short: ListRange, long: ListRange, target: Uint16Array): number {
  let kept = 0;
  let place = long.from;
  for (let at = short.from; at < short.to; at += 1) {
    const low = short.values[at] ?? 0;
    place = seek(long, place, low);
    if (place < long.to && long.values[place] === low) continue;
    target[kept] = low;
    kept += 1;
  }
  return kept;
}

/**
 * Reads both lists in step. No branch depends on the data: the sign of a difference is the 0 or 1 by which each place
 * advances.
 */
export function intersectByMerge(a: ListRange, b: ListRange, target: Uint16Array): number {
  const { values: aValues, to: aTo } = a;
  const { values: bValues, to: bTo } = b;
  let [aAt, bAt, kept] = [a.from, b.from, 0];
  while (aAt < aTo && bAt < bTo) {
    const value = aValues[aAt] ?? 0;
    const difference = value - (bValues[bAt] ?? 0);
    target[kept] = value;
    const isAbove = -difference >>> 31;
    const isBelow = difference >>> 31;
    kept += 1 - isAbove - isBelow;
    aAt += 1 - isAbove;
    bAt += 1 - isBelow;
  }
  return kept;
}

export function subtractByMerge(a: ListRange, b: ListRange, target: Uint16Array): number {
  const { values: aValues, to: aTo } = a;
  const { values: bValues, to: bTo } = b;
  let [aAt, bAt, kept] = [a.from, b.from, 0];
  while (aAt < aTo && bAt < bTo) {
    const value = aValues[aAt] ?? 0;
    const difference = value - (bValues[bAt] ?? 0);
    target[kept] = value;
    const isBelow = difference >>> 31;
    kept += isBelow;
    aAt += 1 - (-difference >>> 31);
    bAt += 1 - isBelow;
  }
  for (; aAt < aTo; aAt += 1) {
    target[kept] = aValues[aAt] ?? 0;
    kept += 1;
  }
  return kept;
}
