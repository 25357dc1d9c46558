import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { exiftoolPath } from 'exiftool-vendored';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { syntheticDng } from '../fixtures/photos/synthetic-dng.ts';
import { type Json, startApp, type TestApp } from '../support/app.ts';
import { createTag, filesBelow, plainPhoto, uploadMedia } from '../support/library.ts';

const SLOW = { timeout: 30_000, interval: 50 } as const;
const FINAL = ['succeeded', 'failed', 'exhausted', 'cancelled', 'skipped'];
const CAPTION = 'Šeško trifft – 北京 "决胜" & Ωραίο';
const runFile = promisify(execFile);

let service: TestApp;
let root: string;
let photo: Json;
let original: Buffer;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'touchline-metadata-'));
  service = await startApp({ DELIVERY_FOLDERS: root });
  const player = await createTag(service, { type: 'player', label: 'Šeško', full_name: 'Benjamin Šeško' });
  original = await sharp(await plainPhoto(1, { width: 3000, height: 2000 }))
    .withExif({ IFD0: { Make: 'NIKON' } })
    .jpeg()
    .toBuffer();
  photo = await uploadMedia(service, original, {
    name: 'Tor.jpg',
    metadata: { details: { caption: CAPTION, credit: 'A. Fotograf', city: 'Žilina' }, tag_options: [player] },
  });
});
afterAll(async () => {
  await service.close();
  await rm(root, { recursive: true, force: true });
});

/** Delivers to a folder of its own; answers the ended deliveries. */
async function deliver(name: string, members: object, body: object): Promise<Json[]> {
  const path = join(root, name);
  await mkdir(path);
  const destination = { name, kind: 'folder', config: { path }, path_template: '{quality}.{media.ext}', ...members };
  const { id } = (await service.call('POST', '/v1/destination', { body: destination })).body['destination'];
  const answer = await service.call('POST', '/v1/delivery', { body: { destination_id: id, ...body } });
  expect(answer.status, JSON.stringify(answer.body)).toBe(202);
  const ended: Json[] = [];
  for (const one of answer.body['deliveries'] as Json[]) {
    const read = async () => (await service.call('GET', `/v1/delivery/${one['id']}`)).body['delivery'];
    await expect.poll(async () => FINAL.includes((await read())['state']), SLOW).toBe(true);
    ended.push(await read());
  }
  return ended;
}

/** What ExifTool itself, run as anybody would, finds in a delivered file. */
async function tagsOf(...names: string[]): Promise<Json> {
  const args = ['-j', '-struct', '-G1', '-charset', 'iptc=utf8', join(root, ...names)];
  return JSON.parse((await runFile(await exiftoolPath(), args)).stdout)[0];
}

describe('files that carry what the library knows', () => {
  test('have it as IPTC, XMP and EXIF in the original and in the compressed file, beside what the camera wrote', async () => {
    const wanted = { media_ids: [photo['id']], qualities: ['photographer', 'compressed'] };
    const ended = await deliver('embedded', { embed_metadata: true }, wanted);
    expect(ended.map((one) => [one['state'], one['receipt']?.['metadata_embedded']])).toEqual([
      ['succeeded', true],
      ['succeeded', true],
    ]);
    for (const name of ['photographer.jpg', 'compressed.jpg']) {
      const tags = await tagsOf('embedded', name);
      expect(tags, name).toMatchObject({
        'IPTC:Caption-Abstract': CAPTION,
        'IPTC:Credit': 'A. Fotograf',
        'XMP-dc:Description': CAPTION,
        'XMP-photoshop:Credit': 'A. Fotograf',
        'XMP-photoshop:City': 'Žilina',
        'XMP-iptcExt:PersonInImage': ['Benjamin Šeško'],
        'IFD0:ImageDescription': CAPTION,
      });
    }
    expect(await tagsOf('embedded', 'photographer.jpg')).toMatchObject({ 'IFD0:Make': 'NIKON' });
    expect(await sharp(join(root, 'embedded', 'photographer.jpg')).metadata()).toMatchObject({ width: 3000 });
    expect(await sharp(join(root, 'embedded', 'compressed.jpg')).metadata()).toMatchObject({ width: 2048 });
    expect(await filesBelow(join(service.dataDir, 'tmp', 'work'))).toEqual([]);
  });

  test('are another file when the texts have changed, and the same while they have not', async () => {
    const [first] = await deliver('changed', { embed_metadata: true }, { media_ids: [photo['id']] });
    const body = { destination_id: first?.['destination_id'], media_ids: [photo['id']], again: true };
    const body2 = { details: { headline: 'Neu' } };
    expect((await service.call('PATCH', `/v1/media/${photo['id']}`, { body: body2 })).status).toBe(200);
    const { id } = (await service.call('POST', '/v1/delivery', { body })).body['deliveries'][0];
    const read = async () => (await service.call('GET', `/v1/delivery/${id}`)).body['delivery'];
    await expect.poll(async () => (await read())['state'], SLOW).toBe('succeeded');
    expect((await read())['sha256']).not.toBe(first?.['sha256']);
    expect(await tagsOf('changed', 'photographer.jpg')).toMatchObject({ 'IPTC:Headline': 'Neu' });
  });

  test('stay as they are without it, and where the format is never altered', async () => {
    await deliver('plain', {}, { media_ids: [photo['id']] });
    expect(await readFile(join(root, 'plain', 'photographer.jpg'))).toEqual(original);
    const raw = await uploadMedia(
      service,
      syntheticDng({ width: 320, height: 240, orientation: 1, color: () => [40_000, 9000, 9000] }),
      {
        name: 'roh.dng',
      },
    );
    const [one] = await deliver('raw', { embed_metadata: true, sidecar: 'xmp' }, { media_ids: [raw['id']] });
    expect(one).toMatchObject({ state: 'succeeded', sha256: raw['sha256'], receipt: { metadata_embedded: false } });
    expect(await filesBelow(join(root, 'raw'))).toEqual(['photographer.dng', 'photographer.dng.xmp']);
  });
});

describe('a sidecar', () => {
  test('as XMP is read by ExifTool, beside each quality and beside a picture', async () => {
    const ended = await deliver(
      'xmp',
      { sidecar: 'xmp' },
      { media_ids: [photo['id']], qualities: ['photographer', 'compressed', 'thumbnail'] },
    );
    for (const one of ended) {
      const path = `${one['path']}.xmp`;
      expect(one).toMatchObject({ state: 'succeeded', receipt: { sidecar_path: path } });
      expect(await tagsOf('xmp', path)).toMatchObject({
        'XMP-dc:Description': CAPTION,
        'XMP-iptcExt:PersonInImage': ['Benjamin Šeško'],
      });
    }
    const rendition = { kind: 'image', params: 'w=400&h=400' };
    const [made] = await deliver('xmp-picture', { sidecar: 'xmp' }, { media_ids: [photo['id']], rendition });
    expect(made).toMatchObject({ state: 'succeeded', path: 'image.jpg' });
    expect(await tagsOf('xmp-picture', 'image.jpg.xmp')).toMatchObject({ 'XMP-dc:Description': CAPTION });
  });

  test('as JSON says what the API says of the asset', async () => {
    await deliver('json', { sidecar: 'json' }, { media_ids: [photo['id']] });
    const sidecar = JSON.parse(await readFile(join(root, 'json', 'photographer.jpg.json'), 'utf8'));
    expect(sidecar).toMatchObject({
      id: photo['id'],
      name: 'Tor.jpg',
      quality: 'photographer',
      rendition: null,
      details: { caption: CAPTION, credit: 'A. Fotograf' },
      tag_options: [{ type: 'player', label: 'Šeško' }],
    });
  });
});
