import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { CsvError, decodeText, parseCsv } from './csv.ts';

const cellsOf = (text: string) => parseCsv(text).rows.map((row) => row.cells);

describe('parseCsv', () => {
  test('reads quotes, doubled quotes, and delimiters and line ends inside quotes', () => {
    expect(cellsOf('file,caption\na.jpg,"Goal, ""the"" second\nof two"\n')).toEqual([
      ['a.jpg', 'Goal, "the" second\nof two'],
    ]);
  });

  test('takes lines that end with CRLF, LF or CR, with or without an end of the last one', () => {
    const rows = [
      ['1', '2'],
      ['3', '4'],
    ];
    expect(cellsOf('a,b\r\n1,2\r\n3,4\r\n')).toEqual(rows);
    expect(cellsOf('a,b\n1,2\n3,4')).toEqual(rows);
    expect(cellsOf('a,b\r1,2\r3,4\r')).toEqual(rows);
  });

  test('keeps empty cells, the last one of a row too, and leaves empty lines out', () => {
    expect(cellsOf('a,b,c\n,,\n\n1,,\n')).toEqual([
      ['', '', ''],
      ['1', '', ''],
    ]);
    expect(cellsOf('a,b\n1,')).toEqual([['1', '']]);
  });

  test('finds by the header that Excel has written semicolons or tabs', () => {
    expect(parseCsv('file;players\na.jpg;"Kane;Saka"\n')).toMatchObject({
      delimiter: ';',
      header: ['file', 'players'],
      rows: [{ line: 2, cells: ['a.jpg', 'Kane;Saka'] }],
    });
    expect(parseCsv('file\tplayers\na.jpg\tKane, H.\n').rows[0]?.cells).toEqual(['a.jpg', 'Kane, H.']);
    expect(parseCsv('"a;b;c",d\n1,2\n').delimiter).toBe(',');
  });

  test('obeys the line sep= of Excel', () => {
    expect(parseCsv('sep=;\r\nfile;x\r\na.jpg;1,5\r\n')).toMatchObject({
      delimiter: ';',
      rows: [{ line: 3, cells: ['a.jpg', '1,5'] }],
    });
  });

  test('reads a header of one column', () => {
    expect(parseCsv('file\na.jpg\n')).toMatchObject({ header: ['file'], rows: [{ cells: ['a.jpg'] }] });
  });

  test('tells the line a row begins on, counting the lines inside quotes', () => {
    expect(parseCsv('a,b\n"1\n1",2\n\n3,4\n').rows.map((row) => row.line)).toEqual([2, 5]);
  });

  test('takes a quote inside an unquoted cell as a character', () => {
    expect(cellsOf('a,b\n7" single,"x"y\n')).toEqual([['7" single', 'xy']]);
  });

  test('names the line of a quote that is never closed', () => {
    expect(() => parseCsv('a,b\n1,2\n3,"4\n5')).toThrow(CsvError);
    expect(() => parseCsv('a,b\n1,2\n3,"4\n5')).toThrow(/^line 3: expected a closing quote/);
  });

  test('refuses an empty file', () => {
    expect(() => parseCsv('')).toThrow(/expected a header row/);
    expect(() => parseCsv('\n\n')).toThrow(/expected a header row/);
  });

  test('reads back what was written, whatever is in the cells', () => {
    const quote = (cell: string) => `"${cell.replaceAll('"', '""')}"`;
    const cell = fc.string({
      unit: fc.constantFrom('a', 'é', '"', ',', ';', '\t', '\n', '\r', ' ', '漢'),
      maxLength: 8,
    });
    const table = fc
      .integer({ min: 1, max: 5 })
      .chain((width) =>
        fc.array(fc.array(cell, { minLength: width, maxLength: width }), { minLength: 1, maxLength: 8 }),
      );
    fc.assert(
      fc.property(
        table,
        fc.constantFrom(',', ';', '\t'),
        fc.constantFrom('\n', '\r\n', '\r'),
        (rows, delimiter, end) => {
          const header = rows[0]?.map((_, at) => `column ${at}`) ?? [];
          const text = [header, ...rows].map((row) => row.map(quote).join(delimiter) + end).join('');
          // One quoted empty cell is an empty line to every reader of CSV.
          const expected = rows.filter((row) => row.length > 1 || row[0] !== '');
          const read = parseCsv(text);
          expect(read.header).toEqual(header);
          expect(read.rows.map((row) => row.cells)).toEqual(expected);
        },
      ),
      { numRuns: 500 },
    );
  });
});

describe('decodeText', () => {
  test('drops the byte order mark of UTF-8', () => {
    expect(decodeText(Buffer.from('\ufefffile,players'))).toEqual({ text: 'file,players', encoding: 'utf-8' });
  });

  test('reads the UTF-16 that Excel writes as Unicode text', () => {
    expect(decodeText(Buffer.from('\ufefffile\tŠeško', 'utf16le'))).toEqual({
      text: 'file\tŠeško',
      encoding: 'utf-16le',
    });
  });

  test('reads bytes that are not UTF-8 as Windows-1252', () => {
    expect(decodeText(Buffer.from('M\xfcller', 'latin1'))).toEqual({ text: 'Müller', encoding: 'windows-1252' });
  });
});
