/** The words that photos and actions are tagged with. */

/** category -> key|label|aliases; the keys of `action type` are the ones an API request may give instead of an id. */
const VOCABULARY: Readonly<Record<string, readonly string[]>> = {
  'shot type': [
    'close-up|Close-up|detail',
    'wide|Wide|establishing',
    'portrait|Portrait|headshot',
    'action|Action|match action',
    'team|Team|group',
    'detail|Detail|still life',
    'crowd|Crowd|fans,supporters',
    'from-behind|From behind|back',
  ],
  mood: [
    'joy|Joy|happy,delight',
    'disappointment|Disappointment|dejection,sad',
    'focus|Focus|concentration',
    'tension|Tension|nerves',
    'pride|Pride|honour',
    'calm|Calm|quiet',
  ],
  moment: [
    'goal|Goal|',
    'celebration|Celebration|goal celebration',
    'warm-up|Warm-up|warmup',
    'arrival|Arrival|arrivals',
    'training|Training|practice',
    'press-conference|Press conference|presser',
    'trophy|Trophy|silverware',
    'line-up|Line-up|starting eleven',
    'kick-off|Kick-off|kickoff',
    'half-time|Half-time|',
    'full-time|Full-time|final whistle',
    'walk-out|Walk-out|tunnel',
  ],
  weather: ['rain|Rain|wet', 'dusk|Dusk|golden hour', 'sunshine|Sunshine|sunny', 'floodlights|Floodlights|night'],
  person: [
    'guest-of-honour|Guest of honour|VIP',
    'club-photographer|Club photographer|photographer',
    'head-coach|Head coach|manager',
    'referee|Referee|match official',
  ],
  'action type': [
    'goal|Goal|',
    'shot|Shot|',
    'save|Save|',
    'card|Card|booking',
    'corner|Corner|corner kick',
    'kick-off|Kick-off|',
    'substitution|Substitution|sub',
    'foul|Foul|',
    'celebration|Celebration|',
    'pass|Pass|',
    'full-time|Full-time|',
  ],
};

export interface Term {
  readonly id: string;
  readonly category: string;
  readonly key: string;
  readonly label: string;
  readonly aliases: readonly string[];
}
export const TERMS: readonly Term[] = Object.entries(VOCABULARY).flatMap(([category, lines]) =>
  lines.map((line) => {
    const [key = '', label = '', aliases = ''] = line.split('|');
    return {
      id: `tag:${category.replaceAll(' ', '-')}/${key}`,
      category,
      key,
      label,
      aliases: aliases.split(',').filter((a) => a !== ''),
    };
  }),
);
