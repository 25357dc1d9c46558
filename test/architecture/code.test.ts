import { describe, expect, test } from 'vitest';
import { codeOf, readSourceFiles, type SourceFile } from './source-files.ts';

const MAX_LINES = 500;
const MAX_TEST_LINES = 700;
/** Files that may be longer, each with the reason. A file that has become shorter leaves the list. */
const LONG_FILES: Readonly<Record<string, string>> = {
  'src/db/schema.ts': 'one type of all tables, which the query builder takes as one',
};

/** A default export, `any` as a type, and `!` behind a value: not in this code. */
const DEFAULT_EXPORT = /^export default /m;
const ANY = /(?:[:<|&(,]\s*|\bas\s+)any\b(?!\s*[:(])/;
const NON_NULL = /[\w)\]]!(?=[.;,)\]\s])(?!\s*==)/;

const files = await readSourceFiles('src', 'bench', 'scripts', 'test', 'web/src');
const product = files.filter(({ isTest }) => !isTest);
const linesOf = ({ text }: SourceFile): number => text.split('\n').length - 1;

function findings(list: readonly SourceFile[], pattern: RegExp): readonly string[] {
  return list.flatMap(({ path, text }) =>
    codeOf(text)
      .split('\n')
      .flatMap((line, index) => (pattern.test(line) ? [`${path}:${index + 1}`] : [])),
  );
}

describe('code', () => {
  test('the check sees the whole source', () => {
    expect(files.length).toBeGreaterThan(250);
    expect(product.length).toBeGreaterThan(200);
  });

  test('a planted fault is found', () => {
    const planted = (text: string) => [{ path: 'planted.ts', text, isTest: false }];
    for (const text of ['const a: any = 1;', 'f<any>()', 'b as any', 'x(c: string, d: any)'])
      expect(findings(planted(text), ANY), text).toEqual(['planted.ts:1']);
    for (const text of ['a!.b', 'list[0]!;', 'find(x)!)', 'const c = d! + 1'])
      expect(findings(planted(text), NON_NULL), text).toEqual(['planted.ts:1']);
    for (const text of ["say('any!');", '// any: any', 'a !== b', 'if (!a) any(b)', '{ any: 1 }'])
      expect([...findings(planted(text), ANY), ...findings(planted(text), NON_NULL)], text).toEqual([]);
  });

  test('no file has a default export', () => {
    const allowed = ['test/support/global-setup.ts'];
    expect(findings(files, DEFAULT_EXPORT).filter((one) => !allowed.some((path) => one.startsWith(path)))).toEqual([]);
  });

  test('no type is any', () => {
    expect(findings(product, ANY)).toEqual([]);
  });

  test('no value is asserted to be there', () => {
    expect(findings(product, NON_NULL)).toEqual([]);
  });

  test('settings are read in config.ts and main.ts only', () => {
    const readers = files.filter(
      ({ path, text, isTest }) => path.startsWith('src/') && !isTest && codeOf(text).includes('process.env'),
    );
    expect(readers.map(({ path }) => path)).toEqual(['src/main.ts']);
  });

  test('files stay short', () => {
    const long = files.filter((file) => linesOf(file) > (file.isTest ? MAX_TEST_LINES : MAX_LINES));
    expect(long.map(({ path }) => path).toSorted()).toEqual(Object.keys(LONG_FILES).toSorted());
  });
});
