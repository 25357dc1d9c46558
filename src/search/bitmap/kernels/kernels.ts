/**
 * Work on dense blocks of 65,536 bits, in WebAssembly with vectors of 128 bits (kernels.wat), and on ascending lists of
 * 16-bit values, there or here, whichever was measured to be faster including the copies (bench/sets/run.ts).
 */
import { createCopyIn } from './copy-bytes.ts';
import { KERNELS_BASE64 } from './kernels.generated.ts';
import { listKernels } from './lists.ts';
import { fillBitTable, fillPackingTable } from './tables.ts';
import type { Kernels, RawKernels } from './types.ts';
import { startModule } from './web-assembly.ts';

export type { Kernels } from './types.ts';

/** How many blocks an instance has room for: 512 KiB. */
export const SLOTS = 64;
/** A block as bits: value v is bit v % 32 of word floor(v / 32). */
export const SLOT_WORDS = 2048;
export const SLOT_BYTES = 8192;
/** How many values a slot or a list can hold. */
export const BLOCK_VALUES = 65_536;

/** As kernels.wat has them. */
const BIT_TABLE_AT = SLOTS * SLOT_BYTES;
const PACKING_TABLE_AT = BIT_TABLE_AT + 4096;
const LISTS_AT = PACKING_TABLE_AT + 4096;
const LIST_AREA_BYTES = 2 * BLOCK_VALUES + 16;

/** Starts an instance, synchronously, in about 1 ms. What the slots hold at first are no values. */
export function createKernels(): Kernels {
  const exports = startModule(Buffer.from(KERNELS_BASE64, 'base64'));
  // The exports are those of kernels.wat, whose committed bytes a test compares with the source.
  const raw = exports as unknown as RawKernels & { readonly memory: { readonly buffer: ArrayBuffer } };
  const { buffer } = raw.memory;
  fillBitTable(new Uint16Array(buffer, BIT_TABLE_AT, 2048));
  fillPackingTable(new Uint8Array(buffer, PACKING_TABLE_AT, 4096));
  const area = (index: number) => ({
    at: LISTS_AT + index * LIST_AREA_BYTES,
    values: new Uint16Array(buffer, LISTS_AT + index * LIST_AREA_BYTES, BLOCK_VALUES),
  });
  const words = new Int32Array(buffer, 0, SLOTS * SLOT_WORDS);
  const copyIn = createCopyIn(buffer);
  return {
    words,
    bytes: new Uint8Array(buffer, 0, SLOTS * SLOT_BYTES),
    load: (slot, bits, at) => copyIn(bits.buffer, bits.byteOffset + 4 * at, slot * SLOT_BYTES, SLOT_BYTES),
    and: raw.and,
    or: raw.or,
    andNot: raw.andNot,
    not: raw.not,
    copy: raw.copy,
    clear: raw.clear,
    fill: raw.fill,
    count: raw.count,
    andCount: raw.andCount,
    andNotCount: raw.andNotCount,
    isEmpty: raw.isEmpty,
    fillRange: raw.fillRange,
    countRange: raw.countRange,
    ...listKernels({ raw, words, a: area(0), b: area(1), out: area(2), copyIn }),
  };
}
