import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../base/index.ts';
import type { TagBag } from './photo-metadata.ts';

/** A clock reading: `localMs` is what the clock showed, read as if it were UTC; the offset is known or not. */
type Reading = { readonly localMs: number; readonly offsetMinutes: number | undefined; readonly hasTime: boolean };

export type CaptureTime = { readonly capturedAt: Date; readonly capturedOffsetMinutes?: number };

const DATE_TIME =
  /^\s*(\d{4})[:\-/](\d{2})[:\-/](\d{2})(?:[ T](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?)?\s*(Z|[-+]\d{2}:?\d{2})?\s*$/;
const ZONE = /^\s*(?:(Z)|([-+])(\d{2}):?(\d{2}))\s*$/;

/** Photography begins in 1826; a clock beyond 2200 is a fault. */
const FIRST_YEAR = 1826;
const LAST_YEAR = 2200;
/** Two sources speak of the same moment if they differ by no more: agencies drop seconds, a GPS fix lags behind. */
const AGREEMENT_MS = 2 * MINUTE_MS;

/**
 * When the shutter opened: EXIF DateTimeOriginal with its sub-seconds and zone. A camera without zone borrows it from the GPS
 * clock or from an IPTC or XMP date of the same moment; failing that its clock is read as UTC and the offset stays unknown.
 * Without an EXIF time the IPTC, XMP and digitised dates serve, in this order.
 */
export function captureTime(tags: TagBag): CaptureTime | undefined {
  const shutter = shutterReading(tags);
  const editorial = [iptcReading(tags), parseReading(tags['XMP-photoshop:DateCreated'])].filter(isReading);
  const reading = shutter
    ? withZone(shutter, tags, editorial)
    : (editorial[0] ??
      [tags['ExifIFD:CreateDate'], tags['XMP-exif:DateTimeDigitized'], tags['XMP-xmp:CreateDate']]
        .map(parseReading)
        .find(isReading));
  if (!reading) return undefined;
  const capturedAt = new Date(reading.localMs - (reading.offsetMinutes ?? 0) * MINUTE_MS);
  return reading.offsetMinutes === undefined
    ? { capturedAt }
    : { capturedAt, capturedOffsetMinutes: reading.offsetMinutes };
}

function shutterReading(tags: TagBag): Reading | undefined {
  const original = parseReading(tags['ExifIFD:DateTimeOriginal']);
  if (!original) return parseReading(tags['XMP-exif:DateTimeOriginal']);
  const offsetMinutes = original.offsetMinutes ?? exifOffset(tags);
  const fraction = tags['ExifIFD:SubSecTimeOriginal'];
  const localMs = original.localMs + (original.localMs % SECOND_MS === 0 ? fractionMs(fraction) : 0);
  return { ...original, localMs, offsetMinutes };
}

/**
 * EXIF 2.31 OffsetTimeOriginal. OffsetTime belongs to the last change of the file, perhaps on a desk in another zone, so it
 * counts only while that change is the shot itself.
 */
function exifOffset(tags: TagBag): number | undefined {
  const own = parseOffset(tags['ExifIFD:OffsetTimeOriginal']) ?? parseOffset(tags['ExifIFD:OffsetTimeDigitized']);
  if (own !== undefined) return own;
  const unchanged = tags['IFD0:ModifyDate'] === tags['ExifIFD:DateTimeOriginal'];
  return unchanged ? parseOffset(tags['ExifIFD:OffsetTime']) : undefined;
}

function withZone(shutter: Reading, tags: TagBag, editorial: readonly Reading[]): Reading {
  if (shutter.offsetMinutes !== undefined) return shutter;
  const gpsOffset = offsetFromGps(shutter.localMs, tags);
  if (gpsOffset !== undefined) return { ...shutter, offsetMinutes: gpsOffset };
  for (const other of editorial) {
    if (other.offsetMinutes === undefined || !other.hasTime) continue;
    const sameClock = Math.abs(other.localMs - shutter.localMs) <= AGREEMENT_MS;
    if (sameClock) return { ...shutter, offsetMinutes: other.offsetMinutes };
    // The camera ran on UTC and the agency wrote local time: one instant, two clocks.
    const instantMs = other.localMs - other.offsetMinutes * MINUTE_MS;
    if (Math.abs(instantMs - shutter.localMs) <= AGREEMENT_MS) {
      return {
        ...shutter,
        localMs: shutter.localMs + other.offsetMinutes * MINUTE_MS,
        offsetMinutes: other.offsetMinutes,
      };
    }
    // Someone corrected the camera's clock: a full date with zone is the better witness within a day of the shot.
    const correction = Math.abs(instantMs - shutter.localMs) < DAY_MS && other.localMs % DAY_MS !== 0;
    if (correction) return other;
  }
  return shutter;
}

/** GPS time is UTC, so clock minus GPS is the zone, if the difference is one that exists on earth. */
function offsetFromGps(localMs: number, tags: TagBag): number | undefined {
  const gps = parseReading(`${String(tags['GPS:GPSDateStamp'])} ${String(tags['GPS:GPSTimeStamp'])}`);
  if (!gps) return undefined;
  const quarters = Math.round((localMs - gps.localMs) / (15 * MINUTE_MS));
  const offsetMinutes = quarters * 15;
  const lagMs = Math.abs(localMs - gps.localMs - offsetMinutes * MINUTE_MS);
  return lagMs <= AGREEMENT_MS && isZoneOffset(offsetMinutes) ? offsetMinutes : undefined;
}

/** Zones run from -12:00 to +14:00 in half hours, but for Nepal, Eucla and the Chatham Islands (IANA time zone database). */
function isZoneOffset(minutes: number): boolean {
  if (minutes < -12 * 60 || minutes > 14 * 60) return false;
  return minutes % 30 === 0 || [345, 525, 765, 825].includes(minutes);
}

/** IPTC 2:55 and 2:60: two fields, the time with its zone. */
function iptcReading(tags: TagBag): Reading | undefined {
  const date = tags['IPTC:DateCreated'];
  if (typeof date !== 'string') return undefined;
  const time = tags['IPTC:TimeCreated'];
  return (typeof time === 'string' ? parseReading(`${date} ${time}`) : undefined) ?? parseReading(date);
}

function parseReading(value: unknown): Reading | undefined {
  if (typeof value !== 'string' || value.length > 64) return undefined;
  const match = DATE_TIME.exec(value);
  if (!match) return undefined;
  const [year, month, day, hour, minute, second] = match.slice(1, 7).map((part) => Number(part ?? 0));
  if (year === undefined || month === undefined || day === undefined) return undefined;
  if (year < FIRST_YEAR || year > LAST_YEAR || month < 1 || month > 12 || day < 1) return undefined;
  const [h, m, s] = [hour ?? 0, minute ?? 0, Math.min(second ?? 0, 59)];
  if (h > 23 || m > 59 || day > new Date(Date.UTC(year, month, 0)).getUTCDate()) return undefined;
  return {
    localMs: Date.UTC(year, month - 1, day, h, m, s, fractionMs(match[7])),
    offsetMinutes: parseOffset(match[8]),
    hasTime: match[4] !== undefined,
  };
}

/** Minutes of `+02:00`, `-0330` or `Z`; undefined for what is no offset on earth. */
function parseOffset(value: unknown): number | undefined {
  if (typeof value !== 'string') return undefined;
  const match = ZONE.exec(value);
  if (!match) return undefined;
  if (match[1]) return 0;
  const minutes = Number(match[3]) * 60 + Number(match[4]);
  if (Number(match[4]) > 59 || minutes > (14 * HOUR_MS) / MINUTE_MS) return undefined;
  return match[2] === '-' && minutes > 0 ? -minutes : minutes;
}

/** Decimal digits after the point of a second, as EXIF SubSecTime holds them ("045" is 45 ms, 5 is half a second). */
function fractionMs(value: unknown): number {
  if (typeof value !== 'string' && typeof value !== 'number') return 0;
  const digits = /^\s*(\d{1,9})\s*$/.exec(String(value))?.[1];
  return digits === undefined ? 0 : Math.floor(Number(`0.${digits}`) * SECOND_MS);
}

function isReading(reading: Reading | undefined): reading is Reading {
  return reading !== undefined;
}
