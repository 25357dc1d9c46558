/** Slots of the hash table, a power of two; half of them are used at most: 65,536 strings, 2 MB beside their texts. */
const SLOTS = 1 << 17;
const MAX_STRINGS = SLOTS / 2;
/** Longer texts do not recur. */
const MAX_BYTES = 64;
const ARENA_BYTES = 1 << 20;
const FNV_OFFSET = 0x811c9dc5;
const FNV_PRIME = 0x01000193;

/** What a slot holds, side by side so that a look at it is one access to memory. */
const SLOT_WIDTH = 4;
const HASH = 0;
/** Place of the bytes in the arena plus one; 0 is a free slot. */
const PLACE = 1;
const SIZE = 2;
const TEXT = 3;

/** Longer numbers are those of cameras and dates: each is in one asset, and would only drive out words. */
const MAX_DIGITS = 4;
const isDigit = (byte: number | undefined): boolean => byte !== undefined && byte >= 0x30 && byte <= 0x39;

/** ASCII is decoded as Latin-1, which skips a check of every byte's meaning. */
function decode(bytes: Buffer, start: number, end: number): string {
  for (let at = start; at < end; at += 1) if ((bytes[at] ?? 0) > 0x7f) return bytes.toString('utf8', start, end);
  return bytes.toString('latin1', start, end);
}

/**
 * Decodes UTF-8 texts of which most were seen before. A known one is recognised by its bytes, in a third of the time that a new
 * string takes, and is the same string again. When full it forgets everything. Hot: arguments are not packed in objects.
 */
export class RecurringStrings {
  /** Where the text that was read last ended. */
  end = 0;
  readonly #slots = new Int32Array(SLOTS * SLOT_WIDTH);
  readonly #texts: string[] = [];
  readonly #arena = new Uint8Array(ARENA_BYTES);
  #used = 0;

  /** The text that ends before a zero byte. */
  readToZero(bytes: Buffer, start: number): string {
    let hash = FNV_OFFSET;
    let at = start;
    for (let byte = bytes[at] ?? 0; byte !== 0; byte = bytes[at] ?? 0) {
      hash = Math.imul(hash ^ byte, FNV_PRIME);
      at += 1;
    }
    this.end = at;
    return this.#find(bytes, start, hash);
  }

  read(bytes: Buffer, start: number, end: number): string {
    let hash = FNV_OFFSET;
    for (let at = start; at < end; at += 1) hash = Math.imul(hash ^ (bytes[at] ?? 0), FNV_PRIME);
    this.end = end;
    return this.#find(bytes, start, hash);
  }

  #find(bytes: Buffer, start: number, hash: number): string {
    const size = this.end - start;
    if (size > MAX_BYTES || (size > MAX_DIGITS && isDigit(bytes[start]))) return decode(bytes, start, this.end);
    const slots = this.#slots;
    let slot = ((hash ^ (hash >>> 15)) & (SLOTS - 1)) * SLOT_WIDTH;
    for (;;) {
      const place = slots[slot + PLACE] ?? 0;
      if (place === 0) return this.#remember(bytes, start, { slot, hash });
      if (slots[slot + HASH] === hash && slots[slot + SIZE] === size && this.#isAt(place - 1, bytes, start)) {
        return this.#texts[slots[slot + TEXT] ?? 0] ?? '';
      }
      slot = (slot + SLOT_WIDTH) & (SLOTS * SLOT_WIDTH - 1);
    }
  }

  #isAt(place: number, bytes: Buffer, start: number): boolean {
    const arena = this.#arena;
    const shift = place - start;
    for (let at = start; at < this.end; at += 1) if (arena[at + shift] !== bytes[at]) return false;
    return true;
  }

  #remember(bytes: Buffer, start: number, free: { readonly slot: number; readonly hash: number }): string {
    const size = this.end - start;
    const text = decode(bytes, start, this.end);
    if (this.#texts.length === MAX_STRINGS || this.#used + size > ARENA_BYTES) {
      this.#slots.fill(0);
      this.#texts.length = 0;
      this.#used = 0;
      return text;
    }
    this.#slots[free.slot + HASH] = free.hash;
    this.#slots[free.slot + PLACE] = this.#used + 1;
    this.#slots[free.slot + SIZE] = size;
    this.#slots[free.slot + TEXT] = this.#texts.push(text) - 1;
    this.#arena.set(bytes.subarray(start, this.end), this.#used);
    this.#used += size;
    return text;
  }
}
