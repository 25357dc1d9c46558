import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Json, startApp, type TestApp } from '../support/app.ts';
import { createTag, plainPhoto, pointersOf, uploadMedia } from '../support/library.ts';

let service: TestApp;
let club: number;
let joy: number;
beforeAll(async () => {
  service = await startApp();
  club = await createTag(service, { type: 'club', label: 'Averley Town' });
  joy = await createTag(service, { type: 'tag', category: 'moods', label: 'Joy' });
  await createTag(service, { type: 'tag', category: 'moods', label: 'Grief', status: 'deactivated' });
  await createTag(service, { type: 'tag', category: 'mood', label: 'Pride' });
  await createTag(service, {
    type: 'player',
    label: 'Okafor',
    relations: { clubs: [{ club }, { club, to: '2020-01-01' }] },
  });
  await createTag(service, { type: 'match', label: 'Averley - Dunmore', relations: { home: club } });
  const twin = await createTag(service, { type: 'club', label: 'Averley Twn' });
  expect((await service.call('POST', `/v1/tag/${twin}/merge`, { body: { into: club } })).status).toBe(200);
  await uploadMedia(service, await plainPhoto(1), { metadata: { tag_options: [club, joy] } });
});
afterAll(() => service.close());

const categories = async (): Promise<Json[]> => (await service.call('GET', '/v1/tag/category')).body['categories'];

test('counts what names a tag option, each option once', async () => {
  const { body } = await service.call('GET', `/v1/tag/${club}/usage`);
  expect(body).toEqual({ usage: { media: 1, actions: 0, tag_options: 1, matches: 1, merged: 1 } });
  expect((await service.call('GET', '/v1/tag/999999/usage')).body['code']).toBe('not_found');
});

test('counts tag options by type and category, those that were merged left out', async () => {
  expect(await categories()).toEqual([
    { type: 'club', category: null, active: 1, deactivated: 0 },
    { type: 'match', category: null, active: 1, deactivated: 0 },
    { type: 'player', category: null, active: 1, deactivated: 0 },
    { type: 'tag', category: 'mood', active: 1, deactivated: 0 },
    { type: 'tag', category: 'moods', active: 1, deactivated: 1 },
  ]);
});

test('a category that is renamed takes its options along, and search and feed follow', async () => {
  const answer = await service.call('POST', '/v1/tag/category/rename', {
    body: { type: 'tag', from: 'moods', to: 'mood' },
  });
  expect([answer.status, answer.body]).toEqual([200, { changed: 2 }]);
  const found = await service.call('GET', '/v1/tag/search?type=tag&category=mood');
  expect(found.body['tags'].map((tag: Json) => tag['label']).toSorted()).toEqual(['Grief', 'Joy', 'Pride']);
  const { body } = await service.call('GET', '/v1/event?after=0&types=tag_option.updated');
  expect(body['events'].map((event: Json) => event['object'].id)).toContain(joy);
  expect((await categories()).filter((one: Json) => one['type'] === 'tag')).toEqual([
    { type: 'tag', category: 'mood', active: 2, deactivated: 1 },
  ]);
});

test('the category of the types of actions keeps its name, and a rename needs the scope to write tags', async () => {
  const rename = (from: string, to: string, key = service.key) =>
    service.call('POST', '/v1/tag/category/rename', { key, body: { type: 'tag', from, to } });
  expect(pointersOf(await rename('action type', 'mood'))).toEqual(['/from']);
  expect(pointersOf(await rename('mood', 'action type'))).toEqual(['/to']);
  const reader = await service.createKey({ scopes: ['media.read'] });
  expect((await rename('mood', 'moods', reader)).body['code']).toBe('scope_missing');
});
