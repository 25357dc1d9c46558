/** EDL, CMX 3600, read back: cuts and their comments. The timecodes of a cut win where they were moved in an edit system. */
import { AppError, type FrameRate, framesPerDay, frameToMs, parseTimecode } from '../base/index.ts';
import { recordFromJson } from './action-json.ts';
import { edlFrames, OWN_COMMENT, OWN_COMMENT_MORE } from './edl.ts';
import {
  createProblems,
  type EventProblems,
  type EventRecord,
  malformedFile,
  NO_MATCH,
  type ParsedEvents,
  refuseTooMany,
} from './event-record.ts';
import { createFieldReader, type FieldReader, isObject, present } from './field-reader.ts';
import { startOf, type TimeBase } from './media-time.ts';
import { linesOf, readText } from './text-input.ts';
import { typeKeyOf } from './type-keys.ts';

const TC = String.raw`(\d\d:\d\d:\d\d[:;.,]\d\d)`;
const CUT = new RegExp(
  String.raw`^(\d{1,6})\s+(\S+)\s+(\S+)\s+(C|D|W\d{3}|K[BO]?)(?:\s+\d{1,3})?\s+${TC}\s+${TC}\s+${TC}\s+${TC}\s*$`,
);

type Cut = {
  readonly line: number;
  readonly number: string;
  readonly reel: string;
  readonly start: string;
  readonly end: string;
  readonly comments: string[];
};

/** Cuts with the comments that follow each; whether the file is one at all. */
function cutsOf(text: string): { readonly cuts: readonly Cut[]; readonly isEdl: boolean } {
  const cuts: Cut[] = [];
  let isEdl = false;
  let lineNumber = 0;
  for (const line of linesOf(text)) {
    lineNumber += 1;
    const trimmed = line.trim();
    const [, number, reel, , , start, end] = CUT.exec(trimmed) ?? [];
    if (number !== undefined && reel !== undefined && start !== undefined && end !== undefined) {
      refuseTooMany(cuts.length + 1);
      cuts.push({ line: lineNumber, number, reel, start, end, comments: [] });
    } else if (trimmed.startsWith('*')) cuts.at(-1)?.comments.push(trimmed);
    isEdl ||= /^(?:TITLE|FCM):/.test(trimmed);
  }
  return { cuts, isEdl: isEdl || cuts.length > 0 };
}

function ownJson(comments: readonly string[]): { readonly [name: string]: unknown } | undefined {
  const first = comments.findIndex((comment) => comment.startsWith(OWN_COMMENT.trim()));
  if (first < 0) return undefined;
  const rest = comments.slice(first + 1).filter((comment) => comment.startsWith(OWN_COMMENT_MORE.trim()));
  const text = [comments[first] ?? '', ...rest].map((comment) => comment.slice(OWN_COMMENT.length)).join('');
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

type Frames = { readonly first: number; readonly end: number };

function framesOf(
  cut: Cut,
  fields: FieldReader,
  base: { readonly rate: FrameRate; readonly startFrame: number },
): Frames | undefined {
  try {
    const frame = (text: string) => {
      const { frame, dropFrame } = parseTimecode(text, base.rate);
      const day = framesPerDay({ rate: base.rate, dropFrame });
      return (((frame - base.startFrame) % day) + day) % day;
    };
    const [first, end] = [frame(cut.start), frame(cut.end)];
    if (end >= first) return { first, end };
    fields.problem('end', `expected a cut that ends after it begins, received ${cut.start} to ${cut.end}`);
  } catch (error) {
    fields.problem('start', error instanceof AppError ? error.message : String(error));
  }
  return undefined;
}

const commentOf = (cut: Cut, name: string): string | undefined => {
  const found = cut.comments.find((comment) => comment.startsWith(`* ${name}:`));
  return found?.slice(name.length + 3).trim() || undefined;
};

function plainRecord(cut: Cut, at: EventRecord['at']): EventRecord {
  const clip = commentOf(cut, 'FROM CLIP NAME');
  const label = commentOf(cut, 'COMMENT');
  const [, type, rest] = /^(?:\d{1,3}(?:\+\d{1,2})?'\s+)?([^:]{1,60}):\s+(.+)$/.exec(label ?? '') ?? [];
  return present({
    at,
    ref: `cut:${cut.number}`,
    deleted: false,
    relatedRefs: [],
    type: type === undefined ? { key: 'clip' } : { key: typeKeyOf(type), name: type },
    label: rest ?? label,
    clubs: [],
    players: [],
    tags: [],
    details: { reel: cut.reel, ...(clip === undefined ? {} : { clip_name: clip }) },
  });
}

function recordOf(
  cut: Cut,
  at: EventRecord['at'],
  options: { readonly problems: EventProblems; readonly rate: FrameRate; readonly startFrame: number },
): EventRecord | undefined {
  const fields = createFieldReader(at, options.problems);
  const frames = framesOf(cut, fields, options);
  const value = ownJson(cut.comments);
  const own = value && recordFromJson(value, { fields, fallbackRef: `cut:${cut.number}`, timeBase: {} });
  const record = own ?? plainRecord(cut, at);
  if (!frames) return own;
  const written =
    record.startMs === undefined
      ? undefined
      : edlFrames({ startMs: record.startMs, endMs: record.endMs ?? record.startMs }, options.rate);
  const { startMs = 0, endMs = startMs } = record;
  const isStart = written?.first === frames.first;
  const isEnd = written?.end === frames.end;
  // A point that was drawn out is a span from then on.
  if (isStart && isEnd) return record;
  return {
    ...record,
    startMs: isStart ? startMs : frameToMs(frames.first, options.rate),
    endMs: isEnd && endMs > startMs ? endMs : frameToMs(frames.end, options.rate),
  };
}

/**
 * Records of an EDL; the frame rate is that of the video, as the file does not name it.
 * @throws payload_too_large, file_empty; validation_failed for what is no EDL, or without a good frame rate
 */
export function parseEdl(bytes: Uint8Array, timeBase: TimeBase): ParsedEvents {
  const { frameRate } = timeBase;
  if (!frameRate)
    throw new AppError('validation_failed', 'Expected the frame rate of the video for an EDL, received none.');
  const { startFrame } = startOf({ ...timeBase, frameRate });
  const { cuts, isEdl } = cutsOf(readText(bytes));
  if (!isEdl) throw malformedFile('EDL', { line: 1, column: 1 }, 'expected TITLE, FCM or a cut');
  const problems = createProblems();
  const options = { problems, rate: frameRate, startFrame };
  const records = cuts.flatMap((cut, index) => {
    const at = { line: cut.line, index };
    const record = recordOf(cut, at, options);
    if (!record) problems.add(at, 'start', 'expected timecodes of the video', { isLeftOut: true });
    return record ? [record] : [];
  });
  return { records, problems: problems.list, match: NO_MATCH, colours: {} };
}
