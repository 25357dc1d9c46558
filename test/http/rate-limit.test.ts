import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type Answer, startApp, type TestApp } from '../support/app.ts';
import { expectProblem } from '../support/problem.ts';

let service: TestApp;
beforeAll(async () => {
  service = await startApp();
});
afterAll(() => service.close());

const me = (key: string) => service.call('GET', '/v1/me', { key });
/** `"key";r=3;t=1` of the header RateLimit: what is left, and the seconds until the bucket is full. */
function leftOf(answer: Answer): { readonly left: number; readonly seconds: number } {
  const found = /^"key";r=(\d+);t=(\d+)$/.exec(answer.headers.get('ratelimit') ?? '');
  expect(found, answer.headers.get('ratelimit') ?? 'no header').not.toBeNull();
  return { left: Number(found?.[1]), seconds: Number(found?.[2]) };
}

test('every answer to a key says its quota and what is left of it', async () => {
  const key = await service.createKey({ burst: 240, requestsPerSecond: 120 });
  const first = await me(key);
  expect(first.headers.get('ratelimit-policy')).toBe('"key";q=240;w=2');
  expect(leftOf(first)).toEqual({ left: 239, seconds: 1 });
  const refused = await service.call('POST', '/v1/tag', { key, body: {} });
  expect(refused.status).toBe(400);
  expect(leftOf(refused).left).toBeLessThan(240);
});

test('answers without a key carry no quota', async () => {
  for (const path of ['/v1/openapi.json', '/healthz', '/v1/nothing']) {
    const answer = await service.call('GET', path, { key: null });
    expect(answer.headers.get('ratelimit'), path).toBeNull();
  }
});

test('a burst is served at once, and the request after it is refused with the time to wait', async () => {
  const key = await service.createKey({ burst: 3, requestsPerSecond: 1 });
  const statuses = [];
  for (let n = 0; n < 3; n += 1) statuses.push((await me(key)).status);
  expect(statuses).toEqual([200, 200, 200]);
  const refused = await me(key);
  const problem = expectProblem(refused, 'rate_limited');
  expect(problem['detail']).toContain('1 requests a second, with bursts of 3');
  expect(refused.headers.get('retry-after')).toBe('1');
  expect(refused.headers.get('ratelimit-policy')).toBe('"key";q=3;w=3');
  expect(leftOf(refused).left).toBe(0);
});

test('requests sent at the same moment cannot pass the burst', async () => {
  const key = await service.createKey({ burst: 5, requestsPerSecond: 1 });
  const startedMs = performance.now();
  const answers = await Promise.all(Array.from({ length: 30 }, () => me(key)));
  const refilled = Math.floor((performance.now() - startedMs) / 1000);
  const served = answers.filter((answer) => answer.status === 200).length;
  expect(served).toBeGreaterThanOrEqual(5);
  expect(served).toBeLessThanOrEqual(5 + refilled);
  expect(answers.filter((answer) => answer.status === 429)).toHaveLength(30 - served);
});

test('the bucket refills with the rate of the key, up to the burst and no further', async () => {
  const key = await service.createKey({ burst: 1, requestsPerSecond: 2 });
  expect((await me(key)).status).toBe(200);
  const emptyAtMs = performance.now();
  expect((await me(key)).status).toBe(429);
  await vi.waitFor(async () => expect((await me(key)).status).toBe(200), { timeout: 3000, interval: 20 });
  const waitedMs = performance.now() - emptyAtMs;
  // Half a second a request; the request before it ended a moment after it was counted.
  expect(waitedMs).toBeGreaterThan(400);
  expect((await me(key)).status).toBe(429);
});

test('refused requests do not push the next free one away', async () => {
  const key = await service.createKey({ burst: 1, requestsPerSecond: 1 });
  expect((await me(key)).status).toBe(200);
  for (let n = 0; n < 20; n += 1) expect((await me(key)).headers.get('retry-after') ?? '1').toBe('1');
  await vi.waitFor(async () => expect((await me(key)).status).toBe(200), { timeout: 3000, interval: 20 });
});

test('two keys of one organization do not share a bucket, and two places of one key do', async () => {
  const [one, other] = [
    await service.createKey({ burst: 1, requestsPerSecond: 1 }),
    await service.createKey({ burst: 1, requestsPerSecond: 1 }),
  ];
  expect((await me(one)).status).toBe(200);
  expect((await me(other)).status).toBe(200);
  const answer = await service.call('GET', `/v1/me?api_key=${one}`, { key: null });
  expectProblem(answer, 'rate_limited');
});

test('requests that lack a scope or fail are counted too', async () => {
  const key = await service.createKey({ burst: 2, requestsPerSecond: 1, scopes: ['media.read'] });
  expectProblem(await service.call('POST', '/v1/collection', { key, body: { name: 'x' } }), 'scope_missing');
  expectProblem(await service.call('GET', '/v1/media/1', { key }), 'not_found');
  expectProblem(await me(key), 'rate_limited');
});
