import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { generateKeyText, hashKeyText, SCOPES } from '../../src/auth/index.ts';
import { type Answer, startApp, type TestApp } from '../support/app.ts';
import { expectProblem } from '../support/problem.ts';

let service: TestApp;
beforeAll(async () => {
  service = await startApp();
});
afterAll(() => service.close());

/** `GET /v1/me` with the key given in the headers or the query, and nowhere else. */
const me = (headers: Record<string, string>, query = ''): Promise<Answer> =>
  service.call('GET', `/v1/me${query}`, { key: null, headers });
const meWith = (key: string) => service.call('GET', '/v1/me', { key });
const createOverHttp = async (body: object, key?: string): Promise<Answer> =>
  service.call('POST', '/v1/key', { body, ...(key === undefined ? {} : { key }) });

describe('where the key may be', () => {
  test.each<[string, (key: string) => { headers?: Record<string, string>; query?: string }]>([
    ['the query parameter api_key', (key) => ({ query: `?api_key=${key}` })],
    ['X-Api-Key', (key) => ({ headers: { 'X-Api-Key': key } })],
    ['Authorization: Bearer', (key) => ({ headers: { Authorization: `Bearer ${key}` } })],
    ['authorization: bearer in lower case', (key) => ({ headers: { authorization: `bearer ${key}` } })],
    ['X-Anything-Api-Key', (key) => ({ headers: { 'X-Anything-Api-Key': key } })],
    ['X-Media-Library-Api-Key', (key) => ({ headers: { 'X-Media-Library-Api-Key': key } })],
    ['X-Api-Key twice', (key) => ({ headers: { 'X-Api-Key': `${key}, ${key}` } })],
    ['api_key twice', (key) => ({ query: `?api_key=${key}&api_key=${key}` })],
    [
      'every place at once',
      (key) => ({
        query: `?api_key=${key}`,
        headers: { 'X-Api-Key': key, 'X-Other-Api-Key': key, Authorization: `Bearer ${key}` },
      }),
    ],
  ])('%s is accepted', async (_place, put) => {
    const { headers = {}, query = '' } = put(service.key);
    const answer = await me(headers, query);
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    expect(answer.body['organization'].id).toBe(service.organizationId);
  });

  test('api_key beside other parameters of the query is accepted and is not taken for one of them', async () => {
    const answer = await service.call('GET', `/v1/tag/search?query=a&api_key=${service.key}&limit=3`, { key: null });
    expect(answer.status).toBe(200);
  });

  test('two different keys are refused even when both are valid', async () => {
    const other = await service.createKey();
    const conflicts = [
      await me({ 'X-Api-Key': other }, `?api_key=${service.key}`),
      await me({ 'X-Api-Key': other, 'X-Acme-Api-Key': service.key }),
      await me({ 'X-Api-Key': other, Authorization: `Bearer ${service.key}` }),
      await me({ 'X-Api-Key': `${other}, ${service.key}` }),
      await me({}, `?api_key=${service.key}&api_key=${other}`),
      await me({ 'X-Api-Key': service.key }, '?api_key=nonsense'),
    ];
    for (const answer of conflicts) expectProblem(answer, 'api_key_conflict');
  });

  test('a request without a key says where to put one', async () => {
    const answers = [
      await me({}),
      await me({ 'X-Api-Key': '' }),
      await me({}, '?api_key='),
      await me({ Authorization: 'Basic dXNlcjpwYXNz' }),
      await me({ 'Api-Key': service.key }),
    ];
    for (const answer of answers) {
      expectProblem(answer, 'api_key_missing');
      expect(answer.headers.get('www-authenticate')).toContain('Bearer');
      expect(answer.body['detail']).toContain('X-Api-Key');
    }
  });
});

test('unknown, mistyped, revoked and expired keys are refused in exactly the same words', async () => {
  const revoked = await service.createKey();
  const { body } = await meWith(revoked);
  await service.call('DELETE', `/v1/key/${body['api_key'].id}`);
  const known = await service.createKey();
  const other = generateKeyText().text;
  const last = known.at(-1) === 'a' ? 'b' : 'a';
  const keys = [
    generateKeyText().text,
    'nonsense',
    known.slice(0, -1) + last,
    known.slice(0, 12) + other.slice(12),
    `${known}x`,
    revoked,
    await service.createKey({ expiresAt: new Date(Date.now() - 1) }),
  ];
  const answers = await Promise.all(keys.map(meWith));
  const documents = answers.map((answer) => {
    expectProblem(answer, 'api_key_invalid');
    return JSON.stringify({ ...answer.body, request_id: '' });
  });
  expect(new Set(documents)).toHaveLength(1);
  const headerNames = answers.map((answer) => [...answer.headers.keys()].sort().join());
  expect(new Set(headerNames)).toHaveLength(1);
});

test('a key that expires later works until then', async () => {
  const key = await service.createKey({ expiresAt: new Date(Date.now() + 60_000) });
  expect((await meWith(key)).status).toBe(200);
});

test('every route refuses a key that lacks its scopes and names the required and the missing ones', async () => {
  const { body: document } = await service.call('GET', '/v1/openapi.json');
  const seen = new Set<string>();
  for (const [path, operations] of Object.entries<Record<string, { description?: string }>>(document['paths'])) {
    for (const [method, operation] of Object.entries(operations)) {
      const required = /Scope: ([a-z., ]+)\.$/.exec(operation.description ?? '')?.[1]?.split(', ');
      for (const scope of required ?? []) {
        seen.add(scope);
        const key = await service.createKey({ scopes: SCOPES.filter((one) => one !== scope) });
        const url = path.replaceAll(/\{[^}]+\}/g, '1');
        const answer = await service.call(method.toUpperCase(), url, { key });
        if (method === 'head') {
          // It has no body to say more.
          expect(answer.status, path).toBe(403);
          continue;
        }
        const problem = expectProblem(answer, 'scope_missing');
        expect(problem).toMatchObject({ required, missing: [scope] });
      }
    }
  }
  expect([...seen]).toEqual(expect.arrayContaining(['media.read', 'media.write', 'tags.write', 'admin']));
});

describe('networks', () => {
  test('a key bound to other networks is refused whatever a forwarding header claims', async () => {
    const key = await service.createKey({ cidrs: ['10.0.0.0/8', '2001:db8::/32'] });
    expectProblem(await meWith(key), 'address_not_allowed');
    const forwarded = await me({ 'X-Api-Key': key, 'X-Forwarded-For': '10.1.2.3', Forwarded: 'for=10.1.2.3' });
    expectProblem(forwarded, 'address_not_allowed');
  });

  test.each([[['127.0.0.1']], [['10.0.0.0/8', '127.0.0.0/8']], [['::1/128', '127.0.0.1/32']]])(
    'a key bound to %j works from 127.0.0.1',
    async (cidrs) => {
      expect((await meWith(await service.createKey({ cidrs }))).status).toBe(200);
    },
  );

  test('an address outside of the networks learns nothing about whether the key has expired', async () => {
    const cidrs = ['10.0.0.0/8'];
    const expired = await service.createKey({ cidrs, expiresAt: new Date(Date.now() - 1) });
    expectProblem(await meWith(expired), 'api_key_invalid');
  });
});

describe('managing keys', () => {
  test('a created key is shown once, works with its scopes and limits, and is listed without its secret', async () => {
    const created = await createOverHttp({
      name: 'Website',
      scopes: ['media.read'],
      expires_at: '2199-01-01T00:00:00Z',
      cidrs: ['127.0.0.0/8'],
      requests_per_second: 50,
      burst: 70,
    });
    expect(created.status, JSON.stringify(created.body)).toBe(201);
    const { key, api_key: record } = created.body as { key: string; api_key: { id: number } };
    expect(key).toMatch(/^tl_[0-9A-Za-z]{8}_[0-9A-Za-z]{32,}$/);
    const wanted = {
      id: record.id,
      prefix: key.slice(0, 11),
      name: 'Website',
      scopes: ['media.read'],
      cidrs: ['127.0.0.0/8'],
      requests_per_second: 50,
      burst: 70,
      expires_at: '2199-01-01T00:00:00.000Z',
      revoked_at: null,
      last_used_at: null,
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    };
    expect(record).toEqual(wanted);
    const listed = await service.call('GET', '/v1/key');
    expect(listed.body['api_keys'][0]).toEqual(wanted);
    expect(JSON.stringify(listed.body)).not.toContain(key.slice(12));

    const own = await meWith(key);
    expect(own.body).toMatchObject({
      organization: { id: service.organizationId, slug: 'first', name: 'first' },
      api_key: { id: record.id, name: 'Website' },
      scopes: ['media.read'],
      limits: { requests_per_second: 50, burst: 70 },
    });
    expectProblem(await service.call('POST', '/v1/collection', { key, body: { name: 'x' } }), 'scope_missing');
    expect((await service.call('GET', '/v1/collection', { key })).status).toBe(200);
  });

  test('a key without limits of its own gets 120 requests a second and a burst of 240', async () => {
    const created = await createOverHttp({ name: 'Plain', scopes: ['media.read'] });
    const own = await meWith(created.body['key']);
    expect(own.body['limits']).toEqual({ requests_per_second: 120, burst: 240 });
  });

  test('a key cannot hand on a scope it lacks', async () => {
    const limited = await service.createKey({ scopes: ['admin', 'media.read'] });
    const answer = await createOverHttp({ name: 'More', scopes: ['media.read', 'media.write', 'tags.write'] }, limited);
    expect(expectProblem(answer, 'scope_missing')['missing']).toEqual(['media.write', 'tags.write']);
    expect((await createOverHttp({ name: 'Same', scopes: ['admin', 'media.read'] }, limited)).status).toBe(201);
  });

  test('the secret of a key is in no column of any table, however the key was used', async () => {
    const created = await createOverHttp({ name: 'Secret', scopes: [...SCOPES] });
    const key = created.body['key'] as string;
    await service.call('POST', `/v1/collection?api_key=${key}`, {
      key: null,
      body: { name: 'Made with the key in the URL' },
      headers: { 'Idempotency-Key': 'collection-of-the-secret-key' },
    });
    const replayable = { 'Idempotency-Key': 'key-of-the-secret-key' };
    const second = await service.call('POST', '/v1/key', {
      key,
      body: { name: 'Second', scopes: ['media.read'] },
      headers: replayable,
    });
    expect(second.status).toBe(201);
    await service.upload(Buffer.from('not a picture'), { key, metadata: { name: 'x.jpg' }, wait: false });

    const { db } = service.app.installation;
    const tables = await sql<{ name: string }>`
      SELECT quote_ident(table_schema) || '.' || quote_ident(table_name) AS name FROM information_schema.tables
      WHERE table_type = 'BASE TABLE' AND table_schema NOT IN ('pg_catalog', 'information_schema')`.execute(db);
    expect(tables.rows.map((table) => table.name)).toEqual(
      expect.arrayContaining(['public.api_key', 'public.idempotency']),
    );
    for (const secret of [key, second.body['key'] as string].map((text) => text.slice(12, 44))) {
      const hex = Buffer.from(secret).toString('hex');
      for (const { name } of tables.rows) {
        const found = await sql<{ n: number }>`SELECT count(*)::int AS n FROM ${sql.raw(name)} AS t
          WHERE strpos(t::text, ${secret}) > 0 OR strpos(t::text, ${hex}) > 0`.execute(db);
        expect(found.rows[0], name).toEqual({ n: 0 });
      }
    }
    const stored = await db
      .selectFrom('api_key')
      .selectAll()
      .where('public_id', '=', key.slice(3, 11))
      .executeTakeFirst();
    expect(stored?.secret_sha256).toEqual(hashKeyText(key));
  });

  test('an equal request with the same Idempotency-Key makes no second key and does not show the first one again', async () => {
    const request = {
      body: { name: 'Once', scopes: ['media.read'] },
      headers: { 'Idempotency-Key': 'one-key-only' },
    };
    const first = await service.call('POST', '/v1/key', request);
    const again = await service.call('POST', '/v1/key', request);
    expect(again.status, JSON.stringify(again.body)).toBe(201);
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expect(again.body).toEqual({ api_key: first.body['api_key'], key: null });
    const listed = await service.call('GET', '/v1/key?limit=200');
    expect(listed.body['api_keys'].filter((one: { name: string }) => one.name === 'Once')).toHaveLength(1);
  });

  test('last_used_at is the time of the last request', async () => {
    const before = Date.now();
    const created = await createOverHttp({ name: 'Used', scopes: ['media.read'] });
    await meWith(created.body['key']);
    const lastUsed = await vi.waitFor(async () => {
      const listed = await service.call('GET', '/v1/key?limit=200');
      const found = listed.body['api_keys'].find((one: { id: number }) => one.id === created.body['api_key'].id);
      expect(found.last_used_at).not.toBeNull();
      return found.last_used_at as string;
    });
    expect(Date.parse(lastUsed)).toBeGreaterThanOrEqual(before);
    expect(Date.parse(lastUsed)).toBeLessThanOrEqual(Date.now());
  });

  test('a revoked key is refused from the next request on, and its twin goes on working', async () => {
    const [old, young] = [await service.createKey(), await service.createKey()];
    const { body } = await meWith(old);
    expect((await meWith(young)).status).toBe(200);
    const revoked = await service.call('DELETE', `/v1/key/${body['api_key'].id}`, { key: young });
    expect(revoked.status).toBe(200);
    expect(revoked.body['api_key'].revoked_at).not.toBeNull();
    expectProblem(await meWith(old), 'api_key_invalid');
    expect((await meWith(young)).status).toBe(200);
    const again = await service.call('DELETE', `/v1/key/${body['api_key'].id}`, { key: young });
    expect(again.body).toEqual(revoked.body);
  });

  test('revoking a key that does not exist is not found', async () => {
    expectProblem(await service.call('DELETE', '/v1/key/9007199254740991'), 'not_found');
  });

  test('the list of keys is paged by a cursor that belongs to it', async () => {
    for (let n = 0; n < 3; n += 1) await service.createKey();
    const first = await service.call('GET', '/v1/key?limit=2');
    const second = await service.call('GET', `/v1/key?limit=2&cursor=${first.body['next_cursor']}`);
    const ids = [...first.body['api_keys'], ...second.body['api_keys']].map((one: { id: number }) => one.id);
    expect(new Set(ids)).toHaveLength(4);
    expect(ids).toEqual(ids.toSorted((a, b) => b - a));
    const none = await service.call('GET', '/v1/key?limit=0');
    expect(none.body).toMatchObject({ api_keys: [], total: first.body['total'] });
    expectProblem(await service.call('GET', '/v1/key?cursor=abc.def'), 'cursor_invalid');
    expectProblem(await service.call('GET', `/v1/collection?cursor=${first.body['next_cursor']}`), 'cursor_invalid');
  });
});
