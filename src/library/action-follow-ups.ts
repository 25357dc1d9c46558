import { derivePlaces, type Span } from './action-angles.ts';
import {
  deriveWallclocks,
  findAngleVideos,
  findMatchActions,
  findTimedAssets,
  type MatchAction,
  touchActions,
  writeTimeline,
} from './action-angle-store.ts';
import type { Timeline } from './action-types.ts';
import { recordHistory } from './action-history-store.ts';
import { countActions, findMediaOfActions, type PlaceRow, putPlaces, removePlaces } from './action-write-store.ts';
import type { ChangeType, LibraryWrite } from './changes-store.ts';
import { storedTimeline } from './timeline.ts';

/** What the places of actions were brought to. */
type MovedPlaces = {
  /** Assets in which a place came, went or moved. */
  readonly assetIds: ReadonlySet<number>;
  /** Actions whose place in their own video moved. */
  readonly homeMoved: readonly number[];
};

const isSame = (a: Span, b: Span): boolean => a.startMs === b.startMs && a.endMs === b.endMs && a.eventMs === b.eventMs;

function differences(action: MatchAction, wanted: ReadonlyMap<number, Span>) {
  const put: PlaceRow[] = [];
  const gone: Pick<PlaceRow, 'actionId' | 'mediaId'>[] = [];
  const present = new Map(action.places.map((place) => [place.mediaId, place]));
  for (const [mediaId, span] of wanted) {
    const before = present.get(mediaId);
    if (!before || !isSame(before, span)) put.push({ ...span, mediaId, actionId: action.id, derived: true });
  }
  for (const { mediaId, derived } of action.places) {
    if (derived && !wanted.has(mediaId)) gone.push({ actionId: action.id, mediaId });
  }
  return { put, gone };
}

/** Brings the derived places of these actions up to date: one read of each kind and one write, however many there are. */
async function recomputePlaces(
  write: LibraryWrite,
  of: { readonly actionIds: readonly number[] } | { readonly assetIds: readonly number[] },
): Promise<MovedPlaces> {
  const actions = await findMatchActions(write, of);
  const matchIds = new Set(actions.flatMap((action) => action.matchId ?? []));
  const homeIds = new Set(actions.map((action) => action.mediaId));
  const videos = await findAngleVideos(write, { assetIds: [...homeIds], matchIds: [...matchIds] });
  const put: PlaceRow[] = [];
  const gone: Pick<PlaceRow, 'actionId' | 'mediaId'>[] = [];
  const homeMoved: number[] = [];
  for (const action of actions) {
    const ofMatch = action.matchId === null ? [] : (videos.byMatch.get(action.matchId) ?? []);
    const wanted = derivePlaces(action, { home: videos.byId.get(action.mediaId), ofMatch });
    const different = differences(action, wanted);
    put.push(...different.put);
    gone.push(...different.gone);
    if (different.put.some((place) => place.mediaId === action.mediaId)) homeMoved.push(action.id);
  }
  await removePlaces(write, gone);
  await putPlaces(write, put);
  return { assetIds: new Set([...put, ...gone].map((place) => place.mediaId)), homeMoved };
}

export type SettledAction = {
  readonly id: number;
  readonly change: 'created' | 'updated' | 'retracted';
  /** Assets that it lay in before. */
  readonly before: readonly number[];
};

const FEED: Readonly<Record<SettledAction['change'], ChangeType>> = {
  created: 'action.created',
  updated: 'action.updated',
  retracted: 'action.retracted',
};

/** What follows from writes of actions: their other angles, the counts of assets, history and feed. */
export async function settleActions(
  write: LibraryWrite,
  actions: readonly SettledAction[],
  actor: string | null,
): Promise<void> {
  if (actions.length === 0) return;
  const ids = actions.map((action) => action.id);
  await recomputePlaces(write, { actionIds: ids });
  const after = await findMediaOfActions(write, ids);
  const mediaOf = (action: SettledAction) => [...new Set([...action.before, ...(after.get(action.id) ?? [])])];
  await countActions(write, [...new Set(actions.flatMap(mediaOf))]);
  await recordHistory(write, actions, actor);
  for (const action of actions) {
    write.record({ type: FEED[action.change], objectId: action.id, data: { media_ids: mediaOf(action) } });
  }
}

/** Records what `recomputePlaces` moved: new versions of the actions that moved at home, and the assets that show them. */
async function settleMoved(
  write: LibraryWrite,
  moved: MovedPlaces,
  options: { readonly actor: string | null; readonly told: ReadonlySet<number> },
): Promise<void> {
  const { actor, told } = options;
  const { homeMoved, assetIds } = moved;
  await touchActions(write, homeMoved, actor);
  await recordHistory(
    write,
    homeMoved.map((id) => ({ id, change: 'updated' })),
    actor,
  );
  await countActions(write, [...assetIds]);
  const media = await findMediaOfActions(write, homeMoved);
  for (const id of homeMoved) {
    write.record({ type: 'action.updated', objectId: id, data: { media_ids: media.get(id) ?? [] } });
  }
  // Other angles are derived: their assets are read again, and the actions themselves are what they were.
  for (const id of assetIds) if (!told.has(id)) write.record({ type: 'media.updated', objectId: id });
}

/**
 * After tags, timeline or length of these assets changed: actions of their matches appear in them, move or go.
 * Cheap for assets without a timeline. `told`: assets whose change is in the feed already.
 */
export async function recomputeAngles(
  write: LibraryWrite,
  assetIds: readonly number[],
  options: { readonly actor?: string | null; readonly told?: ReadonlySet<number> } = {},
): Promise<void> {
  const timed = await findTimedAssets(write, assetIds);
  if (timed.length === 0) return;
  const moved = await recomputePlaces(write, { assetIds: timed });
  await settleMoved(write, moved, { actor: options.actor ?? null, told: options.told ?? new Set() });
}

/** Ties a video to its match, or with null no longer; records nothing of the asset itself. */
export async function setTimeline(
  write: LibraryWrite,
  video: { readonly id: number; readonly timeline: Timeline | null },
  change: { readonly timeline: Timeline | null; readonly actor: string | null },
): Promise<void> {
  const { id } = video;
  const { timeline, actor } = change;
  await writeTimeline(write, id, timeline && storedTimeline(timeline));
  const [before, after] = [video.timeline?.startedAt ?? null, timeline?.startedAt ?? null];
  if (before?.getTime() !== after?.getTime()) await deriveWallclocks(write, { id, before, after });
  const moved = await recomputePlaces(write, { assetIds: [id] });
  await settleMoved(write, moved, { actor, told: new Set([id]) });
}
