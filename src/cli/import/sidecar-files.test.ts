import { describe, expect, test } from 'vitest';
import type { SidecarFields, SidecarRow } from './sidecar.ts';
import { matchRows } from './sidecar-files.ts';

const row = (file: string, line = 2, fields: SidecarFields = {}): SidecarRow => ({
  line,
  file,
  tags: [{ column: 'tags', type: undefined, value: `tag of line ${line}` }],
  collections: [],
  fields,
});
const pathsOf = (rows: readonly SidecarRow[], paths: readonly string[], folderFromTable = '') => [
  ...matchRows(rows, paths, folderFromTable).byPath.keys(),
];

describe('matchRows', () => {
  test('finds a file by its path, and by its name alone in any subfolder', () => {
    const paths = ['day 1/a.jpg', 'day 1/b.jpg', 'day 2/c.jpg'];
    expect(pathsOf([row('day 1/a.jpg')], paths)).toEqual(['day 1/a.jpg']);
    expect(pathsOf([row('c.jpg')], paths)).toEqual(['day 2/c.jpg']);
    expect(pathsOf([row('.\\day 1\\b.jpg')], paths)).toEqual(['day 1/b.jpg']);
  });

  test('takes a path that begins in the folder of the table', () => {
    expect(pathsOf([row('photos/a.jpg')], ['a.jpg'], 'photos/')).toEqual(['a.jpg']);
  });

  test('prefers the file that is called exactly so', () => {
    expect(pathsOf([row('a.JPG')], ['a.JPG', 'a.jpg'])).toEqual(['a.JPG']);
    expect(pathsOf([row('IMG_1.JPG')], ['img_1.jpg'])).toEqual(['img_1.jpg']);
  });

  test('finds names whose accents are letters of their own, as macOS writes them', () => {
    const decomposed = 'Šeško.jpg'.normalize('NFD');
    expect(pathsOf([row('Šeško.jpg'.normalize('NFC'))], [decomposed])).toEqual([decomposed]);
  });

  test('does not take another file of the same name for one in a folder', () => {
    const { byPath, unmatched } = matchRows([row('day 1/a.jpg', 7)], ['day 2/a.jpg'], '');
    expect(byPath.size).toBe(0);
    expect(unmatched.map((one) => one.line)).toEqual([7]);
  });

  test('reports a name that several files have, and applies it to none', () => {
    const { byPath, issues } = matchRows([row('a.jpg', 3)], ['x/a.jpg', 'y/a.jpg'], '');
    expect(byPath.size).toBe(0);
    expect(issues).toEqual([
      { line: 3, file: 'a.jpg', detail: 'expected the name of one file, received that of 2: x/a.jpg, y/a.jpg' },
    ]);
  });

  test('joins the rows of one file; where a field differs the first stays and the other is reported', () => {
    const rows = [row('a.jpg', 2, { rating: 3 }), row('a.jpg', 5, { rating: 4, title: 'Goal' })];
    const { byPath, issues } = matchRows(rows, ['a.jpg'], '');
    expect(byPath.get('a.jpg')).toMatchObject({ lines: [2, 5], fields: { rating: 3, title: 'Goal' } });
    expect(byPath.get('a.jpg')?.tags.map((tag) => tag.value)).toEqual(['tag of line 2', 'tag of line 5']);
    expect(issues).toEqual([
      { line: 5, file: 'a.jpg', detail: 'rating: it differs from that of line 2, which is applied' },
    ]);
  });
});
