import { AppError, type FrameRate, parseTimecode, timecodeAt, timecodeToMs } from '../base/index.ts';
import { type FieldReader, MS_RANGE, shown } from './field-reader.ts';

/** What timecodes of a file are counted in: the frame rate of the video and the timecode of its first frame. */
export type TimeBase = {
  readonly frameRate?: FrameRate;
  /** `hh:mm:ss:ff` or `hh:mm:ss;ff`; 00:00:00:00 where it is not given. */
  readonly startTimecode?: string;
};

/** Frame number and drop frame of the first frame. @throws validation_failed for a timecode that is none */
export function startOf(timeBase: TimeBase & { readonly frameRate: FrameRate }): {
  readonly startFrame: number;
  readonly dropFrame: boolean;
} {
  if (timeBase.startTimecode === undefined) return { startFrame: 0, dropFrame: false };
  const { frame, dropFrame } = parseTimecode(timeBase.startTimecode, timeBase.frameRate);
  return { startFrame: frame, dropFrame };
}

/** The timecode of a place in the video; `undefined` without a frame rate. @throws validation_failed as `startOf` */
export function mediaTimecode(ms: number, timeBase: TimeBase): string | undefined {
  const { frameRate } = timeBase;
  if (!frameRate) return undefined;
  return timecodeAt(ms, { rate: frameRate, ...startOf({ ...timeBase, frameRate }) });
}

const CLOCK = /^(?:(\d{1,3}):)?(\d{1,3}):([0-5]?\d)(?:[.,](\d{1,9}))?$/;
const SECONDS = /^\d{1,7}(?:[.,]\d{1,9})?$/;

/** A clock as `mm:ss`, `hh:mm:ss`, both with a fraction, or seconds, in whole ms; `undefined` for anything else. */
export function readClockMs(text: string): number | undefined {
  const trimmed = text.trim();
  if (SECONDS.test(trimmed)) return Math.round(Number(trimmed.replace(',', '.')) * 1000);
  const found = CLOCK.exec(trimmed);
  if (!found) return undefined;
  const [hours = 0, minutes = 0, seconds = 0] = [found[1], found[2], found[3]].map((part) => Number(part ?? 0));
  return (hours * 3600 + minutes * 60 + seconds) * 1000 + Math.round(Number(`0.${found[4] ?? '0'}`) * 1000);
}

/** Place of a time in the video, written as seconds, as a clock, or as a timecode where the frame rate is known. */
export function readMediaTime(
  fields: FieldReader,
  field: string,
  value: unknown,
  timeBase: TimeBase,
): number | undefined {
  if (value === undefined || value === null || value === '') return undefined;
  const text = typeof value === 'number' ? String(value) : typeof value === 'string' ? value.trim() : '';
  const clock = readClockMs(text);
  if (clock !== undefined) return fields.number(field, clock, MS_RANGE);
  if (!/^\d\d:\d\d:\d\d[:;.,]\d\d\d?$/.test(text)) {
    fields.problem(field, `expected seconds, hh:mm:ss.mmm or a timecode, received ${shown(value)}`);
    return undefined;
  }
  const { frameRate } = timeBase;
  if (!frameRate) {
    fields.problem(
      field,
      `expected a time without frames, as the frame rate of the video is unknown, received ${text}`,
    );
    return undefined;
  }
  try {
    const { startFrame } = startOf({ ...timeBase, frameRate });
    return timecodeToMs(text, { rate: frameRate, startFrame });
  } catch (error) {
    // A dropped number or a frame beyond the rate is a fault of this one cell.
    fields.problem(field, error instanceof AppError ? error.message : String(error));
    return undefined;
  }
}
