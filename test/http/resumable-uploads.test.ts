import { randomBytes } from 'node:crypto';
import { readdir, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { createLogger, DAY_MS } from '../../src/base/index.ts';
import { openJobs } from '../../src/jobs/index.ts';
import { startApp, type TestApp } from '../support/app.ts';
import { createTag, filesBelow, plainPhoto, storedObjects } from '../support/library.ts';
import { expectProblem } from '../support/problem.ts';
import { checksumHeader, createUpload, metadataHeader, sendPart, tus, type TusAnswer } from '../support/tus.ts';

let service: TestApp;
beforeAll(async () => {
  service = await startApp({
    MAX_UPLOAD_BYTES: String(64 * 1024 * 1024),
    MAX_OPEN_UPLOAD_BYTES: String(512 * 1024 * 1024),
  });
});
afterAll(() => service.close());

const part = (path: string, offset: number, body: Uint8Array, headers = {}) =>
  sendPart(service, path, { offset, body, headers });
const ask = (path: string) => tus(service, 'HEAD', path);
const stateOf = async (path: string) => (await service.call('GET', path)).body['upload'];
/** Photographs with bytes behind their end, which readers do not mind. */
const largePhoto = async (seed: number, bytes: number) => Buffer.concat([await plainPhoto(seed), randomBytes(bytes)]);
const problem = (answer: TusAnswer, code: Parameters<typeof expectProblem>[1]) => expectProblem(answer, code);
const uploadFiles = () => filesBelow(join(service.dataDir, 'uploads'));

async function originalOf(mediaId: number | undefined): Promise<Buffer> {
  const { body } = await service.call('GET', `/v1/media/${mediaId}`);
  const response = await fetch(body['media'].qualities.photographer.url);
  return Buffer.from(await response.arrayBuffer());
}

describe('a resumable upload', () => {
  test('says what the service can do', async () => {
    const { status, headers } = await tus(service, 'OPTIONS', '/v1/upload');
    expect(status).toBe(204);
    expect(headers.get('tus-version')).toBe('1.0.0');
    expect(headers.get('tus-extension')).toBe('creation,creation-with-upload,termination,checksum,expiration');
    expect(headers.get('tus-max-size')).toBe(String(64 * 1024 * 1024));
    expect(headers.get('tus-checksum-algorithm')).toBe('sha1,sha256,sha512,md5');
  });

  test('in parts becomes an asset with its fields, byte for byte', async () => {
    const tag = await createTag(service, { type: 'player', label: 'Resumed' });
    const bytes = await largePhoto(1, 300_000);
    const pairs = {
      filename: 'folder/DSC_1.jpg',
      filetype: 'image/jpeg',
      tag_options: String(tag),
      details: '{"caption":"Über"}',
      captured_at: '2026-03-14T19:30:00Z',
      external_id: 'tus-1',
      rating: '4',
    };
    const path = await createUpload(service, bytes.length, { pairs });
    expect(path).toMatch(/^\/v1\/upload\/\d+$/);
    expect(await stateOf(path)).toMatchObject({ state: 'uploading', offset: 0, length: bytes.length, media_id: null });
    const first = await part(path, 0, bytes.subarray(0, 100_000));
    expect([first.status, first.offset, first.mediaId]).toEqual([204, 100_000, undefined]);
    expect(Date.parse(first.headers.get('upload-expires') ?? '')).toBeGreaterThan(Date.now() + DAY_MS - 60_000);
    const asked = await ask(path);
    expect([asked.status, asked.offset]).toEqual([200, 100_000]);
    expect(asked.headers.get('upload-length')).toBe(String(bytes.length));
    expect(asked.headers.get('upload-metadata')).toBe(metadataHeader(pairs));
    expect(asked.headers.get('cache-control')).toBe('no-store');
    const last = await part(path, 100_000, bytes.subarray(100_000));
    expect([last.status, last.offset]).toEqual([204, bytes.length]);
    expect(last.headers.get('location')).toBe(`/v1/media/${last.mediaId}`);
    expect(last.headers.get('touchline-duplicate')).toBe('false');
    expect(Number(last.headers.get('x-library-version'))).toBeGreaterThan(0);
    const { body } = await service.call('GET', `/v1/media/${last.mediaId}`);
    expect(body['media']).toMatchObject({
      name: 'DSC_1.jpg',
      external_id: 'tus-1',
      rating: 4,
      captured_at: '2026-03-14T19:30:00.000Z',
      details: { caption: 'Über' },
      tag_options: [{ id: tag, source: 'manual' }],
    });
    expect(await originalOf(last.mediaId)).toEqual(bytes);
    expect(await stateOf(path)).toMatchObject({ state: 'completed', media_id: last.mediaId, duplicate: false });
    expect((await ask(path)).mediaId).toBe(last.mediaId);
    expect(await uploadFiles()).toEqual([]);
  });

  test('that comes with its creation is an asset at once', async () => {
    const bytes = await plainPhoto(2);
    const answer = await tus(service, 'POST', '/v1/upload', {
      body: bytes,
      headers: { 'Upload-Length': String(bytes.length), 'Upload-Metadata': metadataHeader({ filename: 'one.jpg' }) },
    });
    expect([answer.status, answer.offset]).toEqual([201, bytes.length]);
    expect(answer.body.upload).toMatchObject({ state: 'completed', media_id: answer.mediaId });
    expect(answer.headers.get('location')).toMatch(/^\/v1\/upload\/\d+$/);
    expect(await originalOf(answer.mediaId)).toEqual(bytes);
  });

  test('of bytes that are there already answers that asset', async () => {
    const bytes = await plainPhoto(3);
    const first = await service.upload(bytes);
    const answer = await part(await createUpload(service, bytes.length), 0, bytes);
    expect(answer.mediaId).toBe(first.body['media'].id);
    expect(answer.headers.get('touchline-duplicate')).toBe('true');
    expect(await uploadFiles()).toEqual([]);
  });

  test('may send its last part again, and nothing else', async () => {
    const bytes = await plainPhoto(4);
    const path = await createUpload(service, bytes.length);
    const { mediaId } = await part(path, 0, bytes);
    const again = await part(path, bytes.length, new Uint8Array(0), {
      'Content-Type': 'application/offset+octet-stream',
    });
    expect([again.status, again.mediaId]).toEqual([204, mediaId]);
    problem(await part(path, 0, bytes), 'upload_offset_mismatch');
  });

  test('goes through proxies that know GET and POST only', async () => {
    const bytes = await plainPhoto(5);
    const path = await createUpload(service, bytes.length);
    const post = (method: string, options = {}) =>
      tus(service, 'POST', path, { headers: { 'X-HTTP-Method-Override': method, ...options } });
    const sent = await tus(service, 'POST', path, {
      body: bytes.subarray(0, 10),
      headers: { 'X-HTTP-Method-Override': 'PATCH', 'Upload-Offset': '0' },
    });
    expect([sent.status, sent.offset]).toEqual([204, 10]);
    expect((await post('HEAD')).offset).toBe(10);
    expect((await post('DELETE')).status).toBe(204);
    expect((await ask(path)).status).toBe(404);
    problem(await post('GET'), 'validation_failed');
  });

  test('is forgotten with its bytes when it is ended', async () => {
    const bytes = await plainPhoto(6);
    const path = await createUpload(service, bytes.length);
    await part(path, 0, bytes.subarray(0, 100));
    expect(await uploadFiles()).toHaveLength(1);
    expect((await tus(service, 'DELETE', path)).status).toBe(204);
    expect(await uploadFiles()).toEqual([]);
    problem(await part(path, 100, bytes.subarray(100)), 'not_found');
    problem(await tus(service, 'DELETE', path), 'not_found');
  });
});

describe('a part', () => {
  test('with a checksum counts whole or not at all', async () => {
    const bytes = await largePhoto(10, 200_000);
    const path = await createUpload(service, bytes.length);
    await part(path, 0, bytes.subarray(0, 1000), { 'Upload-Checksum': checksumHeader('md5', bytes.subarray(0, 1000)) });
    const wrong = await part(path, 1000, bytes.subarray(1000, 90_000), {
      'Upload-Checksum': checksumHeader('sha1', bytes.subarray(0, 1000)),
    });
    problem(wrong, 'checksum_mismatch');
    expect((await ask(path)).offset).toBe(1000);
    const right = await part(path, 1000, bytes.subarray(1000), {
      'Upload-Checksum': checksumHeader('sha256', bytes.subarray(1000)),
    });
    expect(await originalOf(right.mediaId)).toEqual(bytes);
  });

  test('with an unknown checksum, a wrong offset, type or version of tus is refused and changes nothing', async () => {
    const bytes = await plainPhoto(11);
    const path = await createUpload(service, bytes.length);
    problem(await part(path, 0, bytes, { 'Upload-Checksum': 'crc7 AAAA' }), 'validation_failed');
    const ahead = problem(await part(path, 5, bytes.subarray(5)), 'upload_offset_mismatch');
    expect(ahead['offset']).toBe(0);
    problem(await part(path, 0, bytes, { 'Upload-Offset': 'x' }), 'validation_failed');
    problem(await part(path, 0, bytes, { 'Content-Type': 'image/jpeg' }), 'unsupported_media_type');
    problem(await part(path, 0, Buffer.from('{}'), { 'Content-Type': 'application/json' }), 'unsupported_media_type');
    const version = await part(path, 0, bytes, { 'Tus-Resumable': '0.2.2' });
    problem(version, 'tus_version_unsupported');
    expect(version.headers.get('tus-version')).toBe('1.0.0');
    expect((await ask(path)).offset).toBe(0);
  });

  test('of more than the declared length is refused, and what was declared goes on', async () => {
    const bytes = await plainPhoto(12);
    const path = await createUpload(service, bytes.length);
    problem(await part(path, 0, Buffer.concat([bytes, bytes])), 'payload_too_large');
    const { offset } = await ask(path);
    expect(offset).toBeLessThanOrEqual(bytes.length);
    const last = await part(path, offset, bytes.subarray(offset));
    expect(await originalOf(last.mediaId)).toEqual(bytes);
  });

  test('that brings the first bytes of no photo or video is refused at once, and the upload with it', async () => {
    const text = Buffer.alloc(300_000, 'not a picture ');
    const path = await createUpload(service, 10_000_000, { pairs: { filename: 'a.jpg' } });
    problem(await part(path, 0, text), 'unsupported_media_type');
    expect(await stateOf(path)).toMatchObject({ state: 'failed', failure: { code: 'unsupported_media_type' } });
    expect(await uploadFiles()).toEqual([]);
    expect((await ask(path)).status).toBe(415);
    problem(await part(path, 0, text), 'unsupported_media_type');
    const short = await createUpload(service, 5);
    problem(await part(short, 0, Buffer.from('hello')), 'unsupported_media_type');
    expect(await uploadFiles()).toEqual([]);
  });

  test('waits for nobody: beside another one it is refused, and HEAD ends one that hangs', async () => {
    const bytes = await largePhoto(13, 500_000);
    const path = await createUpload(service, bytes.length);
    let push: ReadableStreamDefaultController<Uint8Array> | undefined;
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => {
        push = controller;
        controller.enqueue(bytes.subarray(0, 200_000));
      },
    });
    const hanging = sendPart(service, path, { offset: 0, body }).catch((error: unknown) => error);
    await vi.waitFor(async () => expect((await uploadFiles()).length).toBe(1));
    problem(await part(path, 0, bytes), 'upload_locked');
    const { status, offset } = await ask(path);
    expect([status, offset]).toEqual([200, 200_000]);
    expect(await hanging).toBeInstanceOf(Error);
    expect(push).toBeDefined();
    const last = await part(path, offset, bytes.subarray(offset));
    expect(await originalOf(last.mediaId)).toEqual(bytes);
  });

  test('for which the disk has no room is refused clearly, and goes on when there is some', async () => {
    const bytes = await largePhoto(14, 100_000);
    const path = await createUpload(service, bytes.length);
    const { db } = service.app.installation;
    const id = Number(path.split('/').at(-1));
    const { nonce } = await db.selectFrom('upload').select('nonce').where('id', '=', id).executeTakeFirstOrThrow();
    const file = join(service.dataDir, 'uploads', nonce);
    // Every write to it ends as on a full disk.
    await symlink('/dev/full', file);
    problem(await part(path, 0, bytes), 'storage_full');
    expect((await ask(path)).offset).toBe(0);
    await rm(file);
    expect(await originalOf((await part(path, 0, bytes)).mediaId)).toEqual(bytes);
  });
});

describe('a creation', () => {
  const create = (headers: Record<string, string>) => tus(service, 'POST', '/v1/upload', { headers });
  const withPairs = (pairs: Record<string, string>) =>
    create({ 'Upload-Length': '100', 'Upload-Metadata': metadataHeader(pairs) });

  test.each<[string, Record<string, string>, string]>([
    ['an unknown tag', { tag_options: '999999' }, '/tag_options'],
    ['an unknown collection', { collections: '[999999]' }, '/collections'],
    ['an unknown field', { colour: 'red' }, '/metadata/colour'],
    ['an embargo without its end', { usage: 'embargoed' }, '/usage_at'],
    ['a rating out of range', { rating: '9' }, '/metadata/rating'],
    ['details that are no JSON', { details: '{' }, '/metadata/details'],
    ['a time that is none', { captured_at: 'yesterday' }, '/metadata/captured_at'],
    ['metadata that is a list', { metadata: '[]' }, '/metadata'],
    ['a fault inside metadata', { metadata: '{"rating":"x"}' }, '/metadata/rating'],
  ])('with %s names the field', async (_why, pairs, pointer) => {
    const body = await withPairs(pairs);
    expect(body.status).toBe(400);
    expect(body.body.errors.map((one: { pointer: string }) => one.pointer)).toEqual([pointer]);
  });

  test('takes fields as JSON in one piece, and what other clients send along', async () => {
    const bytes = await plainPhoto(20);
    const tag = await createTag(service, { type: 'tag', label: 'In one piece' });
    const pairs = {
      metadata: JSON.stringify({ tag_options: [tag], rating: 2, details: { a: 1 } }),
      rating: '3',
      name: 'named.jpg',
      filename: 'other.jpg',
      type: 'image/jpeg',
      relativePath: 'null',
    };
    const { mediaId } = await part(await createUpload(service, bytes.length, { pairs }), 0, bytes);
    const { body } = await service.call('GET', `/v1/media/${mediaId}`);
    expect(body['media']).toMatchObject({
      name: 'named.jpg',
      rating: 3,
      details: { a: 1 },
      tag_options: [{ id: tag }],
    });
  });

  test('without a length, with one of 0, too large, deferred, or with broken metadata is refused', async () => {
    problem(await create({}), 'validation_failed');
    problem(await create({ 'Upload-Length': '-1' }), 'validation_failed');
    problem(await create({ 'Upload-Length': '0' }), 'file_empty');
    problem(await create({ 'Upload-Length': String(64 * 1024 * 1024 + 1) }), 'payload_too_large');
    problem(await create({ 'Upload-Defer-Length': '1' }), 'validation_failed');
    for (const header of ['a b c', 'ä YQ==', 'a YQ==,a YQ==', 'filename /w==', 'filename %%']) {
      problem(
        await create({ 'Upload-Length': '1', 'Upload-Metadata': Buffer.from(header).toString('latin1') }),
        'validation_failed',
      );
    }
  });

  test('of the same upload under the same idempotency key answers the same upload', async () => {
    const headers = { 'Upload-Length': '500', 'Idempotency-Key': 'tus-creation' };
    const [one, two] = [await create(headers), await create(headers)];
    expect(two.headers.get('location')).toBe(one.headers.get('location'));
    problem(await create({ ...headers, 'Upload-Length': '501' }), 'idempotency_key_reused');
  });

  test('of more than may be open at a time is refused until there is room', async () => {
    const organizationId = await service.createOrganization('much');
    const key = await service.createKey({ organizationId });
    const paths: string[] = [];
    for (let n = 0; n < 8; n += 1) paths.push(await createUpload(service, 64 * 1024 * 1024, { key }));
    const refused = () => tus(service, 'POST', '/v1/upload', { key, headers: { 'Upload-Length': '1' } });
    const answer = await refused();
    problem(answer, 'upload_limit_exceeded');
    expect(answer.headers.get('retry-after')).toBe('60');
    await tus(service, 'DELETE', paths[0] ?? '', { key });
    expect((await refused()).status).toBe(201);
    // Others have room of their own.
    expect(await createUpload(service, 1000)).toMatch(/^\/v1\/upload\//);
  });
});

describe('an upload', () => {
  test('of another organization is not there', async () => {
    const key = await service.createKey({ organizationId: await service.createOrganization('others') });
    const bytes = await plainPhoto(30);
    const path = await createUpload(service, bytes.length);
    await part(path, 0, bytes.subarray(0, 10));
    expect((await tus(service, 'HEAD', path, { key })).status).toBe(404);
    problem(await sendPart(service, path, { offset: 10, body: bytes.subarray(10), key }), 'not_found');
    problem(await tus(service, 'DELETE', path, { key }), 'not_found');
    expect((await service.call('GET', path, { key })).status).toBe(404);
    expect((await ask(path)).offset).toBe(10);
  });

  test('needs the scope media.write', async () => {
    const key = await service.createKey({ scopes: ['media.read'] });
    problem(await tus(service, 'POST', '/v1/upload', { key, headers: { 'Upload-Length': '1' } }), 'scope_missing');
  });

  test('without progress for a day is forgotten with its bytes, one with progress is not', async () => {
    const { db } = service.app.installation;
    const bytes = await plainPhoto(31);
    const [old, young] = [await createUpload(service, bytes.length), await createUpload(service, bytes.length)];
    for (const path of [old, young]) await part(path, 0, bytes.subarray(0, 10));
    const id = Number(old.split('/').at(-1));
    await sql`UPDATE upload SET expires_at = now() - interval '1 second' WHERE id = ${id}`.execute(db);
    expect((await ask(old)).status).toBe(404);
    problem(await part(old, 10, bytes.subarray(10)), 'not_found');
    const files = await uploadFiles();
    await sweep();
    expect((await uploadFiles()).length).toBe(files.length - 1);
    expect(await db.selectFrom('upload').select('id').where('id', '=', id).execute()).toEqual([]);
    expect((await ask(young)).offset).toBe(10);
  });

  test('whose bytes are all here and whose asset is not is finished by the service', async () => {
    const { db } = service.app.installation;
    const bytes = await largePhoto(32, 1000);
    const path = await createUpload(service, bytes.length);
    await part(path, 0, bytes.subarray(0, 500));
    const id = Number(path.split('/').at(-1));
    const { nonce } = await db.selectFrom('upload').select('nonce').where('id', '=', id).executeTakeFirstOrThrow();
    // As a crash right behind the last note leaves it.
    await writeFile(join(service.dataDir, 'uploads', nonce), bytes);
    await sql`UPDATE upload SET received = bytes WHERE id = ${id}`.execute(db);
    await sweep();
    const state = await stateOf(path);
    expect(state).toMatchObject({ state: 'completed', offset: bytes.length });
    expect(await originalOf(state.media_id)).toEqual(bytes);
  });

  test('that fails at its end leaves no bytes behind', async () => {
    // Other assets are still being processed.
    const originals = async () => (await storedObjects(service)).filter((key) => key.startsWith('originals/'));
    const before = await originals();
    const bytes = await largePhoto(33, 200_000);
    const tag = await createTag(service, { type: 'tag', label: 'Gone soon' });
    const path = await createUpload(service, bytes.length, { pairs: { tag_options: String(tag) } });
    await part(path, 0, bytes.subarray(0, 100_000));
    await service.call('PATCH', `/v1/tag/${tag}`, { body: { status: 'deactivated' } });
    problem(await part(path, 100_000, bytes.subarray(100_000)), 'tag_option_deactivated');
    expect(await originals()).toEqual(before);
    expect(await stateOf(path)).toMatchObject({ state: 'failed', failure: { code: 'tag_option_deactivated' } });
    expect((await ask(path)).status).toBe(400);
  });

  test('leaves no file that belongs to nothing for longer than an hour', async () => {
    const folder = join(service.dataDir, 'uploads');
    for (const name of ['orphan-old', 'orphan-new']) await writeFile(join(folder, name), 'x');
    const hours = new Date(Date.now() - 2 * 3_600_000);
    await utimes(join(folder, 'orphan-old'), hours, hours);
    await sweep();
    expect((await readdir(folder)).filter((name) => name.startsWith('orphan'))).toEqual(['orphan-new']);
  });
});

/** Queues the job that runs every five minutes, and waits until it has run. */
async function sweep(): Promise<void> {
  const { db, connection } = service.app.installation;
  const done = async () => {
    const found = await sql<{ count: number }>`SELECT count(*)::int AS count FROM touchline_jobs.job
      WHERE name = 'upload.sweep' AND state = 'completed'`.execute(db);
    return found.rows[0]?.count ?? 0;
  };
  const before = await done();
  const jobs = await openJobs({
    connection,
    applicationName: 'test',
    cores: 1,
    logger: createLogger({ level: 'silent' }),
  });
  await jobs.enqueue(db, 'upload.sweep', {});
  await jobs.stop({ drainMs: 1000 });
  await vi.waitFor(async () => expect(await done()).toBe(before + 1), { timeout: 15_000 });
}
