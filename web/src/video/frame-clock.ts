/**
 * Frames of the video that plays. A `<video>` counts seconds as a float; asking it for the very beginning of a frame may show
 * the one before, so that frames are asked for at their middle.
 */
import {
  type FrameRate,
  frameToMs,
  frameToTimecode,
  msToFrame,
  timecodeFormatFrom,
  timecodeToMs,
} from '../../../src/base/timecode.ts';

export type FrameClock = {
  readonly rate: FrameRate;
  /** Number of frames of the video, at least 1. */
  readonly frames: number;
  /** The frame on screen at a time in seconds, 0-based, never beyond the last one. */
  frameAt(seconds: number): number;
  /** Where to seek for a frame, in seconds: its middle. */
  seekTo(frame: number): number;
  /** When a frame begins, in ms, rounded up as the API rounds: the frame at that ms is the same frame. */
  msOf(frame: number): number;
  /** The frame on screen at a position of the API. */
  frameAtMs(ms: number): number;
  /** SMPTE timecode as on the clock of the file. */
  timecodeOf(frame: number): string;
  /** When the frame of a timecode begins, in ms. @throws AppError when it is none at this rate */
  msOfTimecode(text: string): number;
};

/** What a video of an unknown rate is stepped by. */
const UNKNOWN_RATE: FrameRate = { num: 25, den: 1 };
/** A float that was meant as the beginning of a frame is this much below it at most, in frames. */
const SLACK = 1e-4;

export function createFrameClock(video: {
  readonly rate: FrameRate | null;
  readonly durationMs: number;
  /** What the clock of the file shows at its first frame; without it, and at an unknown rate, it counts from 0. */
  readonly startTimecode?: string | null;
}): FrameClock {
  const rate = video.rate ?? UNKNOWN_RATE;
  const format = timecodeFormatFrom(rate, video.rate === null ? null : (video.startTimecode ?? null));
  const perSecond = rate.num / rate.den;
  const frames = Math.max(1, Math.round((video.durationMs / 1000) * perSecond));
  const within = (frame: number) => Math.min(Math.max(frame, 0), frames - 1);
  return {
    rate,
    frames,
    frameAt: (seconds) => within(Math.floor(seconds * perSecond + SLACK)),
    seekTo: (frame) => (within(frame) + 0.5) / perSecond,
    msOf: (frame) => frameToMs(within(frame), rate),
    frameAtMs: (ms) => within(msToFrame(Math.max(0, ms), rate)),
    timecodeOf: (frame) => frameToTimecode(within(frame) + format.startFrame, format),
    msOfTimecode: (text) => timecodeToMs(text, format),
  };
}

/** `1:02:03.4`, or `2:03.4` below an hour. */
export function formatClock(ms: number): string {
  const tenths = Math.round(Math.max(0, ms) / 100);
  const seconds = Math.floor(tenths / 10);
  const two = (value: number) => String(value).padStart(2, '0');
  const [h, m, s] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  return `${h > 0 ? `${h}:${two(m)}` : m}:${two(s)}.${tenths % 10}`;
}
