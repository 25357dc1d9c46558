import { type Static, Type } from 'typebox';
import { MATCH_STATUSES, type MatchStatus, TAG_TYPES } from '../../library/index.ts';
import { Id, Nullable, Time } from './common.ts';

export const TagTypeSchema = Type.Union(TAG_TYPES.map((type) => Type.Literal(type)));
/** The same on answers: an enum, which the serialiser writes without trying alternatives. */
const TagTypeOut = Type.String({ enum: [...TAG_TYPES] });

const Label = Type.String({ minLength: 1, maxLength: 300, pattern: '\\S' });
const ShortText = Type.String({ minLength: 1, maxLength: 300 });
const DateOnly = Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}$', format: 'date' });
const Source = {
  pattern: '^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$',
  expected: 'a source of 1 to 64 letters, digits, _, . and - such as opta',
};

const Reference = Type.Union(
  [
    Id,
    Type.Object(
      { source: Type.String(Source), id: Type.String({ minLength: 1, maxLength: 200 }) },
      { additionalProperties: false },
    ),
  ],
  { expected: 'the ID of a tag option, or {source, id} of its external id' },
);
const NullableReference = Type.Union([Reference, Type.Null()], {
  expected: 'the ID of a tag option, {source, id} of its external id, or null',
});

const strict = { additionalProperties: false } as const;
const Dated = { from: Type.Optional(Nullable(DateOnly)), to: Type.Optional(Nullable(DateOnly)) };
const listOf = <T extends Parameters<typeof Type.Array>[0]>(schema: T) =>
  Type.Optional(Type.Array(schema, { maxItems: 500 }));

/** Relations as written: the members that fit the type of the tag option. A given list replaces all of its kind. */
const RelationsIn = Type.Object(
  {
    clubs: listOf(
      Type.Object(
        {
          club: Reference,
          shirt_number: Type.Optional(Nullable(Type.Integer({ minimum: 0, maximum: 999 }))),
          position: Type.Optional(Nullable(ShortText)),
          ...Dated,
        },
        strict,
      ),
    ),
    stadiums: listOf(Type.Object({ stadium: Reference, ...Dated }, strict)),
    competitions: listOf(
      Type.Object({ competition: Reference, season: Type.Optional(NullableReference), ...Dated }, strict),
    ),
    sponsors: listOf(Type.Object({ sponsor: Reference, ...Dated }, strict)),
    parent: Type.Optional(NullableReference),
    competition: Type.Optional(NullableReference),
    season: Type.Optional(NullableReference),
    home: Type.Optional(NullableReference),
    away: Type.Optional(NullableReference),
    stadium: Type.Optional(NullableReference),
    round: Type.Optional(Nullable(ShortText)),
    kick_off: Type.Optional(Nullable(Type.String({ format: 'date-time' }))),
    home_score: Type.Optional(Nullable(Type.Integer({ minimum: 0, maximum: 999 }))),
    away_score: Type.Optional(Nullable(Type.Integer({ minimum: 0, maximum: 999 }))),
    status: Type.Optional(
      Type.Union([Type.Unsafe<MatchStatus>({ type: 'string', enum: [...MATCH_STATUSES] }), Type.Null()], {
        expected: `one of ${MATCH_STATUSES.join(', ')}, or null`,
      }),
    ),
  },
  {
    ...strict,
    description:
      "player: clubs (with shirt_number), sponsors; club: stadiums, competitions, parent (of a women's, youth or reserve side); " +
      'sponsor: clubs, competitions; match: competition, season, home, away, stadium, round, kick_off, home_score, ' +
      'away_score, status. from and to are dates, both included; null or absent: open',
  },
);
export type RelationsIn = Static<typeof RelationsIn>;

const writable = {
  category: Type.Optional(Nullable(ShortText)),
  full_name: Type.Optional(Nullable(ShortText)),
  aliases: Type.Optional(Type.Array(ShortText, { maxItems: 100 })),
  external_ids: Type.Optional(
    Type.Unsafe<Record<string, string | null>>({
      type: 'object',
      propertyNames: Source,
      additionalProperties: { type: ['string', 'null'], minLength: 1, maxLength: 200 },
      maxProperties: 50,
      description: 'By source, such as {"opta": "p123"}; null removes one',
    }),
  ),
  status: Type.Optional(Type.Union([Type.Literal('active'), Type.Literal('deactivated')])),
  image_url: Type.Optional(
    Nullable(Type.String({ maxLength: 2000, pattern: '^https?://', expected: 'an http or https URL' })),
  ),
  relations: Type.Optional(RelationsIn),
};

export const playerExample = {
  type: 'player',
  label: 'Šeško',
  full_name: 'Marko Šeško',
  aliases: ['Benji'],
  external_ids: { opta: 'p123' },
  relations: { clubs: [{ club: 7, shirt_number: 30, from: '2025-07-01' }] },
};
export const TagCreate = Type.Object(
  { type: TagTypeSchema, label: Label, ...writable },
  { ...strict, examples: [playerExample] },
);
export const TagPatch = Type.Object(
  { type: Type.Optional(TagTypeSchema), label: Type.Optional(Label), ...writable },
  { ...strict, minProperties: 1, examples: [{ aliases: ['Benji', 'Sesko'] }] },
);
export type TagPatchBody = Static<typeof TagPatch>;
export const TagMerge = Type.Object({ into: Id }, strict);

const RelationsOut = Type.Object({
  clubs: Type.Optional(
    Type.Array(
      Type.Object({
        club: Id,
        shirt_number: Nullable(Type.Integer()),
        position: Nullable(Type.String()),
        from: Nullable(Type.String()),
        to: Nullable(Type.String()),
      }),
    ),
  ),
  stadiums: Type.Optional(
    Type.Array(Type.Object({ stadium: Id, from: Nullable(Type.String()), to: Nullable(Type.String()) })),
  ),
  competitions: Type.Optional(
    Type.Array(
      Type.Object({
        competition: Id,
        season: Nullable(Id),
        from: Nullable(Type.String()),
        to: Nullable(Type.String()),
      }),
    ),
  ),
  sponsors: Type.Optional(
    Type.Array(Type.Object({ sponsor: Id, from: Nullable(Type.String()), to: Nullable(Type.String()) })),
  ),
  parent: Type.Optional(Nullable(Id)),
  competition: Type.Optional(Nullable(Id)),
  season: Type.Optional(Nullable(Id)),
  home: Type.Optional(Nullable(Id)),
  away: Type.Optional(Nullable(Id)),
  stadium: Type.Optional(Nullable(Id)),
  round: Type.Optional(Nullable(Type.String())),
  kick_off: Type.Optional(Nullable(Time)),
  home_score: Type.Optional(Nullable(Type.Integer())),
  away_score: Type.Optional(Nullable(Type.Integer())),
  status: Type.Optional(Nullable(Type.String({ enum: [...MATCH_STATUSES] }))),
});

export const TagOptionOut = Type.Object(
  {
    id: Id,
    ID: Type.Integer({ deprecated: true, description: 'Same as id, for existing clients' }),
    type: TagTypeOut,
    category: Nullable(Type.String()),
    label: Type.String(),
    full_name: Nullable(Type.String()),
    aliases: Type.Array(Type.String()),
    external_ids: Type.Record(Type.String(), Type.String()),
    status: Type.String({ enum: ['active', 'deactivated', 'merged'] }),
    merged_into: Nullable(Id),
    media_count: Type.Integer({ minimum: 0, description: 'Assets outside the bin that carry it' }),
    image_url: Nullable(Type.String()),
    relations: RelationsOut,
    created_at: Time,
    updated_at: Time,
    version: Type.Integer(),
  },
  { $id: 'TagOption' },
);
export type TagOptionOut = Static<typeof TagOptionOut>;

export const TagAnswer = Type.Object({ tag_option: Type.Unsafe<TagOptionOut>({ $ref: 'TagOption#' }) });

const rosterQuery = {
  club: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: Number.MAX_SAFE_INTEGER,
      description: 'Only players of this club, on the day of at',
    }),
  ),
  at: Type.Optional(
    Type.String({
      format: 'date',
      description: 'The day of which clubs and shirt numbers are meant, such as 2026-03-14; today (UTC) without it',
    }),
  ),
};

export const TagListQuery = Type.Object(
  {
    type: Type.Optional(
      Type.String({ description: `One or more of ${TAG_TYPES.join(', ')}, with commas between`, maxLength: 200 }),
    ),
    external_id: Type.Optional(
      Type.String({
        pattern: '^[^:]{1,64}:.{1,200}$',
        expected: 'source:id such as opta:p123',
        description: 'The option with this external id, as source:id',
      }),
    ),
    ...rosterQuery,
    limit: Type.Integer({ minimum: 0, maximum: 200, default: 50 }),
    cursor: Type.Optional(Type.String({ maxLength: 2000 })),
  },
  strict,
);
export const TagList = Type.Object({
  tag_options: Type.Array(Type.Unsafe<TagOptionOut>({ $ref: 'TagOption#' })),
  next_cursor: Nullable(Type.String()),
});

export const TagSearchQuery = Type.Object(
  {
    query: Type.Optional(Type.String({ maxLength: 500, description: 'What somebody types; without it, a list' })),
    type: Type.Optional(
      Type.String({ description: `One or more of ${TAG_TYPES.join(', ')}, with commas between`, maxLength: 200 }),
    ),
    category: Type.Optional(Type.String({ minLength: 1, maxLength: 300 })),
    ...rosterQuery,
    limit: Type.Integer({ minimum: 0, maximum: 200, default: 50 }),
    cursor: Type.Optional(Type.String({ maxLength: 2000 })),
  },
  strict,
);

const TagHit = Type.Object(
  {
    id: Id,
    ID: Type.Integer({ deprecated: true, description: 'Same as id, for existing clients' }),
    type: TagTypeOut,
    category: Nullable(Type.String()),
    label: Type.String(),
    full_name: Nullable(Type.String()),
    aliases: Type.Array(Type.String()),
    media_count: Type.Integer(),
    status: Type.String(),
    matched_on: Type.String(),
  },
  { $id: 'TagHit' },
);
export type TagHit = Static<typeof TagHit>;
export const TagHitSchema = TagHit;
const hits = Type.Array(Type.Unsafe<TagHit>({ $ref: 'TagHit#' }));

export const TagSearchAnswer = Type.Object({
  tag_options: hits,
  players: hits,
  clubs: hits,
  stadiums: hits,
  competitions: hits,
  seasons: hits,
  matches: hits,
  sponsors: hits,
  tags: hits,
  total: Type.Integer(),
  next_cursor: Nullable(Type.String()),
});
