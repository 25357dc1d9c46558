/**
 * What lists of tag options would change, one list after the other, without writing anything: each is planned as if those
 * before it had been written.
 */
import { keysOf, type TagSnapshot } from './tag-draft.ts';
import type { TagState } from './tag-state.ts';
import type { TagOption } from './tag-types.ts';

/** The tag options as the lists so far would leave them, where that differs from the database. */
export type PlannedTags = {
  /** By external key; null: nobody would have it any more. */
  readonly owners: Map<string, number | null>;
  readonly options: Map<number, TagOption>;
  /** Parent by club; null: none. */
  readonly parents: Map<number, number | null>;
  /** Options that do not exist get IDs from here on downwards. */
  nextNewId: number;
};

export function createPlannedTags(): PlannedTags {
  return { owners: new Map(), options: new Map(), parents: new Map(), nextNewId: -1 };
}

function optionOf({ id, before, values, externalIds, relations, match }: TagState): TagOption {
  return {
    id,
    ...values,
    externalIds,
    relations,
    match,
    mergedInto: before?.mergedInto ?? null,
    mediaCount: before?.mediaCount ?? 0,
    version: before?.version ?? 0,
    createdAt: before?.createdAt ?? new Date(0),
    updatedAt: before?.updatedAt ?? new Date(0),
  };
}

const keysOfIds = (externalIds: TagState['externalIds']): readonly string[] => keysOf({ externalIds });

/** Takes a list over that was planned. */
export function addPlanned(planned: PlannedTags, states: readonly TagState[]): void {
  // All that are taken away before any is given: an external ID may go from one option to another.
  for (const { before } of states) {
    for (const key of keysOfIds(before?.externalIds ?? {})) planned.owners.set(key, null);
  }
  for (const state of states) {
    for (const key of keysOfIds(state.externalIds)) planned.owners.set(key, state.id);
    planned.options.set(state.id, optionOf(state));
    if (state.values.type === 'club') {
      planned.parents.set(state.id, state.relations.find(({ kind }) => kind === 'club_parent')?.toId ?? null);
    }
    planned.nextNewId = Math.min(planned.nextNewId, state.id - 1);
  }
}

/** Owners of external IDs, as the lists so far would leave them. */
export function withPlannedOwners(
  planned: PlannedTags,
  keys: Iterable<string>,
  owners: ReadonlyMap<string, number>,
): ReadonlyMap<string, number> {
  const merged = new Map(owners);
  for (const key of keys) {
    const owner = planned.owners.get(key);
    if (owner === null) merged.delete(key);
    else if (owner !== undefined) merged.set(key, owner);
  }
  return merged;
}

/** The database as the lists so far would leave it. */
export function withPlanned(
  planned: PlannedTags,
  snapshot: TagSnapshot,
  ids: { readonly named: Iterable<number>; readonly wanted: Iterable<number> },
): TagSnapshot {
  const summaries = new Map(snapshot.summaries);
  for (const id of ids.named) {
    const option = planned.options.get(id);
    if (option) summaries.set(id, { id, type: option.type, status: option.status, mergedInto: option.mergedInto });
  }
  const options = new Map(snapshot.options);
  for (const id of ids.wanted) {
    const option = planned.options.get(id);
    if (option) options.set(id, option);
  }
  const parents = new Map(snapshot.parents);
  for (const [id, parent] of planned.parents) {
    if (parent === null) parents.delete(id);
    else parents.set(id, parent);
  }
  return { owners: snapshot.owners, summaries, options, parents };
}
