import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { AppError } from '../base/index.ts';

/** Large enough that hashing and writing dominate, small enough for many transfers at once. */
const CHUNK_BYTES = 1024 * 1024;

export type ExpectedBytes = { readonly bytes: number; readonly sha256?: string; readonly signal?: AbortSignal };

/**
 * Reads a file and ends with an error, instead of the end, when its bytes were not the expected ones: whoever stores what
 * it reads must not finish then.
 * @throws AppError `file_damaged`
 */
export async function* readVerified(path: string, expected: ExpectedBytes): AsyncGenerator<Buffer> {
  const { signal, sha256 } = expected;
  const hash = sha256 === undefined ? undefined : createHash('sha256');
  let bytes = 0;
  for await (const chunk of createReadStream(path, { highWaterMark: CHUNK_BYTES })) {
    signal?.throwIfAborted();
    // The stream has no encoding, so its chunks are buffers.
    const buffer = chunk as Buffer;
    bytes += buffer.length;
    hash?.update(buffer);
    yield buffer;
  }
  signal?.throwIfAborted();
  if (bytes !== expected.bytes) {
    throw new AppError('file_damaged', `expected a file of ${expected.bytes} bytes, received ${bytes}`);
  }
  const received = hash?.digest('hex');
  if (received !== sha256) {
    throw new AppError('file_damaged', `expected a file with the SHA-256 ${sha256}, received ${received}`);
  }
}

/** Reads a file only to see whether it is the expected one. @throws AppError `file_damaged` */
export async function verifyFile(path: string, expected: ExpectedBytes): Promise<void> {
  const reader = readVerified(path, expected);
  // Hashed as it passes.
  while ((await reader.next()).done !== true);
}
