import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Json, startApp, type TestApp } from '../support/app.ts';
import { expectProblem } from '../support/problem.ts';
import { startWebhookReceiver, verified, type WebhookReceiver } from '../support/servers/webhook-receiver.ts';

const SOON = { timeout: 15_000, interval: 20 };

let receiver: WebhookReceiver;
let service: TestApp;
let paths = 0;
beforeAll(async () => {
  receiver = await startWebhookReceiver();
  service = await startApp({ OUTBOUND_ALLOW: `127.0.0.1:${receiver.port}` });
});
afterAll(async () => {
  await service.close();
  await receiver.close();
});

type Created = { readonly id: number; readonly path: string; readonly secret: string; readonly webhook: Json };

async function createWebhook(members: object = {}): Promise<Created> {
  const path = `/hook-${(paths += 1)}`;
  const body = { name: `Hook ${paths}`, url: receiver.url + path, types: ['collection.*'], ...members };
  const answer = await service.call('POST', '/v1/webhook', { body });
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  const { webhook, secret } = answer.body;
  return { id: webhook.id, path, secret, webhook };
}

async function addCollection(name: string): Promise<{ readonly id: number; readonly version: number }> {
  const { status, headers, body } = await service.call('POST', '/v1/collection', { body: { name } });
  expect(status).toBe(201);
  return { id: body['collection'].id, version: Number(headers.get('x-library-version')) };
}

const readWebhook = async (id: number): Promise<Json> =>
  (await service.call('GET', `/v1/webhook/${id}`)).body['webhook'];
const messagesOf = async (id: number): Promise<readonly Json[]> =>
  (await service.call('GET', `/v1/webhook/${id}/message?limit=200`)).body['messages'];
const setRow = (id: number, values: object) =>
  service.app.installation.db.updateTable('webhook').set(values).where('id', '=', id).execute();

describe('a webhook', () => {
  test('shows its secret once, and keeps it encrypted', async () => {
    const { id, secret, webhook } = await createWebhook();
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(webhook).toMatchObject({ status: 'active', disabled_reason: null, concurrency: 1, version: 1 });
    expect(JSON.stringify(await readWebhook(id))).not.toContain(secret);
    const row = await service.app.installation.db
      .selectFrom('webhook')
      .select('secret')
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    expect(row.secret.includes(secret.slice(6))).toBe(false);
    expect(service.log()).not.toContain(secret.slice(6));
  });

  test('is shown without its secret when the creating request is replayed', async () => {
    const body = { name: 'Replayed', url: `${receiver.url}/replayed`, types: ['clip.ready'] };
    const headers = { 'Idempotency-Key': 'webhook-1' };
    const first = await service.call('POST', '/v1/webhook', { body, headers });
    const again = await service.call('POST', '/v1/webhook', { body, headers });
    expect(first.body['secret']).toMatch(/^whsec_/);
    expect(again.body).toEqual({ ...first.body, secret: null });
  });

  test('is listed, changed with its ETag, and deleted', async () => {
    const { id } = await createWebhook();
    const changed = await service.call('PATCH', `/v1/webhook/${id}`, {
      body: { name: 'Other', types: ['media.*', 'clip.ready'] },
      headers: { 'If-Match': '"v1"' },
    });
    expect(changed.body['webhook']).toMatchObject({ name: 'Other', types: ['media.*', 'clip.ready'], version: 2 });
    const late = await service.call('PATCH', `/v1/webhook/${id}`, {
      body: { name: 'x' },
      headers: { 'If-Match': '"v1"' },
    });
    expectProblem(late, 'precondition_failed');
    const list = await service.call('GET', '/v1/webhook?limit=200');
    expect(list.body['webhooks'].map((one: Json) => one['id'])).toContain(id);
    expect((await service.call('DELETE', `/v1/webhook/${id}`)).status).toBe(204);
    expectProblem(await service.call('GET', `/v1/webhook/${id}`), 'not_found');
  });

  test.each([
    [{ url: 'https://127.0.0.1/x' }, '/url'],
    [{ url: 'https://[::1]/x' }, '/url'],
    [{ url: 'https://169.254.169.254/latest' }, '/url'],
    [{ url: 'http://93.184.215.14/x' }, '/url'],
    [{ url: 'ftp://example.com' }, '/url'],
    [{ url: 'https://user:password@example.com' }, '/url'],
    [{ url: 'nonsense' }, '/url'],
    [{ types: ['media.ready', 'media.nonsense'] }, '/types/1'],
    [{ types: [] }, '/types'],
    [{ concurrency: 9 }, '/concurrency'],
    [{ secret: 'whsec_own' }, '/secret'],
  ])('is refused with %j', async (members, pointer) => {
    const body = { name: 'Bad', url: 'https://example.com/hook', ...members };
    const problem = expectProblem(await service.call('POST', '/v1/webhook', { body }), 'validation_failed');
    expect(problem['errors'][0].pointer).toBe(pointer);
    expect(JSON.stringify(problem)).not.toContain('password@');
  });

  test('is for admins', async () => {
    const key = await service.createKey({ scopes: ['media.read', 'media.write', 'delivery.run'] });
    expectProblem(await service.call('GET', '/v1/webhook', { key }), 'scope_missing');
    expectProblem(
      await service.call('POST', '/v1/webhook', { key, body: { name: 'a', url: 'https://example.com' } }),
      'scope_missing',
    );
  });
});

describe('messages', () => {
  test('bring each event of the asked types once, in order, signed as the reference library asks', async () => {
    const { id, path, secret } = await createWebhook();
    const made = [];
    for (let n = 0; n < 25; n += 1) made.push(await addCollection(`Ordered ${n}`));
    await service.call('POST', '/v1/tag', { body: { type: 'player', label: 'Not asked for' } });
    await expect.poll(() => receiver.received(path).length, SOON).toBe(25);
    const payloads = receiver.received(path).map((one) => verified(one, secret));
    expect(payloads.map(({ data }) => data.id)).toEqual(made.map(({ version }) => version));
    const { body } = await service.call('GET', `/v1/event?after=${(made[0]?.version ?? 0) - 1}&limit=1`);
    expect(payloads[0]).toEqual({
      type: 'collection.created',
      timestamp: body['events'][0].created_at,
      data: body['events'][0],
    });
    const [first] = receiver.received(path);
    expect(first?.id).toBe(`evt_${service.organizationId}_${made[0]?.version}`);
    expect(first?.headers).toMatchObject({ 'content-type': 'application/json', 'user-agent': 'Touchline/0.0.0-test' });
    await expect
      .poll(async () => (await messagesOf(id)).map((one) => one['state']), SOON)
      .toEqual(made.map(() => 'delivered'));
    expect((await messagesOf(id))[0]).toMatchObject({
      message_id: `evt_${service.organizationId}_${made[24]?.version}`,
      attempts: [{ status_code: 204, error: null, excerpt: null }],
      next_attempt_at: null,
    });
  });

  test('that are not taken in are tried again with the same id and body', async () => {
    const { id, path, secret } = await createWebhook();
    receiver.answer(path, (response) => {
      const isFirst = receiver.received(path).length === 1;
      response.writeHead(isFirst ? 500 : 200).end(isFirst ? 'out\u0000 of order' : '');
    });
    await addCollection('Tried again');
    await expect.poll(() => receiver.received(path).length, { ...SOON, timeout: 25_000 }).toBe(2);
    const [one, two] = receiver.received(path);
    expect([two?.id, two?.body]).toEqual([one?.id, one?.body]);
    if (two) verified(two, secret);
    await expect.poll(async () => (await messagesOf(id))[0]?.['state'], SOON).toBe('delivered');
    expect((await messagesOf(id))[0]?.['attempts']).toMatchObject([
      { status_code: 500, error_code: 'status', excerpt: 'out of order' },
      { status_code: 200, error_code: null },
    ]);
    expect(await readWebhook(id)).toMatchObject({ failing_since: null });
  }, 40_000);

  test('of a redirect, a refusal or a hanging endpoint are failures, and hold up nobody else', async () => {
    const hanging = await createWebhook();
    receiver.answer(hanging.path, () => undefined);
    const moved = await createWebhook();
    receiver.answer(moved.path, (response) => response.writeHead(302, { location: 'http://169.254.169.254/' }).end());
    const well = await createWebhook();
    await addCollection('Among others');
    await expect.poll(() => receiver.received(well.path).length, { timeout: 5000, interval: 20 }).toBe(1);
    await expect
      .poll(async () => (await messagesOf(moved.id))[0]?.['attempts'], SOON)
      .toMatchObject([{ status_code: null, error_code: 'address_refused' }]);
    expect(await readWebhook(moved.id)).toMatchObject({ failing_since: expect.any(String) });
    await service.call('DELETE', `/v1/webhook/${hanging.id}`);
    await service.call('DELETE', `/v1/webhook/${moved.id}`);
  });

  test('are listed page by page and by state, and read one by one', async () => {
    const { id, path: hook } = await createWebhook();
    for (let n = 0; n < 5; n += 1) await addCollection(`Listed ${n}`);
    await expect
      .poll(async () => (await messagesOf(id)).map((one) => one['state']), SOON)
      .toEqual(Array(5).fill('delivered'));
    const seen: number[] = [];
    let cursor = '';
    do {
      const path = `/v1/webhook/${id}/message?limit=2&state=delivered${cursor && `&cursor=${cursor}`}`;
      const { body } = await service.call('GET', path);
      seen.push(...body['messages'].map((one: Json) => one['id']));
      cursor = body['next_cursor'] ?? '';
    } while (cursor !== '');
    expect(seen).toEqual((await messagesOf(id)).map((one) => one['id']));
    const one = await service.call('GET', `/v1/webhook/${id}/message/${seen[0]}`);
    expect(one.body['message']).toMatchObject({ id: seen[0], webhook_id: id });
    const { message_id: messageId, event } = one.body['message'];
    const posted = receiver.received(hook).find((received) => received.id === messageId);
    expect(one.body['payload']).toEqual(JSON.parse(posted?.body ?? ''));
    const { db } = service.app.installation;
    await db.deleteFrom('change').where('version', '=', event.id).execute();
    expect((await service.call('GET', `/v1/webhook/${id}/message/${seen[0]}`)).body['payload']).toBeNull();
    const other = await createWebhook();
    expectProblem(await service.call('GET', `/v1/webhook/${other.id}/message/${seen[0]}`), 'not_found');
    expectProblem(await service.call('POST', `/v1/webhook/${other.id}/message/${seen[0]}/replay`), 'not_found');
  });
});

describe('a webhook whose endpoint is away', () => {
  /** Twelve events that one webhook does not take in, and another one does: by then the first one had its time. */
  async function missTwelve() {
    const [away, well] = [await createWebhook({ types: ['collection.created'] }), await createWebhook()];
    receiver.answer(away.path, 503);
    for (let n = 1; n <= 12; n += 1) await addCollection(`Missed ${n} of ${away.id}`);
    await expect.poll(async () => (await messagesOf(away.id)).length, SOON).toBeGreaterThan(4);
    await expect.poll(() => receiver.received(well.path).length, SOON).toBe(12);
    await expect.poll(() => receiver.received(away.path).length, SOON).toBe(5);
    receiver.answer(away.path, 204);
    return away;
  }

  test('is tried five times, and gets the rest in order when a test of it arrives', async () => {
    const away = await missTwelve();
    // Wakes it; nothing is sent.
    const { version } = await addCollection('One more');
    await expect
      .poll(
        async () =>
          (
            await service.app.installation.db
              .selectFrom('webhook')
              .select('lease')
              .where('id', '=', away.id)
              .executeTakeFirstOrThrow()
          ).lease,
        SOON,
      )
      .toBeNull();
    expect(receiver.received(away.path)).toHaveLength(5);
    const tested = await service.call('POST', `/v1/webhook/${away.id}/test`);
    expect(tested.body['delivered']).toBe(true);
    await expect
      .poll(async () => (await messagesOf(away.id)).filter((one) => one['state'] === 'delivered').length, SOON)
      .toBe(13);
    const versions = receiver
      .received(away.path)
      .slice(6)
      .map(({ id }) => Number(id.split('_')[2]));
    const untried = versions.filter(
      (one) =>
        !receiver
          .received(away.path)
          .slice(0, 5)
          .some(({ id }) => id.endsWith(`_${one}`)),
    );
    expect(untried).toEqual(untried.toSorted((left, right) => left - right));
    expect(untried.at(-1)).toBe(version);
  });

  test('is tried again at once when somebody replays a message', async () => {
    const away = await missTwelve();
    const [message] = await messagesOf(away.id);
    const replayed = await service.call('POST', `/v1/webhook/${away.id}/message/${message?.['id']}/replay`);
    expect(replayed.status).toBe(200);
    await expect
      .poll(async () => (await messagesOf(away.id)).filter((one) => one['state'] === 'delivered').length, SOON)
      .toBe(12);
  });

  test('is tried again at once when somebody changes it', async () => {
    const away = await missTwelve();
    const changed = await service.call('PATCH', `/v1/webhook/${away.id}`, {
      body: { name: 'Moved' },
      headers: { 'If-Match': '"v1"' },
    });
    expect(changed.status).toBe(200);
    await addCollection('Wakes it');
    await expect
      .poll(async () => (await messagesOf(away.id)).filter((one) => one['state'] === 'delivered').length, SOON)
      .toBe(13);
  });
});

describe('replay', () => {
  test('sends one message again with the id that it had', async () => {
    const { id, path } = await createWebhook();
    await addCollection('Replayed');
    await expect.poll(async () => (await messagesOf(id))[0]?.['state'], SOON).toBe('delivered');
    const [message] = await messagesOf(id);
    const answer = await service.call('POST', `/v1/webhook/${id}/message/${message?.['id']}/replay`);
    expect(answer.body['message']).toMatchObject({ state: 'pending', tries: 0, attempts: [{}] });
    await expect.poll(() => receiver.received(path).length, SOON).toBe(2);
    const [one, two] = receiver.received(path);
    expect(two?.id).toBe(one?.id);
    await expect.poll(async () => (await messagesOf(id))[0]?.['attempts'].length, SOON).toBe(2);
  });

  test('sends everything of a range, also from before the webhook', async () => {
    const before = [await addCollection('Before 1'), await addCollection('Before 2'), await addCollection('Before 3')];
    const { id, path, secret } = await createWebhook();
    const range = { after: before[0]?.version, before: (before[2]?.version ?? 0) + 1 };
    const answer = await service.call('POST', `/v1/webhook/${id}/replay`, { body: range });
    expect(answer.status, JSON.stringify(answer.body)).toBe(202);
    expect(answer.body).toEqual({ queued: 2, after: before[2]?.version, has_more: false });
    await expect.poll(() => receiver.received(path).length, SOON).toBe(2);
    const ids = () => receiver.received(path).map((one) => verified(one, secret)['data'].id);
    expect(ids()).toEqual([before[1]?.version, before[2]?.version]);
    await service.call('POST', `/v1/webhook/${id}/replay`, { body: { after: before[1]?.version } });
    await expect.poll(() => receiver.received(path).length, SOON).toBe(3);
    expect(ids()[2]).toBe(before[2]?.version);
    for (const body of [{ after: 5, before: 5 }, { after: 999_999_999 }]) {
      expectProblem(await service.call('POST', `/v1/webhook/${id}/replay`, { body }), 'validation_failed');
    }
    const metrics = await (await fetch(`${service.url}/metrics`)).text();
    expect(metrics).toContain('touchline_webhook_messages');
    expect(metrics).toContain('touchline_event_streams 0');
  });
});

describe('a secret that is rotated', () => {
  test('signs beside the new one for a day, and then no more', async () => {
    const { id, path, secret: old } = await createWebhook();
    const rotated = await service.call('POST', `/v1/webhook/${id}/rotate`);
    const { secret, webhook } = rotated.body;
    expect(secret).not.toBe(old);
    expect(Date.parse(webhook.previous_secret_until) - Date.now()).toBeGreaterThan(23.9 * 3_600_000);
    await addCollection('Both');
    await expect.poll(() => receiver.received(path).length, SOON).toBe(1);
    const [both] = receiver.received(path);
    if (!both) throw new Error('nothing arrived');
    expect(verified(both, old)).toEqual(verified(both, secret));
    await setRow(id, { previous_secret_until: new Date(Date.now() - 1000) });
    await addCollection('New one only');
    await expect.poll(() => receiver.received(path).length, SOON).toBe(2);
    const [, single] = receiver.received(path);
    if (!single) throw new Error('nothing arrived');
    expect(() => verified(single, old)).toThrow('No matching signature');
    verified(single, secret);
    expect(await readWebhook(id)).toMatchObject({ previous_secret_until: null });
  });
});

describe('a test of a webhook', () => {
  test('posts a signed ping and answers what came back', async () => {
    const { id, path, secret } = await createWebhook();
    receiver.answer(path, (response) => response.writeHead(418).end('I am a teapot'));
    const answer = await service.call('POST', `/v1/webhook/${id}/test`);
    expect(answer.body).toMatchObject({
      delivered: false,
      status_code: 418,
      excerpt: 'I am a teapot',
      error_code: 'status',
    });
    const [ping] = receiver.received(path);
    if (!ping) throw new Error('nothing arrived');
    expect(verified(ping, secret)).toMatchObject({ type: 'webhook.ping', data: { webhook_id: id } });
    expect(await messagesOf(id)).toEqual([]);
    expect(await readWebhook(id)).toMatchObject({ failing_since: null });
  });

  test('says why nothing came back', async () => {
    const { id } = await createWebhook({ url: 'https://localhost/hook' });
    const answer = await service.call('POST', `/v1/webhook/${id}/test`);
    expect(answer.body).toMatchObject({ delivered: false, status_code: null, excerpt: null });
    expect(['address_refused', 'name_not_found']).toContain(answer.body['error_code']);
  });
});

describe('a webhook is disabled', () => {
  const eventsOf = async (after: number, id: number) => {
    const { body } = await service.call('GET', `/v1/event?after=${after}&types=webhook.disabled`);
    return body['events'].filter((event: Json) => event['object'].id === id).map((event: Json) => event['data']);
  };

  test('at once by the answer 410, and goes on where it stopped when it is enabled', async () => {
    const { id, path, secret } = await createWebhook();
    receiver.answer(path, 410);
    const first = await addCollection('Gone');
    await expect.poll(async () => (await readWebhook(id))['status'], SOON).toBe('disabled');
    expect(await readWebhook(id)).toMatchObject({ disabled_reason: 'gone', disabled_at: expect.any(String) });
    await expect.poll(() => eventsOf(first.version, id), SOON).toEqual([{ reason: 'gone' }]);
    const second = await addCollection('Meanwhile');
    expectProblem(await service.call('POST', `/v1/webhook/${id}/replay`, { body: { after: 0 } }), 'conflict');
    receiver.answer(path, 200);
    const enabled = await service.call('PATCH', `/v1/webhook/${id}`, { body: { status: 'active' } });
    expect(enabled.body['webhook']).toMatchObject({ status: 'active', disabled_reason: null, failing_since: null });
    await expect.poll(() => receiver.received(path).length, SOON).toBeGreaterThan(1);
    await expect
      .poll(() => [...new Set(receiver.received(path).map((one) => verified(one, secret)['data'].id))], SOON)
      .toEqual(expect.arrayContaining([first.version, second.version]));
  }, 40_000);

  test('when no try has succeeded for five days', async () => {
    const { id, path } = await createWebhook();
    receiver.answer(path, 500);
    const { version } = await addCollection('Failing 1');
    await expect.poll(async () => (await readWebhook(id))['failing_since'], SOON).not.toBeNull();
    expect(await readWebhook(id)).toMatchObject({ status: 'active' });
    await setRow(id, { failing_since: new Date(Date.now() - 5.01 * 24 * 3_600_000) });
    await addCollection('Failing 2');
    await expect.poll(async () => (await readWebhook(id))['disabled_reason'], SOON).toBe('failing');
    expect(await eventsOf(version, id)).toEqual([{ reason: 'failing' }]);
  });

  test('by a request, and gets nothing then', async () => {
    const { id, path } = await createWebhook();
    const disabled = await service.call('PATCH', `/v1/webhook/${id}`, { body: { status: 'disabled' } });
    expect(disabled.body['webhook']).toMatchObject({ status: 'disabled', disabled_reason: 'asked' });
    const other = await createWebhook();
    await addCollection('Not for it');
    await expect.poll(() => receiver.received(other.path).length, SOON).toBe(1);
    expect(receiver.received(path)).toEqual([]);
  });
});
