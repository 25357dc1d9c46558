/**
 * Numbers of the Opta F24 feed that are relied on. Sources: the public readers kloppy and socceraction, and public tables of
 * F24 event types and qualifiers; see docs/formats.md.
 */

/** What an event is in our words; `won` and `lost` replace the key where outcome 1 and 0 are two different things. */
export type OptaType = {
  readonly key: string;
  readonly name: string;
  readonly role?: string;
  readonly outcome?: string;
  /** What outcomes 1 and 0 are called. */
  readonly outcomes?: readonly [one: string, zero: string];
  readonly won?: { readonly key: string; readonly role: string };
};

const COMPLETE = ['complete', 'incomplete'] as const;
const SUCCESS = ['successful', 'unsuccessful'] as const;
const WON = ['won', 'lost'] as const;

export const OPTA_TYPES: Readonly<Record<number, OptaType>> = {
  1: { key: 'pass', name: 'Pass', role: 'passer', outcomes: COMPLETE },
  2: { key: 'offside_pass', name: 'Offside pass', role: 'passer' },
  3: { key: 'take_on', name: 'Take on', role: 'dribbler', outcomes: SUCCESS },
  4: { key: 'foul', name: 'Foul', role: 'fouler', won: { key: 'foul_won', role: 'fouled' } },
  5: { key: 'ball_out', name: 'Out' },
  6: { key: 'corner_conceded', name: 'Corner awarded', won: { key: 'corner_won', role: 'winner' } },
  7: { key: 'tackle', name: 'Tackle', role: 'tackler', outcomes: WON },
  8: { key: 'interception', name: 'Interception', role: 'interceptor' },
  9: { key: 'turnover', name: 'Turnover' },
  10: { key: 'save', name: 'Save', role: 'goalkeeper' },
  11: { key: 'goalkeeper_claim', name: 'Claim', role: 'goalkeeper', outcomes: SUCCESS },
  12: { key: 'clearance', name: 'Clearance', role: 'clearer' },
  13: { key: 'shot', name: 'Miss', role: 'shooter', outcome: 'off_target' },
  14: { key: 'shot', name: 'Post', role: 'shooter', outcome: 'post' },
  15: { key: 'shot', name: 'Attempt saved', role: 'shooter', outcome: 'saved' },
  16: { key: 'goal', name: 'Goal', role: 'scorer' },
  17: { key: 'card', name: 'Card', role: 'carded' },
  18: { key: 'substitution', name: 'Player off', role: 'out' },
  19: { key: 'substitution', name: 'Player on', role: 'in' },
  20: { key: 'player_retired', name: 'Player retired' },
  21: { key: 'player_returns', name: 'Player returns' },
  22: { key: 'player_becomes_goalkeeper', name: 'Player becomes goalkeeper' },
  23: { key: 'goalkeeper_becomes_player', name: 'Goalkeeper becomes player' },
  24: { key: 'condition_change', name: 'Condition change' },
  25: { key: 'official_change', name: 'Official change' },
  27: { key: 'delay_start', name: 'Start delay' },
  28: { key: 'delay_end', name: 'End delay' },
  30: { key: 'period_end', name: 'End' },
  32: { key: 'period_start', name: 'Start' },
  34: { key: 'team_set_up', name: 'Team set up' },
  35: { key: 'position_change', name: 'Player changed position' },
  36: { key: 'shirt_change', name: 'Player changed jersey number' },
  37: { key: 'collection_end', name: 'Collection end' },
  40: { key: 'formation_change', name: 'Formation change' },
  41: { key: 'goalkeeper_punch', name: 'Punch', role: 'goalkeeper', outcomes: SUCCESS },
  42: { key: 'skill', name: 'Good skill' },
  44: { key: 'aerial_duel', name: 'Aerial', outcomes: WON },
  45: { key: 'challenge', name: 'Challenge', outcomes: WON },
  47: { key: 'card_rescinded', name: 'Rescinded card', role: 'carded' },
  49: { key: 'recovery', name: 'Ball recovery' },
  50: { key: 'dispossessed', name: 'Dispossessed' },
  51: { key: 'error', name: 'Error' },
  52: { key: 'keeper_pick_up', name: 'Keeper pick-up', role: 'goalkeeper' },
  53: { key: 'cross_not_claimed', name: 'Cross not claimed', role: 'goalkeeper' },
  54: { key: 'smother', name: 'Smother', role: 'goalkeeper' },
  55: { key: 'offside_provoked', name: 'Offside provoked' },
  56: { key: 'shield_ball', name: 'Shield ball' },
  57: { key: 'foul_throw_in', name: 'Foul throw-in' },
  58: { key: 'penalty_faced', name: 'Penalty faced', role: 'goalkeeper' },
  59: { key: 'keeper_sweeper', name: 'Keeper sweeper', role: 'goalkeeper' },
  60: { key: 'chance_missed', name: 'Chance missed' },
  61: { key: 'ball_touch', name: 'Ball touch' },
  64: { key: 'resume', name: 'Resume' },
  65: { key: 'contentious_decision', name: 'Contentious referee decision' },
  67: { key: 'fifty_fifty', name: '50/50' },
  68: { key: 'referee_drop_ball', name: 'Referee drop ball' },
  69: { key: 'failed_to_block', name: 'Failed to block' },
  70: { key: 'injury_time_announced', name: 'Injury time announcement' },
  71: { key: 'coach_set_up', name: 'Coach setup' },
  72: { key: 'offside', name: 'Caught offside', role: 'offside' },
  73: { key: 'other_ball_contact', name: 'Other ball contact' },
  74: { key: 'blocked_pass', name: 'Blocked pass' },
  75: { key: 'delayed_start', name: 'Delayed start' },
  76: { key: 'early_end', name: 'Early end' },
  77: { key: 'player_off_pitch', name: 'Player off pitch' },
};

export const TYPE = { start: 32, goal: 16, playerOff: 18, playerOn: 19, deleted: 43, card: 17, pass: 1 } as const;

/** Qualifiers with a meaning here; all others are in `details.qualifiers` by their numbers. */
export const Q = {
  penalty: 9,
  ownGoal: 28,
  assisted: 29,
  yellow: 31,
  secondYellow: 32,
  red: 33,
  relatedEvent: 55,
  blocked: 82,
  endX: 140,
  endY: 141,
  blockedX: 146,
  blockedY: 147,
  oppositeEvent: 233,
} as const;

/** A pass that restarts play is named by what it restarts from. */
export const RESTARTS: readonly (readonly [qualifier: number, key: string])[] = [
  [6, 'corner'],
  [107, 'throw_in'],
  [124, 'goal_kick'],
  [5, 'free_kick'],
];

/** Qualifiers that editors search by, as tags in groups. */
export const QUALIFIER_TAGS: Readonly<Record<number, readonly [group: string, text: string]>> = {
  1: ['pass', 'long ball'],
  2: ['pass', 'cross'],
  4: ['pass', 'through ball'],
  155: ['pass', 'chipped'],
  157: ['pass', 'launch'],
  168: ['pass', 'flick on'],
  196: ['pass', 'switch of play'],
  3: ['body part', 'head'],
  15: ['body part', 'head'],
  20: ['body part', 'right foot'],
  72: ['body part', 'left foot'],
  21: ['body part', 'other'],
  9: ['situation', 'penalty'],
  23: ['situation', 'counter attack'],
  26: ['situation', 'free kick'],
  28: ['situation', 'own goal'],
};
