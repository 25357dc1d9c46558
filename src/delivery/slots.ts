/** As many at a time as a destination takes, in the order in which they came. */
export type Slots = {
  /** From now on; what has begun goes on. */
  limit(concurrency: number): void;
  /** Runs `work` when it has its turn. Rejects as it does, and with the signal's reason while it waits. */
  use<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T>;
  /** How long the last one took that ended, its wait left out; undefined before that. */
  readonly lastMs: number | undefined;
};

export function createSlots(): Slots {
  const waiting: (() => void)[] = [];
  let [most, used] = [1, 0];
  let lastMs: number | undefined;

  const admit = (): void => {
    while (used < most) {
      const next = waiting.shift();
      if (!next) return;
      used += 1;
      next();
    }
  };
  const enter = (signal: AbortSignal): Promise<void> =>
    new Promise((resolve, reject) => {
      signal.throwIfAborted();
      const onAbort = (): void => {
        waiting.splice(waiting.indexOf(begin), 1);
        reject(signal.reason);
      };
      const begin = (): void => {
        signal.removeEventListener('abort', onAbort);
        resolve();
      };
      signal.addEventListener('abort', onAbort, { once: true });
      waiting.push(begin);
      admit();
    });

  return {
    limit(concurrency) {
      most = concurrency;
      admit();
    },
    async use(signal, work) {
      await enter(signal);
      const startedMs = performance.now();
      try {
        return await work();
      } finally {
        lastMs = performance.now() - startedMs;
        used -= 1;
        admit();
      }
    },
    get lastMs() {
      return lastMs;
    },
  };
}
