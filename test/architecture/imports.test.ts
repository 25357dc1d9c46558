import { posix } from 'node:path';
import { describe, expect, test } from 'vitest';
import { importsOf, readSourceFiles } from './source-files.ts';

/** Lowest first; parts of one row are equals and never import each other. The names are folders and files of src/. */
const LAYERS: readonly (readonly string[])[] = [
  ['base'],
  ['formats', 'outbound'],
  ['db'],
  ['storage'],
  ['jobs'],
  ['auth'],
  ['library'],
  ['ingest', 'images', 'video', 'search', 'delivery', 'webhooks', 'rules', 'clips'],
  ['api'],
  ['config.ts', 'video-tools.ts', 'clip-tools.ts', 'still-tools.ts', 'rule-tools.ts', 'delivery-tools.ts'],
  ['installation.ts'],
  ['app.ts'],
  ['cli'],
  ['main.ts'],
];

/** Packages that have one place, so that they can be replaced there; paths are prefixes of files of src/. */
const PLACES: Readonly<Record<string, readonly string[]>> = {
  fastify: ['api/'],
  '@fastify/': ['api/'],
  sharp: ['images/render/', 'ingest/photo/', 'ingest/faces/'],
  'onnxruntime-node': ['ingest/faces/'],
  'exiftool-vendored': ['ingest/metadata/'],
  exifreader: ['ingest/metadata/'],
  '@aws-sdk/': ['storage/', 'delivery/channels/s3/'],
  '@azure/': ['delivery/channels/azure-blob/'],
  ssh2: ['delivery/channels/sftp/'],
  koffi: ['delivery/channels/smb/smb-library.ts'],
  'pg-boss': ['jobs/'],
  'pg-copy-streams': ['library/asset-index-store.ts'],
  'prom-client': ['api/metrics.ts'],
  saxes: ['formats/xml.ts', 'delivery/channels/webdav/'],
  pino: ['base/log.ts'],
};

/** The first part below src/: a folder, or a file of the top. */
const partOf = (path: string): string => path.split('/')[1] ?? '';
const rankOf = (part: string): number => LAYERS.findIndex((row) => row.includes(part));
const matches = (name: string, imported: string): boolean =>
  name.endsWith('/') ? imported.startsWith(name) : imported === name || imported.startsWith(`${name}/`);

const files = await readSourceFiles('src');
const crossings = files.flatMap(({ path, text }) =>
  importsOf(text)
    .filter((imported) => imported.startsWith('.'))
    .map((imported) => ({ from: path, to: posix.join(posix.dirname(path), imported) }))
    .filter(({ from, to }) => to.startsWith('src/') && partOf(from) !== partOf(to)),
);

describe('imports', () => {
  test('the check sees the whole source', () => {
    expect(files.length).toBeGreaterThan(180);
    expect(crossings.length).toBeGreaterThan(150);
  });

  test('every folder and file of src has its place in the order', () => {
    expect([...new Set(files.map(({ path }) => partOf(path)))].filter((part) => rankOf(part) < 0)).toEqual([]);
  });

  test('imports go down only, and equals never import each other', () => {
    const wrong = crossings.filter(({ from, to }) => rankOf(partOf(from)) <= rankOf(partOf(to)));
    expect(wrong).toEqual([]);
  });

  test('another folder is entered through its index.ts', () => {
    const wrong = crossings.filter(({ from, to }) => {
      const isTop = !to.slice('src/'.length).includes('/');
      // main.ts takes each command from its own file, so that a command loads only what it needs.
      const isCommand = from === 'src/main.ts' && partOf(to) === 'cli';
      return !isTop && !isCommand && to !== `src/${partOf(to)}/index.ts`;
    });
    expect(wrong).toEqual([]);
  });

  test('each of the big packages is imported in one place', () => {
    const wrong: string[] = [];
    const seen = new Set<string>();
    for (const { path, text } of files.filter((file) => !file.isTest)) {
      for (const imported of importsOf(text)) {
        const name = Object.keys(PLACES).find((one) => matches(one, imported));
        if (name === undefined) continue;
        seen.add(name);
        if (!PLACES[name]?.some((place) => path.startsWith(`src/${place}`))) wrong.push(`${path} imports ${imported}`);
      }
    }
    expect(wrong).toEqual([]);
    expect([...seen].toSorted()).toEqual(Object.keys(PLACES).toSorted());
  });

  test('SQL is written in db/ and in *-store.ts', () => {
    const speaksSql = files.filter(
      ({ text, isTest }) =>
        !isTest &&
        (importsOf(text).some((imported) => imported === 'kysely' || imported === 'pg') ||
          /\.(?:selectFrom|insertInto|updateTable|deleteFrom)\(/.test(text)),
    );
    expect(speaksSql.length).toBeGreaterThan(8);
    const wrong = speaksSql.filter(({ path }) => !path.startsWith('src/db/') && !path.endsWith('-store.ts'));
    expect(wrong.map(({ path }) => path)).toEqual([]);
  });

  test('relative imports name the file with its ending, and nothing imports a test', () => {
    const wrong = files.flatMap(({ path, text }) =>
      importsOf(text)
        .filter((one) => one.startsWith('.') && (!/\.(?:ts|mjs|json)$/.test(one) || one.endsWith('.test.ts')))
        .map((one) => `${path} imports ${one}`),
    );
    expect(wrong).toEqual([]);
  });
});
