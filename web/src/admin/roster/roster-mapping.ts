import type { CsvRow } from '../../../../src/base/csv.ts';
import { TAG_TYPES, type TagType } from '../../api/tags.ts';
import { type RosterField, ROSTER_FIELDS } from './roster-fields.ts';

/** How rows become tag options. */
export type Mapping = {
  /** Of all rows, or as the column `type` says. */
  readonly type: TagType | 'column';
  /** The system whose IDs the file has, such as `league`. */
  readonly source: string;
  /** What each column holds. */
  readonly fields: readonly RosterField[];
  /** The club of all players of the file. */
  readonly club: number | null;
  /** Clubs that the file names, by their name. */
  readonly clubs: ReadonlyMap<string, number>;
};

/** One tag option to be sent; `lines` are those of the file that it comes from. */
export type RosterItem = { readonly lines: readonly number[]; readonly name: string; readonly text: string };
export type RosterFault = { readonly line: number; readonly name: string; readonly detail: string };
export type MappedRoster = { readonly items: readonly RosterItem[]; readonly faults: readonly RosterFault[] };

type Values = Readonly<Partial<Record<RosterField, string>>>;
type Reference = { readonly source: string; readonly id: string } | number;
type ClubRelation = {
  readonly club: Reference;
  readonly shirt_number?: number;
  readonly position?: string;
  readonly from?: string;
  readonly to?: string;
};
type Body = {
  readonly type: TagType;
  readonly external_ids: Readonly<Record<string, string>>;
  readonly relations?: { readonly clubs?: readonly ClubRelation[] };
};

class Fault extends Error {}

const ISO_DATE = /^(\d{4})-(\d{1,2})-(\d{1,2})(?:T.*)?$/;
const DOTTED_DATE = /^(\d{1,2})\.(\d{1,2})\.(\d{4})$/;

function readDate(text: string, field: RosterField): string {
  const iso = ISO_DATE.exec(text);
  const dotted = DOTTED_DATE.exec(text);
  const [year, month, day] = iso ? iso.slice(1) : dotted ? dotted.slice(1).toReversed() : [];
  if (year === undefined || month === undefined || day === undefined) {
    const { label } = ROSTER_FIELDS[field];
    // 3/4/2026 is one day in London and another in New York.
    throw new Fault(`${label}: expected a date such as 2026-07-01 or 1.7.2026, received ${text}`);
  }
  return `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
}

function readNumber(text: string, field: RosterField): number {
  if (!/^\d{1,3}$/.test(text)) {
    throw new Fault(`${ROSTER_FIELDS[field].label}: expected a whole number up to 999, received ${text}`);
  }
  return Number(text);
}

function readTime(text: string): string {
  const at = new Date(text);
  if (!/^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}/.test(text) || Number.isNaN(at.getTime())) {
    throw new Fault(`Kick-off: expected a time such as 2026-03-14T19:30:00Z, received ${text}`);
  }
  return at.toISOString();
}

function readStatus(text: string): 'active' | 'deactivated' {
  const folded = text.toLowerCase();
  if (['active', 'yes', 'true', '1'].includes(folded)) return 'active';
  if (['deactivated', 'inactive', 'no', 'false', '0'].includes(folded)) return 'deactivated';
  throw new Fault(`Status: expected active or deactivated, received ${text}`);
}

function typeOf(values: Values, mapping: Mapping): TagType {
  if (mapping.type !== 'column') return mapping.type;
  const given = (values.type ?? '').toLowerCase();
  const found = TAG_TYPES.find((type) => type === given);
  if (found === undefined)
    throw new Fault(`Type: expected one of ${TAG_TYPES.join(', ')}, received ${given || 'none'}`);
  return found;
}

function namesOf(values: Values) {
  const joined = [values.first_name, values.last_name].filter((part) => part !== undefined).join(' ');
  const full = values.full_name ?? (joined === '' ? undefined : joined);
  return { label: values.label ?? values.last_name ?? full, full_name: full };
}

function clubOf(values: Values, mapping: Mapping): Reference | undefined {
  if (values.club_id !== undefined) return { source: mapping.source, id: values.club_id };
  if (values.club_name === undefined) return mapping.club ?? undefined;
  const id = mapping.clubs.get(values.club_name);
  if (id === undefined) throw new Fault(`Club: there is none that is called ${values.club_name}`);
  return id;
}

function clubRelationOf(values: Values, mapping: Mapping): ClubRelation | undefined {
  const club = clubOf(values, mapping);
  if (club === undefined) return undefined;
  const { shirt_number: shirt, position, from, to } = values;
  return {
    club,
    ...(shirt !== undefined && { shirt_number: readNumber(shirt, 'shirt_number') }),
    ...(position !== undefined && { position }),
    ...(from !== undefined && { from: readDate(from, 'from') }),
    ...(to !== undefined && { to: readDate(to, 'to') }),
  };
}

function matchOf(values: Values, { source }: Mapping): object {
  const references = {
    home: 'home_id',
    away: 'away_id',
    competition: 'competition_id',
    season: 'season_id',
    stadium: 'stadium_id',
  } as const;
  const named = Object.entries(references).flatMap(([member, field]) => {
    const id = values[field];
    return id === undefined ? [] : [[member, { source, id }] as const];
  });
  const { kick_off: kickOff, round, match_status: status, home_score: home, away_score: away } = values;
  return {
    ...Object.fromEntries(named),
    ...(kickOff !== undefined && { kick_off: readTime(kickOff) }),
    ...(round !== undefined && { round }),
    ...(status !== undefined && { status: status.toLowerCase() }),
    ...(home !== undefined && { home_score: readNumber(home, 'home_score') }),
    ...(away !== undefined && { away_score: readNumber(away, 'away_score') }),
  };
}

function bodyOf(values: Values, mapping: Mapping): Body {
  const type = typeOf(values, mapping);
  if (values.id === undefined)
    throw new Fault('ID: expected one, by which the next file finds it again, received none');
  const { aliases, category, status, image_url: image } = values;
  const club = type === 'player' ? clubRelationOf(values, mapping) : undefined;
  const match = type === 'match' ? matchOf(values, mapping) : {};
  const relations = { ...match, ...(club && { clubs: [club] }) };
  return {
    type,
    ...namesOf(values),
    ...(aliases !== undefined && {
      aliases: aliases.split(/[;|]/).flatMap((one) => (one.trim() === '' ? [] : [one.trim()])),
    }),
    ...(category !== undefined && { category }),
    ...(status !== undefined && { status: readStatus(status) }),
    ...(image !== undefined && { image_url: image }),
    external_ids: { [mapping.source]: values.id },
    ...(Object.keys(relations).length > 0 && { relations }),
  };
}

/** What a row holds, by field; an empty cell says nothing. */
function valuesOf(row: CsvRow, fields: readonly RosterField[]): Values {
  return Object.fromEntries(
    fields.flatMap((field, at) => {
      const text = row.cells[at]?.trim() ?? '';
      return field === 'ignore' || text === '' ? [] : [[field, text] as const];
    }),
  );
}

/** Another row of the same player is another club of theirs, at another time. */
function joined(before: Body, next: Body): Body {
  const clubs = [...(before.relations?.clubs ?? []), ...(next.relations?.clubs ?? [])];
  return {
    ...before,
    ...next,
    ...(clubs.length > 0 && { relations: { ...before.relations, ...next.relations, clubs } }),
  };
}

const nameOf = (values: Values): string => namesOf(values).full_name ?? values.label ?? values.id ?? '';

/** Rows as tag options, those of one ID together; rows that cannot be read say why. */
export function mapRows(rows: readonly CsvRow[], mapping: Mapping): MappedRoster {
  const found = new Map<string, { lines: number[]; name: string; body: Body }>();
  const faults: RosterFault[] = [];
  for (const row of rows) {
    const values = valuesOf(row, mapping.fields);
    try {
      const body = bodyOf(values, mapping);
      const key = `${body.type} ${values.id ?? ''}`;
      const known = found.get(key);
      if (known) {
        known.lines.push(row.line);
        known.body = joined(known.body, body);
      } else found.set(key, { lines: [row.line], name: nameOf(values), body });
    } catch (fault) {
      if (!(fault instanceof Fault)) throw fault;
      faults.push({ line: row.line, name: nameOf(values), detail: fault.message });
    }
  }
  const items = [...found.values()].map(({ lines, name, body }) => ({ lines, name, text: JSON.stringify(body) }));
  return { items, faults };
}

/** Names of clubs in a file, each once. */
export function clubNamesOf(rows: readonly CsvRow[], fields: readonly RosterField[]): readonly string[] {
  const at = fields.indexOf('club_name');
  if (at === -1) return [];
  return [...new Set(rows.map((row) => row.cells[at]?.trim() ?? ''))].filter((name) => name !== '');
}

const SOURCE = /^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$/;

/** Why nothing can be sent yet. */
export function missingOf({ type, source, fields }: Mapping): readonly string[] {
  const has = (field: RosterField) => fields.includes(field);
  return [
    ...(SOURCE.test(source) ? [] : ['Say which system the IDs are of: letters, digits, _ . and -, such as league.']),
    ...(has('id') ? [] : ['Say which column holds the ID in that system.']),
    ...(type === 'column' && !has('type') ? ['Say which column holds the type.'] : []),
    ...(has('label') || has('full_name') || has('last_name') ? [] : ['Say which column holds the name.']),
  ];
}
