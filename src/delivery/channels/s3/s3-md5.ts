import { Worker } from 'node:worker_threads';
import { ChannelError } from '../../channel.ts';

export type Md5Request = { readonly id: number; readonly bytes: Uint8Array<ArrayBuffer> };
export type Md5Answer = Md5Request & { readonly md5: string };

/** The MD5 of parts, which Node computes in no thread by itself: at 600 MB/s it is the slowest of what is done with a part. */
export type Md5Thread = {
  /** Takes the memory away, and answers a view of the same. @throws ChannelError when the session is closed meanwhile */
  digest(bytes: Buffer<ArrayBuffer>): Promise<{ readonly bytes: Buffer<ArrayBuffer>; readonly md5: string }>;
  close(): Promise<void>;
};

/** The thread is started by the first part. */
export function createMd5Thread(): Md5Thread {
  type Waiting = { readonly resolve: (answer: Md5Answer) => void; readonly reject: (error: unknown) => void };
  const waiting = new Map<number, Waiting>();
  let lastId = 0;
  let worker: Worker | undefined;
  const start = (): Worker => {
    const started = new Worker(new URL('./s3-md5-worker.ts', import.meta.url), { env: {} });
    const fail = (reason: string): void => {
      worker = undefined;
      const error = new ChannelError('failed', `expected the MD5 of a part, ${reason}`);
      for (const { reject } of waiting.values()) reject(error);
      waiting.clear();
    };
    started.on('message', (answer: Md5Answer) => {
      waiting.get(answer.id)?.resolve(answer);
      waiting.delete(answer.id);
    });
    started.on('error', ({ message }) => fail(`its thread failed: ${message}`));
    started.on('exit', () => fail('its thread has ended'));
    return started;
  };
  return {
    async digest(bytes) {
      worker ??= start();
      const thread = worker;
      lastId += 1;
      const id = lastId;
      const answer = await new Promise<Md5Answer>((resolve, reject) => {
        waiting.set(id, { resolve, reject });
        const request: Md5Request = { id, bytes };
        thread.postMessage(request, [bytes.buffer]);
      });
      const { buffer, byteOffset, length } = answer.bytes;
      return { bytes: Buffer.from(buffer, byteOffset, length), md5: answer.md5 };
    },
    close: async () => void (await worker?.terminate()),
  };
}
