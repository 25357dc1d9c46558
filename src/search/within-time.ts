import { AppError } from '../base/index.ts';

/**
 * Waits for work that others may wait for too: an end of the signal or of the time ends the wait, not the work.
 * @throws AppError `unavailable` after `limitMs`; the reason of the signal
 */
export async function withinTime<T>(
  work: Promise<T>,
  options: { readonly limitMs?: number | undefined; readonly signal?: AbortSignal | undefined },
): Promise<T> {
  const { limitMs, signal } = options;
  // Whoever stops waiting leaves the failure to the others.
  work.catch(() => {});
  signal?.throwIfAborted();
  let stop = (): void => {};
  const end = new Promise<never>((_, reject) => {
    const onAbort = (): void => reject(signal?.reason);
    signal?.addEventListener('abort', onAbort, { once: true });
    const timer =
      limitMs === undefined
        ? undefined
        : setTimeout(() => reject(new AppError('unavailable', `nothing came within ${limitMs} ms`)), limitMs);
    stop = () => {
      signal?.removeEventListener('abort', onAbort);
      clearTimeout(timer);
    };
  });
  try {
    return await Promise.race([work, end]);
  } finally {
    stop();
  }
}
