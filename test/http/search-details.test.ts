import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startApp, type TestApp } from '../support/app.ts';
import { idsOf, pointersOf, searchMedia } from '../support/library.ts';
import { expectProblem } from '../support/problem.ts';
import { countDetails, DETAIL_FIELDS, detailsTest, fieldValues, holdsDetails } from '../support/search-details.ts';
import { insertAssets } from '../support/search-library.ts';

let service: TestApp;
const fields = new Map<string, number>();
beforeAll(async () => {
  service = await startApp();
  for (const body of DETAIL_FIELDS) {
    const answer = await service.call('POST', '/v1/detail-field', { body });
    expect(answer.status, JSON.stringify(answer.body)).toBe(201);
    fields.set(body.key, answer.body['detail_field'].id);
  }
});
afterAll(() => service.close());

describe('a filter by detail fields', () => {
  test('finds what a linear reading of the contract finds', async () => {
    const rows = fc.sample(fieldValues(), { numRuns: 60, seed: 4 });
    const ids = await insertAssets(
      service,
      rows.map((details) => ({ details: { ...details, caption: 'goal' } })),
    );
    await fc.assert(
      fc.asyncProperty(detailsTest(), detailsTest(), async (one, other) => {
        const facets = ['details.desk', { field: 'details.clients', limit: 2 }];
        const filter = { details: one, none: [{ details: other }] };
        const found = await searchMedia(service, { ...filter, limit: 200, sort: 'name', facets });
        const expected = ids.filter((_, at) => holdsDetails(rows[at], one) && !holdsDetails(rows[at], other));
        expect(idsOf(found)).toEqual(expected);
        expect(found['total']).toBe(expected.length);
        const matching = expected.map((id) => rows[ids.indexOf(id)] ?? {});
        expect(found['facets']).toEqual({
          'details.desk': countDetails(matching, 'desk'),
          'details.clients': countDetails(matching, 'clients').slice(0, 2),
        });
      }),
      { numRuns: 150 },
    );
  });

  test('stands beside other members and inside groups, and may be counted and saved', async () => {
    const [first = 0, second = 0] = await insertAssets(service, [
      { name: 'both.jpg', rating: 5, details: { desk: 'news', frames: 40 } },
      { name: 'other.jpg', rating: 1, details: { desk: 'news', frames: 41 } },
    ]);
    const details = { desk: 'news', frames: { gte: 40, lt: 42 } };
    expect(idsOf(await searchMedia(service, { details, sort: 'name' }))).toEqual([first, second]);
    expect(idsOf(await searchMedia(service, { details, rating: 5 }))).toEqual([first]);
    const nested = { any: [{ all: [{ details }, { rating: 1 }] }] };
    const found = await searchMedia(service, { ...nested, facets: ['rating'] });
    expect(idsOf(found)).toEqual([second]);
    expect(found['facets'].rating).toEqual([{ value: 1, count: 1 }]);
    const saved = await service.call('POST', '/v1/saved-search', { body: { name: 'desk', request: { details } } });
    expect(saved.status, JSON.stringify(saved.body)).toBe(201);
    const run = await service.call('POST', `/v1/saved-search/${saved.body['saved_search'].id}/search`, { body: {} });
    expect(run.body['total']).toBe(2);
  });

  test('counts a disjunctive facet as if nothing had been chosen in its field', async () => {
    await insertAssets(service, [
      { name: 'chosen.jpg', details: { desk: 'news', clients: ['a'] } },
      { name: 'chosen.jpg', details: { desk: 'sport', clients: ['a', 'b'] } },
    ]);
    const facets = [{ field: 'details.desk', disjunctive: true }, 'details.clients'];
    const found = await searchMedia(service, { name: 'chosen', details: { desk: 'news', clients: 'a' }, facets });
    expect(found['facets']).toEqual({
      'details.desk': [
        { value: 'news', count: 1 },
        { value: 'sport', count: 1 },
      ],
      'details.clients': [{ value: 'a', count: 1 }],
    });
    const refused: readonly (readonly [unknown, string])[] = [
      ['details.note', '/facets/0'],
      ['details.nothing', '/facets/0'],
      ['details.', '/facets/0'],
      [{ field: 'details.desk', interval: 'day' }, '/facets/0/interval'],
    ];
    for (const [facet, pointer] of refused) {
      const answer = await service.call('POST', '/v1/media/search', { body: { facets: [facet] } });
      expectProblem(answer, 'validation_failed');
      expect(pointersOf(answer), JSON.stringify(answer.body)).toEqual([pointer]);
    }
  });

  test('is part of a search over actions', async () => {
    const body = { media: { details: { desk: 'news' } } };
    const found = await service.call('POST', '/v1/action/search', { body });
    expect(found.body, JSON.stringify(found.body)).toMatchObject({ actions: [], total: 0 });
    const refused = await service.call('POST', '/v1/action/search', { body: { media: { details: { nothing: 1 } } } });
    expect(pointersOf(refused)).toEqual(['/media/details/nothing']);
  });

  test('sees a value as soon as it is written', async () => {
    const [id = 0] = await insertAssets(service, [{ name: 'fresh.jpg' }]);
    for (const note of ['one', 'two']) {
      await service.call('PATCH', `/v1/media/${id}`, { body: { details: { note } } });
      expect(idsOf(await searchMedia(service, { details: { note } }))).toEqual([id]);
    }
    expect(idsOf(await searchMedia(service, { details: { note: 'one' } }))).toEqual([]);
  });

  test('names what it does not take', async () => {
    const answers: readonly (readonly [object, string, string])[] = [
      [{ details: { colour: 'red' } }, '/details/colour', 'one of the fields note, frames, due, desk, clients'],
      [{ details: { caption: 'x' } }, '/details/caption', 'one of the fields'],
      [{ none: [{ details: { colour: { eq: 'red' } } }] }, '/none/0/details/colour', 'one of the fields'],
      [{ details: { frames: '7' } }, '/details/frames', 'a number'],
      [{ details: { frames: { contains: '7' } } }, '/details/frames/contains', 'one of eq, ne, in, gt'],
      [{ details: { note: { gt: 'a' } } }, '/details/note/gt', 'one of eq, ne, in, contains, exists'],
      [{ details: { note: 7 } }, '/details/note', 'a text'],
      [{ details: { due: '2026-02-30' } }, '/details/due', 'time or date that exists'],
      [{ details: { desk: { in: ['sport', 'culture'] } } }, '/details/desk/in', 'one of "sport", "news"'],
      [{ details: { clients: { eq: 'a' } } }, '/details/clients/eq', 'one of all, any, none, exists'],
      [{ details: { note: { like: 'a' } } }, '/details/note/like', 'only eq, ne'],
      [{ details: {} }, '/details', 'at least 1 member'],
      [{ details: { note: [] } }, '/details/note', 'list'],
    ];
    for (const [body, pointer, detail] of answers) {
      const answer = await service.call('POST', '/v1/media/search', { body });
      expectProblem(answer, 'validation_failed');
      expect(pointersOf(answer), JSON.stringify(answer.body)).toEqual([pointer]);
      expect(answer.body['detail'], JSON.stringify(body)).toContain(detail);
    }
  });

  test('leaves a field that is not searchable, and one that is gone', async () => {
    const body = { key: 'internal', label: 'Internal', type: 'text', searchable: false };
    const { id } = (await service.call('POST', '/v1/detail-field', { body })).body['detail_field'];
    const search = () => service.call('POST', '/v1/media/search', { body: { details: { internal: 'x' } } });
    const refused = await search();
    expectProblem(refused, 'validation_failed');
    expect(refused.body['detail']).toContain('internal, which is not searchable');
    await service.call('PATCH', `/v1/detail-field/${id}`, { body: { searchable: true } });
    expect((await search()).status).toBe(200);
    await service.call('DELETE', `/v1/detail-field/${id}`);
    expectProblem(await search(), 'validation_failed');
  });
});
