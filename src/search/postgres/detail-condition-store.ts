import { type RawBuilder, sql } from 'kysely';
import type { DetailTest, TestedField } from '../filter/detail-test.ts';
import { compares, type Condition } from './leaf-store.ts';

/** As writes leave times: a date alone stands for its midnight in UTC. Texts of this form compare as their times do. */
const MIDNIGHT = 'T00:00:00.000Z';

/** True of assets `a` whose details hold this value, by the index over details. */
const holds = (key: string, value: unknown): Condition => sql`a.details @> ${JSON.stringify({ [key]: value })}::jsonb`;

const anyOf = (conditions: readonly Condition[]): Condition => sql`(${sql.join(conditions, sql` OR `)})`;

function comparesDetail({ key, type }: TestedField, test: Extract<DetailTest, { kind: 'compare' }>): Condition {
  const { comparison, values } = test;
  const text = sql`(a.details ->> ${key}::text)`;
  if (type === 'date') {
    const time = sql`(CASE WHEN length(${text}) = 10 THEN ${text} || ${MIDNIGHT} ELSE ${text} END COLLATE "C")`;
    const texts = values.map((value) => (value instanceof Date ? value.toISOString() : value));
    return compares(time, { comparison, values: texts });
  }
  switch (comparison) {
    case 'eq':
    case 'in':
      return anyOf(values.map((value) => holds(key, value)));
    case 'ne':
      return sql`NOT ${holds(key, values[0])}`;
    default: {
      // Only numbers are compared by size. jsonb keeps them exactly, so they are compared as numeric.
      const number = sql`(CASE WHEN jsonb_typeof(a.details -> ${key}::text) = 'number' THEN ${text}::numeric END)`;
      return compares(number, { comparison, values });
    }
  }
}

/** A test of a field of the organization's own in the details of assets `a`; unknown for some missing values. */
export function testsDetail(field: TestedField, test: DetailTest): Condition {
  const { key } = field;
  switch (test.kind) {
    case 'compare':
      return comparesDetail(field, test);
    case 'contains':
      return sql`(a.details ->> ${key}::text) ILIKE ${`%${test.text.replace(/[\\%_]/g, (character) => `\\${character}`)}%`}`;
    case 'all':
      return holds(key, test.texts);
    case 'any':
      return anyOf(test.texts.map((text) => holds(key, [text])));
    case 'none':
      return sql`NOT ${anyOf(test.texts.map((text) => holds(key, [text])))}`;
    case 'exists':
      return test.exists ? sql`(a.details ? ${key})` : sql`NOT (a.details ? ${key})`;
  }
}

/** Assets that match, counted by the choice, or by each text of the list, that a field of theirs holds. */
export function detailBuckets(
  { key, type }: TestedField,
  matches: Condition,
): RawBuilder<{ readonly key: string; readonly count: number }> {
  // Ascending by code unit, whatever the locale of the database.
  if (type !== 'list') {
    return sql`SELECT (a.details ->> ${key}::text) COLLATE "C" AS key, count(*) AS count FROM asset a
      WHERE ${matches} AND a.details ? ${key} GROUP BY 1 ORDER BY count DESC, key ASC`;
  }
  const value = sql`a.details -> ${key}::text`;
  // A list that was there before its field may hold a text twice.
  return sql`SELECT held.text COLLATE "C" AS key, count(*) AS count FROM asset a CROSS JOIN LATERAL (
      SELECT DISTINCT jsonb_array_elements_text(CASE WHEN jsonb_typeof(${value}) = 'array' THEN ${value} ELSE '[]' END) AS text
    ) AS held WHERE ${matches} AND a.details ? ${key} GROUP BY 1 ORDER BY count DESC, key ASC`;
}
