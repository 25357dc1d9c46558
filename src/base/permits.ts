import { AppError } from './errors.ts';

export type Permits = {
  /**
   * Runs `work` when one of the permits is free.
   * @throws AppError `overloaded` when the waiting line is full or the wait exceeds `maxWaitMs`.
   */
  run<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T>;
  readonly running: number;
  readonly waiting: number;
};

/** Two limits, running and waiting: a full line is an immediate refusal, so that latency stays bounded under overload. */
export function createPermits(options: {
  readonly name: string;
  readonly running: number;
  readonly waiting: number;
  readonly maxWaitMs: number;
}): Permits {
  type Waiter = { readonly admit: () => void; readonly refuse: (error: unknown) => void };
  const line: Waiter[] = [];
  let running = 0;

  const overloaded = (why: string) => new AppError('overloaded', `${options.name}: ${why}`, { retryAfterSeconds: 1 });

  const enter = (signal: AbortSignal | undefined): Promise<void> => {
    if (signal?.aborted) return Promise.reject(signal.reason);
    if (running < options.running) {
      running += 1;
      return Promise.resolve();
    }
    if (line.length >= options.waiting) return Promise.reject(overloaded('the waiting line is full'));
    return new Promise<void>((resolve, reject) => {
      const leave = () => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', onAbort);
        const at = line.indexOf(waiter);
        if (at >= 0) line.splice(at, 1);
      };
      const waiter: Waiter = {
        admit: () => {
          leave();
          resolve();
        },
        refuse: (error) => {
          leave();
          reject(error);
        },
      };
      const onAbort = () => waiter.refuse(signal?.reason);
      const timer = setTimeout(() => waiter.refuse(overloaded('waited too long')), options.maxWaitMs);
      signal?.addEventListener('abort', onAbort, { once: true });
      line.push(waiter);
    });
  };

  return {
    async run(work, signal) {
      await enter(signal);
      try {
        return await work();
      } finally {
        const next = line[0];
        if (next) next.admit();
        else running -= 1;
      }
    },
    get running() {
      return running;
    },
    get waiting() {
      return line.length;
    },
  };
}
