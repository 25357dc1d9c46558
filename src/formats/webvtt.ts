/**
 * WebVTT (W3C): a cue for each action with a title to read, and before it a NOTE with the action whole, as JSON, for the way
 * back. Players show the cues as captions or chapters and pass the notes over.
 */
import { actionToJson, recordFromJson } from './action-json.ts';
import {
  createProblems,
  type EventProblems,
  type EventRecord,
  type ExportedAction,
  malformedFile,
  NO_MATCH,
  type ParsedEvents,
  refuseTooMany,
} from './event-record.ts';
import { createFieldReader, type FieldReader, isObject, present } from './field-reader.ts';
import { titleOf } from './readable.ts';
import { asciiJson } from './sportscode-writer.ts';
import { linesOf, readText } from './text-input.ts';
import { typeKeyOf } from './type-keys.ts';

const OWN_NOTE = 'NOTE touchline ';
const TIMES =
  /^(?:(\d{2,}):)?([0-5]\d):([0-5]\d)\.(\d{3})[ \t]+-->[ \t]+(?:(\d{2,}):)?([0-5]\d):([0-5]\d)\.(\d{3})(?:[ \t].*)?$/;

function timestamp(ms: number): string {
  const two = (value: number) => String(value).padStart(2, '0');
  const seconds = Math.floor(ms / 1000);
  const clock = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60].map(two).join(':');
  return `${clock}.${String(ms % 1000).padStart(3, '0')}`;
}

/** "-->" must not stand in a note, nor in a cue. */
const withoutArrow = (text: string): string => text.replaceAll('-->', '--\\u003e');
const escapeCue = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', nbsp: ' ', lrm: '', rlm: '' };
const plainCue = (text: string): string =>
  text.replaceAll(/<[^<>]*>/g, '').replaceAll(/&(amp|lt|gt|nbsp|lrm|rlm);/g, (_, name: string) => ENTITIES[name] ?? '');

/** A cue must end after it begins: a point is shown for 1 ms, and the note has it as it is. */
const cueEnd = ({ startMs, endMs }: { readonly startMs: number; readonly endMs: number }) =>
  Math.max(endMs, startMs + 1);

/** Actions as WebVTT, UTF-8, in the order of their starts. */
export function writeWebVtt(actions: readonly ExportedAction[]): string {
  const cues = actions
    .toSorted((a, b) => a.startMs - b.startMs)
    .map((action) => {
      const times = `${timestamp(action.startMs)} --> ${timestamp(cueEnd(action))}`;
      const title = escapeCue(titleOf(action).trim() || action.type.key);
      return `${OWN_NOTE}${withoutArrow(asciiJson(actionToJson(action)))}\n\naction-${action.id}\n${times}\n${title}\n`;
    });
  return ['WEBVTT\n', ...cues].join('\n');
}

type Block = { readonly line: number; readonly lines: readonly string[] };

/** Blocks are parted by empty lines. */
function* blocksOf(text: string): Generator<Block, void, undefined> {
  let lines: string[] = [];
  let lineNumber = 0;
  for (const line of linesOf(text)) {
    lineNumber += 1;
    if (line !== '') lines.push(line);
    else if (lines.length > 0) {
      yield { line: lineNumber - lines.length, lines };
      lines = [];
    }
  }
  if (lines.length > 0) yield { line: lineNumber + 1 - lines.length, lines };
}

type Cue = { readonly id: string | undefined; readonly startMs: number; readonly endMs: number; readonly text: string };

function cueOf({ lines }: Block): Cue | undefined {
  const at = lines.findIndex((line) => line.includes('-->'));
  const found = TIMES.exec(lines[at] ?? '');
  if (!found) return undefined;
  const [h1 = 0, m1 = 0, s1 = 0, ms1 = 0, h2 = 0, m2 = 0, s2 = 0, ms2 = 0] = found
    .slice(1)
    .map((part) => Number(part ?? 0));
  const ms = (hours: number, minutes: number, seconds: number, rest: number) =>
    ((hours * 60 + minutes) * 60 + seconds) * 1000 + rest;
  return {
    id: at > 0 ? lines[0] : undefined,
    startMs: ms(h1, m1, s1, ms1),
    endMs: ms(h2, m2, s2, ms2),
    text: lines.slice(at + 1).join('\n'),
  };
}

function parsed(text: string): { readonly [name: string]: unknown } | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** `78' Goal: text`: the title as we write it, else the whole as a label of a comment. */
function plainRecord(cue: Cue, fields: FieldReader): EventRecord {
  const text = plainCue(cue.text).trim();
  const [, type, label] = /^(?:\d{1,3}(?:\+\d{1,2})?'\s+)?([^:\n]{1,60}):\s+(.+)$/s.exec(text) ?? [];
  return present({
    at: fields.at,
    ref: cue.id ?? `line:${fields.at.line}`,
    deleted: false,
    relatedRefs: [],
    type: type === undefined ? { key: 'comment' } : { key: typeKeyOf(type), name: type },
    label: label ?? (text === '' ? undefined : text),
    startMs: cue.startMs,
    endMs: cue.endMs,
    clubs: [],
    players: [],
    tags: [],
    details: {},
  });
}

function recordOf(
  cue: Cue,
  note: string | undefined,
  at: EventRecord['at'],
  problems: EventProblems,
): EventRecord | undefined {
  const fields = createFieldReader(at, problems);
  if (cue.endMs < cue.startMs) {
    problems.add(at, 'end', 'expected a cue that ends after it begins', { isLeftOut: true });
    return undefined;
  }
  const value = note === undefined ? parsed(cue.text) : parsed(note);
  const fallbackRef = cue.id ?? `line:${at.line}`;
  const record = value && recordFromJson(value, { fields, fallbackRef, timeBase: {} });
  if (!record) return plainRecord(cue, fields);
  const { startMs = cue.startMs, endMs = cue.endMs } = record;
  // The times of the cue win where they were moved in another program.
  return {
    ...record,
    startMs: cue.startMs,
    endMs: cue.startMs === startMs && cue.endMs === cueEnd({ startMs, endMs }) ? endMs : cue.endMs,
  };
}

/**
 * Records of a WebVTT file: of the JSON before or in each cue, else of the cue alone.
 * @throws payload_too_large, file_empty; validation_failed for what does not begin with WEBVTT
 */
export function parseWebVtt(bytes: Uint8Array): ParsedEvents {
  const text = readText(bytes);
  if (!/^WEBVTT(?:[ \t\r\n]|$)/.test(text))
    throw malformedFile('WebVTT', { line: 1, column: 1 }, 'expected WEBVTT at its start');
  const problems = createProblems();
  const records: EventRecord[] = [];
  let note: string | undefined;
  let index = 0;
  for (const block of blocksOf(text)) {
    const [first = ''] = block.lines;
    if (first.startsWith(OWN_NOTE)) note = block.lines.join('').slice(OWN_NOTE.length);
    if (/^(?:WEBVTT|NOTE|STYLE|REGION)(?:[ \t]|$)/.test(first)) continue;
    refuseTooMany(index + 1);
    const at = { line: block.line, index };
    index += 1;
    const cue = cueOf(block);
    const record = cue && recordOf(cue, note, at, problems);
    if (record) records.push(record);
    if (!cue) problems.add(at, 'time', 'expected hh:mm:ss.mmm --> hh:mm:ss.mmm', { isLeftOut: true });
    note = undefined;
  }
  return { records, problems: problems.list, match: NO_MATCH, colours: {} };
}
