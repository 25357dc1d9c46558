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

/**
 * A row holds room for 2^n cells; a full one moves to twice the room. Room that is left behind, by moving or by becoming
 * empty, goes to the next row of that size: it is never split, so lists that come and go use the same room again.
 */
export function createIntLists(): IntLists {
  let cells = new Uint32Array(INITIAL_CELLS);
  let top = 0;
  let starts = new Uint32Array(INITIAL_ROWS);
  let lengths = new Uint32Array(INITIAL_ROWS);
  /** Room of a row, in cells; 0 for a row that has none. */
  let rooms = new Uint32Array(INITIAL_ROWS);
  const free = new Map<number, number[]>();

  const reserveRow = (row: number): void => {
    if (row < lengths.length) return;
    const rows = Math.max(row + 1, Math.ceil(lengths.length * 1.5));
    starts = grown(starts, rows);
    lengths = grown(lengths, rows);
    rooms = grown(rooms, rows);
  };

  const allocate = (room: number): number => {
    const recycled = free.get(room)?.pop();
    if (recycled !== undefined) return recycled;
    const start = top;
    top += room;
    if (top > cells.length) cells = grown(cells, Math.max(top, Math.ceil(cells.length * 1.5)));
    return start;
  };

  const release = (start: number, room: number): void => {
    const list = free.get(room);
    if (list) list.push(start);
    else free.set(room, [start]);
  };

  return {
    push(row, value) {
      reserveRow(row);
      const length = lengths[row] ?? 0;
      const room = rooms[row] ?? 0;
      if (length === room) {
        const start = allocate(Math.max(1, room * 2));
        if (room > 0) {
          const old = starts[row] ?? 0;
          cells.copyWithin(start, old, old + length);
          release(old, room);
        }
        starts[row] = start;
        rooms[row] = Math.max(1, room * 2);
      }
      cells[(starts[row] ?? 0) + length] = value;
      lengths[row] = length + 1;
    },
    remove(row, value) {
      const length = lengths[row] ?? 0;
      const start = starts[row] ?? 0;
      const present = cells.subarray(start, start + length);
      const at = present.indexOf(value);
      if (at < 0) return;
      present[at] = present[length - 1] ?? 0;
      lengths[row] = length - 1;
      if (length > 1) return;
      release(start, rooms[row] ?? 0);
      rooms[row] = 0;
    },
    lengthOf: (row) => lengths[row] ?? 0,
    startOf: (row) => starts[row] ?? 0,
    get cells() {
      return cells;
    },
    get bytes() {
      return cells.byteLength + starts.byteLength + lengths.byteLength + rooms.byteLength;
    },
  };
}

function grown(array: Uint32Array<ArrayBuffer>, length: number): Uint32Array<ArrayBuffer> {
  const larger = new Uint32Array(length);
  larger.set(array);
  return larger;
}
