import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startApp, type TestApp } from '../support/app.ts';

let service: TestApp;
beforeAll(async () => {
  service = await startApp();
});
afterAll(() => service.close());

test('a photograph uploaded with a player is found by the player and shown cropped on the face', async () => {
  const created = await service.call('POST', '/v1/tag', {
    body: { type: 'player', label: 'Šeško', full_name: 'Marko Šeško' },
  });
  expect(created.status, JSON.stringify(created.body)).toBe(201);
  const player = created.body['tag_option'].id as number;

  const bytes = await readFile(join(import.meta.dirname, '..', 'fixtures', 'faces', 'astronaut.png'));
  const uploaded = await service.upload(bytes, { name: 'guest.png', metadata: { tag_options: [player] } });
  expect(uploaded.status, JSON.stringify(uploaded.body)).toBe(201);
  expect(uploaded.body['media']).toMatchObject({ status: 'ready', width: 512, height: 512, people_count: 1 });

  const lookup = await service.call('GET', '/v1/tag/search?query=sesko');
  expect(lookup.status, JSON.stringify(lookup.body)).toBe(200);
  expect(lookup.body['players']).toMatchObject([{ ID: player, full_name: 'Marko Šeško', media_count: 1 }]);

  const found = await service.call('POST', '/v1/media/search', { body: { tag_options: [player] } });
  expect(found.status, JSON.stringify(found.body)).toBe(200);
  expect(found.body).toMatchObject({ total: 1 });
  expect(found.body['media'][0].id).toBe(uploaded.body['media'].id);

  const image = await fetch(`${found.body['media'][0].images.url}?w=120&h=160&f=face`);
  expect(image.status).toBe(200);
  expect(image.headers.get('x-focus')).toContain('face');
  expect(image.headers.get('content-type')).toBe('image/jpeg');
});
