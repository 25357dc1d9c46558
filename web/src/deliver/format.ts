import { plural } from '../library/format.ts';

const UNITS = ['bytes', 'kB', 'MB', 'GB', 'TB'];

/** `3.1 MB`: powers of 1000, as storage and lines are sold. */
export function formatBytes(bytes: number): string {
  const power = Math.min(UNITS.length - 1, Math.max(0, Math.floor(Math.log10(Math.max(1, bytes)) / 3)));
  if (power === 0) return plural(bytes, 'byte');
  const value = bytes / 1000 ** power;
  return `${value < 10 ? value.toFixed(1) : Math.round(value)} ${UNITS[power]}`;
}

const CLOCK = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit', second: '2-digit' });
const DATE = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });
const DAY_MS = 86_400_000;

/** The time of day, with the date where it is further away. */
export function formatClock(time: string): string {
  const at = new Date(time);
  return Math.abs(at.getTime() - Date.now()) < DAY_MS / 2 ? CLOCK.format(at) : DATE.format(at);
}

export const formatTime = (time: string): string => DATE.format(new Date(time));
