import { describe, expect, test } from 'vitest';
import { parseJsonLines } from './json-lines.ts';

const parse = (text: string) => parseJsonLines(Buffer.from(text));

describe('JSON Lines', () => {
  test('a line is an action as the API takes it: ids, ids of other systems, names', () => {
    const { records, problems } = parse(
      '{"type":"goal","start_ms":2500,"end_ms":9500,"match":551,"clubs":[{"id":3,"side":"home"}],"players":[{"id":"opta:707","role":"scorer"},' +
        '{"label":"Valdremo","external_ids":{"statsbomb":"710"}}],"tag_options":[9,"late"],"period":2,"clock_ms":4637900,"source":"feed:x","source_ref":"a1","source_version":3}\n\n' +
        '{"type":7041,"source_ref":"a2","status":"retracted"}\r\n',
    );
    expect(problems).toEqual([]);
    expect(records[0]).toEqual({
      at: { line: 1, index: 0 },
      ref: 'a1',
      version: 3,
      deleted: false,
      source: 'feed:x',
      relatedRefs: [],
      type: { key: 'goal' },
      startMs: 2500,
      endMs: 9500,
      period: 2,
      clockMs: 4_637_900,
      match: { id: 551 },
      clubs: [{ id: 3, side: 'home' }],
      players: [
        { externalIds: { opta: '707' }, role: 'scorer' },
        { name: 'Valdremo', externalIds: { statsbomb: '710' } },
      ],
      tags: [{ id: 9, text: '' }, { text: 'late' }],
      details: {},
    });
    expect(records[1]).toMatchObject({
      at: { line: 3, index: 1 },
      ref: 'a2',
      deleted: true,
      type: { key: '', id: '7041' },
    });
  });

  test('bad lines are left out by their number, bad fields by their name', () => {
    const { records, problems } = parse(
      '{"type":"goal","x":120,"colour":"red","clubs":[{"id":1,"side":"left"}],"players":"Kane"}\nnonsense\n[1]\n{"start_ms":1}\n{"type":"shot","start_ms":5,"end_ms":1}\n',
    );
    expect(records.map(({ ref }) => ref)).toEqual(['line:1', 'line:5']);
    expect(problems.map(({ at, field, isLeftOut }) => [at.line, field, isLeftOut])).toEqual(
      [
        [1, 'colour', false],
        [1, 'clubs/0/side', false],
        [1, 'players', false],
        [1, 'x', false],
        [2, '', true],
        [3, '', true],
        [4, 'type', true],
        [5, 'end_ms', false],
      ].toSorted((a, b) => Number(a[0]) - Number(b[0])),
    );
  });

  test('a file without a line of JSON is refused', () => {
    expect(() => parse('hello\nworld\n')).toThrow(expect.objectContaining({ code: 'validation_failed' }));
  });

  test('1,000 problems are told, and no more', () => {
    const { problems } = parse('{"type":"goal","x":-1}\n'.repeat(1500));
    expect(problems).toHaveLength(1000);
  });
});
