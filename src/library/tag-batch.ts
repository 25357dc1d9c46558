import { recomputeActionTags } from './action-tag-store.ts';
import type { LibraryScope } from '../auth/index.ts';
import type { Database, Queryable } from '../db/index.ts';
import type { LibraryWrite } from './changes-store.ts';
import { readClubParents, writeTagStates } from './tag-batch-store.ts';
import { keysOf, type PlanOptions, type TagItem, type TagSnapshot } from './tag-draft.ts';
import { referencesOf } from './tag-input.ts';
import { planTags, type TagOutcome } from './tag-plan.ts';
import { addPlanned, createPlannedTags, type PlannedTags, withPlanned, withPlannedOwners } from './tag-planned.ts';
import { externalKey, findTagIdsByExternalId, findTags, findTagSummaries } from './tag-store.ts';
import { recomputeImplied } from './tagging-store.ts';
import type { TagReference } from './tag-types.ts';

const NOTHING_LATER: PlanOptions = { comesLater: () => false, deferredKeys: new Set() };

type Reader = { readonly tx: Queryable; readonly scope: LibraryScope };

/** Reads everything that the items mention, in three queries (four when one of them names a parent). */
async function readSnapshot(reader: Reader, items: readonly TagItem[], planned?: PlannedTags): Promise<TagSnapshot> {
  const { tx, scope } = reader;
  const external = new Map<string, Exclude<TagReference, number>>();
  const ids = new Set<number>();
  let hasParent = false;
  for (const { input } of items) {
    for (const [source, id] of Object.entries(input.externalIds ?? {})) {
      if (id !== null) external.set(externalKey({ source, id }), { source, id });
    }
    for (const reference of referencesOf(input)) {
      if (typeof reference === 'number') ids.add(reference);
      else external.set(externalKey(reference), reference);
    }
    hasParent ||= input.relations?.parent !== undefined;
  }
  const stored = await findTagIdsByExternalId(tx, scope, [...external.values()]);
  const owners = planned ? withPlannedOwners(planned, external.keys(), stored) : stored;
  for (const id of owners.values()) ids.add(id);
  const summaries = await findTagSummaries(tx, scope, [...ids]);
  const given = items.flatMap(({ target }) => (typeof target === 'object' ? [target] : []));
  const wanted = new Set(
    items
      .filter(({ target }) => target === undefined)
      .flatMap(({ input }) => keysOf(input))
      .flatMap((key) => {
        const id = owners.get(key);
        return id === undefined ? [] : [summaries.get(id)?.mergedInto ?? id];
      }),
  );
  const options = [...given, ...(await findTags(tx, scope, [...wanted]))];
  const snapshot = {
    owners,
    summaries,
    options: new Map(options.map((option) => [option.id, option])),
    parents: hasParent ? await readClubParents(reader) : new Map<number, number>(),
  };
  return planned ? withPlanned(planned, snapshot, { named: ids, wanted }) : snapshot;
}

/**
 * Creates and changes options, each as its item says, and writes only what differs: items that change nothing leave
 * version, time and change feed alone. An item that fails changes nothing.
 */
export async function applyTagItems(
  write: LibraryWrite,
  items: readonly TagItem[],
  options: PlanOptions = NOTHING_LATER,
): Promise<readonly TagOutcome[]> {
  const snapshot = await readSnapshot(write, items);
  const { outcomes, states } = planTags(items, snapshot, options);
  const matchIds = await recomputeImplied(write, await writeTagStates(write, states));
  if (matchIds.length > 0) await recomputeActionTags(write, { matchIds });
  return outcomes;
}

/** Says of one list after the other what `applyTagItems` would make of it, and writes nothing. New options have negative IDs. */
export function createTagPreview(db: Database, scope: LibraryScope) {
  const planned = createPlannedTags();
  return async (items: readonly TagItem[], options: PlanOptions): Promise<readonly TagOutcome[]> => {
    const snapshot = await readSnapshot({ tx: db, scope }, items, planned);
    const { outcomes, states } = planTags(items, snapshot, { ...options, nextNewId: planned.nextNewId });
    addPlanned(planned, states);
    return outcomes;
  };
}
