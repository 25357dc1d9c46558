import type { FacetBucket } from '../api/media-search.ts';

export type DateUnit = 'day' | 'week' | 'month' | 'year';
/** One bar: what was taken from `from` on and before `before` (dates). */
export type DateBar = { readonly from: string; readonly before: string; readonly count: number };

/** More bars than this are thinner than a finger or a mouse can hit. */
const MAX_BARS = 240;
const MAX_MONTHS_BY_DAY = 2;
const MAX_MONTHS_BY_WEEK = 18;

const dateOf = (year: number, month: number, day: number): string =>
  new Date(Date.UTC(year, month, day)).toISOString().slice(0, 10);

function partsOf(date: string): readonly [number, number, number] {
  const [year = 0, month = 1, day = 1] = date.slice(0, 10).split('-').map(Number);
  return [year, month - 1, day];
}

export function startOf(unit: DateUnit, date: string): string {
  const [year, month, day] = partsOf(date);
  if (unit === 'week') {
    // Weeks begin on Monday, as those of the service.
    const sinceMonday = (new Date(Date.UTC(year, month, day)).getUTCDay() + 6) % 7;
    return dateOf(year, month, day - sinceMonday);
  }
  return dateOf(year, unit === 'year' ? 0 : month, unit === 'day' ? day : 1);
}

export function nextOf(unit: DateUnit, date: string): string {
  const [year, month, day] = partsOf(date);
  if (unit === 'year') return dateOf(year + 1, 0, 1);
  if (unit === 'month') return dateOf(year, month + 1, 1);
  return dateOf(year, month, day + (unit === 'week' ? 7 : 1));
}

function monthsBetween(first: string, last: string): number {
  const [fromYear, fromMonth] = partsOf(first);
  const [toYear, toMonth] = partsOf(last);
  return (toYear - fromYear) * 12 + toMonth - fromMonth + 1;
}

/** By what unit a library is best shown, from its months (in order). */
export function unitFor(months: readonly FacetBucket[]): DateUnit {
  const first = months[0]?.value;
  const last = months.at(-1)?.value;
  if (first === undefined || last === undefined) return 'month';
  const count = monthsBetween(String(first), String(last));
  if (count <= MAX_MONTHS_BY_DAY) return 'day';
  if (count <= MAX_MONTHS_BY_WEEK) return 'week';
  return count <= MAX_BARS ? 'month' : 'year';
}

/** Bars without gaps, from buckets in order whose unit is at most the one wanted. */
export function barsOf(buckets: readonly FacetBucket[], unit: DateUnit): readonly DateBar[] {
  const counts = new Map<string, number>();
  for (const { value, count } of buckets) {
    const start = startOf(unit, String(value));
    counts.set(start, (counts.get(start) ?? 0) + count);
  }
  const [first] = counts.keys();
  const last = [...counts.keys()].at(-1);
  const bars: DateBar[] = [];
  if (first === undefined || last === undefined) return bars;
  for (let from = first; from <= last && bars.length < 4 * MAX_BARS; from = nextOf(unit, from)) {
    bars.push({ from, before: nextOf(unit, from), count: counts.get(from) ?? 0 });
  }
  return bars;
}

/** The bars that a range of dates touches; all of them where it is open. */
export function barsWithin(
  bars: readonly DateBar[],
  range: { readonly from: string | undefined; readonly before: string | undefined },
): { readonly first: number; readonly last: number } {
  const { from, before } = range;
  const first = from === undefined ? 0 : bars.findIndex((bar) => bar.before > from);
  const last = before === undefined ? bars.length - 1 : bars.findLastIndex((bar) => bar.from < before);
  const clamp = (index: number) => Math.min(bars.length - 1, Math.max(0, index));
  return { first: first < 0 ? clamp(bars.length - 1) : first, last: last < 0 ? 0 : clamp(last) };
}

const FORMATS: Readonly<Record<DateUnit, Intl.DateTimeFormat>> = {
  day: new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' }),
  week: new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' }),
  month: new Intl.DateTimeFormat('en-GB', { month: 'short', year: 'numeric', timeZone: 'UTC' }),
  year: new Intl.DateTimeFormat('en-GB', { year: 'numeric', timeZone: 'UTC' }),
};

/** `14 Mar 2026`, `Mar 2026`; of a week its first day, or its last one where that is the end of a range. */
export function formatBar(unit: DateUnit, bar: DateBar, end: 'first' | 'last' = 'first'): string {
  const day = end === 'last' && unit === 'week' ? Date.parse(bar.before) - 86_400_000 : Date.parse(bar.from);
  return FORMATS[unit].format(day);
}
