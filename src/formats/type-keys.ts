import { foldText } from '../base/index.ts';
import { lookUp } from './field-reader.ts';

/** Other names that people give to types, folded, to our key. */
const SYNONYMS: Readonly<Record<string, string>> = {
  goals: 'goal',
  'goal scored': 'goal',
  gol: 'goal',
  tor: 'goal',
  but: 'goal',
  shots: 'shot',
  attempt: 'shot',
  'shot on goal': 'shot',
  passes: 'pass',
  saves: 'save',
  yellow: 'card_yellow',
  'yellow card': 'card_yellow',
  yellowcard: 'card_yellow',
  booking: 'card_yellow',
  'second yellow': 'card_second_yellow',
  'second yellow card': 'card_second_yellow',
  '2nd yellow': 'card_second_yellow',
  'yellow red card': 'card_second_yellow',
  red: 'card_red',
  'red card': 'card_red',
  redcard: 'card_red',
  'sending off': 'card_red',
  sub: 'substitution',
  subs: 'substitution',
  substitutions: 'substitution',
  'player change': 'substitution',
  fouls: 'foul',
  corners: 'corner',
  'corner kick': 'corner',
  'corner kicks': 'corner',
  offsides: 'offside',
  penalties: 'penalty',
  'penalty kick': 'penalty',
  'free kicks': 'free_kick',
  freekick: 'free_kick',
  'throw ins': 'throw_in',
  throwin: 'throw_in',
  'goal kicks': 'goal_kick',
  kickoff: 'kick_off',
  tackles: 'tackle',
  interceptions: 'interception',
  crosses: 'cross',
};

const isLatin = (name: string): boolean => /\p{Script=Latin}/u.test(name);

/** In other scripts marks tell words apart (Japanese goal and call): they stay. */
function foldedAsIs(name: string): string {
  return name
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\p{M}]+/gu, ' ')
    .trim();
}

/** Our key for the name of a type: a known word, else the name as snake_case (`High Press!` -> `high_press`). */
export function typeKeyOf(name: string): string {
  const folded = isLatin(name) ? foldText(name) : foldedAsIs(name);
  return lookUp(SYNONYMS, folded) ?? (folded.replaceAll(' ', '_') || 'unknown');
}

/** A word for a role or outcome as snake_case. */
export function snakeCase(text: string): string {
  return foldText(text).replaceAll(' ', '_');
}
