import { type RawBuilder, sql } from 'kysely';
import type { Comparison, ScalarValue } from '../filter/filter-tree.ts';

export type Condition = RawBuilder<boolean>;

const OPERATORS = { gt: sql.raw('>'), gte: sql.raw('>='), lt: sql.raw('<'), lte: sql.raw('<=') } as const;

export const bigints = (ids: readonly number[]): RawBuilder<readonly number[]> => sql`${[...ids]}::bigint[]`;

/** Unknown for a missing value, unless it is compared with `ne`. */
export function compares(
  column: RawBuilder<unknown>,
  leaf: { readonly comparison: Comparison; readonly values: readonly ScalarValue[] },
): Condition {
  const value: ScalarValue | undefined = leaf.values[0];
  switch (leaf.comparison) {
    case 'eq':
      return sql`${column} = ${value}`;
    case 'ne':
      // A missing value differs from every value.
      return sql`${column} IS DISTINCT FROM ${value}`;
    case 'in':
      return sql`${column} IN (${sql.join(leaf.values.map((one) => sql`${one}`))})`;
    default:
      return sql`${column} ${OPERATORS[leaf.comparison]} ${value}`;
  }
}

/** A test of the tag options in `column`; `field` is their type, or `tag_options` for those of every type. */
export function carriesTags(
  column: RawBuilder<unknown>,
  leaf: {
    readonly field: string;
    readonly test: 'all' | 'any' | 'none' | 'only';
    readonly ids: readonly number[];
  },
): Condition {
  const ids = bigints(leaf.ids);
  switch (leaf.test) {
    case 'all':
      return sql`${column} @> ${ids}`;
    case 'any':
      return sql`${column} && ${ids}`;
    case 'none':
      return sql`NOT (${column} && ${ids})`;
    case 'only': {
      // "and no other of this type"; for tag_options, which has no type of its own, no other player.
      const type = leaf.field === 'tag_options' ? 'player' : leaf.field;
      return sql`(${column} && ${ids} AND NOT EXISTS (SELECT 1 FROM unnest(${column}) AS other (id)
        JOIN tag_option o ON o.id = other.id AND o.type = ${type} WHERE other.id <> ALL (${ids})))`;
    }
  }
}
