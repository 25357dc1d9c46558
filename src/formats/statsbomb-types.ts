/** Types of StatsBomb events (specification 4.0.0) that carry another key here than their name; with the role of `player`. */
export const STATSBOMB_TYPES: Readonly<Record<string, { readonly key?: string; readonly role?: string }>> = {
  Pass: { role: 'passer' },
  Shot: { role: 'shooter' },
  'Ball Receipt*': { key: 'ball_receipt', role: 'receiver' },
  Dribble: { key: 'take_on', role: 'dribbler' },
  Interception: { role: 'interceptor' },
  Clearance: { role: 'clearer' },
  'Foul Committed': { key: 'foul', role: 'fouler' },
  'Foul Won': { role: 'fouled' },
  'Goal Keeper': { key: 'goalkeeper', role: 'goalkeeper' },
  Goalkeeper: { key: 'goalkeeper', role: 'goalkeeper' },
  Offside: { role: 'offside' },
  'Own Goal Against': { key: 'goal', role: 'scorer' },
  'Own Goal For': { key: 'own_goal_for' },
  'Bad Behaviour': { role: 'carded' },
  Substitution: { role: 'out' },
  '50/50': { key: 'fifty_fifty' },
  'Ball Recovery': { key: 'recovery' },
  'Half Start': { key: 'period_start' },
  'Half End': { key: 'period_end' },
  'Starting XI': { key: 'team_set_up' },
  'Tactical Shift': { key: 'formation_change' },
};

/** Kinds of passes that restart play. */
export const PASS_RESTARTS: Readonly<Record<string, string>> = {
  Corner: 'corner',
  'Free Kick': 'free_kick',
  'Goal Kick': 'goal_kick',
  'Throw-in': 'throw_in',
  'Kick Off': 'kick_off',
};

export const CARDS: Readonly<Record<string, string>> = {
  'Yellow Card': 'card_yellow',
  'Second Yellow': 'card_second_yellow',
  'Red Card': 'card_red',
};

/** Kinds of goalkeeper events that are saves. */
export const SAVES: ReadonlySet<string> = new Set([
  'Shot Saved',
  'Shot Saved Off Target',
  'Shot Saved to Post',
  'Shot Saved To Post',
  'Penalty Saved',
  'Penalty Saved to Post',
  'Save',
]);

export const SHOT_OUTCOMES: Readonly<Record<string, string>> = { 'Off T': 'off_target' };
