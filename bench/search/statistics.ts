/** Figures of one run. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}

export const median = (values: readonly number[]): number => quantile(values, 0.5);

/** Milliseconds at 50 %, 95 % and 99 %. */
export function percentiles(values: readonly number[]): string {
  if (values.length === 0) return '-';
  return [0.5, 0.95, 0.99].map((share) => quantile(values, share).toFixed(2)).join(', ');
}

export async function timed<T>(work: () => Promise<T>): Promise<{ readonly ms: number; readonly value: T }> {
  const startedMs = performance.now();
  const value = await work();
  return { ms: performance.now() - startedMs, value };
}

export const mib = (bytes: number): string => `${(bytes / 2 ** 20).toFixed(0)} MiB`;
