import { describe, expect, test } from 'vitest';
import { writeEventCsv } from './csv-writer.ts';
import { parseEventCsv } from './event-csv.ts';
import type { ExportedAction } from './event-record.ts';
import type { TimeBase } from './media-time.ts';

const parse = (text: string, timeBase?: TimeBase) => parseEventCsv(Buffer.from(text), timeBase);

const ACTION: ExportedAction = {
  id: 31,
  version: 2,
  type: { key: 'goal', name: 'Goal' },
  label: '=2-1, "late"',
  startMs: 2500,
  endMs: 9500,
  clubs: [{ id: 3, name: 'Pavonia; FC', side: 'home' }],
  players: [
    { id: 7, name: 'Núñera', role: 'scorer', shirt: 7 },
    { id: 10, name: 'Valdremo', role: 'assist' },
  ],
  tags: [{ id: 9, group: 'Zone', text: 'box' }],
  details: { xg: 0.4 },
};

describe('CSV of events', () => {
  test('columns are known by their heads in any spelling and order, and others become details', () => {
    const { records, problems } = parse(
      'Player,CODE,Start time,End,Team,Side,Half,Match clock,Result,X,Y,Notes,Weather\r\n' +
        '#7 Núñera (scorer); Valdremo,Goals,12.5,00:00:19,Pavonia,home,2H,77:13.9,left foot,90,44.1,late,rain\r\n',
    );
    expect(problems).toEqual([]);
    expect(records).toEqual([
      {
        at: { line: 2, index: 0 },
        ref: 'line:2',
        deleted: false,
        relatedRefs: [],
        type: { key: 'goal', name: 'Goals' },
        startMs: 12_500,
        endMs: 19_000,
        period: 2,
        clockMs: 4_633_900,
        clubs: [{ name: 'Pavonia', side: 'home' }],
        players: [{ name: 'Núñera', shirt: 7, role: 'scorer' }, { name: 'Valdremo' }],
        outcome: 'left foot',
        x: 90,
        y: 44.1,
        tags: [],
        details: { notes: 'late', Weather: 'rain' },
      },
    ]);
  });

  test('a semicolon file of a spreadsheet, with a mark, in Windows-1252 or UTF-16, reads the same', () => {
    const text = 'type;start_ms;end_ms;players\nshot;1000;2000;Müller\n';
    const expected = parse(text).records;
    expect(expected[0]?.players).toEqual([{ name: 'Müller' }]);
    for (const bytes of [
      Buffer.from(`\ufeff${text}`),
      Buffer.from(text, 'latin1'),
      Buffer.from(`\ufeff${text}`, 'utf16le'),
    ])
      expect(parseEventCsv(bytes).records).toEqual(expected);
  });

  test('timecodes are counted in the frame rate and from the first frame of the video', () => {
    const text = 'type,start_tc,end\ngoal,10:00:02:12,10:00:04:00\n';
    const base = { frameRate: { num: 25, den: 1 }, startTimecode: '10:00:00:00' };
    expect(parse(text, base).records).toMatchObject([{ startMs: 2480, endMs: 4000 }]);
    const drop = parse('type,start_tc\ngoal,00:01:00;00\n', { frameRate: { num: 30000, den: 1001 } });
    expect(drop.problems).toMatchObject([
      { at: { line: 2 }, field: 'start_tc', message: expect.stringContaining('00:01:00;02 is the next') },
    ]);
    expect(drop.records[0]).not.toHaveProperty('startMs');
    expect(parse(text).problems.map(({ field }) => field)).toEqual(['start_tc', 'end']);
  });

  test('a minute may have stoppage time', () => {
    const minutes = parse("type,minute\ngoal,45+2\ngoal,78'\ngoal,late\n");
    expect(minutes.records.map(({ minute, stoppage }) => [minute, stoppage])).toEqual([
      [45, 2],
      [78, undefined],
      [undefined, undefined],
    ]);
    expect(minutes.problems).toMatchObject([{ at: { line: 4 }, field: 'minute' }]);
  });

  test('a row without a type is left out; a bad cell is told and the row taken', () => {
    const { records, problems } = parse('type,start_ms,end_ms,x,period\n,1,2,,\ngoal,-1,soon,101,7\ngoal,9,3,,\n');
    expect(records).toHaveLength(2);
    expect(problems.map(({ at, field, isLeftOut }) => [at.line, field, isLeftOut])).toEqual([
      [2, 'type', true],
      [3, 'start_ms', false],
      [3, 'end_ms', false],
      [3, 'period', false],
      [3, 'x', false],
      [4, 'end_ms', false],
    ]);
  });

  test('a cell that was edited in a spreadsheet wins over the exact one beside it', () => {
    const written = writeEventCsv([ACTION]);
    const edited = written
      .replace('#7 Núñera (scorer); Valdremo (assist)', '#7 Núñera (scorer)')
      .replace('Zone: box', 'Zone: box; late')
      .replace('2500,9500', '2000,9500');
    const [record] = parse(edited).records;
    expect(record).toMatchObject({
      startMs: 2000,
      clubs: [{ id: 3, name: 'Pavonia; FC', side: 'home' }],
      players: [{ name: 'Núñera', shirt: 7, role: 'scorer' }],
      tags: [{ group: 'Zone', text: 'box' }, { text: 'late' }],
      details: { xg: 0.4 },
    });
    expect(record?.players[0]).not.toHaveProperty('id');
  });

  test('texts are written as they are, formulas too', () => {
    expect(writeEventCsv([ACTION])).toContain(',"=2-1, ""late""",');
  });

  test('what is no CSV of events is refused by line', () => {
    expect(() => parse('start,end\n1,2\n')).toThrow(/line 1, column 1: expected a column type/);
    expect(() => parse('type,label\ngoal,"open\n')).toThrow(/line 2, column 1: expected a closing quote/);
    expect(() => parse('\n\n')).toThrow(/expected a header row/);
  });
});
