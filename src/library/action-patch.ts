import { AppError } from '../base/index.ts';
import { settleActions } from './action-follow-ups.ts';
import type { GivenPosition } from './action-places.ts';
import type { ActionReferences } from './action-references.ts';
import {
  type ActionInput,
  type ActionPatch,
  type Actor,
  noPlan,
  openActionContext,
  planUpdate,
  stateAction,
} from './action-statement.ts';
import type { Action, ActionPlace } from './action-types.ts';
import { putPlaces, updateActions } from './action-write-store.ts';
import type { LibraryWrite } from './changes-store.ts';

const given = <T>(value: T | undefined, present: T): T => (value === undefined ? present : value);

/** The position that a patch leaves: a moment that stood at the start moves with it. */
function patchedPosition(patch: ActionPatch, home: ActionPlace): GivenPosition {
  const isPositioned = [patch.startMs, patch.endMs, patch.eventMs, patch.startTc, patch.endTc].some(
    (one) => one !== undefined,
  );
  const isMomentMoved = patch.wallclockAt !== undefined || patch.period !== undefined || patch.clockMs !== undefined;
  if (!isPositioned) return home.derived && isMomentMoved ? {} : home;
  const isPoint = home.startMs === home.endMs;
  const startGiven = patch.startMs !== undefined || patch.startTc !== undefined;
  const endGiven = patch.endMs !== undefined || patch.endTc !== undefined;
  // A point has one position: whichever is given moves all of it.
  if (isPoint && startGiven !== endGiven) return patch;
  if (isPoint && !startGiven) return { eventMs: patch.eventMs ?? home.eventMs };
  const eventMs =
    patch.eventMs === undefined && !(startGiven && home.eventMs === home.startMs) ? home.eventMs : patch.eventMs;
  return {
    ...(startGiven ? { startMs: patch.startMs, startTc: patch.startTc } : { startMs: home.startMs }),
    ...(endGiven ? { endMs: patch.endMs, endTc: patch.endTc } : { endMs: home.endMs }),
    eventMs,
  };
}

/** A time of day that only says where the action lies is computed anew when it moves. */
function patchedWallclock(patch: ActionPatch, action: Action, home: ActionPlace, startedAt: Date | undefined) {
  if (patch.wallclockAt !== undefined) return patch.wallclockAt;
  const computed = !home.derived && startedAt ? startedAt.getTime() + home.eventMs : undefined;
  return action.wallclockAt?.getTime() === computed ? null : action.wallclockAt;
}

/**
 * Changes the given fields of an action, in its own video. Answers false when that changes nothing.
 * @throws AppError `validation_failed`, `unknown_tag_option`, `tag_option_deactivated`, `not_found`
 */
export async function patchAction(
  write: LibraryWrite,
  action: Action,
  { patch, actor }: { readonly patch: ActionPatch } & Actor,
): Promise<boolean> {
  const home = action.places.find((place) => place.mediaId === action.mediaId);
  if (!home) throw new AppError('not_found', `There is no action ${action.id}.`);
  const references: ActionReferences = {
    type: given(patch.type, action.typeId),
    match: given(patch.match, action.matchId),
    clubs: given(
      patch.clubs,
      action.clubs.map(({ id, side }) => ({ tag: id, side })),
    ),
    players: given(
      patch.players,
      action.players.map(({ id, ...player }) => ({ tag: id, ...player })),
    ),
    tagOptions: given(patch.tagOptions, action.extraTagIds),
    parentId: given(patch.parentId, action.parentId),
  };
  const context = await openActionContext(write, [{ ...references, mediaId: action.mediaId }]);
  const { source, sourceRef, sourceVersion } = action;
  const startedAt = context.videos.get(action.mediaId)?.timeline?.startedAt ?? undefined;
  const position = patchedPosition(patch, home);
  const input: ActionInput = {
    ...references,
    ...position,
    mediaId: action.mediaId,
    label: given(patch.label, action.label),
    wallclockAt: patchedWallclock(patch, action, home, startedAt),
    period: given(patch.period, action.period),
    clockMs: given(patch.clockMs, action.clockMs),
    outcome: given(patch.outcome, action.outcome),
    x: given(patch.x, action.x),
    y: given(patch.y, action.y),
    endX: given(patch.endX, action.endX),
    endY: given(patch.endY, action.endY),
    details: given(patch.details, action.details),
    confidence: given(patch.confidence, action.confidence),
    status: given(patch.status, action.status),
    source,
    sourceRef,
    sourceVersion,
  };
  const known = { action, isDeleted: false };
  // A position that is not given keeps what it came from.
  const stated = stateAction(input, context, { known, isDerived: home.derived && position === home, inBin: true });
  const plan = noPlan();
  if (planUpdate(plan, known, stated) === 'unchanged') return false;
  await updateActions(write, plan.rows, actor);
  await putPlaces(write, plan.places);
  await settleActions(write, plan.settled, actor);
  return true;
}
