import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startApp, type TestApp } from '../support/app.ts';

let service: TestApp;
let bytes: Buffer;
beforeAll(async () => {
  service = await startApp();
  bytes = await readFile(join(import.meta.dirname, '..', 'fixtures', 'faces', 'astronaut.png'));
});
afterAll(() => service.close());

async function createCollection(name: string): Promise<number> {
  return (await service.call('POST', '/v1/collection', { body: { name } })).body['collection'].id;
}

test('the part metadata may say that it is JSON', async () => {
  const form = new FormData();
  form.append('metadata', new Blob([JSON.stringify({ name: 'typed.png' })], { type: 'application/json' }));
  form.append('file', new Blob([new Uint8Array(bytes), 'typed']), 'a.png');
  const response = await fetch(`${service.url}/v1/media`, {
    method: 'POST',
    headers: { 'X-Api-Key': service.key },
    body: form,
  });
  expect(response.status).toBe(201);
  expect(await response.json()).toMatchObject({ media: { name: 'typed.png' } });
});

test('a metadata part of another shape is refused by name, also as JSON', async () => {
  for (const text of ['[1]', '"text"', '{"nam":1}']) {
    const form = new FormData();
    form.append('metadata', new Blob([text], { type: 'application/json' }));
    form.append('file', new Blob([new Uint8Array(bytes)]), 'a.png');
    const response = await fetch(`${service.url}/v1/media`, {
      method: 'POST',
      headers: { 'X-Api-Key': service.key },
      body: form,
    });
    expect(response.status).toBe(400);
    expect(((await response.json()) as any).errors[0].pointer).toMatch(/^\/metadata/);
  }
});

test('the same file again joins further collections, gains fields, and keeps its external id', async () => {
  const [first, second] = [await createCollection('A'), await createCollection('B')];
  const one = await service.upload(bytes, {
    metadata: { collections: [first], external_id: 'camera-1', details: { shoot: 'x' } },
  });
  const two = await service.upload(bytes, { metadata: { collections: [second], details: { desk: 'y' } } });
  expect(two.status).toBe(200);
  expect(two.body).toMatchObject({
    duplicate: true,
    media: {
      id: one.body['media'].id,
      collections: [first, second],
      external_id: 'camera-1',
      details: { shoot: 'x', desk: 'y' },
    },
  });
});

test('the same file again without anything new changes nothing', async () => {
  const one = await service.upload(bytes);
  const two = await service.upload(bytes);
  expect(two.body['media'].version).toBe(one.body['media'].version);
});

test('a metadata part that goes on and on is refused before it fills the memory', async () => {
  const form = new FormData();
  form.append('metadata', new Blob([`{"name":"${'x'.repeat(3_000_000)}"}`], { type: 'application/json' }));
  form.append('file', new Blob([new Uint8Array(bytes)]), 'a.png');
  const response = await fetch(`${service.url}/v1/media`, {
    method: 'POST',
    headers: { 'X-Api-Key': service.key },
    body: form,
  });
  expect(response.status).toBe(413);
});
