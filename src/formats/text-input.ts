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

/** The line and column, both from 1, of a place in a text. */
function placeOf(text: string, offset: number): { readonly line: number; readonly column: number } {
  const before = text.slice(0, offset);
  const lines = before.split(/\r\n|\n|\r/);
  return { line: lines.length, column: (lines.at(-1) ?? '').length + 1 };
}

/** JSON of a file. @throws validation_failed naming line and column */
export function parseJson(text: string, options: { readonly format: string }): unknown {
  try {
    return JSON.parse(text);
  } catch {
    const place = placeOf(text, jsonFaultAt(text));
    throw malformedFile(options.format, place, 'this is not JSON');
  }
}
