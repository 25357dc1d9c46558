import type { FrameRate } from './types.ts';

/** Rates that cameras and broadcasters use (SMPTE ST 2014, ITU-R BT.2020 and the slow motion modes of phones). */
const STANDARD_RATES: readonly FrameRate[] = [
  { num: 24000, den: 1001 },
  { num: 24, den: 1 },
  { num: 25, den: 1 },
  { num: 30000, den: 1001 },
  { num: 30, den: 1 },
  { num: 48000, den: 1001 },
  { num: 48, den: 1 },
  { num: 50, den: 1 },
  { num: 60000, den: 1001 },
  { num: 60, den: 1 },
  { num: 100, den: 1 },
  { num: 120000, den: 1001 },
  { num: 120, den: 1 },
  { num: 200, den: 1 },
  { num: 240000, den: 1001 },
  { num: 240, den: 1 },
];

/** 24 and 24000/1001 differ by 0.1 %; a phone's average strays further, and the nearest standard rate is meant. */
const SNAP_TOLERANCE = 0.01;

/** Half of the 0.1 % between 24 and 24000/1001: closer rates are the same. */
const AGREEMENT = 0.0005;
/** A nominal rate of twice the average counts fields; below that it is the rate that a camera aimed at. */
const MAX_NOMINAL_RATIO = 1.9;

/** The rate of a proxy is at most this: 60 frames a second is what every browser plays at 720p. */
const MAX_PROXY_RATE = 60;

/** Frames per second as a decimal, for comparisons only. */
export function decimalRate(rate: FrameRate): number {
  return rate.num / rate.den;
}

/** Reads ffprobe's `30000/1001`; `0/0` and anything that is no rate is undefined. */
export function parseRate(text: string | undefined): FrameRate | undefined {
  const match = /^(\d{1,9})\/(\d{1,9})$/.exec(text ?? '');
  const num = Number(match?.[1] ?? 0);
  const den = Number(match?.[2] ?? 0);
  return num > 0 && den > 0 ? { num, den } : undefined;
}

/**
 * Chooses between the two rates that ffprobe reports, the nominal one (exact, but the field rate of interlaced H.264 and
 * the clock of some phones, such as 90000) and the average (right, but inexact). Nominal where it is plausible; else the
 * standard rate nearest to the average; else the average. Variable where the two disagree.
 */
export function chooseRate(options: {
  readonly nominal: FrameRate | undefined;
  readonly average: FrameRate | undefined;
}): { readonly rate: FrameRate; readonly isVariable: boolean } | undefined {
  const { nominal, average } = options;
  if (!average) return nominal && { rate: nominal, isVariable: false };
  const ratio = nominal ? decimalRate(nominal) / decimalRate(average) : Number.POSITIVE_INFINITY;
  const isVariable = Math.abs(ratio - 1) > AGREEMENT && Math.abs(ratio - 2) > AGREEMENT;
  if (nominal && ratio < MAX_NOMINAL_RATIO) return { rate: nominal, isVariable };
  const nearest = STANDARD_RATES.toSorted((left, right) => distance(left, average) - distance(right, average))[0];
  const isNear = nearest !== undefined && distance(nearest, average) <= decimalRate(average) * SNAP_TOLERANCE;
  return { rate: isNear ? nearest : average, isVariable };
}

/** The proxy's rate: the source's own, halved until it is at most 60, so that frames stay a subset of the source's. */
export function proxyRate(rate: FrameRate): FrameRate {
  let { num, den } = rate;
  while (num / den > MAX_PROXY_RATE) den *= 2;
  const divisor = greatestCommonDivisor(num, den);
  num /= divisor;
  return { num, den: den / divisor };
}

/**
 * Number of the frame that shows at `positionMs`. Positions are whole milliseconds, so frame starts may have been rounded
 * down by up to half a millisecond; that half is given back, or the frame before would be found.
 */
export function frameAt(options: { readonly positionMs: number; readonly rate: FrameRate }): number {
  return Math.max(0, Math.floor(((options.positionMs + 0.5) * options.rate.num) / (1000 * options.rate.den)));
}

function distance(left: FrameRate, right: FrameRate): number {
  return Math.abs(decimalRate(left) - decimalRate(right));
}

function greatestCommonDivisor(left: number, right: number): number {
  return right === 0 ? left : greatestCommonDivisor(right, left % right);
}
