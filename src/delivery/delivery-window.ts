/** When deliveries may start: on some days, between two times by the clocks of a place, also across midnight. */
import { DAY_MS, invalidField, MINUTE_MS } from '../base/index.ts';

export const WINDOW_DAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const;
export type WindowDay = (typeof WINDOW_DAYS)[number];

export type DeliveryWindow = {
  /** On which it opens. */
  readonly days: readonly WindowDay[];
  /** HH:mm. */
  readonly from: string;
  /** HH:mm; not behind `from`: of the next day. The same: 24 hours. */
  readonly to: string;
  /** IANA, such as Europe/Berlin. */
  readonly time_zone: string;
};

type Day = { readonly year: number; readonly month: number; readonly day: number };

/** @throws AppError `validation_failed` for a time zone that nobody knows */
export function checkWindow(window: DeliveryWindow): void {
  try {
    formatterOf(window.time_zone);
  } catch {
    throw invalidField('/window/time_zone', `expected an IANA time zone such as Europe/Berlin, received another text`);
  }
}

const formatters = new Map<string, Intl.DateTimeFormat>();

/** Making one takes a hundred times as long as using it. @throws RangeError */
function formatterOf(timeZone: string): Intl.DateTimeFormat {
  const known = formatters.get(timeZone);
  if (known) return known;
  const made = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  formatters.set(timeZone, made);
  return made;
}

/** What clocks of the zone show, as if they showed UTC. */
function wallMs(atMs: number, timeZone: string): number {
  const parts = Object.fromEntries(
    formatterOf(timeZone)
      .formatToParts(atMs)
      .map(({ type, value }) => [type, Number(value)]),
  );
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts;
  return Date.UTC(year, month - 1, day, hour, minute, second);
}

/**
 * The instants at which clocks of the zone show a time: two in the night in which they are put back, and where they are put forward
 * past it, the one at which that happens.
 */
function instantsOf(wall: number, timeZone: string): { readonly first: number; readonly last: number } {
  // Zones are at most 14 hours from UTC and change by less than a day: the offsets around the time are all that can count.
  const offsets = [wall - DAY_MS, wall + DAY_MS].map((at) => wallMs(at, timeZone) - at);
  const hits = [...new Set(offsets)].map((offset) => wall - offset).filter((at) => wallMs(at, timeZone) === wall);
  if (hits.length > 0) return { first: Math.min(...hits), last: Math.max(...hits) };
  const [before = 0] = offsets;
  // In the gap: as many minutes behind it as the time lies in it would be later than asked for, so its end is looked up.
  let at = wall - before;
  while (wallMs(at - MINUTE_MS, timeZone) > wall) at -= MINUTE_MS;
  return { first: at, last: at };
}

const minutesOf = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3, 5));

function opening(window: DeliveryWindow, day: Day): { readonly openMs: number; readonly closeMs: number } {
  const midnight = Date.UTC(day.year, day.month, day.day);
  const [from, to] = [minutesOf(window.from), minutesOf(window.to)];
  const end = to > from ? midnight + to * MINUTE_MS : midnight + DAY_MS + to * MINUTE_MS;
  return {
    openMs: instantsOf(midnight + from * MINUTE_MS, window.time_zone).first,
    closeMs: instantsOf(end, window.time_zone).last,
  };
}

/** Undefined while deliveries may start; else when they may. */
export function nextOpening(window: DeliveryWindow, now: Date): Date | undefined {
  const nowMs = now.getTime();
  const today = wallMs(nowMs, window.time_zone);
  // The day before may reach into this one; in eight days every weekday has come again.
  for (let offset = -1; offset <= 8; offset += 1) {
    const at = new Date(today + offset * DAY_MS);
    const weekday = WINDOW_DAYS[(at.getUTCDay() + 6) % 7];
    if (!window.days.some((day) => day === weekday)) continue;
    const { openMs, closeMs } = opening(window, {
      year: at.getUTCFullYear(),
      month: at.getUTCMonth(),
      day: at.getUTCDate(),
    });
    if (nowMs < openMs) return new Date(openMs);
    if (nowMs < closeMs) return undefined;
  }
  throw new Error('a window without days');
}
