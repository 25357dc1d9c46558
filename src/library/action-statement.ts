import { AppError, broadcastMinute, invalidField } from '../base/index.ts';
import type { SettledAction } from './action-follow-ups.ts';
import { type GivenPosition, placeIn } from './action-places.ts';
import {
  type ActionReferences,
  createReferenceResolver,
  type ReferenceContext,
  type ReferenceResolver,
} from './action-references.ts';
import { type ActionVideo, findActionVideos } from './action-store.ts';
import type { Action, ActionStatus } from './action-types.ts';
import { type ActionValues, contentOf, valuesOf } from './action-values.ts';
import type { ActionRow, PlaceRow } from './action-write-store.ts';
import type { LibraryWrite } from './changes-store.ts';

/** The fields of an action that a request may give beside its position and what it refers to. */
export type ActionFields = {
  readonly label?: string | null | undefined;
  readonly wallclockAt?: Date | null | undefined;
  readonly period?: number | null | undefined;
  readonly clockMs?: number | null | undefined;
  readonly outcome?: string | null | undefined;
  readonly x?: number | null | undefined;
  readonly y?: number | null | undefined;
  readonly endX?: number | null | undefined;
  readonly endY?: number | null | undefined;
  readonly details?: Readonly<Record<string, unknown>> | undefined;
  readonly confidence?: number | null | undefined;
  readonly status?: ActionStatus | undefined;
};

/** An action as a request states it: what it does not give is none. */
export type ActionInput = ActionReferences &
  GivenPosition &
  ActionFields & {
    readonly mediaId: number;
    readonly source?: string | undefined;
    readonly sourceRef?: string | null | undefined;
    readonly sourceVersion?: number | null | undefined;
  };

/** Changes of an action; what is not given stays. */
export type ActionPatch = ActionReferences & GivenPosition & ActionFields;

export type Actor = { readonly actor: string | null };

export type Known = { readonly action: Action; readonly isDeleted: boolean };
export type ActionContext = {
  readonly videos: ReadonlyMap<number, ActionVideo>;
  readonly resolve: ReferenceResolver;
};

/** Reads all that items name, for all of them at once. */
export async function openActionContext(
  write: LibraryWrite,
  inputs: readonly (ActionReferences & { readonly mediaId: number })[],
): Promise<ActionContext> {
  const videos = await findActionVideos(write.tx, write.scope, [...new Set(inputs.map((one) => one.mediaId))]);
  const matchIds = [...videos.values()].flatMap((video) => video.matchIds);
  return { videos, resolve: await createReferenceResolver(write, inputs, matchIds) };
}

function videoOf({ videos }: ActionContext, mediaId: number, inBin: boolean): ActionVideo {
  const video = videos.get(mediaId);
  if (!video || (video.inBin && !inBin)) {
    const detail = `expected the ID of a video, received ${mediaId}, which is unknown`;
    throw new AppError('not_found', `There is no asset ${mediaId}.`, {
      errors: [{ pointer: '/media_id', code: 'not_found', detail }],
    });
  }
  if (video.mediaType !== 'video') {
    throw invalidField('/media_id', `expected the ID of a video, received ${mediaId}, which is a photo`);
  }
  return video;
}

export type Stated = { readonly values: ActionValues; readonly place: Omit<PlaceRow, 'actionId'> };

/** Computes what follows from an item alone: places, minute, time of day, references. */
export function stateAction(
  item: ActionInput,
  context: ActionContext,
  present: {
    readonly known: Known | undefined;
    readonly isDerived?: boolean;
    /** An action that another video shows may be changed while its own is in the bin. */
    readonly inBin?: boolean;
  },
): Stated {
  const { known, isDerived = false, inBin = false } = present;
  const video = videoOf(context, item.mediaId, inBin);
  const carried = new Set(known ? carriedBy(known.action) : []);
  const [onlyMatch, ...others] = video.matchIds;
  const references: ReferenceContext = {
    carried,
    defaultMatchId: others.length === 0 ? (onlyMatch ?? null) : null,
    ownId: known?.action.id,
  };
  const resolved = context.resolve(item, references);
  const { period = null, clockMs = null, wallclockAt = null } = item;
  const found = placeIn(video, item, { period, clockMs, wallclockAt });
  const place = isDerived ? { ...found, derived: true } : found;
  const minute = period === null || clockMs === null ? undefined : broadcastMinute({ period, clockMs });
  const startedAt = place.derived ? null : (video.timeline?.startedAt ?? null);
  // An old event fed without its version does not make an even older one new.
  const sourceVersion = item.sourceVersion ?? known?.action.sourceVersion ?? null;
  return {
    values: {
      ...resolved,
      label: item.label ?? null,
      wallclockAt: wallclockAt ?? (startedAt && new Date(startedAt.getTime() + place.eventMs)),
      period,
      clockMs,
      minute: minute?.minute ?? null,
      stoppage: minute?.stoppage ?? null,
      outcome: item.outcome ?? null,
      x: item.x ?? null,
      y: item.y ?? null,
      endX: item.endX ?? null,
      endY: item.endY ?? null,
      details: item.details ?? {},
      source: item.source ?? 'manual',
      sourceRef: item.sourceRef ?? null,
      sourceVersion,
      confidence: item.confidence ?? null,
      status: item.status ?? 'confirmed',
    },
    place: { ...place, mediaId: video.id },
  };
}

function carriedBy(action: Action): number[] {
  return [
    action.typeId,
    ...(action.matchId === null ? [] : [action.matchId]),
    ...action.clubs.map((club) => club.id),
    ...action.players.map((player) => player.id),
    ...action.extraTagIds,
  ];
}

export type Planned = {
  readonly rows: ActionRow[];
  readonly places: PlaceRow[];
  readonly settled: SettledAction[];
};
export const noPlan = (): Planned => ({ rows: [], places: [], settled: [] });

export function planUpdate(
  plan: Planned,
  { action, isDeleted }: Known,
  { values, place }: Stated,
): 'created' | 'updated' | 'unchanged' {
  const before = action.places.find((one) => one.mediaId === place.mediaId);
  const isSame =
    !isDeleted && before?.derived === place.derived && contentOf(valuesOf(action), before) === contentOf(values, place);
  if (isSame) return 'unchanged';
  plan.rows.push({ id: action.id, mediaId: isDeleted ? place.mediaId : action.mediaId, values });
  plan.places.push({ ...place, actionId: action.id });
  const isRetracted = values.status === 'retracted' && action.status !== 'retracted';
  const change = isDeleted ? 'created' : isRetracted ? 'retracted' : 'updated';
  plan.settled.push({ id: action.id, change, before: action.places.map((one) => one.mediaId) });
  return isDeleted ? 'created' : 'updated';
}
