import type { TagValues } from './tag-store.ts';
import type { MatchFacts, TagOption, TagRelation } from './tag-types.ts';

/** One option as the items so far leave it. New ones have negative IDs until they are written. */
export type TagState = {
  id: number;
  readonly before: TagOption | undefined;
  values: TagValues;
  externalIds: Readonly<Record<string, string>>;
  relations: readonly TagRelation[];
  match: MatchFacts | null;
};

export const NO_MATCH: MatchFacts = {
  competitionId: null,
  seasonId: null,
  homeId: null,
  awayId: null,
  stadiumId: null,
  round: null,
  kickOff: null,
  homeScore: null,
  awayScore: null,
  status: null,
};

export function stateOf(option: TagOption): TagState {
  const { type, category, label, fullName, aliases, imageUrl, status } = option;
  return {
    id: option.id,
    before: option,
    values: { type, category, label, fullName, aliases, imageUrl, status },
    externalIds: option.externalIds,
    relations: option.relations,
    match: option.match,
  };
}

function sameList(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((one, at) => one === b[at]);
}

export function sameValues(a: TagValues, b: TagValues): boolean {
  return (
    a.category === b.category &&
    a.label === b.label &&
    a.fullName === b.fullName &&
    a.imageUrl === b.imageUrl &&
    a.status === b.status &&
    sameList(a.aliases, b.aliases)
  );
}

export function sameExternalIds(a: TagState['externalIds'], b: TagState['externalIds']): boolean {
  const sources = Object.keys(a);
  return sources.length === Object.keys(b).length && sources.every((source) => a[source] === b[source]);
}

/** Order tells nothing. */
export function sameRelations(a: readonly TagRelation[], b: readonly TagRelation[]): boolean {
  return a === b || (a.length === b.length && sameList(a.map(relationKey).sort(), b.map(relationKey).sort()));
}

export function relationKey(one: TagRelation): string {
  return JSON.stringify([one.kind, one.toId, one.seasonId, one.shirtNumber, one.position, one.from, one.to]);
}

/** Whether two states of a match imply the same: score, status and round imply nothing. */
export function impliesSame(a: MatchFacts | null, b: MatchFacts | null): boolean {
  const implied = (match: MatchFacts | null) =>
    match && { ...match, homeScore: null, awayScore: null, status: null, round: null };
  return sameMatch(implied(a), implied(b));
}

export function sameMatch(a: MatchFacts | null, b: MatchFacts | null): boolean {
  if (a === null || b === null) return a === b;
  // The members of NO_MATCH are those of MatchFacts.
  return (Object.keys(NO_MATCH) as (keyof MatchFacts)[]).every((field) =>
    field === 'kickOff' ? a.kickOff?.getTime() === b.kickOff?.getTime() : a[field] === b[field],
  );
}
