import { type Static, Type } from 'typebox';
import { ACTION_SORT_FIELDS, ActionFacetsSchema, actionMembers, type FilterInput } from '../../search/index.ts';
import { actionRef } from './actions.ts';
import { Nullable } from './common.ts';
import type { MediaOut } from './media.ts';
import { Cursor, FacetBucket, Limit, Page } from './search.ts';

const Sort = Type.Unsafe<string>({
  type: 'string',
  enum: ACTION_SORT_FIELDS.flatMap((field) => [field, `-${field}`]),
  description:
    'Default -created_at; ties in the same direction; actions without a value come last. relevance and -relevance both put ' +
    'the best first',
});

const examples = [
  {
    type: ['goal', 'penalty_goal'],
    player: 12,
    role: 'scorer',
    match: 5501,
    minute: { gte: 80 },
    media: { usage: 'approved' },
    sort: 'clock_ms',
    facets: ['type', { field: 'player', limit: 10, disjunctive: true }],
    limit: 20,
  },
  { type: 'goal', match: 5501, angle: 'behind goal' },
];

/** A filter over actions, and beside its members the options of the search. */
export const ActionSearchBody = Type.Object(
  {
    ...actionMembers,
    media: Type.Optional(
      Type.Unsafe<FilterInput>({
        $ref: 'Filter#',
        description: 'What the asset has to meet in which the action lies: a filter as of POST /v1/media/search',
      }),
    ),
    sort: Type.Optional(Sort),
    limit: Type.Optional(Limit),
    cursor: Type.Optional(Cursor),
    page: Type.Optional(Page),
    facets: Type.Optional(ActionFacetsSchema),
    include: Type.Optional(
      Type.Array(Type.Literal('media'), {
        maxItems: 1,
        description: 'media: the assets of the actions on the page, each once, beside them. Default []',
      }),
    ),
  },
  { additionalProperties: false, examples },
);
export type ActionSearchBody = Static<typeof ActionSearchBody>;

export const ActionSearchAnswer = Type.Object({
  actions: Type.Array(actionRef),
  media: Type.Optional(
    Type.Array(Type.Unsafe<MediaOut>({ $ref: 'Media#' }), {
      description: 'With include: media, in order of the actions',
    }),
  ),
  total: Type.Integer({ description: 'Exact, over all pages' }),
  next_cursor: Nullable(Type.String()),
  facets: Type.Optional(
    Type.Unsafe<Record<string, Static<typeof FacetBucket>[]>>({
      type: 'object',
      additionalProperties: { type: 'array', items: FacetBucket },
      description: 'By field: id and label of tag options, value of everything else',
    }),
  ),
  request_id: Type.String(),
  took_ms: Type.Number(),
});
