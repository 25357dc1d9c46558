/** Labels of the generated tag options, and the words that captions are made of. Put together here from a seed, copied from nowhere. */
import { foldText } from '../../src/base/index.ts';
import { createRandom, generateLibrary } from '../tag-lookup/generator.ts';
import workload from './workload.json' with { type: 'json' };

export type TagName = { readonly label: string; readonly fullName: string | null; readonly aliases: readonly string[] };
export type NamedKind = 'competition' | 'club' | 'stadium' | 'player' | 'tag' | 'sponsor';

const words = (text: string): readonly string[] => text.split(' ');

/** From frequent to rare: captions draw the first ones far more often. */
export const CAPTION_WORDS = {
  action: words(
    'goal shot pass header save tackle cross dribble celebration corner foul penalty clearance interception volley assist throw-in ' +
      'free-kick substitution offside sprint duel block punch chip overhead backheel nutmeg rabona panenka',
  ),
  scene: words(
    'crowd bench tunnel touchline midfield goalmouth stands penalty-area training warm-up press-conference dressing-room fans ' +
      'mascot trophy podium bus airport rooftop museum choreography scoreboard groundskeeper drone',
  ),
  light: words('evening afternoon floodlight rain sunset sunny cloudy night snow fog wind hail thunder rainbow'),
  time: words('first-half second-half stoppage-time kick-off half-time full-time extra-time shoot-out minute'),
  mood: words(
    'happy focused angry proud tired relieved disappointed surprised emotional furious ecstatic pensive desperate',
  ),
  join: words('the of in and against with at during before after from over'),
} as const;

function namesOf(kind: NamedKind, all: ReturnType<typeof generateLibrary>): readonly TagName[] {
  return all
    .filter((record) => record.type === kind)
    .map(({ label, fullName, aliases }) => ({ label, fullName, aliases }));
}

/** Names by type of tag option; matches are named after their clubs and seasons not used. */
export const NAMES: Readonly<Record<NamedKind, readonly TagName[]>> = (() => {
  const records = generateLibrary({ ...workload.tags, match: 0, season: 0 }, createRandom(workload.seed + 1));
  return {
    competition: namesOf('competition', records),
    club: namesOf('club', records),
    stadium: namesOf('stadium', records),
    player: namesOf('player', records),
    tag: namesOf('tag', records),
    sponsor: namesOf('sponsor', records),
  };
})();

/** The last word of a player's name as captions write it: not folded. */
export const SURNAMES: readonly string[] = NAMES.player.map(({ label }) => label.split(' ').at(-1) ?? label);

/** The first word of a club's name: its place. */
export const PLACES: readonly string[] = NAMES.club.map(({ label }) => label.split(' ')[0] ?? label);

/** Every caption word that is a word by itself, folded, the frequent ones of each list first. */
export const SINGLE_WORDS: readonly string[] = [
  ...new Set(
    [CAPTION_WORDS.action, CAPTION_WORDS.scene, CAPTION_WORDS.light, CAPTION_WORDS.mood]
      .flat()
      .map(foldText)
      .filter((word) => !word.includes(' ')),
  ),
];
