/** Whole files of this machine, read into memory that is used again: fresh memory costs as much as sending it, and keeps the garbage collector busy. */
import { type FileHandle, open } from 'node:fs/promises';
import { KIB } from '../../base/index.ts';
import { sourceChanged } from './transfer.ts';

/** Memory that puts use again. */
export type PutMemory = {
  take(bytes: number): Buffer<ArrayBuffer>;
  /** Only what nobody reads or writes any more. Not all of it is kept. */
  give(bytes: Uint8Array): void;
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
      if (!(buffer instanceof ArrayBuffer) || buffer.byteLength < STEP_BYTES) return;
      free.push(buffer);
      freeBytes += buffer.byteLength;
      while (freeBytes > maxBytes) freeBytes -= free.shift()?.byteLength ?? freeBytes;
    },
  };
}

/** From an offset on in pieces of exactly so many bytes, the last one shorter. @throws ChannelError `source_changed` when it is too short */
export async function* filePieces(options: {
  readonly path: string;
  readonly offset?: number;
  readonly bytes: number;
  readonly pieceBytes: number;
  readonly memory: PutMemory;
  readonly signal: AbortSignal;
}): AsyncGenerator<Buffer<ArrayBuffer>> {
  const { path, offset = 0, bytes, pieceBytes, memory, signal } = options;
  const handle = await open(path, 'r');
  try {
    for (let at = offset; at < bytes; at += pieceBytes) {
      signal.throwIfAborted();
      const piece = memory.take(Math.min(pieceBytes, bytes - at));
      await fill(piece, { handle, at });
      yield piece;
    }
  } finally {
    // Nothing waits for the end of reading.
    handle.close().catch(() => {});
  }
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
