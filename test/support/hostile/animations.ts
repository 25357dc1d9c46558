/** GIF89a and animated WebP, frame by frame. */
import { text, u16le, u24le, u32le } from './bytes.ts';

export type GifShape = {
  readonly width: number;
  readonly height: number;
  readonly frames: number;
  readonly left?: number;
};

/** Frames of 8 x 8 pixels of one colour on a canvas of any size. */
export function gif({ width, height, frames, left = 0 }: GifShape): Buffer {
  const head = Buffer.concat([
    text('GIF89a'),
    u16le(width),
    u16le(height),
    // Two colours for all frames, background 0.
    Buffer.from([0x80, 0, 0, 30, 90, 60, 220, 200, 180]),
  ]);
  // Code size 2: clear, four runs of colour 0, end; what is missing of 64 pixels stays background.
  const frame = Buffer.concat([
    Buffer.from([0x21, 0xf9, 4, 0x08, 1, 0, 0, 0]),
    Buffer.concat([Buffer.from([0x2c]), u16le(left), u16le(0), u16le(8), u16le(8), Buffer.from([0])]),
    Buffer.from([2, 2, 0x84, 0x51, 0]),
  ]);
  return Buffer.concat([head, ...Array.from({ length: frames }, () => frame), Buffer.from([0x3b])]);
}

const riffChunk = (type: string, data: Buffer): Buffer =>
  Buffer.concat([text(type), u32le(data.length), data, Buffer.alloc(data.length % 2)]);

export function riff(...chunks: readonly Buffer[]): Buffer {
  const body = Buffer.concat([text('WEBP'), ...chunks]);
  return Buffer.concat([text('RIFF'), u32le(body.length), body]);
}

export type WebpShape = {
  readonly width: number;
  readonly height: number;
  readonly frames: number;
  /** Where each frame lies; half of it is written, as the format has it. */
  readonly left?: number;
  /** The picture chunk (VP8 or VP8L) of a still, with its size. */
  readonly still: { readonly chunk: Buffer; readonly width: number; readonly height: number };
};

/** The first picture chunk of a still WebP. */
export function pictureChunk(webp: Buffer): Buffer {
  for (let at = 12; at + 8 <= webp.length; ) {
    const type = webp.toString('latin1', at, at + 4);
    const end = at + 8 + webp.readUInt32LE(at + 4);
    if (type.startsWith('VP8') && type !== 'VP8X') return webp.subarray(at, end + (end % 2));
    at = end + (end % 2);
  }
  throw new Error('expected a WebP with a picture');
}

export const extendedHeader = (width: number, height: number, flags: number): Buffer =>
  riffChunk('VP8X', Buffer.concat([u32le(flags), u24le(width - 1), u24le(height - 1)]));

export function webp({ width, height, frames, left = 0, still }: WebpShape): Buffer {
  const frame = riffChunk(
    'ANMF',
    Buffer.concat([
      u24le(left / 2),
      u24le(0),
      u24le(still.width - 1),
      u24le(still.height - 1),
      u24le(40),
      Buffer.from([0]),
      still.chunk,
    ]),
  );
  const animation = riffChunk('ANIM', Buffer.alloc(6));
  // Flag 2: animated.
  return riff(extendedHeader(width, height, 0x02), animation, ...Array.from({ length: frames }, () => frame));
}
