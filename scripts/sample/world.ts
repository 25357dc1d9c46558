/** Clubs, matches, competitions, sponsors and the vocabulary of the sample library: all invented. */
export interface Kit {
  readonly shirt: string;
  readonly trim: string;
  readonly shorts: string;
  readonly socks: string;
  readonly number: string;
  readonly keeper: string;
}
export type ClubKey = 'pav' | 'nvk' | 'bma' | 'eld';

export interface Club {
  readonly id: string;
  readonly code: string;
  readonly label: string;
  readonly fullName: string;
  readonly aliases: readonly string[];
  readonly kit: Kit;
  readonly sponsor: string;
}

export const CLUBS: Readonly<Record<ClubKey, Club>> = {
  pav: {
    id: 'club:pav',
    code: 'PAV',
    label: 'Port Averley FC',
    fullName: 'Port Averley Football Club',
    aliases: ['Averley', 'PAFC', 'The Gulls', 'The Lanternmen'],
    kit: {
      shirt: '#0e6f78',
      trim: '#f2c14e',
      shorts: '#f4f2ea',
      socks: '#0e6f78',
      number: '#fdf6e3',
      keeper: '#f08a24',
    },
    sponsor: 'VELMORA AIR',
  },
  nvk: {
    id: 'club:nvk',
    code: 'NVK',
    label: 'Norrvika Rovers',
    fullName: 'Norrvika Rovers Women',
    aliases: ['Norrvika', 'Rovers', 'NVK', 'Norrskenet', 'The Northern Lights'],
    kit: {
      shirt: '#b3264f',
      trim: '#ffffff',
      shorts: '#2a1030',
      socks: '#b3264f',
      number: '#ffffff',
      keeper: '#58b368',
    },
    sponsor: 'ORSTEN BANK',
  },
  bma: {
    id: 'club:bma',
    code: 'BMA',
    label: 'Brackmoor Athletic',
    fullName: 'Brackmoor Athletic Football Club',
    aliases: ['Brackmoor', 'The Moormen'],
    kit: {
      shirt: '#e7b52c',
      trim: '#1c1c1c',
      shorts: '#1c1c1c',
      socks: '#e7b52c',
      number: '#1c1c1c',
      keeper: '#7a7f87',
    },
    sponsor: 'QUILLMARK',
  },
  eld: {
    id: 'club:eld',
    code: 'ELD',
    label: 'Eldfjord BK',
    fullName: 'Eldfjord Ballklubb Damer',
    aliases: ['Eldfjord'],
    kit: {
      shirt: '#e9eef2',
      trim: '#2e62a8',
      shorts: '#2e62a8',
      socks: '#e9eef2',
      number: '#2e62a8',
      keeper: '#d9c23c',
    },
    sponsor: 'BRISEWATER',
  },
};

export interface Stadium {
  readonly id: string;
  readonly label: string;
  readonly city: string;
  readonly country: string;
  readonly aliases: readonly string[];
  readonly club: ClubKey;
  readonly capacity: number;
}
export const STADIUMS: readonly Stadium[] = [
  {
    id: 'stadium:lantern-quay',
    label: 'Lantern Quay',
    city: 'Port Averley',
    country: 'United Kingdom',
    aliases: ['The Quay'],
    club: 'pav',
    capacity: 24100,
  },
  {
    id: 'stadium:norrskensvallen',
    label: 'Norrskensvallen',
    city: 'Norrvika',
    country: 'Sweden',
    aliases: ['Vallen', 'Norrsken Arena'],
    club: 'nvk',
    capacity: 15800,
  },
];

export const COMPETITIONS = [
  {
    id: 'competition:meridian-league',
    label: 'Meridian League',
    fullName: 'Meridian Premier League',
    aliases: ['Meridian'],
  },
  {
    id: 'competition:polar-crown-cup',
    label: 'Polar Crown Cup',
    fullName: "Women's Polar Crown Cup",
    aliases: ['Polar Cup', 'Cup'],
  },
  {
    id: 'competition:lighthouse-match',
    label: 'Lighthouse Match',
    fullName: 'Lighthouse Charity Match',
    aliases: ['Charity friendly'],
  },
] as const;

export const SEASONS = [
  { id: 'season:2025-26', label: '2025/26', fullName: 'Season 2025/26', aliases: ['25/26'] },
  { id: 'season:2026-27', label: '2026/27', fullName: 'Season 2026/27', aliases: ['26/27'] },
] as const;

export type MatchKey = 'league' | 'cup' | 'charity';
export interface Match {
  readonly id: string;
  readonly label: string;
  readonly home: ClubKey;
  readonly away: ClubKey;
  readonly competition: string;
  readonly season: string;
  readonly stadium: string;
  readonly round: string;
  /** RFC 3339 with the local offset, so that shutter times carry it too. */
  readonly kickOff: string;
  readonly score: { readonly home: number; readonly away: number };
  readonly aliases: readonly string[];
  readonly light: 'dusk' | 'night-rain' | 'day';
}
export const MATCHES: Readonly<Record<MatchKey, Match>> = {
  league: {
    id: 'match:20260314-pav-bma',
    label: 'Port Averley FC 2-1 Brackmoor Athletic',
    home: 'pav',
    away: 'bma',
    competition: 'competition:meridian-league',
    season: 'season:2025-26',
    stadium: 'stadium:lantern-quay',
    round: 'Matchday 28',
    kickOff: '2026-03-14T17:30:00+00:00',
    score: { home: 2, away: 1 },
    aliases: ['Coast derby', 'PAV-BMA'],
    light: 'dusk',
  },
  cup: {
    id: 'match:20260509-nvk-eld',
    label: 'Norrvika Rovers 3-2 Eldfjord BK',
    home: 'nvk',
    away: 'eld',
    competition: 'competition:polar-crown-cup',
    season: 'season:2025-26',
    stadium: 'stadium:norrskensvallen',
    round: 'Final',
    kickOff: '2026-05-09T20:00:00+02:00',
    score: { home: 3, away: 2 },
    aliases: ['Cup final 2026', 'NVK-ELD'],
    light: 'night-rain',
  },
  charity: {
    id: 'match:20260725-pav-nvk',
    label: 'Port Averley FC 3-3 Norrvika Rovers',
    home: 'pav',
    away: 'nvk',
    competition: 'competition:lighthouse-match',
    season: 'season:2026-27',
    stadium: 'stadium:lantern-quay',
    round: 'Charity friendly, mixed sides',
    kickOff: '2026-07-25T15:00:00+01:00',
    score: { home: 3, away: 3 },
    aliases: ['Lighthouse Match 2026', 'PAV-NVK'],
    light: 'day',
  },
};

export const SPONSORS = [
  { id: 'sponsor:velmora-air', label: 'Velmora Air', club: 'pav', aliases: ['Velmora'], role: 'shirt partner' },
  { id: 'sponsor:orsten-bank', label: 'Orsten Bank', club: 'nvk', aliases: ['Orsten'], role: 'shirt partner' },
  {
    id: 'sponsor:quillmark',
    label: 'Quillmark',
    club: 'pav',
    aliases: ['Quillmark Software'],
    role: 'technology partner',
  },
  { id: 'sponsor:brisewater', label: 'Brisewater', club: 'nvk', aliases: ['Brise'], role: 'drinks partner' },
] as const;

/** Names on the perimeter boards, in the order in which they are drawn. */
export const BOARD_NAMES: readonly string[] = ['VELMORA AIR', 'QUILLMARK', 'ORSTEN BANK', 'BRISEWATER'];

export const COLLECTIONS = [
  {
    id: 'collection:season-review',
    name: 'Season review 2025/26',
    description: 'The pictures that tell the year: league, cup final and the road to both.',
  },
  {
    id: 'collection:lighthouse',
    name: 'Lighthouse Match 2026',
    description: 'Everything from the charity day, cleared for partners.',
  },
  { id: 'collection:training-ground', name: 'Training ground', description: 'Behind the scenes between the matches.' },
] as const;
