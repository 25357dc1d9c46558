import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Json } from '../support/app.ts';
import { createTestDatabase } from '../support/database.ts';
import { moment, openEventSource } from '../support/event-source.ts';
import { createServiceFolder, type RunningService, type ServiceFolder } from '../support/process.ts';
import { startWebhookReceiver, verified, type WebhookReceiver } from '../support/servers/webhook-receiver.ts';

/** Two nodes on one database; the first is killed again and again while both write. */
let receiver: WebhookReceiver;
let folders: readonly [ServiceFolder, ServiceFolder];
let env: Record<string, string>;
let mortal: RunningService;
let steady: RunningService;
let key: string;
const closers: (() => Promise<unknown>)[] = [];

beforeAll(async () => {
  receiver = await startWebhookReceiver();
  closers.push(() => receiver.close());
  const database = await createTestDatabase();
  closers.push(() => database.drop());
  folders = [await createServiceFolder(), await createServiceFolder()];
  const [first, second] = folders;
  closers.push(async () => {
    await first.remove();
    await second.remove();
  });
  env = {
    DATABASE_URL: database.url,
    STORAGE_URL: `file://${first.dataDir}/storage`,
    OUTBOUND_ALLOW: '127.0.0.1',
    SECRET_KEY: 'ab'.repeat(32),
  };
  mortal = await first.start(env);
  key = (await first.firstRun()).api_key;
  steady = await second.start(env);
}, 60_000);
afterAll(async () => {
  await Promise.all([mortal, steady].map((node) => node.end('SIGTERM')));
  for (const close of closers.toReversed()) await close();
});

async function ask(node: RunningService, method: string, path: string, body?: object): Promise<Json> {
  const response = await fetch(node.url + path, {
    method,
    headers: { 'X-Api-Key': key, ...(body && { 'Content-Type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  });
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
  return (await response.json()) as Json;
}

/** Writes to a node until it is told to stop; a node that is dead is tried again. */
function writeTo(node: () => RunningService, name: string) {
  const state = { isOver: false, written: 0 };
  const run = async () => {
    while (!state.isOver) {
      const written = ask(node(), 'POST', '/v1/collection', { name: `${name} ${state.written}` });
      await written.then(() => (state.written += 1)).catch(() => moment(50));
      await moment(5);
    }
  };
  const done = run();
  return {
    stop: async () => {
      state.isOver = true;
      await done;
      return state.written;
    },
  };
}

/** Listens to both nodes by turns, each time for a moment, and goes on behind the last id. */
function listen(from: number) {
  const received: Json[] = [];
  const state = { lastEventId: String(from), turn: 0, isOver: false };
  const run = async () => {
    while (!state.isOver) {
      state.turn += 1;
      const node = state.turn % 2 === 0 ? mortal : steady;
      try {
        const source = await openEventSource(`${node.url}/v1/event/stream`, { key, lastEventId: state.lastEventId });
        await Promise.race([moment((state.turn * 37) % 400), source.ended]);
        source.cut();
        await source.ended;
        received.push(...source.messages.map(({ data }) => data));
        state.lastEventId = source.lastId();
      } catch {
        await moment(20);
      }
    }
  };
  const done = run();
  return {
    received,
    stop: async () => {
      state.isOver = true;
      await done;
    },
  };
}

test('streams have every event once and in order, and webhooks each at least once, across kills of a node', async () => {
  const version: number = (await ask(steady, 'GET', '/v1/me'))['organization'].library_version;
  const hooked = await ask(mortal, 'POST', '/v1/webhook', {
    name: 'All',
    url: `${receiver.url}/all`,
    types: ['collection.*'],
  });
  const { id: webhookId } = hooked['webhook'];
  const listener = listen(version);
  const writers = [writeTo(() => mortal, 'mortal'), writeTo(() => steady, 'steady')];
  const [folder] = folders;
  for (let kills = 0; kills < 3; kills += 1) {
    await moment(1200);
    await mortal.end('SIGKILL');
    mortal = await folder.start(env);
  }
  await moment(500);
  const written = (await Promise.all(writers.map((writer) => writer.stop()))).reduce((a, b) => a + b, 0);
  const all: Json[] = [];
  for (let hasMore = true; hasMore; ) {
    const page = await ask(steady, 'GET', `/v1/event?after=${all.at(-1)?.['id'] ?? version}&limit=1000`);
    all.push(...page['events']);
    hasMore = page['has_more'];
  }
  // A write whose answer was lost with its node is there all the same.
  expect(all.length).toBeGreaterThanOrEqual(written);
  expect(written).toBeGreaterThan(50);
  await expect.poll(() => listener.received.length, { timeout: 20_000 }).toBeGreaterThanOrEqual(all.length);
  await listener.stop();
  expect(listener.received).toEqual(all);

  // The lease of the node that was killed last ends after 15 s, and the sweep comes every minute.
  const versions = all.filter(({ type }) => type === 'collection.created').map(({ id }) => id);
  const arrived = () => receiver.received('/all').map((one) => verified(one, hooked['secret'])['data'].id);
  await expect.poll(() => new Set(arrived()).size, { timeout: 120_000, interval: 250 }).toBe(versions.length);
  expect([...new Set(arrived())]).toEqual(versions);
  const states = async () => {
    const found: Json[] = [];
    let cursor = '';
    do {
      const page = await ask(
        steady,
        'GET',
        `/v1/webhook/${webhookId}/message?limit=200${cursor && `&cursor=${cursor}`}`,
      );
      found.push(...page['messages']);
      cursor = page['next_cursor'] ?? '';
    } while (cursor !== '');
    return found.map((one) => [one['event'].id, one['state']]);
  };
  await expect
    .poll(states, { timeout: 60_000, interval: 250 })
    .toEqual(versions.toReversed().map((one) => [one, 'delivered']));
}, 240_000);
