/**
 * SMPTE ST 12-1 timecode over rational frame rates.
 *
 * Frame f of a video begins at f x den / num seconds and is on screen until frame f + 1 begins. Two rules follow:
 * - the frame at a time in ms is the one on screen then: floor(ms x num / (den x 1000));
 * - a frame in ms is its beginning rounded **up** to a whole ms, so that the frame at that ms is the same frame again.
 *   It holds below 1,000 frames a second, where a frame is longer than the ms that rounding may add.
 *
 * Timecode counts frames in whole "nominal" seconds (30 for 30000/1001), so at 29.97 it runs 3.6 s an hour slow. Drop frame
 * skips the numbers ;00 and ;01 (at 59.94 ;00 to ;03) at the start of every minute but each tenth, which keeps it within
 * two frames of the clock. 23.976 has no drop frame: an hour of timecode lasts 3,603.6 s.
 */
import { AppError, invalidField } from './errors.ts';

/** Frames per second as a fraction: `{ num: 30000, den: 1001 }`. */
export type FrameRate = { readonly num: number; readonly den: number };

/** What a frame number means on the clock face: its rate, and whether numbers are dropped. */
export type TimecodeFormat = { readonly rate: FrameRate; readonly dropFrame: boolean };

const MAX_RATE = 999;
const TIMECODE = /^(\d{2}):(\d{2}):(\d{2})([:;.,])(\d{2,3})$/;

function gcd(a: number, b: number): number {
  return b === 0 ? a : gcd(b, a % b);
}

/** The fraction in lowest terms. @throws validation_failed when it is no rate between 1 and 999 frames a second */
function reduced(rate: FrameRate): FrameRate {
  const { num, den } = rate;
  const isRate = Number.isSafeInteger(num) && Number.isSafeInteger(den) && num > 0 && den > 0;
  if (!isRate || num < den || num > MAX_RATE * den) {
    throw invalidField('frame_rate', `expected a rate from 1 to ${MAX_RATE} frames a second, received ${num}/${den}`);
  }
  const divisor = gcd(num, den);
  return { num: num / divisor, den: den / divisor };
}

/** Quotient and remainder in whole numbers; the float quotient of two large numbers may be off by one. */
function divide(dividend: number, divisor: number): { readonly quotient: number; readonly remainder: number } {
  const remainder = dividend % divisor;
  return { quotient: (dividend - remainder) / divisor, remainder };
}

/** A product that is exact, or none at all. At 60000/1001 a whole number of ms fits up to 4.7 years. */
function exactProduct(field: string, a: number, b: number): number {
  const product = a * b;
  if (!Number.isSafeInteger(a) || a < 0 || !Number.isSafeInteger(product)) {
    throw invalidField(field, `expected a whole number from 0 that can be counted exactly, received ${a}`);
  }
  return product;
}

/** Frame numbers in a second of timecode: the rate, rounded (24 for 24000/1001). @throws validation_failed for no rate */
export function nominalRate(rate: FrameRate): number {
  const { num, den } = reduced(rate);
  return Math.round(num / den);
}

/** Whether drop frame exists at a rate: 30000/1001 and 60000/1001 only (ST 12-1). @throws validation_failed for no rate */
export function hasDropFrame(rate: FrameRate): boolean {
  const { num, den } = reduced(rate);
  return den === 1001 && (num === 30000 || num === 60000);
}

/** The frame on screen at a time, 0-based. @throws validation_failed for a negative or fractional ms, or no rate */
export function msToFrame(ms: number, rate: FrameRate): number {
  const { num, den } = reduced(rate);
  return divide(exactProduct('ms', ms, num), den * 1000).quotient;
}

/** When a frame begins, rounded up to a whole ms; the way back is the identity. @throws validation_failed as `msToFrame` */
export function frameToMs(frame: number, rate: FrameRate): number {
  const { num, den } = reduced(rate);
  const { quotient, remainder } = divide(exactProduct('frame', frame, den * 1000), num);
  return remainder === 0 ? quotient : quotient + 1;
}

type Counting = { readonly nominal: number; readonly dropped: number };

function countingOf(format: TimecodeFormat): Counting {
  const nominal = nominalRate(format.rate);
  if (!format.dropFrame) return { nominal, dropped: 0 };
  if (!hasDropFrame(format.rate)) {
    const { num, den } = format.rate;
    throw invalidField('drop_frame', `expected a rate of 30000/1001 or 60000/1001, received ${num}/${den}`);
  }
  return { nominal, dropped: nominal / 15 };
}

/** Frames until timecode begins again at 00:00:00:00: a day of numbers. @throws validation_failed for no format */
export function framesPerDay(format: TimecodeFormat): number {
  const { nominal, dropped } = countingOf(format);
  // 54 minutes of an hour drop numbers: all but the tenths.
  return 24 * (nominal * 3600 - dropped * 54);
}

/**
 * The timecode of a frame, `hh:mm:ss:ff`, with `;` before the frames for drop frame. It wraps at 24 h, below zero too.
 * @throws validation_failed for a frame that is no whole number, or no format
 */
export function frameToTimecode(frame: number, format: TimecodeFormat): string {
  if (!Number.isSafeInteger(frame)) throw invalidField('frame', `expected a whole number, received ${frame}`);
  const { nominal, dropped } = countingOf(format);
  const day = framesPerDay(format);
  const counted = ((frame % day) + day) % day;
  const perMinute = nominal * 60 - dropped;
  const tens = divide(counted, perMinute * 10 + dropped);
  // The first minute of ten keeps all its numbers, so it is longer by what the others drop.
  const minutesDropping = Math.max(0, Math.floor((tens.remainder - dropped) / perMinute));
  const number = counted + dropped * (9 * tens.quotient + minutesDropping);
  const second = Math.floor(number / nominal);
  const two = (value: number): string => String(value).padStart(2, '0');
  const clock = [Math.floor(second / 3600), Math.floor(second / 60) % 60, second % 60].map(two).join(':');
  // Above 100 frames a second the numbers need three digits, always, so that they sort.
  const frames = String(number % nominal).padStart(nominal > 100 ? 3 : 2, '0');
  return `${clock}${format.dropFrame ? ';' : ':'}${frames}`;
}

/**
 * The frame that a timecode names, 0-based from 00:00:00:00, and whether it was written as drop frame (`;`, `,` or `.`
 * before the frames, as edit systems write it).
 * @throws validation_failed when it is no timecode, out of range, drop frame at a rate without it, or a dropped number
 */
export function parseTimecode(text: string, rate: FrameRate): { readonly frame: number; readonly dropFrame: boolean } {
  const found = TIMECODE.exec(text.trim());
  if (!found) throw invalidField('timecode', `expected hh:mm:ss:ff or hh:mm:ss;ff, received "${text.slice(0, 40)}"`);
  const [hours = 0, minutes = 0, seconds = 0, frames = 0] = [found[1], found[2], found[3], found[5]].map(Number);
  const dropFrame = found[4] !== ':';
  const format = { rate, dropFrame };
  const { nominal, dropped } = countingOf(format);
  if (hours > 23 || minutes > 59 || seconds > 59 || frames >= nominal) {
    throw invalidField('timecode', `expected at most 23:59:59 and frame ${nominal - 1}, received ${found[0]}`);
  }
  if (seconds === 0 && frames < dropped && minutes % 10 !== 0) {
    const first = found[0].slice(0, -2) + String(dropped).padStart(2, '0');
    throw invalidField(
      'timecode',
      `expected a number that drop frame counts, received ${found[0]}: ${first} is the next`,
    );
  }
  const minute = hours * 60 + minutes;
  const frame = (minute * 60 + seconds) * nominal + frames - dropped * (minute - Math.floor(minute / 10));
  return { frame, dropFrame };
}

/**
 * How positions of a video are written whose first frame carries `startTimecode`. Without one, and with one that the rate does not
 * have (files carry such), they count from 00:00:00:00.
 */
export function timecodeFormatFrom(
  rate: FrameRate,
  startTimecode: string | null,
): TimecodeFormat & { readonly startFrame: number } {
  const fromZero = { rate, dropFrame: false, startFrame: 0 };
  if (startTimecode === null) return fromZero;
  try {
    const { frame, dropFrame } = parseTimecode(startTimecode, rate);
    return { rate, dropFrame, startFrame: frame };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return fromZero;
  }
}

/**
 * The timecode at a time in a video whose first frame carries `startFrame` (default 0).
 * @throws validation_failed as `msToFrame` and `frameToTimecode`
 */
export function timecodeAt(ms: number, format: TimecodeFormat & { readonly startFrame?: number }): string {
  return frameToTimecode(msToFrame(ms, format.rate) + (format.startFrame ?? 0), format);
}

/**
 * Where a timecode lies in a video, in ms from its first frame, which carries `startFrame` (default 0). A timecode before
 * the first frame is taken as after midnight: it wraps.
 * @throws validation_failed as `parseTimecode`
 */
export function timecodeToMs(text: string, format: { readonly rate: FrameRate; readonly startFrame?: number }): number {
  const { frame, dropFrame } = parseTimecode(text, format.rate);
  const day = framesPerDay({ rate: format.rate, dropFrame });
  const offset = (frame - (format.startFrame ?? 0)) % day;
  return frameToMs(offset < 0 ? offset + day : offset, format.rate);
}
