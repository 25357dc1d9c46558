export const DETAIL_TYPES = ['text', 'number', 'date', 'choice', 'list'] as const;
export type DetailType = (typeof DETAIL_TYPES)[number];

/** A field of an organization's own: what `details[key]` of its assets is. */
export type DetailField = {
  readonly id: number;
  /** snake_case, at most 64 characters; never changes. */
  readonly key: string;
  readonly label: string;
  readonly type: DetailType;
  /** choice: the values; list: what its texts are taken from, empty = any text; else empty. */
  readonly choices: readonly string[];
  /** Filters may test it. Words of its texts are found by `text` either way. */
  readonly searchable: boolean;
  readonly position: number;
  readonly version: number;
  readonly createdAt: Date;
  readonly updatedAt: Date;
};

/**
 * Names with a fixed meaning: those of the IPTC core and of the camera, which ingest writes. They stay as they are, so no
 * field of an organization can have them. A test compares them with what ingest reads.
 */
export const CORE_DETAILS: ReadonlySet<string> = new Set([
  'title',
  'headline',
  'caption',
  'description',
  'credit',
  'copyright',
  'byline',
  'byline_title',
  'caption_writer',
  'source',
  'instructions',
  'usage_terms',
  'transmission_reference',
  'event',
  'location',
  'city',
  'state',
  'country',
  'country_code',
  'alt_text',
  'software',
  'keywords',
  'persons',
  'gps',
  'camera',
]);

/** UTF-16 units; longer texts belong into a free field such as the caption. */
const MAX_TEXT_LENGTH = 10_000;
const MAX_ITEM_LENGTH = 200;
const MAX_ITEMS = 500;

/** A value as it is stored, or what would have been one. */
export type DetailReading =
  | { readonly ok: true; readonly value: string | number | readonly string[] }
  | { readonly ok: false; readonly expected: string };

const refuse = (expected: string): DetailReading => ({ ok: false, expected });

const DATE = /^\d{4}-\d{2}-\d{2}$/;
const TIME = /^\d{4}-\d{2}-\d{2}[Tt]\d{2}:\d{2}:\d{2}(\.\d{1,9})?([Zz]|[+-]\d{2}:\d{2})$/;

/**
 * A date as it is, a time as RFC 3339 in UTC with milliseconds, so that texts compare as the times they stand for (a date
 * as its midnight in UTC). Undefined for a day or time that does not exist, and for years beyond 0000..9999.
 */
export function readDetailDate(text: string): string | undefined {
  const isDate = DATE.test(text);
  if (!isDate && !TIME.test(text)) return undefined;
  const day = text.slice(0, 10);
  // JavaScript takes 30 February for 2 March.
  const midnight = new Date(`${day}T00:00:00Z`);
  const time = isDate ? midnight : new Date(text);
  if (Number.isNaN(midnight.getTime()) || Number.isNaN(time.getTime())) return undefined;
  if (midnight.toISOString().slice(0, 10) !== day) return undefined;
  const normal = time.toISOString();
  if (!DATE.test(normal.slice(0, 10))) return undefined;
  return isDate ? day : normal;
}

const listed = (choices: readonly string[]) => choices.map((choice) => JSON.stringify(choice)).join(', ');

function readList(choices: readonly string[], value: unknown): DetailReading {
  const items: readonly unknown[] = Array.isArray(value) ? value : [value];
  const texts = items.filter((item) => typeof item === 'string');
  const isList = Array.isArray(value) && texts.length === items.length && texts.length <= MAX_ITEMS;
  if (!isList || !texts.every((text) => text !== '' && text.length <= MAX_ITEM_LENGTH)) {
    return refuse(`a list of at most ${MAX_ITEMS} texts of 1 to ${MAX_ITEM_LENGTH} characters`);
  }
  if (choices.length > 0 && !texts.every((text) => choices.includes(text)))
    return refuse(`a list of ${listed(choices)}`);
  return { ok: true, value: [...new Set(texts)] };
}

/** Reads a value for a field: as it is stored, or what was expected in its place. */
export function readDetailValue(field: Pick<DetailField, 'type' | 'choices'>, value: unknown): DetailReading {
  switch (field.type) {
    case 'text':
      return typeof value === 'string' && value.length <= MAX_TEXT_LENGTH
        ? { ok: true, value }
        : refuse(`a text of at most ${MAX_TEXT_LENGTH} characters`);
    case 'number':
      return typeof value === 'number' && Number.isFinite(value) ? { ok: true, value } : refuse('a number');
    case 'date': {
      const date = typeof value === 'string' ? readDetailDate(value) : undefined;
      return date === undefined
        ? refuse('a date such as 2026-03-14 or an RFC 3339 time such as 2026-03-14T19:30:00Z')
        : { ok: true, value: date };
    }
    case 'choice':
      return typeof value === 'string' && field.choices.includes(value)
        ? { ok: true, value }
        : refuse(`one of ${listed(field.choices)}`);
    case 'list':
      return readList(field.choices, value);
  }
}
