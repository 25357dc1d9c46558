import { type Static, Type } from 'typebox';
import { invalidField } from '../base/index.ts';
import { ASSET_STATUSES, type DetailField } from '../library/index.ts';
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
import { withoutTests, withoutTestsOfAction, withoutTestsOfDetail } from './filter/without-tests.ts';

const FACET_FIELDS = [...ID_FACETS, ...VALUE_FACETS, ...TIME_FACETS, ...ACTION_FACETS] as const;
type FixedField = (typeof FACET_FIELDS)[number];
/** `details.` and the key of a field. */
export type DetailFacet = `details.${string}`;
export type FacetField = FixedField | DetailFacet;

export const MAX_FACETS = 20;
export const DEFAULT_BUCKETS = 30;
export const MAX_BUCKETS = 1000;
const DEFAULT_INTERVAL = 'month';

const FIELD_NAMES = `${FACET_FIELDS.join(', ')}, details.<key>`;
const Field = Type.Unsafe<FacetField>({
  anyOf: [
    { type: 'string', enum: [...FACET_FIELDS] },
    { type: 'string', pattern: '^details\\.[a-z][a-z0-9_]{0,63}$' },
  ],
  expected: `one of ${FIELD_NAMES}`,
  description: 'details.<key>: a detail field of type choice or list',
});
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
  { expected: `one of ${FIELD_NAMES}, or an object of field, limit, disjunctive and interval` },
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
function disjunctiveFilter(filter: Filter, field: FixedField): Filter {
  if (isOneOf(ACTION_FACETS, field)) return withoutTestsOfAction(filter, field.replace('action.', ''));
  if (field !== 'status') return withoutTests(filter, field === 'tag' ? 'tag_options' : field);
  // Without any test of status only what is processing or ready would be counted; the choice is among all that can be seen.
  const visible = visibilityOf(filter);
  const values = visible === 'everything' ? ASSET_STATUSES : ASSET_STATUSES.filter((status) => status !== 'deleted');
  const rest = withoutTests(filter, field);
  if (visible === 'processing_or_ready') return rest;
  return { kind: 'all', filters: [rest, { kind: 'compare', field: 'status', comparison: 'in', values }] };
}

const isDetail = (field: FacetField): field is DetailFacet => field.startsWith('details.');

/** True when some facet counts a field of the organization's own. */
export function countsDetails(inputs: readonly FacetInput[]): boolean {
  return inputs.some((input) => isDetail(typeof input === 'string' ? input : input.field));
}

/** The field that a facet counts. @throws AppError `validation_failed` naming those that can be counted */
function countedField(facet: DetailFacet, fields: readonly DetailField[], pointer: string): DetailField {
  const counted = fields.filter(({ searchable, type }) => searchable && (type === 'choice' || type === 'list'));
  const found = counted.find(({ key }) => facet === `details.${key}`);
  if (found) return found;
  const known = counted.map(({ key }) => `details.${key}`).join(', ');
  const expected = known === '' ? 'no detail field (none of type choice or list is searchable)' : `one of ${known}`;
  throw invalidField(pointer, `expected ${expected}, received ${facet}`);
}

function shapeOf(
  input: { readonly field: FixedField; readonly interval?: (typeof INTERVALS)[number] | undefined },
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
 * @param fields the organization's own, where `countsDetails`
 * @throws AppError `validation_failed` for a field that is named twice or not known, or an interval of what is no time
 */
export function parseFacets(
  inputs: readonly FacetInput[],
  filter: Filter,
  fields: readonly DetailField[],
): readonly FacetRequest[] {
  const seen = new Set<FacetField>();
  return inputs.map((given, at) => {
    const input = typeof given === 'string' ? { field: given } : given;
    const pointer = `/facets/${at}`;
    if (seen.has(input.field)) throw invalidField(pointer, `expected each field once, received ${input.field} again`);
    seen.add(input.field);
    if (isDetail(input.field)) {
      const { id, key, type } = countedField(input.field, fields, pointer);
      if (input.interval !== undefined) {
        throw invalidField(`${pointer}/interval`, `expected no interval with ${input.field}, received one`);
      }
      return {
        field: 'detail',
        detail: { id, key, type },
        limit: input.limit ?? DEFAULT_BUCKETS,
        filter: input.disjunctive === true ? withoutTestsOfDetail(filter, id) : filter,
      };
    }
    const { field } = input;
    const shape = shapeOf({ field, interval: input.interval }, pointer);
    return {
      ...shape,
      limit: input.limit ?? ('interval' in shape ? MAX_BUCKETS : DEFAULT_BUCKETS),
      filter: input.disjunctive === true ? disjunctiveFilter(filter, field) : filter,
    };
  });
}
