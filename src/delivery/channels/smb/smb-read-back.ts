import { MIB } from '../../../base/index.ts';
import { closeFile } from './smb-files.ts';
import type { SmbWorker } from './smb-worker.ts';

/** How far a file is written, for the one who reads behind. */
export type WriteProgress = {
  reach(bytes: number): void;
  /** No more is written, whether all is there or not. */
  end(): void;
  /** Resolves with how far it is when that is `bytes` or more, or when it has ended. */
  beyond(bytes: number): Promise<{ readonly bytes: number; readonly hasEnded: boolean }>;
};

export type ReadBack = { readonly bytes: number; readonly sha256: string };

type ReadBackFile = { readonly path: string; readonly bytes: number; readonly signal: AbortSignal };

/** Asked of the child at once; it cannot be interrupted meanwhile, only ended. */
const STEP_BYTES = 8 * MIB;
/** One that is hashed, and one that follows without waiting for this process. */
const STEPS_AT_ONCE = 2;

export function writeProgress(from: number): WriteProgress {
  const written = { bytes: from, hasEnded: false };
  let wake = (): void => {};
  return {
    reach(bytes) {
      written.bytes = bytes;
      wake();
    },
    end() {
      written.hasEnded = true;
      wake();
    },
    async beyond(bytes) {
      while (written.bytes < bytes && !written.hasEnded) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
      return { ...written };
    },
  };
}

/** Hashes a file that is still being written, from its beginning. What was never written is not waited for. */
export async function hashBehind(
  worker: SmbWorker,
  { path, bytes, progress, signal }: ReadBackFile & { readonly progress: WriteProgress },
): Promise<ReadBack> {
  // Before the first byte it may not be there.
  await progress.beyond(1);
  try {
    await worker.request({ op: 'open', path, how: 'read', offset: 0 }, { signal });
    const underWay: Promise<unknown>[] = [];
    for (let at = 0; at < bytes; ) {
      const written = await progress.beyond(Math.min(bytes, at + STEP_BYTES));
      const until = Math.min(written.bytes, at + STEP_BYTES);
      if (written.hasEnded && written.bytes < bytes) return { bytes: written.bytes, sha256: '' };
      const hashing = worker.request({ op: 'hash', until }, { signal });
      // Awaited in order; a fault of a later one must not count as unhandled meanwhile.
      hashing.catch(() => {});
      underWay.push(hashing);
      at = until;
      if (underWay.length >= STEPS_AT_ONCE) await underWay.shift();
    }
    await Promise.all(underWay);
    return await digest(worker, { bytes, signal });
  } finally {
    await closeFile(worker);
  }
}

/** Hashes a file that is there, from its beginning. */
export async function hashFile(worker: SmbWorker, { path, bytes, signal }: ReadBackFile): Promise<ReadBack> {
  const progress = writeProgress(bytes);
  progress.end();
  return hashBehind(worker, { path, bytes, progress, signal });
}

async function digest(
  worker: SmbWorker,
  { bytes, signal }: { readonly bytes: number; readonly signal: AbortSignal },
): Promise<ReadBack> {
  // One byte more than there should be: a longer file is another one.
  await worker.request({ op: 'hash', until: bytes + 1 }, { signal });
  const found = await worker.request({ op: 'digest' }, { signal });
  return { bytes: found.bytes ?? 0, sha256: found.sha256 ?? '' };
}
