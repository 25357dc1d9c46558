/**
 * Rows of pictures that fill the width at nearly equal heights, without cropping. Rows are broken so that all of them
 * together are as near to the wished height as can be: the last row of a block is as full as the others, and blocks
 * that were laid out independently of each other follow one another without a gap in the picture.
 */
export type LayoutOptions = {
  readonly widthPx: number;
  /** What a row is aimed at. */
  readonly rowHeightPx: number;
  readonly gapPx: number;
  /** The last row keeps the wished height, and stays open at the right where it would become too high. */
  readonly isLastBlock: boolean;
};

/** Where one picture lies within its block, in whole pixels. */
export type Box = {
  readonly leftPx: number;
  readonly topPx: number;
  readonly widthPx: number;
  readonly heightPx: number;
};
export type LayoutRow = {
  readonly topPx: number;
  readonly heightPx: number;
  /** Indexes of the first picture, and of the one behind the last. */
  readonly start: number;
  readonly end: number;
};
export type BlockLayout = {
  /** With the gap below the last row. */
  readonly heightPx: number;
  readonly boxes: readonly Box[];
  readonly rows: readonly LayoutRow[];
};

/** Panoramas and tall slices are shown cropped: else one would be a row of its own, some pixels high. */
const MIN_RATIO = 0.45;
const MAX_RATIO = 3.2;
/** Rows higher than this, compared with the wished height, count as bad as breaking the worst way. */
const MAX_STRETCH = 1.6;

export function clampRatio(ratio: number): number {
  return Number.isFinite(ratio) && ratio > 0 ? Math.min(MAX_RATIO, Math.max(MIN_RATIO, ratio)) : 1.5;
}

function rowHeight(sumOfRatios: number, count: number, options: LayoutOptions): number {
  return (options.widthPx - options.gapPx * (count - 1)) / sumOfRatios;
}

/** How far a row is from the wished height; heights count by their ratio, so half and double are equally far. */
function costOf(heightPx: number, isOpen: boolean, options: LayoutOptions): number {
  const stretch = heightPx / options.rowHeightPx;
  // The last row of all may be short: it is left open then.
  if (isOpen && stretch > 1) return 0;
  const distance = Math.log(stretch);
  return distance * distance + (stretch > MAX_STRETCH ? 10 : 0);
}

/** The starts of the rows, so that the sum of their costs is the least. */
function breakRows(ratios: readonly number[], options: LayoutOptions): readonly number[] {
  const count = ratios.length;
  const cost = new Float64Array(count + 1).fill(Number.POSITIVE_INFINITY);
  const from = new Int32Array(count + 1);
  cost[0] = 0;
  for (let end = 1; end <= count; end += 1) {
    let sum = 0;
    for (let start = end - 1; start >= 0; start -= 1) {
      sum += ratios[start] ?? 0;
      const height = rowHeight(sum, end - start, options);
      // Less than a third of the wished height: no longer row becomes better.
      if (height < options.rowHeightPx / 3 && end - start > 1) break;
      const total = (cost[start] ?? 0) + costOf(height, options.isLastBlock && end === count, options);
      if (total < (cost[end] ?? 0)) {
        cost[end] = total;
        from[end] = start;
      }
    }
  }
  const starts: number[] = [];
  for (let end = count; end > 0; end = from[end] ?? 0) starts.unshift(from[end] ?? 0);
  return starts;
}

/** Lays pictures of the given ratios (width by height) out in rows. */
export function layoutBlock(given: readonly number[], options: LayoutOptions): BlockLayout {
  const ratios = given.map(clampRatio);
  const starts = breakRows(ratios, options);
  const boxes: Box[] = [];
  const rows: LayoutRow[] = [];
  let topPx = 0;
  starts.forEach((start, index) => {
    const end = starts[index + 1] ?? ratios.length;
    const sum = ratios.slice(start, end).reduce((total, ratio) => total + ratio, 0);
    const full = rowHeight(sum, end - start, options);
    const isOpen = options.isLastBlock && end === ratios.length && full > options.rowHeightPx;
    const heightPx = Math.max(1, Math.round(isOpen ? options.rowHeightPx : full));
    const scale = isOpen ? heightPx : full;
    let ideal = 0;
    for (let at = start; at < end; at += 1) {
      // Edges are rounded, not widths: the row ends at the very edge and gaps keep their width.
      const leftPx = Math.round(ideal + options.gapPx * (at - start));
      ideal += (ratios[at] ?? 1) * scale;
      const rightPx = at === end - 1 && !isOpen ? options.widthPx : Math.round(ideal + options.gapPx * (at - start));
      boxes.push({ leftPx, topPx, widthPx: Math.max(1, rightPx - leftPx), heightPx });
    }
    rows.push({ topPx, heightPx, start, end });
    topPx += heightPx + options.gapPx;
  });
  return { heightPx: topPx, boxes, rows };
}

/** How high a block of pictures will be about, before their ratios are known. */
export function estimateHeightPx(
  count: number,
  options: Omit<LayoutOptions, 'isLastBlock'> & { readonly averageRatio: number },
): number {
  const perRow = Math.max(1, options.widthPx / (options.averageRatio * options.rowHeightPx + options.gapPx));
  return Math.max(1, Math.round((count / perRow) * (options.rowHeightPx + options.gapPx)));
}

/** The picture above or below: in the next row, the one whose middle is nearest. Undefined at the edge of the block. */
export function neighbourInColumn(layout: BlockLayout, index: number, direction: -1 | 1): number | undefined {
  const box = layout.boxes[index];
  const rowIndex = layout.rows.findIndex((row) => index >= row.start && index < row.end);
  const row = layout.rows[rowIndex + direction];
  if (!box || rowIndex < 0 || !row) return undefined;
  return nearestInRow(layout, row, box.leftPx + box.widthPx / 2);
}

/** The picture of a row whose middle is nearest to a place on the page. */
export function nearestInRow(layout: BlockLayout, row: LayoutRow, middlePx: number): number {
  let best = row.start;
  let distance = Number.POSITIVE_INFINITY;
  for (let at = row.start; at < row.end; at += 1) {
    const box = layout.boxes[at];
    if (!box) continue;
    const away = Math.abs(box.leftPx + box.widthPx / 2 - middlePx);
    if (away < distance) [best, distance] = [at, away];
  }
  return best;
}

/** Pictures that a rectangle touches, in the coordinates of the block. */
export function boxesWithin(
  layout: BlockLayout,
  area: { readonly leftPx: number; readonly topPx: number; readonly rightPx: number; readonly bottomPx: number },
): readonly number[] {
  return layout.boxes.flatMap((box, index) =>
    box.leftPx < area.rightPx &&
    box.leftPx + box.widthPx > area.leftPx &&
    box.topPx < area.bottomPx &&
    box.topPx + box.heightPx > area.topPx
      ? [index]
      : [],
  );
}
