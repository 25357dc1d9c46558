import {
  AppError,
  type FrameRate,
  invalidField,
  parseTimecode,
  timecodeFormatFrom,
  timecodeToMs,
} from '../base/index.ts';
import type { Span } from './action-angles.ts';
import type { Timeline } from './action-types.ts';
import { type Moment, positionOf } from './timeline.ts';

/** A position as a request gives it. */
export type GivenPosition = {
  readonly startMs?: number | undefined;
  readonly endMs?: number | undefined;
  readonly eventMs?: number | null | undefined;
  readonly startTc?: string | undefined;
  readonly endTc?: string | undefined;
};

/** What of a video decides where an action lies in it. */
export type PlacedVideo = {
  readonly id: number;
  readonly durationMs: number | null;
  readonly frameRate: FrameRate | null;
  /** Of its first frame: as its timeline says, else as its file does. */
  readonly startTimecode: string | null;
  readonly timeline: Timeline | null;
};

/** How positions of a video are written as timecode; undefined while its frame rate is not known. */
export function timecodeFormatOf(
  video: Pick<PlacedVideo, 'frameRate' | 'startTimecode'>,
): { readonly rate: FrameRate; readonly dropFrame: boolean; readonly startFrame: number } | undefined {
  // A timeline's is checked when it is written; a file's may be one that its rate does not have.
  return video.frameRate ? timecodeFormatFrom(video.frameRate, video.startTimecode) : undefined;
}

/** @throws AppError `validation_failed` for a photo, and for what is no timecode at the rate of the video */
export function checkTimeline(
  asset: { readonly mediaType: 'photo' | 'video'; readonly frameRate: FrameRate | null },
  timeline: Timeline,
): void {
  if (asset.mediaType !== 'video') throw invalidField('/timeline', 'expected the timeline of a video, this is a photo');
  const { startTimecode, periods } = timeline;
  if (startTimecode !== null && asset.frameRate) {
    try {
      parseTimecode(startTimecode, asset.frameRate);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      throw invalidField('/timeline/start_tc', error.errors[0]?.detail ?? error.message);
    }
  }
  const twice = periods.findIndex((one, at) => periods.findIndex((other) => other.period === one.period) < at);
  if (twice >= 0) {
    const detail = `expected each period once, received ${periods[twice]?.period} again`;
    throw invalidField(`/timeline/periods/${twice}/period`, detail);
  }
}

function atTimecode(text: string, video: PlacedVideo, pointer: string): number {
  const format = timecodeFormatOf(video);
  if (!format) throw invalidField(pointer, `expected ms: the frame rate of asset ${video.id} is not known yet`);
  try {
    return timecodeToMs(text, format);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    throw invalidField(pointer, error.errors[0]?.detail ?? error.message);
  }
}

function oneOf(
  given: { readonly ms: number | undefined; readonly timecode: string | undefined },
  video: PlacedVideo,
  name: 'start' | 'end',
): number | undefined {
  const { ms, timecode } = given;
  if (timecode === undefined) return ms;
  if (ms !== undefined) throw invalidField(`/${name}_tc`, `expected ${name}_ms or ${name}_tc, received both`);
  return atTimecode(timecode, video, `/${name}_tc`);
}

/** Half open, within the video: a position may be a frame late, as the end of what another tool took for its length. */
function checked(span: Span, video: PlacedVideo, named: { readonly start: string; readonly event: string }): Span {
  const { startMs, eventMs } = span;
  let { endMs } = span;
  if (startMs > endMs) {
    throw invalidField('/end_ms', `expected an end at or after the start, received ${startMs} to ${endMs}`);
  }
  if (eventMs < startMs || eventMs > endMs) {
    throw invalidField(named.event, `expected a moment between ${startMs} and ${endMs}, received ${eventMs}`);
  }
  if (startMs < 0) throw invalidField(named.start, `expected a position in the video, received ${startMs} ms`);
  if (video.durationMs !== null) {
    const frameMs = video.frameRate ? Math.ceil((1000 * video.frameRate.den) / video.frameRate.num) : 0;
    const latest = Math.max(startMs, endMs);
    if (latest > video.durationMs + frameMs) {
      const pointer = startMs === endMs ? named.start : '/end_ms';
      throw invalidField(
        pointer,
        `expected positions up to ${video.durationMs} ms, the length of asset ${video.id}, received ${latest}`,
      );
    }
    endMs = Math.min(endMs, video.durationMs);
  }
  return { startMs: Math.min(startMs, endMs), endMs, eventMs: Math.min(eventMs, endMs) };
}

/** The position of a moment, by the video's timeline. @throws AppError `validation_failed` that says what it lacks */
function byTimeline(moment: Moment, video: PlacedVideo): Span {
  const { wallclockAt, period, clockMs } = moment;
  const hasClock = period !== null && clockMs !== null;
  if (!wallclockAt && !hasClock) {
    throw invalidField(
      '/start_ms',
      'expected a position: start_ms, event_ms or start_tc, or wallclock_at or period with clock_ms',
    );
  }
  const eventMs = video.timeline ? positionOf(video.timeline, moment) : undefined;
  const pointer = wallclockAt && (video.timeline?.startedAt || !hasClock) ? '/wallclock_at' : '/clock_ms';
  if (eventMs === undefined) {
    const lacking = wallclockAt ? 'started_at_wallclock' : `the kick-off of period ${period}, or a clock that runs on`;
    throw invalidField(pointer, `expected a position, or a timeline of asset ${video.id} with ${lacking}`);
  }
  return checked({ startMs: eventMs, endMs: eventMs, eventMs }, video, { start: pointer, event: pointer });
}

/**
 * Where an action lies in a video. A position that is given wins; without one the timeline turns the moment into a point.
 * Only a moment: a point. A start without an end, or an end without a start: up to the moment, or a point.
 * @throws AppError `validation_failed` naming what is wrong or missing
 */
export function placeIn(
  video: PlacedVideo,
  given: GivenPosition,
  moment: Moment,
): Span & { readonly derived: boolean } {
  const start = oneOf({ ms: given.startMs, timecode: given.startTc }, video, 'start');
  const end = oneOf({ ms: given.endMs, timecode: given.endTc }, video, 'end');
  const event = given.eventMs ?? undefined;
  const anchor = start ?? event ?? end;
  if (anchor === undefined) return { ...byTimeline(moment, video), derived: true };
  const startMs = start ?? event ?? anchor;
  const span = { startMs, endMs: end ?? Math.max(startMs, event ?? startMs), eventMs: event ?? startMs };
  const pointer = (name: 'start' | 'end') => (given[`${name}Tc`] === undefined ? `/${name}_ms` : `/${name}_tc`);
  const startPointer = start === undefined ? (event === undefined ? pointer('end') : '/event_ms') : pointer('start');
  return { ...checked(span, video, { start: startPointer, event: '/event_ms' }), derived: false };
}
