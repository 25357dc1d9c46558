import { sql } from 'kysely';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { ERROR_CODES, type ErrorCode } from '../../src/base/error-codes.ts';
import { type CallOptions, startApp, type TestApp } from '../support/app.ts';
import { expectProblem } from '../support/problem.ts';

let service: TestApp;
beforeAll(async () => {
  service = await startApp();
});
afterAll(() => service.close());

type Fault = readonly [pointer: string, detail: string | RegExp];
const player = (members: object) => ({ type: 'player', label: 'x', ...members });
const clubs = (club: object) => player({ relations: { clubs: [{ club: 1, ...club }] } });

describe('a malformed field is named with what was expected and what was received', () => {
  const id = 'expected an integer, received';
  test.each<[string, string, unknown, readonly Fault[]]>([
    [
      'POST',
      '/v1/tag',
      {},
      [
        ['/type', 'expected a value, received nothing'],
        ['/label', 'expected a value, received nothing'],
      ],
    ],
    ['POST', '/v1/tag', [], [['', 'expected an object, received an empty list']]],
    ['POST', '/v1/tag', 'null', [['', 'expected an object, received null']]],
    [
      'POST',
      '/v1/tag',
      player({ type: 'planet' }),
      [['/type', /^expected one of player, club, .*, tag, received "planet"$/]],
    ],
    ['POST', '/v1/tag', player({ label: ' ' }), [['/label', 'expected text that is not blank, received " "']]],
    [
      'POST',
      '/v1/tag',
      player({ nope: 1, 'a/b': 2 }),
      [
        ['/nope', /^expected only type, label, /],
        ['/a~1b', /^expected only type, label, /],
      ],
    ],
    [
      'POST',
      '/v1/tag',
      player({ aliases: ['', 3] }),
      [
        ['/aliases/0', 'expected at least 1 character, received ""'],
        ['/aliases/1', 'expected a string, received 3'],
      ],
    ],
    [
      'POST',
      '/v1/tag',
      player({ external_ids: { 'a b': 'x' } }),
      [['/external_ids/a b', 'expected a source of 1 to 64 letters, digits, _, . and - such as opta, received "a b"']],
    ],
    [
      'POST',
      '/v1/tag',
      player({ external_ids: { opta: 3 } }),
      [['/external_ids/opta', 'expected a string or null, received 3']],
    ],
    [
      'POST',
      '/v1/tag',
      player({ image_url: 'ftp://x' }),
      [['/image_url', 'expected an http or https URL, received "ftp://x"']],
    ],
    [
      'POST',
      '/v1/tag',
      clubs({ shirt_number: 'nine' }),
      [['/relations/clubs/0/shirt_number', 'expected an integer or null, received "nine"']],
    ],
    [
      'POST',
      '/v1/tag',
      clubs({ shirt_number: 1000 }),
      [['/relations/clubs/0/shirt_number', 'expected a number of at most 999, received 1000']],
    ],
    [
      'POST',
      '/v1/tag',
      clubs({ from: '2026-02-30' }),
      [['/relations/clubs/0/from', 'expected a date such as 2026-03-14, received "2026-02-30"']],
    ],
    [
      'POST',
      '/v1/tag',
      clubs({ club: 'x' }),
      [['/relations/clubs/0/club', /^expected the ID of a tag option, or .*, received "x"$/]],
    ],
    [
      'POST',
      '/v1/tag',
      clubs({ club: { source: 'opta' } }),
      [['/relations/clubs/0/club/id', 'expected a value, received nothing']],
    ],
    [
      'POST',
      '/v1/tag/bulk',
      { tag_options: [] },
      [['/tag_options', 'expected at least 1 item, received an empty list']],
    ],
    [
      'POST',
      '/v1/tag/bulk',
      { tag_options: [{ label: 'x' }, { label: 1 }] },
      [['/tag_options/1/label', 'expected a string, received 1']],
    ],
    ['PATCH', '/v1/tag/1', {}, [['', 'expected at least 1 member, received an empty object']]],
    ['POST', '/v1/media/search', { tag_options: [1, 'x'] }, [['/tag_options/1', `${id} "x"`]]],
    ['POST', '/v1/media/search', { player: { some: [1] } }, [['/player/some', 'expected only all, any, none, only']]],
    ['POST', '/v1/media/search', { width: { gt: 'x' } }, [['/width/gt', `${id} "x"`]]],
    [
      'POST',
      '/v1/media/search',
      { captured_at: { gte: 'yesterday' } },
      [['/captured_at/gte', 'expected an RFC 3339 time or date such as 2026-03-14T19:30:00Z, received "yesterday"']],
    ],
    [
      'POST',
      '/v1/media/search',
      { any: [{ all: [{ nope: 1 }] }] },
      [['/any/0/all/0/nope', /^expected only tag_options, /]],
    ],
    ['POST', '/v1/media/search', { limit: 201 }, [['/limit', 'expected a number of at most 200, received 201']]],
    [
      'POST',
      '/v1/media/search',
      { media_type: 'audio' },
      [['/media_type', /^expected one of photo, video, a list of them, .* received "audio"$/]],
    ],
    [
      'POST',
      '/v1/media/search?per_page=x&page=0',
      {},
      [
        ['page', 'expected a number of at least 1, received 0'],
        ['per_page', `${id} "x"`],
      ],
    ],
    ['PATCH', '/v1/media/1', { rating: 9 }, [['/rating', 'expected a number of at most 5, received 9']]],
    [
      'PATCH',
      '/v1/media/1',
      { details: { 'A B': 1 } },
      [['/details/A B', 'expected a snake_case name of at most 64 characters, received "A B"']],
    ],
    [
      'PATCH',
      '/v1/media/1',
      { focal: { x: 2 } },
      [
        ['/focal/x', 'expected a number of at most 1, received 2'],
        ['/focal/y', 'expected a value, received nothing'],
      ],
    ],
    [
      'PATCH',
      '/v1/media/1',
      { captured_at: '2026-03-14 19:30' },
      [['/captured_at', 'expected an RFC 3339 time such as 2026-03-14T19:30:00Z, received "2026-03-14 19:30"']],
    ],
    ['POST', '/v1/media/1/tag', { add: 1 }, [['/add', 'expected a list, received 1']]],
    ['POST', '/v1/collection', { name: 7 }, [['/name', 'expected a string, received 7']]],
    [
      'POST',
      '/v1/key',
      { name: 'x', scopes: ['root'] },
      [['/scopes/0', /^expected one of media\.read, .*, admin, received "root"$/]],
    ],
    [
      'POST',
      '/v1/key',
      { name: 'x', scopes: ['admin', 'admin'] },
      [['/scopes', 'expected no item twice, received a list']],
    ],
    [
      'POST',
      '/v1/key',
      { name: 'x', scopes: ['admin'], cidrs: ['300.1.1.1/8'] },
      [['/cidrs/0', 'expected a network such as 10.0.0.0/8, received "300.1.1.1/8"']],
    ],
    [
      'GET',
      '/v1/tag/search?limit=abc&foo=1',
      undefined,
      [
        ['foo', 'expected only query, type, category, club, at, limit, cursor'],
        ['limit', `${id} "abc"`],
      ],
    ],
    ['GET', '/v1/tag/search?type=planet', undefined, [['type', /^expected player, .*, received planet$/]]],
    ['GET', '/v1/collection?limit=1&limit=2', undefined, [['limit', 'expected an integer, received a list']]],
    ['GET', '/v1/media/abc', undefined, [['id', `${id} "abc"`]]],
    ['GET', '/v1/media/0', undefined, [['id', 'expected a number of at least 1, received 0']]],
    ['GET', '/v1/media/-1', undefined, [['id', 'expected a number of at least 1, received -1']]],
    ['GET', '/v1/media/1.5', undefined, [['id', `${id} "1.5"`]]],
    ['GET', '/v1/media/1e3', undefined, [['id', `${id} "1e3"`]]],
    ['GET', '/v1/media/0x10', undefined, [['id', `${id} "0x10"`]]],
    [
      'DELETE',
      '/v1/tag/9007199254740992',
      undefined,
      [['id', 'expected a number of at most 9007199254740991, received 9007199254740992']],
    ],
  ])('%s %s %j', async (method, path, body, faults) => {
    const answer = await service.call(method, path, { body });
    const problem = expectProblem(answer, 'validation_failed');
    const found = (problem['errors'] as { pointer: string; detail: string }[]).toSorted((a, b) =>
      a.pointer < b.pointer ? -1 : 1,
    );
    expect(found.map((error) => error.pointer)).toEqual(faults.map(([pointer]) => pointer).toSorted());
    for (const [pointer, detail] of faults) {
      const error = found.find((one) => one.pointer === pointer);
      if (typeof detail === 'string') expect(error?.detail).toBe(detail);
      else expect(error?.detail).toMatch(detail);
      expect(problem['detail']).toContain(error?.detail);
    }
  });

  test('a value is quoted shortly, and no fault is told twice', async () => {
    const answer = await service.call('POST', '/v1/tag', { body: player({ type: 'x'.repeat(10_000) }) });
    const { detail } = expectProblem(answer, 'validation_failed');
    expect(detail.length).toBeLessThan(250);
    expect(detail.split('expected')).toHaveLength(2);
  });
});

describe('a request that is not understood', () => {
  const typed = (type: string, body: string): CallOptions => ({ body, headers: { 'Content-Type': type } });
  test.each<[ErrorCode, string, string, CallOptions]>([
    ['malformed_json', 'POST', '/v1/tag', { body: '{"type":' }],
    ['malformed_json', 'POST', '/v1/tag', { body: '{"__proto__": {"admin": true}}' }],
    ['malformed_json', 'POST', '/v1/tag', { body: '{"constructor": {"prototype": 1}}' }],
    ['validation_failed', 'POST', '/v1/tag', {}],
    ['validation_failed', 'POST', '/v1/tag', { headers: { 'Content-Type': 'application/json' } }],
    ['unsupported_media_type', 'POST', '/v1/tag', typed('application/x-www-form-urlencoded', 'type=tag')],
    ['unsupported_media_type', 'POST', '/v1/tag', typed('text/plain', '{"type":"tag","label":"x"}')],
    ['unsupported_media_type', 'POST', '/v1/tag', typed('text/xml', '<tag/>')],
    ['unsupported_media_type', 'POST', '/v1/media', { body: { name: 'x' } }],
    ['payload_too_large', 'POST', '/v1/tag', { body: player({ label: 'x'.repeat(5_000_000) }) }],
    ['not_found', 'GET', '/v1/nothing', {}],
    ['not_found', 'POST', '/nothing', { key: null }],
    ['not_found', 'GET', '/v1/media/1', {}],
    ['not_found', 'GET', '/img/1/1/nothing.jpg', { key: null }],
    ['validation_failed', 'GET', '/v1/media/%zz', {}],
    ['validation_failed', 'GET', `/v1/media/${'9'.repeat(400)}`, {}],
    ['precondition_failed', 'DELETE', '/v1/tag/1', { headers: { 'If-Match': 'abc' } }],
  ])('is refused with %s: %s %s', async (code, method, path, options) => {
    expectProblem(await service.call(method, path, options), code);
  });

  test.each([
    ['PUT', '/v1/tag', 'GET, HEAD, POST'],
    ['DELETE', '/v1/me', 'GET, HEAD'],
    ['GET', '/v1/media/search', 'POST'],
    ['POST', '/v1/media/1', 'DELETE, GET, HEAD, PATCH'],
    ['OPTIONS', '/healthz', 'GET, HEAD'],
  ])('with the wrong method is told the right ones: %s %s', async (method, path, allowed) => {
    const answer = await service.call(method, path);
    expectProblem(answer, 'method_not_allowed');
    expect(answer.headers.get('allow')).toBe(allowed);
  });

  test.each([
    ['GARBAGE\r\n\r\n', 400, 'validation_failed'],
    [`GET /healthz HTTP/1.1\r\nHost: x\r\nX-Big: ${'x'.repeat(20_000)}\r\n\r\n`, 413, 'payload_too_large'],
  ])('on the level of HTTP gets a problem document too: %.12s', async (request, status, code) => {
    const socket = connect(Number(new URL(service.url).port), '127.0.0.1');
    socket.write(request);
    const [head = '', body = ''] = (await text(socket)).split('\r\n\r\n');
    expect(head).toContain(`HTTP/1.1 ${status} `);
    expect(head).toContain('Content-Type: application/problem+json');
    expect(JSON.parse(body)).toMatchObject({ status, code, errors: [], request_id: expect.stringMatching(/^req_/) });
    expect(head).toContain(`X-Request-Id: ${JSON.parse(body).request_id}`);
  });
});

test('a PATCH may say that its body is a merge patch, a DELETE may announce JSON and send none', async () => {
  const { body } = await service.call('POST', '/v1/collection', { body: { name: 'Before' } });
  const path = `/v1/collection/${body['collection'].id}`;
  const patched = await service.call('PATCH', path, {
    body: { name: 'After' },
    headers: { 'Content-Type': 'application/merge-patch+json' },
  });
  expect(patched.status, JSON.stringify(patched.body)).toBe(200);
  expect(patched.body['collection'].name).toBe('After');
  const deleted = await service.call('DELETE', path, { headers: { 'Content-Type': 'application/json' } });
  expect(deleted.status, JSON.stringify(deleted.body)).toBe(204);
});

test('the type of a problem document leads to an explanation of its code', async () => {
  const { body } = await service.call('GET', '/v1/me', { key: null });
  const type = new URL(body['type'], service.url);
  const page = await service.call('GET', type.pathname, { key: null });
  expect(page.status).toBe(200);
  expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
  expect(type.hash).toBe('#api_key_missing');
  for (const code of Object.keys(ERROR_CODES)) expect(page.body['text']).toContain(`id="${code}"`);
});

test('every answer has a request id of its own, whatever the caller sends, and JSON is not stored', async () => {
  const paths = [
    '/v1/me',
    '/v1/tag/search',
    '/v1/collection',
    '/v1/openapi.json',
    '/healthz',
    '/readyz',
    '/metrics',
    '/docs',
    '/v1/nothing',
  ];
  const ids = new Set<string>();
  for (const path of paths) {
    const answer = await service.call('GET', path, { headers: { 'X-Request-Id': 'mine', 'Request-Id': 'mine' } });
    const id = answer.headers.get('x-request-id') ?? '';
    expect(id, path).toMatch(/^req_[0-9a-f]{32}$/);
    ids.add(id);
    if ((answer.headers.get('content-type') ?? '').includes('json')) {
      expect(answer.headers.get('cache-control'), path).toBe('no-store');
    }
    expect(answer.headers.get('x-content-type-options'), path).toBe('nosniff');
  }
  expect(ids.size).toBe(paths.length);
});

describe('a fault of the service', () => {
  let broken: TestApp;
  beforeAll(async () => {
    broken = await startApp();
    await sql`DROP TABLE collection CASCADE`.execute(broken.app.installation.db);
  });
  afterAll(() => broken.close());

  test('shows nothing of its inside and is found in the log by its request id', async () => {
    const answers = [
      await broken.call('GET', '/v1/collection'),
      await broken.call('POST', '/v1/collection', { body: { name: 'x' }, headers: { 'Idempotency-Key': 'broken' } }),
      await broken.call('POST', '/v1/media/search', { body: { collection: [1] } }),
    ];
    for (const answer of answers) {
      expectProblem(answer, 'internal');
      expect(answer.body['detail']).toMatch(/request_id/);
      expect(JSON.stringify(answer.body)).not.toMatch(/relation|collection|select|postgres|kysely|\.ts|node_modules/i);
      await vi.waitFor(() => expect(broken.log()).toContain(answer.body['request_id']));
    }
    expect(broken.log()).toContain('relation');
  });

  test('leaves the rest of the service working', async () => {
    expect((await broken.call('GET', '/v1/me')).status).toBe(200);
    expect((await broken.call('GET', '/v1/tag/search')).status).toBe(200);
  });
});
