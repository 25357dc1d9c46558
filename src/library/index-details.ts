import type { DetailField } from './detail-field.ts';

/** A field of the organization's own as a search index keeps it. Its key never changes, its type only without values. */
export type IndexField = Pick<DetailField, 'id' | 'key' | 'type'>;

/**
 * A value in the details of an asset by the ID of its field: a text or choice, a number, a date as milliseconds since 1970, a
 * list with each of its texts once, or null for a text that is too long to be kept.
 */
export type IndexDetail = readonly [fieldId: number, value: string | number | readonly string[] | null];

/** UTF-16 units of a text that an index keeps; of longer ones it knows that they are there. */
export const MAX_INDEXED_TEXT = 1000;

const NO_DETAILS: readonly IndexDetail[] = [];

/** The fields that may be searched, by ID. */
export function indexFieldsOf(fields: readonly DetailField[]): readonly IndexField[] {
  return fields
    .filter((field) => field.searchable)
    .map(({ id, key, type }) => ({ id, key, type }))
    .toSorted((a, b) => a.id - b.id);
}

/** A value as an index keeps it; undefined for one that is none of the field's type, which an older field may have left. */
function readValue({ type }: IndexField, value: unknown): IndexDetail[1] | undefined {
  switch (type) {
    case 'text':
    case 'choice':
      if (typeof value !== 'string') return undefined;
      return value.length <= MAX_INDEXED_TEXT ? value : null;
    case 'number':
      return typeof value === 'number' ? value : undefined;
    case 'date': {
      // As writes leave them, a date alone stands for its midnight in UTC, in JavaScript too.
      const time = typeof value === 'string' ? Date.parse(value) : Number.NaN;
      return Number.isNaN(time) ? undefined : time;
    }
    case 'list':
      return Array.isArray(value) ? [...new Set(value.filter((item) => typeof item === 'string'))] : undefined;
  }
}

/** @param values what lies under the key of each field, in their order, null where nothing does; or nothing at all */
export function readIndexDetails(fields: readonly IndexField[], values: unknown): readonly IndexDetail[] {
  if (!Array.isArray(values)) return NO_DETAILS;
  return fields.flatMap((field, at): IndexDetail[] => {
    const value = readValue(field, values[at]);
    return value === undefined ? [] : [[field.id, value]];
  });
}
