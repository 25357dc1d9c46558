import { type FileHandle, open } from 'node:fs/promises';
import { KIB } from '../../../base/index.ts';
import type { PutOptions } from '../../channel.ts';
import { type CheckedSource, checkedSource, piecesOf, sourceChanged } from '../transfer.ts';

/** Memory that puts use again: fresh memory costs as much as sending it, and keeps the garbage collector busy. */
export type PutMemory = {
  take(bytes: number): Buffer<ArrayBuffer>;
  /** Only what nobody reads or writes any more. Not all of it is kept. */
  give(buffer: Buffer<ArrayBuffer>): void;
};

const STEP_BYTES = 64 * KIB;

export function createPutMemory(maxBytes: number): PutMemory {
  const free: ArrayBuffer[] = [];
  let freeBytes = 0;
  return {
    take: (bytes) => {
      const size = Math.ceil(bytes / STEP_BYTES) * STEP_BYTES;
      // Not much longer, so that small files do not hold the memory of parts.
      const at = free.findIndex((one) => one.byteLength >= bytes && one.byteLength <= 2 * size);
      const [found] = at < 0 ? [] : free.splice(at, 1);
      freeBytes -= found?.byteLength ?? 0;
      return found ? Buffer.from(found, 0, bytes) : Buffer.allocUnsafeSlow(size).subarray(0, bytes);
    },
    give: ({ buffer }) => {
      if (buffer.byteLength < STEP_BYTES) return;
      free.push(buffer);
      freeBytes += buffer.byteLength;
      while (freeBytes > maxBytes) freeBytes -= free.shift()?.byteLength ?? freeBytes;
    },
  };
}

export type S3Source = Pick<CheckedSource, 'failure'> & {
  /** In pieces of exactly so many bytes, the last one shorter; as many bytes as were said. @throws ChannelError `source_changed` */
  pieces(pieceBytes: number): AsyncGenerator<Buffer<ArrayBuffer>>;
};

/** The bytes of a put, whose hash is left to the caller. A whole file is read straight into memory that is used again. */
export function s3Source(put: PutOptions, memory: PutMemory): S3Source {
  const { file } = put;
  if (file !== undefined) return fileSource(put, { file, memory });
  const source = checkedSource(put, { isHashed: false });
  return {
    pieces: (pieceBytes) => piecesOf(source.chunks, { pieceBytes, bytes: put.bytes }),
    failure: source.failure,
  };
}

function fileSource(
  { bytes, signal }: PutOptions,
  { file, memory }: { readonly file: string; readonly memory: PutMemory },
): S3Source {
  let failed: { readonly error: unknown } | undefined;
  async function* pieces(pieceBytes: number): AsyncGenerator<Buffer<ArrayBuffer>> {
    try {
      const handle = await open(file, 'r');
      try {
        for (let at = 0; at < bytes; at += pieceBytes) {
          signal.throwIfAborted();
          const piece = memory.take(Math.min(pieceBytes, bytes - at));
          await fill(piece, { handle, at });
          yield piece;
        }
      } finally {
        // Nothing waits for the end of reading.
        handle.close().catch(() => {});
      }
    } catch (error) {
      failed = { error };
      throw error;
    }
  }
  return { pieces, failure: () => failed };
}

async function fill(
  piece: Buffer,
  { handle, at }: { readonly handle: FileHandle; readonly at: number },
): Promise<void> {
  for (let filled = 0; filled < piece.length; ) {
    const { bytesRead } = await handle.read(piece, filled, piece.length - filled, at + filled);
    if (bytesRead === 0) throw sourceChanged();
    filled += bytesRead;
  }
}
