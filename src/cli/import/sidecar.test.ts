import { describe, expect, test } from 'vitest';
import { parseCsv } from '../../base/index.ts';
import { readSidecar } from './sidecar.ts';

const read = (text: string) => readSidecar(parseCsv(text));

describe('readSidecar', () => {
  test('parts the values of a cell by semicolons and gives each the type of its column', () => {
    const { rows, issues } = read(
      'file,players,clubs,tags,collection\n a.jpg , Saka; sample:player:7 ;,Arsenal FC,Goal,Season review;Best of\n',
    );
    expect(issues).toEqual([]);
    expect(rows).toEqual([
      {
        line: 2,
        file: 'a.jpg',
        tags: [
          { column: 'players', type: 'player', value: 'Saka' },
          { column: 'players', type: 'player', value: 'sample:player:7' },
          { column: 'clubs', type: 'club', value: 'Arsenal FC' },
          { column: 'tags', type: undefined, value: 'Goal' },
        ],
        collections: ['Season review', 'Best of'],
        fields: {},
      },
    ]);
  });

  test('reads rating, usage, times, title and caption', () => {
    const { rows, issues } = read(
      'File;Rating;usage;usage_at;captured_at;title;caption\na.jpg;4;Embargoed;2026-04-01 00:00:00Z;2026-03-14T17:30:00+01:00;Goal;"2;1"\n',
    );
    expect(issues).toEqual([]);
    expect(rows[0]?.fields).toEqual({
      rating: 4,
      usage: 'embargoed',
      usage_at: '2026-04-01T00:00:00.000Z',
      captured_at: '2026-03-14T16:30:00.000Z',
      title: 'Goal',
      caption: '2;1',
    });
  });

  test('knows columns in the singular and the plural, whatever their case', () => {
    const { rows, issues } = read('FILENAME,Player,Matches\na.jpg,Saka,Final\n');
    expect(issues).toEqual([]);
    expect(rows[0]?.tags.map((tag) => tag.type)).toEqual(['player', 'match']);
  });

  test.each([
    ['rating', '6', /whole number from 0 to 5, received "6"/],
    ['rating', 'five', /received "five"/],
    ['usage', 'secret', /one of approved, limited, raw, embargoed, expired/],
    ['usage', 'embargoed', /expected usage_at beside "embargoed"/],
    ['captured_at', '2026-03-14T17:30:00', /a time with its offset/],
    ['captured_at', '2026-13-14T17:30:00Z', /a time with its offset/],
  ])('reports a %s of %s and applies the rest of the row', (column, value, detail) => {
    const { rows, issues } = read(`file,${column},title\na.jpg,${value},Goal\n`);
    expect(rows[0]?.fields).toEqual({ title: 'Goal' });
    expect(issues).toMatchObject([{ line: 2, file: 'a.jpg', detail: expect.stringMatching(detail) }]);
  });

  test('reports columns that it does not know or has seen', () => {
    const { rows, issues } = read('file,playres,players,player,\na.jpg,Saka,Kane,Rice,\n');
    expect(rows[0]?.tags.map((tag) => tag.value)).toEqual(['Kane']);
    expect(issues.map((issue) => issue.detail)).toEqual([
      expect.stringMatching(/^column "playres": expected one of file, players/),
      'column "player": it is there twice; only the first is applied',
    ]);
  });

  test('reports a row without a file name, and one with more cells than the header', () => {
    const { rows, issues } = read('file,players\n,Saka\nb.jpg,Kane,Rice\n');
    expect(rows.map((row) => row.file)).toEqual(['b.jpg']);
    expect(issues).toMatchObject([
      { line: 2, detail: 'expected a file name, received an empty cell' },
      { line: 3, file: 'b.jpg', detail: 'expected 2 cells, received 3: is a "," not in quotes?' },
    ]);
  });

  test('applies nothing of a table without a column file', () => {
    expect(read('photo,players\na.jpg,Saka\n')).toMatchObject({
      rows: [],
      issues: [{}, { detail: expect.stringMatching(/expected a column "file"/) }],
    });
  });
});
