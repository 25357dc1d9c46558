import type { MatchInput, TagInput, TagOption, TagRelation } from '../../library/index.ts';
import type { RelationsIn, TagOptionOut, TagPatchBody } from '../wire/tags.ts';

function presentRelations(tag: TagOption): TagOptionOut['relations'] {
  const of = (kind: TagRelation['kind']) => tag.relations.filter((relation) => relation.kind === kind);
  const dated = (relation: TagRelation) => ({ from: relation.from, to: relation.to });
  switch (tag.type) {
    case 'player':
      return {
        clubs: of('player_club').map((relation) => ({
          club: relation.toId,
          shirt_number: relation.shirtNumber,
          position: relation.position,
          ...dated(relation),
        })),
        sponsors: of('player_sponsor').map((relation) => ({ sponsor: relation.toId, ...dated(relation) })),
      };
    case 'club':
      return {
        stadiums: of('club_stadium').map((relation) => ({ stadium: relation.toId, ...dated(relation) })),
        competitions: of('club_competition').map((relation) => ({
          competition: relation.toId,
          season: relation.seasonId,
          ...dated(relation),
        })),
        parent: of('club_parent')[0]?.toId ?? null,
      };
    case 'sponsor':
      return {
        clubs: of('sponsor_club').map((relation) => ({
          club: relation.toId,
          shirt_number: null,
          position: null,
          ...dated(relation),
        })),
        competitions: of('sponsor_competition').map((relation) => ({
          competition: relation.toId,
          season: relation.seasonId,
          ...dated(relation),
        })),
      };
    case 'match':
      return {
        competition: tag.match?.competitionId ?? null,
        season: tag.match?.seasonId ?? null,
        home: tag.match?.homeId ?? null,
        away: tag.match?.awayId ?? null,
        stadium: tag.match?.stadiumId ?? null,
        round: tag.match?.round ?? null,
        kick_off: tag.match?.kickOff?.toISOString() ?? null,
        home_score: tag.match?.homeScore ?? null,
        away_score: tag.match?.awayScore ?? null,
        status: tag.match?.status ?? null,
      };
    default:
      return {};
  }
}

/** A tag option as the API answers it. */
export function presentTag(tag: TagOption): TagOptionOut {
  return {
    id: tag.id,
    ID: tag.id,
    type: tag.type,
    category: tag.category,
    label: tag.label,
    full_name: tag.fullName,
    aliases: [...tag.aliases],
    external_ids: { ...tag.externalIds },
    status: tag.status,
    merged_into: tag.mergedInto,
    media_count: tag.mediaCount,
    image_url: tag.imageUrl,
    relations: presentRelations(tag),
    created_at: tag.createdAt.toISOString(),
    updated_at: tag.updatedAt.toISOString(),
    version: tag.version,
  };
}

type Dated = { readonly from?: string | null; readonly to?: string | null };
const common = (one: Dated, pointer: string) => ({
  season: null,
  shirtNumber: null,
  position: null,
  from: one.from ?? null,
  to: one.to ?? null,
  pointer,
});

function readRelations(relations: RelationsIn): NonNullable<TagInput['relations']> {
  const clubs = relations.clubs?.map((one, at) => ({
    ...common(one, `/relations/clubs/${at}`),
    target: one.club,
    shirtNumber: one.shirt_number ?? null,
    position: one.position ?? null,
  }));
  const stadiums = relations.stadiums?.map((one, at) => ({
    ...common(one, `/relations/stadiums/${at}`),
    target: one.stadium,
  }));
  const competitions = relations.competitions?.map((one, at) => ({
    ...common(one, `/relations/competitions/${at}`),
    target: one.competition,
    season: one.season ?? null,
  }));
  const sponsors = relations.sponsors?.map((one, at) => ({
    ...common(one, `/relations/sponsors/${at}`),
    target: one.sponsor,
  }));
  const parent =
    relations.parent === null
      ? []
      : relations.parent && [{ ...common({}, '/relations/parent'), target: relations.parent }];
  return {
    ...(clubs && { clubs }),
    ...(stadiums && { stadiums }),
    ...(competitions && { competitions }),
    ...(sponsors && { sponsors }),
    ...(parent && { parent }),
  };
}

function readMatch(relations: RelationsIn): MatchInput | undefined {
  const { competition, season, home, away, stadium, round, kick_off, home_score, away_score, status } = relations;
  const given = {
    ...(competition === undefined ? {} : { competition }),
    ...(season === undefined ? {} : { season }),
    ...(home === undefined ? {} : { home }),
    ...(away === undefined ? {} : { away }),
    ...(stadium === undefined ? {} : { stadium }),
    ...(round === undefined ? {} : { round }),
    ...(kick_off === undefined ? {} : { kickOff: kick_off === null ? null : new Date(kick_off) }),
    ...(home_score === undefined ? {} : { homeScore: home_score }),
    ...(away_score === undefined ? {} : { awayScore: away_score }),
    ...(status === undefined ? {} : { status }),
  };
  return Object.keys(given).length > 0 ? given : undefined;
}

/** A body as the library takes it. */
export function readTagInput(body: TagPatchBody): TagInput {
  return {
    type: body.type,
    category: body.category,
    label: body.label,
    fullName: body.full_name,
    aliases: body.aliases,
    imageUrl: body.image_url,
    status: body.status,
    externalIds: body.external_ids,
    relations: body.relations && readRelations(body.relations),
    match: body.relations && readMatch(body.relations),
  };
}
