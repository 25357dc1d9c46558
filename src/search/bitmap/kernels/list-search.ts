/** A list so many times longer than the other is searched for each value of the other instead of read through. */
export const SEARCH_RATIO = 32;

/** An ascending list without repeats: values[from] .. values[to - 1]. */
export type ListRange = { readonly values: Uint16Array; readonly from: number; readonly to: number };

/** The place of the first value of `list` from `from` on that is at least `low`, in steps that double (galloping search). */
function seek(list: ListRange, from: number, low: number): number {
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

export function countBySearch(short: ListRange, long: ListRange): number {
  let count = 0;
  let place = long.from;
  for (let at = short.from; at < short.to && place < long.to; at += 1) {
    const low = short.values[at] ?? 0;
    place = seek(long, place, low);
    if (place < long.to && long.values[place] === low) count += 1;
  }
  return count;
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
