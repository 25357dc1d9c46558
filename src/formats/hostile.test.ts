import { describe, expect, test } from 'vitest';
import { type EventFormat, MAX_EVENT_FILE_BYTES, parseEvents } from './index.ts';

const MEGA = 1024 * 1024;
const QUARTER = MEGA / 4;
const fill = (text: string, bytes: number) => text.repeat(Math.floor(bytes / text.length));

function outcomeOf(format: EventFormat, text: string): { readonly code: string; readonly seconds: number } {
  const bytes = Buffer.from(text);
  const start = performance.now();
  let code: string;
  try {
    code = `${parseEvents(bytes, { format, frameRate: { num: 25, den: 1 } }).records.length} records`;
  } catch (error) {
    code = error instanceof Error && 'code' in error ? String(error.code) : String(error);
  }
  return { code, seconds: (performance.now() - start) / 1000 };
}

describe('files made to hurt are refused or read, in a time that grows with their length', () => {
  const instance = (inside: string) =>
    `<file><ALL_INSTANCES><instance><code>x</code>${inside}</instance></ALL_INSTANCES></file>`;
  const player = (cell: string) => `type,player,club,tags\ngoal,"${cell}","${cell}","${cell}"\n`;
  const cue = '00:01.000 --> 00:02.000\n';

  test.each<[string, EventFormat, string, string]>([
    ['elements without end in one event', 'sportscode_xml', instance(fill('<a/>', QUARTER)), 'validation_failed'],
    [
      'attributes without end',
      'opta_f24',
      `<Games><Game ${Array.from({ length: 200_000 }, (_, at) => `a${at}=""`).join(' ')}/></Games>`,
      'validation_failed',
    ],
    ['one long text', 'sportscode_xml', instance(`<label><text>${fill('7 ', QUARTER)}</text></label>`), '1 records'],
    [
      'one long row of ampersands',
      'sportscode_xml',
      instance(`<label><text>${fill('&', QUARTER)}</text></label>`),
      '1 records',
    ],
    [
      'a document type without end',
      'opta_f24',
      `<!DOCTYPE x [${fill('<!ENTITY a "b">', QUARTER)}]><Games/>`,
      '0 records',
    ],
    ['brackets that open only', 'statsbomb_json', fill('[', QUARTER), 'validation_failed'],
    ['objects without end', 'statsbomb_json', `[${fill('{},', 16 * MEGA)}{}]`, 'payload_too_large'],
    ['a string of escapes that never ends', 'statsbomb_json', `["${fill('\\n', QUARTER)}`, 'validation_failed'],
    [
      'details of a thousand levels',
      'json_lines',
      `{"type":"goal","details":{"a":${fill('[', 1000)}${fill(']', 1000)}}}`,
      '1 records',
    ],
    ['line ends without end', 'json_lines', fill('\n', QUARTER), '0 records'],
    ['lines without end', 'json_lines', fill('{}\n', MEGA), 'payload_too_large'],
    ['commas without end', 'csv', `type\n${fill(',', QUARTER)}`, 'validation_failed'],
    ['rows without end', 'csv', `type\n${fill('a\n', MEGA)}`, 'validation_failed'],
    ['a cell of spaces', 'csv', player(`a${fill(' ', QUARTER)}(`), '1 records'],
    ['a cell of backslashes and semicolons', 'csv', player(fill('\\\\;', QUARTER)), '1 records'],
    ['cells without end', 'csv', `type,players\ngoal,${fill('a;', QUARTER)}\n`, '1 records'],
    ['a cue of tags that open only', 'webvtt', `WEBVTT\n\n${cue}${fill('<', QUARTER)}\n`, '1 records'],
    ['empty lines without end', 'webvtt', `WEBVTT\n${fill('\n', QUARTER)}`, '0 records'],
    ['a cut with a long reel', 'edl', `TITLE: x\n001 ${fill('a', QUARTER)}\n001${fill(' ', QUARTER)}`, '0 records'],
    [
      'comments without end',
      'edl',
      `TITLE: x\n001 AX V C 00:00:01:00 00:00:02:00 00:00:00:00 00:00:01:00\n${fill('* TOUCHLINE: {\n', QUARTER)}`,
      '1 records',
    ],
  ])('%s', (_, format, text, expected) => {
    expect(text.length).toBeLessThan(MAX_EVENT_FILE_BYTES);
    const { code, seconds } = outcomeOf(format, text);
    expect(code).toBe(expected);
    // Quadratic work on a million characters would take minutes; the limit is wide for a busy machine.
    expect(seconds).toBeLessThan(15);
  });
});
