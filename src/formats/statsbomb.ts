/**
 * StatsBomb events: one JSON list for a match. `timestamp` counts from the start of its period; the pitch is 120 by 80 with
 * the origin at the top left, the acting team attacking to the right. Events have no versions: a correction has the same id.
 * Source: StatsBomb Open Data Specification; see docs/formats.md.
 */
import { AppError, periodStartMs } from '../base/index.ts';
import {
  createProblems,
  type EventPlayer,
  type EventRecord,
  type EventTag,
  malformedFile,
  NO_MATCH,
  type ParsedEvents,
  refuseTooMany,
} from './event-record.ts';
import { createFieldReader, type FieldReader, isObject, lookUp, PERIOD_RANGE, present } from './field-reader.ts';
import { readClockMs } from './media-time.ts';
import { CARDS, PASS_RESTARTS, SAVES, SHOT_OUTCOMES, STATSBOMB_TYPES } from './statsbomb-types.ts';
import { parseJson, readText } from './text-input.ts';
import { snakeCase, typeKeyOf } from './type-keys.ts';

type Raw = { readonly [name: string]: unknown };

const objectOf = (value: unknown): Raw => (isObject(value) ? value : {});
const nameIn = (value: unknown): string | undefined => {
  const { name } = objectOf(value);
  return typeof name === 'string' && name !== '' ? name : undefined;
};

/** A team or player: `{id, name}`. */
function entityOf(
  value: unknown,
): { readonly name?: string; readonly externalIds?: Record<string, string> } | undefined {
  const { id } = objectOf(value);
  const name = nameIn(value);
  const externalIds = typeof id === 'number' || typeof id === 'string' ? { statsbomb: String(id) } : undefined;
  return name === undefined && externalIds === undefined ? undefined : present({ name, externalIds });
}

/** A place in 0..100 as this service has it: the origin at the bottom left, where theirs is at the top left. */
function placeIn(fields: FieldReader, field: string, value: unknown): { readonly x?: number; readonly y?: number } {
  if (value === undefined || value === null) return {};
  const [x, y] = Array.isArray(value) ? value : [];
  if (typeof x !== 'number' || typeof y !== 'number' || !(x >= -1 && x <= 121 && y >= -1 && y <= 81)) {
    fields.problem(field, 'expected [x, y] within 120 by 80, received something else');
    return {};
  }
  const percent = (part: number) => Math.round(Math.min(1, Math.max(0, part)) * 10_000) / 100;
  return { x: percent(x / 120), y: percent(1 - y / 80) };
}

/** The parts of an event that are named after its type, with their place in it. */
type Parts = {
  readonly shot: Raw;
  readonly pass: Raw;
  readonly goalkeeper: Raw;
  readonly substitution: Raw;
  readonly card: string | undefined;
};

function partsOf(event: Raw): Parts {
  const card = nameIn(objectOf(event['foul_committed'])['card']) ?? nameIn(objectOf(event['bad_behaviour'])['card']);
  return {
    shot: objectOf(event['shot']),
    pass: objectOf(event['pass']),
    goalkeeper: objectOf(event['goalkeeper']),
    substitution: objectOf(event['substitution']),
    card,
  };
}

function keyOf(name: string, parts: Parts): string {
  if (name === 'Shot' && nameIn(parts.shot['outcome']) === 'Goal') return 'goal';
  const restart = name === 'Pass' ? lookUp(PASS_RESTARTS, nameIn(parts.pass['type']) ?? '') : undefined;
  if (restart !== undefined) return restart;
  if (name === 'Bad Behaviour' && parts.card !== undefined) return lookUp(CARDS, parts.card) ?? 'card';
  if (SAVES.has(nameIn(parts.goalkeeper['type']) ?? '')) return 'save';
  return lookUp(STATSBOMB_TYPES, name)?.key ?? typeKeyOf(name);
}

function outcomeOf(name: string, event: Raw, parts: Parts): string | undefined {
  if (name === 'Own Goal Against') return 'own_goal';
  const part = objectOf(event[snakeCase(name)]);
  const outcome = nameIn(name === 'Goal Keeper' ? parts.goalkeeper['outcome'] : part['outcome']);
  if (name === 'Shot' && outcome === 'Goal') return nameIn(parts.shot['type']) === 'Penalty' ? 'penalty' : undefined;
  // A pass that has no outcome arrived.
  if (name === 'Pass' && outcome === undefined) return 'complete';
  return outcome === undefined ? undefined : (lookUp(SHOT_OUTCOMES, outcome) ?? snakeCase(outcome));
}

function playersOf(name: string, event: Raw, parts: Parts, passes: ReadonlyMap<string, Raw>): readonly EventPlayer[] {
  const player = (value: unknown, role: string | undefined): readonly EventPlayer[] => {
    const entity = entityOf(value);
    return entity ? [present({ ...entity, role })] : [];
  };
  const key = keyOf(name, parts);
  const isRestart = name === 'Pass' && key !== 'pass';
  const role = key === 'goal' ? 'scorer' : isRestart ? 'taker' : lookUp(STATSBOMB_TYPES, name)?.role;
  const assist = key === 'goal' ? passes.get(String(parts.shot['key_pass_id'])) : undefined;
  return [
    ...player(event['player'], role),
    ...player(parts.pass['recipient'], 'receiver'),
    ...player(parts.substitution['replacement'], 'in'),
    ...player(assist?.['player'], 'assist'),
  ];
}

function tagsOf(name: string, event: Raw, parts: Parts): readonly EventTag[] {
  const part = { ...parts.shot, ...parts.pass, ...parts.goalkeeper };
  const named = (group: string, value: unknown): readonly EventTag[] => {
    const text = nameIn(value);
    return text === undefined ? [] : [{ group, text: text.toLowerCase() }];
  };
  const flags = [
    'cross',
    'through_ball',
    'cut_back',
    'switch',
    'first_time',
    'deflected',
    'one_on_one',
    'open_goal',
    'aerial_won',
  ];
  return [
    ...named('situation', event['play_pattern']),
    ...named('body part', part['body_part']),
    ...named('technique', part['technique']),
    ...(name === 'Shot' ? named('situation', parts.shot['type']) : []),
    ...flags.filter((flag) => part[flag] === true).map((flag) => ({ group: 'pass', text: flag.replaceAll('_', ' ') })),
    ...(event['under_pressure'] === true ? [{ group: 'situation', text: 'under pressure' }] : []),
  ];
}

function clockOf(fields: FieldReader, event: Raw, period: number | undefined): number | undefined {
  const start = period === undefined ? undefined : periodStartMs(period);
  const text = event['timestamp'];
  const elapsed = typeof text === 'string' ? readClockMs(text) : undefined;
  if (elapsed === undefined)
    fields.problem('timestamp', 'expected hh:mm:ss.mmm within the period, received something else');
  return start === undefined || elapsed === undefined ? undefined : start + elapsed;
}

function recordsOf(event: Raw, fields: FieldReader, passes: ReadonlyMap<string, Raw>): readonly EventRecord[] {
  const { at } = fields;
  const ref = String(event['id']);
  const name = nameIn(event['type']) ?? '';
  const parts = partsOf(event);
  const period = fields.number('period', event['period'], PERIOD_RANGE);
  const team = entityOf(event['team']);
  const end = placeIn(
    fields,
    'end_location',
    parts.shot['end_location'] ?? parts.pass['end_location'] ?? objectOf(event['carry'])['end_location'],
  );
  const related = event['related_events'];
  const keyPass = parts.shot['key_pass_id'];
  const relatedRefs = [...(Array.isArray(related) ? related : []), keyPass].filter(
    (one): one is string => typeof one === 'string',
  );
  const typeId = objectOf(event['type'])['id'];
  const xg = parts.shot['statsbomb_xg'];
  const record: EventRecord = present({
    at,
    ref,
    deleted: false,
    type: present({ key: keyOf(name, parts), name, id: typeof typeId === 'number' ? String(typeId) : undefined }),
    period,
    clockMs: clockOf(fields, event, period),
    clubs: team ? [team] : [],
    players: playersOf(name, event, parts, passes),
    outcome: outcomeOf(name, event, parts),
    ...placeIn(fields, 'location', event['location']),
    endX: end.x,
    endY: end.y,
    tags: tagsOf(name, event, parts),
    details: present({
      statsbomb_index: typeof event['index'] === 'number' ? event['index'] : undefined,
      possession: typeof event['possession'] === 'number' ? event['possession'] : undefined,
      duration_ms: typeof event['duration'] === 'number' ? Math.round(event['duration'] * 1000) : undefined,
      xg: typeof xg === 'number' ? xg : undefined,
    }),
    relatedRefs: [...new Set(relatedRefs)],
  });
  const card = name === 'Foul Committed' ? parts.card : undefined;
  if (card === undefined) return [record];
  const players = record.players.map((player) => ({ ...player, role: 'carded' }));
  const { outcome: _, ...rest } = record;
  const type = { key: lookUp(CARDS, card) ?? 'card', name: card };
  return [
    record,
    { ...rest, ref: `${ref}/card`, type, players, tags: [], details: {}, relatedRefs: [ref], parentRef: ref },
  ];
}

function eventsOf(bytes: Uint8Array): readonly unknown[] {
  const value = parseJson(readText(bytes), { format: 'StatsBomb events' });
  if (Array.isArray(value)) return value;
  throw malformedFile('StatsBomb events', { line: 1, column: 1 }, 'expected a list of events');
}

/**
 * Records of a StatsBomb events file. The clock is the running one; a goal carries its assist; a card that came with a foul
 * is a record of its own, `<id of the foul>/card`.
 * @throws payload_too_large, file_empty; validation_failed naming line and column for what is no such JSON
 */
export function parseStatsBomb(bytes: Uint8Array): ParsedEvents {
  const events = eventsOf(bytes);
  refuseTooMany(events.length);
  const problems = createProblems();
  const isEvent = (event: unknown): event is Raw => {
    const { id, type } = objectOf(event);
    return (typeof id === 'string' || typeof id === 'number') && id !== '' && nameIn(type) !== undefined;
  };
  if (events.length > 0 && !events.some(isEvent)) {
    throw new AppError('validation_failed', 'Expected StatsBomb events with id and type, received a list without any.');
  }
  const passes = new Map(
    events
      .filter(isEvent)
      .filter((event) => event['pass'] !== undefined)
      .map((event) => [String(event['id']), event]),
  );
  const records = events.flatMap((event, index): readonly EventRecord[] => {
    if (isEvent(event)) return recordsOf(event, createFieldReader({ index }, problems), passes);
    problems.add({ index }, 'id', 'expected an event with id and type', { isLeftOut: true });
    return [];
  });
  const teams = new Map(records.flatMap(({ clubs }) => clubs).map((club) => [JSON.stringify(club), club]));
  return { records, problems: problems.list, match: { ...NO_MATCH, clubs: [...teams.values()] }, colours: {} };
}
