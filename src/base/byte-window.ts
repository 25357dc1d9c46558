import { open } from 'node:fs/promises';

/** Bytes that are looked at in places: a buffer, or a file through a window. */
export type ByteWindow = {
  readonly length: number;
  /** The bytes from `at` on, as many as asked for where there are so many. */
  read(at: number, length: number): Promise<Buffer>;
};

const WINDOW_BYTES = 65_536;

/** Opens a buffer, or the file of that path, for as long as `work` takes. */
export async function readThroughWindow<T>(
  source: Buffer | string,
  work: (bytes: ByteWindow) => Promise<T>,
): Promise<T> {
  if (typeof source !== 'string') {
    return work({
      length: source.length,
      read: (at, length) => Promise.resolve(source.subarray(at, at + length)),
    });
  }
  const file = await open(source, 'r');
  try {
    const { size } = await file.stat();
    let window: Buffer = Buffer.alloc(0);
    let start = 0;
    return await work({
      length: size,
      async read(at, length) {
        const end = Math.min(at + length, size);
        if (at < start || end > start + window.length) {
          const filled = await file.read(Buffer.alloc(Math.max(length, WINDOW_BYTES)), { position: at });
          window = filled.buffer.subarray(0, filled.bytesRead);
          start = at;
        }
        return window.subarray(at - start, Math.max(at, end) - start);
      },
    });
  } finally {
    await file.close();
  }
}
