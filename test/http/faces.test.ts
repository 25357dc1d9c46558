import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readChanges } from '../../src/library/index.ts';
import { scopeOf } from '../../src/auth/index.ts';
import { type Json, startApp, type TestApp } from '../support/app.ts';
import { createTag, plainPhoto, pointersOf, uploadMedia } from '../support/library.ts';
import { expectProblem } from '../support/problem.ts';
import { xmpRegions } from '../support/regions.ts';

const ASTRONAUT = join(import.meta.dirname, '../fixtures/faces/astronaut.png');
/** Where her face is in the picture: test/fixtures/faces/README.md. */
const HER_FACE = { x: 0.354, y: 0.142, w: 0.163, h: 0.199 };

let service: TestApp;
let collins: number;
let club: number;
beforeAll(async () => {
  service = await startApp();
  collins = await createTag(service, { type: 'player', label: 'Collins', full_name: 'Eileen Collins' });
  club = await createTag(service, { type: 'club', label: 'Houston' });
  await createTag(service, { type: 'player', label: 'Kim', full_name: 'Kim Min-jae' });
  await createTag(service, { type: 'player', label: 'Kim', full_name: 'Kim Yeong-gwon' });
});
afterAll(() => service.close());

/** Her portrait with named regions; another seed gives another file. */
async function portrait(seed: number, regions: Parameters<typeof xmpRegions>[0]): Promise<Buffer> {
  return sharp(await readFile(ASTRONAUT))
    .withXmp(xmpRegions(regions))
    .jpeg({ quality: 60 + seed })
    .toBuffer();
}

const link = (id: number, n: number, body: object, headers = {}) =>
  service.call('PATCH', `/v1/media/${id}/face/${n}`, { body, headers });
const tagIds = (media: Json): number[] => media['tag_options'].map((tag: Json) => tag['id']);

describe('a named region of a file', () => {
  test('links the face that was found there to the player of that name', async () => {
    const media = await uploadMedia(service, await portrait(1, [{ name: 'Eileen Collins', ...HER_FACE }]));
    expect(media['faces']).toHaveLength(1);
    expect(media['faces'][0]).toMatchObject({ tag_option_id: collins });
    expect(media['faces'][0].score).toBeLessThan(1);
    expect(media['faces'][0].x).toBeCloseTo(HER_FACE.x, 1);
    expect(media['tag_options']).toMatchObject([{ id: collins, source: 'metadata' }]);
    expect(media['details'].persons).toEqual(['Eileen Collins']);
  });

  test('becomes a face where none was found', async () => {
    const beside = { x: 0.7, y: 0.1, w: 0.1, h: 0.1 };
    const media = await uploadMedia(service, await portrait(2, [{ name: 'Collins', ...beside }]));
    expect(media['people_count']).toBe(2);
    expect(media['faces'][0].tag_option_id).toBeUndefined();
    expect(media['faces'][1]).toEqual({ ...beside, score: 1, tag_option_id: collins });
  });

  test('with a name that two players share, or nobody has, links nobody and keeps the name', async () => {
    const elsewhere = { x: 0.7, y: 0.1, w: 0.1, h: 0.1 };
    const regions = [
      { name: 'Kim', ...HER_FACE },
      { name: 'A guest', ...elsewhere },
    ];
    const media = await uploadMedia(service, await portrait(3, regions));
    expect(media['faces'].length).toBeGreaterThan(1);
    expect(media['faces'].filter((face: Json) => 'tag_option_id' in face)).toEqual([]);
    expect(media['details'].persons).toEqual(['Kim', 'A guest']);
    expect(media['tag_options']).toEqual([]);
  });
});

describe('a face linked by hand', () => {
  let media: Json;
  beforeAll(async () => {
    media = await uploadMedia(service, await portrait(4, []));
  });

  test('belongs to the player, whose tag the asset gets; its image URLs change', async () => {
    const answer = await link(media['id'], 0, { tag_option_id: collins }, { 'If-Match': `"v${media['version']}"` });
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    const linked = answer.body['media'];
    expect(linked['faces'][0].tag_option_id).toBe(collins);
    expect(linked['tag_options']).toMatchObject([{ id: collins, source: 'manual' }]);
    expect(linked['images'].url).not.toBe(media['images'].url);
    expect(answer.headers.get('etag')).toBe(`"v${linked['version']}"`);
    const after = Number(answer.headers.get('x-library-version'));
    const changes = await readChanges(service.app.installation.db, scopeOf(service.organizationId), {
      after: after - 2,
      limit: 10,
    });
    expect(changes.map((change) => change.type)).toEqual(['media.tags_changed', 'media.updated']);
    const found = await service.call('POST', '/v1/media/search', { body: { player: collins, limit: 1 } });
    expect(found.body['media'][0].id).toBe(media['id']);
  });

  test('that loses its player keeps the tag on the asset', async () => {
    const answer = await link(media['id'], 0, { tag_option_id: null });
    expect(answer.body['media'].faces[0]).not.toHaveProperty('tag_option_id');
    expect(tagIds(answer.body['media'])).toEqual([collins]);
  });

  test.each([
    ['a club', () => ({ tag_option_id: club }), 'validation_failed'],
    ['nobody known', () => ({ tag_option_id: 999_999 }), 'unknown_tag_option'],
    ['nothing', () => ({}), 'validation_failed'],
    ['a name', () => ({ tag_option_id: 'Collins' }), 'validation_failed'],
  ] as const)('cannot be that of %s', async (_what, body, code) => {
    const answer = await link(media['id'], 0, body());
    expectProblem(answer, code);
    expect(pointersOf(answer)).toEqual(['/tag_option_id']);
  });

  test('must be there, in the version that was read', async () => {
    expectProblem(await link(media['id'], 1, { tag_option_id: collins }), 'not_found');
    expectProblem(await link(999_999, 0, { tag_option_id: collins }), 'not_found');
    expectProblem(
      await link(media['id'], 0, { tag_option_id: collins }, { 'If-Match': '"v1"' }),
      'precondition_failed',
    );
    const failed = await service.upload(Buffer.concat([await plainPhoto(1)]).subarray(0, 200));
    expectProblem(await link(failed.body['media'].id, 0, { tag_option_id: collins }), 'not_found');
    const reader = await service.createKey({ scopes: ['media.read'] });
    const refused = await service.call('PATCH', `/v1/media/${media['id']}/face/0`, {
      key: reader,
      body: { tag_option_id: null },
    });
    expectProblem(refused, 'scope_missing');
  });

  test('of a merged player belongs to the one it was merged into', async () => {
    const twin = await createTag(service, { type: 'player', label: 'E. Collins' });
    await service.call('POST', `/v1/tag/${twin}/merge`, { body: { into: collins } });
    const answer = await link(media['id'], 0, { tag_option_id: twin });
    expect(answer.body['media'].faces[0].tag_option_id).toBe(collins);
  });
});
