import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { scopeOf } from '../../src/auth/index.ts';
import { deleteOldChanges, readOldestChange } from '../../src/library/index.ts';
import { type Json, startApp, type TestApp } from '../support/app.ts';
import { moment, openEventSource } from '../support/event-source.ts';
import { expectProblem } from '../support/problem.ts';

const SOON = { timeout: 10_000, interval: 20 };

let service: TestApp;
beforeAll(async () => {
  service = await startApp();
});
afterAll(() => service.close());

const open = (query = '', options: { readonly key?: string; readonly lastEventId?: string } = {}) =>
  openEventSource(`${service.url}/v1/event/stream${query}`, { key: service.key, ...options });
const add = async (name: string, key = service.key): Promise<number> => {
  const { headers } = await service.call('POST', '/v1/collection', { body: { name }, key });
  return Number(headers.get('x-library-version'));
};
const eventsAfter = async (after: number, types = ''): Promise<readonly Json[]> => {
  const { body } = await service.call('GET', `/v1/event?after=${after}&limit=1000${types && `&types=${types}`}`);
  return body['events'];
};

describe('the stream of events', () => {
  test('begins with what happens from now on, as the feed says it', async () => {
    const before = await add('Before');
    const source = await open();
    expect(source.status).toBe(200);
    expect(Object.fromEntries(source.headers)).toMatchObject({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store, no-transform',
      'x-accel-buffering': 'no',
    });
    await expect.poll(source.text, SOON).toBe(`retry: 2000\nid: ${before}\n\n`);
    const version = await add('Now');
    await expect.poll(() => source.messages.length, { timeout: 1000, interval: 10 }).toBe(1);
    expect(source.messages).toEqual([
      { id: String(version), event: 'message', data: (await eventsAfter(version - 1))[0] },
    ]);
    source.cut();
  });

  test('goes on behind after, or behind Last-Event-ID, which goes first', async () => {
    const first = await add('One');
    const second = await add('Two');
    const third = await add('Three');
    const after = await open(`?after=${first}`);
    await expect.poll(() => after.messages.map(({ id }) => Number(id)), SOON).toEqual([second, third]);
    const both = await open(`?after=${first}`, { lastEventId: String(second) });
    await expect.poll(() => both.messages.map(({ id }) => Number(id)), SOON).toEqual([third]);
    const all = await open('?after=0');
    await expect.poll(() => all.messages.map(({ data }) => data), SOON).toEqual(await eventsAfter(0));
    for (const source of [after, both, all]) source.cut();
  });

  test('has the types that were asked for', async () => {
    const from = await add('Types');
    const source = await open(`?after=${from}&types=tag_option.*,saved_search.created`);
    await add('Not asked for');
    await service.call('POST', '/v1/tag', { body: { type: 'player', label: 'Asked for' } });
    await service.call('POST', '/v1/saved-search', { body: { name: 'Asked for', request: {} } });
    await expect
      .poll(() => source.messages.map(({ data }) => data['type']), SOON)
      .toEqual(['tag_option.created', 'saved_search.created']);
    source.cut();
  });

  test('has events of keys for admins only, and of no other organization', async () => {
    const from = await add('Mine');
    const stranger = await service.createKey({ organizationId: await service.createOrganization('stranger') });
    const reader = await service.createKey({ scopes: ['media.read'] });
    const [mine, plain, other] = [
      await open(`?after=${from}`),
      await open(`?after=${from}`, { key: reader }),
      await open('', { key: stranger }),
    ];
    await service.call('POST', '/v1/key', { body: { name: 'New', scopes: ['media.read'] } });
    await add('Theirs', stranger);
    await add('Mine again');
    await expect
      .poll(() => mine.messages.map(({ data }) => data['type']), SOON)
      .toEqual(['api_key.created', 'collection.created']);
    await expect.poll(() => plain.messages.map(({ data }) => data['type']), SOON).toEqual(['collection.created']);
    await expect.poll(() => other.messages.length, SOON).toBe(1);
    for (const source of [mine, plain, other]) source.cut();
  });

  test.each([
    ['?after=999999999', {}, 'validation_failed'],
    ['?after=-1', {}, 'validation_failed'],
    ['?types=nonsense', {}, 'validation_failed'],
    ['?other=1', {}, 'validation_failed'],
    ['', { 'Last-Event-ID': 'x' }, 'validation_failed'],
  ] as const)('is refused as %s %j', async (query, headers, code) => {
    expectProblem(await service.call('GET', `/v1/event/stream${query}`, { headers }), code);
  });

  test('needs a key that may read', async () => {
    expectProblem(await service.call('GET', '/v1/event/stream', { key: null }), 'api_key_missing');
    const key = await service.createKey({ scopes: ['actions.write'] });
    expectProblem(await service.call('GET', '/v1/event/stream', { key }), 'scope_missing');
  });

  test('ends soon after its key is revoked', async () => {
    const created = await service.call('POST', '/v1/key', { body: { name: 'Short', scopes: ['media.read'] } });
    const source = await open('', { key: created.body['key'] });
    await service.call('DELETE', `/v1/key/${created.body['api_key'].id}`);
    await source.ended;
    expectProblem(await service.call('GET', '/v1/event/stream', { key: created.body['key'] }), 'api_key_invalid');
  });

  test('is there twenty times a key at most', async () => {
    const key = await service.createKey({ scopes: ['media.read'] });
    const sources = [];
    for (let n = 0; n < 20; n += 1) sources.push(await open('', { key }));
    const refused = await service.call('GET', '/v1/event/stream', { key });
    expectProblem(refused, 'rate_limited');
    expect(refused.headers.get('retry-after')).toBe('10');
    for (const source of sources) source.cut();
    await expect
      .poll(async () => {
        const again = await open('', { key });
        again.cut();
        return again.status;
      }, SOON)
      .toBe(200);
  });

  test('says how far work is, when it is asked to', async () => {
    const { db } = service.app.installation;
    const [row] = await db
      .insertInto('bulk_operation')
      .values({
        organization_id: service.organizationId,
        state: 'running',
        edit: '{}',
        total: 4,
        updated: 1,
        created_by: 'test',
      })
      .returning('id')
      .execute();
    const id = row?.id ?? 0;
    const source = await open('?progress=true');
    const plain = await open();
    const seen = () => source.messages.map(({ event, id: own, data }) => [event, own, data]);
    await expect.poll(seen, SOON).toEqual([['progress', undefined, { kind: 'operation', id, progress: 0.25 }]]);
    await db.updateTable('bulk_operation').set({ updated: 3 }).where('id', '=', id).execute();
    await expect.poll(() => seen().at(-1)?.[2], SOON).toEqual({ kind: 'operation', id, progress: 0.75 });
    await db.updateTable('bulk_operation').set({ state: 'succeeded' }).where('id', '=', id).execute();
    const version = await add('In between');
    await expect.poll(() => source.messages.at(-1)?.id, SOON).toBe(String(version));
    expect(plain.messages.map(({ event }) => event)).toEqual(['message']);
    source.cut();
    plain.cut();
  });
});

test('cut off at random moments while others write, a client has everything once and in order', async () => {
  let { seed = 1 } = fc.readConfigureGlobal();
  const random = () => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    return seed / 2_147_483_648;
  };
  const from = await add('Beginning');
  const writers = [1, 2, 3].map(async (writer) => {
    for (let n = 0; n < 60; n += 1) await add(`Writer ${writer} ${n}`);
  });
  const writing = { isOver: false };
  const done = Promise.all(writers).finally(() => {
    writing.isOver = true;
  });
  const received: Json[] = [];
  let lastEventId = String(from);
  let cuts = 0;
  const listen = async (ms: number): Promise<void> => {
    const source = await open('', { lastEventId });
    await moment(ms);
    source.cut();
    await source.ended;
    received.push(...source.messages.map(({ data }) => data));
    lastEventId = source.lastId();
  };
  while (!writing.isOver) {
    await listen(random() * 60);
    cuts += 1;
  }
  await done;
  const all = await eventsAfter(from);
  expect(all).toHaveLength(180);
  while (received.length < all.length) await listen(100);
  expect(received).toEqual(all);
  expect(cuts).toBeGreaterThan(3);
});

describe('events of long ago', () => {
  test('are removed in order, and whoever asks for them is told where to begin', async () => {
    const { db } = service.app.installation;
    const organizationId = await service.createOrganization('old');
    const key = await service.createKey({ organizationId });
    const scope = scopeOf(organizationId);
    for (const name of ['One', 'Two', 'Three', 'Four']) await add(name, key);
    const keptMs = 30 * 24 * 3_600_000;
    const sweep = (now: Date) => deleteOldChanges(db, { now, keptMs, signal: new AbortController().signal });
    const date = (days: number) => new Date(Date.now() - days * 24 * 3_600_000);
    const age = (version: number, days: number) =>
      db
        .updateTable('change')
        // The column takes no update by its type: only a test makes events older than they are.
        .set({ created_at: date(days) as never })
        .where('organization_id', '=', organizationId)
        .where('version', '=', version)
        .execute();
    await age(1, 31);
    await age(2, 31);
    // Older than the one before: what is kept has no gap.
    await age(4, 31);
    await sweep(new Date());
    expect(await readOldestChange(db, scope)).toBe(3);
    const list = async (after: number) => service.call('GET', `/v1/event?after=${after}`, { key });
    expectProblem(await list(1), 'cursor_expired');
    expect((await list(1)).body).toMatchObject({ oldest_after: 2 });
    for (const after of [0, 2]) {
      expect((await list(after)).body['events'].map((event: Json) => event['id'])).toEqual([3, 4]);
    }
    expectProblem(await service.call('GET', '/v1/event/stream?after=1', { key }), 'cursor_expired');
    const late = { key, headers: { 'Last-Event-ID': '1' } };
    expectProblem(await service.call('GET', '/v1/event/stream', late), 'cursor_expired');
    const source = await open('?after=0', { key });
    await expect.poll(() => source.messages.map(({ id }) => id), SOON).toEqual(['3', '4']);
    source.cut();
    // The newest stays: indexes on disk are recognised by it.
    await age(3, 31);
    await sweep(new Date());
    expect(await readOldestChange(db, scope)).toBe(4);
  });

  test('are kept while a webhook has not sent them, twice as long at most', async () => {
    const { db } = service.app.installation;
    const organizationId = await service.createOrganization('held');
    const key = await service.createKey({ organizationId });
    const scope = scopeOf(organizationId);
    const body = { name: 'Nowhere', url: 'https://hooks.invalid/', types: ['collection.*'] };
    const { id } = (await service.call('POST', '/v1/webhook', { key, body })).body['webhook'];
    for (const name of ['One', 'Two', 'Three']) await add(name, key);
    const messages = async () =>
      (await service.call('GET', `/v1/webhook/${id}/message`, { key })).body['messages'].map(
        (one: Json) => one['tries'],
      );
    await expect.poll(messages, { timeout: 30_000, interval: 100 }).toEqual([1, 1, 1]);
    const keptMs = 30 * 24 * 3_600_000;
    const sweep = (days: number) =>
      deleteOldChanges(db, {
        now: new Date(Date.now() + days * 24 * 3_600_000),
        keptMs,
        signal: new AbortController().signal,
      });
    await sweep(31);
    expect(await readOldestChange(db, scope)).toBe(1);
    await sweep(61);
    expect(await readOldestChange(db, scope)).toBe(3);
    await service.call('DELETE', `/v1/webhook/${id}`, { key });
  }, 60_000);
});

test('a service that stops ends its streams', async () => {
  const other = await startApp();
  const source = await openEventSource(`${other.url}/v1/event/stream`, { key: other.key });
  const startedMs = performance.now();
  await other.close();
  await source.ended;
  expect(performance.now() - startedMs).toBeLessThan(4000);
});
