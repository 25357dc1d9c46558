export const TAG_TYPES = ['player', 'club', 'stadium', 'competition', 'season', 'match', 'sponsor', 'tag'] as const;
export type TagType = (typeof TAG_TYPES)[number];
export type TagStatus = 'active' | 'deactivated' | 'merged';

/** Names a tag option by its ID or by an external ID (`{source: "opta", id: "p123"}`). */
export type TagReference = number | { readonly source: string; readonly id: string };

/** What kind of relation a type of tag option may have, and to what type. */
export const RELATION_KINDS = {
  player_club: { from: 'player', to: 'club' },
  player_sponsor: { from: 'player', to: 'sponsor' },
  club_stadium: { from: 'club', to: 'stadium' },
  club_competition: { from: 'club', to: 'competition' },
  /** Women's, youth and reserve sides are clubs of their own with a parent. */
  club_parent: { from: 'club', to: 'club' },
  sponsor_club: { from: 'sponsor', to: 'club' },
  sponsor_competition: { from: 'sponsor', to: 'competition' },
} as const satisfies Readonly<Record<string, { readonly from: TagType; readonly to: TagType }>>;
export type RelationKind = keyof typeof RELATION_KINDS;

/** A dated relation between two tag options. Dates are `YYYY-MM-DD`, both ends included, null = open. */
export type TagRelation = {
  readonly kind: RelationKind;
  readonly toId: number;
  readonly seasonId: number | null;
  readonly shirtNumber: number | null;
  readonly position: string | null;
  readonly from: string | null;
  readonly to: string | null;
};

export const MATCH_STATUSES = ['scheduled', 'live', 'finished', 'postponed', 'abandoned'] as const;
export type MatchStatus = (typeof MATCH_STATUSES)[number];

export type MatchFacts = {
  readonly competitionId: number | null;
  readonly seasonId: number | null;
  readonly homeId: number | null;
  readonly awayId: number | null;
  readonly stadiumId: number | null;
  readonly round: string | null;
  readonly kickOff: Date | null;
  readonly homeScore: number | null;
  readonly awayScore: number | null;
  readonly status: MatchStatus | null;
};

export type TagOption = {
  readonly id: number;
  readonly type: TagType;
  readonly category: string | null;
  readonly label: string;
  readonly fullName: string | null;
  readonly aliases: readonly string[];
  readonly externalIds: Readonly<Record<string, string>>;
  readonly status: TagStatus;
  readonly mergedInto: number | null;
  readonly mediaCount: number;
  readonly imageUrl: string | null;
  readonly relations: readonly TagRelation[];
  readonly match: MatchFacts | null;
  readonly version: number;
  readonly createdAt: Date;
  readonly updatedAt: Date;
};
