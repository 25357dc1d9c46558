import type { LibraryScope } from '../../auth/index.ts';
import { AppError } from '../../base/index.ts';
import type { Queryable } from '../../db/index.ts';
import {
  type EventEntity,
  type EventFormat,
  type ExportedAction,
  type JsonObject,
  type TimeBase,
  writeEdl,
  writeEventCsv,
  writeJsonLines,
  writeSportscode,
  writeWebVtt,
} from '../../formats/index.ts';
import {
  type ActionStatus,
  findActionPlaces,
  findActionVideos,
  findAsset,
  findTags,
  listActionPlaces,
  type PlacedAction,
  type TagOption,
} from '../../library/index.ts';

/** Formats that actions are written in, each with its media type and the ending of its files. */
export const EXPORT_FORMATS = {
  sportscode_xml: { mediaType: 'application/xml', extension: 'xml' },
  webvtt: { mediaType: 'text/vtt', extension: 'vtt' },
  edl: { mediaType: 'text/plain', extension: 'edl' },
  csv: { mediaType: 'text/csv', extension: 'csv' },
  json_lines: { mediaType: 'application/x-ndjson', extension: 'jsonl' },
} as const satisfies Partial<Record<EventFormat, { mediaType: string; extension: string }>>;
export type ExportFormat = keyof typeof EXPORT_FORMATS;

/** Actions are read in pages, so that no statement answers all of a season at once. */
const PAGE = 1000;

type Tags = ReadonlyMap<number, TagOption>;

function entityOf(tags: Tags, id: number): EventEntity {
  const tag = tags.get(id);
  const hasExternal = tag !== undefined && Object.keys(tag.externalIds).length > 0;
  return { id, ...(tag && { name: tag.label }), ...(hasExternal && { externalIds: tag.externalIds }) };
}

/** Leaves out what is null: an exported action has a member or has it not. */
function present<T extends object>(value: T): { [K in keyof T]?: Exclude<T[K], null> } {
  // Every null was just taken out; the type of fromEntries knows nothing of the names.
  return Object.fromEntries(Object.entries(value).filter(([, member]) => member !== null)) as {
    [K in keyof T]?: Exclude<T[K], null>;
  };
}

function exportedOf({ action, place }: PlacedAction, tags: Tags): ExportedAction {
  const type = tags.get(action.typeId);
  const key = type?.externalIds['action_type'] ?? String(action.typeId);
  return {
    ...present({
      label: action.label,
      wallclockAt: action.wallclockAt?.toISOString() ?? null,
      period: action.period,
      clockMs: action.clockMs,
      minute: action.minute,
      stoppage: action.stoppage,
      outcome: action.outcome,
      x: action.x,
      y: action.y,
      endX: action.endX,
      endY: action.endY,
      confidence: action.confidence,
      sourceRef: action.sourceRef,
      sourceVersion: action.sourceVersion,
      parentId: action.parentId,
    }),
    id: action.id,
    type: { key, ...(type && { name: type.label }), id: String(action.typeId) },
    startMs: place.startMs,
    endMs: place.endMs,
    eventMs: place.eventMs,
    ...(action.matchId !== null && { match: entityOf(tags, action.matchId) }),
    clubs: action.clubs.map(({ id, side }) => ({ ...entityOf(tags, id), ...(side && { side }) })),
    players: action.players.map(({ id, role, shirt }) => ({
      ...entityOf(tags, id),
      ...(role !== null && { role }),
      ...(shirt !== null && { shirt }),
    })),
    tags: action.extraTagIds.map((id) => {
      const tag = tags.get(id);
      const group = tag?.category ?? tag?.type;
      return { id, text: tag?.label ?? String(id), ...(group !== undefined && { group }) };
    }),
    // Stored as JSON.
    details: action.details as JsonObject,
    status: action.status,
    source: action.source,
    version: action.version,
  };
}

const tagIdsOf = ({ action }: PlacedAction): number[] => [
  action.typeId,
  ...(action.matchId === null ? [] : [action.matchId]),
  ...action.clubs.map((club) => club.id),
  ...action.players.map((player) => player.id),
  ...action.extraTagIds,
];

async function readAll(
  db: Queryable,
  scope: LibraryScope,
  request: { readonly mediaId: number; readonly statuses: readonly ActionStatus[] | undefined },
): Promise<readonly ExportedAction[]> {
  const exported: ExportedAction[] = [];
  let after: { readonly startMs: number; readonly id: number } | undefined;
  for (;;) {
    const { placeIds } = await listActionPlaces(db, scope, { ...request, after, limit: PAGE });
    const placed = await findActionPlaces(db, scope, placeIds);
    const options = await findTags(db, scope, [...new Set(placed.flatMap(tagIdsOf))]);
    const tags = new Map(options.map((option) => [option.id, option]));
    exported.push(...placed.map((one) => exportedOf(one, tags)));
    const last = placed.at(-1)?.place;
    if (!last || placeIds.length < PAGE) return exported;
    after = { startMs: last.startMs, id: last.id };
  }
}

/**
 * The actions of a video as a file, in order of their start, with those of other videos that lie in it.
 * @param request.statuses undefined: all but retracted ones
 * @throws AppError `not_found`, `state_conflict` (a photo; for EDL a video whose frame rate is not known)
 */
export async function exportEvents(
  db: Queryable,
  scope: LibraryScope,
  request: {
    readonly mediaId: number;
    readonly format: ExportFormat;
    readonly statuses: readonly ActionStatus[] | undefined;
  },
): Promise<{ readonly text: string; readonly name: string }> {
  const { mediaId, format } = request;
  const asset = await findAsset(db, scope, mediaId);
  const video = (await findActionVideos(db, scope, [mediaId])).get(mediaId);
  if (!asset || !video || video.inBin) throw new AppError('not_found', `There is no asset ${mediaId}.`);
  if (video.mediaType !== 'video') {
    throw new AppError('state_conflict', `Asset ${mediaId} is a photo: only videos have actions.`);
  }
  const { frameRate, startTimecode } = video;
  const timeBase: TimeBase = { ...(frameRate && { frameRate }), ...(startTimecode !== null && { startTimecode }) };
  const base = asset.name.replace(/\.[^.]*$/, '');
  const actions = await readAll(db, scope, request);
  const write = (): string => {
    switch (format) {
      case 'sportscode_xml':
        return writeSportscode(actions);
      case 'webvtt':
        return writeWebVtt(actions);
      case 'csv':
        return writeEventCsv(actions, timeBase);
      case 'json_lines':
        return writeJsonLines(actions, timeBase);
      case 'edl':
        if (!frameRate) {
          throw new AppError(
            'state_conflict',
            `The frame rate of asset ${mediaId} is not known yet: an EDL counts in frames.`,
          );
        }
        return writeEdl(actions, { ...timeBase, frameRate, title: base, clipName: asset.name });
    }
  };
  return { text: write(), name: `${base}.${EXPORT_FORMATS[format].extension}` };
}
