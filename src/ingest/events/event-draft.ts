import type { EventRecord, EventTag } from '../../formats/index.ts';
import { ACTION_STATUSES, type Action, type ActionInput, type ActionStatus } from '../../library/index.ts';
import type { EventNames } from './event-names.ts';

/** Labels that name nothing of the library, by their groups: `{ "Half": ["First"] }`. */
function labelDetails(tags: readonly EventTag[]): Readonly<Record<string, unknown>> {
  const groups: Record<string, string[]> = {};
  for (const { group = 'Label', text } of tags) (groups[group] ??= []).push(text);
  return tags.length === 0 ? {} : { labels: groups };
}

function statusOf({ status }: EventRecord): ActionStatus | undefined {
  return ACTION_STATUSES.find((one) => one === status);
}

/** The action that a record tells of. What has no name in the library is left out; `names` has said so. */
export function draftOf(
  record: EventRecord,
  { names, mediaId }: { readonly names: EventNames; readonly mediaId: number },
): ActionInput {
  const clubIds = names.clubsOf(record);
  const playerIds = names.playersOf(record);
  const labelIds = record.tags.map((tag) => tag.id ?? names.labelId(tag.text));
  const match = names.matchOf(record);
  return {
    mediaId,
    type: names.typeOf(record),
    ...(match === undefined ? {} : { match }),
    clubs: record.clubs.flatMap((club, at) => {
      const tag = clubIds[at];
      return tag === undefined ? [] : [{ tag, side: club.side }];
    }),
    players: record.players.flatMap((player, at) => {
      const tag = playerIds[at];
      return tag === undefined ? [] : [{ tag, role: player.role ?? null, shirt: player.shirt ?? null }];
    }),
    tagOptions: [...new Set(labelIds.filter((id) => id !== undefined))],
    label: record.label,
    startMs: record.startMs,
    endMs: record.endMs,
    eventMs: record.eventMs,
    wallclockAt: record.wallclockAt === undefined ? undefined : new Date(record.wallclockAt),
    period: record.period,
    clockMs: record.clockMs,
    outcome: record.outcome,
    x: record.x,
    y: record.y,
    endX: record.endX,
    endY: record.endY,
    details: { ...record.details, ...labelDetails(record.tags.filter((_, at) => labelIds[at] === undefined)) },
    confidence: record.confidence,
    status: statusOf(record),
    sourceVersion: record.version,
  };
}

/** A known action as it is, retracted: what the file says of it is only that it does not count. */
export function retractionOf(action: Action, record: EventRecord): ActionInput {
  const home = action.places.find((place) => place.mediaId === action.mediaId);
  return {
    mediaId: action.mediaId,
    type: action.typeId,
    match: action.matchId,
    clubs: action.clubs.map(({ id, side }) => ({ tag: id, side })),
    players: action.players.map(({ id, ...player }) => ({ tag: id, ...player })),
    tagOptions: action.extraTagIds,
    parentId: action.parentId,
    label: action.label,
    ...(home && !home.derived ? { startMs: home.startMs, endMs: home.endMs, eventMs: home.eventMs } : {}),
    wallclockAt: action.wallclockAt,
    period: action.period,
    clockMs: action.clockMs,
    outcome: action.outcome,
    x: action.x,
    y: action.y,
    endX: action.endX,
    endY: action.endY,
    details: action.details,
    confidence: action.confidence,
    status: 'retracted',
    source: action.source,
    sourceRef: action.sourceRef,
    sourceVersion: record.version ?? action.sourceVersion,
  };
}
