/**
 * Opta F24 XML: `<Games><Game><Event><Q>`. `min` and `sec` are the running match clock (45:00 at the start of period 2).
 * An event keeps its `id` through corrections: `version` and `last_modified` grow, and a deleted one comes again as type 43.
 * Source: see docs/formats.md.
 */
import {
  createProblems,
  type EventClub,
  type EventFileMatch,
  type EventProblems,
  type EventRecord,
  type ParsedEvents,
  refuseTooMany,
} from './event-record.ts';
import { createFieldReader, ID_RANGE, MINUTE_RANGE, PERIOD_RANGE, present } from './field-reader.ts';
import { type OptaEvent, optaRecord } from './opta-event.ts';
import { readOptaTime } from './opta-time.ts';
import { Q, TYPE } from './opta-types.ts';
import { readText } from './text-input.ts';
import { readXml, type XmlElement } from './xml.ts';

const SECONDS_RANGE = { min: 0, max: 59, isWhole: true };
const TYPE_RANGE = { min: 1, max: 9999, isWhole: true };

/** Numbers of a `version` beyond what a double holds, or none: the time of the last change tells which is newer. */
function versionOf(attributes: XmlElement['attributes']): number | undefined {
  const version = Number(attributes['version'] ?? Number.NaN);
  if (Number.isSafeInteger(version) && version >= 0) return version;
  return readOptaTime(attributes['last_modified'] ?? '');
}

function qualifiersOf(element: XmlElement): ReadonlyMap<number, string> {
  const pairs = element.children
    .filter(({ name }) => name === 'Q')
    .map(({ attributes }) => [Number(attributes['qualifier_id']), attributes['value'] ?? ''] as const);
  return new Map(pairs.filter(([id]) => Number.isSafeInteger(id)));
}

function readEvent(element: XmlElement, index: number, problems: EventProblems): OptaEvent | undefined {
  const { attributes } = element;
  const at = { line: element.line, index };
  const fields = createFieldReader(at, problems);
  const typeId = fields.number('type_id', attributes['type_id'], TYPE_RANGE);
  const id = attributes['id']?.trim();
  if (typeId === undefined || id === undefined || id === '') {
    problems.add(at, id ? 'type_id' : 'id', 'expected an event with id and type_id', { isLeftOut: true });
    return undefined;
  }
  // 10 to 16 are half time, before and after the match and so on: no time of play.
  const periodId = Number(attributes['period_id'] ?? Number.NaN);
  const period = periodId >= 6 ? undefined : fields.number('period_id', attributes['period_id'], PERIOD_RANGE);
  const minute = fields.number('min', attributes['min'], { ...MINUTE_RANGE, min: 0 });
  const second = fields.number('sec', attributes['sec'], SECONDS_RANGE);
  const timestamp = attributes['timestamp_utc'] ?? attributes['timestamp'];
  const wallclockMs = timestamp === undefined ? undefined : readOptaTime(timestamp);
  if (timestamp !== undefined && wallclockMs === undefined)
    fields.problem('timestamp', `expected a time, received "${timestamp}"`);
  return present({
    at,
    fields,
    id,
    eventId: attributes['event_id'] ?? '',
    typeId,
    period,
    clockMs: period === undefined || minute === undefined ? undefined : (minute * 60 + (second ?? 0)) * 1000,
    wallclockAt: wallclockMs === undefined ? undefined : new Date(wallclockMs).toISOString(),
    teamId: attributes['team_id'],
    playerId: attributes['player_id'],
    outcome: attributes['outcome'],
    x: attributes['x'],
    y: attributes['y'],
    version: fields.number('version', versionOf(attributes), { ...ID_RANGE, min: 0 }),
    qualifiers: qualifiersOf(element),
  });
}

const clubOf = (id: string, name: string | undefined, side: 'home' | 'away'): EventClub =>
  present({ externalIds: { opta: id }, name, side });

type Game = { readonly attributes: XmlElement['attributes']; readonly clubs: readonly EventClub[] };

function gameOf(attributes: XmlElement['attributes']): Game {
  const { home_team_id: home, away_team_id: away } = attributes;
  const clubs = [
    ...(home === undefined ? [] : [clubOf(home, attributes['home_team_name'], 'home')]),
    ...(away === undefined ? [] : [clubOf(away, attributes['away_team_name'], 'away')]),
  ];
  return { attributes, clubs };
}

function matchOf(game: Game | undefined, events: readonly OptaEvent[]): EventFileMatch {
  const id = game?.attributes['id'];
  const kickOffs = new Map<number, string>();
  for (const { typeId, period, wallclockAt } of events) {
    // Both teams have a start event; the earlier is the kick-off.
    if (typeId !== TYPE.start || period === undefined || wallclockAt === undefined) continue;
    const known = kickOffs.get(period);
    if (known === undefined || wallclockAt < known) kickOffs.set(period, wallclockAt);
  }
  return present({
    match: id === undefined ? undefined : { externalIds: { opta: id } },
    clubs: game?.clubs ?? [],
    kickOffs: [...kickOffs]
      .map(([period, wallclockAt]) => ({ period, wallclockAt }))
      .sort((a, b) => a.period - b.period),
  });
}

/** The newest edition of each event, in the order of their first ones: a stream of updates may hold several. */
function newestOf(events: readonly OptaEvent[]): readonly OptaEvent[] {
  const newest = new Map<string, OptaEvent>();
  for (const event of events) {
    const known = newest.get(event.id);
    if (!known || (event.version ?? 0) >= (known.version ?? 0)) newest.set(event.id, event);
  }
  return [...newest.values()];
}

/** Substitutions: the event of who comes on goes into that of who goes off, which qualifier 55 or the moment tells. */
function pairSubstitutions(events: readonly OptaEvent[]): ReadonlyMap<OptaEvent, OptaEvent> {
  const pairs = new Map<OptaEvent, OptaEvent>();
  const off = events.filter(({ typeId }) => typeId === TYPE.playerOff);
  const free = new Set(events.filter(({ typeId }) => typeId === TYPE.playerOn));
  const pair = (one: OptaEvent, other: OptaEvent | undefined) => {
    if (pairs.has(one) || !other || !free.delete(other)) return;
    pairs.set(one, other);
  };
  const related = ({ teamId, qualifiers }: OptaEvent) => `${teamId} ${qualifiers.get(Q.relatedEvent)}`;
  const named = new Map([...free].map((event) => [`${event.teamId} ${event.eventId}`, event]));
  const naming = new Map([...free].map((event) => [related(event), event]));
  for (const one of off) pair(one, named.get(related(one)) ?? naming.get(`${one.teamId} ${one.eventId}`));
  const moment = ({ teamId, period, clockMs }: OptaEvent) => `${teamId} ${period} ${clockMs}`;
  const atOnce = new Map<string, OptaEvent[]>();
  for (const one of free) {
    const queue = atOnce.get(moment(one)) ?? [];
    queue.push(one);
    atOnce.set(moment(one), queue);
  }
  for (const one of off.filter((event) => !pairs.has(event))) pair(one, atOnce.get(moment(one))?.shift());
  return pairs;
}

/**
 * Records of an Opta F24 file. A goal carries its assist, a substitution both players (under the id of the event of who goes
 * off); deleted events are records with `deleted`.
 * @throws payload_too_large, file_empty; validation_failed naming line and column for what is no such XML
 */
export function parseOptaF24(bytes: Uint8Array): ParsedEvents {
  const problems = createProblems();
  const read: OptaEvent[] = [];
  let index = 0;
  let game: Game | undefined;
  let games = 0;
  readXml(readText(bytes), {
    format: 'Opta F24 XML',
    isWanted: (path) => path.at(-1) === 'Event' && path.at(-2) === 'Game',
    onOpen({ name, attributes }) {
      if (name !== 'Game') return;
      games += 1;
      if (games === 1) game = gameOf(attributes);
      else if (games === 2)
        problems.add({ index }, 'Game', 'expected one match in a file, received several: all events are read');
    },
    onElement(element) {
      refuseTooMany(index + 1);
      const event = readEvent(element, index, problems);
      index += 1;
      if (event) read.push(event);
    },
  });
  const events = newestOf(read);
  const match = matchOf(game, events);
  const byTeamEvent = new Map(events.map((event) => [`${event.teamId} ${event.eventId}`, event]));
  const pairs = pairSubstitutions(events);
  const merged = new Set(pairs.values());
  const records = events
    .filter((event) => !merged.has(event))
    .map((event): EventRecord => optaRecord(event, { match, byTeamEvent, replacement: pairs.get(event) }));
  // Some faults show when a record is made of its event, after all events were read.
  const inOrder = problems.list.toSorted((a, b) => a.at.index - b.at.index);
  return { records, problems: inOrder, match, colours: {} };
}
