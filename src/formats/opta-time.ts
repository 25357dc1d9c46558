import { DAY_MS, HOUR_MS } from '../base/index.ts';

const STAMP = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)(?:\.(\d{1,6}))?(Z)?$/;

/** 01:00 UTC of the last Sunday of a month (0-based), when British clocks change (EU directive 2000/84/EC, kept by the UK). */
function changeOfClocks(year: number, month: number): number {
  const last = Date.UTC(year, month + 1, 0, 1);
  return last - new Date(last).getUTCDay() * DAY_MS;
}

function isSummerTime(utcMs: number): boolean {
  const year = new Date(utcMs).getUTCFullYear();
  return utcMs >= changeOfClocks(year, 2) && utcMs < changeOfClocks(year, 9);
}

/**
 * A time of the feed in ms since 1970: UTC with a Z, else British time. The part behind the point is a **number of ms**
 * without leading zeros: `.94` is 94 ms. Long fractions are digits, as everywhere. `undefined` for anything else.
 */
export function readOptaTime(text: string): number | undefined {
  const found = STAMP.exec(text.trim());
  if (!found) return undefined;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = found.slice(1, 7).map(Number);
  const fraction = found[7] ?? '0';
  const ms = fraction.length <= 3 ? Number(fraction) : Math.floor(Number(`0.${fraction}`) * 1000);
  const written = Date.UTC(year, month - 1, day, hour, minute, second, ms);
  if (found[8] === 'Z') return written;
  // In the hour that comes twice in autumn, summer time is taken: nobody plays then.
  return isSummerTime(written - HOUR_MS) ? written - HOUR_MS : written;
}
