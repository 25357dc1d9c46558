import { promisify } from 'node:util';
import { inflate } from 'node:zlib';
import type { ByteWindow } from './byte-window.ts';
import { AppError } from './errors.ts';

const unpack = promisify(inflate);

/** Compressed texts, profiles and EXIF of a PNG. */
const PACKED_CHUNKS = new Set(['zTXt', 'iTXt', 'iCCP', 'zxIf']);
/** Deflate packs zeros 1,032 to 1: this much becomes 64 MiB at most. Exporters write some kilobytes. */
const MAX_UNSEEN_BYTES = 65_536;
const MAX_UNPACKED_BYTES = 67_108_864;

/**
 * Readers of metadata unpack all of it into memory: a megabyte became 3.2 GB in ExifTool.
 * @throws AppError `file_limits_exceeded`
 */
export async function checkPngTexts(bytes: ByteWindow): Promise<void> {
  const packed: { readonly at: number; readonly size: number }[] = [];
  for (let at = 8; at + 12 <= bytes.length; ) {
    const chunk = await bytes.read(at, 8);
    const size = chunk.readUInt32BE(0);
    if (PACKED_CHUNKS.has(chunk.toString('latin1', 4, 8))) packed.push({ at: at + 8, size });
    at += 12 + size;
  }
  if (packed.reduce((sum, { size }) => sum + size, 0) <= MAX_UNSEEN_BYTES) return;
  let left = MAX_UNPACKED_BYTES;
  for (const { at, size } of packed) {
    const data = await bytes.read(at, Math.min(size, MAX_UNPACKED_BYTES));
    left -= data.length + (await unpackedBytes(data, left));
    if (left > 0) continue;
    const limit = `${MAX_UNPACKED_BYTES / 2 ** 20} MiB`;
    throw new AppError('file_limits_exceeded', `expected texts and profiles of at most ${limit}, received larger ones`);
  }
}

/** How long zlib data within a chunk is, behind its names; at most `limit`. What is no zlib data takes nothing. */
async function unpackedBytes(chunk: Buffer, limit: number): Promise<number> {
  // Names and languages end with zeros, and methods are zero: the data begins with the first 0x78 behind one (RFC 1950).
  for (let at = chunk.indexOf(0); at >= 0 && at < 400; at = chunk.indexOf(0, at + 1)) {
    if (((chunk[at + 1] ?? 0) & 0x0f) !== 8) continue;
    try {
      return (await unpack(chunk.subarray(at + 1), { maxOutputLength: Math.max(1, limit) })).length;
    } catch (error) {
      if (error instanceof RangeError) return limit;
    }
  }
  return 0;
}
