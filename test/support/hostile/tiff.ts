/** TIFF 6.0 by its directories, little-endian. */
import { text, u16le, u32le, zlibZeros } from './bytes.ts';

/** SHORT 3, LONG 4. */
export type TiffEntry = readonly [tag: number, value: number, count?: number, type?: number];

export function directory(entries: readonly TiffEntry[], nextAt: number): Buffer {
  return Buffer.concat([
    u16le(entries.length),
    ...entries.flatMap(([tag, value, count = 1, type = 4]) => [u16le(tag), u16le(type), u32le(count), u32le(value)]),
    u32le(nextAt),
  ]);
}

export type TiffShape = {
  readonly width: number;
  readonly height: number;
  readonly bits?: number;
  readonly samples?: number;
  /** 1 none, 5 LZW, 7 JPEG, 8 deflate, 32773 PackBits. */
  readonly compression?: number;
  readonly rowsPerStrip?: number;
  /** 0 white is zero, 1 black is zero, 2 RGB, 5 CMYK, 6 YCbCr. */
  readonly photometric?: number;
  readonly more?: readonly TiffEntry[];
};

const entriesOf = (shape: TiffShape, strip: { readonly at: number; readonly bytes: number }): readonly TiffEntry[] => [
  [256, shape.width],
  [257, shape.height],
  [258, shape.bits ?? 8, 1, 3],
  [259, shape.compression ?? 1, 1, 3],
  [262, shape.photometric ?? 1, 1, 3],
  [273, strip.at],
  [277, shape.samples ?? 1, 1, 3],
  [278, shape.rowsPerStrip ?? shape.height],
  [279, strip.bytes],
  ...(shape.more ?? []),
];

/** One picture in one strip. `nextAt` is where the next directory is said to be; 8 is the first again. */
export function tiff(shape: TiffShape, data: Buffer, nextAt = 0): Buffer {
  const length = 2 + entriesOf(shape, { at: 0, bytes: 0 }).length * 12 + 4;
  return Buffer.concat([
    text('II*\0'),
    u32le(8),
    directory(entriesOf(shape, { at: 8 + length, bytes: data.length }), nextAt),
    data,
  ]);
}

/** So many pictures of 8 x 8 pixels one behind the other, all with the same data. */
export function manyDirectories(count: number): Buffer {
  const data = Buffer.alloc(64, 90);
  const entries = entriesOf({ width: 8, height: 8 }, { at: 8, bytes: data.length });
  const length = 2 + entries.length * 12 + 4;
  const first = 8 + data.length;
  const directories = Array.from({ length: count }, (_, n) =>
    directory(entries, n + 1 < count ? first + (n + 1) * length : 0),
  );
  return Buffer.concat([text('II*\0'), u32le(first), data, ...directories]);
}

/** Two directories that name each other as the next. */
export function circle(): Buffer {
  const entries = entriesOf({ width: 8, height: 8 }, { at: 400, bytes: 64 });
  const length = 2 + entries.length * 12 + 4;
  const second = 8 + length;
  return Buffer.concat([
    text('II*\0'),
    u32le(8),
    directory(entries, second),
    directory(entries, 8),
    Buffer.alloc(600, 90),
  ]);
}

/** One strip of zeros that unpacks to as many bytes as the picture says it has. */
export function stripBomb(shape: TiffShape): Buffer {
  const bytes = (shape.width * shape.height * (shape.samples ?? 1) * (shape.bits ?? 8)) / 8;
  return tiff({ ...shape, compression: 8 }, zlibZeros(Math.ceil(bytes / 2 ** 20)));
}
