/** JPEG (ITU-T T.81) by its segments. */
import { text, u16be, u32be, u32le, u16le } from './bytes.ts';

export const SOI = Buffer.from([0xff, 0xd8]);
export const EOI = Buffer.from([0xff, 0xd9]);

/** Where the frame header (SOF0 to SOF15 without DHT, JPG, DAC) begins: the place of its 0xFF. */
export function frameHeaderAt(jpeg: Buffer): number {
  for (let at = 2; at + 4 <= jpeg.length; at += 2 + jpeg.readUInt16BE(at + 2)) {
    const marker = jpeg[at + 1] ?? 0;
    if (marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)) return at;
  }
  throw new Error('expected a JPEG with a frame header');
}

export function withSize(jpeg: Buffer, width: number, height: number): Buffer {
  const changed = Buffer.from(jpeg);
  const at = frameHeaderAt(jpeg);
  changed.writeUInt16BE(height, at + 5);
  changed.writeUInt16BE(width, at + 7);
  return changed;
}

/** Changes one byte of the frame header: 1 is its marker, 4 its precision, 9 its number of components. */
export function withFrameByte(jpeg: Buffer, offset: number, value: number): Buffer {
  const changed = Buffer.from(jpeg);
  changed[frameHeaderAt(jpeg) + offset] = value;
  return changed;
}

export const segment = (marker: number, data: Buffer): Buffer =>
  Buffer.concat([Buffer.from([0xff, marker]), u16be(data.length + 2), data]);

/** The same picture with segments right behind its start. */
export const withSegments = (jpeg: Buffer, ...segments: readonly Buffer[]): Buffer =>
  Buffer.concat([SOI, ...segments, jpeg.subarray(2)]);

export const exifSegment = (tiff: Buffer): Buffer => segment(0xe1, Buffer.concat([text('Exif\0\0'), tiff]));

/** ICC.1:2022, B.4: a profile in pieces of at most 65,519 bytes. */
export function profileSegments(profile: Buffer, told?: { readonly total: number }): readonly Buffer[] {
  const pieces: Buffer[] = [];
  for (let at = 0; at < Math.max(1, profile.length); at += 65_519) pieces.push(profile.subarray(at, at + 65_519));
  const total = told?.total ?? pieces.length;
  return pieces.map((piece, index) =>
    segment(0xe2, Buffer.concat([text('ICC_PROFILE\0'), Buffer.from([(index + 1) & 0xff, total & 0xff]), piece])),
  );
}

export type ExifEntry = readonly [tag: number, type: number, count: number, value: number];

/** A TIFF structure of one directory whose values are numbers or places. */
export function exifBlock(entries: readonly ExifEntry[], nextAt = 0): Buffer {
  return Buffer.concat([
    text('II*\0'),
    u32le(8),
    u16le(entries.length),
    ...entries.flatMap(([tag, type, count, value]) => [u16le(tag), u16le(type), u32le(count), u32le(value)]),
    u32le(nextAt),
    Buffer.alloc(64),
  ]);
}

/** Codes of one bit less than their number, all one length: a Huffman table (DHT) of 15 runs of blocks and their end. */
const RUNS_TABLE = segment(
  0xc4,
  Buffer.concat([
    Buffer.from([0x10, 0, 0, 0, 15]),
    Buffer.alloc(12),
    Buffer.from(Array.from({ length: 15 }, (_, n) => n << 4)),
  ]),
);
const ONE_TABLE = segment(0xc4, Buffer.concat([Buffer.from([0x00, 1]), Buffer.alloc(15), Buffer.from([0])]));

/**
 * A progressive JPEG (T.81, annex G) of one grey component, all its refinements said to be empty: each scan is a few bytes
 * that make a decoder walk over the whole picture once more.
 */
export function manyScans(options: {
  readonly width: number;
  readonly height: number;
  readonly scans: number;
}): Buffer {
  const { width, height, scans } = options;
  const quantisation = segment(0xdb, Buffer.concat([Buffer.from([0]), Buffer.alloc(64, 1)]));
  const frame = segment(
    0xc2,
    Buffer.concat([Buffer.from([8]), u16be(height), u16be(width), Buffer.from([1, 1, 0x11, 0])]),
  );
  const scan = (from: number, to: number, approximation: number, data: Buffer) =>
    Buffer.concat([segment(0xda, Buffer.from([1, 1, 0x00, from, to, approximation])), data]);
  // EOBRUN of 2^14 + 2^14 - 1 blocks (code 14, then 14 bits of one): four bits 1110 and 14 bits.
  const blocks = Math.ceil(width / 8) * Math.ceil(height / 8);
  const bits = '11101' + '1'.repeat(13);
  const runs = Math.ceil(blocks / 32_767);
  const all = bits.repeat(runs).padEnd(Math.ceil((bits.length * runs) / 8) * 8, '1');
  const packed: number[] = [];
  for (let at = 0; at < all.length; at += 8) {
    const byte = Number.parseInt(all.slice(at, at + 8), 2);
    packed.push(byte);
    if (byte === 0xff) packed.push(0);
  }
  const empty = scan(1, 63, 0x00, Buffer.from(packed));
  const first = scan(0, 0, 0x00, Buffer.alloc(Math.ceil(blocks / 8)));
  return Buffer.concat([
    SOI,
    quantisation,
    frame,
    ONE_TABLE,
    RUNS_TABLE,
    first,
    ...Array.from({ length: scans }, () => empty),
    EOI,
  ]);
}

/** A frame header and a scan header with nothing behind them. */
export function headersOnly(sof: number, width: number, height: number, components = 3): Buffer {
  const each = Array.from({ length: components }, (_, n) => [n + 1, 0x11, 0]).flat();
  const scan = Array.from({ length: components }, (_, n) => [n + 1, 0]).flat();
  return Buffer.concat([
    SOI,
    segment(0xdb, Buffer.concat([Buffer.from([0]), Buffer.alloc(64, 1)])),
    segment(
      0xc0 + sof,
      Buffer.concat([Buffer.from([8]), u16be(height), u16be(width), Buffer.from([components, ...each])]),
    ),
    segment(0xda, Buffer.from([components, ...scan, 0, 63, 0])),
    u32be(0),
    EOI,
  ]);
}
