/** `retracted`: it did not happen or does not count (VAR, a deleted event of a feed); searches leave it out unless asked. */
export const ACTION_STATUSES = ['draft', 'confirmed', 'disputed', 'retracted'] as const;
export type ActionStatus = (typeof ACTION_STATUSES)[number];
export const SIDES = ['home', 'away'] as const;
export type Side = (typeof SIDES)[number];

/** The category of tag options that are types of actions. */
export const ACTION_TYPE_CATEGORY = 'action type';

export type ActionClub = { readonly id: number; readonly side: Side | null };
/** A player in an action: `role` is a snake_case word such as scorer, assist, goalkeeper. */
export type ActionPlayer = { readonly id: number; readonly role: string | null; readonly shirt: number | null };

/** Where an action lies in a video, in ms from its start, half open; `startMs` = `endMs`: a point. */
export type ActionPlace = {
  /** Of this action in this video. */
  readonly id: number;
  readonly mediaId: number;
  readonly startMs: number;
  readonly endMs: number;
  /** The moment itself. */
  readonly eventMs: number;
  /** Found through the match clock or the time of day, not given. */
  readonly derived: boolean;
};

export type Action = {
  readonly id: number;
  /** Its own video; `places` has the others of the same match too. */
  readonly mediaId: number;
  readonly typeId: number;
  readonly label: string | null;
  readonly places: readonly ActionPlace[];
  readonly wallclockAt: Date | null;
  readonly period: number | null;
  /** The match clock as fed, running on: the second half of a football match begins at 2,700,000. */
  readonly clockMs: number | null;
  /** As broadcast, 1-based, with the minute of stoppage time apart: 45+2 is 45 and 2. */
  readonly minute: number | null;
  readonly stoppage: number | null;
  readonly matchId: number | null;
  readonly clubs: readonly ActionClub[];
  readonly players: readonly ActionPlayer[];
  /** Tag options given beside type, match, clubs and players. */
  readonly extraTagIds: readonly number[];
  readonly outcome: string | null;
  /** Place on the pitch in 0..100, attack from left to right. */
  readonly x: number | null;
  readonly y: number | null;
  readonly endX: number | null;
  readonly endY: number | null;
  readonly details: Readonly<Record<string, unknown>>;
  readonly source: string;
  readonly sourceRef: string | null;
  readonly sourceVersion: number | null;
  readonly confidence: number | null;
  readonly status: ActionStatus;
  readonly parentId: number | null;
  readonly version: number;
  readonly createdBy: string | null;
  readonly updatedBy: string | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
};

/** What ties a video to its match, so that the match clock and the time of day become positions in it. */
export type Timeline = {
  /** Which camera it is, such as `main` or `behind goal`. */
  readonly angle: string | null;
  /** Time of day of its first frame. */
  readonly startedAt: Date | null;
  /** SMPTE timecode of its first frame where the file's own is wrong. */
  readonly startTimecode: string | null;
  /** Where the periods kick off. */
  readonly periods: readonly { readonly period: number; readonly startMs: number }[];
};
