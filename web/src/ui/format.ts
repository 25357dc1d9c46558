/** `0:12`, `1:02:05`. */
export function formatDuration(durationMs: number): string {
  const seconds = Math.round(durationMs / 1000);
  const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  const [hours = 0, minutes = 0, rest = 0] = parts;
  const tail = `${String(minutes).padStart(hours > 0 ? 2 : 1, '0')}:${String(rest).padStart(2, '0')}`;
  return hours > 0 ? `${hours}:${tail}` : tail;
}

const COUNT = new Intl.NumberFormat('en');
const SHORT = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 });

export const formatCount = (count: number): string => COUNT.format(count);
/** `1.2K` from ten thousand on. */
export const formatShortCount = (count: number): string => (count < 10_000 ? formatCount(count) : SHORT.format(count));

export const plural = (count: number, one: string, many = `${one}s`): string =>
  `${formatCount(count)} ${count === 1 ? one : many}`;

const BYTE_UNITS = ['bytes', 'kB', 'MB', 'GB', 'TB', 'PB'] as const;

/** `853 bytes`, `1.2 MB`; 1 kB is 1,000 bytes, as drives and lines are sold. */
export function formatBytes(bytes: number): string {
  if (bytes < 1000) return plural(Math.round(bytes), 'byte');
  let value = bytes / 1000;
  let unit = 1;
  while (value >= 999.5 && unit < BYTE_UNITS.length - 1) {
    value /= 1000;
    unit += 1;
  }
  return `${value < 99.95 ? value.toFixed(1) : Math.round(value)} ${BYTE_UNITS[unit]}`;
}
