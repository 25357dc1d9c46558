/** Negative when slot `a` comes before slot `b`; never 0 for two different slots. */
export type SlotOrder = (a: number, b: number) => number;

/** Pages that end before this are kept in a heap while the slots are read once; later ones need quickselect. */
const HEAP_MAX = 256;

/**
 * The slots at `from` (inclusive) up to `to` (exclusive) of what a full sort of the first `count` slots would give, in
 * order: linear in `count`, whatever the offset. Reorders `slots`.
 */
export function selectPage(
  slots: Uint32Array,
  options: { readonly count: number; readonly from: number; readonly to: number; readonly order: SlotOrder },
): number[] {
  const to = Math.min(options.to, options.count);
  if (options.from >= to) return [];
  const { order } = options;
  if (to <= HEAP_MAX) {
    const best = smallest(slots, { count: options.count, size: to, order });
    return [...best.sort(order).subarray(options.from)];
  }
  if (options.from > 0) partition(slots, { low: 0, high: options.count - 1, nth: options.from, order });
  if (to < options.count) partition(slots, { low: options.from, high: options.count - 1, nth: to - 1, order });
  return [...slots.subarray(options.from, to)].sort(order);
}

/** The `size` first slots in no order. The root of the heap is the worst one kept: most slots fail against it alone. */
function smallest(
  slots: Uint32Array,
  options: { readonly count: number; readonly size: number; readonly order: SlotOrder },
): Uint32Array {
  const { count, size, order } = options;
  const heap = slots.slice(0, size);
  const sink = (from: number): void => {
    const slot = heap[from] ?? 0;
    let at = from;
    for (let child = 2 * at + 1; child < size; child = 2 * at + 1) {
      if (child + 1 < size && order(heap[child] ?? 0, heap[child + 1] ?? 0) < 0) child += 1;
      if (order(slot, heap[child] ?? 0) >= 0) break;
      heap[at] = heap[child] ?? 0;
      at = child;
    }
    heap[at] = slot;
  };
  for (let at = (size >>> 1) - 1; at >= 0; at -= 1) sink(at);
  for (let at = size; at < count; at += 1) {
    const slot = slots[at] ?? 0;
    if (order(slot, heap[0] ?? 0) >= 0) continue;
    heap[0] = slot;
    sink(0);
  }
  return heap;
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
