import { createHash, webcrypto } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import { MIB } from '../../../base/index.ts';
import type { PutOptions } from '../../channel.ts';

const READ_BYTES = MIB;
const { subtle } = webcrypto;

/** Whether a file answers the bytes that were said, and no more. @throws the signal's reason */
export type ReadBack = (
  handle: FileHandle,
  expected: Pick<PutOptions, 'bytes' | 'sha256' | 'signal'>,
) => Promise<boolean>;

/** Two buffers a file, one is read into while the other is hashed; the next file has them again, fresh ones cost more than the hash. */
export function createReadBack(): ReadBack {
  const free: Buffer<ArrayBuffer>[] = [];
  return async (handle, { bytes, sha256, signal }) => {
    const buffers = [0, 1].map(() => free.pop() ?? Buffer.allocUnsafeSlow(READ_BYTES));
    const readAt = async (at: number, turn: number): Promise<Uint8Array<ArrayBuffer>> => {
      const buffer = buffers[turn % 2] ?? Buffer.alloc(0);
      const { bytesRead } = await handle.read(buffer, 0, buffer.length, at);
      return buffer.subarray(0, bytesRead);
    };
    let coming = readAt(0, 0);
    try {
      const hash = createHash('sha256');
      let at = 0;
      for (let turn = 1; ; turn += 1) {
        const piece = await coming;
        signal.throwIfAborted();
        if (piece.length === 0) return at === bytes && hash.digest('hex') === sha256;
        at += piece.length;
        if (at > bytes) return false;
        coming = readAt(at, turn);
        if (piece.length < bytes) hash.update(piece);
        // All of a small file is hashed by another thread.
        else return (await coming).length === 0 && (await sha256Of(piece)) === sha256;
      }
    } finally {
      // Nothing may be read into a buffer that another file has got.
      await coming.catch(() => {});
      free.push(...buffers);
    }
  };
}

const sha256Of = async (piece: Uint8Array<ArrayBuffer>): Promise<string> =>
  Buffer.from(await subtle.digest('SHA-256', piece)).toString('hex');
