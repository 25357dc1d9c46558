import type { LibraryScope } from '../../auth/index.ts';
import { foldText } from '../../base/index.ts';
import type { Queryable } from '../../db/index.ts';
import type { EventEntity } from '../../formats/index.ts';
import {
  externalKey,
  findTagIdsByExternalId,
  findTagsByFoldedName,
  findTagSummaries,
  readRosters,
  type RosterEntry,
  type TagType,
} from '../../library/index.ts';

/** What a file may name: an entity of a type, for players with what tells two of a name apart. */
export type Wanted = {
  readonly type: Extract<TagType, 'player' | 'club' | 'match'>;
  readonly entity: EventEntity & { readonly shirt?: number };
  /** Who the player acts for, where the file says it. */
  readonly clubId?: number | undefined;
};

/** Found, or why not: nothing has the name or ID, or several have it. */
export type Found =
  | { readonly id: number }
  | { readonly missing: 'unknown' | 'ambiguous' | 'deactivated'; readonly candidates: readonly number[] };

export type EntityResolver = {
  /** Answers from what was prepared. */
  find(wanted: Wanted): Found;
};

/** The feed puts a letter before its ids in some of its files, and leaves it out in others. */
const OPTA_PREFIXES: Readonly<Record<Wanted['type'], string>> = { player: 'p', club: 't', match: 'g' };

function externalsOf({ type, entity }: Wanted): { source: string; id: string }[] {
  return Object.entries(entity.externalIds ?? {}).flatMap(([source, id]) => {
    const prefix = OPTA_PREFIXES[type];
    if (source !== 'opta') return [{ source, id }];
    return [{ source, id }, /^\d/.test(id) ? { source, id: `${prefix}${id}` } : { source, id: id.replace(prefix, '') }];
  });
}

/**
 * Looks up all that a file names, in a few statements. An entity is found by our ID, by an external ID, by its name (label,
 * full name or alias) where only one has it, or for a player by shirt number and club on the day of the match; of players
 * with the same name the one of the match's clubs is meant.
 */
export async function createEntityResolver(
  db: Queryable,
  scope: LibraryScope,
  request: {
    readonly wanted: readonly Wanted[];
    /** Clubs of the match, and its day. */
    readonly clubIds: readonly number[];
    readonly at: Date;
  },
): Promise<EntityResolver> {
  const { wanted, clubIds, at } = request;
  const byExternal = await findTagIdsByExternalId(db, scope, wanted.flatMap(externalsOf));
  const names = [...new Set(wanted.flatMap(({ entity }) => (entity.name ? [foldText(entity.name)] : [])))];
  const named = await findTagsByFoldedName(db, scope, { names, types: ['player', 'club', 'match'] });
  const given = wanted.flatMap(({ entity }) => (entity.id === undefined ? [] : [entity.id]));
  const summaries = await findTagSummaries(db, scope, [...given, ...byExternal.values()]);
  const rosters = await readRosters(db, scope, { clubIds, at });
  const byName = new Map<string, number[]>();
  for (const option of named) {
    for (const name of option.foldedNames) {
      const key = `${option.type}\0${name}`;
      byName.set(key, [...(byName.get(key) ?? []), option.id]);
    }
  }
  return { find: (one) => findOne(one, { byExternal, byName, summaries, rosters }) };
}

type Lookup = {
  readonly byExternal: ReadonlyMap<string, number>;
  readonly byName: ReadonlyMap<string, readonly number[]>;
  readonly summaries: Awaited<ReturnType<typeof findTagSummaries>>;
  readonly rosters: readonly RosterEntry[];
};

function findOne(wanted: Wanted, lookup: Lookup): Found {
  const { type, entity } = wanted;
  const ids = [
    ...(entity.id === undefined ? [] : [entity.id]),
    ...externalsOf(wanted).flatMap((one) => lookup.byExternal.get(externalKey(one)) ?? []),
  ];
  for (const id of ids) {
    const summary = lookup.summaries.get(id);
    if (summary?.type !== type) continue;
    if (summary.status === 'deactivated') return { missing: 'deactivated', candidates: [id] };
    return { id: summary.mergedInto ?? id };
  }
  // An ID that is not known is no reason to take somebody of the same name, unless the file gives that name too.
  const candidates = entity.name ? (lookup.byName.get(`${type}\0${foldText(entity.name)}`) ?? []) : [];
  if (candidates.length === 1) return { id: candidates[0] ?? 0 };
  if (type !== 'player') return { missing: candidates.length > 1 ? 'ambiguous' : 'unknown', candidates };
  return findPlayer(wanted, candidates, lookup.rosters);
}

function findPlayer(wanted: Wanted, candidates: readonly number[], rosters: readonly RosterEntry[]): Found {
  const { entity, clubId } = wanted;
  const ofClub = rosters.filter((entry) => clubId === undefined || entry.clubId === clubId);
  if (candidates.length > 1) {
    const playing = [...new Set(ofClub.map((entry) => entry.playerId))].filter((id) => candidates.includes(id));
    return playing.length === 1 ? { id: playing[0] ?? 0 } : { missing: 'ambiguous', candidates };
  }
  // People log `10` where they mean the player with that number.
  const shirt =
    entity.shirt ?? (/^#?\d{1,3}$/.test(entity.name ?? '') ? Number(entity.name?.replace('#', '')) : undefined);
  if (shirt === undefined) return { missing: 'unknown', candidates: [] };
  const wearing = [...new Set(ofClub.filter((entry) => entry.shirtNumber === shirt).map((entry) => entry.playerId))];
  if (wearing.length === 1) return { id: wearing[0] ?? 0 };
  return { missing: wearing.length > 1 ? 'ambiguous' : 'unknown', candidates: wearing };
}
