/**
 * EDL, CMX 3600: a cut for each action, in the order given, with its timecodes in the source and in the row of all of them.
 * Comment lines (`*`) carry the name, and after `TOUCHLINE` the action whole, as JSON in lines of 60 characters, for the way
 * back. Source of the layout: see docs/formats.md.
 */
import {
  type FrameRate,
  frameToTimecode,
  framesPerDay,
  hasDropFrame,
  msToFrame,
  parseTimecode,
} from '../base/index.ts';
import { actionToJson } from './action-json.ts';
import type { ExportedAction } from './event-record.ts';
import { startOf, type TimeBase } from './media-time.ts';
import { titleOf } from './readable.ts';
import { asciiJson } from './sportscode-writer.ts';

export const OWN_COMMENT = '* TOUCHLINE: ';
export const OWN_COMMENT_MORE = '* TOUCHLINE+ ';
const CHUNK_LENGTH = 60;

export type EdlOptions = TimeBase & {
  readonly frameRate: FrameRate;
  readonly title: string;
  /** Name of the video file, for `FROM CLIP NAME`. */
  readonly clipName: string;
  /** Up to 8 letters and digits; `AX`, which stands for a file, where it is not given. */
  readonly reel?: string;
};

/** One line of plain ASCII: edit systems read nothing else for sure. */
function plain(text: string): string {
  return text
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/[^\u0020-\u007e]/g, '?')
    .trim();
}

/** Parts of a text, none of which begins or ends with a space: tools trim lines. */
function chunksOf(text: string): readonly string[] {
  // A space beside another one could not be told from a trimmed one.
  const safe = text.replaceAll(/ (?= )/g, '\\u0020');
  const chunks: string[] = [];
  let at = 0;
  while (at < safe.length) {
    let end = Math.min(safe.length, at + CHUNK_LENGTH);
    if (safe[end - 1] === ' ' || safe[end] === ' ') end += safe[end] === ' ' ? 2 : 1;
    chunks.push(safe.slice(at, end));
    at = end;
  }
  return chunks;
}

/** First and last frame (exclusive) of an action in the source; a point has one frame, as a cut must. */
export function edlFrames(
  place: { readonly startMs: number; readonly endMs: number },
  rate: FrameRate,
): { readonly first: number; readonly end: number } {
  const first = msToFrame(place.startMs, rate);
  // The frame on screen at the last ms is still in it: the end is the frame after.
  const last = place.endMs > place.startMs ? msToFrame(place.endMs - 1, rate) : first;
  return { first, end: last + 1 };
}

/**
 * Actions of one video as a CMX 3600 EDL. Numbers of cuts have three digits, and more beyond 999, which the format does not
 * know and most of today's programs read. @throws validation_failed for a bad frame rate or start timecode
 */
export function writeEdl(actions: readonly ExportedAction[], options: EdlOptions): string {
  const { frameRate: rate } = options;
  const { startFrame, dropFrame } = startOf(options);
  const format = { rate, dropFrame };
  const reel =
    plain(options.reel ?? 'AX')
      .toUpperCase()
      .replaceAll(/[^A-Z0-9]/g, '')
      .slice(0, 8) || 'AX';
  const day = framesPerDay(format);
  // The row of cuts begins at one hour, as masters do.
  let record =
    hasDropFrame(rate) && dropFrame
      ? parseTimecode('01:00:00;00', rate).frame
      : parseTimecode('01:00:00:00', rate).frame;
  const events = actions.map((action, index) => {
    const { first, end } = edlFrames(action, rate);
    const timecode = (frame: number) => frameToTimecode(frame % day, format);
    const places = [first + startFrame, end + startFrame, record, record + end - first].map(timecode).join(' ');
    record += end - first;
    const number = String(index + 1).padStart(3, '0');
    return [
      `${number}  ${reel.padEnd(8)} V     C        ${places}`,
      `* FROM CLIP NAME: ${plain(options.clipName)}`,
      `* COMMENT: ${plain(titleOf(action))}`,
      ...chunksOf(asciiJson(actionToJson(action))).map(
        (chunk, at) => `${at === 0 ? OWN_COMMENT : OWN_COMMENT_MORE}${chunk}`,
      ),
    ].join('\r\n');
  });
  const head = [`TITLE: ${plain(options.title).slice(0, 70)}`, `FCM: ${dropFrame ? 'DROP FRAME' : 'NON-DROP FRAME'}`];
  return `${[...head, '', ...events].join('\r\n')}\r\n`;
}
