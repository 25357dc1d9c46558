/**
 * Sportscode XML edit lists: `<file>` with `<ALL_INSTANCES>` (instances with start and end in seconds from the first frame, a
 * code, labels in groups), `<ROWS>` (colours of the codes) and `<SESSION_INFO>` (time of day of the first frame).
 * Source: Hudl, "XML Edit List"; see docs/formats.md.
 */
import { recordFromJson } from './action-json.ts';
import {
  createProblems,
  type EventPlayer,
  type EventProblems,
  type EventRecord,
  type EventTag,
  NO_MATCH,
  type ParsedEvents,
  refuseTooMany,
} from './event-record.ts';
import { createFieldReader, type FieldReader, isObject, MS_RANGE, present, utcTime } from './field-reader.ts';
import { readPeriod } from './periods.ts';
import { codeText, labelKey, OWN_GROUP, readableLabels } from './sportscode-labels.ts';
import { readText } from './text-input.ts';
import { snakeCase, typeKeyOf } from './type-keys.ts';
import { childText, readXml, type XmlElement } from './xml.ts';

/** The maker's own files hold bare ampersands ("breaks strict XML standards"): they are read as the character. */
const BARE_AMPERSAND = /&(?!(?:amp|lt|gt|quot|apos|#\d{1,7}|#x[0-9a-f]{1,6});)/gi;

/** Groups of labels, folded, that name players with a role; a group that is not known makes tags. */
const PLAYER_GROUPS: Readonly<Record<string, string | undefined>> = {
  player: undefined,
  players: undefined,
  player_name: undefined,
  scorer: 'scorer',
  goalscorer: 'scorer',
  assist: 'assist',
  assisted_by: 'assist',
  shooter: 'shooter',
  passer: 'passer',
  receiver: 'receiver',
  goalkeeper: 'goalkeeper',
  keeper: 'goalkeeper',
  taker: 'taker',
  fouler: 'fouler',
  fouled: 'fouled',
  player_in: 'in',
  player_out: 'out',
};
const CLUB_GROUPS: ReadonlySet<string> = new Set(['team', 'teams', 'club', 'clubs', 'team_name']);
const OUTCOME_GROUPS: ReadonlySet<string> = new Set(['outcome', 'result']);
const PERIOD_GROUPS: ReadonlySet<string> = new Set(['period', 'half']);

/** `7 Name`, `#7 Name`, `7. Name`: the shirt and the name. */
function playerFrom(text: string, role: string | undefined): EventPlayer {
  const [, shirt, name] = /^#?(\d{1,2})[.\s-]+(\p{L}.*)$/u.exec(text) ?? [];
  return present({ name: name ?? text, shirt: shirt === undefined ? undefined : Number(shirt), role });
}

function labelsOf(instance: XmlElement): readonly EventTag[] {
  return instance.children
    .filter((child) => child.name === 'label')
    .flatMap((label) => {
      const text = childText(label, 'text');
      return text === undefined ? [] : [present({ group: childText(label, 'group'), text })];
    });
}

/** Seconds with a fraction as whole ms; some writers put a comma. */
function secondsField(fields: FieldReader, instance: XmlElement, name: string): number | undefined {
  const text = childText(instance, name)?.replace(',', '.');
  if (text === undefined) return undefined;
  const ms = Math.round(Number(text) * 1000);
  // Instances that were cut at the first frame may begin a little before it.
  return fields.number(name, Number.isNaN(ms) ? text : ms < 0 && ms > -1000 ? 0 : ms, MS_RANGE);
}

/** What the labels of an instance say, by the names of their groups. */
function factsOf(labels: readonly EventTag[]): Pick<EventRecord, 'players' | 'clubs' | 'tags' | 'period' | 'outcome'> {
  const groupOf = ({ group }: EventTag) => snakeCase(group ?? '');
  const isPlayer = (label: EventTag) => Object.hasOwn(PLAYER_GROUPS, groupOf(label));
  const period = labels.find((label) => PERIOD_GROUPS.has(groupOf(label)) && readPeriod(label.text) !== undefined);
  const outcome = labels.find((label) => OUTCOME_GROUPS.has(groupOf(label)));
  return present({
    players: labels.filter(isPlayer).map((label) => playerFrom(label.text, PLAYER_GROUPS[groupOf(label)])),
    clubs: labels.filter((label) => CLUB_GROUPS.has(groupOf(label))).map(({ text }) => ({ name: text })),
    period: period && readPeriod(period.text),
    outcome: outcome?.text,
    tags: labels.filter(
      (label) => !isPlayer(label) && !CLUB_GROUPS.has(groupOf(label)) && label !== period && label !== outcome,
    ),
  });
}

/** The record of an instance that we wrote: its label has it whole, and what was edited since in the instance wins. */
function ownRecord(instance: XmlElement, labels: readonly EventTag[], fields: FieldReader): EventRecord | undefined {
  const own = labels.find(({ group }) => group === OWN_GROUP)?.text;
  let value: unknown;
  try {
    value = own === undefined ? undefined : JSON.parse(own);
  } catch {
    fields.problem(
      'label',
      `expected JSON in the group ${OWN_GROUP}, received something else: the other labels are read`,
    );
  }
  const record = isObject(value) ? recordFromJson(value, { fields, fallbackRef: '', timeBase: {} }) : undefined;
  if (!record) return undefined;
  const code = childText(instance, 'code');
  const type =
    code === undefined || code === codeText(record.type).trim() ? record.type : { key: typeKeyOf(code), name: code };
  const written = new Set(readableLabels(record).map(labelKey));
  const added = labels.filter((label) => label.group !== OWN_GROUP && !written.has(labelKey(label)));
  return {
    ...record,
    ...present({ startMs: secondsField(fields, instance, 'start'), endMs: secondsField(fields, instance, 'end') }),
    type,
    tags: [...record.tags, ...added],
  };
}

function readInstance(instance: XmlElement, index: number, problems: EventProblems): EventRecord | undefined {
  const at = { line: instance.line, index };
  const fields = createFieldReader(at, problems);
  const labels = labelsOf(instance);
  const own = ownRecord(instance, labels, fields);
  if (own) return own;
  const code = childText(instance, 'code');
  if (code === undefined) {
    problems.add(at, 'code', 'expected a code, received none', { isLeftOut: true });
    return undefined;
  }
  const startMs = secondsField(fields, instance, 'start');
  const endMs = secondsField(fields, instance, 'end');
  const isBackwards = startMs !== undefined && endMs !== undefined && endMs < startMs;
  if (isBackwards) fields.problem('end', `expected an end from ${startMs / 1000}, received ${endMs / 1000}`);
  const notes = childText(instance, 'free_text') ?? childText(instance, 'notes');
  return present({
    at,
    ref: childText(instance, 'ID') ?? `line:${instance.line}`,
    deleted: false,
    relatedRefs: [],
    type: { key: typeKeyOf(code), name: code },
    startMs,
    endMs: isBackwards ? undefined : endMs,
    ...factsOf(labels),
    details: notes === undefined ? {} : { notes },
  });
}

/** 16-bit parts, as the rows have them, as `#rrggbb`. */
function colourOf(row: XmlElement): string | undefined {
  const parts = ['R', 'G', 'B'].map((name) => Number(childText(row, name) ?? Number.NaN));
  if (!parts.every((part) => Number.isFinite(part) && part >= 0 && part <= 65_535)) return undefined;
  return `#${parts
    .map((part) =>
      Math.floor(part / 256)
        .toString(16)
        .padStart(2, '0'),
    )
    .join('')}`;
}

/**
 * Records of a Sportscode XML file. Codes become types; labels of groups such as Player, Team, Outcome and Period become
 * players, clubs and so on, and all others tags.
 * @throws payload_too_large, file_empty; validation_failed naming line and column for what is no such XML
 */
export function parseSportscode(bytes: Uint8Array): ParsedEvents {
  const text = readText(bytes).replace(BARE_AMPERSAND, '&amp;');
  const problems = createProblems();
  const records: EventRecord[] = [];
  const colours: Record<string, string> = {};
  let index = 0;
  let mediaStartedAt: string | undefined;
  readXml(text, {
    format: 'Sportscode XML',
    isWanted: (path) => path.length >= 2 && ['instance', 'row', 'SESSION_INFO'].includes(path.at(-1) ?? ''),
    onElement(element) {
      if (element.name === 'instance') {
        refuseTooMany(index + 1);
        const record = readInstance(element, index, problems);
        index += 1;
        if (record) records.push(record);
      } else if (element.name === 'row') {
        const code = childText(element, 'code');
        const colour = colourOf(element);
        if (code !== undefined && colour !== undefined) colours[typeKeyOf(code)] = colour;
      } else {
        mediaStartedAt = utcTime(childText(element, 'start_time') ?? '') ?? mediaStartedAt;
      }
    },
  });
  return { records, problems: problems.list, match: present({ ...NO_MATCH, mediaStartedAt }), colours };
}
