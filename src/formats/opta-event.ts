import type { EventFileMatch, EventPlayer, EventRecord, EventTag, EventType, JsonObject } from './event-record.ts';
import { type FieldReader, PITCH_RANGE, present } from './field-reader.ts';
import { OPTA_TYPES, Q, QUALIFIER_TAGS, RESTARTS, TYPE } from './opta-types.ts';

/** One event of the feed, checked. */
export type OptaEvent = {
  readonly at: EventRecord['at'];
  readonly fields: FieldReader;
  /** Of the whole feed. */
  readonly id: string;
  /** Counts within its team: what qualifier 55 names. */
  readonly eventId: string;
  readonly typeId: number;
  readonly period?: number;
  readonly clockMs?: number;
  readonly wallclockAt?: string;
  readonly teamId?: string;
  readonly playerId?: string;
  readonly outcome?: string;
  readonly x?: string;
  readonly y?: string;
  readonly version?: number;
  readonly qualifiers: ReadonlyMap<number, string>;
};

export type OptaContext = {
  readonly match: EventFileMatch;
  readonly byTeamEvent: ReadonlyMap<string, OptaEvent>;
  /** Who came on for the player of this event. */
  readonly replacement: OptaEvent | undefined;
};

function cardKey(qualifiers: OptaEvent['qualifiers']): string {
  if (qualifiers.has(Q.red)) return 'card_red';
  if (qualifiers.has(Q.secondYellow)) return 'card_second_yellow';
  return qualifiers.has(Q.yellow) ? 'card_yellow' : 'card';
}

function typeOf(event: OptaEvent): { readonly type: EventType; readonly role?: string; readonly outcome?: string } {
  const { qualifiers } = event;
  const known = OPTA_TYPES[event.typeId];
  const id = String(event.typeId);
  if (!known) return { type: { key: `opta_${id}`, id } };
  const restart = event.typeId === TYPE.pass ? RESTARTS.find(([qualifier]) => qualifiers.has(qualifier)) : undefined;
  const isWon = known.won !== undefined && event.outcome === '1';
  const key = isWon ? known.won.key : (restart?.[1] ?? (event.typeId === TYPE.card ? cardKey(qualifiers) : known.key));
  const role = isWon ? known.won.role : restart ? 'taker' : known.role;
  const named = known.outcomes?.[event.outcome === '1' ? 0 : 1];
  const goal = qualifiers.has(Q.ownGoal) ? 'own_goal' : qualifiers.has(Q.penalty) ? 'penalty' : undefined;
  const outcome =
    event.typeId === TYPE.goal
      ? goal
      : known.outcome && qualifiers.has(Q.blocked)
        ? 'blocked'
        : (known.outcome ?? named);
  return present({ type: { key, name: known.name, id }, role, outcome });
}

/** Events that qualifiers name, of the own team (55) and of the other one (233). */
function relatedOf(event: OptaEvent, context: OptaContext): readonly OptaEvent[] {
  const own = context.byTeamEvent.get(`${event.teamId} ${event.qualifiers.get(Q.relatedEvent)}`);
  const opposite = event.qualifiers.get(Q.oppositeEvent);
  const otherTeam = context.match.clubs
    .map(({ externalIds }) => externalIds?.['opta'])
    .find((id) => id !== undefined && id !== event.teamId);
  const other = opposite === undefined ? undefined : context.byTeamEvent.get(`${otherTeam} ${opposite}`);
  return [own, other].filter((one) => one !== undefined && one !== event).flatMap((one) => one ?? []);
}

function playersOf(event: OptaEvent, role: string | undefined, context: OptaContext): readonly EventPlayer[] {
  const player = (id: string | undefined, as: string | undefined): readonly EventPlayer[] =>
    id === undefined || id === '' || id === '0' ? [] : [present({ externalIds: { opta: id }, role: as })];
  const own = player(event.playerId, role);
  if (event.typeId === TYPE.goal && event.qualifiers.has(Q.assisted)) {
    const assist = context.byTeamEvent.get(`${event.teamId} ${event.qualifiers.get(Q.relatedEvent)}`);
    if (assist && assist.playerId !== event.playerId) return [...own, ...player(assist.playerId, 'assist')];
  }
  return context.replacement ? [...own, ...player(context.replacement.playerId, 'in')] : own;
}

function endOf({ fields, qualifiers }: OptaEvent): {
  readonly endX: number | undefined;
  readonly endY: number | undefined;
} {
  const [x, y] = qualifiers.has(Q.endX) ? [Q.endX, Q.endY] : [Q.blockedX, Q.blockedY];
  return {
    endX: fields.number(`Q${x}`, qualifiers.get(x), PITCH_RANGE),
    endY: fields.number(`Q${y}`, qualifiers.get(y), PITCH_RANGE),
  };
}

/** The feed puts the ball a little beyond the lines now and then: up to 5 outside it is taken as on the line. */
function onPitch(event: OptaEvent, field: 'x' | 'y'): number | undefined {
  const number = Number(event[field] ?? Number.NaN);
  const near = number > -5 && number < 105 ? Math.min(100, Math.max(0, number)) : event[field];
  return event.fields.number(field, near, PITCH_RANGE);
}

function detailsOf(event: OptaEvent): JsonObject {
  const qualifiers = Object.fromEntries([...event.qualifiers].map(([id, value]) => [String(id), value]));
  return {
    opta_event_id: event.eventId,
    ...(event.outcome === undefined ? {} : { opta_outcome: event.outcome }),
    ...(event.qualifiers.size === 0 ? {} : { opta_qualifiers: qualifiers }),
  };
}

function tagsOf(event: OptaEvent): readonly EventTag[] {
  const tags = [...event.qualifiers.keys()].flatMap((id): readonly EventTag[] => {
    const tag = QUALIFIER_TAGS[id];
    return tag ? [{ group: tag[0], text: tag[1] }] : [];
  });
  // A header has one number in passes and another in shots.
  return [...new Map(tags.map((tag) => [`${tag.group}: ${tag.text}`, tag])).values()];
}

function newerOf(one: number | undefined, other: number | undefined): number | undefined {
  return one === undefined || other === undefined ? (one ?? other) : Math.max(one, other);
}

/** The record of an event. */
export function optaRecord(event: OptaEvent, context: OptaContext): EventRecord {
  const { match, replacement } = context;
  const isDeleted = event.typeId === TYPE.deleted;
  const base = { at: event.at, ref: event.id, version: event.version, details: detailsOf(event) };
  if (isDeleted) {
    const type = { key: 'deleted', name: 'Deleted event', id: String(event.typeId) };
    return present({ ...base, deleted: true, type, clubs: [], players: [], tags: [], relatedRefs: [] });
  }
  const { type, role, outcome } = typeOf(event);
  const tags = tagsOf(event);
  const club = match.clubs.find(({ externalIds }) => externalIds?.['opta'] === event.teamId);
  const bare = event.teamId === undefined || event.teamId === '' ? [] : [{ externalIds: { opta: event.teamId } }];
  return present({
    ...base,
    // A correction of either half of a substitution is a correction of it.
    version: newerOf(event.version, replacement?.version),
    deleted: false,
    type,
    wallclockAt: event.wallclockAt,
    period: event.period,
    clockMs: event.clockMs,
    match: match.match,
    clubs: club ? [club] : bare,
    players: playersOf(event, role, context),
    outcome,
    x: onPitch(event, 'x'),
    y: onPitch(event, 'y'),
    ...endOf(event),
    tags,
    relatedRefs: [
      ...new Set([...relatedOf(event, context), ...(replacement ? [replacement] : [])].map(({ id }) => id)),
    ],
  });
}
