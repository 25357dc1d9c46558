/** Turns the shot list into photos: file name, shutter time, score at that minute, and what the picture is tagged with. */
import type { SceneContext } from './scenes/frame.ts';
import { createRandom, seedOf } from './random.ts';
import { SHOT_LIST } from './shots.ts';
import { player } from './squads.ts';
import type { Player } from './squads.ts';
import type { Light } from './weather.ts';
import { TERMS } from './vocabulary.ts';
import { CLUBS, MATCHES, SPONSORS, STADIUMS } from './world.ts';
import type { Term } from './vocabulary.ts';
import type { ClubKey, Match, MatchKey, Stadium } from './world.ts';

export interface Photo {
  readonly file: string;
  readonly scene: string;
  readonly context: SceneContext;
  readonly players: readonly Player[];
  readonly clubs: readonly ClubKey[];
  readonly match: Match | undefined;
  readonly stadium: Stadium;
  readonly terms: readonly Term[];
  /** Labels of the real people in it, for the keyword lists. */
  readonly sponsors: readonly string[];
  readonly collections: readonly string[];
  readonly via: 'csv' | 'iptc';
  readonly rating: number | undefined;
  readonly headline: string;
  readonly caption: string;
  readonly byline: string;
  /** `yyyy:MM:dd HH:mm:ss` in local time, and the offset from UTC. */
  readonly takenAt: string;
  readonly offset: string;
}

/** Minute and side of every goal, so that each scoreboard tells the truth. */
export const GOALS: Readonly<Record<MatchKey, readonly (readonly [number, 'home' | 'away'])[]>> = {
  league: [
    [23, 'home'],
    [51, 'away'],
    [78, 'home'],
  ],
  cup: [
    [12, 'away'],
    [38, 'home'],
    [55, 'home'],
    [71, 'away'],
    [88, 'home'],
  ],
  charity: [
    [8, 'home'],
    [21, 'away'],
    [30, 'away'],
    [44, 'home'],
    [60, 'home'],
    [82, 'away'],
  ],
};
const SESSIONS = {
  'pav-training': { name: 'PAV-TRAINING', start: '2026-03-12T10:30:00+00:00', club: 'pav', light: 'day', stadium: 0 },
  'nvk-training': { name: 'NVK-TRAINING', start: '2026-05-05T09:45:00+02:00', club: 'nvk', light: 'day', stadium: 1 },
  'pav-media': { name: 'PAV-MEDIADAY', start: '2026-07-08T11:00:00+01:00', club: 'pav', light: 'day', stadium: 0 },
  'nvk-media': { name: 'NVK-MEDIADAY', start: '2026-07-14T13:00:00+02:00', club: 'nvk', light: 'day', stadium: 1 },
} as const satisfies Readonly<
  Record<string, { name: string; start: string; club: ClubKey; light: Light; stadium: number }>
>;

const SHAPES: Readonly<Record<string, readonly [number, number]>> = {
  l: [1600, 1067],
  p: [1067, 1600],
  s: [1280, 1280],
};
const BYLINES = ['Edda Falkmoor', 'Rhys Tarrowby', 'Sunniva Lakeborg'] as const;
const GUEST_SCENES: Readonly<Record<string, readonly string[]>> = {
  inTheStand: ['guest-of-honour'],
  onTheBigScreen: ['guest-of-honour'],
  presentation: ['guest-of-honour'],
  pressConference: ['guest-of-honour'],
  atTheTouchline: ['club-photographer'],
  bothAtTheLine: ['guest-of-honour', 'club-photographer'],
  booking: ['referee'],
  bench: ['head-coach'],
};

function scoreAt(key: MatchKey, minute: number): string {
  const count = (side: 'home' | 'away'): number =>
    GOALS[key].filter(([at, who]) => at <= minute && who === side).length;
  return `${count('home')}-${count('away')}`;
}

/** Local wall clock of a moment, read off the text: the offset of the start holds for the whole day. */
function localTime(start: string, afterMs: number): { takenAt: string; offset: string } {
  const offset = start.slice(-6);
  const asUtc = Date.parse(`${start.slice(0, -6)}Z`) + afterMs;
  return { takenAt: new Date(asUtc).toISOString().slice(0, 19).replaceAll('-', ':').replace('T', ' '), offset };
}

const findTerm = (key: string): Term => {
  const term = TERMS.find((one) => one.key === key && one.category !== 'action type');
  if (term === undefined) throw new Error(`expected a term of the vocabulary, received ${key}`);
  return term;
};

function sponsorsOf(scene: string, players: readonly Player[]): string[] {
  if (scene === 'pressConference') return SPONSORS.map((one) => one.label);
  if (scene === 'atTheTouchline') return ['Velmora Air', 'Brisewater'];
  if (scene === 'portrait' || scene === 'fromBehind')
    return players.map((one) => (one.club === 'pav' ? 'Velmora Air' : 'Orsten Bank')).slice(0, 1);
  return [];
}

function parseLine(line: string): Photo {
  const [
    group = '',
    number = '',
    scene = '',
    variant = '0',
    shape = 'l',
    people = '',
    minuteText = '0',
    tags = '',
    via = '',
    rating = '',
    headline = '',
    added = '',
  ] = line.split('|');
  const players = people
    .split(',')
    .filter((one) => one !== '')
    .map((one) => player(one.startsWith('p') ? 'pav' : 'nvk', Number(one.slice(1))));
  const minute = Number(minuteText);
  // Both casts follow the check that precedes them.
  const matchKey = Object.hasOwn(MATCHES, group) ? (group as MatchKey) : undefined;
  const match = matchKey === undefined ? undefined : MATCHES[matchKey];
  const session = match === undefined ? SESSIONS[group as keyof typeof SESSIONS] : undefined;
  const stadium =
    match === undefined ? STADIUMS[session?.stadium ?? 0] : STADIUMS.find((one) => one.id === match.stadium);
  const [widthPx, heightPx] = SHAPES[shape] ?? [1600, 1067];
  if (stadium === undefined) throw new Error(`expected a known group, received ${group}`);
  const home = match?.home ?? session?.club ?? 'pav';
  const away = match?.away ?? home;
  const start = match?.kickOff ?? session?.start ?? '';
  const random = createRandom(seedOf(`${group}${number}`));
  // The break and stoppage take 17 minutes of wall clock; after the end minutes count on from the whistle.
  const wallMinute = minute >= 200 ? minute - 200 + 112 : minute > 45 ? minute + 17 : minute;
  const { takenAt, offset } = localTime(start, (wallMinute * 60 + random.int(4, 52)) * 1000);
  const code = match === undefined ? (session?.name ?? '') : `${CLUBS[match.home].code}-${CLUBS[match.away].code}`;
  const weather =
    matchKey === 'league'
      ? ['dusk']
      : matchKey === 'cup'
        ? ['rain', 'floodlights']
        : matchKey === 'charity' && scene !== 'pressConference'
          ? ['sunshine']
          : [];
  const clubs = [...new Set<ClubKey>(players.map((one) => one.club))];
  const collections =
    matchKey === 'charity'
      ? ['collection:lighthouse']
      : group.endsWith('training')
        ? ['collection:training-ground']
        : Number(rating) >= 4
          ? ['collection:season-review']
          : [];
  const where =
    match === undefined
      ? `${stadium.label}, ${stadium.city}`
      : `${CLUBS[match.home].label} v ${CLUBS[match.away].label}, ${match.round}, ${stadium.label}, ${stadium.city}`;
  return {
    file: `${start.slice(0, 10).replaceAll('-', '')}_${code}_${number}.jpg`,
    scene,
    players,
    match,
    stadium,
    headline,
    clubs: clubs.length > 0 || match !== undefined ? clubs : [home],
    context: {
      widthPx,
      heightPx,
      random,
      light: match?.light ?? session?.light ?? 'day',
      home,
      away,
      players,
      variant: Number(variant),
      score: matchKey === undefined ? '0-0' : scoreAt(matchKey, minute),
      clock: minute >= 90 ? '90:00' : `${String(Math.max(0, minute)).padStart(2, '0')}:${String(random.int(10, 58))}`,
    },
    terms: [...new Set([...tags.split(','), ...weather, ...(GUEST_SCENES[scene] ?? [])])].map(findTerm),
    sponsors: sponsorsOf(scene, players),
    collections,
    via: via === 'csv' ? 'csv' : 'iptc',
    rating: rating === '' ? undefined : Number(rating),
    caption: `${added} ${where}, ${start.slice(0, 10)}.`,
    byline: BYLINES[(matchKey === 'cup' || home === 'nvk' ? 1 : 0) + (random.chance(0.2) ? 1 : 0)] ?? BYLINES[0],
    takenAt,
    offset,
  };
}

export const PHOTOS: readonly Photo[] = SHOT_LIST.trim().split('\n').map(parseLine);
