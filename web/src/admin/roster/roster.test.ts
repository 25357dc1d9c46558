import { describe, expect, test } from 'vitest';
import { guessFields } from './roster-fields.ts';
import { readRoster, setsOf } from './roster-file.ts';
import { clubNamesOf, type Mapping, mapRows, missingOf } from './roster-mapping.ts';

const csvOf = (text: string) => {
  const file = readRoster(text);
  if (file.kind !== 'csv') throw new Error('expected CSV');
  return file.csv;
};
const mappingOf = (header: readonly string[], change: Partial<Mapping> = {}): Mapping => ({
  type: 'player',
  source: 'league',
  fields: guessFields(header, change.type ?? 'player'),
  club: null,
  clubs: new Map(),
  ...change,
});

describe('a CSV file', () => {
  const csv = csvOf(
    'Player ID;First name;Surname;No;Pos;Club;From\n' +
      'p1;Ada;Okafor;9;FW;Kestrel;1.7.2025\n' +
      '"p2";Maja;"Lindqvist; Jr";4;DF;Kestrel;2024-02-01\n',
  );
  const mapping = mappingOf(csv.header, { clubs: new Map([['Kestrel', 12]]) });

  test('is understood by the heads of its columns', () => {
    expect(mapping.fields).toEqual(['id', 'first_name', 'last_name', 'shirt_number', 'position', 'club_name', 'from']);
    expect(clubNamesOf(csv.rows, mapping.fields)).toEqual(['Kestrel']);
    expect(missingOf(mapping)).toEqual([]);
  });

  test('becomes one tag option for each row, with the line that it came from', () => {
    const { items, faults } = mapRows(csv.rows, mapping);
    expect(faults).toEqual([]);
    expect(items.map(({ lines, name }) => [lines, name])).toEqual([
      [[2], 'Ada Okafor'],
      [[3], 'Maja Lindqvist; Jr'],
    ]);
    expect(JSON.parse(items[0]?.text ?? '')).toEqual({
      type: 'player',
      label: 'Okafor',
      full_name: 'Ada Okafor',
      external_ids: { league: 'p1' },
      relations: { clubs: [{ club: 12, shirt_number: 9, position: 'FW', from: '2025-07-01' }] },
    });
  });

  test('with two rows of one player gives the player both clubs', () => {
    const two = csvOf('id,name,club_id,from,to\np1,Okafor,c1,2020-01-01,2022-06-30\np1,Okafor,c2,2022-07-01,\n');
    const { items } = mapRows(two.rows, mappingOf(two.header, { fields: ['id', 'label', 'club_id', 'from', 'to'] }));
    expect(items).toHaveLength(1);
    expect(items[0]?.lines).toEqual([2, 3]);
    expect(JSON.parse(items[0]?.text ?? '')['relations']).toEqual({
      clubs: [
        { club: { source: 'league', id: 'c1' }, from: '2020-01-01', to: '2022-06-30' },
        { club: { source: 'league', id: 'c2' }, from: '2022-07-01' },
      ],
    });
  });

  test('says which line cannot be read, and what was expected', () => {
    const wrong = csvOf(
      'id,name,no,club,from\n,Okafor,9,Kestrel,\np2,B,nine,Kestrel,\np3,C,1,Elsewhere,\np4,D,2,Kestrel,3/4/2026\n',
    );
    const { items, faults } = mapRows(wrong.rows, mappingOf(wrong.header, { clubs: new Map([['Kestrel', 12]]) }));
    expect(items).toEqual([]);
    expect(faults.map(({ line, detail }) => `${line} ${detail}`)).toEqual([
      '2 ID: expected one, by which the next file finds it again, received none',
      '3 Shirt number: expected a whole number up to 999, received nine',
      '4 Club: there is none that is called Elsewhere',
      '5 At the club from: expected a date such as 2026-07-01 or 1.7.2026, received 3/4/2026',
    ]);
  });

  test('of fixtures names clubs by their ids', () => {
    const fixtures = csvOf('Match ID,Name,Home,Away,Kick-off,Home goals\nm1,A - B,c1,c2,2026-03-14T19:30:00Z,2\n');
    const { items } = mapRows(fixtures.rows, mappingOf(fixtures.header, { type: 'match' }));
    expect(JSON.parse(items[0]?.text ?? '')['relations']).toEqual({
      home: { source: 'league', id: 'c1' },
      away: { source: 'league', id: 'c2' },
      kick_off: '2026-03-14T19:30:00.000Z',
      home_score: 2,
    });
  });

  test('asks for what is missing before anything is sent', () => {
    expect(missingOf(mappingOf(['Nr'], { source: ' ' }))).toHaveLength(3);
  });
});

describe('a file of lines', () => {
  test('keeps its lines as they are, empty ones left out, and says what they are about', () => {
    const file = readRoster('{"type":"player","label":"A","external_ids":{"opta":"p1"}}\n\n{"type":\n');
    if (file.kind !== 'lines') throw new Error('expected lines');
    expect(file.items.map(({ lines, name }) => [lines, name])).toEqual([
      [[1], 'A'],
      [[3], ''],
    ]);
    expect(setsOf(file.items)).toEqual(['player:opta']);
  });

  test.each([
    ['  \n', /empty file/],
    ['[{"type":"player"}]', /NDJSON/],
    ['id,name\n', /rows below/],
    ['id,name\n"open', /closing quote/],
  ])('of another form is refused with what was expected: %j', (text, expected) => {
    expect(() => readRoster(text)).toThrow(expected);
  });
});
