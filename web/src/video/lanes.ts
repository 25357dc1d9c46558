/** What lies beside what on the timeline. */
export type Block = { readonly id: number; readonly startMs: number; readonly endMs: number; readonly row: string };
export type PlacedBlock<B extends Block> = { readonly block: B; readonly lane: number };
export type Row<B extends Block> = {
  readonly key: string;
  readonly lanes: number;
  readonly blocks: readonly PlacedBlock<B>[];
};

/**
 * One row for each `row` of the blocks, in the order of first appearance; inside a row, blocks that overlap lie in lanes, each in the
 * first that is free. A moment is given the room of `minMs`, so that it can be seen and taken hold of.
 */
export function packRows<B extends Block>(blocks: readonly B[], minMs: number): readonly Row<B>[] {
  const rows = new Map<string, { ends: number[]; blocks: PlacedBlock<B>[] }>();
  for (const block of blocks.toSorted((a, b) => a.startMs - b.startMs || a.id - b.id)) {
    const row = rows.get(block.row) ?? { ends: [], blocks: [] };
    rows.set(block.row, row);
    const free = row.ends.findIndex((end) => end <= block.startMs);
    const lane = free === -1 ? row.ends.length : free;
    row.ends[lane] = Math.max(block.endMs, block.startMs + minMs);
    row.blocks.push({ block, lane });
  }
  return [...rows].map(([key, row]) => ({ key, lanes: row.ends.length, blocks: row.blocks }));
}

/** Where a block ends up when it, or one of its ends, is dragged by some ms: within the video, never shorter than `minMs`. */
export function draggedRange(
  block: { readonly startMs: number; readonly endMs: number },
  drag: {
    readonly part: 'whole' | 'start' | 'end';
    readonly byMs: number;
    readonly durationMs: number;
    readonly minMs: number;
  },
): { readonly startMs: number; readonly endMs: number } {
  const { startMs, endMs } = block;
  const { byMs, durationMs, minMs } = drag;
  if (drag.part === 'start') return { startMs: Math.max(0, Math.min(endMs - minMs, startMs + byMs)), endMs };
  if (drag.part === 'end') return { startMs, endMs: Math.min(durationMs, Math.max(startMs + minMs, endMs + byMs)) };
  const by = Math.max(-startMs, Math.min(durationMs - endMs, byMs));
  return { startMs: startMs + by, endMs: endMs + by };
}
