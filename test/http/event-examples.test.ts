import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { CHANGE_TYPES } from '../../src/library/index.ts';
import { freePort, startApp, type TestApp } from '../support/app.ts';

const run = promisify(execFile);
const DOCUMENT = join(import.meta.dirname, '..', '..', 'docs', 'events.md');
const SOON = { timeout: 20_000, interval: 50 };
const hasPython = await run('python3', ['--version']).then(
  () => true,
  () => false,
);

let service: TestApp;
let folder: string;
let text: string;
const children: ChildProcess[] = [];
beforeAll(async () => {
  service = await startApp({ OUTBOUND_ALLOW: '127.0.0.1' });
  folder = await mkdtemp(join(tmpdir(), 'touchline-examples-'));
  text = await readFile(DOCUMENT, 'utf8');
});
afterEach(async () => {
  for (const child of children.splice(0)) {
    child.kill('SIGKILL');
    await once(child, 'exit');
  }
});
afterAll(async () => {
  await service.close();
  await rm(folder, { recursive: true, force: true });
});

const settings = () => ({
  PATH: process.env['PATH'],
  TOUCHLINE_URL: service.url,
  TOUCHLINE_API_KEY: service.key,
});

/** The program whose first line names the file. */
function exampleOf(file: string): string {
  const blocks = [...text.matchAll(/```(?:js|python)\n([\s\S]*?)```/g)].map(([, code = '']) => code);
  const found = blocks.find((code) => code.split('\n')[0]?.endsWith(` ${file}`));
  if (found === undefined) throw new Error(`no example ${file}`);
  return found;
}

async function start(program: string, file: string, env: Record<string, string | undefined>): Promise<() => string[]> {
  const path = join(folder, file);
  await writeFile(path, exampleOf(file));
  const child = spawn(program, [path], { env: { ...settings(), ...env }, stdio: ['ignore', 'pipe', 'inherit'] });
  children.push(child);
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  return () => output.split('\n').filter((line) => line !== '');
}

const isListening = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => resolve(true));
    socket.on('error', () => resolve(false));
    socket.on('connect', () => socket.end());
  });

const addCollection = async (name: string): Promise<number> =>
  (await service.call('POST', '/v1/collection', { body: { name } })).body['collection'].id;

test('the commands do what is said', async () => {
  await addCollection('Example');
  const commands = [...text.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, command = '']) => command);
  const [feed = '', stream = '', create = '', ...others] = commands;
  expect(others).toEqual([]);
  const listed = JSON.parse((await run('sh', ['-c', feed], { env: settings() })).stdout);
  expect(listed).toMatchObject({ events: [{ type: 'collection.created' }], has_more: false });
  // curl ends by its own time limit, which it calls a failure.
  const streamed = await run('sh', ['-c', `${stream.trim()} || true`], { env: settings() });
  expect(streamed.stdout).toContain(`data: ${JSON.stringify(listed.events[0])}`);
  const created = JSON.parse((await run('sh', ['-c', create], { env: settings() })).stdout);
  expect(created).toMatchObject({ webhook: { status: 'active' }, secret: expect.stringMatching(/^whsec_/) });
  await service.call('DELETE', `/v1/webhook/${created.webhook.id}`);
});

test('the program that follows the stream says what happens', async () => {
  const lines = await start(process.execPath, 'follow.mjs', {});
  await expect
    .poll(async () => {
      await addCollection('Followed');
      return lines().length;
    }, SOON)
    .toBeGreaterThan(1);
  expect(lines()[0]).toMatch(/^collection\.created \d+$/);
});

describe('the receiver takes in what is signed and refuses the rest', () => {
  const receives = async (program: string, file: string) => {
    const port = await freePort();
    const url = `http://127.0.0.1:${port}/`;
    const body = { name: file, url, types: ['collection.created'] };
    const created = await service.call('POST', '/v1/webhook', { body });
    const lines = await start(program, file, { PORT: String(port), WEBHOOK_SECRET: created.body['secret'] });
    await expect.poll(() => isListening(port), SOON).toBe(true);
    const { id } = created.body['webhook'];
    expect((await service.call('POST', `/v1/webhook/${id}/test`)).body).toMatchObject({ delivered: true });
    const collection = await addCollection(file);
    await expect.poll(() => lines().length, SOON).toBe(2);
    expect(lines()[0]).toMatch(/^ping_\S+ webhook\.ping /);
    expect(lines()[1]).toMatch(new RegExp(`^evt_\\d+_\\d+ collection\\.created ${collection}$`));
    const forged = { 'webhook-id': 'evt_1_1', 'webhook-signature': `v1,${'A'.repeat(43)}=` };
    const timestamp = String(Math.floor(Date.now() / 1000));
    for (const headers of [
      {},
      { ...forged, 'webhook-timestamp': timestamp },
      { ...forged, 'webhook-timestamp': '1' },
    ]) {
      expect((await fetch(url, { method: 'POST', body: '{"type":"x","data":{}}', headers })).status).toBe(401);
    }
    expect(lines()).toHaveLength(2);
    const rotated = await service.call('POST', `/v1/webhook/${id}/rotate`);
    expect(rotated.status).toBe(200);
    // The receiver has the old secret still.
    expect((await service.call('POST', `/v1/webhook/${id}/test`)).body).toMatchObject({ delivered: true });
    await service.call('DELETE', `/v1/webhook/${id}`);
  };

  test('in Node', () => receives(process.execPath, 'receiver.mjs'));
  test.skipIf(!hasPython)('in Python', () => receives('python3', 'receiver.py'));
});

test('every type of event is in the table', () => {
  const table = text.slice(text.indexOf('| types | when |'), text.indexOf('Wherever types are asked for'));
  const named = table.split('\n').flatMap((line) => {
    let kind = '';
    return [...(line.split('|')[1] ?? '').matchAll(/`([a-z_]+)(?:\.([a-z_*]+))?`/g)].map(([, first = '', second]) => {
      if (second !== undefined) kind = first;
      return `${kind}.${second ?? first}`;
    });
  });
  const isNamed = (type: string) => named.includes(type) || named.includes(`${type.split('.')[0]}.*`);
  expect(CHANGE_TYPES.filter((type) => !isNamed(type))).toEqual([]);
  expect(named.filter((name) => !name.endsWith('.*') && !CHANGE_TYPES.some((type) => type === name))).toEqual([]);
});
