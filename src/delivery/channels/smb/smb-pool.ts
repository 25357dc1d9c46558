import { ChannelError } from '../../channel.ts';
import type { SmbWorker } from './smb-worker.ts';

/** Children that are lent to one piece of work each: the library does one thing at a time. */
export type SmbPool = {
  /** The first child that is free, or that has started. */
  borrow(signal: AbortSignal): Promise<SmbLoan>;
  use<Result>(signal: AbortSignal, work: (worker: SmbWorker) => Promise<Result>): Promise<Result>;
  /** One more for work that has one already. All others go before, and who ends the signal goes on without. */
  borrowSpare(signal: AbortSignal): Promise<SmbLoan>;
  /** Ends all children. Never throws. */
  close(): Promise<void>;
};

/** Given back once. A child that is still busy then is ended. */
export type SmbLoan = { readonly worker: SmbWorker; release(): void };

type Waiter = { readonly isSpare: boolean; take(worker: SmbWorker): void; fail(error: unknown): void };

/** At most `limit` children; `start` makes a connected one. Starting takes longer than most work, hence nobody waits for a certain one. */
export function createSmbPool(options: {
  readonly limit: number;
  readonly start: (signal: AbortSignal) => Promise<SmbWorker>;
}): SmbPool {
  const closing = new AbortController();
  const all = new Set<SmbWorker>();
  const idle: SmbWorker[] = [];
  const starts = new Set<Promise<void>>();
  const waiters: Waiter[] = [];

  const drop = (worker: SmbWorker): void => {
    all.delete(worker);
    void worker.kill();
  };
  const nextWaiter = (): Waiter | undefined => {
    const at = waiters.findIndex(({ isSpare }) => !isSpare);
    return waiters.splice(Math.max(0, at), 1)[0];
  };
  const begin = async (): Promise<void> => {
    try {
      const worker = await options.start(closing.signal);
      all.add(worker);
      idle.push(worker);
    } catch (error) {
      nextWaiter()?.fail(error);
    }
  };
  const serve = (): void => {
    while (idle.length > 0 && waiters.length > 0) {
      const worker = idle.pop();
      if (!worker) break;
      if (worker.isLost) drop(worker);
      else nextWaiter()?.take(worker);
    }
    while (starts.size < waiters.length && all.size + starts.size < options.limit) {
      const start = begin().finally(() => {
        starts.delete(start);
        serve();
      });
      starts.add(start);
    }
  };
  const lend = (worker: SmbWorker): SmbLoan => ({
    worker,
    release: () => {
      if (worker.isLost) {
        // What ended one connection has mostly ended the others, which have not been asked since.
        for (const other of idle.splice(0)) drop(other);
      }
      if (worker.isLost || worker.pending > 0 || closing.signal.aborted) drop(worker);
      else idle.push(worker);
      serve();
    },
  });
  const wait = (signal: AbortSignal, isSpare: boolean): Promise<SmbLoan> =>
    new Promise((resolve, reject) => {
      const ended = AbortSignal.any([signal, closing.signal]);
      const leave = (): void => {
        waiters.splice(waiters.indexOf(waiter), 1);
        reject(ended.reason);
      };
      const waiter: Waiter = {
        isSpare,
        take: (worker) => {
          ended.removeEventListener('abort', leave);
          resolve(lend(worker));
        },
        fail: (error) => {
          ended.removeEventListener('abort', leave);
          reject(error);
        },
      };
      if (ended.aborted) return reject(ended.reason);
      ended.addEventListener('abort', leave, { once: true });
      waiters.push(waiter);
      return serve();
    });

  return {
    borrow: (signal) => wait(signal, false),
    borrowSpare: (signal) => wait(signal, true),
    async use(signal, work) {
      const { worker, release } = await wait(signal, false);
      try {
        return await work(worker);
      } finally {
        release();
      }
    },
    async close() {
      closing.abort(new ChannelError('connection_lost', 'expected an open session, it was closed'));
      await Promise.all(starts);
      await Promise.all([...all].map((worker) => worker.kill()));
      all.clear();
    },
  };
}
