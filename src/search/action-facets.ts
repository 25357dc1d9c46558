import { type Static, Type } from 'typebox';
import { invalidField } from '../base/index.ts';
import { ACTION_STATUSES } from '../library/index.ts';
import { ACTION_ID_FACETS, ACTION_VALUE_FACETS, type ActionEngineRequest, type ActionFacetField } from './engine.ts';
import { DEFAULT_BUCKETS, MAX_BUCKETS, MAX_FACETS } from './facets.ts';
import type { ActionFilter } from './filter/filter-tree.ts';
import { actionVisibility } from './filter/visibility.ts';
import { withoutActionTests } from './filter/without-tests.ts';

const FIELDS: readonly ActionFacetField[] = [...ACTION_ID_FACETS, ...ACTION_VALUE_FACETS];

const Field = Type.Unsafe<ActionFacetField>({ type: 'string', enum: [...FIELDS] });
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
            description: `Default ${DEFAULT_BUCKETS}: the largest counts`,
          }),
        ),
        disjunctive: Type.Optional(
          Type.Boolean({
            description:
              "Counts without the filter's tests of this field that must hold by themselves (at the root and within all); " +
              'for `tag` those of tag_options',
          }),
        ),
      },
      { additionalProperties: false },
    ),
  ],
  { expected: `one of ${FIELDS.join(', ')}, or an object of field, limit and disjunctive` },
);

/** Facets of a search over actions: a field by its name, or an object with its options. */
export const ActionFacetsSchema = Type.Array(FacetSchema, {
  maxItems: MAX_FACETS,
  description: `Counts by value over every action the search finds; at most ${MAX_FACETS}, each field once`,
});
export type ActionFacetInput = Static<typeof FacetSchema>;

/** What a disjunctive facet counts: as if nothing had been chosen in its own field yet. */
function disjunctiveActionFilter(filter: ActionFilter, field: ActionFacetField): ActionFilter {
  const rest = withoutActionTests(filter, field === 'tag' ? 'tag_options' : field);
  if (field !== 'status' || actionVisibility(filter) === 'not_retracted') return rest;
  // The choice is among all, also when what is left tests no status.
  return {
    kind: 'all',
    filters: [rest, { kind: 'compare', field: 'status', comparison: 'in', values: ACTION_STATUSES }],
  };
}

/**
 * The facets of a request as an engine counts them.
 * @throws AppError `validation_failed` for a field that is named twice
 */
export function parseActionFacets(
  inputs: readonly ActionFacetInput[],
  filter: ActionFilter,
): ActionEngineRequest['facets'] {
  const seen = new Set<ActionFacetField>();
  return inputs.map((given, at) => {
    const input = typeof given === 'string' ? { field: given } : given;
    const { field, limit = DEFAULT_BUCKETS } = input;
    if (seen.has(field)) throw invalidField(`/facets/${at}`, `expected each field once, received ${field} again`);
    seen.add(field);
    return { field, limit, filter: input.disjunctive === true ? disjunctiveActionFilter(filter, field) : filter };
  });
}
