import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { createTestDatabase } from '../support/database.ts';
import { plainPhoto } from '../support/library.ts';
import { createServiceFolder, type RunningService } from '../support/process.ts';

type Body = { readonly [name: string]: any };
type Reply = { readonly status: number; readonly version: string; readonly body: Body };
/** `after`: the version that a write on the other node answered. */
type CallOptions = { readonly body?: object | FormData; readonly after?: string };

const WRITES = 200;

describe.each(['postgres', 'bitmap'])('two nodes on one database and one storage, SEARCH_ENGINE=%s', (engine) => {
  let a: RunningService;
  let b: RunningService;
  let key: string;
  let database: pg.Client;
  let media: number;
  const closers: (() => Promise<void>)[] = [];

  beforeAll(async () => {
    const own = await createTestDatabase();
    closers.push(() => own.drop());
    const folders = [await createServiceFolder(), await createServiceFolder()] as const;
    closers.push(async () => {
      for (const folder of folders) await folder.remove();
    });
    const env = {
      DATABASE_URL: own.url,
      STORAGE_URL: `file://${folders[0].dataDir}/storage`,
      SEARCH_ENGINE: engine,
    };
    a = await folders[0].start(env);
    b = await folders[1].start(env);
    key = (await folders[0].firstRun()).api_key;
    database = new pg.Client({ connectionString: own.url });
    await database.connect();
    closers.push(() => database.end());

    const form = new FormData();
    form.append('metadata', JSON.stringify({ name: 'kick-off.jpg' }));
    form.append('file', new Blob([new Uint8Array(await plainPhoto(7))]), 'kick-off.jpg');
    const uploaded = await ask(a, 'POST', '/v1/media', { body: form });
    media = uploaded.body['media'].id;
    // From here on both nodes have everything in memory that they keep there.
    await found(b, {}, { after: uploaded.version });
    await vi.waitFor(async () => expect((await found(b, { status: 'ready' }))['total']).toBe(1), 20_000);
    await tagged('nobody');
    if (engine === 'bitmap') await vi.waitFor(() => expect(b.output()).toContain('search_index.loaded'), 20_000);
  });
  afterAll(async () => {
    const ended = await Promise.all([a, b].map((node) => node.end('SIGTERM')));
    for (const close of closers.toReversed()) await close();
    expect(ended.map(({ code }) => code)).toEqual([0, 0]);
  });

  async function ask(node: RunningService, method: string, path: string, options: CallOptions = {}): Promise<Reply> {
    const { body, after } = options;
    const response = await fetch(node.url + path, {
      method,
      headers: {
        'X-Api-Key': key,
        ...(body instanceof FormData ? { Prefer: 'wait=30' } : {}),
        ...(body && !(body instanceof FormData) ? { 'Content-Type': 'application/json' } : {}),
        ...(after === undefined ? {} : { 'X-Library-Version': after }),
      },
      ...(body ? { body: body instanceof FormData ? body : JSON.stringify(body) } : {}),
    });
    return {
      status: response.status,
      version: response.headers.get('x-library-version') ?? '',
      body: (await response.json()) as Body,
    };
  }

  async function succeed(reply: Promise<Reply>): Promise<Reply> {
    const { status, body } = await reply;
    expect([200, 201], JSON.stringify(body)).toContain(status);
    return reply;
  }

  const found = async (node: RunningService, filter: object, options: CallOptions = {}): Promise<Body> =>
    (await succeed(ask(node, 'POST', '/v1/media/search', { ...options, body: filter }))).body;
  const tagged = async (query: string, options: CallOptions = {}): Promise<number> =>
    (await succeed(ask(b, 'GET', `/v1/tag/search?query=${query}`, options))).body['total'];
  const addTag = (label: string) => succeed(ask(a, 'POST', '/v1/tag', { body: { type: 'player', label } }));
  const rename = (name: string) => succeed(ask(a, 'PATCH', `/v1/media/${media}`, { body: { name } }));

  test('what one node wrote is found on the other at once with the version of the write', async () => {
    for (let round = 0; round < 10; round += 1) {
      const tag = await addTag(`Prompt ${round}`);
      expect(await tagged(`prompt ${round}`, { after: tag.version })).toBe(1);
      const { id } = tag.body['tag_option'];
      const added = await succeed(ask(a, 'POST', `/v1/media/${media}/tag`, { body: { add: [id] } }));
      expect((await found(b, { tag_options: [id] }, { after: added.version }))['total']).toBe(1);
      const renamed = await rename(`prompt-${round}.jpg`);
      expect((await found(b, { name: `prompt-${round}` }, { after: renamed.version }))['total']).toBe(1);
      expect((await found(b, { text: `prompt ${round}` }, { after: renamed.version }))['total']).toBe(1);
    }
  });

  test('and within a second without it', async () => {
    for (let round = 0; round < 5; round += 1) {
      await addTag(`Later ${round}`);
      await expect.poll(() => tagged(`later ${round}`), { timeout: 1000, interval: 20 }).toBe(1);
      await rename(`later-${round}.jpg`);
      await expect
        .poll(async () => (await found(b, { name: `later-${round}` }))['total'], { timeout: 1000, interval: 20 })
        .toBe(1);
    }
  });

  test('a tag option of the other node is known the moment it exists', async () => {
    for (let round = 0; round < 5; round += 1) {
      const { id } = (await addTag(`New ${round}`)).body['tag_option'];
      expect((await found(b, { tag_options: [id] }))['total']).toBe(0);
    }
  });

  test(`a node whose connections are cut again and again while the other writes ${WRITES} changes misses none`, async () => {
    const writing = new AbortController();
    let cut = 0;
    const cutting = (async () => {
      while (!writing.signal.aborted) {
        const ended = await database.query(
          'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = $1',
          [`touchline-${b.child.pid}`],
        );
        cut += ended.rowCount ?? 0;
        // The cuts are meant to meet searches, catch-ups and polls at any point of theirs.
        await delay(15 + (cut % 7) * 5);
      }
    })();
    const answers = new Set<number>();
    const searching = (async () => {
      while (!writing.signal.aborted) {
        answers.add((await ask(b, 'GET', '/v1/tag/search?query=unbroken')).status);
        answers.add((await ask(b, 'POST', '/v1/media/search', { body: { limit: 0 } })).status);
        await delay(30);
      }
    })();
    let last = '';
    for (let write = 0; write < WRITES / 2; write += 1) {
      await addTag(`Unbroken ${write}`);
      last = (await rename(`unbroken-${write}.jpg`)).version;
    }
    writing.abort();
    await Promise.all([cutting, searching]);
    expect(cut).toBeGreaterThan(10);
    // A search whose own connection was cut may be refused for the moment; it is never an internal error.
    expect([...answers].filter((status) => status !== 200 && status !== 503)).toEqual([]);

    expect(b.child.exitCode).toBeNull();
    await expect.poll(async () => (await ask(b, 'GET', '/readyz')).status, { timeout: 10_000 }).toBe(200);
    expect(await tagged('unbroken', { after: last })).toBe(WRITES / 2);
    for (let write = 0; write < WRITES / 2; write += 1) expect(await tagged(`unbroken ${write}`)).toBeGreaterThan(0);
    expect((await found(b, { name: `unbroken-${WRITES / 2 - 1}` }, { after: last }))['total']).toBe(1);
    expect((await found(b, { name: 'unbroken-0.jpg' }))['total']).toBe(0);
  }, 60_000);
});
