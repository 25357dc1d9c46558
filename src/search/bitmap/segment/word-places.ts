import type { Paged } from './paged.ts';

/*
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

/** Writes what stands before the places of a word. */
export function writeHead(bytes: Paged<Uint8Array>, word: number, count: number): void {
  writeVarint(bytes, word * 2 + (count === 1 ? 0 : 1));
  if (count !== 1) writeVarint(bytes, count);
}

/** @param places as in a tsvector's binary form: the class in the top two of 16 bits, the position in the others; ascending */
export function writeWord(bytes: Paged<Uint8Array>, word: number, places: ArrayLike<number>): void {
  writeHead(bytes, word, places.length);
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
  /** How often the present word occurs. */
  count = 0;
  /** Where the bytes of the present word begin. */
  start = 0;
  /** Where the bytes of its places begin. */
  placesStart = 0;
  #at = 0;
  #end = 0;
  readonly #bytes: Uint8Array;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  seek(from: number, end: number): void {
    this.#at = from;
    this.#end = end;
  }

  /** Where the bytes of the word after the present one begin. */
  get end(): number {
    return this.#at;
  }

  #varint(): number {
    const bytes = this.#bytes;
    let byte = bytes[this.#at] ?? 0;
    this.#at += 1;
    let value = byte & 127;
    let shift = 7;
    while (byte > 127) {
      byte = bytes[this.#at] ?? 0;
      this.#at += 1;
      value |= (byte & 127) << shift;
      shift += 7;
    }
    return value >>> 0;
  }

  /** Goes on to the next word; false behind the last. */
  next(): boolean {
    if (this.#at >= this.#end) return false;
    this.start = this.#at;
    const head = this.#varint();
    this.word = head >>> 1;
    this.count = (head & 1) === 0 ? 1 : this.#varint();
    this.placesStart = this.#at;
    const bytes = this.#bytes;
    for (let left = this.count; left > 0; left -= 1) {
      while ((bytes[this.#at] ?? 0) > 127) this.#at += 1;
      this.#at += 1;
    }
    return true;
  }

  /** Places of the present word, in the form they were written. */
  places(): number[] {
    const end = this.#at;
    this.#at = this.placesStart;
    const places: number[] = [];
    let position = 0;
    for (let left = this.count; left > 0; left -= 1) {
      const place = this.#varint();
      position += place >>> 2;
      places.push(((place & 3) << 14) | position);
    }
    this.#at = end;
    return places;
  }

  /** Positions of the present word, without the classes. Words of two fields are never neighbours. */
  positions(): number[] {
    const end = this.#at;
    this.#at = this.placesStart;
    const positions: number[] = [];
    let position = 0;
    for (let left = this.count; left > 0; left -= 1) {
      position += this.#varint() >>> 2;
      positions.push(position);
    }
    this.#at = end;
    return positions;
  }

  firstPosition(): number {
    const end = this.#at;
    this.#at = this.placesStart;
    const position = this.#varint() >>> 2;
    this.#at = end;
    return position;
  }

  /** Occurrences by the class of their field, each times the weight of its class: `weights[3]` of class A and so on. */
  frequency(weights: readonly number[]): number {
    const end = this.#at;
    this.#at = this.placesStart;
    let frequency = 0;
    for (let left = this.count; left > 0; left -= 1) frequency += weights[this.#varint() & 3] ?? 0;
    this.#at = end;
    return frequency;
  }
}
