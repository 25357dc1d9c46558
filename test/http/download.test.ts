import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFile, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { exiftoolPath } from 'exiftool-vendored';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { syntheticDng } from '../fixtures/photos/synthetic-dng.ts';
import { type Json, startApp, type TestApp } from '../support/app.ts';
import { filesBelow, plainPhoto, pointersOf, uploadMedia } from '../support/library.ts';
import { expectProblem } from '../support/problem.ts';
import { xmpRegions } from '../support/regions.ts';

const runFile = promisify(execFile);
const ASTRONAUT = join(import.meta.dirname, '../fixtures/faces/astronaut.png');
const HER_FACE = { x: 0.354, y: 0.142, w: 0.163, h: 0.199 };
const CAPTION = `Šeško & 北京 <b>"决胜"</b> {x} [y] | z &amp; co.\n${'Ωραίο γκολ · '.repeat(180)}end`;

let service: TestApp;
let secondKey: string;
beforeAll(async () => {
  service = await startApp();
  secondKey = await service.createKey({ organizationId: await service.createOrganization('second') });
});
afterAll(() => service.close());

/** The same rosters in both organizations; answers the IDs of the one of the key. */
async function createRoster(key: string): Promise<{ collins: number; club: number; match: number }> {
  const create = async (body: object): Promise<number> => {
    const answer = await service.call('POST', '/v1/tag', { key, body });
    expect(answer.status, JSON.stringify(answer.body)).toBe(201);
    return answer.body['tag_option'].id;
  };
  const club = await create({ type: 'club', label: 'Žilina & Söhne' });
  const collins = await create({ type: 'player', label: 'Collins', full_name: 'Eileen Collins' });
  const match = await create({ type: 'match', label: 'Žilina – Trnava', relations: { home: club } });
  return { collins, club, match };
}

type Download = { readonly status: number; readonly headers: Headers; readonly bytes: Buffer };
async function download(id: number, query = '', init: RequestInit & { key?: string } = {}): Promise<Download> {
  const { key = service.key, headers, ...rest } = init;
  const response = await fetch(`${service.url}/v1/media/${id}/download${query}`, {
    ...rest,
    headers: { 'X-Api-Key': key, ...(headers as Record<string, string> | undefined) },
  });
  return { status: response.status, headers: response.headers, bytes: Buffer.from(await response.arrayBuffer()) };
}

/** What ExifTool itself, run as anybody would, finds in these bytes. */
async function tagsOf(bytes: Uint8Array): Promise<Json> {
  const path = join(service.dataDir, 'received');
  await writeFile(path, bytes);
  const args = ['-j', '-struct', '-G1', '-charset', 'iptc=utf8', path];
  return JSON.parse((await runFile(await exiftoolPath(), args)).stdout)[0];
}

const workFiles = () => filesBelow(join(service.dataDir, 'tmp', 'work'));

describe('a photo that was described in the library', () => {
  let media: Json;
  let original: Buffer;
  /** Which of the faces is hers. */
  let her: number;
  let ids: { collins: number; club: number; match: number };
  beforeAll(async () => {
    ids = await createRoster(service.key);
    // Lying on its side, as cameras store upright pictures.
    original = await sharp(await readFile(ASTRONAUT))
      .rotate(-90)
      .withExif({ IFD0: { Make: 'NIKON' }, IFD2: { DateTimeOriginal: '2026:03:01 18:30:12' } })
      .withMetadata({ orientation: 6 })
      .jpeg({ quality: 90 })
      .toBuffer();
    const uploaded = await uploadMedia(service, original, { name: 'Eileen – orbit.JPG' });
    her = uploaded['faces'].findIndex(
      (face: Json) => Math.hypot(face['x'] - HER_FACE.x, face['y'] - HER_FACE.y) < 0.08,
    );
    expect(her, JSON.stringify(uploaded['faces'])).toBeGreaterThanOrEqual(0);
    await service.call('PATCH', `/v1/media/${uploaded['id']}`, {
      body: {
        rating: 5,
        tag_options: [ids.match],
        details: {
          caption: CAPTION,
          headline: 'Вперёд',
          byline: 'Jörg Müller',
          copyright: '© Žilina',
          city: 'Houston',
          keywords: ['Žilina & söhne', 'in orbit'],
          persons: ['A guest'],
          shelf: 'not a field of IPTC',
        },
      },
    });
    const linked = await service.call('PATCH', `/v1/media/${uploaded['id']}/face/${her}`, {
      body: { tag_option_id: ids.collins },
    });
    media = linked.body['media'];
  });

  test('says all of it in IPTC, XMP and EXIF when its metadata is embedded', async () => {
    const answer = await download(media['id'], '?metadata=embed');
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('image/jpeg');
    expect(answer.headers.get('content-length')).toBe(String(answer.bytes.length));
    expect(answer.headers.get('content-disposition')).toBe(
      `attachment; filename="Eileen _ orbit.jpg"; filename*=UTF-8''Eileen%20%E2%80%93%20orbit.jpg`,
    );
    const tags = await tagsOf(answer.bytes);
    expect(tags).toMatchObject({
      'XMP-dc:Description': CAPTION,
      'IFD0:ImageDescription': CAPTION,
      'IPTC:Headline': 'Вперёд',
      'XMP-photoshop:Headline': 'Вперёд',
      'IFD0:Artist': 'Jörg Müller',
      'IPTC:By-line': 'Jörg Müller',
      'IFD0:Copyright': '© Žilina',
      'XMP-dc:Subject': ['Žilina & söhne', 'in orbit', 'Eileen Collins', 'Žilina – Trnava'],
      'IPTC:Keywords': ['Žilina & söhne', 'in orbit', 'Eileen Collins', 'Žilina – Trnava'],
      'XMP-iptcExt:PersonInImage': ['A guest', 'Eileen Collins'],
      'XMP-iptcExt:Event': 'Žilina – Trnava',
      'XMP-xmp:Rating': 5,
      'IFD0:Make': 'NIKON',
      'ExifIFD:DateTimeOriginal': '2026:03:01 18:30:12',
      'XMP-mwg-rs:RegionInfo': { RegionList: [{ Name: 'Eileen Collins', Type: 'Face' }] },
    });
    expect(Buffer.byteLength(CAPTION)).toBeGreaterThan(2000);
    expect(CAPTION.startsWith(tags['IPTC:Caption-Abstract'])).toBe(true);
    expect(await sharp(answer.bytes).raw().toBuffer()).toEqual(await sharp(original).raw().toBuffer());
  });

  test('is the same asset again in another organization that takes the delivered file in', async () => {
    const theirs = await createRoster(secondKey);
    const { bytes } = await download(media['id'], '?metadata=embed');
    const again = await uploadMedia(service, bytes, { key: secondKey });
    const { shelf: _only, keywords, persons, ...texts } = media['details'];
    expect(again['details']).toMatchObject({ ...texts, event: 'Žilina – Trnava' });
    expect(again['details'].keywords).toEqual([...keywords, 'Eileen Collins', 'Žilina – Trnava']);
    expect(again['details'].persons).toEqual([...persons, 'Eileen Collins']);
    expect(again).toMatchObject({ rating: 5, captured_at: media['captured_at'], width: media['width'] });
    const faces = media['faces'].map((face: Json, n: number) =>
      n === her ? { ...face, tag_option_id: theirs.collins } : face,
    );
    expect(again['faces']).toEqual(faces);
    const labels = (one: Json): string[] => one['tag_options'].map((tag: Json) => tag['label']).toSorted();
    expect(labels(again)).toEqual(labels(media));
    // What it would be delivered with from there is what it came with.
    const next = await download(again['id'], '?metadata=embed', { key: secondKey });
    expect((await tagsOf(next.bytes))['XMP-dc:Subject']).toEqual(again['details'].keywords);
  });

  test('is its original, byte for byte, when nothing else is asked for', async () => {
    const whole = await download(media['id']);
    expect(whole.bytes).toEqual(original);
    expect(whole.headers.get('content-disposition')).toMatch(/^attachment;/);
    expect(createHash('sha256').update(whole.bytes).digest('hex')).toBe(media['sha256']);
    const part = await download(media['id'], '?metadata=none', { headers: { Range: 'bytes=10-19' } });
    expect(part.status).toBe(206);
    expect(part.bytes).toEqual(original.subarray(10, 20));
    const etag = whole.headers.get('etag') ?? '';
    expect((await download(media['id'], '', { headers: { 'If-None-Match': etag } })).status).toBe(304);
  });

  test.each(['compressed', 'thumbnail'])('carries its metadata in its %s tier too', async (quality) => {
    const { status, bytes } = await download(media['id'], `?quality=${quality}&metadata=embed`);
    expect(status).toBe(200);
    const { width, height, orientation } = await sharp(bytes).metadata();
    expect({ width, height, orientation: orientation ?? 1 }).toMatchObject({
      width: media['qualities'][quality].width,
      orientation: 1,
    });
    const tags = await tagsOf(bytes);
    expect(tags['IPTC:Headline']).toBe('Вперёд');
    const info = tags['XMP-mwg-rs:RegionInfo'];
    expect(info.AppliedToDimensions).toEqual({ W: width, H: height, Unit: 'pixel' });
    const face = media['faces'][her];
    expect(info.RegionList[0].Area.X).toBeCloseTo(face.x + face.w / 2, 4);
    expect(info.RegionList[0].Area.Y).toBeCloseTo(face.y + face.h / 2, 4);
  });

  test('has a sidecar', async () => {
    const { status, headers, bytes } = await download(media['id'], '?metadata=sidecar');
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('application/rdf+xml');
    expect(headers.get('content-disposition')).toContain(`filename*=UTF-8''Eileen%20%E2%80%93%20orbit.xmp`);
    expect(await tagsOf(bytes)).toMatchObject({ 'File:FileType': 'XMP', 'XMP-dc:Description': CAPTION });
  });

  test('answers HEAD without writing anything', async () => {
    const head = await download(media['id'], '?metadata=embed', { method: 'HEAD' });
    expect(head.status).toBe(200);
    expect(head.bytes.length).toBe(0);
    expect((await download(media['id'], '', { method: 'HEAD' })).headers.get('content-length')).toBe(
      String(original.length),
    );
  });

  test('stays as it was in storage, and no copy stays anywhere', async () => {
    const stored = join(service.dataDir, 'storage');
    const path = (await filesBelow(stored)).find((name) => name.endsWith(media['sha256'])) ?? '';
    expect(await readFile(join(stored, path))).toEqual(original);
    expect(await workFiles()).toEqual([]);
  });

  test('leaves no copy behind when the client goes away', async () => {
    const gone = new AbortController();
    const asked = download(media['id'], '?metadata=embed', { signal: gone.signal });
    await vi.waitFor(async () => expect((await workFiles()).length).toBeGreaterThan(0), { interval: 2 });
    gone.abort();
    await expect(asked).rejects.toThrow('abort');
    await vi.waitFor(async () => expect(await workFiles()).toEqual([]));
    expect(service.log()).not.toContain('"level":"error"');
  });
});

describe('a download', () => {
  const refusal = async (id: number, query: string, key?: string) =>
    service.call('GET', `/v1/media/${id}/download${query}`, key === undefined ? {} : { key });

  test('of camera RAW with embedded metadata is refused; its sidecar is not', async () => {
    const dng = syntheticDng({ width: 64, height: 48, orientation: 1, color: (x) => [x * 100, 9000, 4000] });
    const media = await uploadMedia(service, dng, { name: 'raw.dng', metadata: { details: { caption: CAPTION } } });
    expect(media['status']).toBe('ready');
    expectProblem(await refusal(media['id'], '?metadata=embed'), 'unsupported_media_type');
    expect((await tagsOf((await download(media['id'], '?metadata=sidecar')).bytes))['XMP-dc:Description']).toBe(
      CAPTION,
    );
    const tier = await download(media['id'], '?metadata=embed&quality=compressed');
    expect((await tagsOf(tier.bytes))['XMP-dc:Description']).toBe(CAPTION);
  });

  test('of a file that has become damaged in storage says so, and leaves nothing behind', async () => {
    const media = await uploadMedia(service, await plainPhoto(77));
    const stored = join(service.dataDir, 'storage');
    const path = (await filesBelow(stored)).find((name) => name.endsWith(media['sha256'])) ?? '';
    await truncate(join(stored, path), 60);
    expectProblem(await refusal(media['id'], '?metadata=embed'), 'file_damaged');
    expect(await workFiles()).toEqual([]);
  });

  test('with metadata of a file that could not be processed is refused', async () => {
    const failed = await service.upload((await plainPhoto(5)).subarray(0, 100));
    expect(failed.body['media'].status).toBe('failed');
    const { id } = failed.body['media'];
    expectProblem(await refusal(id, '?metadata=embed'), 'state_conflict');
    expectProblem(await refusal(id, '?quality=thumbnail'), 'not_found');
    expect((await download(id)).bytes.length).toBe(100);
  });

  test('needs an asset, a scope, and parameters that are known', async () => {
    const { id } = await uploadMedia(service, await plainPhoto(6));
    expectProblem(await refusal(999_999, ''), 'not_found');
    const writer = await service.createKey({ scopes: ['media.write'] });
    expectProblem(await refusal(id, '', writer), 'scope_missing');
    expectProblem(await refusal(id, '', secondKey), 'not_found');
    const wrong = await refusal(id, '?metadata=all');
    expectProblem(wrong, 'validation_failed');
    expect(pointersOf(wrong)).toEqual(['metadata']);
    expectProblem(await refusal(id, '?size=big'), 'validation_failed');
  });

  test('of an embargoed asset is for keys of its organization', async () => {
    const { id } = await uploadMedia(service, await plainPhoto(8), {
      metadata: { usage: 'embargoed', usage_at: '2999-01-01T00:00:00Z' },
    });
    expect((await download(id, '?metadata=embed')).status).toBe(200);
  });

  test('carries a region that stays a name in the library', async () => {
    const bytes = await sharp(await plainPhoto(9))
      .withXmp(xmpRegions([{ name: 'A guest', x: 0.1, y: 0.1, w: 0.2, h: 0.2 }]))
      .jpeg()
      .toBuffer();
    const { id } = await uploadMedia(service, bytes);
    const named = (await tagsOf((await download(id, '?metadata=embed')).bytes))['XMP-mwg-rs:RegionInfo'];
    expect(named.RegionList).toMatchObject([{ Name: 'A guest' }]);
    await service.call('PATCH', `/v1/media/${id}`, { body: { details: { persons: null } } });
    const after = await tagsOf((await download(id, '?metadata=embed')).bytes);
    expect(JSON.stringify(after)).not.toContain('A guest');
  });
});
