import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Json, startApp, type TestApp } from '../support/app.ts';
import { type FileServer, startFileServer } from '../support/file-server.ts';
import { plainPhoto } from '../support/library.ts';
import { insertAssets } from '../support/search-library.ts';

const run = promisify(execFile);
const ROOT = join(import.meta.dirname, '..', '..');
const read = (path: string) => readFile(join(ROOT, path), 'utf8');

const hasPython = await run('python3', ['--version']).then(
  () => true,
  () => false,
);

let service: TestApp;
let folder: string;
let source: FileServer;
beforeAll(async () => {
  source = await startFileServer();
  service = await startApp({ OUTBOUND_ALLOW: `127.0.0.1:${source.port}` });
  folder = await mkdtemp(join(tmpdir(), 'touchline-examples-'));
});
afterAll(async () => {
  await service.close();
  await source.close();
  await rm(folder, { recursive: true, force: true });
});

async function createTag(body: object): Promise<number> {
  const created = await service.call('POST', '/v1/tag', { body });
  expect(created.status, JSON.stringify(created.body)).toBe(201);
  return created.body['tag_option'].id;
}

describe('docs/search.md', () => {
  test('every filter and request in it is accepted', async () => {
    // The examples name these IDs of the sample library; the types are theirs.
    const players = [18, 21, 24, 43].map((id) => [id, 'player'] as const);
    const types = new Map<number, string>([[1, 'club'], [5, 'stadium'], [12, 'match'], ...players]);
    for (let id = 1; id <= 90; id += 1) {
      expect(await createTag({ type: types.get(id) ?? 'tag', label: `Example ${id}` })).toBe(id);
    }
    for (const name of ['One', 'Two']) await service.call('POST', '/v1/collection', { body: { name } });

    const [media = '', actions = ''] = (await read('docs/search.md')).split('### Searching actions');
    for (const [path, text] of [['/v1/media/search', media] as const, ['/v1/action/search', actions] as const]) {
      const inTables = [...text.matchAll(/^\| `(\{.*?\})` \|/gm)].map(([, filter = '']) => filter);
      const inBlocks = [...text.matchAll(/```json\n([\s\S]*?)```/g)].map(([, block = '']) => block);
      expect(inTables.length).toBeGreaterThan(9);
      for (const body of [...inTables, ...inBlocks]) {
        const answer = await service.call('POST', path, { body });
        expect(answer.status, `${body} ${JSON.stringify(answer.body)}`).toBe(200);
      }
    }
  });
});

describe('docs/integration.md', () => {
  const runExample = async (options: {
    readonly language: string;
    readonly file: string;
    readonly program: string;
  }) => {
    const text = await read('docs/integration.md');
    const [, code] = new RegExp(`\`\`\`${options.language}\\n([\\s\\S]*?)\`\`\``).exec(text) ?? [];
    const path = join(folder, options.file);
    await writeFile(path, code ?? '');
    const photo = join(ROOT, 'test', 'fixtures', 'faces', 'camera.png');
    const env = { PATH: process.env['PATH'], TOUCHLINE_URL: service.url, TOUCHLINE_API_KEY: service.key };
    const { stdout } = await run(options.program, [path, photo], { env, timeout: 60_000 });
    return stdout.trimEnd().split('\n');
  };
  let player: number;
  beforeAll(async () => {
    player = await createTag({ type: 'player', label: 'Strömqvall', full_name: 'Ebba Strömqvall' });
    await createTag({ type: 'tag', category: 'moment', label: 'Celebration' });
    const bytes = await readFile(join(ROOT, 'test', 'fixtures', 'faces', 'astronaut.png'));
    const uploaded = await service.upload(bytes, { name: 'guest.png', metadata: { tag_options: [player] } });
    expect(uploaded.body['media'].people_count).toBe(1);
  });

  const expectTour = async (lines: readonly string[]) => {
    expect(lines).toHaveLength(5);
    expect(lines[0]).toMatch(new RegExp(`^Ebba Strömqvall is tag option ${player}, on \\d assets$`));
    expect(lines[1]).toMatch(/^\d photos, the newest is \S+$/);
    const card = (lines[2] ?? '').replace('card: ', '');
    expect((await fetch(card)).headers.get('x-focus')).toBe('face');
    expect(lines[3]).toMatch(/^asset \d+ is ready, \d faces, duplicate: (?:false|true|True|False)$/);
    expect(lines[4]).toContain('Strömqvall, Celebration');
  };

  test('the program in JavaScript finds, searches, uploads and tags', async () => {
    await expectTour(await runExample({ language: 'js', file: 'example.mjs', program: process.execPath }));
  });

  test.skipIf(!hasPython)('the program in Python finds, searches, uploads and tags', async () => {
    await expectTour(await runExample({ language: 'python', file: 'example.py', program: 'python3' }));
  });
});

describe('docs/actions.md', () => {
  test('its commands do what it says, one after the other', async () => {
    const match = await createTag({ type: 'match', label: 'Example match' });
    const player = await createTag({ type: 'player', label: 'Example scorer' });
    const rows = [1, 2].map(() => ({ mediaType: 'video' as const, durationMs: 60_000, tags: [match] }));
    const [video = 0, second = 0] = await insertAssets(service, rows);
    const env: Record<string, string | undefined> = {
      PATH: process.env['PATH'],
      TOUCHLINE_URL: service.url,
      TOUCHLINE_API_KEY: service.key,
      VIDEO: String(video),
      SECOND: String(second),
      PLAYER: String(player),
    };
    const text = await read('docs/actions.md');
    const commands = [...text.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, command = '']) => command);
    const answers: Json[] = [];
    for (const command of commands) {
      const { stdout } = await run('sh', ['-c', command], { env, timeout: 30_000 });
      answers.push(JSON.parse(stdout) as Json);
      env['ACTION'] ??= String(answers[0]?.['actions'][0].id);
    }
    const [recorded, many, patched, retracted, history, timeline, angles, events] = answers;
    expect(recorded).toMatchObject({ actions: [{ minute: 78, match, result: 'created' }], errors: [] });
    expect(many).toMatchObject({ actions: [{ type_key: 'corner' }, { type_key: 'celebration' }], errors: [] });
    expect(patched).toMatchObject({ action: { status: 'retracted', version: 2 } });
    expect(retracted).toMatchObject({ actions: [{ label: '2-1' }] });
    expect(history?.['history'].map((one: Json) => one['change'])).toEqual(['created', 'retracted']);
    expect(timeline).toMatchObject({ media: { timeline: { angle: 'behind goal' } } });
    expect(angles).toMatchObject({ actions: [] });
    expect(events?.['events'].map((one: Json) => one['type'])).toContain('action.retracted');
    const again = { label: '2-1', event_ms: 5900, period: 2, clock_ms: 4_637_900, type: 'goal' };
    await service.call('POST', `/v1/media/${video}/action`, { body: again });
    const shown = await service.call('GET', `/v1/media/${second}/action`);
    expect(shown.body['actions']).toMatchObject([{ label: '2-1', start_ms: 5000, angles: [{}, { derived: true }] }]);
  });
});

describe('docs/import.md', () => {
  const env = () => ({
    PATH: process.env['PATH'],
    TOUCHLINE_URL: service.url,
    TOUCHLINE_API_KEY: service.key,
  });
  let commands: readonly string[];
  let program: string;
  beforeAll(async () => {
    const text = await read('docs/import.md');
    commands = [...text.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, command = '']) => command);
    [, program = ''] = /```js\n([\s\S]*?)```/.exec(text) ?? [];
    expect(commands).toHaveLength(4);
  });

  test('its program uploads with the client of tus', async () => {
    // Where the example finds the package that it asks for.
    await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
    const [path, photo] = [join(folder, 'upload.mjs'), join(folder, 'match.jpg')];
    await writeFile(path, program);
    await writeFile(photo, await plainPhoto(901));
    const { stdout } = await run(process.execPath, [path, photo], { env: env(), timeout: 60_000 });
    const [, id] = /^match\.jpg is asset (\d+), duplicate: false$/.exec(stdout.trim()) ?? [];
    const { body } = await service.call('GET', `/v1/media/${id}`);
    expect(body['media']).toMatchObject({ name: 'match.jpg', details: { caption: 'Second half' } });
  });

  test('its steps for curl upload a file', async () => {
    const photo = join(folder, 'with spaces.jpg');
    await writeFile(photo, await plainPhoto(902));
    const { stdout } = await run('sh', ['-c', commands[0] ?? ''], { env: { ...env(), FILE: photo }, timeout: 60_000 });
    const { upload } = JSON.parse(stdout) as Json;
    expect(upload).toMatchObject({ name: 'with spaces.jpg', state: 'completed', media_id: expect.any(Number) });
  });

  test('its commands import from URLs', async () => {
    source.files.set('/agency.jpg', { bytes: await plainPhoto(903) });
    const ask = async (command = '', more = {}) => {
      const { stdout } = await run('sh', ['-c', command], { env: { ...env(), ...more }, timeout: 30_000 });
      return JSON.parse(stdout) as Json;
    };
    const queued = await ask(commands[1], { PHOTO_URL: `${source.url}/agency.jpg?signature=1` });
    const OPERATION = String(queued['operation'].id);
    await expect
      .poll(async () => (await ask(commands[2], { OPERATION }))['operation'].state, { timeout: 20_000 })
      .toBe('succeeded');
    expect((await ask(commands[3], { OPERATION }))['results']).toMatchObject([
      { status: 'created', url: `${source.url}/agency.jpg`, id: expect.any(Number) },
    ]);
  });
});
