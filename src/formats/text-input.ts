import { AppError, decodeText } from '../base/index.ts';
import { malformedFile, MAX_EVENT_FILE_BYTES } from './event-record.ts';
import { jsonFaultAt } from './json-fault.ts';

const XML_ENCODING = /^<\?xml[^>]{0,200}?\bencoding\s*=\s*["']([A-Za-z0-9._-]{1,40})["']/;

/** UTF-16 without a byte order mark: an ASCII character has a zero beside it. */
function unmarkedUtf16(bytes: Uint8Array): string | undefined {
  const [first, second] = bytes;
  if (first !== undefined && first !== 0 && second === 0) return 'utf-16le';
  if (first === 0 && second !== undefined && second !== 0) return 'utf-16be';
  return undefined;
}

/**
 * The text of a file: UTF-16 or UTF-8 by its mark, else by what its bytes say, else as its XML declaration says, else
 * Windows-1252. @throws payload_too_large beyond 64 MiB, file_empty for no bytes
 */
export function readText(bytes: Uint8Array): string {
  if (bytes.byteLength > MAX_EVENT_FILE_BYTES) {
    throw new AppError(
      'payload_too_large',
      `Expected at most ${MAX_EVENT_FILE_BYTES} bytes, received ${bytes.byteLength}.`,
    );
  }
  if (bytes.byteLength === 0) throw new AppError('file_empty', 'Expected a file with events, received an empty one.');
  const utf16 = unmarkedUtf16(bytes);
  if (utf16 !== undefined) return new TextDecoder(utf16).decode(bytes);
  const { text, encoding } = decodeText(bytes);
  const declared = encoding === 'windows-1252' ? XML_ENCODING.exec(text)?.[1] : undefined;
  if (declared === undefined || /^utf-?(?:8|16)/i.test(declared)) return text;
  try {
    return new TextDecoder(declared).decode(bytes);
  } catch {
    // An encoding nobody knows: the bytes are read as what they most likely are.
    return text;
  }
}

/** Lines of a text, one by one: 64 MiB of line ends as a list would take ten times that. */
export function* linesOf(text: string): Generator<string, void, undefined> {
  const end = /\r\n|\n|\r|$/g;
  for (let at = 0; at <= text.length; ) {
    end.lastIndex = at;
    const found = end.exec(text);
    const stop = found?.index ?? text.length;
    yield text.slice(at, stop);
    at = stop + Math.max(1, found?.[0].length ?? 1);
  }
}

/** Brackets of a file of events: 64 MiB of a match feed have about a million, each an object in memory. */
const MAX_JSON_BRACKETS = 5_000_000;

function refuseTooManyBrackets(text: string): void {
  let count = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === 0x7b || code === 0x5b) count += 1;
  }
  if (count <= MAX_JSON_BRACKETS) return;
  throw new AppError(
    'payload_too_large',
    `Expected at most ${MAX_JSON_BRACKETS} objects and lists in a file, received ${count}.`,
  );
}

/** The line and column, both from 1, of a place in a text. */
function placeOf(text: string, offset: number): { readonly line: number; readonly column: number } {
  let [line, column] = [0, 0];
  for (const one of linesOf(text.slice(0, offset))) [line, column] = [line + 1, one.length + 1];
  return { line, column };
}

/** JSON of a file. @throws validation_failed naming line and column, payload_too_large */
export function parseJson(text: string, options: { readonly format: string }): unknown {
  refuseTooManyBrackets(text);
  try {
    return JSON.parse(text);
  } catch {
    const place = placeOf(text, jsonFaultAt(text));
    throw malformedFile(options.format, place, 'this is not JSON');
  }
}
