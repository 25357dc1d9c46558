import type { Paged } from './paged.ts';

/**
 * The words of a document with their places, as bytes. Per distinct word: its number times two, plus one when it occurs more
 * than once (then the count follows); then each place as the distance from the one before times four, plus the class of its
 * field (3 = A, 2 = B, 1 = C, as in PostgreSQL's tsvector). All numbers as LEB128 varints.
 */

function writeVarint(bytes: Paged<Uint8Array>, value: number): void {
  let left = value;
  while (left > 127) {
    bytes.push((left & 127) | 128);
    left >>>= 7;
  }
  bytes.push(left);
}

/** @param places as in a tsvector's binary form: the class in the top two of 16 bits, the position in the others; ascending */
export function writeWord(bytes: Paged<Uint8Array>, word: number, places: ArrayLike<number>): void {
  const single = places.length === 1;
  writeVarint(bytes, word * 2 + (single ? 0 : 1));
  if (!single) writeVarint(bytes, places.length);
  let previous = 0;
  for (let at = 0; at < places.length; at += 1) {
    const place = places[at] ?? 0;
    const position = place & 0x3fff;
    writeVarint(bytes, (position - previous) * 4 + (place >>> 14));
    previous = position;
  }
}

/** Reads words from bytes; a cursor that is moved from document to document. */
export class WordPlaceReader {
  word = 0;
  /** Places of the present word, in the form they were written. */
  places: number[] = [];
  readonly #read: (at: number) => number;
  #at = 0;
  #end = 0;

  constructor(read: (at: number) => number) {
    this.#read = read;
  }

  seek(from: number, end: number): void {
    this.#at = from;
    this.#end = end;
  }

  #varint(): number {
    let value = 0;
    let shift = 0;
    for (;;) {
      const byte = this.#read(this.#at);
      this.#at += 1;
      value |= (byte & 127) << shift;
      if (byte < 128) return value >>> 0;
      shift += 7;
    }
  }

  /** Goes on to the next word; false behind the last. */
  next(): boolean {
    if (this.#at >= this.#end) return false;
    const head = this.#varint();
    this.word = head >>> 1;
    const count = (head & 1) === 0 ? 1 : this.#varint();
    this.places.length = count;
    let position = 0;
    for (let at = 0; at < count; at += 1) {
      const place = this.#varint();
      position += place >>> 2;
      this.places[at] = ((place & 3) << 14) | position;
    }
    return true;
  }
}
