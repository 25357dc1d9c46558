import { actionToJson } from './action-json.ts';
import { CSV_COLUMNS, type CsvColumn } from './csv-columns.ts';
import type { ExportedAction, JsonValue } from './event-record.ts';
import { mediaTimecode, type TimeBase } from './media-time.ts';
import { clubText, nameOf, playerText, tagText } from './readable.ts';

/** Names in one cell; a semicolon inside a name keeps a backslash before it. */
export function joinNames(names: readonly string[]): string {
  return names.map((name) => name.replaceAll('\\', '\\\\').replaceAll(';', '\\;')).join('; ');
}

/** The readable cells of an action that have a JSON cell beside them. */
export function readableCells(
  action: Pick<ExportedAction, 'match' | 'clubs' | 'players' | 'tags'>,
): Readonly<Record<'match' | 'clubs' | 'players' | 'tags', string>> {
  return {
    match: action.match === undefined ? '' : nameOf(action.match),
    clubs: joinNames(action.clubs.map(clubText)),
    players: joinNames(action.players.map(playerText)),
    tags: joinNames(action.tags.map(tagText)),
  };
}

function quoted(cell: string): string {
  return /^\s|\s$|[",;\t\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}

function cellsOf(action: ExportedAction, timeBase: TimeBase): Readonly<Record<CsvColumn, string>> {
  const json = actionToJson(action);
  const cell = (name: string): string => {
    const value = json[name];
    return value === undefined || value === null
      ? ''
      : typeof value === 'object'
        ? JSON.stringify(value)
        : String(value);
  };
  const listCell = (value: JsonValue | undefined): string =>
    value === undefined || (Array.isArray(value) && value.length === 0) ? '' : JSON.stringify(value);
  const plain = Object.fromEntries(CSV_COLUMNS.map((name) => [name, cell(name)]));
  return {
    // Each column has its cell; those below are not members of the JSON by their names.
    ...(plain as Record<CsvColumn, string>),
    ...readableCells(action),
    start_tc: mediaTimecode(action.startMs, timeBase) ?? '',
    end_tc: mediaTimecode(action.endMs, timeBase) ?? '',
    match_json: listCell(json['match']),
    clubs_json: listCell(json['clubs']),
    players_json: listCell(json['players']),
    tags_json: listCell(json['tag_options']),
    details_json: Object.keys(action.details).length === 0 ? '' : JSON.stringify(action.details),
  };
}

/**
 * Actions as CSV by RFC 4180: UTF-8 with a byte order mark, which spreadsheets look for, and CRLF. Texts are written as they
 * are: a label that begins with `=` is a formula to a spreadsheet (docs/formats.md).
 */
export function writeEventCsv(actions: readonly ExportedAction[], timeBase: TimeBase = {}): string {
  const rows = actions.map((action) => {
    const cells = cellsOf(action, timeBase);
    return CSV_COLUMNS.map((column) => quoted(cells[column])).join(',');
  });
  return `\ufeff${[CSV_COLUMNS.join(','), ...rows].map((row) => `${row}\r\n`).join('')}`;
}
