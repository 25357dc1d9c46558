import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import sharp, { type Sharp } from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Json, startApp, type TestApp } from '../support/app.ts';
import { createTag, uploadMedia } from '../support/library.ts';
import { expectProblem } from '../support/problem.ts';

const SLOW = { timeout: 30_000, interval: 100 } as const;

let service: TestApp;
let portrait: Buffer;
let player: number;
beforeAll(async () => {
  service = await startApp();
  const astronaut = await readFile(join(import.meta.dirname, '..', 'fixtures', 'faces', 'astronaut.png'));
  // The head alone: in some variants the helmet beside it passes for a face.
  portrait = await sharp(astronaut).flatten().extract({ left: 110, top: 0, width: 230, height: 260 }).png().toBuffer();
  player = await createTag(service, { type: 'player', label: 'Núñera', external_ids: { test: 'nunera' } });
});
afterAll(() => service.close());

const variant = (change: (picture: Sharp) => Sharp) => change(sharp(portrait)).jpeg().toBuffer();
const read = async (id: number): Promise<Json> => (await service.call('GET', `/v1/media/${id}`)).body['media'] as Json;
const setSuggestions = (suggestions: boolean) => service.call('PATCH', '/v1/face-settings', { body: { suggestions } });
const tag = async (id: number, body: object): Promise<Json> => {
  const answer = await service.call('POST', `/v1/media/${id}/tag`, { body });
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return answer.body;
};
const link = async (id: number, tagOptionId: number | null): Promise<Json> => {
  const answer = await service.call('PATCH', `/v1/media/${id}/face/0`, { body: { tag_option_id: tagOptionId } });
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return answer.body['media'];
};
const suggested = async (id: number) => (await read(id))['faces'][0]?.suggestion?.tag_option_id as number | undefined;
const described = async (): Promise<number> => {
  const { db } = service.app.installation;
  const found = await sql<{ n: number }>`SELECT count(*)::int AS n FROM face_descriptor`.execute(db);
  return found.rows[0]?.n ?? 0;
};
const idle = () =>
  expect
    .poll(async () => {
      const { db } = service.app.installation;
      const found = await sql<{ n: number }>`SELECT count(*)::int AS n FROM touchline_jobs.job
        WHERE name = 'faces.suggest' AND state < 'completed'`.execute(db);
      return found.rows[0]?.n;
    }, SLOW)
    .toBe(0);

describe('players are suggested by their faces', () => {
  test('only where the organization switched it on', { timeout: 60_000 }, async () => {
    expect((await service.call('GET', '/v1/face-settings')).body).toEqual({ face_settings: { suggestions: false } });
    const headshot = await uploadMedia(service, portrait, { name: 'headshot.png' });
    await link(headshot['id'], player);
    const later = await uploadMedia(service, await variant((picture) => picture.linear(0.7, 0)));
    await idle();
    expect(await described()).toBe(0);
    expect(await suggested(later['id'])).toBeUndefined();

    // What was there before is described too.
    expect((await setSuggestions(true)).body).toEqual({ face_settings: { suggestions: true } });
    await expect.poll(() => suggested(later['id']), SLOW).toBe(player);
    const media = await read(later['id']);
    expect(media['faces'][0].suggestion.distance).toBeLessThan(0.4);
    expect(media['tag_options']).toEqual([]);
    expect(media['suggested_tag_options']).toMatchObject([{ id: player, source: 'ai:faces' }]);
    expect(media['suggested_tag_options'][0].confidence).toBeGreaterThan(0.6);
    const listed = await service.call('GET', '/v1/tag/suggestion?source=ai:faces');
    expect(listed.body['suggestions']).toMatchObject([{ media_id: later['id'] }]);

    // Off: everything that was derived goes at once; what people linked stays.
    await setSuggestions(false);
    expect(await described()).toBe(0);
    const after = await read(later['id']);
    expect([after['faces'][0].suggestion, after['suggested_tag_options']]).toEqual([undefined, []]);
    expect((await read(headshot['id']))['faces'][0].tag_option_id).toBe(player);
    await setSuggestions(true);
    await idle();
  });

  test('an accepted suggestion links the face', { timeout: 60_000 }, async () => {
    const media = await uploadMedia(service, await variant((picture) => picture.flop()));
    await expect.poll(() => suggested(media['id']), SLOW).toBe(player);
    const before = await read(media['id']);
    const answer = await tag(media['id'], { accept: [player] });
    expect(answer['media'].faces[0]).toMatchObject({ tag_option_id: player });
    expect(answer['media'].faces[0].suggestion).toBeUndefined();
    expect(answer['media'].tag_options).toMatchObject([{ id: player, source: 'ai:faces' }]);
    expect(answer['media'].images.url).not.toBe(before['images'].url);
  });

  test('a rejected suggestion is not made again', { timeout: 60_000 }, async () => {
    const media = await uploadMedia(service, await variant((picture) => picture.resize(400)));
    await expect.poll(() => suggested(media['id']), SLOW).toBe(player);
    await tag(media['id'], { reject: [player] });
    expect(await suggested(media['id'])).toBeUndefined();
    // A further face of the player is linked, and all are compared anew.
    const another = await uploadMedia(service, await variant((picture) => picture.greyscale()));
    await idle();
    await link(another['id'], player);
    await idle();
    expect(await suggested(media['id'])).toBeUndefined();
    await setSuggestions(false);
    await setSuggestions(true);
    await idle();
    expect(await suggested(media['id'])).toBeUndefined();
  });

  test('a face that is somebody else is not suggested for the player again', { timeout: 60_000 }, async () => {
    const twin = await createTag(service, { type: 'player', label: 'Twin', external_ids: { test: 'twin' } });
    const media = await uploadMedia(service, await variant((picture) => picture.rotate(8, { background: '#777' })));
    await expect.poll(() => suggested(media['id']), SLOW).toBe(player);
    const linked = await link(media['id'], twin);
    expect([linked['faces'][0].tag_option_id, linked['suggested_tag_options']]).toEqual([twin, []]);
    await link(media['id'], null);
    await idle();
    expect(await suggested(media['id'])).toBeUndefined();
  });

  test('nobody is suggested from the faces of another organization', { timeout: 60_000 }, async () => {
    const key = await service.createKey({ organizationId: await service.createOrganization('other') });
    await service.call('PATCH', '/v1/face-settings', { key, body: { suggestions: true } });
    const answer = await service.upload(await variant((picture) => picture.blur(1)), { key });
    await idle();
    const found = await service.call('GET', `/v1/media/${answer.body['media'].id}`, { key });
    expect(found.body['media'].faces).toHaveLength(1);
    expect(found.body['media'].faces[0].suggestion).toBeUndefined();
    expect(found.body['media'].suggested_tag_options).toEqual([]);
  });

  test('switching takes an administrator', async () => {
    const key = await service.createKey({ scopes: ['media.read', 'media.write'] });
    expect((await service.call('GET', '/v1/face-settings', { key })).status).toBe(200);
    expectProblem(
      await service.call('PATCH', '/v1/face-settings', { key, body: { suggestions: false } }),
      'scope_missing',
    );
  });
});
