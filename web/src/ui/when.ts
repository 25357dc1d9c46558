const DAY = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric' });
const MOMENT = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
});
const CLOCK = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', second: '2-digit' });
const RELATIVE = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });
const UNITS = [
  { unit: 'day', ms: 86_400_000 },
  { unit: 'hour', ms: 3_600_000 },
  { unit: 'minute', ms: 60_000 },
] as const;
/** Beyond this a date says more than a number of days. */
const MAX_DAYS = 60;

/** `3 Nov 2026` */
export const formatDay = (time: string): string => DAY.format(new Date(time));
/** `3 Nov 2026, 14:05:12` */
export const formatMoment = (time: string): string => MOMENT.format(new Date(time));

const HALF_A_DAY_MS = 43_200_000;

/** `14:05:12`, with the date where that is further away than half a day. */
export const formatClock = (time: string, now = Date.now()): string =>
  Math.abs(Date.parse(time) - now) < HALF_A_DAY_MS ? CLOCK.format(new Date(time)) : formatMoment(time);

/** `2 hours ago`, `in 30 days`, `just now`; a date when that is far away. */
export function formatRelative(time: string, now: number): string {
  const distance = Date.parse(time) - now;
  const size = Math.abs(distance);
  if (size > MAX_DAYS * UNITS[0].ms) return formatDay(time);
  const fitting = UNITS.find(({ ms }) => size >= ms);
  if (fitting) return RELATIVE.format(Math.round(distance / fitting.ms), fitting.unit);
  return distance > 0 ? 'in a moment' : 'just now';
}
