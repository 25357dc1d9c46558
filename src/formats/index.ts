import { detectEventFormat, EVENT_FORMATS, type EventFormat } from './detect.ts';
import { type EdlOptions, writeEdl } from './edl.ts';
import { parseEdl } from './edl-reader.ts';
import { parseEventCsv } from './event-csv.ts';
import type { ParsedEvents } from './event-record.ts';
import { parseJsonLines } from './json-lines.ts';
import type { TimeBase } from './media-time.ts';
import { parseOptaF24 } from './opta-f24.ts';
import { parseSportscode } from './sportscode.ts';
import { parseStatsBomb } from './statsbomb.ts';
import { parseWebVtt } from './webvtt.ts';

export { detectEventFormat, EVENT_FORMATS, type EventFormat };
export { type EdlOptions, writeEdl };
export { writeEventCsv } from './csv-writer.ts';
export {
  type EventClub,
  type EventEntity,
  type EventFacts,
  type EventFileMatch,
  type EventPlace,
  type EventPlayer,
  type EventProblem,
  type EventRecord,
  type EventTag,
  type EventType,
  type ExportedAction,
  type JsonObject,
  type JsonValue,
  MAX_EVENT_FILE_BYTES,
  MAX_EVENTS,
  type ParsedEvents,
} from './event-record.ts';
export { FEED_TYPES, readableKey } from './feed-types.ts';
export { writeJsonLines } from './json-lines.ts';
export type { TimeBase } from './media-time.ts';
export { writeSportscode } from './sportscode-writer.ts';
export { typeKeyOf } from './type-keys.ts';
export { writeWebVtt } from './webvtt.ts';

const PARSERS: Readonly<Record<EventFormat, (bytes: Uint8Array, timeBase: TimeBase) => ParsedEvents>> = {
  sportscode_xml: parseSportscode,
  opta_f24: parseOptaF24,
  statsbomb_json: parseStatsBomb,
  csv: parseEventCsv,
  json_lines: parseJsonLines,
  webvtt: parseWebVtt,
  edl: parseEdl,
};

/**
 * Records of a file of events. What does not fit in one event is told in `problems`, with its line or number, and never throws.
 * Frame rate and start timecode are those of the video: timecodes in CSV, JSON Lines and EDL are counted in them.
 * @throws validation_failed naming line and column for what is no file of the format; payload_too_large beyond 64 MiB or
 *   200,000 events; file_empty
 */
export function parseEvents(bytes: Uint8Array, options: TimeBase & { readonly format: EventFormat }): ParsedEvents {
  return PARSERS[options.format](bytes, options);
}
