import type { LibraryScope } from '../../auth/index.ts';
import { AppError, invalidField } from '../../base/index.ts';
import { checkReelLength, checkSegment, placeOfAction, segmentAround } from '../../clips/index.ts';
import type { Queryable } from '../../db/index.ts';
import {
  type Action,
  type ActionVideo,
  type Asset,
  type Clip,
  type ClipRequest,
  type ClipSegment,
  findActions,
  findActionTags,
  findActionVideos,
  findAssets,
  leadLagOf,
} from '../../library/index.ts';
import { keyOfType, shownPlace } from '../present/actions.ts';
import type { ActionClipBody, ClipBody } from '../wire/clips.ts';

/** A clip as it is queued. */
export type AskedClip = Pick<Clip, 'kind' | 'name'> & { readonly request: ClipRequest };

type ClipDeps = { readonly db: Queryable };
type Margins = { readonly lead_ms?: number | undefined; readonly lag_ms?: number | undefined };
type Sources = {
  readonly videos: ReadonlyMap<number, ActionVideo>;
  readonly tags: Awaited<ReturnType<typeof findActionTags>>;
};

/** @throws AppError `not_found`, `state_conflict`, `validation_failed` */
export async function askForAction(
  deps: ClipDeps,
  scope: LibraryScope,
  body: ActionClipBody & { readonly id: number },
): Promise<AskedClip> {
  const actions = await getActions(deps, scope, [body.id]);
  const sources = await readSources(deps, scope, actions);
  const segments = actions.map((action) => segmentOf(action, sources, body));
  await checkSources(deps, scope, segments);
  const [action] = actions;
  return finish(segments, body, action ? nameOf(action, sources) : 'Clip');
}

/** @throws AppError `not_found`, `state_conflict`, `validation_failed` */
export async function askForReel(deps: ClipDeps, scope: LibraryScope, body: ClipBody): Promise<AskedClip> {
  if ((body.actions === undefined) === (body.segments === undefined)) {
    throw invalidField('/actions', 'expected either actions or segments, received both or neither');
  }
  if (body.segments) return askForSegments(deps, scope, { ...body, segments: body.segments });
  const actions = await getActions(deps, scope, body.actions ?? []);
  const sources = await readSources(deps, scope, actions);
  const segments = actions.map((action) => segmentOf(action, sources, body));
  await checkSources(deps, scope, segments);
  const [first] = actions;
  return finish(segments, body, first && actions.length === 1 ? nameOf(first, sources) : 'Reel');
}

async function askForSegments(
  deps: ClipDeps,
  scope: LibraryScope,
  body: ClipBody & { readonly segments: NonNullable<ClipBody['segments']> },
): Promise<AskedClip> {
  const segments = body.segments.map((one, index): ClipSegment => {
    if (one.out_ms < one.in_ms) {
      const detail = `expected out_ms of at least in_ms ${one.in_ms}, received ${one.out_ms}`;
      throw invalidField(`/segments/${index}/out_ms`, detail);
    }
    const outMs = Math.max(one.out_ms, one.in_ms + 1);
    const eventMs = Math.floor((one.in_ms + outMs) / 2);
    return { mediaId: one.media_id, inMs: one.in_ms, outMs, eventMs, actionId: null };
  });
  const assets = await checkSources(deps, scope, segments);
  for (const [index, segment] of segments.entries()) {
    const durationMs = assets.get(segment.mediaId)?.durationMs ?? null;
    checkSegment(segment, { durationMs, pointer: `/segments/${index}` });
  }
  const name = assets.get(segments[0]?.mediaId ?? 0)?.name.replace(/\.[^.]{1,8}$/, '');
  return finish(segments, body, segments.length === 1 ? `${name} clip` : 'Reel');
}

/** In the order of the IDs. */
async function getActions(deps: ClipDeps, scope: LibraryScope, ids: readonly number[]): Promise<readonly Action[]> {
  const actions = await findActions(deps.db, scope, ids);
  const known = new Set(actions.map((action) => action.id));
  const missing = ids.filter((id) => !known.has(id));
  if (missing.length > 0) throw new AppError('not_found', `There is no action ${missing.join(', ')}.`);
  return actions;
}

async function readSources(deps: ClipDeps, scope: LibraryScope, actions: readonly Action[]): Promise<Sources> {
  const mediaIds = actions.flatMap((action) => action.places.map((place) => place.mediaId));
  const tagIds = actions.flatMap((action) => [action.typeId, ...action.players.map((player) => player.id)]);
  return {
    videos: await findActionVideos(deps.db, scope, [...new Set(mediaIds)]),
    tags: await findActionTags(deps.db, scope, [...new Set(tagIds)]),
  };
}

/** In the video that was asked for, else in its own, or in another when that one is in the bin. */
function segmentOf(
  action: Action,
  sources: Sources,
  options: Margins & { readonly media_id?: number | undefined },
): ClipSegment {
  const shown = options.media_id === undefined ? shownPlace(action, sources.videos) : undefined;
  const place = shown ?? placeOfAction(action, options.media_id);
  return segmentAround(place, {
    actionId: action.id,
    durationMs: sources.videos.get(place.mediaId)?.durationMs ?? null,
    leadMs: options.lead_ms,
    lagMs: options.lag_ms,
    moment: leadLagOf(keyOfType(sources.tags.get(action.typeId))),
  });
}

/**
 * The videos of the cuts, when all of them can be cut.
 * @throws AppError `not_found`, `validation_failed` (a photo), `state_conflict` (in the bin, or not ready)
 */
async function checkSources(
  deps: ClipDeps,
  scope: LibraryScope,
  segments: readonly ClipSegment[],
): Promise<ReadonlyMap<number, Asset>> {
  const ids = [...new Set(segments.map((segment) => segment.mediaId))];
  const assets = new Map((await findAssets(deps.db, scope, ids)).map((asset) => [asset.id, asset]));
  for (const id of ids) {
    const asset = assets.get(id);
    if (!asset) throw new AppError('not_found', `There is no video ${id}.`);
    if (asset.mediaType !== 'video') throw invalidField('/media_id', `expected a video, received photo ${id}`);
    if (asset.status !== 'ready' && asset.status !== 'archived') {
      const state = asset.status === 'deleted' ? 'in the bin' : asset.status;
      throw new AppError('state_conflict', `Video ${id} is ${state}: a clip needs one that is ready.`);
    }
  }
  return assets;
}

/** Such as `Goal Benjamin Šeško 80`. */
function nameOf(action: Action, { tags }: Sources): string {
  const label = action.label ?? tags.get(action.typeId)?.label ?? 'Clip';
  const [first] = action.players;
  const player = first && tags.get(first.id)?.label;
  const minute = action.minute === null ? undefined : `${action.minute}${action.stoppage ? `+${action.stoppage}` : ''}`;
  // A label of one's own often names the player.
  const parts = [label, player !== undefined && label.includes(player) ? undefined : player, minute];
  return parts.filter((part) => part !== undefined).join(' ');
}

function finish(
  segments: readonly ClipSegment[],
  body: Pick<ClipBody, 'aspect' | 'height' | 'output' | 'name'>,
  name: string,
): AskedClip {
  checkReelLength(segments);
  return {
    kind: segments.length === 1 ? 'clip' : 'reel',
    name: (body.name?.trim() ?? name).slice(0, 200),
    request: {
      segments,
      aspect: body.aspect ?? 'original',
      height: body.height ?? null,
      output: body.output ?? 'download',
    },
  };
}
