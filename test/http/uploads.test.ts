import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ExifTool } from 'exiftool-vendored';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Json, startApp, type TestApp } from '../support/app.ts';
import { createTag, plainPhoto, pointersOf, storedObjects, uploadMedia } from '../support/library.ts';

let service: TestApp;
let folder: string;
const exiftool = new ExifTool({ maxProcs: 1 });
beforeAll(async () => {
  service = await startApp();
  folder = await mkdtemp(join(tmpdir(), 'touchline-uploads-'));
});
afterAll(async () => {
  await Promise.all([service.close(), exiftool.end()]);
  await rm(folder, { recursive: true });
});

const sources = (media: Json) =>
  Object.fromEntries(media['tag_options'].map((tag: Json) => [tag['id'], tag['source']]));

describe('the same bytes again', () => {
  test('answer the existing asset, whatever the name, and store nothing twice', async () => {
    const [first, second] = [
      await createTag(service, { type: 'tag', label: 'First time' }),
      await createTag(service, { type: 'tag', label: 'Second time' }),
    ];
    const bytes = await plainPhoto(1);
    const one = await service.upload(bytes, { name: 'a.jpg', metadata: { tag_options: [first], details: { a: 1 } } });
    expect(one.status).toBe(201);
    expect(one.body['duplicate']).toBe(false);
    const before = await storedObjects(service);
    const two = await service.upload(bytes, { name: 'b.jpg', metadata: { tag_options: [second], details: { b: 2 } } });
    expect(two.status).toBe(200);
    expect(two.body).toMatchObject({ duplicate: true, media: { id: one.body['media'].id, name: 'a.jpg' } });
    expect(two.body['media'].details).toEqual({ a: 1, b: 2 });
    expect(sources(two.body['media'])).toEqual({ [first]: 'manual', [second]: 'manual' });
    expect(await storedObjects(service)).toEqual(before);
  });

  test('become one asset when they arrive at the same time', async () => {
    const bytes = await plainPhoto(2);
    const answers = await Promise.all([1, 2, 3, 4].map(() => service.upload(bytes)));
    expect(new Set(answers.map((answer) => answer.body['media'].id)).size).toBe(1);
    expect(answers.filter((answer) => answer.body['duplicate'] === true)).toHaveLength(3);
    expect(answers.every((answer) => answer.body['media'].status === 'ready')).toBe(true);
  });

  test('are another asset in another organization', async () => {
    const other = await service.createKey({ organizationId: await service.createOrganization('elsewhere') });
    const bytes = await plainPhoto(3);
    const mine = await service.upload(bytes);
    const theirs = await service.upload(bytes, { key: other });
    expect(theirs.body['duplicate']).toBe(false);
    expect(theirs.body['media'].id).not.toBe(mine.body['media'].id);
  });
});

describe('an external id', () => {
  test('sent again with other bytes replaces the content of its asset and leaves no file of the old behind', async () => {
    const tag = await createTag(service, { type: 'tag', label: 'Stays' });
    const first = await uploadMedia(service, await plainPhoto(10), {
      name: 'old.jpg',
      metadata: { external_id: 'x-1', tag_options: [tag] },
    });
    const objects = await storedObjects(service);
    const oldUrl = first['qualities'].photographer.url;
    const bytes = await plainPhoto(11, { width: 60, height: 90 });
    const answer = await service.upload(bytes, { name: 'new.jpg', metadata: { external_id: 'x-1' } });
    expect(answer.body).toMatchObject({
      duplicate: false,
      media: { id: first['id'], name: 'new.jpg', width: 60, height: 90, orientation: 'portrait', bytes: bytes.length },
    });
    expect(sources(answer.body['media'])).toEqual({ [tag]: 'manual' });
    const { url } = answer.body['media'].qualities.photographer;
    expect(Buffer.from(await (await fetch(url)).arrayBuffer()).equals(bytes)).toBe(true);
    expect(url).not.toBe(oldUrl);
    await expect.poll(async () => (await storedObjects(service)).length).toBe(objects.length);
  });

  test('sent again with the same bytes changes only the given fields', async () => {
    const bytes = await plainPhoto(12);
    const first = await uploadMedia(service, bytes, { metadata: { external_id: 'x-2', details: { a: 1 } } });
    const again = await service.upload(bytes, { metadata: { external_id: 'x-2', rating: 5 } });
    expect(again.body).toMatchObject({ duplicate: true, media: { id: first['id'], rating: 5, details: { a: 1 } } });
  });

  test('of one asset with the bytes of another is a conflict', async () => {
    const bytes = await plainPhoto(13);
    await uploadMedia(service, bytes);
    await uploadMedia(service, await plainPhoto(14), { metadata: { external_id: 'x-3' } });
    const answer = await service.upload(bytes, { metadata: { external_id: 'x-3' } });
    expect([answer.status, answer.body['code']]).toEqual([409, 'conflict']);
  });
});

describe('a refused upload', () => {
  test.each<[string, object, string]>([
    ['an unknown tag', { tag_options: [999_999] }, '/tag_options'],
    ['an unknown collection', { collections: [999_999] }, '/collections'],
    ['an unknown field', { colour: 'red' }, '/metadata/colour'],
    ['an embargo without its end', { usage: 'embargoed' }, '/usage_at'],
    ['a rating out of range', { rating: 9 }, '/metadata/rating'],
  ])('for %s names the field and stores nothing', async (_why, metadata, pointer) => {
    const before = await storedObjects(service);
    const answer = await service.upload(await plainPhoto(20), { metadata });
    expect(answer.status, JSON.stringify(answer.body)).toBe(400);
    expect(pointersOf(answer)).toEqual([pointer]);
    expect(await storedObjects(service)).toEqual(before);
  });
});

describe('metadata in the file', () => {
  const write = async (name: string, writeArgs: readonly string[]): Promise<Buffer> => {
    const path = join(folder, name);
    await writeFile(path, await plainPhoto(name.length * 977, { width: 320, height: 200 }));
    await exiftool.write(path, {}, { writeArgs: ['-charset', 'iptc=utf8', '-overwrite_original', ...writeArgs] });
    return readFile(path);
  };
  const PRESS = [
    '-IPTC:CodedCharacterSet=UTF8',
    '-ExifIFD:DateTimeOriginal=2026:03:14 20:15:30',
    '-ExifIFD:SubSecTimeOriginal=250',
    '-ExifIFD:OffsetTimeOriginal=+01:00',
    '-IFD0:Make=Canon',
    '-IFD0:Model=EOS R3',
    '-IPTC:Keywords=Žilina Arena',
    '-IPTC:Keywords=celebration',
    '-IPTC:Keywords=unknown word',
    '-IPTC:Keywords=Shared Name',
    '-XMP-iptcExt:PersonInImage=Marko Šeško',
    '-XMP-photoshop:Headline=Late winner',
    '-XMP-dc:Description=Šeško scores',
    '-IPTC:Credit=Club Media',
    '-XMP-dc:Rights=© Club',
    '-IPTC:By-line=Jörg Müller',
    '-IPTC:City=Žilina',
    '-XMP-xmp:Rating=4',
  ];

  test('becomes capture time, rating and details, and finds its tag options', async () => {
    const player = await createTag(service, { type: 'player', label: 'Šeško', full_name: 'Marko Šeško' });
    const stadium = await createTag(service, { type: 'stadium', label: 'Arena', aliases: ['Zilina Arena'] });
    const mood = await createTag(service, { type: 'tag', label: 'Celebration', category: 'mood' });
    for (const type of ['player', 'club']) await createTag(service, { type, label: 'Shared Name' });
    const media = await uploadMedia(service, await write('press.jpg', PRESS));
    expect(media).toMatchObject({
      captured_at: '2026-03-14T19:15:30.250Z',
      captured_offset_minutes: 60,
      date: '2026-03-14T19:15:30.250Z',
      rating: 4,
      details: {
        headline: 'Late winner',
        caption: 'Šeško scores',
        credit: 'Club Media',
        copyright: '© Club',
        byline: 'Jörg Müller',
        city: 'Žilina',
        persons: ['Marko Šeško'],
        camera: { make: 'Canon', model: 'EOS R3' },
      },
    });
    expect(media['details'].keywords.toSorted()).toEqual([
      'Shared Name',
      'celebration',
      'unknown word',
      'Žilina Arena',
    ]);
    expect(sources(media)).toEqual({ [player]: 'metadata', [stadium]: 'metadata', [mood]: 'metadata' });
  });

  test('gives way to what the upload says', async () => {
    const bytes = await write('given.jpg', PRESS);
    const media = await uploadMedia(service, bytes, {
      metadata: { captured_at: '2020-01-01T00:00:00Z', rating: 1, details: { headline: 'Mine' } },
    });
    expect(media).toMatchObject({
      captured_at: '2020-01-01T00:00:00.000Z',
      rating: 1,
      details: { headline: 'Mine', caption: 'Šeško scores' },
    });
  });

  test('of replaced bytes goes with them', async () => {
    const tag = await createTag(service, { type: 'tag', label: 'Only in the old file' });
    const old = await write('replaced.jpg', ['-XMP-dc:Subject=Only in the old file', '-XMP-photoshop:Headline=Old']);
    const first = await uploadMedia(service, old, { metadata: { external_id: 'replaced' } });
    expect(sources(first)).toEqual({ [tag]: 'metadata' });
    const second = await uploadMedia(service, await plainPhoto(30), { metadata: { external_id: 'replaced' } });
    expect([second['id'], second['tag_options'], second['details']]).toEqual([first['id'], [], {}]);
  });
});

describe('the three tiers', () => {
  test('are the original byte for byte, 2048 px and 480 px', async () => {
    const bytes = await plainPhoto(40, { width: 3000, height: 2000 });
    const { qualities } = await uploadMedia(service, bytes);
    const load = async (tier: Json) => Buffer.from(await (await fetch(tier['url'])).arrayBuffer());
    const original = await load(qualities.photographer);
    expect(original.equals(bytes)).toBe(true);
    expect(qualities.photographer).toMatchObject({
      width: 3000,
      height: 2000,
      bytes: bytes.length,
      mime_type: 'image/jpeg',
    });
    for (const [tier, width, height] of [
      [qualities.compressed, 2048, 1365],
      [qualities.thumbnail, 480, 320],
    ] as const) {
      const loaded = await load(tier);
      expect(tier).toMatchObject({ width, height, bytes: loaded.length, mime_type: 'image/jpeg' });
      expect(await sharp(loaded).metadata()).toMatchObject({ format: 'jpeg', width, height, space: 'srgb' });
    }
  });
});
