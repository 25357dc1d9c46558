import type { WeightTensor } from './face-weights.ts';

/** The network was trained at this side; its anchors are given as fractions of it. */
const TRAINED_SIDE_PX = 512;
/** Cells a side of the six predictor grids at the trained side, finest first, and the anchors of each cell. */
const GRID_CELLS = [32, 16, 8, 4, 2, 1];
const ANCHORS_PER_CELL = [3, 6, 6, 6, 6, 6];
/** The finest grid has one cell for 16 x 16 pixels. */
const FINEST_CELL_PX = 16;

/** Anchors of one input size: centre y, centre x, height and width in pixels, in the order of the model's outputs. */
export type FaceAnchors = { forSize(size: { readonly width: number; readonly height: number }): Float32Array };

/**
 * Anchors for any input size: the trained ones keep their size in pixels and are laid over a grid that follows the image. The
 * weights hold them (`Output/extra_dim`) as y1, x1, y2, x2 for 512 x 512.
 */
export function createFaceAnchors(trained: WeightTensor): FaceAnchors {
  const templates = anchorTemplates(trained.data);
  return {
    forSize({ width, height }) {
      const anchors: number[] = [];
      let columns = Math.ceil(width / FINEST_CELL_PX);
      let rows = Math.ceil(height / FINEST_CELL_PX);
      templates.forEach((sizes, level) => {
        const cellPx = TRAINED_SIDE_PX / (GRID_CELLS[level] ?? 1);
        for (let row = 0; row < rows; row += 1) {
          for (let column = 0; column < columns; column += 1) {
            for (const size of sizes) {
              anchors.push((row + 0.5) * cellPx, (column + 0.5) * cellPx, size.height, size.width);
            }
          }
        }
        columns = Math.ceil(columns / 2);
        rows = Math.ceil(rows / 2);
      });
      return Float32Array.from(anchors);
    },
  };
}

type AnchorSize = { readonly height: number; readonly width: number };

/** The sizes at the first cell of each grid; every other cell repeats them. */
function anchorTemplates(trained: Float32Array): AnchorSize[][] {
  let first = 0;
  return GRID_CELLS.map((cells, level) => {
    const perCell = ANCHORS_PER_CELL[level] ?? 0;
    const sizes = Array.from({ length: perCell }, (_, index) => {
      const at = (first + index) * 4;
      const [top = 0, left = 0, bottom = 0, right = 0] = trained.subarray(at, at + 4);
      return { height: (bottom - top) * TRAINED_SIDE_PX, width: (right - left) * TRAINED_SIDE_PX };
    });
    first += cells * cells * perCell;
    return sizes;
  });
}
