import { columnOf } from './csv-columns.ts';
import { isObject } from './field-reader.ts';

export const EVENT_FORMATS = [
  'sportscode_xml',
  'opta_f24',
  'statsbomb_json',
  'csv',
  'json_lines',
  'webvtt',
  'edl',
] as const;
export type EventFormat = (typeof EVENT_FORMATS)[number];

/** The head of a file tells; the whole is never read for it. */
const HEAD_BYTES = 65_536;

function headOf(bytes: Uint8Array): string {
  const head = bytes.subarray(0, HEAD_BYTES);
  const [first, second] = head;
  const isLittle = (first === 0xff && second === 0xfe) || (first !== 0 && second === 0);
  const isBig = (first === 0xfe && second === 0xff) || (first === 0 && second !== 0 && second !== undefined);
  return new TextDecoder(isLittle ? 'utf-16le' : isBig ? 'utf-16be' : 'utf-8').decode(head).trimStart();
}

function xmlFormat(head: string): EventFormat | undefined {
  const names = new Set([...head.matchAll(/<([A-Za-z_][\w.-]*)/g)].map(([, name]) => name));
  if (names.has('Games') || (names.has('Game') && names.has('Event'))) return 'opta_f24';
  return names.has('ALL_INSTANCES') || names.has('instance') || names.has('file') ? 'sportscode_xml' : undefined;
}

function firstLineIsObject(head: string): boolean {
  const line = head.split(/\r\n|\n|\r/, 1)[0] ?? '';
  try {
    return isObject(JSON.parse(line));
  } catch {
    // One line that is longer than the head is cut off in it.
    return line.length > HEAD_BYTES / 2 && line.startsWith('{"');
  }
}

/** The format of a file of events by its first 64 KiB; `undefined` where nothing tells. Its name is not asked. */
export function detectEventFormat(bytes: Uint8Array): EventFormat | undefined {
  const head = headOf(bytes);
  if (head.startsWith('<')) return xmlFormat(head);
  if (/^WEBVTT(?:\s|$)/.test(head)) return 'webvtt';
  if (head.startsWith('[')) return 'statsbomb_json';
  if (head.startsWith('{')) return firstLineIsObject(head) ? 'json_lines' : undefined;
  if (/^(?:TITLE|FCM):/m.test(head) || /^\d{1,6}\s+\S+\s+\S+\s+C\s+\d\d:\d\d:\d\d[:;]\d\d\s/m.test(head)) return 'edl';
  const line = head.replace(/^sep=.\r?\n/i, '').split(/\r\n|\n|\r/, 1)[0] ?? '';
  return line.split(/[,;\t]/).some((cell) => columnOf(cell.replaceAll('"', '').trim()) === 'type') ? 'csv' : undefined;
}
