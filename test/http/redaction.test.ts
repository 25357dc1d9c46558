import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { generateKeyText } from '../../src/auth/index.ts';
import { type Answer, startApp, type TestApp } from '../support/app.ts';
import { plainPhoto } from '../support/library.ts';

let service: TestApp;
/** Keys of every kind: valid, unknown, revoked, expired, mistyped. */
let keys: string[];
beforeAll(async () => {
  service = await startApp();
  const revoked = await service.createKey();
  const { body } = await service.call('GET', '/v1/me', { key: revoked });
  await service.call('DELETE', `/v1/key/${body['api_key'].id}`);
  keys = [
    service.key,
    generateKeyText().text,
    revoked,
    await service.createKey({ expiresAt: new Date(0) }),
    `${generateKeyText().text.slice(0, -1)}-`,
  ];
});
afterAll(() => service.close());

/** Everything that nobody but the holder of the key may read: its random part, whole or cut short. */
const secretOf = (key: string) => key.slice(12, 32);
const encoded = (text: string) =>
  Array.from(text, (character) => `%${character.charCodeAt(0).toString(16).padStart(2, '0')}`).join('');

function expectNoSecret(where: string, text: string): void {
  expect(text.length, where).toBeGreaterThan(0);
  for (const key of keys) {
    expect(text, where).not.toContain(secretOf(key));
    expect(text.toLowerCase(), where).not.toContain(encoded(secretOf(key)));
  }
}

/** Every place a key may be in, rightly or by mistake, of requests that succeed and that fail in many ways. */
async function sendEverywhere(key: string): Promise<Answer[]> {
  const none = { key: null };
  const call = (method: string, path: string, options: object = {}) =>
    service.call(method, path, { ...none, ...options });
  return [
    await call('GET', `/v1/me?api_key=${key}`),
    await call('GET', `/v1/me?x=1&api_key=${key}&y=2`),
    await call('GET', `/v1/me?API_KEY=${key}`),
    await call('GET', `/v1/me?api%5Fkey=${encoded(key)}`),
    await call('GET', `/v1/me?api_key=${encoded(key)}`),
    await call('GET', `/v1/me?apikey=${encoded(key)}`),
    await call('GET', '/v1/me', { headers: { 'X-Api-Key': key } }),
    await call('GET', '/v1/me', { headers: { 'X-Acme-Api-Key': key } }),
    await call('GET', '/v1/me', { headers: { Authorization: `Bearer ${key}` } }),
    await call('GET', '/v1/me', { headers: { Authorization: `Basic ${btoa(key)}` } }),
    await call('GET', `/v1/me?api_key=${key}`, { headers: { 'X-Api-Key': `${key}x` } }),
    await call('GET', `/v1/nothing/${key}?api_key=${key}`),
    await call('GET', `/v1/nothing/${encoded(key)}`),
    await call('PUT', `/v1/me?api_key=${key}`),
    await call('GET', `/v1/media/${key}?api_key=${key}`),
    await call('GET', `/v1/media/%zz?api_key=${key}`),
    await call('GET', `/v1/tag/search?limit=${key}&api_key=${key}`),
    await call('GET', `/v1/tag/search?${key}=1&api_key=${key}`),
    await call('POST', `/v1/tag?api_key=${key}`, { body: { type: key, label: 7, [key]: true } }),
    await call('POST', `/v1/tag?api_key=${key}`, { body: `{"type": ${key}` }),
    await call('POST', `/v1/tag?api_key=${key}`, { body: { label: 'x' }, headers: { 'Content-Type': key } }),
    await call('POST', `/v1/collection?api_key=${key}`, {
      body: { name: 'x' },
      headers: { 'Idempotency-Key': `ä${key}` },
    }),
    await call('POST', `/v1/media/search?api_key=${key}`, { body: { cursor: key, sort: key } }),
    await call('DELETE', `/v1/collection/1?api_key=${key}`, { headers: { 'If-Match': key } }),
    await call('GET', `/img/1/1/${key}.jpg?api_key=${key}`),
    await call('GET', `/file/1/1/${key}/${key}?api_key=${key}`),
    await call('GET', `/docs?api_key=${key}`),
    await call('GET', `/healthz?api_key=${key}`),
  ];
}

describe('a key that was sent', () => {
  test('is not in any answer, wherever it was put', async () => {
    for (const key of keys) {
      for (const [at, answer] of (await sendEverywhere(key)).entries()) {
        expectNoSecret(`answer ${at}`, `${answer.status} ${JSON.stringify(answer.body)} ${[...answer.headers].join()}`);
      }
    }
  });

  test('is not in the log, whose lines tell the requests with the visible part only', async () => {
    await vi.waitFor(() => expect(service.log()).toContain('/img/1/1/'));
    const log = service.log();
    expectNoSecret('log', log);
    expect(log.toLowerCase()).not.toContain('bearer');
    expect(log).not.toContain(btoa(service.key).slice(16, 40));
    expect(log).toContain('api_key=tl_');
    expect(log).toContain(`"key":"${service.key.slice(3, 11)}"`);
  });
});

test('uploads with the key in the query leave no key in answers, URLs, the log or the stored file', async () => {
  const form = new FormData();
  form.append('metadata', JSON.stringify({ name: 'photo.jpg' }));
  form.append('file', new Blob([new Uint8Array(await plainPhoto(1))]), 'photo.jpg');
  const response = await fetch(`${service.url}/v1/media?api_key=${service.key}`, {
    method: 'POST',
    headers: { Prefer: 'wait=30' },
    body: form,
  });
  const uploaded = await response.json();
  expect(uploaded).toMatchObject({ media: { status: 'ready' } });
  expectNoSecret('upload', JSON.stringify(uploaded));
  const { id } = (uploaded as { media: { id: number } }).media;
  const read = await service.call('GET', `/v1/media/${id}?api_key=${service.key}`, { key: null });
  const found = await service.call('POST', `/v1/media/search?api_key=${service.key}`, { key: null, body: {} });
  for (const answer of [read, found]) {
    expect(answer.status).toBe(200);
    const text = JSON.stringify(answer.body);
    expect(text).toContain('http');
    expect(text).not.toMatch(/api.key=|tl_/i);
  }
  const page = await service.call('POST', `/v1/media/search?api_key=${service.key}`, { key: null, body: { limit: 0 } });
  expectNoSecret('page', JSON.stringify(page.body));
  const broken = await service.upload(Buffer.from('no picture'), { headers: { 'X-Acme-Api-Key': service.key } });
  expectNoSecret('broken upload', JSON.stringify(broken.body));
  expectNoSecret('log', service.log());
});

test('an error of the service itself is logged without the key and the headers of the request', async () => {
  const own = await startApp();
  try {
    await sql`DROP TABLE collection CASCADE`.execute(own.app.installation.db);
    const answer = await own.call('GET', `/v1/collection?api_key=${own.key}`, {
      key: null,
      headers: { Authorization: `Bearer ${own.key}`, 'X-Api-Key': own.key, Cookie: 'session=abc123' },
    });
    expect(answer.status).toBe(500);
    await vi.waitFor(() => expect(own.log()).toContain('request.failed'));
    expect(own.log()).toContain(answer.body['request_id']);
    expect(own.log()).not.toContain(secretOf(own.key));
    expect(own.log()).not.toMatch(/bearer|abc123/i);
    expect(JSON.stringify(answer.body)).not.toContain(secretOf(own.key));
  } finally {
    await own.close();
  }
});
