/**
 * Where the blocks of the grid begin, one after the other. A block that was not laid out yet counts with an estimate, which
 * stays the same while the grid lives: else every block that arrives would move all those above.
 */
export type BlockPositions = {
  readonly count: number;
  readonly fullPx: number;
  topPx(block: number): number;
  heightPx(block: number): number;
  /** The block at a place. */
  blockAt(offsetPx: number): number;
  /** Answers by how much the block has grown; 0 when it has that height already. */
  setHeight(block: number, heightPx: number): number;
};

export function createBlockPositions(count: number, estimatePx: number): BlockPositions {
  const heights = new Float64Array(count).fill(estimatePx);
  const tops = new Float64Array(count + 1);
  /** Tops up to this block are right. */
  let known = 0;

  const fill = (upTo: number): void => {
    for (; known < upTo; known += 1) tops[known + 1] = (tops[known] ?? 0) + (heights[known] ?? 0);
  };
  return {
    count,
    get fullPx() {
      fill(count);
      return tops[count] ?? 0;
    },
    topPx(block) {
      const at = Math.min(count, Math.max(0, block));
      fill(at);
      return tops[at] ?? 0;
    },
    heightPx: (block) => heights[block] ?? 0,
    blockAt(offsetPx) {
      fill(count);
      let low = 0;
      let high = count - 1;
      while (low < high) {
        const middle = (low + high + 1) >> 1;
        if ((tops[middle] ?? 0) <= offsetPx) low = middle;
        else high = middle - 1;
      }
      return Math.max(0, low);
    },
    setHeight(block, heightPx) {
      const grownPx = heightPx - (heights[block] ?? heightPx);
      if (grownPx === 0 || block < 0 || block >= count) return 0;
      heights[block] = heightPx;
      known = Math.min(known, block);
      return grownPx;
    },
  };
}
