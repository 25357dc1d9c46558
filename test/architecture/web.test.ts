import { posix } from 'node:path';
import { expect, test } from 'vitest';
import { SCREENS } from '../../src/api/routes/web.ts';
import { importsOf, readDocument, readSourceFiles } from './source-files.ts';

const files = await readSourceFiles('web/src');
const imports = files
  .filter(({ isTest }) => !isTest)
  .flatMap(({ path, text }) =>
    importsOf(text)
      .filter((one) => one.startsWith('.'))
      .map((one) => ({ from: path, to: posix.join(posix.dirname(path), one) })),
  );
const areaOf = (path: string): string => path.split('/')[2] ?? '';

test('the check sees the whole UI', () => {
  expect(files.length).toBeGreaterThan(60);
  expect(imports.length).toBeGreaterThan(150);
});

/** Pure and the same on both sides: timecodes must not differ by a frame, nor CSV files by a quote. */
const SHARED = ['src/base/timecode.ts', 'src/base/csv.ts'];

test('the UI takes nothing from the service but its API and what is pure', () => {
  expect(imports.filter(({ to }) => !to.startsWith('web/src/') && !SHARED.includes(to))).toEqual([]);
});

test('the kit knows no API, and the API no screens', () => {
  const allowed: Readonly<Record<string, readonly string[]>> = { ui: ['ui'], api: ['api'] };
  const wrong = imports.filter(({ from, to }) => allowed[areaOf(from)]?.includes(areaOf(to)) === false);
  expect(wrong).toEqual([]);
});

test('the key is stored in one place', () => {
  const wrong = files
    .filter(({ path, text }) => !path.endsWith('api/session.ts') && /\bsessionStorage\b/.test(text))
    .map(({ path }) => path);
  expect(wrong).toEqual([]);
});

test('every screen of the router is answered by the service', async () => {
  const router = await readDocument('web/src/app/router.tsx');
  const paths = [...router.matchAll(/path: '\/([a-z-]*)[^']*'/g)].map(([, screen]) => screen ?? '');
  expect([...new Set(paths)].filter((screen) => screen !== '').toSorted()).toEqual([...SCREENS].toSorted());
});

test('the development server passes on what the service answers', async () => {
  const config = await readDocument('web/vite.config.ts');
  const [, list = ''] = /SERVICE_PATHS = \[(.*?)\]/s.exec(config) ?? [];
  const passedOn = [...list.matchAll(/'([^']+)'/g)].map(([, path]) => path ?? '');
  const service = (await readSourceFiles('src/api')).map(({ text }) => text).join('\n');
  expect(passedOn).toEqual(expect.arrayContaining(['/v1', '/img', '/file', '/clip-file']));
  expect(passedOn.filter((path) => !new RegExp(`'${path}[/']`).test(service))).toEqual([]);
});
