import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Json, startApp, type TestApp } from '../support/app.ts';
import { createTag, idsOf, plainPhoto, pointersOf, searchMedia, uploadMedia } from '../support/library.ts';

let service: TestApp;
let seed = 0;
beforeAll(async () => {
  service = await startApp();
});
afterAll(() => service.close());

const upload = async (metadata: object = {}, name = 'photo.jpg') =>
  uploadMedia(service, await plainPhoto(++seed), { metadata, name });
const patch = (id: number, body: object) => service.call('PATCH', `/v1/media/${id}`, { body });
const read = async (id: number): Promise<Json> => (await service.call('GET', `/v1/media/${id}`)).body['media'];
const isFound = async (id: number, filter: object = {}) => idsOf(await searchMedia(service, filter)).includes(id);

/** A PNG that ends after its header: taken in, and found to be damaged while it is processed. */
const DAMAGED = Buffer.from('89504e470d0a1a0a0000000d4948445200000040000000400802000000', 'hex');

describe('an asset', () => {
  test('takes every writable field with its upload and answers it', async () => {
    const tag = await createTag(service, { type: 'player', label: 'Uploaded' });
    const collection = await service.call('POST', '/v1/collection', { body: { name: 'Matchday' } });
    const { id: collectionId } = collection.body['collection'];
    const media = await upload(
      {
        name: 'Given name.jpg',
        captured_at: '2026-03-14T21:15:00+01:00',
        rating: 4,
        usage: 'limited',
        tag_options: [tag],
        collections: [collectionId],
        external_id: 'cms-1',
        details: { headline: 'Goal', score: { home: 1, away: 0 } },
      },
      'file name.jpg',
    );
    expect(media).toMatchObject({
      status: 'ready',
      media_type: 'photo',
      name: 'Given name.jpg',
      captured_at: '2026-03-14T20:15:00.000Z',
      rating: 4,
      usage: 'limited',
      collections: [collectionId],
      external_id: 'cms-1',
      details: { headline: 'Goal', score: { home: 1, away: 0 } },
      tag_options: [{ id: tag, type: 'player', label: 'Uploaded', source: 'manual', confidence: null }],
      width: 96,
      height: 64,
      orientation: 'landscape',
      duration_ms: null,
      mime_type: 'image/jpeg',
      faces: [],
      focal: null,
      actions_count: 0,
      failure: null,
    });
    expect(media['sha256']).toMatch(/^[0-9a-f]{64}$/);
    expect(await read(media['id'])).toEqual(media);
  });

  test('is called after its file where no name is given', async () => {
    expect((await upload({}, 'C:\\Fotos\\Tor Žilina.jpg'))['name']).toBe('Tor Žilina.jpg');
  });

  test('is changed by merge patch: what is not given stays, null removes', async () => {
    const media = await upload({
      details: { a: 1, deep: { x: 1, y: 2 }, list: [1, 2] },
      rating: 3,
      external_id: 'p-1',
    });
    const first = await patch(media['id'], {
      name: 'New.jpg',
      details: { a: null, deep: { x: null, z: 3 }, list: [9], added: 'yes' },
      focal: { x: 0.25, y: 0.75 },
    });
    expect(first.status, JSON.stringify(first.body)).toBe(200);
    expect(first.body['media']).toMatchObject({ name: 'New.jpg', rating: 3, focal: { x: 0.25, y: 0.75 } });
    expect(first.body['media'].details).toEqual({ deep: { y: 2, z: 3 }, list: [9], added: 'yes' });
    const second = await patch(media['id'], { rating: null, focal: null, external_id: null, captured_at: null });
    expect(second.body['media']).toMatchObject({ rating: null, focal: null, external_id: null, name: 'New.jpg' });
    expect(second.body['media'].version).toBeGreaterThan(first.body['media'].version);
  });

  test('refuses a patch with a pointer to each fault, and leaves everything as it was', async () => {
    const media = await upload();
    const refused = async (body: object) => {
      const answer = await patch(media['id'], body);
      expect(answer.status, JSON.stringify(answer.body)).toBe(400);
      return pointersOf(answer);
    };
    expect(await refused({})).toHaveLength(1);
    expect(await refused({ colour: 1 })).toEqual(['/colour']);
    expect(await refused({ rating: 6 })).toEqual(['/rating']);
    expect(await refused({ rating: '5' })).toEqual(['/rating']);
    expect(await refused({ captured_at: 'yesterday' })).toEqual(['/captured_at']);
    expect(await refused({ focal: { x: 2, y: 0 } })).toEqual(['/focal/x']);
    expect(await refused({ usage: 'embargoed' })).toEqual(['/usage_at']);
    expect(await refused({ tag_options: [999_999] })).toEqual(['/tag_options']);
    expect(await refused({ collections: [999_999] })).toEqual(['/collections']);
    expect(await refused({ details: { 'Not snake': 1 } })).toHaveLength(1);
    expect(await refused({ details: { a: 'x\u0000y' } })).toEqual(['/details/a']);
    expect(await read(media['id'])).toEqual(media);
  });

  test('is changed only at the version that If-Match names', async () => {
    const media = await upload();
    const read1 = await service.call('GET', `/v1/media/${media['id']}`);
    const headers = { 'If-Match': read1.headers.get('etag') ?? '' };
    const first = await service.call('PATCH', `/v1/media/${media['id']}`, { body: { rating: 1 }, headers });
    const second = await service.call('PATCH', `/v1/media/${media['id']}`, { body: { rating: 2 }, headers });
    expect([first.status, second.status]).toEqual([200, 412]);
    expect((await service.call('DELETE', `/v1/media/${media['id']}`, { headers })).status).toBe(412);
  });

  test('keeps an external id that another asset has from being taken', async () => {
    await upload({ external_id: 'mine' });
    const other = await upload();
    const answer = await patch(other['id'], { external_id: 'mine' });
    expect([answer.status, answer.body['code'], pointersOf(answer)]).toEqual([
      409,
      'external_id_taken',
      ['/external_id'],
    ]);
  });
});

describe('states', () => {
  test('an archived asset is left out of searches until it is asked for, and comes back', async () => {
    const { id } = await upload();
    expect((await patch(id, { status: 'archived' })).body['media'].status).toBe('archived');
    expect([await isFound(id), await isFound(id, { status: 'archived' })]).toEqual([false, true]);
    expect((await patch(id, { status: 'ready' })).body['media'].status).toBe('ready');
    expect(await isFound(id)).toBe(true);
  });

  test('a deleted asset is gone for reading, searching and writing, and comes back whole', async () => {
    const tag = await createTag(service, { type: 'tag', label: 'Kept through the bin' });
    const media = await upload({ tag_options: [tag], external_id: 'bin-1', details: { a: 1 } });
    const { id } = media;
    expect((await service.call('DELETE', `/v1/media/${id}`)).status).toBe(204);
    expect((await service.call('GET', `/v1/media/${id}`)).status).toBe(404);
    expect((await patch(id, { rating: 1 })).status).toBe(404);
    expect((await service.call('DELETE', `/v1/media/${id}`)).status).toBe(404);
    expect(await isFound(id)).toBe(false);
    const restored = await service.call('POST', `/v1/media/${id}/restore`);
    expect(restored.status).toBe(200);
    expect(restored.body['media']).toMatchObject({
      id,
      status: 'ready',
      external_id: 'bin-1',
      details: { a: 1 },
      tag_options: [{ id: tag }],
    });
    expect(await isFound(id, { tag_options: [tag] })).toBe(true);
    expect((await service.call('POST', `/v1/media/${id}/restore`)).status).toBe(404);
  });

  test('a file that was uploaded again meanwhile keeps its forerunner in the bin', async () => {
    const bytes = await plainPhoto(++seed);
    const { id } = await uploadMedia(service, bytes);
    await service.call('DELETE', `/v1/media/${id}`);
    const again = await uploadMedia(service, bytes);
    expect(again['id']).not.toBe(id);
    expect((await service.call('POST', `/v1/media/${id}/restore`)).status).toBe(409);
  });

  test('an asset deleted before it was processed is processed after it was restored', async () => {
    const answer = await service.upload(await plainPhoto(++seed), { wait: false });
    const { id } = answer.body['media'];
    // As if the job had come while the asset was in the bin: it found nothing to do.
    const { db } = service.app.installation;
    await service.call('DELETE', `/v1/media/${id}`);
    await expect
      .poll(async () => (await db.selectFrom('asset').select('id').where('id', '=', id).execute()).length)
      .toBe(1);
    await db.updateTable('asset').set({ status: 'processing', width: null }).where('id', '=', id).execute();
    expect((await service.call('POST', `/v1/media/${id}/restore`)).status).toBe(200);
    await expect.poll(async () => (await read(id))['status'], { timeout: 15_000 }).toBe('ready');
  });

  test('a failed asset says why, is left out of searches, and can be retried', async () => {
    const answer = await service.upload(DAMAGED, { name: 'damaged.png' });
    expect(answer.status).toBe(201);
    const { media } = answer.body;
    expect(media).toMatchObject({ status: 'failed', failure: { code: 'file_damaged' }, images: null });
    expect(media.failure.reason).toMatch(/\w+ \w+/);
    expect(media.qualities).toMatchObject({ compressed: null, thumbnail: null });
    expect([await isFound(media.id), await isFound(media.id, { status: 'failed' })]).toEqual([false, true]);
    expect((await patch(media.id, { status: 'ready' })).status).toBe(409);
    const retried = await service.call('POST', `/v1/media/${media.id}/retry`);
    expect(retried.body['media']).toMatchObject({ status: 'processing', failure: null });
    await expect.poll(async () => (await read(media.id))['status'], { timeout: 15_000 }).toBe('failed');
    const ready = await upload();
    const refused = await service.call('POST', `/v1/media/${ready['id']}/retry`);
    expect([refused.status, refused.body['code']]).toEqual([409, 'state_conflict']);
  });
});

describe('tags', () => {
  const sources = (media: Json) =>
    Object.fromEntries(media['tag_options'].map((tag: Json) => [tag['id'], tag['source']]));
  const changeTags = async (id: number, body: object): Promise<Json> => {
    const answer = await service.call('POST', `/v1/media/${id}/tag`, { body });
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    return answer.body['media'];
  };

  test('are added and removed, and replaced by a patch', async () => {
    const [a, b, c] = [
      await createTag(service, { type: 'tag', label: 'A' }),
      await createTag(service, { type: 'tag', label: 'B' }),
      await createTag(service, { type: 'tag', label: 'C' }),
    ];
    const { id } = await upload({ tag_options: [a] });
    expect(sources(await changeTags(id, { add: [b], remove: [a] }))).toEqual({ [b]: 'manual' });
    expect(await isFound(id, { tag_options: [a] })).toBe(false);
    const replaced = await patch(id, { tag_options: [a, c] });
    expect(sources(replaced.body['media'])).toEqual({ [a]: 'manual', [c]: 'manual' });
    const unknown = await service.call('POST', `/v1/media/${id}/tag`, { body: { add: [999_999] } });
    expect([unknown.status, unknown.body['code'], unknown.body['unknown'], pointersOf(unknown)]).toEqual([
      400,
      'unknown_tag_option',
      [999_999],
      ['/add'],
    ]);
  });

  test('of a match bring its clubs, stadium, competition and season, follow it, and go with it', async () => {
    const home = await createTag(service, { type: 'club', label: 'Home' });
    const away = await createTag(service, { type: 'club', label: 'Away' });
    const guest = await createTag(service, { type: 'club', label: 'Guest' });
    const stadium = await createTag(service, { type: 'stadium', label: 'Ground' });
    const competition = await createTag(service, { type: 'competition', label: 'Cup' });
    const season = await createTag(service, { type: 'season', label: '2026' });
    const relations = { home, away, stadium, competition, season };
    const match = await createTag(service, { type: 'match', label: 'Final', relations });
    const { id } = await upload({ tag_options: [home] });

    const implied = { [away]: 'implied', [stadium]: 'implied', [competition]: 'implied', [season]: 'implied' };
    expect(sources(await changeTags(id, { add: [match] }))).toEqual({
      [match]: 'manual',
      [home]: 'manual',
      ...implied,
    });
    expect(await isFound(id, { club: away, stadium })).toBe(true);

    await service.call('PATCH', `/v1/tag/${match}`, { body: { relations: { away: guest, stadium: null } } });
    const edited = sources(await read(id));
    expect(edited).toEqual({
      [match]: 'manual',
      [home]: 'manual',
      [guest]: 'implied',
      [competition]: 'implied',
      [season]: 'implied',
    });
    expect([await isFound(id, { club: away }), await isFound(id, { club: guest })]).toEqual([false, true]);
    expect(sources(await changeTags(id, { remove: [guest] }))[guest]).toBe('implied');

    expect(sources(await changeTags(id, { add: [competition] }))[competition]).toBe('manual');
    expect(sources(await changeTags(id, { remove: [match] }))).toEqual({ [home]: 'manual', [competition]: 'manual' });
  });

  test('implied by a match stay implied when a client writes back what it read', async () => {
    const club = await createTag(service, { type: 'club', label: 'Round trip' });
    const match = await createTag(service, { type: 'match', label: 'Round trip match', relations: { home: club } });
    const media = await upload({ tag_options: [match] });
    const ids = media['tag_options'].map((tag: Json) => tag['id']);
    const answer = await patch(media['id'], { tag_options: ids });
    expect(sources(answer.body['media'])).toEqual({ [match]: 'manual', [club]: 'implied' });
    expect(sources(await changeTags(media['id'], { remove: [match] }))).toEqual({});
  });
});
