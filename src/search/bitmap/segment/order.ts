/**
 * Puts documents in ascending order of whole numbers from 0 up to 2^48, by three counting sorts of 16 bits each; documents
 * of the same number keep the order they have. `order` is changed in place.
 */
export function sortByNumber(order: Uint32Array, valueOf: (document: number) => number): void {
  if (isAscending(order, valueOf)) return;
  let from: Uint32Array = order;
  let to: Uint32Array = new Uint32Array(order.length);
  for (const divisor of [1, 2 ** 16, 2 ** 32]) {
    const digit = (document: number): number => Math.floor(valueOf(document) / divisor) % 65_536;
    const starts = new Uint32Array(65_537);
    for (const document of from) {
      const place = digit(document) + 1;
      starts[place] = (starts[place] ?? 0) + 1;
    }
    for (let place = 1; place < starts.length; place += 1)
      starts[place] = (starts[place] ?? 0) + (starts[place - 1] ?? 0);
    for (const document of from) {
      const place = digit(document);
      const target = starts[place] ?? 0;
      starts[place] = target + 1;
      to[target] = document;
    }
    [from, to] = [to, from];
  }
  if (from !== order) order.set(from);
}

function isAscending(order: Uint32Array, valueOf: (document: number) => number): boolean {
  let previous = Number.NEGATIVE_INFINITY;
  for (const document of order) {
    const value = valueOf(document);
    if (value < previous) return false;
    previous = value;
  }
  return true;
}

/** Texts by number as UTF-8, one after the other. */
export type TextTable = { readonly starts: Uint32Array; readonly bytes: Buffer };

export function compareTexts(a: { table: TextTable; at: number }, b: { table: TextTable; at: number }): number {
  return a.table.bytes.compare(
    b.table.bytes,
    b.table.starts[b.at],
    b.table.starts[b.at + 1],
    a.table.starts[a.at],
    a.table.starts[a.at + 1],
  );
}

/** Six bytes of a text from `skip` on as a number of 48 bits, in the order of the bytes; a text that ends is filled with 0. */
function keyAt(table: TextTable, at: number, skip: number): number {
  const from = (table.starts[at] ?? 0) + skip;
  const end = table.starts[at + 1] ?? 0;
  if (from + 6 <= end) return table.bytes.readUIntBE(from, 6);
  let key = 0;
  for (let index = from; index < from + 6; index += 1) key = key * 256 + (index < end ? (table.bytes[index] ?? 0) : 0);
  return key;
}

/** Fewer texts than this are compared with one another. */
const COMPARE_BELOW = 2000;

/** All texts of the table in ascending order of their bytes (which is that of their code points). */
export function sortTexts(table: TextTable, count: number): Uint32Array {
  const order = new Uint32Array(count);
  for (let at = 0; at < count; at += 1) order[at] = at;
  sortGroup(table, order, 0);
  return order;
}

/** Sorts texts that agree in their first `skip` bytes. */
function sortGroup(table: TextTable, group: Uint32Array, skip: number): void {
  if (group.length < 2) return;
  if (group.length < COMPARE_BELOW) {
    group.sort((a, b) => compareTexts({ table, at: a }, { table, at: b }));
    return;
  }
  sortByNumber(group, (at) => keyAt(table, at, skip));
  for (let from = 0; from < group.length; ) {
    const key = keyAt(table, group[from] ?? 0, skip);
    let to = from + 1;
    while (to < group.length && keyAt(table, group[to] ?? 0, skip) === key) to += 1;
    // The last byte of the key is 0 when all of these end within it: then they are equal, for no name holds a NUL.
    if (to - from > 1 && key % 256 !== 0) sortGroup(table, group.subarray(from, to), skip + 6);
    from = to;
  }
}
