import { foldText } from '../../base/index.ts';
import { type EventEntity, type EventRecord, readableKey } from '../../formats/index.ts';
import {
  ACTION_TYPE_CATEGORY,
  ACTION_TYPE_SOURCE,
  createTag,
  findTagsByFoldedName,
  findUnknownActionTypes,
  type LibraryWrite,
  TAG_TYPES,
} from '../../library/index.ts';
import { createEntityResolver, type EntityResolver, type Found, type Wanted } from './entity-resolver.ts';

/** A name or ID of the file that is none of the library's, or not of one thing alone. */
export type UnknownName = {
  readonly kind: 'type' | 'player' | 'club' | 'match';
  readonly name: string;
  readonly reason: 'unknown' | 'ambiguous' | 'deactivated';
  /** Records that name it. */
  readonly count: number;
  /** Tag options it may mean. */
  readonly candidates: readonly number[];
  /** The tag option that was made for it. */
  readonly createdId: number | undefined;
};

/** What the names of a file stand for. */
export type EventNames = {
  /** IDs in the order of the record's clubs and players; undefined: the name is left out of the action, and in `unknown`. */
  clubsOf(record: EventRecord): readonly (number | undefined)[];
  playersOf(record: EventRecord): readonly (number | undefined)[];
  matchOf(record: EventRecord): number | undefined;
  typeOf(record: EventRecord): string | number;
  /** Tag options that labels name. */
  labelId(text: string): number | undefined;
  readonly unknown: readonly UnknownName[];
};

/** What people would call it: its name, or the ID that the file has. */
export function textOf(entity: EventEntity & { readonly shirt?: number }): string {
  const [external] = Object.entries(entity.externalIds ?? {});
  const shirt = entity.shirt === undefined ? 'unnamed' : `number ${entity.shirt}`;
  return entity.name ?? (external ? `${external[0]} ${external[1]}` : entity.id === undefined ? shirt : `${entity.id}`);
}

function wantedOf(record: EventRecord, clubIdOf: (record: EventRecord) => number | undefined): Wanted[] {
  return [
    ...record.clubs.map((entity): Wanted => ({ type: 'club', entity })),
    ...record.players.map((entity): Wanted => ({ type: 'player', entity, clubId: clubIdOf(record) })),
    ...(record.match ? [{ type: 'match', entity: record.match } as const] : []),
  ];
}

const keyOf = ({ type, entity, clubId }: Wanted): string =>
  JSON.stringify([type, entity.id, entity.externalIds, entity.name, entity.shirt, clubId]);

/** The club that acts, for the shirt number of a player: only where the record names one alone. */
function clubIdBy(resolver: EntityResolver) {
  return (record: EventRecord): number | undefined => {
    const [club, ...others] = record.clubs;
    if (!club || others.length > 0) return undefined;
    const found = resolver.find({ type: 'club', entity: club });
    return 'id' in found ? found.id : undefined;
  };
}

/** What of an entity a new tag option gets, in the category `imported`. */
async function createNamed(write: LibraryWrite, { type, entity }: Wanted): Promise<number> {
  const label = textOf(entity).slice(0, 300);
  return createTag(write, { type, label, category: 'imported', externalIds: entity.externalIds ?? {} });
}

async function createType(write: LibraryWrite, record: EventRecord): Promise<number> {
  const { key, name } = record.type;
  const externalIds = { [ACTION_TYPE_SOURCE]: key };
  return createTag(write, {
    type: 'tag',
    category: ACTION_TYPE_CATEGORY,
    label: name ?? readableKey(key),
    externalIds,
  });
}

/**
 * Looks up all names of a file at once. With `create`, types, players and clubs that nothing has become tag options; what
 * several have is never decided here, and a match is never made.
 */
export async function resolveNames(
  write: LibraryWrite,
  records: readonly EventRecord[],
  options: { readonly clubIds: readonly number[]; readonly at: Date; readonly create: boolean },
): Promise<EventNames> {
  const { clubIds, at, create } = options;
  const named = records.flatMap((record) => wantedOf(record, () => undefined));
  const resolver = await createEntityResolver(write.tx, write.scope, { wanted: named, clubIds, at });
  const clubIdOf = clubIdBy(resolver);
  const unknown = new Map<string, UnknownName>();
  const ids = new Map<string, number>();
  const miss = (key: string, one: Omit<UnknownName, 'count'>) => {
    const known = unknown.get(key);
    unknown.set(key, known ? { ...known, count: known.count + 1 } : { ...one, count: 1 });
  };
  for (const record of records) {
    for (const wanted of wantedOf(record, clubIdOf)) {
      const key = keyOf(wanted);
      const found: Found = resolver.find(wanted);
      if ('id' in found) {
        ids.set(key, found.id);
        continue;
      }
      const { missing: reason, candidates } = found;
      const isNew = create && reason === 'unknown' && wanted.type !== 'match' && !ids.has(key);
      const createdId = isNew ? await createNamed(write, wanted) : ids.get(key);
      if (createdId !== undefined) ids.set(key, createdId);
      miss(key, { kind: wanted.type, name: textOf(wanted.entity), reason, candidates, createdId });
    }
  }
  const missing = new Set(
    await findUnknownActionTypes(
      write,
      records.map((record) => record.type.key),
    ),
  );
  const types = new Map<string, number>();
  for (const record of records) {
    const { key, name } = record.type;
    if (!missing.has(key)) continue;
    if (create && !types.has(key)) types.set(key, await createType(write, record));
    const createdId = types.get(key);
    miss(`type ${key}`, { kind: 'type', name: name ?? key, reason: 'unknown', candidates: [], createdId });
  }
  const labels = await findLabels(write, records);
  const idsOf = (record: EventRecord, type: Wanted['type']) =>
    wantedOf(record, clubIdOf)
      .filter((wanted) => wanted.type === type)
      .map((wanted) => ids.get(keyOf(wanted)));
  return {
    clubsOf: (record) => idsOf(record, 'club'),
    playersOf: (record) => idsOf(record, 'player'),
    matchOf: (record) => idsOf(record, 'match')[0],
    typeOf: ({ type }) => types.get(type.key) ?? type.key,
    labelId: (text) => labels.get(foldText(text)),
    unknown: [...unknown.values()],
  };
}

/** Labels that are the name of one tag option alone; the others stay texts. */
async function findLabels(write: LibraryWrite, records: readonly EventRecord[]): Promise<ReadonlyMap<string, number>> {
  const names = [...new Set(records.flatMap((record) => record.tags.map((tag) => foldText(tag.text))))];
  const found = await findTagsByFoldedName(write.tx, write.scope, { names, types: TAG_TYPES });
  const owners = new Map<string, Set<number>>();
  for (const option of found) {
    for (const name of option.foldedNames) owners.set(name, (owners.get(name) ?? new Set()).add(option.id));
  }
  return new Map(
    [...owners].flatMap(([name, ids]) => (ids.size === 1 ? [...ids].map((id) => [name, id] as const) : [])),
  );
}
