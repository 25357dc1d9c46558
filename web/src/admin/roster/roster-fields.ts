import type { TagType } from '../../api/tags.ts';

/** What a column of a CSV file may hold. */
export type RosterField =
  | 'ignore'
  | 'id'
  | 'type'
  | 'label'
  | 'full_name'
  | 'first_name'
  | 'last_name'
  | 'aliases'
  | 'category'
  | 'status'
  | 'image_url'
  | 'club_id'
  | 'club_name'
  | 'shirt_number'
  | 'position'
  | 'from'
  | 'to'
  | 'home_id'
  | 'away_id'
  | 'competition_id'
  | 'season_id'
  | 'stadium_id'
  | 'kick_off'
  | 'round'
  | 'match_status'
  | 'home_score'
  | 'away_score';

type Entry = {
  readonly label: string;
  /** Heads of columns that mean it, folded. */
  readonly heads: readonly string[];
  /** Types that have it; all without it. */
  readonly types?: readonly TagType[];
};
const PLAYER: readonly TagType[] = ['player'];
const MATCH: readonly TagType[] = ['match'];

export const ROSTER_FIELDS: Readonly<Record<RosterField, Entry>> = {
  ignore: { label: 'Leave out', heads: [] },
  id: {
    label: 'ID in that system',
    heads: ['id', 'externalid', 'playerid', 'uid', 'optaid', 'personid', 'clubid', 'matchid'],
  },
  type: { label: 'Type', heads: ['type', 'kind'] },
  label: { label: 'Name', heads: ['name', 'label', 'shirtname', 'shortname', 'knownas', 'displayname'] },
  full_name: { label: 'Full name', heads: ['fullname', 'player', 'playername'] },
  first_name: { label: 'First name', heads: ['firstname', 'givenname', 'forename'], types: PLAYER },
  last_name: { label: 'Last name', heads: ['lastname', 'surname', 'familyname'], types: PLAYER },
  aliases: { label: 'Other names, with ; between', heads: ['aliases', 'alias', 'nickname', 'nicknames', 'othernames'] },
  category: { label: 'Category', heads: ['category', 'group'] },
  status: { label: 'Status: active or deactivated', heads: ['status', 'active'] },
  image_url: { label: 'Address of a picture', heads: ['imageurl', 'image', 'photo', 'picture', 'headshot'] },
  club_id: { label: 'Club: its ID in that system', heads: ['clubid', 'teamid'], types: PLAYER },
  club_name: { label: 'Club: its name', heads: ['club', 'team', 'clubname', 'teamname'], types: PLAYER },
  shirt_number: {
    label: 'Shirt number',
    heads: ['shirtnumber', 'number', 'no', 'nr', 'shirt', 'jersey', 'jerseynumber', 'squadnumber'],
    types: PLAYER,
  },
  position: { label: 'Position', heads: ['position', 'pos', 'role'], types: PLAYER },
  from: { label: 'At the club from', heads: ['from', 'since', 'joined', 'startdate', 'validfrom'], types: PLAYER },
  to: { label: 'At the club to', heads: ['to', 'until', 'left', 'enddate', 'validto', 'contractuntil'], types: PLAYER },
  home_id: {
    label: 'Home: ID of the club',
    heads: ['home', 'homeid', 'hometeam', 'homeclub', 'hometeamid'],
    types: MATCH,
  },
  away_id: {
    label: 'Away: ID of the club',
    heads: ['away', 'awayid', 'awayteam', 'awayclub', 'awayteamid'],
    types: MATCH,
  },
  competition_id: { label: 'ID of the competition', heads: ['competition', 'competitionid'], types: MATCH },
  season_id: { label: 'ID of the season', heads: ['season', 'seasonid'], types: MATCH },
  stadium_id: { label: 'ID of the stadium', heads: ['stadium', 'stadiumid', 'venue', 'venueid'], types: MATCH },
  kick_off: { label: 'Kick-off', heads: ['kickoff', 'date', 'datetime', 'start'], types: MATCH },
  round: { label: 'Round', heads: ['round', 'matchday', 'week'], types: MATCH },
  match_status: { label: 'Status of the match', heads: ['matchstatus'], types: MATCH },
  home_score: { label: 'Goals home', heads: ['homescore', 'homegoals'], types: MATCH },
  away_score: { label: 'Goals away', heads: ['awayscore', 'awaygoals'], types: MATCH },
};

/** Names in the order in which they are offered. */
// The keys of a record are its names.
export const FIELD_NAMES = Object.keys(ROSTER_FIELDS) as readonly RosterField[];

/** Fields that one type has; a column that says the type may bring any. */
export const fieldsOf = (type: TagType | 'column'): readonly RosterField[] =>
  FIELD_NAMES.filter((name) => type === 'column' || (ROSTER_FIELDS[name].types?.includes(type) ?? true));

const fold = (head: string): string => head.toLowerCase().replaceAll(/[^a-z]/g, '');

/** What the heads of columns say; each field at most once, what says nothing is left out. */
export function guessFields(header: readonly string[], type: TagType | 'column'): readonly RosterField[] {
  const offered = fieldsOf(type);
  const taken = new Set<RosterField>();
  return header.map((head) => {
    const wanted = fold(head);
    const found = offered.find((name) => !taken.has(name) && ROSTER_FIELDS[name].heads.includes(wanted));
    if (found === undefined) return 'ignore';
    taken.add(found);
    return found;
  });
}
