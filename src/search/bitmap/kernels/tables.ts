const ROWS = 256;

/** Row b (16 bytes): the places of the bits of byte b, ascending, as 16-bit values; the rest of the row is not read. */
export function fillBitTable(table: Uint16Array): void {
  for (let byte = 0; byte < ROWS; byte += 1) {
    let at = byte * 8;
    for (let bit = 0; bit < 8; bit += 1) {
      if (((byte >>> bit) & 1) === 0) continue;
      table[at] = bit;
      at += 1;
    }
  }
}

/** Row m (16 bytes): for `i8x16.swizzle`, moves the 16-bit lanes that mask m selects to the front, in their order. */
export function fillPackingTable(table: Uint8Array): void {
  for (let mask = 0; mask < ROWS; mask += 1) {
    let at = mask * 16;
    for (let lane = 0; lane < 8; lane += 1) {
      if (((mask >>> lane) & 1) === 0) continue;
      table[at] = 2 * lane;
      table[at + 1] = 2 * lane + 1;
      at += 2;
    }
  }
}
