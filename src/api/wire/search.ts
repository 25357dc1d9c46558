import { type Static, Type } from 'typebox';
import { PARAMETERS } from '../../images/index.ts';
import { FacetsSchema, filterMembers, MAX_MATCHED_ACTIONS, SORT_FIELDS } from '../../search/index.ts';
import { READY_MADE_IMAGES } from '../media-urls.ts';
import { Id, Nullable } from './common.ts';
import { ActionOut } from './actions.ts';
import { MediaOut } from './media.ts';

export const Page = Type.Integer({ minimum: 1, maximum: 1_000_000 });
export const Limit = Type.Integer({ minimum: 0, maximum: 200, description: 'Default 50; 0 = total and facets only' });
export const Cursor = Type.String({ maxLength: 4000, description: 'next_cursor of the page before' });

const sortNames = SORT_FIELDS.flatMap((field) => [field, `-${field}`]);
const Sort = Type.Unsafe<string>({
  type: 'string',
  enum: sortNames,
  description:
    'Default -created_at; ties by id in the same direction; assets without a value come last. relevance and -relevance ' +
    'both put the best first; without a text that is the newest id. action.start_ms: of the earliest action that meets the ' +
    'first member action',
});

const ready = ['url', ...Object.keys(READY_MADE_IMAGES)];
/** Values as numbers too: `{"w": 600}` is what people write in JSON. The images module says which ones are valid. */
const ImageValue = Type.Unsafe<string | number>({ type: ['string', 'number'], maxLength: 400 });
const parameterNames = ['p', ...PARAMETERS.flatMap(({ name, aliases }) => [name, ...aliases])];
const ImageRequest = Type.Object(
  {
    name: Type.String({
      pattern: `^(?!(?:${ready.join('|')})$)[a-z][a-z0-9_]{0,39}$`,
      expected: `a snake_case name of at most 40 characters, other than ${ready.join(', ')}`,
    }),
    ...Object.fromEntries(parameterNames.map((name) => [name, Type.Optional(ImageValue)])),
  },
  { additionalProperties: false },
);
export type ImageRequest = { readonly name: string } & Readonly<Record<string, string | number>>;

export const INCLUDES = ['details', 'exif', 'actions'] as const;

/** What a search can be asked beside the members of its filter, but for the place in its pages. */
const options = {
  sort: Type.Optional(Sort),
  // No default here: a body without a limit leaves it to the query.
  limit: Type.Optional(Limit),
  facets: Type.Optional(FacetsSchema),
  include: Type.Optional(
    Type.Array(Type.Unsafe<(typeof INCLUDES)[number]>({ type: 'string', enum: [...INCLUDES] }), {
      maxItems: INCLUDES.length,
      uniqueItems: true,
      description:
        'The optional members of each asset: details, exif (camera, gps and clock of the camera), and actions (those that ' +
        `are not retracted, the first ${MAX_MATCHED_ACTIONS} by start). Default details`,
    }),
  ),
  images: Type.Optional(
    Type.Array(Type.Unsafe<ImageRequest>(ImageRequest), {
      maxItems: 10,
      description: 'Further images of each asset, by name: ready URLs with these parameters (docs/images.md)',
    }),
  ),
  highlight: Type.Optional(
    Type.Boolean({ description: 'Shows in each asset where the words of text are, as HTML with <mark>' }),
  ),
};
const place = { cursor: Type.Optional(Cursor), page: Type.Optional(Page) };

const examples = [
  {
    player: { any: [12, 15] },
    competition: 9,
    none: [{ sponsor: 77 }],
    captured_at: { gte: '2026-03-01', lt: '2026-04-01' },
    sort: '-captured_at',
    facets: ['club', { field: 'player', limit: 10, disjunctive: true }],
    limit: 20,
  },
  {
    media_type: 'video',
    action: { type: 'goal', player: 12, role: 'scorer', minute: { gte: 80 } },
    sort: 'action.start_ms',
    facets: ['action.type', 'action.player'],
  },
];

/** A filter, and beside its members the options of the search. */
export const MediaSearchBody = Type.Object(
  { ...filterMembers, ...options, ...place },
  { additionalProperties: false, examples },
);
export type MediaSearchBody = Static<typeof MediaSearchBody>;

/** A search as it is kept: without a place in its pages. */
export const SavedRequest = Type.Object({ ...filterMembers, ...options }, { additionalProperties: false });
export type SavedRequest = Static<typeof SavedRequest>;

/** Existing clients send page and per_page in the query. */
export const MediaSearchQuery = Type.Object(
  {
    page: Type.Optional(Page),
    per_page: Type.Optional(Type.Integer({ minimum: 0, maximum: 200 })),
    limit: Type.Optional(Type.Integer({ minimum: 0, maximum: 200 })),
  },
  { additionalProperties: false },
);

/** Where a page of a kept search begins, and how long it is. */
export const RunBody = Type.Object({ limit: Type.Optional(Limit), ...place }, { additionalProperties: false });

const Marked = Type.String({ description: 'HTML: escaped, with <mark> around the words' });
const Highlights = Type.Object({
  name: Type.Optional(Marked),
  details: Type.Optional(Type.Object({}, { additionalProperties: { type: 'string' } })),
  tag_options: Type.Optional(Type.Array(Type.Object({ id: Id, label: Marked }))),
});
export type Highlights = Static<typeof Highlights>;

const shown = ActionOut.properties;
/** An action as hits of a media search show it. */
const MatchedAction = Type.Object({
  id: shown.id,
  type: shown.type,
  type_key: shown.type_key,
  label: shown.label,
  start_ms: shown.start_ms,
  end_ms: shown.end_ms,
  event_ms: shown.event_ms,
  in_ms: shown.in_ms,
  out_ms: shown.out_ms,
  start_tc: shown.start_tc,
  end_tc: shown.end_tc,
  minute: shown.minute,
  stoppage: shown.stoppage,
  period: shown.period,
  players: shown.players,
  clubs: shown.clubs,
  outcome: shown.outcome,
  status: shown.status,
  play_url: shown.play_url,
});
export type MatchedAction = Static<typeof MatchedAction>;

const { details, images } = MediaOut.properties;
/** An asset as a search answers it: as elsewhere, and with what the request asked for. */
export const MediaHit = Type.Object(
  {
    ...MediaOut.properties,
    details: Type.Optional(details),
    images: Type.Unsafe<(Static<typeof images> & Readonly<Record<string, string>>) | null>({
      ...images,
      additionalProperties: { type: 'string' },
    }),
    exif: Type.Optional(
      Type.Object({
        camera: Nullable(Type.Object({}, { additionalProperties: true })),
        gps: Nullable(Type.Object({}, { additionalProperties: true })),
        captured_offset_minutes: Nullable(Type.Integer()),
      }),
    ),
    highlights: Type.Optional(Highlights),
    matched_actions: Type.Optional(
      Type.Array(MatchedAction, {
        description: `Of a search that asks for actions: those in the asset that meet one of its members action, by start, at most ${MAX_MATCHED_ACTIONS}`,
      }),
    ),
    matched_actions_total: Type.Optional(Type.Integer()),
    actions: Type.Optional(Type.Array(MatchedAction, { description: 'With include: actions' })),
  },
  { $id: 'MediaHit' },
);
export type MediaHit = Static<typeof MediaHit>;

export const FacetBucket = Type.Object({
  id: Type.Optional(Id),
  type: Type.Optional(Type.String({ description: 'Of tag options' })),
  label: Type.Optional(Type.String()),
  value: Type.Optional(
    Type.Unsafe<string | number>({
      type: ['string', 'integer'],
      description: 'Of times the beginning of the interval',
    }),
  ),
  count: Type.Integer(),
});

export const MediaSearchAnswer = Type.Object({
  media: Type.Array(Type.Unsafe<MediaHit>({ $ref: 'MediaHit#' })),
  total: Type.Integer({ description: 'Exact, over all pages' }),
  next_cursor: Nullable(Type.String()),
  facets: Type.Optional(
    Type.Unsafe<Record<string, Static<typeof FacetBucket>[]>>({
      type: 'object',
      additionalProperties: { type: 'array', items: FacetBucket },
      description: 'By field: id and label of tag options and collections, value of everything else',
    }),
  ),
  request_id: Type.String(),
  took_ms: Type.Number(),
});
