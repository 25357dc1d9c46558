import { describe, expect, test } from 'vitest';
import { type ExportedAction, MAX_EVENT_FILE_BYTES, MAX_EVENTS } from './index.ts';
import { parseSportscode } from './sportscode.ts';
import { writeSportscode } from './sportscode-writer.ts';

const EDIT_LIST = `<?xml version="1.0" encoding="UTF-8"?>
<file>
  <SESSION_INFO><start_time>2026-03-14 15:00:12.500 +0100</start_time></SESSION_INFO>
  <SORT_INFO><sort_type>sort order</sort_type></SORT_INFO>
  <ALL_INSTANCES>
    <instance>
      <ID>1</ID><start>12.04</start><end>19.5</end><code>Goals</code>
      <label><group>Team</group><text>Pavonia</text></label>
      <label><group>Scorer</group><text>7 Núñera</text></label>
      <label><group>Assist</group><text>João Valdremo</text></label>
      <label><group>Half</group><text>2nd half</text></label>
      <label><group>Outcome</group><text>left foot</text></label>
      <label><group>Zone</group><text>18 yard box</text></label>
      <label><text>counter</text></label>
      <free_text>Look at the run</free_text>
    </instance>
    <instance>
      <ID>2</ID><start>-0.2</start><end>4</end><code>High Press!</code>
    </instance>
  </ALL_INSTANCES>
  <ROWS>
    <row><sort_order>1</sort_order><code>Goals</code><R>65535</R><G>0</G><B>32896</B></row>
  </ROWS>
</file>
`;
const parse = (text: string, encoding: BufferEncoding = 'utf8') => parseSportscode(Buffer.from(text, encoding));
const instance = (inside: string) =>
  `<file><ALL_INSTANCES><instance><ID>1</ID><start>1</start><end>2</end>${inside}</instance></ALL_INSTANCES></file>`;

describe('Sportscode XML', () => {
  test('codes become types, groups of labels players, clubs, period and outcome, and the rest tags', () => {
    const { records, problems } = parse(EDIT_LIST);
    expect(problems).toEqual([]);
    expect(records[0]).toEqual({
      at: { line: 6, index: 0 },
      ref: '1',
      deleted: false,
      relatedRefs: [],
      type: { key: 'goal', name: 'Goals' },
      startMs: 12_040,
      endMs: 19_500,
      period: 2,
      outcome: 'left foot',
      clubs: [{ name: 'Pavonia' }],
      players: [
        { name: 'Núñera', shirt: 7, role: 'scorer' },
        { name: 'João Valdremo', role: 'assist' },
      ],
      tags: [{ group: 'Zone', text: '18 yard box' }, { text: 'counter' }],
      details: { notes: 'Look at the run' },
    });
    expect(records[1]).toMatchObject({ type: { key: 'high_press', name: 'High Press!' }, startMs: 0, endMs: 4000 });
  });

  test('colours of rows and the time of day of the first frame are kept', () => {
    const { colours, match } = parse(EDIT_LIST);
    expect(colours).toEqual({ goal: '#ff0080' });
    expect(match.mediaStartedAt).toBe('2026-03-14T14:00:12.500Z');
  });

  test('reads UTF-16 of both orders, UTF-8 with its mark, and Windows line ends', () => {
    const expected = parse(EDIT_LIST).records;
    const utf16 = Buffer.from(`\ufeff${EDIT_LIST.replace('UTF-8', 'UTF-16')}`, 'utf16le');
    expect(parseSportscode(utf16).records).toEqual(expected);
    expect(parseSportscode(Buffer.from(utf16).swap16()).records).toEqual(expected);
    expect(parseSportscode(utf16.subarray(2)).records).toEqual(expected);
    expect(parse(`\ufeff${EDIT_LIST}`).records).toEqual(expected);
    expect(parse(EDIT_LIST.replaceAll('\n', '\r\n')).records).toEqual(expected);
  });

  test('reads bytes that are not UTF-8 as what the declaration says', () => {
    const text = EDIT_LIST.replace('UTF-8', 'ISO-8859-1');
    expect(parse(text, 'latin1').records[0]?.players[0]?.name).toBe('Núñera');
  });

  test('a bare ampersand, as the maker writes it, is a character; entities are too', () => {
    const { records } = parse(instance('<code>Cut & carry</code><label><text>A &amp; B &#233; &lt;</text></label>'));
    expect(records[0]).toMatchObject({ type: { name: 'Cut & carry' }, tags: [{ text: 'A & B é <' }] });
  });

  test('tells what does not fit, with its line, and takes the rest', () => {
    const { records, problems } = parse(
      '<file>\n<ALL_INSTANCES>\n<instance><ID>1</ID><start>soon</start><end>2</end><code>Shot</code></instance>\n' +
        '<instance><ID>2</ID><start>5</start><end>2</end><code>Shot</code></instance>\n<instance><ID>3</ID></instance></ALL_INSTANCES></file>',
    );
    expect(records).toMatchObject([
      { ref: '1', endMs: 2000 },
      { ref: '2', startMs: 5000 },
    ]);
    expect(records.map(({ startMs, endMs }) => [startMs, endMs])).toEqual([
      [undefined, 2000],
      [5000, undefined],
    ]);
    expect(problems.map(({ at, field, isLeftOut }) => [at.line, field, isLeftOut])).toEqual([
      [3, 'start', false],
      [4, 'end', false],
      [5, 'code', true],
    ]);
  });

  test('what was edited in the other program wins over the action that the file carries', () => {
    const action: ExportedAction = {
      id: 31,
      version: 2,
      type: { key: 'goal', name: 'Goal' },
      startMs: 12_345,
      endMs: 20_001,
      clockMs: 4_633_900,
      players: [{ id: 7, name: 'Núñera', role: 'scorer' }],
      clubs: [],
      tags: [{ id: 9, group: 'Zone', text: 'box' }],
      details: { xg: 0.4 },
    };
    const written = writeSportscode([action]);
    expect(written).toContain('<start>12.345</start>');
    const edited = written
      .replace('<start>12.345</start>', '<start>10</start>')
      .replace('<code>Goal</code>', '<code>Own Goal</code>')
      .replace('<label><group>Zone', '<label><group>Mood</group><text>joy</text></label><label><group>Zone');
    const [record] = parse(edited).records;
    expect(record).toMatchObject({
      actionId: 31,
      actionVersion: 2,
      startMs: 10_000,
      endMs: 20_001,
      clockMs: 4_633_900,
      type: { key: 'own_goal', name: 'Own Goal' },
      players: [{ id: 7, name: 'Núñera', role: 'scorer' }],
      tags: [
        { id: 9, group: 'Zone', text: 'box' },
        { group: 'Mood', text: 'joy' },
      ],
    });
  });
});

describe('hostile XML', () => {
  const refusal = (text: string): unknown => {
    try {
      return parse(text).records.length;
    } catch (error) {
      return error;
    }
  };

  test('entities of a document type expand to nothing: a billion laughs is 4 characters', () => {
    const laughs = Array.from({ length: 9 }, (_, at) => `<!ENTITY l${at + 1} "${`&l${at};`.repeat(10)}">`).join('');
    const { records } = parse(`<!DOCTYPE file [<!ENTITY l0 "lol">${laughs}]>${instance('<code>&l9;</code>')}`);
    expect(records[0]?.type.name).toBe('&l9;');
    const external = '<!DOCTYPE file [<!ENTITY x SYSTEM "file:///etc/passwd">]>';
    expect(parse(external + instance('<code>&x;</code>')).records[0]?.type.name).toBe('&x;');
  });

  test('names line and column of a fault', () => {
    expect(refusal('<file>\n  <ALL_INSTANCES>\n  <instance></code>')).toMatchObject({
      code: 'validation_failed',
      details: { line: 3, column: expect.any(Number) },
    });
    for (const text of [
      '<file>',
      '<file><a></file>',
      'no XML',
      '<file a=b/>',
      '<file>\u0001</file>',
      '<a/><b/>',
      '   ',
    ])
      expect(refusal(text), text).toMatchObject({ code: 'validation_failed', status: 400 });
    expect(refusal('')).toMatchObject({ code: 'file_empty' });
  });

  test('depth is limited', () => {
    expect(refusal('<a>'.repeat(100_000))).toMatchObject({
      code: 'validation_failed',
      message: expect.stringContaining('32 levels'),
    });
  });

  test('bytes of nothing in particular are refused', () => {
    const noise = Buffer.from(Array.from({ length: 4096 }, (_, at) => (at * 7919 + 13) % 256));
    expect(() => parseSportscode(noise)).toThrow(expect.objectContaining({ code: 'validation_failed' }));
  });

  test('an instance too many and a byte too many are refused', () => {
    const many = `<file><ALL_INSTANCES>${'<instance/>'.repeat(MAX_EVENTS + 1)}</ALL_INSTANCES></file>`;
    expect(refusal(many)).toMatchObject({ code: 'payload_too_large' });
    expect(() => parseSportscode(new Uint8Array(MAX_EVENT_FILE_BYTES + 1))).toThrow(
      expect.objectContaining({ code: 'payload_too_large' }),
    );
  });
});
