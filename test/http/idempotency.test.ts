import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Answer, type Json, startApp, type TestApp } from '../support/app.ts';
import { createTag, plainPhoto, uploadMedia } from '../support/library.ts';
import { expectProblem } from '../support/problem.ts';

let service: TestApp;
beforeAll(async () => {
  service = await startApp();
});
afterAll(() => service.close());

const once = (name: string) => ({ headers: { 'Idempotency-Key': name } });

/** A POST that creates: how it is sent, with which body, and how many of its objects there are. */
type Creation = {
  readonly path: string;
  readonly body: (label: string) => object;
  readonly idOf: (body: Json) => number;
  readonly count: (label: string) => Promise<number>;
};

async function countTags(label: string): Promise<number> {
  const { body } = await service.call('GET', '/v1/tag?limit=200');
  return body['tag_options'].filter((tag: Json) => tag['label'] === label).length;
}

async function countNamed(path: string, list: string, name: string): Promise<number> {
  const { body } = await service.call('GET', `${path}?limit=200`);
  return body[list].filter((one: Json) => one['name'] === name).length;
}

const CREATIONS: readonly Creation[] = [
  {
    path: '/v1/tag',
    body: (label) => ({ type: 'player', label }),
    idOf: (body) => body['tag_option'].id,
    count: countTags,
  },
  {
    path: '/v1/tag/bulk',
    body: (label) => ({ tag_options: [{ type: 'player', label, external_ids: { test: label } }] }),
    idOf: (body) => body['results'][0].id,
    count: countTags,
  },
  {
    path: '/v1/collection',
    body: (name) => ({ name }),
    idOf: (body) => body['collection'].id,
    count: (name) => countNamed('/v1/collection', 'collections', name),
  },
  {
    path: '/v1/key',
    body: (name) => ({ name, scopes: ['media.read'] }),
    idOf: (body) => body['api_key'].id,
    count: (name) => countNamed('/v1/key', 'api_keys', name),
  },
];

describe.each(CREATIONS)('POST $path', ({ path, body, idOf, count }) => {
  const label = (name: string) => `${name} ${path}`;

  test('sent again with its Idempotency-Key answers the same and creates nothing', async () => {
    const request = { body: body(label('again')), ...once(`again${path}`) };
    const first = await service.call('POST', path, request);
    expect(first.status, JSON.stringify(first.body)).toBeLessThan(300);
    expect(first.headers.get('idempotency-replayed')).toBeNull();
    for (let n = 0; n < 2; n += 1) {
      const again = await service.call('POST', path, request);
      expect(again.status).toBe(first.status);
      expect(again.headers.get('idempotency-replayed')).toBe('true');
      // The key itself is shown once, and is the only thing that a replay leaves out.
      expect(again.body).toEqual(first.body['key'] === undefined ? first.body : { ...first.body, key: null });
      for (const name of ['etag', 'x-library-version', 'content-type', 'cache-control']) {
        expect(again.headers.get(name), name).toBe(first.headers.get(name));
      }
    }
    expect(await count(label('again'))).toBe(1);
  });

  test('with the Idempotency-Key of another body is a conflict', async () => {
    await service.call('POST', path, { body: body(label('mine')), ...once(`other${path}`) });
    const other = await service.call('POST', path, { body: body(label('not mine')), ...once(`other${path}`) });
    expectProblem(other, 'idempotency_key_reused');
    expect(await count(label('not mine'))).toBe(0);
  });

  test('sent many times at once with one Idempotency-Key creates one object', async () => {
    const request = { body: body(label('crowd')), ...once(`crowd${path}`) };
    const answers = await Promise.all(Array.from({ length: 12 }, () => service.call('POST', path, request)));
    expect(await count(label('crowd'))).toBe(1);
    const created = answers.filter((answer) => answer.status < 300);
    expect(created.length).toBeGreaterThanOrEqual(1);
    expect(new Set(created.map((answer) => idOf(answer.body)))).toHaveLength(1);
    for (const answer of answers.filter((one) => one.status >= 300)) {
      expectProblem(answer, 'idempotency_in_progress');
      expect(answer.headers.get('retry-after')).toBe('1');
    }
    expect((await service.call('POST', path, request)).headers.get('idempotency-replayed')).toBe('true');
  });

  test('that failed leaves its Idempotency-Key free', async () => {
    const failed = await service.call('POST', path, { body: { nope: true }, ...once(`retry${path}`) });
    expect(failed.status).toBe(400);
    const right = await service.call('POST', path, { body: body(label('retry')), ...once(`retry${path}`) });
    expect(right.status, JSON.stringify(right.body)).toBeLessThan(300);
    expect(right.headers.get('idempotency-replayed')).toBeNull();
  });

  test('with the Idempotency-Key of another API key is another request', async () => {
    const key = await service.createKey();
    const request = { body: body(label('two keys')), ...once(`two${path}`) };
    const [first, second] = [
      await service.call('POST', path, request),
      await service.call('POST', path, { ...request, key }),
    ];
    expect(second.status).toBeLessThan(300);
    expect(second.headers.get('idempotency-replayed')).toBeNull();
    expect(first.headers.get('idempotency-replayed')).toBeNull();
  });
});

test('a request refused by the library leaves its Idempotency-Key free', async () => {
  const [from, into] = [await createTag(service, { type: 'tag', label: 'from' }), 9_007_199_254_740_991];
  const path = `/v1/tag/${from}/merge`;
  expectProblem(await service.call('POST', path, { body: { into }, ...once('merge') }), 'unknown_tag_option');
  const target = await createTag(service, { type: 'tag', label: 'into' });
  const merged = await service.call('POST', path, { body: { into: target }, ...once('merge') });
  expect(merged.status, JSON.stringify(merged.body)).toBe(200);
  const again = await service.call('POST', path, { body: { into: target }, ...once('merge') });
  expect(again.headers.get('idempotency-replayed')).toBe('true');
  expect(again.body).toEqual(merged.body);
});

test('one Idempotency-Key on two routes is two requests of which the second is refused', async () => {
  await service.call('POST', '/v1/collection', { body: { name: 'x' }, ...once('two-routes') });
  const other = await service.call('POST', '/v1/tag', { body: { type: 'tag', label: 'x' }, ...once('two-routes') });
  expectProblem(other, 'idempotency_key_reused');
});

test('an Idempotency-Key that is no token of visible characters is refused', async () => {
  for (const key of ['two words', 'x'.repeat(256), 'é']) {
    const answer = await service.call('POST', '/v1/collection', { body: { name: 'x' }, ...once(key) });
    expect(expectProblem(answer, 'validation_failed')['errors'][0].pointer).toBe('Idempotency-Key');
  }
});

describe('an upload', () => {
  const send = async (seed: number, idempotencyKey: string, metadata: object = {}): Promise<Answer> =>
    service.upload(await plainPhoto(seed), { metadata, wait: false, ...once(idempotencyKey) });

  test('sent again with its Idempotency-Key answers the same, not a duplicate', async () => {
    const first = await send(1, 'upload', { name: 'a.jpg' });
    expect(first.status, JSON.stringify(first.body)).toBe(201);
    const again = await send(1, 'upload', { name: 'a.jpg' });
    expect(again.status).toBe(201);
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expect(again.headers.get('location')).toBe(`/v1/media/${first.body['media'].id}`);
    expect(again.body).toEqual(first.body);
  });

  test('with the Idempotency-Key of another file or other metadata is a conflict', async () => {
    await send(2, 'upload-2', { name: 'a.jpg' });
    expectProblem(await send(3, 'upload-2', { name: 'a.jpg' }), 'idempotency_key_reused');
    expectProblem(await send(2, 'upload-2', { name: 'b.jpg' }), 'idempotency_key_reused');
  });

  test('sent many times at once creates one asset', async () => {
    const answers = await Promise.all(Array.from({ length: 6 }, () => send(4, 'upload-4')));
    const ids = answers.filter((answer) => answer.status < 300).map((answer) => answer.body['media'].id);
    expect(new Set(ids)).toHaveLength(1);
    for (const answer of answers.filter((one) => one.status >= 300)) expectProblem(answer, 'idempotency_in_progress');
  });

  test('that is refused leaves its Idempotency-Key free', async () => {
    expectProblem(await send(5, 'upload-5', { tag_options: [9_007_199_254_740_991] }), 'unknown_tag_option');
    expect((await send(5, 'upload-5')).status).toBe(201);
  });
});

describe('If-Match', () => {
  const kinds: readonly (readonly [string, () => Promise<string>, object])[] = [
    ['media', async () => `/v1/media/${(await uploadMedia(service, await plainPhoto(100)))['id']}`, { rating: 3 }],
    ['tag', async () => `/v1/tag/${await createTag(service, { type: 'tag', label: 'versioned' })}`, { label: 'y' }],
    [
      'collection',
      async () => {
        const { body } = await service.call('POST', '/v1/collection', { body: { name: 'versioned' } });
        return `/v1/collection/${body['collection'].id}`;
      },
      { name: 'y' },
    ],
  ];

  test.each(kinds)(
    '%s: a change and a deletion need the present ETag when they name one',
    async (_kind, make, body) => {
      const path = await make();
      const etag = (await service.call('GET', path)).headers.get('etag') ?? '';
      expect(etag).toMatch(/^"v\d+"$/);
      const patched = await service.call('PATCH', path, { body, headers: { 'If-Match': etag } });
      expect(patched.status, JSON.stringify(patched.body)).toBe(200);
      const present = patched.headers.get('etag') ?? '';
      expect(present).not.toBe(etag);
      expect((await service.call('GET', path)).headers.get('etag')).toBe(present);

      for (const stale of [etag, '"v999999"', 'v1', `W/${present}`]) {
        const headers = { 'If-Match': stale };
        expectProblem(await service.call('PATCH', path, { body, headers }), 'precondition_failed');
        expectProblem(await service.call('DELETE', path, { headers }), 'precondition_failed');
      }
      expect((await service.call('GET', path)).headers.get('etag')).toBe(present);

      const any = await service.call('PATCH', path, { body, headers: { 'If-Match': '*' } });
      expect(any.status, JSON.stringify(any.body)).toBe(200);
      const last = any.headers.get('etag') ?? '';
      const deleted = await service.call('DELETE', path, { headers: { 'If-Match': last } });
      expect(deleted.status, JSON.stringify(deleted.body)).toBe(204);
      expectProblem(await service.call('GET', path), 'not_found');
      expectProblem(await service.call('DELETE', path, { headers: { 'If-Match': '*' } }), 'not_found');
    },
  );

  test.each(kinds)('%s: two changes of one version cannot both win', async (kind, make, body) => {
    const path =
      kind === 'media' ? `/v1/media/${(await uploadMedia(service, await plainPhoto(101)))['id']}` : await make();
    const etag = (await service.call('GET', path)).headers.get('etag') ?? '';
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => service.call('PATCH', path, { body, headers: { 'If-Match': etag } })),
    );
    const statuses = answers.map((answer) => answer.status).toSorted((a, b) => a - b);
    expect(statuses).toEqual([200, 412, 412, 412, 412]);
  });
});
