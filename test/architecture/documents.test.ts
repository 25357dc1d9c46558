import { describe, expect, test } from 'vitest';
import { imageParameterTable } from '../../scripts/image-parameter-table.ts';
import { ERROR_CODES } from '../../src/base/index.ts';
import { SETTINGS } from '../../src/config.ts';
import { codeOf, readDocument, readSourceFiles, tableRows } from './source-files.ts';

describe('docs/errors.md', async () => {
  const text = await readDocument('docs/errors.md');
  const sections = text.split(/^## /m).slice(1);
  const rows = sections.flatMap((section) =>
    tableRows(section)
      .filter((cells) => cells.length === 5)
      .map(([code, title, again, when, todo]) => ({
        heading: section.split('\n')[0] ?? '',
        code,
        title,
        again,
        when,
        todo,
      })),
  );

  test('describes exactly the codes of the table, each once', () => {
    expect(rows.length).toBeGreaterThan(25);
    expect(rows.map(({ code = '' }) => code).toSorted()).toEqual(Object.keys(ERROR_CODES).toSorted());
  });

  test('says the title, the status and whether to try again as the table does', () => {
    const stated = Object.fromEntries(
      rows.map(({ heading, code = '', title, again }) => [code, { title, retryable: again === 'yes', heading }]),
    );
    for (const [code, { title, retryable, status }] of Object.entries(ERROR_CODES)) {
      expect(stated[code], code).toMatchObject({ title, retryable });
      // "500 and above" holds several.
      const heading = stated[code]?.heading ?? '';
      expect(status >= 500 ? '500 and above' : String(status), code).toBe(
        status >= 500 ? heading : heading.split(' ')[0],
      );
    }
  });

  test('says of every code when it happens and what to do', () => {
    for (const { code, when = '', todo = '' } of rows) {
      expect(when.length, code).toBeGreaterThan(20);
      expect(todo.length, code).toBeGreaterThan(15);
    }
  });
});

test('every error code is raised somewhere', async () => {
  const files = (await readSourceFiles('src')).filter(
    ({ path, isTest }) => !isTest && path !== 'src/base/error-codes.ts',
  );
  expect(files.length).toBeGreaterThan(150);
  // Comments name codes too: only quoted ones outside of them count.
  const texts = files.map(({ text }) => text.replaceAll(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, ''));
  const unused = Object.keys(ERROR_CODES).filter((code) => !texts.some((text) => text.includes(`'${code}'`)));
  expect(unused).toEqual([]);
});

describe('docs/operations.md', async () => {
  const text = await readDocument('docs/operations.md');
  const section = text.split(/^## /m).find((one) => one.startsWith('Settings')) ?? '';
  const rows = tableRows(section);

  test('describes exactly the settings of the service, in their words', () => {
    expect(rows.length).toBeGreaterThan(10);
    expect(Object.fromEntries(rows)).toEqual(SETTINGS);
  });

  test('every setting is read by config.ts', async () => {
    const config = (await readSourceFiles('src')).find(({ path }) => path === 'src/config.ts')?.text ?? '';
    const body = config.slice(config.indexOf('function readConfig'));
    expect(codeOf(body).length).toBeGreaterThan(1000);
    expect(Object.keys(SETTINGS).filter((name) => !body.includes(`'${name}'`))).toEqual([]);
  });
});

test('docs/images.md holds the table of image parameters as it is', async () => {
  const text = await readDocument('docs/images.md');
  const [, table] = /<!-- parameters -->\n([\s\S]*?)\n<!-- end of parameters -->/.exec(text) ?? [];
  expect(tableRows(table ?? '').length).toBeGreaterThan(5);
  expect(table).toBe(imageParameterTable());
});

test('links between the documents lead to files and headings that exist', async () => {
  const names = ['README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md', 'CHANGELOG.md'];
  const guides = [
    'errors',
    'operations',
    'images',
    'search',
    'import',
    'metadata',
    'formats',
    'integration',
    'events',
    'delivery',
  ].map((name) => `docs/${name}.md`);
  const broken: string[] = [];
  let links = 0;
  for (const name of [...names, ...guides]) {
    const text = await readDocument(name);
    for (const [, target = ''] of text.matchAll(/\]\((?!https?:)([^)]+)\)/g)) {
      links += 1;
      const [path = '', anchor] = target.split('#');
      const url = new URL(path === '' ? name : path, `file:///${name}`);
      const other = path === '' ? name : decodeURIComponent(url.pathname.slice(1));
      const found = await readDocument(other).catch(() => undefined);
      const slugs = (found ?? '')
        .split('\n')
        .filter((line) => line.startsWith('#'))
        .map((line) =>
          line
            .replace(/^#+ /, '')
            .toLowerCase()
            .replaceAll(/[^\w -]/g, '')
            .replaceAll(' ', '-'),
        );
      if (found === undefined || (anchor !== undefined && !slugs.includes(anchor))) broken.push(`${name}: ${target}`);
    }
  }
  expect(links).toBeGreaterThan(15);
  expect(broken).toEqual([]);
});
