import type { Worker } from 'node:worker_threads';
import { MIB } from '../../../base/index.ts';
import { ChannelError } from '../../channel.ts';
import { startThread } from '../threads/start-thread.ts';

/** Larger ones are worth a progress, and can be cancelled. */
export const SMALL_BYTES = MIB;
/** A further thread for each of these: its start takes 40 ms of a processor, and a file saves 0.2 of those that it takes without one. */
const FILES_PER_THREAD = 32;
const THREADS_MAX = 8;

/** A file of this machine that nobody has tried to put before. */
export type SmallFile = {
  readonly file: string;
  readonly temporary: string;
  readonly target: string;
  readonly bytes: number;
  readonly sha256: string;
  readonly mode: number;
  readonly replace: boolean;
};
/** Whether the file is there, checked and on the disk: false leaves nothing behind. A fault is one that came after its name. */
export type SmallFileAnswer = boolean | { readonly message: string; readonly code: string | undefined };

export type SmallFiles = {
  /**
   * False: the file is still to be put, because no thread is free or because something is in its way that a put on the long way tells.
   * @throws what came after it had its name, and ChannelError when the session is closed meanwhile
   */
  put(file: SmallFile): Promise<boolean>;
  close(): Promise<void>;
};

type Thread = {
  readonly worker: Worker;
  waiting?: { readonly resolve: (isPut: boolean) => void; readonly reject: (error: unknown) => void } | undefined;
};

/**
 * Threads that put one file at a time with calls that wait. Each of the fifteen steps of a file that goes through Node's own threads wakes
 * one of them and then the service again, which takes longer than most of the steps, and all other work with files waits behind them.
 */
export function createSmallFiles({ most }: { readonly most: number }): SmallFiles {
  const threads = new Set<Thread>();
  const free: Thread[] = [];
  let asked = 0;
  let isClosed = false;

  const start = (): void => {
    const worker = startThread(new URL('./folder-small-worker.ts', import.meta.url));
    const thread: Thread = { worker };
    threads.add(thread);
    const end = (error: Error): void => {
      threads.delete(thread);
      const at = free.indexOf(thread);
      if (at >= 0) free.splice(at, 1);
      thread.waiting?.reject(error);
      thread.waiting = undefined;
    };
    worker.on('online', () => free.push(thread));
    worker.on('message', (answer: SmallFileAnswer) => {
      const { waiting } = thread;
      thread.waiting = undefined;
      free.push(thread);
      if (typeof answer === 'boolean') waiting?.resolve(answer);
      else waiting?.reject(Object.assign(new Error(answer.message), { code: answer.code }));
    });
    worker.on('error', ({ message }) =>
      end(new ChannelError('failed', `the thread of small files failed: ${message}`)),
    );
    worker.on('exit', () => end(new ChannelError('connection_lost', 'expected an open session, it was closed')));
  };

  return {
    put: async (file) => {
      asked += 1;
      if (isClosed) return false;
      const thread = free.pop();
      if (!thread) {
        const wanted = Math.min(Math.floor(asked / FILES_PER_THREAD), most, THREADS_MAX);
        // Nobody waits for its start.
        if (threads.size < wanted) start();
        return false;
      }
      return new Promise((resolve, reject) => {
        thread.waiting = { resolve, reject };
        thread.worker.postMessage(file, []);
      });
    },
    close: async () => {
      isClosed = true;
      await Promise.all([...threads].map(({ worker }) => worker.terminate()));
    },
  };
}
