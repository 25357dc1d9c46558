import { describe, expect, test } from 'vitest';
import { detectEventFormat, EVENT_FORMATS, type EventFormat } from './index.ts';

const CASES: readonly (readonly [text: string, format: EventFormat | undefined])[] = [
  ['<?xml version="1.0"?>\n<file><ALL_INSTANCES>', 'sportscode_xml'],
  ['<!-- x --><Games timestamp="2026"><Game id="1">', 'opta_f24'],
  ['<html><body>', undefined],
  ['[\n  {"id": "a", "index": 1', 'statsbomb_json'],
  ['{"type":"goal"}\n{"type":"shot"}\n', 'json_lines'],
  ['{\n "type": "goal"\n}', undefined],
  ['WEBVTT\n\n', 'webvtt'],
  ['WEBVTTX', undefined],
  ['TITLE: x\r\nFCM: DROP FRAME\r\n', 'edl'],
  ['001  AX       V     C        00:00:00:00 00:00:01:00 00:00:00:00 00:00:01:00', 'edl'],
  ['Start time;Code;Player\n', 'csv'],
  ['sep=;\r\n"type";"start"\r\n', 'csv'],
  ['file,players\n', undefined],
  ['', undefined],
];

describe('the format of a file of events', () => {
  test.each(CASES)('%j is %s', (text, format) => {
    expect(detectEventFormat(Buffer.from(text))).toBe(format);
    expect(detectEventFormat(Buffer.from(`\ufeff${text}`))).toBe(format);
    expect(detectEventFormat(Buffer.from(`\ufeff${text}`, 'utf16le'))).toBe(format);
  });

  test('every format that can be read is found', () => {
    expect(new Set(CASES.map(([, format]) => format).filter((one) => one !== undefined))).toEqual(
      new Set(EVENT_FORMATS),
    );
  });

  test('the bytes of a picture are none', () => {
    expect(detectEventFormat(Uint8Array.of(0xff, 0xd8, 0xff, 0xe0, 0, 16, 0x4a, 0x46))).toBeUndefined();
  });
});
