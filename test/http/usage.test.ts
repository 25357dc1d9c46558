import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Json, startApp, type TestApp } from '../support/app.ts';
import { plainPhoto, uploadMedia } from '../support/library.ts';
import { expectProblem } from '../support/problem.ts';

let service: TestApp;
beforeAll(async () => {
  service = await startApp();
});
afterAll(() => service.close());

const usage = async (query = ''): Promise<Json> => {
  const answer = await service.call('GET', `/v1/usage${query}`);
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return answer.body['usage'] as Json;
};

describe('the usage of a library', () => {
  test('is nothing at first', async () => {
    expect(await usage()).toMatchObject({ assets: [], actions: 0, storage: [] });
  });

  test('has each asset by its state, and the bytes of each quality', async () => {
    const media = await uploadMedia(service, await plainPhoto(1));
    const gone = await uploadMedia(service, await plainPhoto(2));
    await service.call('DELETE', `/v1/media/${gone['id']}`);
    const found = await usage();
    expect(found['assets']).toEqual([
      { media_type: 'photo', status: 'deleted', count: 1 },
      { media_type: 'photo', status: 'ready', count: 1 },
    ]);
    const original = (found['storage'] as Json[]).find((one) => one['quality'] === 'photographer');
    expect(original).toEqual({ quality: 'photographer', files: 2, bytes: media['bytes'] + gone['bytes'] });
  });

  test('counts requests, and searches among them, also those that are refused', async () => {
    const before = (await usage())['days'].at(-1);
    await service.call('POST', '/v1/media/search', { body: {} });
    await service.call('GET', '/v1/tag/search?query=x');
    await service.call('POST', '/v1/media/search', { body: { filter: 1 } });
    await service.call('GET', '/v1/me');
    const after = (await usage())['days'].at(-1);
    expect(after.day).toBe(new Date().toISOString().slice(0, 10));
    expect(after.searches - before.searches).toBe(3);
    // Those four, and the reading of the usage.
    expect(after.requests - before.requests).toBe(5);
  });

  test('is that of the organization of the key alone', async () => {
    const stranger = await service.createKey({ organizationId: await service.createOrganization('second') });
    const before = (await usage())['days'].at(-1);
    await service.call('POST', '/v1/media/search', { key: stranger, body: {} });
    const other = (await service.call('GET', '/v1/usage', { key: stranger })).body['usage'];
    expect(other).toMatchObject({ assets: [], storage: [], days: [{ requests: 1, searches: 1 }] });
    expect((await usage())['days'].at(-1)).toMatchObject({ requests: before.requests + 1, searches: before.searches });
  });

  test('reads days that are asked for', async () => {
    expect((await usage('?days=1'))['days']).toHaveLength(1);
    expectProblem(await service.call('GET', '/v1/usage?days=0'), 'validation_failed');
  });
});
