import { type Csv, CsvError, decodeText, parseCsv } from '../../../../src/base/csv.ts';
import type { RosterItem } from './roster-mapping.ts';

/** The service takes so many in one stream. */
export const MAX_ITEMS = 50_000;
const MAX_COLUMNS = 200;

export type RosterFile =
  | { readonly kind: 'lines'; readonly items: readonly RosterItem[] }
  | { readonly kind: 'csv'; readonly csv: Csv };

/** A name to show beside a result; what is no JSON goes on as it is, and the service says what is wrong with it. */
function nameOfLine(text: string): string {
  try {
    const parsed: unknown = JSON.parse(text);
    if (typeof parsed !== 'object' || parsed === null) return '';
    const name: unknown = Reflect.get(parsed, 'full_name') ?? Reflect.get(parsed, 'label');
    return typeof name === 'string' ? name : '';
  } catch {
    return '';
  }
}

function readLines(text: string): readonly RosterItem[] {
  return text.split(/\r\n|\n|\r/).flatMap((line, at) => {
    const trimmed = line.trim();
    return trimmed === '' ? [] : [{ lines: [at + 1], name: nameOfLine(trimmed), text: trimmed }];
  });
}

/**
 * A roster as it was chosen or pasted: JSON in each line, or CSV with a head.
 * @throws Error with what was expected
 */
export function readRoster(text: string): RosterFile {
  const start = text.trimStart();
  if (start === '') throw new Error('Expected a line for each player, club or match, received an empty file.');
  if (start.startsWith('[')) {
    throw new Error(
      'Expected one JSON object in each line (NDJSON), received a JSON list. With jq: jq -c ".[]" file.json',
    );
  }
  if (start.startsWith('{')) return checked({ kind: 'lines', items: readLines(text) });
  try {
    return checked({ kind: 'csv', csv: parseCsv(text, { maxRows: MAX_ITEMS, maxColumns: MAX_COLUMNS }) });
  } catch (error) {
    if (error instanceof CsvError)
      throw new Error(`The CSV file could not be read: ${error.message}.`, { cause: error });
    throw error;
  }
}

function checked(file: RosterFile): RosterFile {
  const count = file.kind === 'lines' ? file.items.length : file.csv.rows.length;
  if (count === 0) throw new Error('Expected rows below the head of the columns, received none.');
  if (count > MAX_ITEMS) throw new Error(`Expected up to ${MAX_ITEMS} lines, received ${count}. Send it in parts.`);
  return file;
}

/** A file in whatever encoding a spreadsheet has written. */
export async function readRosterFile(file: File): Promise<RosterFile> {
  return readRoster(decodeText(new Uint8Array(await file.arrayBuffer())).text);
}

/** Types and systems that the lines are about, as `type:source`: what may be deactivated when it is missing. */
export function setsOf(items: readonly RosterItem[]): readonly string[] {
  const sets = new Set<string>();
  for (const { text } of items) {
    try {
      const parsed: unknown = JSON.parse(text);
      if (typeof parsed !== 'object' || parsed === null) continue;
      const type: unknown = Reflect.get(parsed, 'type');
      const ids: unknown = Reflect.get(parsed, 'external_ids');
      if (typeof type !== 'string' || typeof ids !== 'object' || ids === null) continue;
      for (const source of Object.keys(ids)) sets.add(`${type}:${source}`);
    } catch {
      // The service says what is wrong with the line.
    }
  }
  return [...sets].toSorted();
}
