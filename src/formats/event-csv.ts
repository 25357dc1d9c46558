/** CSV of events: a row each, the columns by their heads in any order. A cell that was edited wins over the JSON beside it. */
import { CsvError, type CsvRow, parseCsv } from '../base/index.ts';
import { recordFromJson } from './action-json.ts';
import { columnOf, type ReadColumn } from './csv-columns.ts';
import { readableCells } from './csv-writer.ts';
import {
  createProblems,
  type EventProblems,
  type EventRecord,
  malformedFile,
  MAX_EVENTS,
  NO_MATCH,
  type ParsedEvents,
} from './event-record.ts';
import { createFieldReader, type FieldReader, isObject, MS_RANGE } from './field-reader.ts';
import { readClockMs, readMediaTime, type TimeBase } from './media-time.ts';
import { readPeriod } from './periods.ts';
import { readText } from './text-input.ts';
import { snakeCase, typeKeyOf } from './type-keys.ts';

const MAX_COLUMNS = 1000;
/** Longer cells are taken as they are: nobody is called so, and patterns take their time on them. */
const MAX_NAME_LENGTH = 500;

type Cell = (column: ReadColumn) => string | undefined;

/** Names of one cell, parted by semicolons; `\;` is a semicolon. */
function splitNames(cell: string): readonly string[] {
  const names: string[] = [];
  let name = '';
  for (let at = 0; at < cell.length; at += 1) {
    const character = cell[at] ?? '';
    const escaped = character === '\\' ? cell[at + 1] : undefined;
    if (character === ';') {
      names.push(name);
      name = '';
    } else if (escaped === ';' || escaped === '\\') {
      name += escaped;
      at += 1;
    } else name += character;
  }
  names.push(name);
  return names.map((name) => name.trim()).filter((name) => name !== '');
}

/** `#7 Name (scorer)`: shirt, name, role. */
function playerFrom(text: string): { readonly label: string; readonly shirt?: number; readonly role?: string } {
  if (text.length > MAX_NAME_LENGTH) return { label: text };
  const [, shirt, name = text, role] = /^(?:#(\d{1,3})\s+)?(.*?)(?:\s+\(([^()]+)\))?$/s.exec(text) ?? [];
  return {
    label: name === '' ? text : name,
    ...(shirt === undefined ? {} : { shirt: Number(shirt) }),
    ...(role === undefined ? {} : { role: snakeCase(role) }),
  };
}

function clubFrom(text: string): { readonly label: string; readonly side?: string } {
  if (text.length > MAX_NAME_LENGTH) return { label: text };
  const [, name, side] = /^(.*?)\s+\((home|away)\)$/s.exec(text) ?? [];
  return name === undefined || side === undefined ? { label: text } : { label: name, side };
}

function tagFrom(text: string): { readonly label: string; readonly category?: string } {
  const [, group, label] = /^([^:]+):\s+(.+)$/s.exec(text) ?? [];
  return group === undefined || label === undefined ? { label: text } : { label, category: group };
}

function jsonCell(fields: FieldReader, cell: Cell, column: ReadColumn): unknown {
  const text = cell(column);
  if (text === undefined) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    fields.problem(column, 'expected JSON, received something else');
    return undefined;
  }
}

/** Clubs, players, match and tags: the exact ones where the readable cell still says the same, else what it says. */
function entitiesOf(fields: FieldReader, cell: Cell): { readonly [name: string]: unknown } {
  const exact = {
    match: jsonCell(fields, cell, 'match_json'),
    clubs: jsonCell(fields, cell, 'clubs_json') ?? [],
    players: jsonCell(fields, cell, 'players_json') ?? [],
    tag_options: jsonCell(fields, cell, 'tags_json') ?? [],
  };
  const known = recordFromJson({ type: 'x', ...exact }, { fields, fallbackRef: '', timeBase: {} });
  const written = known && readableCells(known);
  const isSame = (column: 'match' | 'clubs' | 'players' | 'tags') => written?.[column] === (cell(column) ?? '');
  const single = (column: ReadColumn, role: string | undefined) =>
    splitNames(cell(column) ?? '').map((name) => ({ ...(role === undefined ? {} : { role }), ...playerFrom(name) }));
  const [first, ...others] = [...single('player', undefined), ...single('scorer', 'scorer')];
  const shirt = cell('shirt');
  const players = [
    ...(first ? [{ ...first, ...(shirt === undefined ? {} : { shirt: Number(shirt) }) }] : []),
    ...others,
    ...single('assist', 'assist'),
    ...single('goalkeeper', 'goalkeeper'),
  ];
  const side = cell('club_side')?.toLowerCase();
  const clubs = splitNames(cell('club') ?? '').map((name) => ({
    ...(side === undefined ? {} : { side }),
    ...clubFrom(name),
  }));
  const names = (column: ReadColumn) => splitNames(cell(column) ?? '');
  return {
    match: isSame('match') ? exact.match : cell('match') && { label: cell('match') },
    clubs: isSame('clubs') && clubs.length === 0 ? exact.clubs : [...names('clubs').map(clubFrom), ...clubs],
    players:
      isSame('players') && players.length === 0 ? exact.players : [...names('players').map(playerFrom), ...players],
    tag_options: isSame('tags') ? exact.tag_options : names('tags').map(tagFrom),
  };
}

/** `45+2` or `78'`: minute and stoppage. */
function minuteOf(fields: FieldReader, cell: Cell): { readonly minute?: string; readonly stoppage?: string } {
  const text = cell('minute');
  if (text === undefined) return {};
  const [, minute, stoppage] = /^(\d{1,3})(?:\s*\+\s*(\d{1,2}))?\s*['’′]?$/.exec(text.trim()) ?? [];
  if (minute === undefined) fields.problem('minute', `expected a minute such as 78 or 45+2, received "${text}"`);
  return { ...(minute === undefined ? {} : { minute }), ...(stoppage === undefined ? {} : { stoppage }) };
}

function clockOf(fields: FieldReader, cell: Cell): string | number | undefined {
  const text = cell('clock');
  if (cell('clock_ms') !== undefined || text === undefined) return cell('clock_ms');
  const clock = readClockMs(text);
  if (clock === undefined) fields.problem('clock', `expected the match clock as mm:ss, received "${text}"`);
  return clock;
}

function periodOf(fields: FieldReader, cell: Cell): number | undefined {
  const text = cell('period');
  const period = text === undefined ? undefined : readPeriod(text);
  if (text !== undefined && period === undefined)
    fields.problem('period', `expected 1 to 5, 1H, 2H, ET1, ET2 or P, received "${text}"`);
  return period;
}

const TEXT_COLUMNS = [
  'label',
  'outcome',
  'source',
  'source_ref',
  'status',
  'wallclock_at',
  'type_label',
  'type_id',
  'deleted',
] as const;
const NUMBER_COLUMNS = [
  'id',
  'x',
  'y',
  'end_x',
  'end_y',
  'source_version',
  'confidence',
  'parent_id',
  'version',
  'stoppage',
] as const;
const IS_TRUE = /^(?:1|true|yes|y|x)$/i;

/** Places of the video: ms, else seconds, a clock or a timecode. */
function timesOf(fields: FieldReader, cell: Cell, timeBase: TimeBase): { readonly [name: string]: unknown } {
  const time = (name: 'start' | 'end' | 'event') =>
    fields.number(`${name}_ms`, cell(`${name}_ms`), MS_RANGE) ??
    readMediaTime(fields, name, cell(name), timeBase) ??
    (name === 'event' ? undefined : readMediaTime(fields, `${name}_tc`, cell(`${name}_tc`), timeBase));
  return { start_ms: time('start'), end_ms: time('end'), event_ms: time('event') };
}

type Layout = {
  readonly columns: ReadonlyMap<ReadColumn, number>;
  readonly others: readonly (readonly [head: string, at: number])[];
};

function recordOf(
  row: CsvRow,
  index: number,
  layout: Layout,
  options: { readonly problems: EventProblems; readonly timeBase: TimeBase },
): EventRecord | undefined {
  const at = { line: row.line, index };
  const fields = createFieldReader(at, options.problems);
  const cell: Cell = (column) => {
    const text = row.cells[layout.columns.get(column) ?? -1];
    return text === undefined || text === '' ? undefined : text;
  };
  const type = cell('type')?.trim() ?? cell('type_label');
  if (type === undefined || type === '') {
    options.problems.add(at, 'type', 'expected a type, received an empty cell', { isLeftOut: true });
    return undefined;
  }
  const details = jsonCell(fields, cell, 'details_json');
  const notes = cell('notes');
  const others = layout.others.flatMap(([head, at]) => (row.cells[at] ? [[head, row.cells[at]] as const] : []));
  const copied = [...TEXT_COLUMNS, ...NUMBER_COLUMNS].map((column) => [column, cell(column)] as const);
  const value = {
    ...Object.fromEntries(copied),
    ...minuteOf(fields, cell),
    ...entitiesOf(fields, cell),
    ...timesOf(fields, cell, options.timeBase),
    type: typeKeyOf(type) === type || /^[a-z0-9_]+$/.test(type) ? type : typeKeyOf(type),
    type_label: cell('type_label') ?? (/^[a-z0-9_]+$/.test(type) ? undefined : type),
    deleted: IS_TRUE.test(cell('deleted') ?? ''),
    period: periodOf(fields, cell),
    clock_ms: clockOf(fields, cell),
    details: {
      ...(isObject(details) ? details : {}),
      ...(notes === undefined ? {} : { notes }),
      ...Object.fromEntries(others),
    },
  };
  return recordFromJson(value, { fields, fallbackRef: `line:${row.line}`, timeBase: {} });
}

/**
 * Records of a CSV file with a header row; a column that is not known goes into `details` under its head.
 * @throws payload_too_large, file_empty; validation_failed naming the line for what is no CSV, or has no column of types
 */
export function parseEventCsv(bytes: Uint8Array, timeBase: TimeBase = {}): ParsedEvents {
  const problems = createProblems();
  let csv: ReturnType<typeof parseCsv>;
  try {
    csv = parseCsv(readText(bytes), { maxRows: MAX_EVENTS, maxColumns: MAX_COLUMNS });
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    throw malformedFile('CSV', { line: error.line, column: 1 }, error.message.replace(/^line \d+: /, ''));
  }
  const columns = new Map<ReadColumn, number>();
  const others: (readonly [string, number])[] = [];
  for (const [at, head] of csv.header.entries()) {
    const column = columnOf(head);
    if (column !== undefined && !columns.has(column)) columns.set(column, at);
    else if (head !== '') others.push([head, at]);
  }
  if (!columns.has('type')) {
    throw malformedFile('CSV', { line: 1, column: 1 }, 'expected a column type or code in the header row');
  }
  const records = csv.rows.flatMap(
    (row, index) => recordOf(row, index, { columns, others }, { problems, timeBase }) ?? [],
  );
  return { records, problems: problems.list, match: NO_MATCH, colours: {} };
}
