import { rmSync, writeFileSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Writable } from 'node:stream';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createApiClient, type ImportOptions, importFolder } from '../../src/cli/import/index.ts';
import { runImport } from '../../src/cli/import.ts';
import { loadSample } from '../../src/cli/sample.ts';
import { type Json, startApp, type TestApp } from '../support/app.ts';
import { createTag, plainPhoto, searchMedia } from '../support/library.ts';

let service: TestApp;
let key = '';
let root = '';
let folder = '';
let dataDir = '';
let seed = 0;

beforeAll(async () => {
  service = await startApp();
});
afterAll(() => service.close());
beforeEach(async () => {
  // An organization of its own: every test begins with an empty library.
  seed += 1;
  key = await service.createKey({ organizationId: await service.createOrganization(`import-${seed}`) });
  root = await mkdtemp(join(tmpdir(), 'touchline-import-'));
  folder = join(root, 'pictures');
  dataDir = join(root, 'data');
});
afterEach(() => rm(root, { recursive: true, force: true }));

let pictures = 0;
/** Writes files below the folder: the given text, or a new picture for the text `picture`. */
async function put(files: Readonly<Record<string, string>>): Promise<void> {
  for (const [path, content] of Object.entries(files)) {
    const target = join(folder, path);
    await mkdir(dirname(target), { recursive: true });
    pictures += 1;
    await writeFile(target, content === 'picture' ? await plainPhoto(pictures) : content);
  }
}

function collect(): { readonly stream: NodeJS.WriteStream; readonly text: () => string } {
  let text = '';
  const stream = new Writable({
    write(chunk, _encoding, done) {
      text += String(chunk);
      done();
    },
  });
  // Of a terminal's stream the command uses only what every stream has, and `isTTY`, which is not set here.
  return { stream: stream as unknown as NodeJS.WriteStream, text: () => text };
}

/** Runs the command as main.ts does. */
async function run(args: readonly string[] = [], env: Readonly<Record<string, string>> = {}) {
  const [stdout, stderr] = [collect(), collect()];
  const io = {
    env: { DATA_DIR: dataDir, TOUCHLINE_URL: service.url, TOUCHLINE_API_KEY: key, ...env },
    stdout: stdout.stream,
    stderr: stderr.stream,
    signal: new AbortController().signal,
  };
  const code = await runImport([folder, ...args], io);
  return { code, out: stdout.text(), err: stderr.text() };
}
const importWith = (options: Partial<ImportOptions> = {}) =>
  importFolder({
    client: createApiClient({ baseUrl: service.url, apiKey: key }),
    folder,
    signal: new AbortController().signal,
    journal: { dataDir, restart: false },
    ...options,
  });

const asKey = (): TestApp => ({
  ...service,
  call: (method, path, options = {}) => service.call(method, path, { key, ...options }),
});
const create = (body: object) => createTag(asKey(), body);
const library = async (): Promise<readonly Json[]> => {
  const found = await searchMedia(asKey(), { limit: 200, sort: 'name' });
  return found['media'];
};
const names = async () => (await library()).map((media) => media['name']);
const tagsOf = (media: Json | undefined): string[] =>
  (media?.['tag_options'] ?? []).map((tag: Json) => `${tag['source']} ${tag['label']}`).toSorted();

describe('touchline import', () => {
  test('uploads the photos of a folder and its subfolders, and names what it leaves out', async () => {
    await put({ 'a.jpg': 'picture', 'day 1/b.JPG': 'picture', 'day 1/b.xmp': '<x/>', 'notes.txt': 'x' });
    const { code, out } = await run();
    expect(code).toBe(0);
    expect(await names()).toEqual(['a.jpg', 'b.JPG']);
    expect(out).toMatch(/^2 files uploaded to import-\d+ /);
    expect(out).toContain('.xmp (1): day 1/b.xmp');
    expect(out).toContain('.txt (1): notes.txt');
  });

  test('stays in the folder itself with --no-recursive', async () => {
    await put({ 'a.jpg': 'picture', 'day 1/b.jpg': 'picture' });
    await run(['--no-recursive']);
    expect(await names()).toEqual(['a.jpg']);
  });

  test('tags photos from the table beside them, and reports each value and row it cannot apply', async () => {
    const club = await create({ type: 'club', label: 'NK Primer' });
    await create({ type: 'player', label: 'Šeško', external_ids: { opta: 'p1' }, relations: { clubs: [{ club }] } });
    await create({ type: 'tag', category: 'mood', label: 'Joy', aliases: ['Happiness'] });
    await put({ 'a.jpg': 'picture', 'b.jpg': 'picture', 'c.jpg': 'picture' });
    const table = [
      'file;players;clubs;tags;collection;rating;title',
      'a.jpg;Sesko;;happiness;Best of;4;Goal',
      'b.jpg;opta:p1;"nk primer; Nobody";;;9;',
      'gone.jpg;;;;;;',
    ].join('\r\n');
    await writeFile(join(root, 'photos.csv'), `\ufeff${table}`);
    const { code, out } = await run();
    expect(code).toBe(1);
    const [a, b, c] = await library();
    expect(tagsOf(a)).toEqual(['import Joy', 'import Šeško']);
    expect(a).toMatchObject({ rating: 4, details: { title: 'Goal' }, collections: [expect.any(Number)] });
    expect(tagsOf(b)).toEqual(['import NK Primer', 'import Šeško']);
    expect(b).toMatchObject({ rating: null, collections: [] });
    expect(tagsOf(c)).toEqual([]);
    expect(out).toContain('line 3 (b.jpg): clubs: "Nobody": there is no club of this name');
    expect(out).toContain('line 3 (b.jpg): rating: expected a whole number from 0 to 5, received "9"');
    expect(out).toContain('line 4: gone.jpg');
  });

  test('puts --tag and --collection on every photo, and finds the collection again', async () => {
    const tag = await create({ type: 'tag', category: 'mood', label: 'Joy' });
    await put({ 'a.jpg': 'picture' });
    expect((await run(['--tag', 'joy', '--collection', 'Media day'])).code).toBe(0);
    await put({ 'b.jpg': 'picture' });
    expect((await run(['--tag', String(tag), '--collection', 'Media day'])).code).toBe(0);
    const [a, b] = await library();
    expect([tagsOf(a), tagsOf(b)]).toEqual([['import Joy'], ['import Joy']]);
    expect(a?.['collections']).toHaveLength(1);
    expect(b?.['collections']).toEqual(a?.['collections']);
  });

  test('uploads nothing with --strict when the table has a fault, and nothing with --dry-run', async () => {
    await put({ 'a.jpg': 'picture', 'touchline.csv': 'file,players,collection\na.jpg,Nobody,New one\n' });
    const strict = await run(['--strict']);
    expect(strict.code).toBe(1);
    expect(strict.out).toContain('"Nobody": there is no player of this name');
    const dry = await run(['--dry-run']);
    expect(dry.code).toBe(1);
    expect(dry.out).toContain('collection "New one" does not exist yet');
    expect(await names()).toEqual([]);
    const { body } = await asKey().call('GET', '/v1/collection');
    expect(body['collections']).toEqual([]);
  });

  test('names each file that is refused, and uploads the others', async () => {
    await put({ 'a.jpg': 'picture', 'b.jpg': 'this is text', 'c.jpg': '', 'd.jpg': 'x'.repeat(3_000_000) });
    const { code, out } = await run();
    expect(code).toBe(1);
    expect(await names()).toEqual(['a.jpg']);
    expect(out).toMatch(/b\.jpg: expected a photo .* received another kind of file/);
    expect(out).toContain('c.jpg: it is empty');
    expect(out).toMatch(/d\.jpg: expected a photo .* received another kind of file/);
  });

  test('reports a file that vanishes or changes after it was listed, and goes on', async () => {
    await put({ 'a.jpg': 'picture', 'b.jpg': 'picture', 'c.jpg': 'picture' });
    const summary = await importWith({
      onProgress: ({ phase, filesDone }) => {
        if (phase !== 'uploading' || filesDone > 0) return;
        rmSync(join(folder, 'a.jpg'), { force: true });
        writeFileSync(join(folder, 'b.jpg'), 'longer'.repeat(1000));
      },
    });
    expect(summary.failures).toEqual([
      { path: 'a.jpg', reason: 'it is not there any more' },
      { path: 'b.jpg', reason: expect.stringMatching(/^it changed while it was read/) },
    ]);
    expect(await names()).toEqual(['c.jpg']);
  });

  test('waits with --wait until everything is processed, and reports what failed in it', async () => {
    const broken = (await plainPhoto(9)).subarray(0, 60);
    await put({ 'a.jpg': 'picture' });
    await writeFile(join(folder, 'b.jpg'), Buffer.concat([broken, Buffer.alloc(200)]));
    const { code, out } = await run(['--wait']);
    expect(code).toBe(1);
    expect(out).toContain('1 ready, 1 failed in processing');
    expect(out).toMatch(/Failed in processing:\n {2}b\.jpg: /);
    expect((await library()).map((media) => media['status'])).toEqual(['ready']);
  });

  test('waits as a busy service asks, however narrow the limit of the key', async () => {
    const organizationId = await service.createOrganization(`narrow-${seed}`);
    const narrow = await service.createKey({ organizationId, requestsPerSecond: 4, burst: 2 });
    await put({ 'a.jpg': 'picture', 'b.jpg': 'picture', 'c.jpg': 'picture', 'd.jpg': 'picture', 'e.jpg': 'picture' });
    const { code, out } = await run([], { TOUCHLINE_API_KEY: narrow });
    expect(out).toMatch(/^5 files uploaded/);
    expect(code).toBe(0);
  });
});

describe('a second run', () => {
  test('sends only what is new or changed', async () => {
    await put({ 'a.jpg': 'picture', 'b.jpg': 'picture' });
    await run();
    await put({ 'b.jpg': 'picture', 'c.jpg': 'picture' });
    await utimes(join(folder, 'b.jpg'), 1_700_000_000, 1_700_000_000);
    const summary = await importWith();
    expect(summary).toMatchObject({ uploaded: 2, importedBefore: 1, duplicates: 0, failures: [] });
    expect(await importWith()).toMatchObject({ uploaded: 0, importedBefore: 3 });
  });

  test('applies what the table says since, without sending the file again, and takes nothing away', async () => {
    await put({ 'a.jpg': 'picture', 'touchline.csv': 'file,players,collection\na.jpg,Kane,First\n' });
    expect((await run()).code).toBe(1);
    await create({ type: 'player', label: 'Kane' });
    await put({ 'touchline.csv': 'file,players,collection,rating\na.jpg,Kane,Second,5\n' });
    expect(await importWith()).toMatchObject({
      uploaded: 0,
      uploadedBytes: 0,
      updated: 1,
      importedBefore: 1,
      issues: [],
    });
    const [media] = await library();
    expect(tagsOf(media).map((tag) => tag.split(' ')[1])).toEqual(['Kane']);
    expect(media).toMatchObject({ rating: 5, collections: [expect.any(Number), expect.any(Number)] });
    expect(await importWith()).toMatchObject({ updated: 0, importedBefore: 1 });
  });

  test('goes on where the first was stopped', async () => {
    await put(Object.fromEntries(Array.from({ length: 9 }, (_, at) => [`${at}.jpg`, 'picture'])));
    const stop = new AbortController();
    const first = await importWith({
      concurrency: 1,
      signal: stop.signal,
      onProgress: ({ phase, filesDone }) => {
        if (phase === 'uploading' && filesDone === 4) stop.abort(new Error('SIGINT'));
      },
    });
    expect(first).toMatchObject({ ended: 'aborted', uploaded: 4, untried: 5, failures: [] });
    expect(await importWith()).toMatchObject({ ended: 'complete', uploaded: 5, importedBefore: 4 });
    expect(await names()).toHaveLength(9);
  });

  test('stores nothing twice when it has to begin anew', async () => {
    await put({ 'a.jpg': 'picture' });
    await cp(join(folder, 'a.jpg'), join(folder, 'copy.jpg'));
    expect(await importWith()).toMatchObject({ uploaded: 1, duplicates: 1 });
    const { code, out } = await run(['--restart']);
    expect(code).toBe(0);
    expect(out).toContain('2 in the library already');
    expect(await names()).toHaveLength(1);
  });

  test('sends everything again to a library that is not the one of the journal', async () => {
    await put({ 'a.jpg': 'picture' });
    await importWith();
    const [path = ''] = await journals();
    const entry: Json = JSON.parse(await readFile(path, 'utf8'));
    await writeFile(path, `${JSON.stringify({ ...entry, library_version: 1_000_000 })}\n`);
    const summary = await importWith();
    expect(summary).toMatchObject({ duplicates: 1, importedBefore: 0 });
    expect(summary.notes).toContainEqual(expect.stringMatching(/not the one of the earlier imports/));
    expect(await importWith()).toMatchObject({ duplicates: 0, importedBefore: 1 });
  });
});

async function journals(): Promise<string[]> {
  const { filesBelow } = await import('../support/library.ts');
  const imports = join(dataDir, 'imports');
  return (await filesBelow(imports)).map((name) => join(imports, name));
}

describe('the address and the key', () => {
  test('come from first-run.json when neither flags nor variables give them', async () => {
    await put({ 'a.jpg': 'picture' });
    await mkdir(dataDir);
    await writeFile(join(dataDir, 'first-run.json'), JSON.stringify({ base_url: service.url, api_key: key }));
    const { code } = await run([], { TOUCHLINE_URL: '', TOUCHLINE_API_KEY: '' });
    expect(code).toBe(0);
    expect(await names()).toEqual(['a.jpg']);
  });

  test('of the first run stay together: its key is not sent to another address', async () => {
    await put({ 'a.jpg': 'picture' });
    await mkdir(dataDir);
    await writeFile(join(dataDir, 'first-run.json'), JSON.stringify({ base_url: 'http://127.0.0.1:1', api_key: key }));
    const { code, err } = await run([], { TOUCHLINE_API_KEY: '' });
    expect(code).toBe(2);
    expect(err).toContain('expected an API key');
  });

  test('end the command with 2 when they do not lead to a library', async () => {
    await put({ 'a.jpg': 'picture' });
    const wrongKey = `${key.slice(0, -1)}${key.endsWith('0') ? '1' : '0'}`;
    const refused = await run([], { TOUCHLINE_API_KEY: wrongKey });
    expect(refused).toMatchObject({ code: 2, err: expect.stringContaining('(api_key_invalid)') });
    const unreachable = await run(['--url', 'http://127.0.0.1:1']);
    expect(unreachable).toMatchObject({ code: 2, err: expect.stringContaining('http://127.0.0.1:1 was not reached') });
    const withKey = await run(['--url', `${service.url}/?api_key=${key}`]);
    expect(withKey).toMatchObject({ code: 2, err: expect.stringContaining('without key, user or query') });
    for (const { out, err } of [refused, unreachable, withKey]) {
      expect(out + err).not.toContain(key);
      expect(out + err).not.toContain(wrongKey);
    }
  });

  test.each([
    ['two folders', ['.'], /expected one folder/],
    ['an unknown option', ['--fast'], /--fast/],
    ['a concurrency of none', ['--concurrency', '0'], /from 1 to 32/],
    ['a table that is not there', ['--csv', 'gone.csv'], /expected a file at gone.csv/],
    ['a tag that is not there', ['--tag', 'Nobody'], /--tag Nobody: there is no tag option of this name/],
    ['a tag ID that is not there', ['--tag', '9007199254740991'], /--tag 9007199254740991/],
  ])('are not used for %s', async (_name, args, message) => {
    await put({ 'a.jpg': 'picture' });
    const { code, err } = await run(args);
    expect(code).toBe(2);
    expect(err).toMatch(message);
    expect(await names()).toEqual([]);
  });

  test('stop the run when the key may not write', async () => {
    const organizationId = await service.createOrganization(`read-only-${seed}`);
    const reader = await service.createKey({ organizationId, scopes: ['media.read'] });
    await put({ 'a.jpg': 'picture', 'b.jpg': 'picture', 'c.jpg': 'picture' });
    const summary = await importWith({
      client: createApiClient({ baseUrl: service.url, apiKey: reader }),
      concurrency: 1,
    });
    expect(summary).toMatchObject({ ended: 'refused', uploaded: 0, untried: 2 });
  });
});

describe('loadSample', () => {
  const sample = join(import.meta.dirname, '..', '..', 'sample');
  const load = (sampleFolder: string) =>
    loadSample({
      baseUrl: service.url,
      apiKey: key,
      sampleFolder,
      stdout: collect().stream,
      signal: new AbortController().signal,
    });

  test('loads tags with their relations, collections, photos, a video and its actions, and run again changes nothing', async () => {
    const copy = join(root, 'sample');
    await mkdir(join(copy, 'photos'), { recursive: true });
    await mkdir(join(copy, 'videos'));
    await cp(join(sample, 'library.json'), join(copy, 'library.json'));
    const [header = '', ...rows] = (await readFile(join(sample, 'photos.csv'), 'utf8')).trimEnd().split('\n');
    const some = rows.filter((row) => row.includes('sample:match:')).slice(0, 2);
    await writeFile(join(copy, 'photos.csv'), [header, ...some].join('\n'));
    for (const row of some) {
      const name = row.slice(0, row.indexOf(','));
      await cp(join(sample, 'photos', name), join(copy, 'photos', name));
    }
    const clip = '20260314_PAV-BMA_goal-78.mp4';
    await cp(join(sample, 'videos', clip), join(copy, 'videos', clip));
    const first = await load(copy);
    expect(first).toMatchObject({ photos: 2, videos: 1, actions: 4 });
    const video = (await library()).find((media) => media['media_type'] === 'video');
    const actions = async () => (await asKey().call('GET', `/v1/media/${video?.['id']}/action`)).body['actions'];
    const recorded = await actions();
    expect(recorded.map((action: Json) => action['type_key'])).toEqual(['pass', 'goal', 'shot', 'celebration']);
    expect(recorded[1]).toMatchObject({ minute: 78, players: [{ role: 'scorer', shirt: 7 }, { role: 'assist' }] });
    const photos = (await library()).filter((media) => media['media_type'] === 'photo');
    expect(photos.map((media) => media['status'])).toEqual(['ready', 'ready']);
    expect(photos.every((media) => tagsOf(media).some((tag) => tag.startsWith('import ')))).toBe(true);
    // The season comes from the match alone, so its relations were written.
    expect(photos.every((media) => tagsOf(media).some((tag) => tag.startsWith('implied ')))).toBe(true);
    const tags = async () => (await asKey().call('GET', '/v1/tag/search?limit=0')).body['total'];
    expect(await tags()).toBe(first.tagOptions);

    expect(await load(copy)).toEqual(first);
    expect(await tags()).toBe(first.tagOptions);
    expect(await actions()).toEqual(recorded);
    const again = (await library()).filter((media) => media['media_type'] === 'photo');
    expect(again.map(tagsOf)).toEqual(photos.map(tagsOf));
    const { body } = await asKey().call('GET', '/v1/collection');
    expect(body['collections']).toHaveLength(first.collections);
  });
});
