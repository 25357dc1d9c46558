/** Pieces that files are put together from, and ways to spoil files. Everything comes out the same in every run. */
import { crc32, deflateRawSync, constants } from 'node:zlib';

export const text = (value: string): Buffer => Buffer.from(value, 'latin1');

export const u16be = (value: number): Buffer => Buffer.from([(value >>> 8) & 0xff, value & 0xff]);
export const u16le = (value: number): Buffer => Buffer.from([value & 0xff, (value >>> 8) & 0xff]);
export function u32be(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value >>> 0);
  return bytes;
}
export function u32le(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value >>> 0);
  return bytes;
}
export const u24le = (value: number): Buffer => u32le(value).subarray(0, 3);

/** Numbers in 0..1 from a seed: mulberry32 of Tommy Ettinger (public domain). */
export function createChance(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

export function noise(length: number, seed: number): Buffer {
  const chance = createChance(seed);
  return Buffer.from(Uint8Array.from({ length }, () => Math.floor(chance() * 256)));
}

/** A copy with so many bits turned over between two places. */
export function flipBits(
  bytes: Buffer,
  { seed, count, from = 0, to = bytes.length }: { seed: number; count: number; from?: number; to?: number },
): Buffer {
  const chance = createChance(seed);
  const flipped = Buffer.from(bytes);
  for (let n = 0; n < count; n += 1) {
    const at = from + Math.floor(chance() * (Math.min(to, bytes.length) - from));
    flipped[at] = (flipped[at] ?? 0) ^ (1 << Math.floor(chance() * 8));
  }
  return flipped;
}

/** A copy with other bytes at a place. */
export function patch(bytes: Buffer, at: number, replacement: Buffer): Buffer {
  const patched = Buffer.from(bytes);
  replacement.copy(patched, at);
  return patched;
}

const MIB = 1 << 20;

/** zlib data (RFC 1950) of so many MiB of zeros, about a thousandth of it long: one block again and again. */
export function zlibZeros(mebibytes: number): Buffer {
  const block = deflateRawSync(Buffer.alloc(MIB), { level: 9, finishFlush: constants.Z_FULL_FLUSH });
  const last = Buffer.from([0x03, 0x00]);
  // Adler-32 of n zeros: the first sum stays 1, the second counts the bytes.
  const adler = ((((mebibytes * MIB) % 65_521) << 16) | 1) >>> 0;
  return Buffer.concat([
    Buffer.from([0x78, 0xda]),
    ...Array.from({ length: mebibytes }, () => block),
    last,
    u32be(adler),
  ]);
}

export const PNG_SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex');

export function pngChunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([text(type), data]);
  return Buffer.concat([u32be(data.length), body, u32be(crc32(body))]);
}

export type PngHeader = {
  readonly width: number;
  readonly height: number;
  readonly depth?: number;
  /** 0 grey, 2 RGB, 3 palette, 4 grey with alpha, 6 RGBA. */
  readonly colour?: number;
  readonly interlaced?: boolean;
};

export function pngHeader({ width, height, depth = 8, colour = 2, interlaced = false }: PngHeader): Buffer {
  const data = Buffer.concat([u32be(width), u32be(height), Buffer.from([depth, colour, 0, 0, interlaced ? 1 : 0])]);
  return Buffer.concat([PNG_SIGNATURE, pngChunk('IHDR', data)]);
}

/** A PNG with the given compressed pixels and chunks before them. */
export function png(header: PngHeader, idat: Buffer, before: readonly Buffer[] = []): Buffer {
  return Buffer.concat([pngHeader(header), ...before, pngChunk('IDAT', idat), pngChunk('IEND', Buffer.alloc(0))]);
}

/** Behind the signature and IHDR of a PNG. */
export const AFTER_IHDR = 33;

export function insert(bytes: Buffer, at: number, ...parts: readonly Buffer[]): Buffer {
  return Buffer.concat([bytes.subarray(0, at), ...parts, bytes.subarray(at)]);
}
