/** A fault in a CSV file, with the line it begins on. */
export class CsvError extends Error {
  readonly line: number;
  constructor(line: number, message: string) {
    super(`line ${line}: ${message}`);
    this.name = 'CsvError';
    this.line = line;
  }
}

export type CsvRow = { readonly line: number; readonly cells: readonly string[] };
export type Csv = { readonly delimiter: string; readonly header: readonly string[]; readonly rows: readonly CsvRow[] };

/** Rows below the header, and cells of one row. */
export type CsvLimits = { readonly maxRows: number; readonly maxColumns: number };
const NO_LIMITS: CsvLimits = { maxRows: Number.POSITIVE_INFINITY, maxColumns: Number.POSITIVE_INFINITY };

const DELIMITERS = [',', ';', '\t'];

/** Excel may write its delimiter on a line of its own before the header. */
const SEPARATOR_LINE = /^sep=(.)\r?\n/i;

/** The delimiter that parts the header into most cells; quoted parts do not count. Comma where none does. */
function detectDelimiter(text: string): string {
  const counts = new Map(DELIMITERS.map((delimiter) => [delimiter, 0]));
  let quoted = false;
  for (const character of text) {
    if (character === '"') quoted = !quoted;
    else if (!quoted && (character === '\n' || character === '\r')) break;
    else if (!quoted) counts.set(character, (counts.get(character) ?? 0) + 1);
  }
  const count = (delimiter: string) => counts.get(delimiter) ?? 0;
  return DELIMITERS.reduce((best, next) => (count(next) > count(best) ? next : best));
}

/**
 * Cells of a text by RFC 4180: quotes, doubled quotes, delimiters and line ends inside quotes; lines end with LF, CRLF or CR.
 * A quote inside an unquoted cell is a character, as every spreadsheet reads it. Empty lines are left out.
 */
function parseRows(text: string, delimiter: string, firstLine: number, limits: CsvLimits): CsvRow[] {
  const rows: CsvRow[] = [];
  let cells: string[] = [];
  let line = firstLine;
  let rowLine = firstLine;
  let at = 0;

  const endRow = () => {
    if (cells.length > 1 || cells[0] !== '') rows.push({ line: rowLine, cells });
    // The header is a row too.
    if (rows.length > limits.maxRows + 1) throw new CsvError(rowLine, `expected at most ${limits.maxRows} rows`);
    cells = [];
    rowLine = line;
  };
  const readQuoted = (): string => {
    const start = line;
    let cell = '';
    for (;;) {
      const end = text.indexOf('"', at);
      if (end === -1) throw new CsvError(start, 'expected a closing quote, received the end of the file');
      const part = text.slice(at, end);
      line += part.match(/\r\n|\n|\r/g)?.length ?? 0;
      cell += part;
      at = end + 1;
      if (text[at] !== '"') return cell;
      cell += '"';
      at += 1;
    }
  };
  const readPlain = (): string => {
    const start = at;
    while (at < text.length && text[at] !== delimiter && text[at] !== '\n' && text[at] !== '\r') at += 1;
    return text.slice(start, at);
  };

  while (at < text.length) {
    let cell = '';
    if (text[at] === '"') {
      at += 1;
      cell = readQuoted();
    }
    cells.push(cell + readPlain());
    if (cells.length > limits.maxColumns) throw new CsvError(rowLine, `expected at most ${limits.maxColumns} columns`);
    if (text[at] === delimiter) {
      at += 1;
      // The delimiter was the last character: an empty cell follows it.
      if (at === text.length) cells.push('');
    } else if (at < text.length) {
      at += text.startsWith('\r\n', at) ? 2 : 1;
      line += 1;
      endRow();
    }
  }
  if (cells.length > 0) endRow();
  return rows;
}

/** A CSV text with a header row. @throws CsvError when it is empty, a quote is never closed, or a limit is passed */
export function parseCsv(input: string, limits: CsvLimits = NO_LIMITS): Csv {
  const separator = SEPARATOR_LINE.exec(input);
  const text = separator ? input.slice(separator[0].length) : input;
  const delimiter = separator?.[1] ?? detectDelimiter(text.trimStart());
  const [header, ...rows] = parseRows(text, delimiter, separator ? 2 : 1, limits);
  if (!header) throw new CsvError(1, 'expected a header row, received an empty file');
  return { delimiter, header: header.cells.map((cell) => cell.trim()), rows };
}

/**
 * Text of a file from a spreadsheet: UTF-8, UTF-16 by its byte order mark, else Windows-1252, which Excel writes under
 * "CSV" in Western Europe and America.
 */
export function decodeText(bytes: Uint8Array): { readonly text: string; readonly encoding: string } {
  const [first, second] = bytes;
  const marked =
    first === 0xff && second === 0xfe ? 'utf-16le' : first === 0xfe && second === 0xff ? 'utf-16be' : undefined;
  if (marked !== undefined) return { text: new TextDecoder(marked).decode(bytes), encoding: marked };
  try {
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(bytes), encoding: 'utf-8' };
  } catch {
    return { text: new TextDecoder('windows-1252').decode(bytes), encoding: 'windows-1252' };
  }
}
