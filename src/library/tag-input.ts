import type { MatchStatus, RelationKind, TagReference, TagRelation, TagType } from './tag-types.ts';

/** What a list of relations is of; `clubs` are those of a player or of a sponsor, as the option's type says. */
export type RelationList = 'clubs' | 'stadiums' | 'competitions' | 'sponsors' | 'parent';

export type TagRelationInput = Omit<TagRelation, 'kind' | 'toId' | 'seasonId'> & {
  readonly target: TagReference;
  readonly season: TagReference | null;
  readonly pointer: string;
};

export type MatchInput = {
  readonly [Field in 'competition' | 'season' | 'home' | 'away' | 'stadium']?: TagReference | null;
} & {
  readonly round?: string | null;
  readonly kickOff?: Date | null;
  readonly homeScore?: number | null;
  readonly awayScore?: number | null;
  readonly status?: MatchStatus | null;
};

/** Fields of a tag option as given; undefined leaves a field as it is (or at its default when the option is new). */
export type TagInput = {
  readonly type?: TagType | undefined;
  readonly category?: string | null | undefined;
  readonly label?: string | undefined;
  readonly fullName?: string | null | undefined;
  readonly aliases?: readonly string[] | undefined;
  readonly imageUrl?: string | null | undefined;
  readonly status?: 'active' | 'deactivated' | undefined;
  readonly externalIds?: Readonly<Record<string, string | null>> | undefined;
  /** A given list replaces all relations of its kind; lists that are not given stay as they are. */
  readonly relations?: { readonly [List in RelationList]?: readonly TagRelationInput[] } | undefined;
  readonly match?: MatchInput | undefined;
};

/** Which kind of relation a list means, by the type of the option that has it. */
export const RELATION_LISTS: Readonly<Record<RelationList, Partial<Record<TagType, RelationKind>>>> = {
  clubs: { player: 'player_club', sponsor: 'sponsor_club' },
  stadiums: { club: 'club_stadium' },
  competitions: { club: 'club_competition', sponsor: 'sponsor_competition' },
  sponsors: { player: 'player_sponsor' },
  parent: { club: 'club_parent' },
};

export const MATCH_REFERENCES = {
  competition: 'competition',
  season: 'season',
  home: 'club',
  away: 'club',
  stadium: 'stadium',
} as const satisfies Readonly<Record<string, TagType>>;

/** Everything that an input refers to. */
export function referencesOf(input: TagInput): readonly TagReference[] {
  const fromRelations = Object.values(input.relations ?? {})
    .flat()
    .flatMap((relation) => (relation.season === null ? [relation.target] : [relation.target, relation.season]));
  const { match } = input;
  const fromMatch = match ? [match.competition, match.season, match.home, match.away, match.stadium] : [];
  return [...fromRelations, ...fromMatch.filter((one) => one !== undefined && one !== null)];
}
