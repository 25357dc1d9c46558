import type { LibraryScope } from '../../auth/index.ts';
import { timecodeAt } from '../../base/index.ts';
import {
  type Action,
  type ActionPlace,
  type ActionTag,
  type ActionVideo,
  findActionTags,
  findActionVideos,
  leadLagOf,
  type PlacedAction,
  timecodeFormatOf,
} from '../../library/index.ts';
import type { ApiDeps } from '../deps.ts';
import type { Publisher } from '../image-access.ts';
import type { MediaUrls } from '../media-urls.ts';
import type { ActionOut } from '../wire/actions.ts';
import { organizationOf } from './organization.ts';

/** What actions are answered with beside themselves: names of what they refer to, and their videos. */
export type ActionContext = {
  readonly organization: Publisher;
  readonly urls: MediaUrls;
  readonly publicUrl: string;
  readonly tags: ReadonlyMap<number, ActionTag>;
  readonly videos: ReadonlyMap<number, ActionVideo>;
};

function tagIdsOf(action: Action): number[] {
  const { typeId, matchId, clubs, players, extraTagIds } = action;
  const named = [...clubs, ...players].map((one) => one.id);
  return [typeId, ...(matchId === null ? [] : [matchId]), ...named, ...extraTagIds];
}

/** Reads what these actions are answered with: two queries, however many they are. */
export async function readActionContext(
  deps: Pick<ApiDeps, 'db' | 'organizations' | 'urls' | 'settings'>,
  scope: LibraryScope,
  actions: readonly Action[],
): Promise<ActionContext> {
  const mediaIds = actions.flatMap((action) => action.places.map((place) => place.mediaId));
  const [organization, tags, videos] = await Promise.all([
    organizationOf(deps, scope),
    findActionTags(deps.db, scope, [...new Set(actions.flatMap(tagIdsOf))]),
    findActionVideos(deps.db, scope, [...new Set(mediaIds)]),
  ]);
  return { organization, urls: deps.urls, publicUrl: deps.settings.publicUrl, tags, videos };
}

/** The key of a type of one's own is its label as a key. */
export function keyOfType(tag: ActionTag | undefined): string {
  return tag?.key ?? (tag?.label ?? 'unknown').toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, '_');
}

/** In and out of a clip: an action as it is, a point with what its type shows before and after; within the video. */
function inAndOut(place: ActionPlace, typeKey: string, durationMs: number | null): readonly [number, number] {
  if (place.startMs < place.endMs) return [place.startMs, place.endMs];
  const { leadMs, lagMs } = leadLagOf(typeKey);
  const outMs = place.eventMs + lagMs;
  return [Math.max(0, place.eventMs - leadMs), durationMs === null ? outMs : Math.min(durationMs, outMs)];
}

function anglesOf(action: Action, videos: ActionContext['videos']): ActionOut['angles'] {
  return action.places.flatMap((place) => {
    const video = videos.get(place.mediaId);
    if (video?.inBin) return [];
    const format = video && timecodeFormatOf(video);
    return {
      media_id: place.mediaId,
      angle: video?.timeline?.angle ?? null,
      start_ms: place.startMs,
      end_ms: place.endMs,
      event_ms: place.eventMs,
      start_tc: format ? timecodeAt(place.startMs, format) : null,
      derived: place.derived,
    };
  });
}

const seconds = (ms: number): string => String(ms / 1000);

/** A state of an action in one of its videos, without URLs. */
export function presentActionState(
  { action, place }: PlacedAction,
  context: Pick<ActionContext, 'tags' | 'videos'>,
): Omit<ActionOut, 'play_url' | 'clip_url' | 'poster_url'> {
  const { tags, videos } = context;
  const labelOf = (id: number): string => tags.get(id)?.label ?? '';
  const type = tags.get(action.typeId);
  const typeKey = keyOfType(type);
  const video = videos.get(place.mediaId);
  const format = video && timecodeFormatOf(video);
  const [inMs, outMs] = inAndOut(place, typeKey, video?.durationMs ?? null);
  return {
    id: action.id,
    media_id: place.mediaId,
    type: action.typeId,
    type_key: typeKey,
    type_label: type?.label ?? '',
    label: action.label,
    start_ms: place.startMs,
    end_ms: place.endMs,
    event_ms: place.eventMs,
    start_tc: format ? timecodeAt(place.startMs, format) : null,
    end_tc: format ? timecodeAt(place.endMs, format) : null,
    frame_rate: format ? { ...format.rate, drop_frame: format.dropFrame } : null,
    wallclock_at: action.wallclockAt?.toISOString() ?? null,
    period: action.period,
    clock_ms: action.clockMs,
    minute: action.minute,
    stoppage: action.stoppage,
    match: action.matchId,
    match_label: action.matchId === null ? null : labelOf(action.matchId),
    clubs: action.clubs.map(({ id, side }) => ({ id, label: labelOf(id), side })),
    players: action.players.map(({ id, role, shirt }) => ({ id, label: labelOf(id), role, shirt })),
    outcome: action.outcome,
    x: action.x,
    y: action.y,
    end_x: action.endX,
    end_y: action.endY,
    tag_options: action.extraTagIds.map((id) => ({ id, type: tags.get(id)?.type ?? 'tag', label: labelOf(id) })),
    details: action.details,
    source: action.source,
    source_ref: action.sourceRef,
    source_version: action.sourceVersion,
    confidence: action.confidence,
    status: action.status,
    parent_id: action.parentId,
    version: action.version,
    created_at: action.createdAt.toISOString(),
    updated_at: action.updatedAt.toISOString(),
    created_by: action.createdBy,
    updated_by: action.updatedBy,
    angles: anglesOf(action, videos),
    in_ms: inMs,
    out_ms: outMs,
  };
}

/** Actions as the API answers them, each as it lies in the video that it was found in. */
export function presentActions(placed: readonly PlacedAction[], context: ActionContext): ActionOut[] {
  const urls = new Map(
    [...context.videos].map(([id, video]) => {
      const of = context.urls.of(context.organization, video);
      const play = video.compressed && of.file(video.compressed);
      const poster = (ms: number) => (video.hasPoster ? of.image({ t: seconds(ms) }) : null);
      return [id, { play, poster }];
    }),
  );
  return placed.map((one) => {
    const state = presentActionState(one, context);
    const own = urls.get(one.place.mediaId);
    return {
      ...state,
      play_url: own?.play ? `${own.play}#t=${seconds(state.in_ms)},${seconds(state.out_ms)}` : null,
      clip_url: `${context.publicUrl}/v1/action/${one.action.id}/clip`,
      // By its second: the URL never shows anything else, while the action may be moved.
      poster_url: own?.poster(one.place.eventMs) ?? null,
    };
  });
}

/** The place that an action is shown in without being asked for one: its own video, or another while that is in the bin. */
export function shownPlace(action: Action, videos: ActionContext['videos']): ActionPlace | undefined {
  return action.places.find((place) => videos.get(place.mediaId)?.inBin === false);
}
