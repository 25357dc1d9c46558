import type { Csv } from '../../base/index.ts';

/** Types of tag options that have a column of their own; `tags` takes free tags and, failing these, any type. */
const TAG_COLUMNS: Readonly<Record<string, string | undefined>> = {
  players: 'player',
  clubs: 'club',
  match: 'match',
  competition: 'competition',
  season: 'season',
  stadium: 'stadium',
  sponsors: 'sponsor',
  tags: undefined,
};
const SYNONYMS: Readonly<Record<string, string>> = {
  filename: 'file',
  'file name': 'file',
  path: 'file',
  player: 'players',
  club: 'clubs',
  matches: 'match',
  competitions: 'competition',
  seasons: 'season',
  stadiums: 'stadium',
  sponsor: 'sponsors',
  tag: 'tags',
  collections: 'collection',
};
const USAGES = ['approved', 'limited', 'raw', 'embargoed', 'expired'];
/** RFC 3339 with its offset: a time without one would be another moment on another machine. */
const TIME = /^\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d:\d\d(\.\d+)?([Zz]|[+-]\d\d:\d\d)$/;

/** One value of a cell that names a tag option. */
export type TagReference = {
  /** The column, as the report names it. */
  readonly column: string;
  /** Undefined: a free tag, or failing that any type. */
  readonly type: string | undefined;
  /** A label, a full name, an alias, or `source:id`. */
  readonly value: string;
};
export type SidecarFields = {
  readonly rating?: number;
  readonly usage?: string;
  readonly usage_at?: string;
  readonly captured_at?: string;
  readonly title?: string;
  readonly caption?: string;
};
/** What a table says about one file. */
export type SidecarRow = {
  readonly line: number;
  readonly file: string;
  readonly tags: readonly TagReference[];
  readonly collections: readonly string[];
  readonly fields: SidecarFields;
};
/** Something in the table that is not applied; everything else of its row is. */
export type SidecarIssue = { readonly line: number; readonly file: string | undefined; readonly detail: string };
export type Sidecar = { readonly rows: readonly SidecarRow[]; readonly issues: readonly SidecarIssue[] };

const KNOWN = new Set([
  'file',
  ...Object.keys(TAG_COLUMNS),
  'collection',
  'rating',
  'usage',
  'usage_at',
  'captured_at',
  'title',
  'caption',
]);

const valuesOf = (cell: string) =>
  cell
    .split(';')
    .map((value) => value.trim())
    .filter((value) => value !== '');

type Cells = ReadonlyMap<string, string>;

function readTime(text: string): string | undefined {
  const time = text.replace(' ', 'T');
  return TIME.test(text) && !Number.isNaN(Date.parse(time)) ? new Date(time).toISOString() : undefined;
}

function readFields(cells: Cells, report: (detail: string) => void): SidecarFields {
  const cell = (name: string) => cells.get(name) ?? '';
  const read = <T>(name: string, parse: (text: string) => T | undefined, expected: string): { value?: T } => {
    const text = cell(name);
    if (text === '') return {};
    const value = parse(text);
    if (value !== undefined) return { value };
    report(`${name}: expected ${expected}, received "${text}"`);
    return {};
  };
  const timeText = 'a time with its offset such as 2026-03-14T17:30:00+01:00';
  const rating = read(
    'rating',
    (text) => (/^[0-5]$/.test(text) ? Number(text) : undefined),
    'a whole number from 0 to 5',
  );
  const usage = read(
    'usage',
    (text) => USAGES.find((known) => known === text.toLowerCase()),
    `one of ${USAGES.join(', ')}`,
  );
  const usageAt = read('usage_at', readTime, timeText);
  const capturedAt = read('captured_at', readTime, timeText);
  const isTimed = usage.value === 'embargoed' || usage.value === 'expired';
  const lacksTime = isTimed && usageAt.value === undefined;
  if (lacksTime) report(`usage: expected usage_at beside "${usage.value}", received none`);
  return {
    ...(rating.value !== undefined && { rating: rating.value }),
    ...(usage.value !== undefined && !lacksTime && { usage: usage.value }),
    ...(usageAt.value !== undefined && { usage_at: usageAt.value }),
    ...(capturedAt.value !== undefined && { captured_at: capturedAt.value }),
    ...(cell('title') !== '' && { title: cell('title') }),
    ...(cell('caption') !== '' && { caption: cell('caption') }),
  };
}

function readHeader(csv: Csv, report: (detail: string) => void): (string | undefined)[] {
  const seen = new Set<string>();
  return csv.header.map((given) => {
    const lower = given.toLowerCase();
    const name = SYNONYMS[lower] ?? lower;
    if (!KNOWN.has(name)) {
      if (given !== '') report(`column "${given}": expected one of ${[...KNOWN].join(', ')}; it is not applied`);
      return undefined;
    }
    if (seen.has(name)) report(`column "${given}": it is there twice; only the first is applied`);
    if (seen.has(name)) return undefined;
    seen.add(name);
    return name;
  });
}

/**
 * Reads the table of an import: a column `file`, and any of players, clubs, match, competition, season, stadium, sponsors,
 * tags, collection (several values parted by `;`), rating, usage, usage_at, captured_at, title, caption.
 */
export function readSidecar(csv: Csv): Sidecar {
  const issues: SidecarIssue[] = [];
  const columns = readHeader(csv, (detail) => issues.push({ line: 1, file: undefined, detail }));
  if (!columns.includes('file')) {
    const detail = `expected a column "file", received ${csv.header.join(', ')}; no row is applied`;
    return { rows: [], issues: [...issues, { line: 1, file: undefined, detail }] };
  }
  const rows: SidecarRow[] = [];
  for (const { line, cells } of csv.rows) {
    const byName: Cells = new Map(columns.flatMap((name, at) => (name ? [[name, (cells[at] ?? '').trim()]] : [])));
    const file = byName.get('file') ?? '';
    const report = (detail: string) => issues.push({ line, file: file || undefined, detail });
    if (cells.slice(columns.length).some((cell) => cell.trim() !== '')) {
      report(`expected ${columns.length} cells, received ${cells.length}: is a "${csv.delimiter}" not in quotes?`);
    }
    if (file === '') {
      if (cells.some((cell) => cell.trim() !== '')) report('expected a file name, received an empty cell');
      continue;
    }
    rows.push({
      line,
      file,
      tags: Object.entries(TAG_COLUMNS).flatMap(([column, type]) =>
        valuesOf(byName.get(column) ?? '').map((value) => ({ column, type, value })),
      ),
      collections: valuesOf(byName.get('collection') ?? ''),
      fields: readFields(byName, report),
    });
  }
  return { rows, issues };
}
