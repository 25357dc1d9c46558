import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { FrameRate } from '../base/index.ts';
import {
  detectEventFormat,
  type EventFormat,
  type EventRecord,
  type ExportedAction,
  type JsonValue,
  parseEvents,
  type TimeBase,
  writeEdl,
  writeEventCsv,
  writeJsonLines,
  writeSportscode,
  writeWebVtt,
} from './index.ts';

const NTSC: FrameRate = { num: 30000, den: 1001 };
const TIME_BASES: readonly (TimeBase & { readonly frameRate: FrameRate })[] = [
  { frameRate: { num: 25, den: 1 }, startTimecode: '10:00:00:00' },
  { frameRate: NTSC, startTimecode: '01:00:00;00' },
  { frameRate: { num: 24000, den: 1001 } },
];

/** What an action is after the way through a file, field by field, by hand: not by the code under test. */
function expected(action: ExportedAction): Omit<EventRecord, 'at'> {
  const { id, source, sourceRef, sourceVersion, parentId, version, ...facts } = action;
  return {
    ...facts,
    ref: sourceRef ?? `touchline:${id}`,
    deleted: action.status === 'retracted',
    actionId: id,
    actionVersion: version,
    relatedRefs: [],
    ...(source === undefined ? {} : { source }),
    ...(sourceVersion === undefined ? {} : { version: sourceVersion }),
    ...(parentId === undefined ? {} : { parentId }),
  };
}

const WRITERS: Readonly<
  Record<
    string,
    {
      readonly format: EventFormat;
      write(actions: readonly ExportedAction[], base: TimeBase & { readonly frameRate: FrameRate }): string;
    }
  >
> = {
  'Sportscode XML': { format: 'sportscode_xml', write: writeSportscode },
  CSV: { format: 'csv', write: writeEventCsv },
  'JSON Lines': { format: 'json_lines', write: writeJsonLines },
  WebVTT: { format: 'webvtt', write: writeWebVtt },
  EDL: {
    format: 'edl',
    write: (actions, base) => writeEdl(actions, { ...base, title: 'Cup; final\n2', clipName: 'ŠKO vs BMA.mp4' }),
  },
};

// Texts with all that formats could trip over: quotes, separators, markup, line ends, controls, formulas. (Lone surrogates are in
// no library: neither UTF-8 nor PostgreSQL can hold them.)
const NASTY = [
  'a',
  'é',
  '漢',
  '😀',
  ' ',
  '  ',
  '"',
  "'",
  ',',
  ';',
  ':',
  '|',
  '\\',
  '\t',
  '\n',
  '\r',
  '\r\n',
  '&',
  '<',
  '>',
  ']]>',
].concat([
  '-->',
  '&amp;',
  '\u0000',
  '\u0001',
  '\u000b',
  '\u007f',
  '\u0085',
  '\u2028',
  '\ufeff',
  '\ufffe',
  '=',
  '+',
  '@',
  '*',
  '#7 ',
  ' (home)',
  'NOTE ',
  'null',
  '{',
  '}',
]);
const text = fc.array(fc.constantFrom(...NASTY), { minLength: 1, maxLength: 12 }).map((parts) => parts.join(''));
const plus = (value: number): number => value + 0; // JSON has no negative zero.
const number = (min: number, max: number) => fc.double({ min, max, noNaN: true }).map(plus);
const id = fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER });
const ms = fc.integer({ min: 0, max: 80_000_000 });
const externalIds = fc.dictionary(fc.constantFrom('opta', 'statsbomb', 'x'), text, { minKeys: 1 });
const entity = { id, name: text, externalIds };
const optional = <T extends object, K extends keyof T>(
  model: { [M in keyof T]: fc.Arbitrary<T[M]> },
  requiredKeys: K[],
) => fc.record(model, { requiredKeys });
// fast-check makes JSON, whose type there is unknown.
const json = fc.jsonValue({ maxDepth: 3 }).map((value) => JSON.parse(JSON.stringify(value)) as JsonValue);

const action = optional(
  {
    id,
    type: optional({ key: fc.constantFrom('goal', 'high_press', 'card_yellow', 'x2'), name: text, id: text }, ['key']),
    label: text,
    place: fc.tuple(ms, fc.integer({ min: 0, max: 100_000 })),
    eventMs: ms,
    wallclockAt: fc.integer({ min: 0, max: 4e12 }).map((at) => new Date(at).toISOString()),
    period: fc.integer({ min: 1, max: 5 }),
    clockMs: ms,
    minute: fc.integer({ min: 1, max: 120 }),
    stoppage: fc.integer({ min: 1, max: 20 }),
    match: optional(entity, ['id']),
    clubs: fc.array(optional({ ...entity, side: fc.constantFrom('home' as const, 'away' as const) }, ['id']), {
      maxLength: 2,
    }),
    players: fc.array(optional({ ...entity, role: text, shirt: fc.integer({ min: 0, max: 99 }) }, ['id']), {
      maxLength: 3,
    }),
    outcome: text,
    x: number(0, 100),
    y: number(0, 100),
    endX: number(0, 100),
    endY: number(0, 100),
    tags: fc.array(optional({ id, group: text, text }, ['text']), { maxLength: 3 }),
    details: fc.dictionary(text, json, { maxKeys: 3 }),
    confidence: number(0, 1),
    status: fc.constantFrom('draft', 'confirmed', 'disputed', 'retracted'),
    source: text,
    sourceRef: text,
    sourceVersion: fc.integer({ min: 0, max: 4e12 }),
    parentId: id,
    version: id,
  },
  ['id', 'type', 'place', 'clubs', 'players', 'tags', 'details', 'version'],
).map(({ place: [startMs, length], ...rest }): ExportedAction => ({ ...rest, startMs, endMs: startMs + length }));
const actions = fc.uniqueArray(action, { minLength: 1, maxLength: 6, selector: (one) => one.id });

const bytesOf = (text: string): Uint8Array => Buffer.from(text, 'utf8');
const sorted = (list: readonly ExportedAction[]) => list.toSorted((a, b) => a.startMs - b.startMs);

describe.each(Object.entries(WRITERS))('%s', (name, { format, write }) => {
  test('gives every field of every action back, whatever is in them', () => {
    fc.assert(
      fc.property(actions, fc.constantFrom(...TIME_BASES), (actions, base) => {
        const file = bytesOf(write(actions, base));
        const { records, problems } = parseEvents(file, { format, ...base });
        expect(problems).toEqual([]);
        // WebVTT has its cues in the order of time.
        const given = name === 'WebVTT' ? sorted(actions) : actions;
        expect(records).toEqual(given.map((one) => ({ ...expected(one), at: expect.anything() })));
      }),
      { numRuns: 150 },
    );
  });

  test('is known by its bytes', () => {
    fc.assert(
      fc.property(fc.array(action, { minLength: 1, maxLength: 2 }), (actions) => {
        expect(detectEventFormat(bytesOf(write(actions, TIME_BASES[0] ?? { frameRate: NTSC })))).toBe(format);
      }),
      { numRuns: 50 },
    );
  });

  test('a file cut off anywhere gives whole records or a refusal, never anything else', () => {
    fc.assert(
      fc.property(
        fc.array(action, { minLength: 1, maxLength: 2 }),
        fc.double({ min: 0.01, max: 0.99, noNaN: true }),
        (actions, part) => {
          const file = bytesOf(write(actions, TIME_BASES[0] ?? { frameRate: NTSC }));
          try {
            const { records } = parseEvents(file.subarray(0, Math.ceil(file.length * part)), {
              format,
              frameRate: { num: 25, den: 1 },
            });
            expect(records.length).toBeLessThanOrEqual(actions.length);
          } catch (error) {
            expect(error).toMatchObject({ name: 'AppError', code: 'validation_failed' });
          }
        },
      ),
      { numRuns: 100 },
    );
  });
});
