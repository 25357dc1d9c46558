/**
 * Reads large files while they are written: over a connection of its own, on which the server works with another processor, in a thread
 * of its own, which decrypts and hashes.
 */
import type { Worker } from 'node:worker_threads';
import type { ReadBack } from '../put-by-rename.ts';
import { startThread } from '../threads/start-thread.ts';
import type { SftpServer } from './sftp-connection.ts';

export type SftpReader = {
  /** False when the server did not let it before. */
  isOfUse(): boolean;
  /** Reads a file from its beginning, as far as it has come, until it has `bytes`. */
  follow(file: FollowedFile): Following;
  close(): Promise<void>;
};
export type FollowedFile = { readonly path: string; readonly bytes: number; readonly signal: AbortSignal };
export type Following = {
  /** The server has so many bytes of it, without a gap. */
  readonly reached: (bytes: number) => void;
  /** Undefined when it could not be read, or the signal came; it never rejects. */
  readonly result: Promise<ReadBack | undefined>;
};

export type ToReader =
  | { readonly server: SftpServer }
  | { readonly id: number; readonly path: string; readonly bytes: number }
  | { readonly id: number; readonly reached: number }
  | { readonly id: number; readonly cancel: true };
export type FromReader = { readonly id: number; readonly back?: ReadBack };

/** The thread is started by the first file. */
export function createSftpReader(server: SftpServer): SftpReader {
  const waiting = new Map<number, (back: ReadBack | undefined) => void>();
  let worker: Worker | undefined;
  let isRefused = false;
  let lastId = 0;
  const start = (): Worker => {
    const started = startThread(new URL('./sftp-reader-worker.ts', import.meta.url));
    const end = (): void => {
      if (worker === started) worker = undefined;
      for (const resolve of waiting.values()) resolve(undefined);
      waiting.clear();
    };
    started.on('message', ({ id, back }: FromReader) => {
      waiting.get(id)?.(back);
      waiting.delete(id);
    });
    started.on('error', end);
    started.on('exit', end);
    const first: ToReader = { server };
    started.postMessage(first, []);
    return started;
  };
  return {
    isOfUse: () => !isRefused,
    follow({ path, bytes, signal }) {
      worker ??= start();
      const thread = worker;
      const tell = (message: ToReader): void => thread.postMessage(message, []);
      lastId += 1;
      const id = lastId;
      const onAbort = (): void => tell({ id, cancel: true });
      const read = async (): Promise<ReadBack | undefined> => {
        const answer = new Promise<ReadBack | undefined>((resolve) => waiting.set(id, resolve));
        tell({ id, path, bytes });
        if (signal.aborted) onAbort();
        signal.addEventListener('abort', onAbort, { once: true });
        const back = await answer;
        signal.removeEventListener('abort', onAbort);
        isRefused ||= back === undefined && !signal.aborted;
        return back;
      };
      return { reached: (arrived) => tell({ id, reached: arrived }), result: read() };
    },
    async close() {
      await worker?.terminate();
    },
  };
}
