import { NUMBER_FIELDS, type AssetRow, type NumberField } from './asset-row.ts';
import { grown } from './growing.ts';

/** Values by document, one array per field; a missing number is NaN. */
export type Columns = {
  set(document: number, row: AssetRow): void;
  id(document: number): number;
  name(document: number): string;
  /** NaN when the asset has no such value. */
  number(field: NumberField, document: number): number;
  /** All values of a field, for reading many of them; the next `set` may replace the array. */
  values(field: NumberField): Float64Array;
  readonly bytes: number;
};

export function createColumns(): Columns {
  let ids = new Float64Array(0);
  const names: string[] = [];
  const numbers = Object.fromEntries(NUMBER_FIELDS.map((field) => [field, new Float64Array(0)])) as Record<
    NumberField,
    Float64Array
  >;
  return {
    set(document, row) {
      ids = grown(ids, document + 1);
      ids[document] = row.id;
      names[document] = row.name;
      for (const field of NUMBER_FIELDS) {
        const column = grown(numbers[field], document + 1);
        column[document] = row[field] ?? Number.NaN;
        numbers[field] = column;
      }
    },
    id: (document) => ids[document] ?? Number.NaN,
    name: (document) => names[document] ?? '',
    number: (field, document) => numbers[field][document] ?? Number.NaN,
    values: (field) => numbers[field],
    get bytes() {
      // Names are shared with nobody; two bytes a character and a header of 16 is the usual cost of a short string.
      const text = names.reduce((sum, name) => sum + 16 + name.length, 0);
      return NUMBER_FIELDS.reduce((sum, field) => sum + numbers[field].byteLength, ids.byteLength + text);
    },
  };
}
