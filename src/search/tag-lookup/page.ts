/** Negative when slot `a` comes before slot `b`; never 0 for two different slots. */
export type SlotOrder = (a: number, b: number) => number;

/**
 * The slots at `from` (inclusive) up to `to` (exclusive) of what a full sort of the first `count` slots would give, in
 * order. Quickselect at both ends, then a sort of the page: linear in `count`, whatever the offset. Reorders `slots`.
 */
export function selectPage(
  slots: Uint32Array,
  options: { readonly count: number; readonly from: number; readonly to: number; readonly order: SlotOrder },
): number[] {
  const to = Math.min(options.to, options.count);
  if (options.from >= to) return [];
  const { order } = options;
  if (options.from > 0) partition(slots, { low: 0, high: options.count - 1, nth: options.from, order });
  if (to < options.count) partition(slots, { low: options.from, high: options.count - 1, nth: to - 1, order });
  return [...slots.subarray(options.from, to)].sort(order);
}

type Span = { readonly low: number; readonly high: number; readonly nth: number; readonly order: SlotOrder };

/** Puts the nth slot into its sorted place, smaller ones before it and larger ones behind. */
function partition(slots: Uint32Array, span: Span): void {
  const { nth, order } = span;
  let { low, high } = span;
  while (low < high) {
    const pivot = medianOfThree(slots, { low, high, order });
    let left = low;
    let right = high;
    while (left <= right) {
      while (order(slots[left] ?? 0, pivot) < 0) left += 1;
      while (order(slots[right] ?? 0, pivot) > 0) right -= 1;
      if (left <= right) {
        const kept = slots[left] ?? 0;
        slots[left] = slots[right] ?? 0;
        slots[right] = kept;
        left += 1;
        right -= 1;
      }
    }
    if (nth <= right) high = right;
    else if (nth >= left) low = left;
    else return;
  }
}

function medianOfThree(
  slots: Uint32Array,
  span: { readonly low: number; readonly high: number; readonly order: SlotOrder },
): number {
  const { order } = span;
  const a = slots[span.low] ?? 0;
  const b = slots[(span.low + span.high) >>> 1] ?? 0;
  const c = slots[span.high] ?? 0;
  if (order(a, b) < 0) {
    if (order(b, c) < 0) return b;
    return order(a, c) < 0 ? c : a;
  }
  if (order(a, c) < 0) return a;
  return order(b, c) < 0 ? c : b;
}
