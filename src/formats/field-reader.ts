import type { EventPlace, EventProblems, JsonObject } from './event-record.ts';

export type NumberRange = { readonly min: number; readonly max: number; readonly isWhole: boolean };

/** Times in media and on clocks: up to 1,000 hours. */
export const MS_RANGE: NumberRange = { min: 0, max: 3_600_000_000, isWhole: true };
export const PITCH_RANGE: NumberRange = { min: 0, max: 100, isWhole: false };
export const PERIOD_RANGE: NumberRange = { min: 1, max: 5, isWhole: true };
export const MINUTE_RANGE: NumberRange = { min: 1, max: 200, isWhole: true };
export const SHIRT_RANGE: NumberRange = { min: 0, max: 999, isWhole: true };
export const ID_RANGE: NumberRange = { min: 1, max: Number.MAX_SAFE_INTEGER, isWhole: true };
export const FRACTION_RANGE: NumberRange = { min: 0, max: 1, isWhole: false };

export function isObject(value: unknown): value is { readonly [name: string]: unknown } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A member of a table by a name out of a file: `constructor` and its like are in no table of ours. */
export function lookUp<T>(table: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined;
}

/** The value as it may stand in a message. */
export function shown(value: unknown): string {
  if (Array.isArray(value)) return 'a list';
  if (isObject(value)) return 'an object';
  if (typeof value !== 'string') return String(value);
  return value.length > 60 ? `"${value.slice(0, 57)}..."` : `"${value}"`;
}

/** JSON may be nested as deep as it is long, and whoever writes it again goes down by recursion. */
const MAX_DETAIL_DEPTH = 20;

function isDeeperThan(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((member) => isDeeperThan(member, levels - 1));
}

/** Players, clubs or tags of one event: two squads are under a hundred. */
const MAX_LIST = 1000;

/** Reads fields of one event of a file: what does not fit is told, and is absent. */
export type FieldReader = {
  readonly at: EventPlace;
  problem(field: string, message: string): void;
  /** A text that is not empty. */
  text(field: string, value: unknown): string | undefined;
  /** A number in a range, given as such or, as in XML and CSV, as text. */
  number(field: string, value: unknown, range: NumberRange): number | undefined;
  /** A time, as RFC 3339 in UTC with ms. */
  time(field: string, value: unknown): string | undefined;
  object(field: string, value: unknown): JsonObject | undefined;
  list(field: string, value: unknown): readonly unknown[];
};

const ZONED_TIME = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?\s?(?:Z|[+-]\d\d:?\d\d)$/i;

/** A time with its zone as RFC 3339 in UTC with ms; `undefined` for anything else. */
export function utcTime(text: string): string | undefined {
  if (!ZONED_TIME.test(text)) return undefined;
  const time = new Date(
    text
      .replace(' ', 'T')
      .replace(/\s/, '')
      .replace(/([+-]\d\d)(\d\d)$/, '$1:$2'),
  );
  return Number.isNaN(time.getTime()) ? undefined : time.toISOString();
}

function inRange(value: number, range: NumberRange): boolean {
  return (
    (range.isWhole ? Number.isSafeInteger(value) : Number.isFinite(value)) && value >= range.min && value <= range.max
  );
}

export function createFieldReader(at: EventPlace, problems: EventProblems): FieldReader {
  const problem = (field: string, message: string) => problems.add(at, field, message);
  const isAbsent = (value: unknown) => value === undefined || value === null || value === '';
  return {
    at,
    problem,
    text(field, value) {
      if (isAbsent(value)) return undefined;
      if (typeof value === 'string') return value;
      if (typeof value === 'number' || typeof value === 'boolean') return String(value);
      problem(field, `expected a text, received ${shown(value)}`);
      return undefined;
    },
    number(field, value, range) {
      if (isAbsent(value)) return undefined;
      const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
      if (typeof number === 'number' && inRange(number, range)) return number;
      const what = range.isWhole ? 'a whole number' : 'a number';
      problem(field, `expected ${what} from ${range.min} to ${range.max}, received ${shown(value)}`);
      return undefined;
    },
    time(field, value) {
      if (isAbsent(value)) return undefined;
      const time = typeof value === 'string' ? utcTime(value) : undefined;
      if (time === undefined) problem(field, `expected a time with its zone (RFC 3339), received ${shown(value)}`);
      return time;
    },
    object(field, value) {
      if (isAbsent(value)) return undefined;
      if (!isObject(value)) problem(field, `expected an object, received ${shown(value)}`);
      else if (!isDeeperThan(value, MAX_DETAIL_DEPTH))
        return value as JsonObject; // JSON.parse made it: its members are JSON.
      else problem(field, `expected at most ${MAX_DETAIL_DEPTH} levels, received more`);
      return undefined;
    },
    list(field, value) {
      if (isAbsent(value)) return [];
      if (Array.isArray(value) && value.length > MAX_LIST)
        problem(field, `expected at most ${MAX_LIST}, received ${value.length}`);
      if (Array.isArray(value)) return value.slice(0, MAX_LIST);
      problem(field, `expected a list, received ${shown(value)}`);
      return [];
    },
  };
}

/** An object without the members that are undefined. */
export function present<T extends object>(value: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  const entries = Object.entries(value).filter(([, member]) => member !== undefined);
  // Members that were undefined are gone, which is what the type says of the rest.
  return Object.fromEntries(entries) as { [K in keyof T]: Exclude<T[K], undefined> };
}
