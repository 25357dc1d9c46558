/**
 * An action as one JSON object, in the words of the API (`POST /v1/media/{id}/action`), with names and ids of other systems
 * beside our ids. JSON Lines has one a line; WebVTT and EDL carry it in comments and Sportscode XML in a label, which is what
 * makes their way back lossless.
 */
import type {
  EventClub,
  EventEntity,
  EventPlayer,
  EventRecord,
  EventTag,
  EventType,
  ExportedAction,
  JsonObject,
  JsonValue,
} from './event-record.ts';
import {
  type FieldReader,
  FRACTION_RANGE,
  ID_RANGE,
  isObject,
  MINUTE_RANGE,
  MS_RANGE,
  PERIOD_RANGE,
  PITCH_RANGE,
  present,
  SHIRT_RANGE,
  shown,
} from './field-reader.ts';
import { readMediaTime, type TimeBase } from './media-time.ts';
import { typeKeyOf } from './type-keys.ts';

type Json = { [name: string]: JsonValue | undefined };

function withoutUndefined(value: Json): JsonObject {
  const entries = Object.entries(value).flatMap(([name, member]) =>
    member === undefined ? [] : [[name, member] as const],
  );
  return Object.fromEntries(entries);
}

function entityToJson(entity: EventEntity, extra: Json = {}): JsonObject {
  return withoutUndefined({ id: entity.id, label: entity.name, external_ids: entity.externalIds, ...extra });
}

/** What an exported action is in JSON. Derived members that a reader may want, such as timecodes, are in `extra`. */
export function actionToJson(action: ExportedAction, extra: Json = {}): JsonObject {
  const { type } = action;
  return withoutUndefined({
    id: action.id,
    type: type.key,
    type_label: type.name,
    type_id: type.id,
    label: action.label,
    start_ms: action.startMs,
    end_ms: action.endMs,
    event_ms: action.eventMs,
    ...extra,
    wallclock_at: action.wallclockAt,
    period: action.period,
    clock_ms: action.clockMs,
    minute: action.minute,
    stoppage: action.stoppage,
    match: action.match && entityToJson(action.match),
    clubs: action.clubs.map((club) => entityToJson(club, { side: club.side })),
    players: action.players.map((player) => entityToJson(player, { role: player.role, shirt: player.shirt })),
    outcome: action.outcome,
    x: action.x,
    y: action.y,
    end_x: action.endX,
    end_y: action.endY,
    tag_options: action.tags.map((tag) => withoutUndefined({ id: tag.id, label: tag.text, category: tag.group })),
    details: action.details,
    source: action.source,
    source_ref: action.sourceRef,
    source_version: action.sourceVersion,
    confidence: action.confidence,
    status: action.status,
    parent_id: action.parentId,
    version: action.version,
  });
}

/**
 * A club, player, match or tag: an integer is our id, a text with a colon the id of another system (`opta:101`), any other
 * text a name; an object has `id` (the same), `label` and `external_ids`.
 */
function readEntity(fields: FieldReader, field: string, value: unknown): EventEntity | undefined {
  if (typeof value === 'number') {
    const id = fields.number(field, value, ID_RANGE);
    return id === undefined ? undefined : { id };
  }
  if (typeof value === 'string' && value !== '') {
    const [, system, id] = /^([a-z][a-z0-9_.-]*):(\S+)$/.exec(value) ?? [];
    return system !== undefined && id !== undefined ? { externalIds: { [system]: id } } : { name: value };
  }
  if (!isObject(value)) {
    if (value !== undefined && value !== null)
      fields.problem(field, `expected an id or an object, received ${shown(value)}`);
    return undefined;
  }
  const named = readEntity(fields, `${field}/id`, value['id']) ?? {};
  const name = fields.text(`${field}/label`, value['label'] ?? value['name']);
  const given = isObject(value['external_ids']) ? Object.entries(value['external_ids']) : [];
  const texts = given.filter((pair): pair is [string, string] => typeof pair[1] === 'string');
  const externalIds = texts.length > 0 ? { ...named.externalIds, ...Object.fromEntries(texts) } : named.externalIds;
  return present({ ...named, name: name ?? named.name, externalIds });
}

function readClubs(fields: FieldReader, value: unknown): readonly EventClub[] {
  return fields.list('clubs', value).flatMap((one, index) => {
    const entity = readEntity(fields, `clubs/${index}`, one);
    if (!entity) return [];
    const side = isObject(one) ? one['side'] : undefined;
    if (side === 'home' || side === 'away') return [{ ...entity, side } as const];
    if (side !== undefined && side !== null)
      fields.problem(`clubs/${index}/side`, `expected home or away, received ${shown(side)}`);
    return [entity];
  });
}

function readPlayers(fields: FieldReader, value: unknown): readonly EventPlayer[] {
  return fields.list('players', value).flatMap((one, index) => {
    const entity = readEntity(fields, `players/${index}`, one);
    if (!entity) return [];
    const more = isObject(one) ? one : {};
    const role = fields.text(`players/${index}/role`, more['role']);
    const shirt = fields.number(`players/${index}/shirt`, more['shirt'], SHIRT_RANGE);
    return [present({ ...entity, role, shirt })];
  });
}

function readTags(fields: FieldReader, value: unknown): readonly EventTag[] {
  return fields.list('tag_options', value).flatMap((one, index) => {
    const entity = readEntity(fields, `tag_options/${index}`, one);
    if (!entity) return [];
    const more = isObject(one) ? one : {};
    const group = fields.text(`tag_options/${index}/category`, more['category'] ?? more['group']);
    return [present({ id: entity.id, group, text: entity.name ?? '' })];
  });
}

function readType(fields: FieldReader, value: { readonly [name: string]: unknown }): EventType | undefined {
  const given = value['type'];
  // As the API answers it: the ID in `type`, the key beside it.
  const key = typeof given === 'number' ? (fields.text('type_key', value['type_key']) ?? given) : given;
  const type = isObject(given) ? (given['key'] ?? given['label'] ?? given['id']) : key;
  const name = fields.text('type_label', isObject(given) ? given['label'] : value['type_label']);
  const ownId = typeof given === 'number' ? String(given) : value['type_id'];
  const id = fields.text('type_id', isObject(given) ? given['id'] : ownId);
  if (typeof type === 'number')
    return present({ key: name === undefined ? '' : typeKeyOf(name), name, id: String(type) });
  if (typeof type === 'string' && type.trim() !== '') {
    const isKey = /^[a-z0-9]+(?:_[a-z0-9]+)*$/.test(type);
    return present({ key: isKey ? type : typeKeyOf(type), name: name ?? (isKey ? undefined : type), id });
  }
  return undefined;
}

/** Members of an action that say nothing to an import: derived, or of the record they came from. */
const PASSED_OVER = [
  'media_id',
  'places',
  'created_at',
  'updated_at',
  'created_by',
  'updated_by',
  'match_id',
  'poster_url',
  'play_url',
  'clip_url',
  'type_key',
  'match_label',
  'frame_rate',
  'in_ms',
  'out_ms',
  'angles',
  'index',
  'result',
];
const KNOWN: ReadonlySet<string> = new Set([
  ...PASSED_OVER,
  ...'id type type_label type_id label start_ms end_ms event_ms start_tc end_tc wallclock_at period clock_ms minute'.split(
    ' ',
  ),
  ...'stoppage match clubs players outcome x y end_x end_y tag_options tags details source source_ref ref'.split(' '),
  ...'source_version confidence status deleted parent_id parent_ref related_refs version'.split(' '),
]);

export type JsonRecordOptions = {
  readonly fields: FieldReader;
  /** The `ref` of a record that has none of its own. */
  readonly fallbackRef: string;
  readonly timeBase: TimeBase;
};

/** A record out of an action in JSON; what does not fit is told and left out. `undefined` where nothing tells the type. */
export function recordFromJson(
  value: { readonly [name: string]: unknown },
  options: JsonRecordOptions,
): EventRecord | undefined {
  const { fields, fallbackRef, timeBase } = options;
  const type = readType(fields, value);
  if (!type) return undefined;
  for (const name of Object.keys(value)) {
    if (!KNOWN.has(name))
      fields.problem(name, 'expected a field of an action, received an unknown one: it is left out');
  }
  const ms = (name: string) => fields.number(name, value[name], MS_RANGE);
  const place = (name: string) => fields.number(name, value[name], PITCH_RANGE);
  const whole = (name: string) => fields.number(name, value[name], ID_RANGE);
  const startMs = ms('start_ms') ?? readMediaTime(fields, 'start_tc', value['start_tc'], timeBase);
  const endMs = ms('end_ms') ?? readMediaTime(fields, 'end_tc', value['end_tc'], timeBase);
  const isBackwards = startMs !== undefined && endMs !== undefined && endMs < startMs;
  if (isBackwards) fields.problem('end_ms', `expected an end from ${startMs}, received ${endMs}`);
  const status = fields.text('status', value['status']);
  const actionId = whole('id');
  return present({
    at: fields.at,
    ref:
      fields.text('source_ref', value['source_ref'] ?? value['ref']) ??
      (actionId === undefined ? fallbackRef : `touchline:${actionId}`),
    version: fields.number('source_version', value['source_version'], { ...ID_RANGE, min: 0 }),
    deleted: status === 'retracted' || value['deleted'] === true,
    source: fields.text('source', value['source']),
    actionId,
    actionVersion: whole('version'),
    parentId: whole('parent_id'),
    relatedRefs: fields
      .list('related_refs', value['related_refs'])
      .filter((one): one is string => typeof one === 'string'),
    parentRef: fields.text('parent_ref', value['parent_ref']),
    type,
    label: fields.text('label', value['label']),
    startMs,
    endMs: isBackwards ? undefined : endMs,
    eventMs: ms('event_ms'),
    wallclockAt: fields.time('wallclock_at', value['wallclock_at']),
    period: fields.number('period', value['period'], PERIOD_RANGE),
    clockMs: ms('clock_ms'),
    minute: fields.number('minute', value['minute'], MINUTE_RANGE),
    stoppage: fields.number('stoppage', value['stoppage'], MINUTE_RANGE),
    match: readEntity(fields, 'match', value['match']),
    clubs: readClubs(fields, value['clubs']),
    players: readPlayers(fields, value['players']),
    outcome: fields.text('outcome', value['outcome']),
    x: place('x'),
    y: place('y'),
    endX: place('end_x'),
    endY: place('end_y'),
    tags: readTags(fields, value['tag_options'] ?? value['tags']),
    details: fields.object('details', value['details']) ?? {},
    confidence: fields.number('confidence', value['confidence'], FRACTION_RANGE),
    status,
  });
}
