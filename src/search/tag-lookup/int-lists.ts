const INITIAL_CELLS = 1024;
const INITIAL_ROWS = 256;

/** Many growing lists of unsigned integers inside one typed array; a list is addressed by its row number. */
export type IntLists = {
  push(row: number, value: number): void;
  /** Takes out one occurrence; the order of the others may change. */
  remove(row: number, value: number): void;
  lengthOf(row: number): number;
  /** Where the row's cells begin in `cells`; valid until the next `push`. */
  startOf(row: number): number;
  readonly cells: Uint32Array;
  readonly bytes: number;
};

/** Rows hold 2^n cells; a full row moves to twice the room and its old cells go to the next row of that size. */
export function createIntLists(): IntLists {
  let cells = new Uint32Array(INITIAL_CELLS);
  let top = 0;
  let starts = new Uint32Array(INITIAL_ROWS);
  let lengths = new Uint32Array(INITIAL_ROWS);
  const free: number[][] = [];

  const reserveRow = (row: number): void => {
    if (row < lengths.length) return;
    const rows = Math.max(row + 1, Math.ceil(lengths.length * 1.5));
    starts = grown(starts, rows);
    lengths = grown(lengths, rows);
  };

  /** The beginning of 2^sizeClass unused cells. */
  const allocate = (sizeClass: number): number => {
    const recycled = free[sizeClass]?.pop();
    if (recycled !== undefined) return recycled;
    const start = top;
    top += 2 ** sizeClass;
    if (top > cells.length) cells = grown(cells, Math.max(top, Math.ceil(cells.length * 1.5)));
    return start;
  };

  const release = (start: number, sizeClass: number): void => {
    (free[sizeClass] ??= []).push(start);
  };

  return {
    push(row, value) {
      reserveRow(row);
      const length = lengths[row] ?? 0;
      // The room is a power of two, so a row is full exactly when its length is one.
      if ((length & (length - 1)) === 0) {
        const oldClass = 31 - Math.clz32(length);
        const start = allocate(length === 0 ? 0 : oldClass + 1);
        if (length > 0) {
          const old = starts[row] ?? 0;
          cells.copyWithin(start, old, old + length);
          release(old, oldClass);
        }
        starts[row] = start;
      }
      cells[(starts[row] ?? 0) + length] = value;
      lengths[row] = length + 1;
    },
    remove(row, value) {
      const length = lengths[row] ?? 0;
      const start = starts[row] ?? 0;
      const end = start + length;
      let at = start;
      while (at < end && cells[at] !== value) at += 1;
      if (at === end) return;
      const left = length - 1;
      cells[at] = cells[start + left] ?? 0;
      lengths[row] = left;
      if (left === 0) release(start, 0);
      else if ((left & (left - 1)) === 0) {
        // Exactly full in half the room: the upper half is given back, so that `push` finds its invariant.
        release(start + left, 31 - Math.clz32(left));
      }
    },
    lengthOf: (row) => lengths[row] ?? 0,
    startOf: (row) => starts[row] ?? 0,
    get cells() {
      return cells;
    },
    get bytes() {
      return cells.byteLength + starts.byteLength + lengths.byteLength;
    },
  };
}

function grown(array: Uint32Array<ArrayBuffer>, length: number): Uint32Array<ArrayBuffer> {
  const larger = new Uint32Array(length);
  larger.set(array);
  return larger;
}
