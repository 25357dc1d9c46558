/**
 * What a picture will cost to decode, from its headers and before a decoder sees it. A limit on pixels is not enough: some
 * files of a megabyte make a decoder keep the whole picture several times, or walk over it thousands of times in a call that
 * nothing can interrupt. Factors are measured with libvips 8.18 on pictures of 100 and 144 megapixels.
 */
import { type ByteWindow, readThroughWindow } from './byte-window.ts';
import { AppError } from './errors.ts';
import { checkPngTexts } from './png-texts.ts';

/** 512 MiB: with two at a time, a gigabyte beside the service. */
const MAX_DECODE_BYTES = 536_870_912;

/**
 * Scans of a progressive JPEG times its pixels: a scan over 144 MP takes 55 ms, so 1 s. Exporters write 10 or so, which
 * is 2.4e9 / 10 = 240 MP.
 */
const MAX_SCANNED_PX = 2.4e9;

/** A file of that many blocks, chunks or segments is made of nothing else: reading on would be the attack. */
const MAX_READS = 500_000;

/** libwebp looks at every frame for each frame: 10,000 take a second, 40,000 ten; 1,000,000 directories of a TIFF 37 s. */
const MAX_FRAMES = 5000;

type Cost = { readonly decodeBytes?: number; readonly scannedPx?: number; readonly frames?: number };

/**
 * Reads headers of JPEG, PNG, GIF, WebP, TIFF and AVIF (the bytes, or the path of a file) and lets everything else pass.
 * @throws AppError `file_limits_exceeded` when decoding would take more than 512 MiB, thousands of passes or 5,000 frames
 */
export async function checkPictureLimits(source: Buffer | string): Promise<void> {
  const cost = await readThroughWindow(source, (bytes) => costOf(limited(bytes))).catch(missingAsNothing);
  const { decodeBytes = 0, scannedPx = 0, frames = 1 } = cost;
  const refuse = (text: string): never => {
    throw new AppError('file_limits_exceeded', text);
  };
  if (frames > MAX_FRAMES) refuse(`expected a picture of at most ${MAX_FRAMES} frames or pages, received more`);
  if (decodeBytes > MAX_DECODE_BYTES) {
    const received = `${Math.round(decodeBytes / 2 ** 20)} MiB`;
    const limit = `${MAX_DECODE_BYTES / 2 ** 20} MiB`;
    refuse(`expected a picture that can be decoded in ${limit} of memory, received one that takes ${received}`);
  }
  if (scannedPx > MAX_SCANNED_PX) refuse('expected a JPEG of as many scans as exporters write, received far more');
}

/** A file that is not there is for the decoder to tell. */
function missingAsNothing(error: unknown): Cost {
  if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return {};
  throw error;
}

/** The same bytes, up to that many reads. @throws AppError `file_limits_exceeded` */
function limited(bytes: ByteWindow): ByteWindow {
  let reads = 0;
  return {
    length: bytes.length,
    read(at, length) {
      reads += 1;
      if (reads > MAX_READS) {
        const expected = `expected a picture of at most ${MAX_READS} parts`;
        return Promise.reject(new AppError('file_limits_exceeded', `${expected}, received one of more`));
      }
      return bytes.read(at, length);
    },
  };
}

async function costOf(bytes: ByteWindow): Promise<Cost> {
  const head = await bytes.read(0, 32);
  if (head.length < 29) return {};
  if (head[0] === 0xff && head[1] === 0xd8) return costOfJpeg(bytes);
  if (head.toString('latin1', 1, 4) === 'PNG') return costOfPng(bytes, head);
  if (head.toString('latin1', 0, 3) === 'GIF') return costOfGif(bytes, head);
  if (head.toString('latin1', 0, 4) === 'RIFF') return costOfWebp(bytes);
  if (head.toString('latin1', 4, 8) === 'ftyp') return costOfAvif(bytes);
  const order = head.toString('latin1', 0, 2);
  return order === 'II' || order === 'MM' ? costOfTiff(bytes, head) : {};
}

/** ITU-T T.81. With several scans all coefficients are kept, two bytes each; with one, a few lines. */
async function costOfJpeg(bytes: ByteWindow): Promise<Cost> {
  let px = 0;
  let coefficients = 0;
  let components = 0;
  let isProgressive = false;
  let scans = 0;
  for (let at = 2; ; ) {
    const found = await nextMarker(bytes, at);
    if (!found || found.marker === 0xd9) break;
    const { marker, at: markerAt } = found;
    const segment = await bytes.read(markerAt + 2, 20);
    if (segment.length < 8) break;
    if (marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc && px === 0) {
      px = segment.readUInt16BE(3) * segment.readUInt16BE(5);
      components = segment[7] ?? 0;
      isProgressive = (marker & 3) === 2;
      coefficients = px * (await samplesPerPx(bytes, { at: markerAt + 10, components }));
    }
    if (marker === 0xda) {
      // One scan of all components, and the decoder looks for no other.
      if (!isProgressive && scans === 0 && segment[2] === components) return {};
      scans += 1;
    }
    at = markerAt + 2 + segment.readUInt16BE(0);
  }
  return { decodeBytes: coefficients * 2, scannedPx: px * scans };
}

/** Samples of all components for each pixel: 3 for 4:4:4, 1.5 for 4:2:0. */
async function samplesPerPx(
  bytes: ByteWindow,
  { at, components }: { readonly at: number; readonly components: number },
): Promise<number> {
  const table = await bytes.read(at, components * 3);
  let samples = 0;
  let largest = 1;
  for (let entry = 1; entry < table.length; entry += 3) {
    const factors = table[entry] ?? 0;
    samples += (factors >> 4) * (factors & 15);
    largest = Math.max(largest, (factors >> 4) * (factors & 15));
  }
  return samples / largest;
}

/** The next marker but those of restarts; bytes that are data or stuffing are passed over. */
async function nextMarker(
  bytes: ByteWindow,
  from: number,
): Promise<{ readonly marker: number; readonly at: number } | undefined> {
  for (let start = from; start < bytes.length; ) {
    const part = await bytes.read(start, 32_768);
    for (let at = part.indexOf(0xff); at >= 0 && at + 1 < part.length; at = part.indexOf(0xff, at + 1)) {
      const marker = part[at + 1] ?? 0;
      if (marker !== 0 && marker !== 0xff && marker !== 1 && (marker < 0xd0 || marker > 0xd8)) {
        return { marker, at: start + at };
      }
    }
    // The last byte may be the first of a marker.
    start += Math.max(1, part.length - 1);
  }
  return undefined;
}

/** Interlaced pixels are kept whole, as decoded: palettes as colours, with transparency where it may come. */
async function costOfPng(bytes: ByteWindow, head: Buffer): Promise<Cost> {
  await checkPngTexts(bytes);
  const [depth = 8, colour = 2] = [head[24], head[25]];
  const isInterlaced = head[28] === 1;
  if (!isInterlaced) return {};
  const channels = colour === 0 || colour === 4 ? 2 : 4;
  return { decodeBytes: head.readUInt32BE(16) * head.readUInt32BE(20) * channels * (depth === 16 ? 2 : 1) };
}

/** The canvas is kept twice, and some of it once more. */
const BYTES_PER_CANVAS_PX = 5;

/** GIF89a: blocks up to the limit of frames. */
async function costOfGif(bytes: ByteWindow, head: Buffer): Promise<Cost> {
  const tableBytes = (flags = 0) => ((flags & 0x80) === 0 ? 0 : 3 << ((flags & 7) + 1));
  let px = head.readUInt16LE(6) * head.readUInt16LE(8);
  let frames = 0;
  let at = 13 + tableBytes(head[10]);
  while (frames <= MAX_FRAMES) {
    const block = await bytes.read(at, 10);
    if (block[0] === 0x2c && block.length === 10) {
      frames += 1;
      px = Math.max(px, block.readUInt16LE(5) * block.readUInt16LE(7));
      // Descriptor, colours and the size of codes.
      at += 10 + tableBytes(block[9]) + 1;
    } else if (block[0] === 0x21) at += 2;
    else break;
    for (;;) {
      const size = (await bytes.read(at, 1))[0];
      at += 1 + (size ?? 0);
      if (!size) break;
    }
  }
  return { decodeBytes: px * BYTES_PER_CANVAS_PX, frames };
}

/** RIFF chunks of WebP up to the limit of frames. Only lossless pictures and animations are kept whole beside the answer. */
async function costOfWebp(bytes: ByteWindow): Promise<Cost> {
  let px = 0;
  let frames = 0;
  for (let at = 12; frames <= MAX_FRAMES; ) {
    const chunk = await bytes.read(at, 18);
    if (chunk.length < 18) break;
    const type = chunk.toString('latin1', 0, 4);
    const isAnimated = type === 'VP8X' && ((chunk[8] ?? 0) & 2) !== 0;
    if (isAnimated) px = (chunk.readUIntLE(12, 3) + 1) * (chunk.readUIntLE(15, 3) + 1);
    if (type === 'VP8L') {
      const sides = chunk.readUInt32LE(9);
      px = Math.max(px, ((sides & 0x3fff) + 1) * (((sides >>> 14) & 0x3fff) + 1));
    }
    if (type === 'ANMF') frames += 1;
    const size = chunk.readUInt32LE(4);
    at += 8 + size + (size % 2);
  }
  return { decodeBytes: px * BYTES_PER_CANVAS_PX, frames };
}

/** TIFF 6.0 and BigTIFF: the chain of directories, up to the limit; a circle ends there too, unless libtiff sees it first. */
async function costOfTiff(bytes: ByteWindow, head: Buffer): Promise<Cost> {
  const isLittle = head[0] === 0x49;
  const number = (part: Buffer) =>
    part.length > 6
      ? Number(isLittle ? part.readBigUInt64LE() : part.readBigUInt64BE())
      : part.length > 0
        ? isLittle
          ? part.readUIntLE(0, part.length)
          : part.readUIntBE(0, part.length)
        : 0;
  const isBig = number(head.subarray(2, 4)) === 43;
  const [countBytes, entryBytes, placeBytes] = isBig ? [8, 20, 8] : [2, 12, 4];
  const seen = new Set<number>();
  let at = number(isBig ? head.subarray(8, 16) : head.subarray(4, 8));
  while (at > 0 && at < bytes.length && !seen.has(at) && seen.size <= MAX_FRAMES) {
    seen.add(at);
    const entries = number(await bytes.read(at, countBytes));
    at = number(await bytes.read(at + countBytes + entries * entryBytes, placeBytes));
  }
  return { frames: seen.size };
}

/** Where the boxes that describe a picture are: before its data, which writers put last. */
const AVIF_HEAD_BYTES = 262_144;

/** Measured: 100 MP take 1,750 MB, in planes, frames of the decoder and colours. */
const AVIF_BYTES_PER_PX = 18;

/** ISO 23008-12, 6.5.3: the sizes of all pictures in the file, of which the largest counts. */
async function costOfAvif(bytes: ByteWindow): Promise<Cost> {
  const head = await bytes.read(0, AVIF_HEAD_BYTES);
  let px = 0;
  for (let at = head.indexOf('ispe'); at >= 0 && at + 16 <= head.length; at = head.indexOf('ispe', at + 4)) {
    px = Math.max(px, head.readUInt32BE(at + 8) * head.readUInt32BE(at + 12));
  }
  return { decodeBytes: px * AVIF_BYTES_PER_PX };
}
