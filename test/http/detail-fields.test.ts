import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { scopeOf } from '../../src/auth/index.ts';
import type { ErrorCode } from '../../src/base/error-codes.ts';
import type { PhotoDetails } from '../../src/ingest/metadata/photo-metadata.ts';
import { finishProcessing, writeLibrary } from '../../src/library/index.ts';
import { type Json, startApp, type TestApp } from '../support/app.ts';
import { plainPhoto, pointersOf, uploadMedia } from '../support/library.ts';
import { expectProblem } from '../support/problem.ts';
import { insertAssets } from '../support/search-library.ts';

const PATH = '/v1/detail-field';
let service: TestApp;
beforeAll(async () => {
  service = await startApp();
});
afterAll(() => service.close());

async function define(body: object): Promise<Json> {
  const answer = await service.call('POST', PATH, { body: { label: 'A field', ...body } });
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  return answer.body['detail_field'];
}

async function detailsOf(id: number): Promise<Json> {
  return (await service.call('GET', `/v1/media/${id}`)).body['media'].details;
}

describe('a detail field', () => {
  test('is defined, listed by position, read, changed and deleted', async () => {
    const body = { key: 'shift', label: 'Shift', type: 'choice', choices: ['morning', 'late'] };
    const created = await service.call('POST', PATH, { body });
    expect(created.status, JSON.stringify(created.body)).toBe(201);
    const field = created.body['detail_field'];
    expect(field).toMatchObject({ ...body, searchable: true, version: 1 });
    expect(created.headers.get('etag')).toBe('"v1"');
    expect(Number(created.headers.get('x-library-version'))).toBeGreaterThan(0);
    const first = await define({ key: 'roll', type: 'number', position: 0 });
    const listed = await service.call('GET', PATH);
    expect(listed.body['detail_fields'].map((one: Json) => one['key'])).toEqual(['roll', 'shift']);
    expect((await service.call('GET', `${PATH}/${field.id}`)).body).toEqual(created.body);

    const patch = { body: { label: 'Shift of the day', choices: ['late', 'night'] }, headers: { 'If-Match': '"v1"' } };
    const changed = await service.call('PATCH', `${PATH}/${field.id}`, patch);
    expect(changed.body['detail_field']).toMatchObject({ label: 'Shift of the day', choices: ['late', 'night'] });
    expectProblem(await service.call('PATCH', `${PATH}/${field.id}`, patch), 'precondition_failed');
    for (const { id } of [field, first]) {
      expect((await service.call('DELETE', `${PATH}/${id}`)).status).toBe(204);
      for (const method of ['GET', 'DELETE']) expectProblem(await service.call(method, `${PATH}/${id}`), 'not_found');
      expectProblem(await service.call('PATCH', `${PATH}/${id}`, { body: { label: 'x' } }), 'not_found');
    }
  });

  test('takes no reserved, malformed or taken key, and choices only where its type has them', async () => {
    const { id } = await define({ key: 'taken', type: 'text' });
    const refusals: readonly (readonly [object, ErrorCode, string])[] = [
      [{ key: 'caption', type: 'text' }, 'validation_failed', '/key'],
      [{ key: 'Shift', type: 'text' }, 'validation_failed', '/key'],
      [{ key: 'taken', type: 'number' }, 'conflict', '/key'],
      [{ key: 'x', type: 'colour' }, 'validation_failed', '/type'],
      [{ key: 'x', type: 'choice' }, 'validation_failed', '/choices'],
      [{ key: 'x', type: 'number', choices: ['1'] }, 'validation_failed', '/choices'],
      [{ key: 'x', type: 'choice', choices: ['a', 'a'] }, 'validation_failed', '/choices'],
      [{ key: 'x', type: 'text', required: true }, 'validation_failed', '/required'],
    ];
    for (const [body, code, pointer] of refusals) {
      const answer = await service.call('POST', PATH, { body: { label: 'L', ...body } });
      expectProblem(answer, code);
      expect(pointersOf(answer), JSON.stringify(body)).toContain(pointer);
    }
    expectProblem(await service.call('PATCH', `${PATH}/${id}`, { body: { key: 'other' } }), 'validation_failed');
  });

  test('takes no name that is read from files', async () => {
    // The type asks for every one of them.
    const read: Readonly<Record<keyof PhotoDetails, true>> = {
      title: true,
      headline: true,
      caption: true,
      credit: true,
      copyright: true,
      byline: true,
      byline_title: true,
      caption_writer: true,
      source: true,
      instructions: true,
      usage_terms: true,
      transmission_reference: true,
      event: true,
      location: true,
      city: true,
      state: true,
      country: true,
      country_code: true,
      alt_text: true,
      software: true,
      keywords: true,
      persons: true,
      gps: true,
      camera: true,
    };
    for (const key of Object.keys(read)) {
      const answer = await service.call('POST', PATH, { body: { key, label: 'L', type: 'text' } });
      expectProblem(answer, 'validation_failed');
      expect(pointersOf(answer), key).toEqual(['/key']);
    }
  });

  test('is written by an administrator and read by anybody who reads media', async () => {
    const editor = await service.createKey({ scopes: ['media.read', 'media.write'] });
    const { id } = await define({ key: 'guarded', type: 'text' });
    const body = { key: 'mine', label: 'Mine', type: 'text' };
    expectProblem(await service.call('POST', PATH, { key: editor, body }), 'scope_missing');
    for (const method of ['PATCH', 'DELETE']) {
      const options = method === 'PATCH' ? { key: editor, body: { label: 'x' } } : { key: editor };
      expectProblem(await service.call(method, `${PATH}/${id}`, options), 'scope_missing');
    }
    expect((await service.call('GET', `${PATH}/${id}`, { key: editor })).status).toBe(200);
  });

  test('is one of at most 100 of an organization', async () => {
    const organizationId = await service.createOrganization('many-fields');
    const key = await service.createKey({ organizationId });
    for (let n = 0; n < 100; n++) {
      const body = { key: `field_${n}`, label: `Field ${n}`, type: 'text' };
      expect((await service.call('POST', PATH, { key, body })).status).toBe(201);
    }
    const body = { key: 'one_more', label: 'One more', type: 'text' };
    expectProblem(await service.call('POST', PATH, { key, body }), 'conflict');
  });
});

describe('values of detail fields', () => {
  let id: number;
  beforeAll(async () => {
    await define({ key: 'note', type: 'text' });
    await define({ key: 'frames', type: 'number' });
    await define({ key: 'due', type: 'date' });
    await define({ key: 'desk', type: 'choice', choices: ['sport', 'news'] });
    await define({ key: 'clients', type: 'list' });
    await define({ key: 'editions', type: 'list', choices: ['north', 'south'] });
    id = (await uploadMedia(service, await plainPhoto(1)))['id'];
  });

  test('are stored in the one form of their type', async () => {
    const details = {
      note: 'second half only',
      frames: 12.5,
      due: '2026-03-14T20:30:00+01:00',
      desk: 'news',
      clients: ['A', 'B', 'A'],
      editions: ['south'],
      free: { anything: [1, null, 'x'] },
    };
    const answer = await service.call('PATCH', `/v1/media/${id}`, { body: { details } });
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    expect(await detailsOf(id)).toMatchObject({ ...details, due: '2026-03-14T19:30:00.000Z', clients: ['A', 'B'] });
    await service.call('PATCH', `/v1/media/${id}`, { body: { details: { due: '2026-02-28', frames: null } } });
    const stored = await detailsOf(id);
    expect(stored).toMatchObject({ due: '2026-02-28', note: 'second half only' });
    expect(stored).not.toHaveProperty('frames');
  });

  test('that do not fit are refused by a change, an upload and an upload of the same file again', async () => {
    const bad: readonly (readonly [string, unknown])[] = [
      ['note', 7],
      ['note', ['a']],
      ['frames', '12'],
      ['due', '2026-02-30'],
      ['due', 'tomorrow'],
      ['desk', 'culture'],
      ['desk', ['news']],
      ['clients', 'A'],
      ['clients', [1]],
      ['editions', ['west']],
    ];
    const before = await detailsOf(id);
    for (const [key, value] of bad) {
      const details = { [key]: value, rating_note: 'free' };
      const answers = [
        await service.call('PATCH', `/v1/media/${id}`, { body: { details } }),
        await service.upload(await plainPhoto(1), { metadata: { details } }),
        await service.upload(await plainPhoto(2), { metadata: { details } }),
      ];
      for (const answer of answers) {
        expectProblem(answer, 'validation_failed');
        expect(pointersOf(answer)).toEqual([`/details/${key}`]);
      }
    }
    const answer = await service.call('PATCH', `/v1/media/${id}`, { body: { details: { desk: 'x', due: 'y' } } });
    expect(pointersOf(answer).toSorted()).toEqual(['/details/desk', '/details/due']);
    expect(JSON.stringify(answer.body)).toContain('one of \\"sport\\", \\"news\\"');
    expect(await detailsOf(id)).toEqual(before);
  });

  test('come with an upload', async () => {
    const media = await uploadMedia(service, await plainPhoto(3), {
      metadata: { details: { desk: 'sport', due: '2026-01-02T00:00:00Z' } },
    });
    expect(media['details']).toMatchObject({ desk: 'sport', due: '2026-01-02T00:00:00.000Z' });
  });

  test('of a file that do not fit are left out with a warning, and the asset is ready', async () => {
    const [asset = 0] = await insertAssets(service, [{ name: 'embedded.jpg', status: 'processing' }]);
    const facts = {
      mimeType: 'image/jpeg',
      extension: 'jpg',
      width: 1,
      height: 1,
      orientation: 'square',
      durationMs: null,
      frameRate: null,
      video: null,
      hasAlpha: false,
      capturedAt: null,
      capturedOffsetMinutes: null,
      rating: null,
      details: { desk: 'culture', due: '2026-03-14T20:30:00+01:00', caption: 'kept' },
      warnings: [],
      files: [],
      faces: [],
      keywords: [],
      persons: [],
      events: [],
    } as const;
    const { db } = service.app.installation;
    await writeLibrary(db, scopeOf(service.organizationId), (write) =>
      finishProcessing(write, { id: asset, revision: 1 }, facts),
    );
    const { media } = (await service.call('GET', `/v1/media/${asset}`)).body as { media: Json };
    expect(media).toMatchObject({ status: 'ready', details: { caption: 'kept', due: '2026-03-14T19:30:00.000Z' } });
    expect(media['details']).not.toHaveProperty('desk');
    expect(media['warnings']).toEqual([expect.stringContaining('desk was left out')]);
  });
});

describe('a field over values that are there already', () => {
  test('takes them over when all fit, and is refused with their number when some do not', async () => {
    const ids = await insertAssets(service, [
      { details: { legacy: 'a' } },
      { details: { legacy: 'b' } },
      { details: { legacy: 3 }, status: 'deleted' },
    ]);
    const refused = await service.call('POST', PATH, { body: { key: 'legacy', label: 'L', type: 'text' } });
    expectProblem(refused, 'conflict');
    expect(refused.body['detail']).toContain(`1 asset has another one (${ids[2]})`);
    await service.call('POST', `/v1/media/${ids[2]}/restore`);
    await service.call('PATCH', `/v1/media/${ids[2]}`, { body: { details: { legacy: null } } });
    const choices = ['a', 'c'];
    const odd = await service.call('POST', PATH, { body: { key: 'legacy', label: 'L', type: 'choice', choices } });
    expect(odd.body['detail']).toContain(`1 asset has another one (${ids[1]})`);
    const dates = await service.call('POST', PATH, { body: { key: 'legacy', label: 'L', type: 'date' } });
    expect(dates.body['detail']).toContain('2 assets have another one');
    const { id } = await define({ key: 'legacy', type: 'choice', choices: ['a', 'b', 'c'] });

    const typed = await service.call('PATCH', `${PATH}/${id}`, { body: { type: 'text', choices: [] } });
    expectProblem(typed, 'conflict');
    expect(pointersOf(typed)).toEqual(['/type']);
    expect(typed.body['detail']).toContain('2 assets have a value');
    const narrowed = await service.call('PATCH', `${PATH}/${id}`, { body: { choices: ['b', 'c'] } });
    expectProblem(narrowed, 'conflict');
    expect(narrowed.body['detail']).toContain('1 asset has another one');
    expect((await service.call('PATCH', `${PATH}/${id}`, { body: { choices: ['a', 'b'] } })).status).toBe(200);

    expect((await service.call('DELETE', `${PATH}/${id}?values=keep`)).status).toBe(204);
    expect(await detailsOf(ids[0] ?? 0)).toEqual({ legacy: 'a' });
    const again = await define({ key: 'legacy', type: 'text' });
    const before = await service.call('GET', `/v1/media/${ids[0]}`);
    expect((await service.call('DELETE', `${PATH}/${again['id']}?values=remove`)).status).toBe(204);
    const after = await service.call('GET', `/v1/media/${ids[0]}`);
    expect(after.body['media']).toMatchObject({ details: {}, version: before.body['media'].version + 1 });
    const found = await service.call('POST', '/v1/media/search', { body: { text: 'legacy' } });
    expect(found.status).toBe(200);
  });

  test('changes its type while nobody has a value', async () => {
    const { id } = await define({ key: 'changing', type: 'text' });
    const changed = await service.call('PATCH', `${PATH}/${id}`, { body: { type: 'choice', choices: ['x'] } });
    expect(changed.body['detail_field']).toMatchObject({ type: 'choice', choices: ['x'] });
  });
});
