import { AppError, invalidField } from '../base/index.ts';
import { settleActions } from './action-follow-ups.ts';
import {
  type ActionContext,
  type ActionInput,
  type Actor,
  type Known,
  noPlan,
  openActionContext,
  planUpdate,
  stateAction,
  type Stated,
} from './action-statement.ts';
import { findActionsBySource, sourceKey } from './action-store.ts';
import type { Action } from './action-types.ts';
import { recordHistory } from './action-history-store.ts';
import {
  countActions,
  insertActions,
  markActionDeleted,
  putPlaces,
  removePlaces,
  reserveActionIds,
  updateActions,
} from './action-write-store.ts';
import type { LibraryWrite } from './changes-store.ts';

/**
 * `unchanged`: the same content again; nothing was recorded. `stale`: a newer version of the same event is stored (or it
 * was deleted); nothing was changed.
 */
export type ActionOutcome =
  | {
      readonly index: number;
      readonly result: 'created' | 'updated' | 'unchanged' | 'stale';
      readonly id: number;
      readonly mediaId: number;
    }
  | { readonly index: number; readonly error: AppError };

/** One event may be stated so often in one call: each time is a round of statements. */
const MAX_STATES_OF_ONE = 20;

type Item = { readonly index: number; readonly input: ActionInput };

const keyOf = ({ source = 'manual', sourceRef }: ActionInput): string | undefined =>
  sourceRef === undefined || sourceRef === null ? undefined : sourceKey({ source, ref: sourceRef });

/** Whether what is stored is newer. A deleted event comes back only in a newer version, or without any. */
function isStale({ sourceVersion }: ActionInput, { action, isDeleted }: Known): boolean {
  if (sourceVersion === undefined || sourceVersion === null || action.sourceVersion === null) return false;
  return sourceVersion < action.sourceVersion || (isDeleted && sourceVersion === action.sourceVersion);
}

/** Writes items of which no two are the same event. */
async function writeRound(
  write: LibraryWrite,
  items: readonly Item[],
  { context, actor }: { readonly context: ActionContext } & Actor,
): Promise<readonly ActionOutcome[]> {
  const outcomes: ActionOutcome[] = [];
  const references = items.flatMap(({ input: { source = 'manual', sourceRef: ref } }) =>
    ref === undefined || ref === null ? [] : [{ source, ref }],
  );
  const known = await findActionsBySource(write.tx, write.scope, references);
  const updates = noPlan();
  const fresh: { readonly item: Item; readonly stated: Stated }[] = [];
  for (const item of items) {
    const { index, input } = item;
    const key = keyOf(input);
    const before = key === undefined ? undefined : known.get(key);
    try {
      if (before && isStale(input, before)) {
        outcomes.push({ index, result: 'stale', id: before.action.id, mediaId: input.mediaId });
        continue;
      }
      const stated = stateAction(input, context, { known: before });
      if (before) {
        const result = planUpdate(updates, before, stated);
        outcomes.push({ index, result, id: before.action.id, mediaId: input.mediaId });
      } else fresh.push({ item, stated });
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      outcomes.push({ index, error });
    }
  }
  const ids = await reserveActionIds(write, fresh.length);
  const inserts = noPlan();
  for (const [at, { item, stated }] of fresh.entries()) {
    const id = ids[at];
    if (id === undefined) throw new Error('fewer IDs than actions');
    inserts.rows.push({ id, mediaId: item.input.mediaId, values: stated.values });
    inserts.places.push({ ...stated.place, actionId: id });
    inserts.settled.push({ id, change: 'created', before: [] });
    outcomes.push({ index: item.index, result: 'created', id, mediaId: item.input.mediaId });
  }
  await insertActions(write, inserts.rows, actor);
  await updateActions(write, updates.rows, actor);
  await putPlaces(write, [...inserts.places, ...updates.places]);
  await settleActions(write, [...inserts.settled, ...updates.settled], actor);
  return outcomes;
}

/** In rounds of which each has an event once, in the order they were given. */
function inRounds(items: readonly Item[]): { readonly rounds: readonly Item[][]; readonly refused: ActionOutcome[] } {
  const rounds: Item[][] = [];
  const refused: ActionOutcome[] = [];
  const seen = new Map<string, number>();
  for (const item of items) {
    const key = keyOf(item.input);
    const round = key === undefined ? 0 : (seen.get(key) ?? 0);
    if (key !== undefined) seen.set(key, round + 1);
    if (round >= MAX_STATES_OF_ONE) {
      const detail = `expected at most ${MAX_STATES_OF_ONE} items with the same source and source_ref in one call`;
      refused.push({ index: item.index, error: invalidField('/source_ref', detail) });
      continue;
    }
    const own = rounds[round];
    if (own) own.push(item);
    else rounds[round] = [item];
  }
  return { rounds, refused };
}

/**
 * Creates actions, or states anew those that are known by source and reference. Items are independent: one that cannot
 * be taken is answered with its error. Outcomes are in the order of the items.
 */
export async function writeActions(
  write: LibraryWrite,
  inputs: readonly ActionInput[],
  { actor }: Actor,
): Promise<readonly ActionOutcome[]> {
  const context = await openActionContext(write, inputs);
  const { rounds, refused } = inRounds(inputs.map((input, index) => ({ index, input })));
  const outcomes = [...refused];
  for (const round of rounds) outcomes.push(...(await writeRound(write, round, { context, actor })));
  return outcomes.toSorted((a, b) => a.index - b.index);
}

/** Takes an action out of the library. Its history stays, and an older state of the same event does not bring it back. */
export async function deleteAction(write: LibraryWrite, action: Action, { actor }: Actor): Promise<void> {
  const { id, places } = action;
  await markActionDeleted(write, id, actor);
  await recordHistory(write, [{ id, change: 'deleted' }], actor);
  await removePlaces(
    write,
    places.map(({ mediaId }) => ({ actionId: id, mediaId })),
  );
  const mediaIds = places.map((place) => place.mediaId);
  await countActions(write, mediaIds);
  write.record({ type: 'action.retracted', objectId: id, data: { media_ids: mediaIds, deleted: true } });
}
