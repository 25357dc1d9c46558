import type { TagChange, TagCreate, TagOption, TagType } from '../../api/tags.ts';

/** What the form of a tag option holds: texts as they are typed. */
export type TagDraft = {
  readonly type: TagType;
  readonly label: string;
  readonly fullName: string;
  readonly category: string;
  readonly imageUrl: string;
  readonly isActive: boolean;
  readonly aliases: readonly string[];
  readonly externalIds: readonly ExternalId[];
  readonly lists: Readonly<Record<ListName, readonly RelationRow[]>>;
  readonly references: Readonly<Record<ReferenceName, number | null>>;
  readonly match: MatchTexts;
};
export type ExternalId = { readonly source: string; readonly id: string };
export type ListName = 'clubs' | 'stadiums' | 'competitions' | 'sponsors';
export type ReferenceName = 'parent' | 'home' | 'away' | 'competition' | 'season' | 'stadium';
export type MatchStatus = NonNullable<TagOption['relations']['status']>;
export type MatchTexts = {
  readonly round: string;
  /** As a field of the browser has it, in its own time zone: `2026-03-14T19:30`. */
  readonly kickOff: string;
  readonly homeScore: string;
  readonly awayScore: string;
  readonly status: MatchStatus | '';
};
/** One relation. `key` tells rows apart while they are edited. */
export type RelationRow = {
  readonly key: number;
  readonly target: number;
  readonly season: number | null;
  readonly shirtNumber: string;
  readonly position: string;
  readonly from: string;
  readonly to: string;
};

type ListShape = {
  readonly name: ListName;
  readonly label: string;
  readonly one: string;
  readonly targetType: TagType;
  readonly hasShirt?: true;
  readonly hasSeason?: true;
};
const CLUBS = { name: 'clubs', label: 'Clubs', one: 'club', targetType: 'club' } as const;
const COMPETITIONS = {
  name: 'competitions',
  label: 'Competitions',
  one: 'competition',
  targetType: 'competition',
  hasSeason: true,
} as const;

/** The lists of relations that a type has. */
export const LISTS: Readonly<Partial<Record<TagType, readonly ListShape[]>>> = {
  player: [
    { ...CLUBS, hasShirt: true },
    { name: 'sponsors', label: 'Sponsors', one: 'sponsor', targetType: 'sponsor' },
  ],
  club: [{ name: 'stadiums', label: 'Stadiums', one: 'stadium', targetType: 'stadium' }, COMPETITIONS],
  sponsor: [CLUBS, COMPETITIONS],
};
/** The single tag options that a type names. */
export const REFERENCES: Readonly<
  Partial<
    Record<TagType, readonly { readonly name: ReferenceName; readonly label: string; readonly targetType: TagType }[]>
  >
> = {
  club: [{ name: 'parent', label: 'Belongs to the club', targetType: 'club' }],
  match: [
    { name: 'home', label: 'Home', targetType: 'club' },
    { name: 'away', label: 'Away', targetType: 'club' },
    { name: 'competition', label: 'Competition', targetType: 'competition' },
    { name: 'season', label: 'Season', targetType: 'season' },
    { name: 'stadium', label: 'Stadium', targetType: 'stadium' },
  ],
};

const NO_MATCH: MatchTexts = { round: '', kickOff: '', homeScore: '', awayScore: '', status: '' };
const NO_LISTS = { clubs: [], stadiums: [], competitions: [], sponsors: [] };
const NO_REFERENCES = { parent: null, home: null, away: null, competition: null, season: null, stadium: null };

/** An empty form. */
export function emptyDraft(type: TagType, category = ''): TagDraft {
  return {
    type,
    category,
    label: '',
    fullName: '',
    imageUrl: '',
    isActive: true,
    aliases: [],
    externalIds: [],
    lists: NO_LISTS,
    references: NO_REFERENCES,
    match: NO_MATCH,
  };
}

type RelationOut = {
  readonly season?: number | null;
  readonly shirt_number?: number | null;
  readonly position?: string | null;
  readonly from: string | null;
  readonly to: string | null;
};

function rowOf(target: number, relation: RelationOut, key: number): RelationRow {
  return {
    key,
    target,
    season: relation.season ?? null,
    shirtNumber: textOf(relation.shirt_number),
    position: relation.position ?? '',
    from: relation.from ?? '',
    to: relation.to ?? '',
  };
}

/** A row for a relation that is new. */
export const newRow = (target: number, key: number): RelationRow => rowOf(target, { from: null, to: null }, key);

const textOf = (value: number | null | undefined): string =>
  value === null || value === undefined ? '' : String(value);
const two = (value: number): string => String(value).padStart(2, '0');

function localTime(iso: string): string {
  const at = new Date(iso);
  const day = `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
  return `${day}T${two(at.getHours())}:${two(at.getMinutes())}`;
}

/** The form of a tag option as it is. */
export function draftOf(tag: TagOption): TagDraft {
  const { relations } = tag;
  return {
    type: tag.type,
    label: tag.label,
    fullName: tag.full_name ?? '',
    category: tag.category ?? '',
    imageUrl: tag.image_url ?? '',
    isActive: tag.status === 'active',
    aliases: tag.aliases,
    externalIds: Object.entries(tag.external_ids).map(([source, id]) => ({ source, id })),
    lists: {
      clubs: (relations.clubs ?? []).map((one, at) => rowOf(one.club, one, at)),
      stadiums: (relations.stadiums ?? []).map((one, at) => rowOf(one.stadium, one, at)),
      competitions: (relations.competitions ?? []).map((one, at) => rowOf(one.competition, one, at)),
      sponsors: (relations.sponsors ?? []).map((one, at) => rowOf(one.sponsor, one, at)),
    },
    references: {
      parent: relations.parent ?? null,
      home: relations.home ?? null,
      away: relations.away ?? null,
      competition: relations.competition ?? null,
      season: relations.season ?? null,
      stadium: relations.stadium ?? null,
    },
    match: {
      round: relations.round ?? '',
      kickOff: relations.kick_off ? localTime(relations.kick_off) : '',
      homeScore: textOf(relations.home_score),
      awayScore: textOf(relations.away_score),
      status: relations.status ?? '',
    },
  };
}

const orNull = (text: string): string | null => (text.trim() === '' ? null : text.trim());
const numberOr = (text: string): number | null => (text.trim() === '' ? null : Number(text));
const isoOr = (text: string): string | null => {
  const at = new Date(text);
  return text === '' || Number.isNaN(at.getTime()) ? null : at.toISOString();
};

type Relations = NonNullable<TagCreate['relations']>;

function relationsOf({ type, lists, references, match }: TagDraft): Relations {
  const of = (shape: ListShape) =>
    lists[shape.name].map((row) => ({
      [shape.one]: row.target,
      ...(shape.hasShirt && { shirt_number: numberOr(row.shirtNumber), position: orNull(row.position) }),
      ...(shape.hasSeason && { season: row.season }),
      from: orNull(row.from),
      to: orNull(row.to),
    }));
  const listed = (LISTS[type] ?? []).map((shape) => [shape.name, of(shape)] as const);
  const named = (REFERENCES[type] ?? []).map(({ name }) => [name, references[name]] as const);
  const facts =
    type === 'match'
      ? {
          round: orNull(match.round),
          kick_off: isoOr(match.kickOff),
          home_score: numberOr(match.homeScore),
          away_score: numberOr(match.awayScore),
          status: match.status === '' ? null : match.status,
        }
      : {};
  // The members are those of the type, by the tables above.
  return { ...Object.fromEntries([...listed, ...named]), ...facts } as Relations;
}

/** The body that makes a tag option of a form. */
export function bodyOf(draft: TagDraft): TagCreate {
  return {
    type: draft.type,
    label: draft.label.trim(),
    full_name: orNull(draft.fullName),
    category: orNull(draft.category),
    image_url: orNull(draft.imageUrl),
    status: draft.isActive ? 'active' : 'deactivated',
    aliases: [...draft.aliases],
    external_ids: Object.fromEntries(draft.externalIds.map(({ source, id }) => [source.trim(), id.trim()])),
    relations: relationsOf(draft),
  };
}

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

/** Members of `next` that are not so in `before`. */
function difference<Body extends object>(before: Body, next: Body): Partial<Body> {
  // The entries are members of the same body.
  return Object.fromEntries(
    Object.entries(next).filter(([name, value]) => !isSame(Reflect.get(before, name), value)),
  ) as Partial<Body>;
}

/** What has to be sent to bring a tag option from what it is to what the form says; undefined when that is nothing. */
export function changeOf(tag: TagOption, draft: TagDraft): TagChange | undefined {
  const before = bodyOf(draftOf(tag));
  const { external_ids: ids = {}, relations = {}, type: _type, ...next } = bodyOf(draft);
  const { external_ids: oldIds = {}, relations: oldRelations = {}, type: _oldType, ...old } = before;
  const gone = Object.keys(oldIds).filter((source) => !(source in ids));
  const changedIds = Object.entries(ids).filter(([source, id]) => oldIds[source] !== id);
  const newIds = Object.fromEntries([...changedIds, ...gone.map((source) => [source, null] as const)]);
  const newRelations = difference(oldRelations, relations);
  const change = {
    ...difference(old, next),
    ...(Object.keys(newIds).length > 0 && { external_ids: newIds }),
    ...(Object.keys(newRelations).length > 0 && { relations: newRelations }),
  };
  return Object.keys(change).length > 0 ? change : undefined;
}
