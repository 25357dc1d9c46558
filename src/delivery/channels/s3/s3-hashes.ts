import type { Worker } from 'node:worker_threads';
import { ChannelError } from '../../channel.ts';
import { startThread } from '../threads/start-thread.ts';

/** A part of a file, the end of the file, or that nobody goes on with it. */
export type ToHashThread =
  | { readonly file: number; readonly id: number; readonly bytes?: Uint8Array<ArrayBuffer> }
  | { readonly file: number; readonly dropped: true };
/** The MD5 of a part, or the SHA-256 of all parts. */
export type FromHashThread = {
  readonly id: number;
  readonly hex: string;
  readonly bytes?: Uint8Array<ArrayBuffer>;
};

/** The hashes of a file, part by part in order. */
export type FileHashes = {
  /** Takes the memory away, and answers a view of the same. @throws ChannelError when the session is closed meanwhile */
  part(bytes: Buffer<ArrayBuffer>): Promise<{ readonly bytes: Buffer<ArrayBuffer>; readonly md5: string }>;
  /** Of all parts, in hex. */
  sha256(): Promise<string>;
  /** Instead of the end. */
  drop(): void;
};
/** Hashing takes longer than all else that is done with a part, and would hold up whoever else uses the thread of the service. */
export type HashThread = { open(): FileHashes; close(): Promise<void> };

/** The thread is started by the first file. */
export function createHashThread(): HashThread {
  type Waiting = { readonly resolve: (answer: FromHashThread) => void; readonly reject: (error: unknown) => void };
  const waiting = new Map<number, Waiting>();
  let lastId = 0;
  let lastFile = 0;
  let worker: Worker | undefined;
  let isClosed = false;
  const start = (): Worker => {
    if (isClosed) throw new ChannelError('connection_lost', 'expected an open session, it was closed');
    const started = startThread(new URL('./s3-hash-worker.ts', import.meta.url));
    const fail = (reason: string): void => {
      worker = undefined;
      const error = new ChannelError('failed', `expected the hashes of a file, ${reason}`);
      for (const { reject } of waiting.values()) reject(error);
      waiting.clear();
    };
    started.on('message', (answer: FromHashThread) => {
      waiting.get(answer.id)?.resolve(answer);
      waiting.delete(answer.id);
    });
    started.on('error', ({ message }) => fail(`its thread failed: ${message}`));
    started.on('exit', () => fail('its thread has ended'));
    return started;
  };
  const ask = async (message: {
    readonly file: number;
    readonly bytes?: Buffer<ArrayBuffer>;
  }): Promise<FromHashThread> => {
    worker ??= start();
    const thread = worker;
    lastId += 1;
    const id = lastId;
    return await new Promise<FromHashThread>((resolve, reject) => {
      waiting.set(id, { resolve, reject });
      const request: ToHashThread = { ...message, id };
      thread.postMessage(request, message.bytes ? [message.bytes.buffer] : []);
    });
  };
  return {
    open: () => {
      worker ??= start();
      lastFile += 1;
      const file = lastFile;
      return {
        part: async (given) => {
          const { bytes, hex } = await ask({ file, bytes: given });
          if (!bytes)
            throw new ChannelError('failed', 'expected the part back from the thread of hashes, received none');
          return { bytes: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length), md5: hex };
        },
        sha256: async () => (await ask({ file })).hex,
        drop: () => worker?.postMessage({ file, dropped: true } satisfies ToHashThread, []),
      };
    },
    close: async () => {
      isClosed = true;
      await worker?.terminate();
    },
  };
}
