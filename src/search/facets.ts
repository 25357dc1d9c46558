import { type Static, Type } from 'typebox';
import { invalidField } from '../base/index.ts';
import { ASSET_STATUSES } from '../library/index.ts';
import {
  ACTION_FACETS,
  type ActionFacet,
  type FacetRequest,
  type IdFacet,
  ID_FACETS,
  INTERVALS,
  TIME_FACETS,
  type TimeFacet,
  VALUE_FACETS,
  type ValueFacet,
} from './engine.ts';
import type { Filter } from './filter/filter-tree.ts';
import { visibilityOf } from './filter/visibility.ts';
import { withoutTests, withoutTestsOfAction } from './filter/without-tests.ts';

const FACET_FIELDS = [...ID_FACETS, ...VALUE_FACETS, ...TIME_FACETS, ...ACTION_FACETS] as const;
export type FacetField = (typeof FACET_FIELDS)[number];

export const MAX_FACETS = 20;
export const DEFAULT_BUCKETS = 30;
export const MAX_BUCKETS = 1000;
const DEFAULT_INTERVAL = 'month';

const Field = Type.Unsafe<FacetField>({ type: 'string', enum: [...FACET_FIELDS] });
const FacetSchema = Type.Union(
  [
    Field,
    Type.Object(
      {
        field: Field,
        limit: Type.Optional(
          Type.Integer({
            minimum: 1,
            maximum: MAX_BUCKETS,
            description: `Default ${DEFAULT_BUCKETS}, of times ${MAX_BUCKETS}: the largest counts, of times the newest`,
          }),
        ),
        disjunctive: Type.Optional(
          Type.Boolean({
            description:
              "Counts without the filter's tests of this field that must hold by themselves (at the root and within all); " +
              'for `tag` those of tag_options, for `action.type` and `action.player` those within the first `action`',
          }),
        ),
        interval: Type.Optional(
          Type.Unsafe<(typeof INTERVALS)[number]>({
            type: 'string',
            enum: [...INTERVALS],
            description: `Of times only, in UTC; a week begins on Monday. Default ${DEFAULT_INTERVAL}`,
          }),
        ),
      },
      { additionalProperties: false },
    ),
  ],
  { expected: `one of ${FACET_FIELDS.join(', ')}, or an object of field, limit, disjunctive and interval` },
);

/** Facets of a search: a field by its name, or an object with its options. */
export const FacetsSchema = Type.Array(FacetSchema, {
  maxItems: MAX_FACETS,
  description: `Counts by value over everything the filter finds; at most ${MAX_FACETS}, each field once`,
});
export type FacetInput = Static<typeof FacetSchema>;

const isOneOf = <T extends string>(list: readonly T[], value: string): value is T =>
  (list as readonly string[]).includes(value);

/** What a disjunctive facet counts: as if nothing had been chosen in its own field yet. */
function disjunctiveFilter(filter: Filter, field: FacetField): Filter {
  if (isOneOf(ACTION_FACETS, field)) return withoutTestsOfAction(filter, field.replace('action.', ''));
  if (field !== 'status') return withoutTests(filter, field === 'tag' ? 'tag_options' : field);
  // Without any test of status only what is processing or ready would be counted; the choice is among all that can be seen.
  const visible = visibilityOf(filter);
  const values = visible === 'everything' ? ASSET_STATUSES : ASSET_STATUSES.filter((status) => status !== 'deleted');
  const rest = withoutTests(filter, field);
  if (visible === 'processing_or_ready') return rest;
  return { kind: 'all', filters: [rest, { kind: 'compare', field: 'status', comparison: 'in', values }] };
}

function shapeOf(
  input: Exclude<FacetInput, string>,
  pointer: string,
): { field: IdFacet | ValueFacet | ActionFacet } | { field: TimeFacet; interval: (typeof INTERVALS)[number] } {
  const { field, interval } = input;
  if (isOneOf(TIME_FACETS, field)) return { field, interval: interval ?? DEFAULT_INTERVAL };
  if (interval !== undefined) {
    const detail = `expected interval with ${TIME_FACETS.join(', ')} only, received it with ${field}`;
    throw invalidField(`${pointer}/interval`, detail);
  }
  return { field };
}

/**
 * The facets of a request as an engine counts them.
 * @throws AppError `validation_failed` for a field that is named twice, or an interval of what is no time
 */
export function parseFacets(inputs: readonly FacetInput[], filter: Filter): readonly FacetRequest[] {
  const seen = new Set<FacetField>();
  return inputs.map((given, at) => {
    const input = typeof given === 'string' ? { field: given } : given;
    const pointer = `/facets/${at}`;
    if (seen.has(input.field)) throw invalidField(pointer, `expected each field once, received ${input.field} again`);
    seen.add(input.field);
    const shape = shapeOf(input, pointer);
    return {
      ...shape,
      limit: input.limit ?? ('interval' in shape ? MAX_BUCKETS : DEFAULT_BUCKETS),
      filter: input.disjunctive === true ? disjunctiveFilter(filter, input.field) : filter,
    };
  });
}
