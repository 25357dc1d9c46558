import { OPTA_TYPES } from './opta-types.ts';
import { CARDS } from './statsbomb-types.ts';

/** Types of StatsBomb events (specification 4.0.0) that Opta has not, by our keys. */
const STATSBOMB_ONLY: Readonly<Record<string, string>> = {
  bad_behaviour: 'Bad behaviour',
  ball_receipt: 'Ball receipt',
  block: 'Block',
  camera_off: 'Camera off',
  camera_on: 'Camera on',
  carry: 'Carry',
  dribbled_past: 'Dribbled past',
  duel: 'Duel',
  goalkeeper: 'Goalkeeper',
  injury_stoppage: 'Injury stoppage',
  miscontrol: 'Miscontrol',
  own_goal_for: 'Own goal for',
  player_off: 'Player off',
  player_on: 'Player on',
  pressure: 'Pressure',
  referee_ball_drop: 'Referee ball drop',
  shield: 'Shield',
};

/** A key such as `foul_won` as people write it. */
export function readableKey(key: string): string {
  const words = key.replaceAll('_', ' ').trim();
  return words.slice(0, 1).toUpperCase() + words.slice(1);
}

const opta = Object.values(OPTA_TYPES).flatMap(({ key, won }) => (won ? [key, won.key] : [key]));

/** Every type that events of the known feeds have, by key, with what people call it. */
export const FEED_TYPES: ReadonlyMap<string, string> = new Map([
  ...[...opta, ...Object.values(CARDS)].map((key) => [key, readableKey(key)] as const),
  ...Object.entries(STATSBOMB_ONLY),
]);
