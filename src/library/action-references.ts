import { AppError, foldText, invalidField } from '../base/index.ts';
import { typeKeyOf } from '../formats/index.ts';
import type { LibraryWrite } from './changes-store.ts';
import {
  findActionTypesByKey,
  findActionTypesByName,
  findPresentActions,
  findReferredTags,
  findSides,
  type ReferredTag,
} from './action-reference-store.ts';
import { type ActionClub, type ActionPlayer, ACTION_TYPE_CATEGORY, type Side } from './action-types.ts';
import { ACTION_TYPE_SOURCE, BUILT_IN_ACTION_TYPES, type BuiltInActionType } from './action-vocabulary.ts';
import { externalKey, findTagIdsByExternalId } from './tag-store.ts';
import type { TagReference, TagType } from './tag-types.ts';
import { createTag } from './tags.ts';

/** What an action names of the organization's taxonomy, as given. */
export type ActionReferences = {
  /** ID of a tag option, or the key or name of a type. */
  readonly type?: number | string | undefined;
  readonly match?: TagReference | null | undefined;
  readonly clubs?: readonly { readonly tag: TagReference; readonly side?: Side | null | undefined }[] | undefined;
  readonly players?:
    | readonly { readonly tag: TagReference; readonly role: string | null; readonly shirt: number | null }[]
    | undefined;
  readonly tagOptions?: readonly TagReference[] | undefined;
  readonly parentId?: number | null | undefined;
};

export type ResolvedReferences = {
  readonly typeId: number;
  readonly matchId: number | null;
  readonly clubs: readonly ActionClub[];
  readonly players: readonly ActionPlayer[];
  readonly extraTagIds: readonly number[];
  readonly parentId: number | null;
};

/** What an item may use although it is deactivated, and which match it has when it names none. */
export type ReferenceContext = {
  readonly carried: ReadonlySet<number>;
  readonly defaultMatchId: number | null;
  /** The action itself: no action is its own parent. */
  readonly ownId: number | undefined;
};

export type ReferenceResolver = (given: ActionReferences, context: ReferenceContext) => ResolvedReferences;

function tagsOf(given: ActionReferences): TagReference[] {
  return [
    ...(given.match ? [given.match] : []),
    ...(given.clubs ?? []).map((club) => club.tag),
    ...(given.players ?? []).map((player) => player.tag),
    ...(given.tagOptions ?? []),
  ];
}

const nameOf = (reference: TagReference): string =>
  typeof reference === 'number' ? String(reference) : `${reference.source}:${reference.id}`;

const isActionType = (tag: ReferredTag): boolean => tag.type === 'tag' && tag.category === ACTION_TYPE_CATEGORY;

/** Names of types as `folded_names` has them: `yellow_card` is the name "yellow card" too. */
const foldedKey = (key: string): string => foldText(key.replaceAll('_', ' '));

/** The built-in type that a key means: people say yellow card, the key is card_yellow. */
function builtInOf(key: string): BuiltInActionType | undefined {
  return BUILT_IN_ACTION_TYPES.get(key) ?? BUILT_IN_ACTION_TYPES.get(typeKeyOf(key));
}

/** IDs by key or name, as given. Built-in types that the organization has not used yet become tag options of it. */
async function findTypes(write: LibraryWrite, keys: readonly string[]): Promise<ReadonlyMap<string, number>> {
  const ownKeys = keys.flatMap((key) => builtInOf(key)?.key ?? []);
  const byKey = new Map(await findActionTypesByKey(write, [...new Set([...keys, ...ownKeys])]));
  const byName = await findActionTypesByName(write, keys.filter((key) => !byKey.has(key)).map(foldedKey));
  const found = new Map<string, number>();
  for (const key of keys) {
    const builtIn = builtInOf(key);
    const known = byKey.get(key) ?? byName.get(foldedKey(key)) ?? byKey.get(builtIn?.key ?? key);
    if (known !== undefined) found.set(key, known);
    else if (builtIn) {
      const { label, key: own } = builtIn;
      const externalIds = { [ACTION_TYPE_SOURCE]: own };
      const id = await createTag(write, { type: 'tag', category: ACTION_TYPE_CATEGORY, label, externalIds });
      byKey.set(own, id);
      found.set(key, id);
    }
  }
  return found;
}

function unknownTag(pointer: string, detail: string): AppError {
  return new AppError('unknown_tag_option', `${pointer}: ${detail}`, {
    errors: [{ pointer, code: 'unknown_tag_option', detail }],
  });
}

function checkActive(tag: ReferredTag, pointer: string, { carried }: ReferenceContext): number {
  if (tag.status === 'deactivated' && !carried.has(tag.id)) {
    const detail = `expected an active tag option, received the deactivated ${tag.id}`;
    throw new AppError('tag_option_deactivated', `${pointer}: ${detail}`, {
      errors: [{ pointer, code: 'tag_option_deactivated', detail }],
    });
  }
  return tag.id;
}

/** Looks up what many actions name at once; the answer then resolves one after the other without asking. */
export async function createReferenceResolver(
  write: LibraryWrite,
  all: readonly ActionReferences[],
  defaultMatchIds: readonly number[],
): Promise<ReferenceResolver> {
  const references = all.flatMap(tagsOf);
  const external = await findTagIdsByExternalId(
    write.tx,
    write.scope,
    references.filter((reference) => typeof reference !== 'number'),
  );
  const given = all.flatMap(({ type }) => type ?? []);
  const types = await findTypes(write, [...new Set(given.filter((type) => typeof type === 'string'))]);
  const idOf = (reference: TagReference): number | undefined =>
    typeof reference === 'number' ? reference : external.get(externalKey(reference));
  const numbers = [
    ...references.flatMap((reference) => idOf(reference) ?? []),
    ...given.filter((type) => typeof type === 'number'),
    ...types.values(),
    ...defaultMatchIds,
  ];
  const tags = await findReferredTags(write, [...new Set(numbers)]);
  const matchIds = [...tags.values()].flatMap((tag) => (tag.type === 'match' ? [tag.id] : []));
  const sides = await findSides(write, [...new Set(matchIds)]);
  const parents = await findPresentActions(
    write,
    all.flatMap(({ parentId }) => parentId ?? []),
  );

  const typeOf = (type: number | string | undefined, context: ReferenceContext): number => {
    if (type === undefined) {
      throw new AppError('validation_failed', '/type: expected a value, received nothing', {
        errors: [{ pointer: '/type', code: 'required', detail: 'expected a value, received nothing' }],
      });
    }
    const id = typeof type === 'number' ? type : types.get(type);
    const tag = id === undefined ? undefined : tags.get(id);
    if (tag && isActionType(tag)) return checkActive(tag, '/type', context);
    const why = tag ? `tag option ${tag.id}, which is none` : typeof type === 'number' ? String(type) : `"${type}"`;
    throw unknownTag('/type', `expected the ID or key of an action type, received ${why}`);
  };

  const tagOf = (
    reference: TagReference,
    expected: { readonly type?: TagType; readonly pointer: string },
    context: ReferenceContext,
  ): number => {
    const id = idOf(reference);
    const tag = id === undefined ? undefined : tags.get(id);
    const { type, pointer } = expected;
    if (!tag || (type !== undefined && tag.type !== type)) {
      const why = tag ? `, of type ${tag.type}` : ', which is unknown';
      const wanted = type === undefined ? 'a tag option' : `a tag option of type ${type}`;
      throw unknownTag(pointer, `expected ${wanted}, received ${nameOf(reference)}${why}`);
    }
    if (type === undefined && isActionType(tag)) {
      throw invalidField(pointer, `expected no action type, received ${tag.id}: an action has one type, in type`);
    }
    return checkActive(tag, pointer, context);
  };

  return (item, context) => {
    const { clubs = [], players = [], tagOptions = [], parentId = null } = item;
    const typeId = typeOf(item.type, context);
    const matchId = item.match ? tagOf(item.match, { type: 'match', pointer: '/match' }, context) : null;
    const effective = matchId ?? (item.match === undefined ? context.defaultMatchId : null);
    const match = effective === null ? undefined : sides.get(effective);
    const clubOf = (club: (typeof clubs)[number], at: number): ActionClub => {
      const id = tagOf(club.tag, { type: 'club', pointer: `/clubs/${at}/id` }, context);
      const own = match?.home === id ? 'home' : match?.away === id ? 'away' : null;
      return { id, side: club.side === undefined ? own : club.side };
    };
    const playerOf = ({ tag, role, shirt }: (typeof players)[number], at: number): ActionPlayer => {
      return { id: tagOf(tag, { type: 'player', pointer: `/players/${at}/id` }, context), role, shirt };
    };
    if (parentId !== null && (!parents.has(parentId) || parentId === context.ownId)) {
      const why = parentId === context.ownId ? 'the action itself' : `${parentId}, which is unknown`;
      throw invalidField('/parent_id', `expected the ID of another action, received ${why}`);
    }
    return {
      typeId,
      matchId: effective,
      clubs: uniqueBy(clubs.map(clubOf), (club) => String(club.id)),
      players: uniqueBy(players.map(playerOf), (player) => `${player.id} ${player.role ?? ''}`),
      extraTagIds: [...new Set(tagOptions.map((tag, at) => tagOf(tag, { pointer: `/tag_options/${at}` }, context)))],
      parentId,
    };
  };
}

function uniqueBy<T>(items: readonly T[], keyOf: (item: T) => string): T[] {
  const byKey = new Map<string, T>();
  for (const item of items) if (!byKey.has(keyOf(item))) byKey.set(keyOf(item), item);
  return [...byKey.values()];
}

/** The keys that are neither of a built-in type nor key or name of a type of the organization. */
export async function findUnknownActionTypes(write: LibraryWrite, keys: readonly string[]): Promise<readonly string[]> {
  const found = await findTypes(write, [...new Set(keys)]);
  return [...new Set(keys)].filter((key) => !found.has(key));
}
