import { AppError, type FieldError } from '../base/index.ts';
import type { LibraryWrite } from './changes-store.ts';
import {
  deleteTag,
  externalKey,
  findTag,
  findTagIdsByExternalId,
  findTagSummaries,
  insertTag,
  replaceExternalIds,
  replaceMatch,
  replaceRelations,
  type TagSummary,
  updateTag,
} from './tag-store.ts';
import { moveTagOnAssets, recomputeImpliedOfMatch } from './tagging-store.ts';
import {
  type MatchFacts,
  RELATION_KINDS,
  type TagOption,
  type TagReference,
  type TagRelation,
  type TagType,
} from './tag-types.ts';
import { markMerged, redirectReferences } from './tag-merge-store.ts';

/** What a list of relations is of; `clubs` are those of a player or of a sponsor, as the option's type says. */
export type RelationList = 'clubs' | 'stadiums' | 'competitions';

export type TagRelationInput = Omit<TagRelation, 'kind' | 'toId' | 'seasonId'> & {
  readonly target: TagReference;
  readonly season: TagReference | null;
  readonly pointer: string;
};

export type MatchInput = {
  readonly [Field in 'competition' | 'season' | 'home' | 'away' | 'stadium']?: TagReference | null;
} & {
  readonly round?: string | null;
  readonly kickOff?: Date | null;
  readonly homeScore?: number | null;
  readonly awayScore?: number | null;
};

/** Fields of a tag option as given; undefined leaves a field as it is (or at its default when the option is new). */
export type TagInput = {
  readonly type?: TagType | undefined;
  readonly category?: string | null | undefined;
  readonly label?: string | undefined;
  readonly fullName?: string | null | undefined;
  readonly aliases?: readonly string[] | undefined;
  readonly imageUrl?: string | null | undefined;
  readonly status?: 'active' | 'deactivated' | undefined;
  readonly externalIds?: Readonly<Record<string, string | null>> | undefined;
  /** A given list replaces all relations of its kind; lists that are not given stay as they are. */
  readonly relations?: { readonly [List in RelationList]?: readonly TagRelationInput[] } | undefined;
  readonly match?: MatchInput | undefined;
};

const RELATION_LISTS: Readonly<Record<RelationList, Partial<Record<TagType, TagRelation['kind']>>>> = {
  clubs: { player: 'player_club', sponsor: 'sponsor_club' },
  stadiums: { club: 'club_stadium' },
  competitions: { club: 'club_competition' },
};

const MATCH_TYPES = {
  competition: 'competition',
  season: 'season',
  home: 'club',
  away: 'club',
  stadium: 'stadium',
} as const;

function failed(errors: readonly FieldError[]): AppError {
  return new AppError('validation_failed', errors.map((error) => `${error.pointer}: ${error.detail}`).join('; '), {
    errors,
  });
}

/** Turns references into IDs and checks that each is of the type its place asks for. */
async function createResolver(write: LibraryWrite, references: readonly TagReference[]) {
  const external = references.filter((reference) => typeof reference !== 'number');
  const byExternal = await findTagIdsByExternalId(write.tx, write.scope, external);
  const ids = references.flatMap((reference) =>
    typeof reference === 'number' ? [reference] : (byExternal.get(externalKey(reference)) ?? []),
  );
  const summaries = await findTagSummaries(write.tx, write.scope, ids);
  return (reference: TagReference, expected: { readonly type: TagType; readonly pointer: string }): number => {
    const id = typeof reference === 'number' ? reference : byExternal.get(externalKey(reference));
    const found: TagSummary | undefined = id === undefined ? undefined : summaries.get(id);
    if (!found || found.type !== expected.type) {
      const given = typeof reference === 'number' ? String(reference) : `${reference.source}:${reference.id}`;
      const why = found ? `a tag option of type ${found.type}` : 'which is unknown';
      const detail = `expected a tag option of type ${expected.type}, received ${given}, ${why}`;
      throw failed([{ pointer: expected.pointer, code: 'unknown_tag_option', detail }]);
    }
    return found.mergedInto ?? found.id;
  };
}

function referencesOf(input: TagInput): TagReference[] {
  const fromRelations = Object.values(input.relations ?? {})
    .flat()
    .flatMap((r) => (r.season === null ? [r.target] : [r.target, r.season]));
  const match = input.match;
  const fromMatch = match
    ? [match.competition, match.season, match.home, match.away, match.stadium].filter(
        (r) => r !== undefined && r !== null,
      )
    : [];
  return [...fromRelations, ...fromMatch];
}

const NO_MATCH: MatchFacts = {
  competitionId: null,
  seasonId: null,
  homeId: null,
  awayId: null,
  stadiumId: null,
  round: null,
  kickOff: null,
  homeScore: null,
  awayScore: null,
};

function or<T>(given: T | undefined, present: T): T {
  return given === undefined ? present : given;
}

async function applyRelations(
  write: LibraryWrite,
  target: { readonly id: number; readonly type: TagType; readonly present: TagOption | undefined },
  input: TagInput,
): Promise<boolean> {
  const resolve = await createResolver(write, referencesOf(input));
  for (const [list, items] of Object.entries(input.relations ?? {})) {
    const kind = RELATION_LISTS[list as RelationList][target.type];
    if (kind === undefined) {
      const detail = `expected relations of a ${target.type}, which has no ${list}`;
      throw failed([{ pointer: `/relations/${list}`, code: 'invalid', detail }]);
    }
    const given = items.map(
      (relation): TagRelation => ({
        kind,
        toId: resolve(relation.target, { type: RELATION_KINDS[kind].to, pointer: relation.pointer }),
        seasonId:
          relation.season === null ? null : resolve(relation.season, { type: 'season', pointer: relation.pointer }),
        shirtNumber: relation.shirtNumber,
        position: relation.position,
        from: relation.from,
        to: relation.to,
      }),
    );
    await replaceRelations(write.tx, write.scope, { id: target.id, kind, relations: given });
  }
  if (!input.match) return false;
  if (target.type !== 'match') {
    throw failed([
      {
        pointer: '/relations',
        code: 'invalid',
        detail: `expected relations of a ${target.type}, received those of a match`,
      },
    ]);
  }
  const before = target.present?.match ?? NO_MATCH;
  const match = input.match;
  const pick = (field: keyof typeof MATCH_TYPES, present: number | null): number | null => {
    const given = match[field];
    if (given === undefined) return present;
    return given === null ? null : resolve(given, { type: MATCH_TYPES[field], pointer: `/relations/${field}` });
  };
  await replaceMatch(write.tx, target.id, {
    competitionId: pick('competition', before.competitionId),
    seasonId: pick('season', before.seasonId),
    homeId: pick('home', before.homeId),
    awayId: pick('away', before.awayId),
    stadiumId: pick('stadium', before.stadiumId),
    round: or(match.round, before.round),
    kickOff: or(match.kickOff, before.kickOff),
    homeScore: or(match.homeScore, before.homeScore),
    awayScore: or(match.awayScore, before.awayScore),
  });
  return true;
}

async function applyExternalIds(
  write: LibraryWrite,
  target: { readonly id: number; readonly present: TagOption | undefined },
  given: Readonly<Record<string, string | null>>,
): Promise<void> {
  const merged: Record<string, string> = { ...target.present?.externalIds };
  const references = Object.entries(given).flatMap(([source, id]) => (id === null ? [] : [{ source, id }]));
  const owners = await findTagIdsByExternalId(write.tx, write.scope, references);
  const summaries = await findTagSummaries(write.tx, write.scope, [...owners.values()]);
  for (const [source, id] of Object.entries(given)) {
    if (id === null) {
      delete merged[source];
      continue;
    }
    const owner = owners.get(externalKey({ source, id }));
    // The option's redirect has this one, and keeps it: a feed that knows both names of one thing finds it by both.
    if (owner !== undefined && summaries.get(owner)?.mergedInto === target.id) continue;
    if (owner !== undefined && owner !== target.id) {
      const detail = `the external id ${source}:${id} belongs to tag option ${owner}`;
      throw new AppError('external_id_taken', detail, {
        errors: [{ pointer: `/external_ids/${source}`, code: 'external_id_taken', detail }],
      });
    }
    merged[source] = id;
  }
  await replaceExternalIds(write.tx, write.scope, target.id, merged);
}

async function saveParts(
  write: LibraryWrite,
  target: { readonly id: number; readonly type: TagType; readonly present: TagOption | undefined },
  input: TagInput,
): Promise<void> {
  if (input.externalIds) await applyExternalIds(write, target, input.externalIds);
  if (input.relations || input.match) {
    const matchChanged = await applyRelations(write, target, input);
    if (matchChanged && target.present) await recomputeImpliedOfMatch(write, target.id);
  }
}

/** Creates a tag option. @throws AppError `validation_failed`, `external_id_taken` */
export async function createTag(write: LibraryWrite, input: TagInput): Promise<number> {
  const { type, label } = input;
  if (type === undefined || label === undefined) {
    const missing = type === undefined ? 'type' : 'label';
    throw failed([{ pointer: `/${missing}`, code: 'required', detail: 'expected a value, received none' }]);
  }
  const id = await insertTag(write.tx, write.scope, {
    type,
    label,
    category: input.category ?? null,
    fullName: input.fullName ?? null,
    aliases: input.aliases ?? [],
    imageUrl: input.imageUrl ?? null,
    status: input.status ?? 'active',
  });
  await saveParts(write, { id, type, present: undefined }, input);
  write.record({ type: 'tag_option.created', objectId: id });
  return id;
}

/** Changes the given fields. @throws AppError `validation_failed`, `state_conflict` (merged, or another type) */
export async function editTag(write: LibraryWrite, present: TagOption, input: TagInput): Promise<void> {
  if (present.status === 'merged') {
    throw new AppError(
      'state_conflict',
      `Tag option ${present.id} was merged into ${present.mergedInto}: edit that one.`,
    );
  }
  if (input.type !== undefined && input.type !== present.type) {
    const detail = `expected ${present.type}, the type of tag option ${present.id} (a type never changes), received ${input.type}`;
    throw failed([{ pointer: '/type', code: 'invalid', detail }]);
  }
  await updateTag(write.tx, write.scope, present.id, {
    type: present.type,
    category: or(input.category, present.category),
    label: or(input.label, present.label),
    fullName: or(input.fullName, present.fullName),
    aliases: or(input.aliases, present.aliases),
    imageUrl: or(input.imageUrl, present.imageUrl),
    status: or(input.status, present.status),
  });
  await saveParts(write, { id: present.id, type: present.type, present }, input);
  write.record({ type: 'tag_option.updated', objectId: present.id });
}

/** Removes an option that no asset carries. @throws AppError `conflict` when one does, or when another was merged into it */
export async function removeTag(write: LibraryWrite, present: TagOption): Promise<void> {
  if (present.mediaCount > 0) {
    throw new AppError(
      'conflict',
      `Tag option ${present.id} is on ${present.mediaCount} assets: deactivate it (status) or merge it into another.`,
    );
  }
  try {
    await deleteTag(write.tx, write.scope, present.id);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === '23503') {
      throw new AppError('conflict', `Other tag options were merged into ${present.id}: it keeps their redirects.`);
    }
    throw error;
  }
  write.record({ type: 'tag_option.deleted', objectId: present.id });
}

/**
 * Merges `from` into `into`: assets, relations, external IDs and names move, the old ID stays as a redirect.
 * @throws AppError `validation_failed` when the two are the same, of different types, or merged already
 */
export async function mergeTag(write: LibraryWrite, from: TagOption, into: TagOption): Promise<void> {
  const wrong =
    from.id === into.id
      ? 'expected another tag option, received the same one'
      : from.type !== into.type
        ? `expected a tag option of type ${from.type}, received one of type ${into.type}`
        : from.status === 'merged' || into.status === 'merged'
          ? 'expected two tag options that are not merged'
          : undefined;
  if (wrong) throw failed([{ pointer: '/into', code: 'invalid', detail: wrong }]);
  const names = [from.label, from.fullName, ...from.aliases].filter((name) => name !== null);
  const aliases = [...new Set([...into.aliases, ...names])].filter(
    (name) => name !== into.label && name !== into.fullName,
  );
  await updateTag(write.tx, write.scope, into.id, { ...into, aliases });
  await redirectReferences(write.tx, { fromId: from.id, intoId: into.id });
  await markMerged(write.tx, { fromId: from.id, intoId: into.id });
  await moveTagOnAssets(write, { fromId: from.id, intoId: into.id });
  write.record({
    type: 'tag_option.merged',
    objectId: from.id,
    data: { merged_into: into.id, tag_option_ids: [into.id] },
  });
}

export type BulkTagResult =
  | { readonly index: number; readonly status: 'created' | 'updated'; readonly id: number }
  | { readonly index: number; readonly status: 'failed'; readonly error: AppError };

/**
 * Creates or changes many options, each found by its external IDs. Fields first and relations in a second pass, so that
 * an item may refer to one that comes later in the list. An item that fails is undone alone and reported.
 */
export async function upsertTags(write: LibraryWrite, inputs: readonly TagInput[]): Promise<readonly BulkTagResult[]> {
  const results: BulkTagResult[] = [];
  const fail = (index: number, error: unknown): void => {
    if (!(error instanceof AppError)) throw error;
    results[index] = { index, status: 'failed', error };
  };
  for (const [index, input] of inputs.entries()) {
    const { relations: _relations, match: _match, ...fields } = input;
    try {
      const existing = await findExisting(write, input);
      const present = existing === undefined ? undefined : await findTag(write.tx, write.scope, existing);
      if (present) await editTag(write, present, fields);
      const id = present ? present.id : await createTag(write, fields);
      results[index] = { index, status: present ? 'updated' : 'created', id };
    } catch (error) {
      fail(index, error);
    }
  }
  for (const [index, input] of inputs.entries()) {
    const result = results[index];
    if (!result || result.status === 'failed' || !(input.relations || input.match)) continue;
    try {
      const present = await findTag(write.tx, write.scope, result.id);
      if (present)
        await saveParts(
          write,
          { id: present.id, type: present.type, present },
          { relations: input.relations, match: input.match },
        );
    } catch (error) {
      fail(index, error);
    }
  }
  return results;
}

/** The option that has an item's external ids, itself or through one that was merged into it. */
async function findExisting(write: LibraryWrite, input: TagInput): Promise<number | undefined> {
  const references = Object.entries(input.externalIds ?? {}).flatMap(([source, id]) =>
    id === null ? [] : [{ source, id }],
  );
  if (references.length === 0) {
    throw failed([
      { pointer: '/external_ids', code: 'required', detail: 'expected at least one external id to upsert by' },
    ]);
  }
  const owners = [...(await findTagIdsByExternalId(write.tx, write.scope, references)).values()];
  const summaries = await findTagSummaries(write.tx, write.scope, owners);
  const found = new Set(owners.map((id) => summaries.get(id)?.mergedInto ?? id));
  if (found.size > 1) {
    const detail = `expected external ids of one tag option, received those of ${[...found].join(' and ')}`;
    throw new AppError('external_id_taken', detail, {
      errors: [{ pointer: '/external_ids', code: 'external_id_taken', detail }],
    });
  }
  return [...found][0];
}
