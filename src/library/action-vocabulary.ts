import { FEED_TYPES } from '../formats/index.ts';

/** A type of action that every organization may use by its key; its tag option is made at the first use. */
export type BuiltInActionType = {
  /** snake_case; external ID of its tag option, with the source `action_type`. */
  readonly key: string;
  readonly label: string;
  /** What a clip of a moment shows before and after it, in ms. */
  readonly leadMs: number;
  readonly lagMs: number;
};

/** Source of the external IDs that are keys of types. */
export const ACTION_TYPE_SOURCE = 'action_type';

/** What a clip shows around a moment of a type that is not built in, in ms. */
export const DEFAULT_LEAD_LAG = { leadMs: 5000, lagMs: 5000 } as const;

type Entry = readonly [key: string, label: string, leadS: number, lagS: number];

/** Football: what stops a game, what is shown again, and the moments that event feeds count. */
const FOOTBALL: readonly Entry[] = [
  ['goal', 'Goal', 10, 15],
  ['own_goal', 'Own goal', 10, 15],
  ['disallowed_goal', 'Disallowed goal', 10, 20],
  ['penalty_goal', 'Penalty goal', 8, 15],
  ['missed_penalty', 'Missed penalty', 8, 12],
  ['penalty', 'Penalty', 8, 12],
  ['penalty_awarded', 'Penalty awarded', 10, 10],
  ['assist', 'Assist', 8, 6],
  ['chance', 'Chance', 8, 6],
  ['shot', 'Shot', 8, 6],
  ['shot_on_target', 'Shot on target', 8, 6],
  ['shot_off_target', 'Shot off target', 8, 6],
  ['shot_blocked', 'Shot blocked', 8, 6],
  ['shot_on_post', 'Shot on post', 8, 8],
  ['save', 'Save', 6, 6],
  ['goalkeeper_claim', 'Goalkeeper claim', 5, 4],
  ['goalkeeper_punch', 'Goalkeeper punch', 5, 4],
  ['pass', 'Pass', 3, 4],
  ['key_pass', 'Key pass', 5, 6],
  ['long_pass', 'Long pass', 3, 6],
  ['through_ball', 'Through ball', 4, 6],
  ['cross', 'Cross', 4, 6],
  ['dribble', 'Dribble', 4, 5],
  ['skill', 'Skill', 4, 5],
  ['carry', 'Carry', 3, 5],
  ['tackle', 'Tackle', 4, 4],
  ['interception', 'Interception', 4, 4],
  ['clearance', 'Clearance', 4, 4],
  ['block', 'Block', 4, 4],
  ['recovery', 'Recovery', 4, 5],
  ['turnover', 'Turnover', 4, 5],
  ['duel', 'Duel', 4, 4],
  ['aerial_duel', 'Aerial duel', 4, 4],
  ['header', 'Header', 5, 5],
  ['corner', 'Corner', 5, 10],
  ['free_kick', 'Free kick', 6, 10],
  ['throw_in', 'Throw-in', 4, 6],
  ['goal_kick', 'Goal kick', 3, 6],
  ['foul', 'Foul', 6, 6],
  ['handball', 'Handball', 6, 8],
  ['offside', 'Offside', 8, 5],
  ['card_yellow', 'Yellow card', 15, 8],
  ['card_second_yellow', 'Second yellow card', 15, 10],
  ['card_red', 'Red card', 15, 10],
  ['substitution', 'Substitution', 5, 10],
  ['injury', 'Injury', 8, 10],
  ['var_review', 'VAR review', 5, 20],
  ['error', 'Error', 6, 6],
  ['counter_attack', 'Counter attack', 5, 12],
  ['kick_off', 'Kick-off', 5, 10],
  ['half_time', 'Half-time', 10, 5],
  ['full_time', 'Full-time', 10, 15],
];

/** Any sport, and what happens around the game. */
const GENERAL: readonly Entry[] = [
  ['celebration', 'Celebration', 3, 10],
  ['line_up', 'Line-up', 5, 15],
  ['warm_up', 'Warm-up', 5, 10],
  ['arrival', 'Arrival', 5, 10],
  ['interview', 'Interview', 2, 20],
  ['press_conference', 'Press conference', 2, 20],
  ['crowd', 'Crowd', 5, 8],
  ['coach', 'Coach', 5, 6],
  ['bench', 'Bench', 5, 6],
  ['referee', 'Referee', 5, 6],
  ['timeout', 'Timeout', 5, 10],
  ['period_start', 'Start of a period', 5, 10],
  ['period_end', 'End of a period', 10, 5],
  ['replay', 'Replay', 2, 8],
  ['trophy', 'Trophy', 5, 20],
  ['other', 'Other', 5, 5],
];

/** What feeds have beside these: technical, and rarely made a clip of. */
const FEEDS: readonly Entry[] = [...FEED_TYPES].map(([key, label]) => [key, label, 5, 5]);

/** Every built-in type, by its key. */
export const BUILT_IN_ACTION_TYPES: ReadonlyMap<string, BuiltInActionType> = new Map(
  [...FEEDS, ...FOOTBALL, ...GENERAL].map(([key, label, leadS, lagS]) => [
    key,
    { key, label, leadMs: leadS * 1000, lagMs: lagS * 1000 },
  ]),
);

/** What a clip of a moment of a type shows before and after it by default, in ms. */
export function leadLagOf(typeKey: string): { readonly leadMs: number; readonly lagMs: number } {
  return BUILT_IN_ACTION_TYPES.get(typeKey) ?? DEFAULT_LEAD_LAG;
}
