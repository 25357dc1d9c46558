import { actionToJson, recordFromJson } from './action-json.ts';
import {
  createProblems,
  type EventRecord,
  type ExportedAction,
  malformedFile,
  NO_MATCH,
  type ParsedEvents,
  refuseTooMany,
} from './event-record.ts';
import { createFieldReader, isObject, shown } from './field-reader.ts';
import { mediaTimecode, type TimeBase } from './media-time.ts';
import { linesOf, readText } from './text-input.ts';

/**
 * Records of a JSON Lines file: one action a line, as `POST /v1/media/{id}/action` takes it. Empty lines are passed over; a
 * line that is not an object with a type is left out and told.
 * @throws payload_too_large, file_empty; validation_failed when no line at all is JSON
 */
export function parseJsonLines(bytes: Uint8Array, timeBase: TimeBase = {}): ParsedEvents {
  const problems = createProblems();
  const records: EventRecord[] = [];
  let index = 0;
  let read = 0;
  let lineNumber = 0;
  for (const line of linesOf(readText(bytes))) {
    lineNumber += 1;
    if (line.trim() === '') continue;
    refuseTooMany(index + 1);
    const at = { line: lineNumber, index };
    index += 1;
    let value: unknown;
    try {
      value = JSON.parse(line);
      read += 1;
    } catch {
      problems.add(at, '', `expected one JSON object a line, received ${shown(line)}`, { isLeftOut: true });
      continue;
    }
    if (!isObject(value)) {
      problems.add(at, '', `expected an object, received ${shown(value)}`, { isLeftOut: true });
      continue;
    }
    const fields = createFieldReader(at, problems);
    const record = recordFromJson(value, { fields, fallbackRef: `line:${at.line}`, timeBase });
    if (record) records.push(record);
    else
      problems.add(at, 'type', `expected the key or id of a type, received ${shown(value['type'])}`, {
        isLeftOut: true,
      });
  }
  if (index > 0 && read === 0) throw malformedFile('JSON Lines', { line: 1, column: 1 }, 'no line is JSON');
  return { records, problems: problems.list, match: NO_MATCH, colours: {} };
}

/** Actions as JSON Lines; timecodes are added where the frame rate is known. @throws validation_failed for a bad time base */
export function writeJsonLines(actions: readonly ExportedAction[], timeBase: TimeBase = {}): string {
  return actions
    .map((action) => {
      const timecodes = {
        start_tc: mediaTimecode(action.startMs, timeBase),
        end_tc: mediaTimecode(action.endMs, timeBase),
      };
      return `${JSON.stringify(actionToJson(action, timecodes))}\n`;
    })
    .join('');
}
