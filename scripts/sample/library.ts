/** Builds `library.json`: tag options, their relations, collections and the actions of the videos. */
import { createRandom } from './random.ts';
import { PLAYERS } from './squads.ts';
import { TERMS } from './vocabulary.ts';
import { CLUBS, COLLECTIONS, COMPETITIONS, MATCHES, SEASONS, SPONSORS, STADIUMS } from './world.ts';

export interface SampleTagOption {
  readonly type: string;
  readonly category?: string;
  readonly key?: string;
  readonly label: string;
  readonly full_name: string;
  readonly aliases: readonly string[];
  readonly external_ids: Readonly<Record<string, string>>;
  readonly details?: Readonly<Record<string, string | number>>;
}
export interface SampleAction {
  readonly file: string;
  readonly source_ref: string;
  readonly type: string;
  readonly label: string;
  readonly start_ms: number;
  readonly end_ms: number;
  readonly event_ms: number;
  readonly match: string;
  readonly clubs: readonly { readonly id: string; readonly side: 'home' | 'away' }[];
  readonly players: readonly { readonly id: string; readonly role: string; readonly shirt: number }[];
  readonly period: number;
  readonly clock_ms: number;
  readonly outcome?: string;
  readonly x?: number;
  readonly y?: number;
}

function tagOptions(): SampleTagOption[] {
  const chance = createRandom(612);
  const feedId = (): string => String(chance.int(100_000, 999_999));
  return [
    ...Object.values(CLUBS).map((club) => ({
      type: 'club',
      label: club.label,
      full_name: club.fullName,
      aliases: club.aliases,
      external_ids: { sample: club.id, opta: `t${feedId()}` },
      details: { code: club.code, colour: club.kit.shirt },
    })),
    ...STADIUMS.map((stadium) => ({
      type: 'stadium',
      label: stadium.label,
      full_name: `${stadium.label}, ${stadium.city}`,
      aliases: stadium.aliases,
      external_ids: { sample: stadium.id },
      details: { city: stadium.city, country: stadium.country, capacity: stadium.capacity },
    })),
    ...COMPETITIONS.map((one) => ({
      type: 'competition',
      label: one.label,
      full_name: one.fullName,
      aliases: one.aliases,
      external_ids: { sample: one.id },
    })),
    ...SEASONS.map((one) => ({
      type: 'season',
      label: one.label,
      full_name: one.fullName,
      aliases: one.aliases,
      external_ids: { sample: one.id },
    })),
    ...Object.values(MATCHES).map((match) => ({
      type: 'match',
      label: match.label,
      full_name: `${match.label}, ${match.round}, ${match.kickOff.slice(0, 10)}`,
      aliases: match.aliases,
      external_ids: { sample: match.id, opta: `g${feedId()}` },
    })),
    ...PLAYERS.map((player) => ({
      type: 'player',
      label: player.label,
      full_name: player.fullName,
      aliases: player.aliases,
      external_ids: { sample: player.id, opta: `p${feedId()}` },
      details: { position: player.position, nationality: player.nationality, shirt_number: player.shirt },
    })),
    ...SPONSORS.map((one) => ({
      type: 'sponsor',
      label: one.label,
      full_name: one.label,
      aliases: one.aliases,
      external_ids: { sample: one.id },
      details: { role: one.role },
    })),
    ...TERMS.map((term) => ({
      type: 'tag',
      category: term.category,
      key: term.key,
      label: term.label,
      full_name: term.label,
      aliases: term.aliases,
      external_ids: {
        sample: term.id,
        // What actions call their type by.
        ...(term.category === 'action type' && { action_type: term.key.replaceAll('-', '_') }),
      },
    })),
  ];
}

/** All references are `sample` external ids; dates are local calendar days and `to` is absent while it lasts. */
function relations(): Record<string, unknown>[] {
  const joined = createRandom(77);
  return [
    ...PLAYERS.map((player) => ({
      kind: 'player-club',
      player: player.id,
      club: CLUBS[player.club].id,
      shirt_number: player.shirt,
      from: `${joined.int(2021, 2025)}-07-01`,
    })),
    // One career with a transfer, so that a dated search has something to tell apart.
    {
      kind: 'player-club',
      player: 'player:pav-19',
      club: 'club:bma',
      shirt_number: 27,
      from: '2018-08-01',
      to: '2021-06-30',
    },
    ...STADIUMS.map((stadium) => ({ kind: 'club-stadium', club: CLUBS[stadium.club].id, stadium: stadium.id })),
    ...['club:pav', 'club:bma'].flatMap((club) =>
      SEASONS.map((season) => ({
        kind: 'club-competition-season',
        club,
        competition: 'competition:meridian-league',
        season: season.id,
      })),
    ),
    ...['club:nvk', 'club:eld'].map((club) => ({
      kind: 'club-competition-season',
      club,
      competition: 'competition:polar-crown-cup',
      season: 'season:2025-26',
    })),
    ...['club:pav', 'club:nvk'].map((club) => ({
      kind: 'club-competition-season',
      club,
      competition: 'competition:lighthouse-match',
      season: 'season:2026-27',
    })),
    ...Object.values(MATCHES).map((match) => ({
      kind: 'match',
      match: match.id,
      home: CLUBS[match.home].id,
      away: CLUBS[match.away].id,
      competition: match.competition,
      season: match.season,
      stadium: match.stadium,
      kick_off: match.kickOff,
      round: match.round,
      score: match.score,
    })),
    ...SPONSORS.map((one) => ({
      kind: 'sponsor-club',
      sponsor: one.id,
      club: CLUBS[one.club].id,
      from: '2025-07-01',
      to: '2028-06-30',
    })),
  ];
}

export function library(actions: readonly SampleAction[]): unknown {
  return {
    format: 'touchline-sample/1',
    tag_options: tagOptions(),
    relations: relations(),
    collections: COLLECTIONS.map((one) => ({
      external_ids: { sample: one.id },
      name: one.name,
      description: one.description,
    })),
    actions,
  };
}
