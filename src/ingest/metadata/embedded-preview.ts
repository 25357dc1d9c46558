import { open, rm } from 'node:fs/promises';
import type { ExifTool } from 'exiftool-vendored';
import { KIB } from '../../base/index.ts';
import { jpegFrame } from './jpeg-frame.ts';

export type EmbeddedPreview = {
  readonly path: string;
  /** ExifTool's name of the tag it came from. */
  readonly tag: string;
  readonly width: number;
  readonly height: number;
};

const PREVIEW_TAGS = ['JpgFromRaw', 'JpgFromRaw2', 'PreviewImage', 'OtherImage', 'PreviewTIFF', 'ThumbnailImage'];
/** A file may list any number of them; the largest few hold the picture if any does. */
const MAX_CANDIDATES = 4;

/**
 * Writes the largest JPEG that a RAW file embeds to `outPath`. Candidates are tried by size in bytes; one that is no JPEG a
 * viewer can show (DNG keeps lossless sensor data under the same tags) is passed over.
 */
export async function extractLargestPreview(
  exiftool: ExifTool,
  path: string,
  outPath: string,
): Promise<EmbeddedPreview | undefined> {
  const tags: object = await exiftool.readRaw(path, {
    readArgs: ['-a', '-G1', ...PREVIEW_TAGS.map((tag) => `-${tag}`)],
  });
  const candidates = Object.entries(tags)
    .map(([tag, value]) => ({ tag, bytes: binaryBytes(value) }))
    .filter(({ bytes }) => bytes > KIB)
    .sort((a, b) => b.bytes - a.bytes);
  for (const { tag } of candidates.slice(0, MAX_CANDIDATES)) {
    await rm(outPath, { force: true });
    await exiftool.extractBinaryTag(tag, path, outPath);
    const frame = jpegFrame(await readStart(outPath));
    if (frame && !frame.lossless) return { path: outPath, tag, width: frame.width, height: frame.height };
  }
  await rm(outPath, { force: true });
  return undefined;
}

/** "(Binary data 12345 bytes, use -b option to extract)" */
function binaryBytes(value: unknown): number {
  const bytes = typeof value === 'string' ? /^\(Binary data (\d+) bytes/.exec(value)?.[1] : undefined;
  return bytes === undefined ? 0 : Number(bytes);
}

async function readStart(path: string): Promise<Buffer> {
  const file = await open(path, 'r');
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(256 * KIB), 0, 256 * KIB, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}
