import { execFile } from 'node:child_process';
import { copyFile, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { exiftoolPath } from 'exiftool-vendored';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createLogger } from '../../base/index.ts';
import { syntheticDng } from '../../../test/fixtures/photos/synthetic-dng.ts';
import type { Json } from '../../../test/support/app.ts';
import { createMetadataReader, type MetadataReader } from './metadata-reader.ts';
import type { MetadataValues } from './metadata-values.ts';
import { createMetadataWriter, type MetadataWriter } from './metadata-writer.ts';

const runFile = promisify(execFile);
const logger = createLogger({ level: 'silent' });
const SAMPLES = join(import.meta.dirname, '../../../sample/photos');
let folder: string;
let reader: MetadataReader;
let fallback: MetadataReader;
let writer: MetadataWriter;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'metadata-writer-'));
  reader = createMetadataReader({ logger, timeoutMs: 20_000, maxProcesses: 1 });
  writer = createMetadataWriter({ logger, timeoutMs: 20_000, maxProcesses: 1 });
  const exiftoolPath = join(folder, 'no-such-exiftool');
  fallback = createMetadataReader({ logger, timeoutMs: 20_000, maxProcesses: 1, exiftoolPath });
});
afterAll(async () => {
  await Promise.all([reader.close(), fallback.close(), writer.close()]);
  await rm(folder, { recursive: true });
});

const LONG_CAPTION = `Šeško 北京 & co. "scored" <twice> &amp; won.\nSecond line, {with} [brackets] | bars.\n${'Ž 決勝 '.repeat(400)}end`;
const VALUES: MetadataValues = {
  texts: {
    title: 'Tor für Pavlica',
    headline: 'Спартак — Šeško 2:1',
    caption: LONG_CAPTION,
    credit: 'Agency of an extraordinarily long name indeed',
    copyright: '© 2026 Žilina FC',
    byline: 'Jörg Müller',
    city: 'Žilina',
    country_code: 'SVK',
    usage_terms: 'Editorial use only',
    alt_text: 'A player jumps',
    event: 'Žilina vs Trnava',
    instructions: 'No sale; ask first',
    transmission_reference: 'TX-1',
    caption_writer: 'ED',
    source: 'Club',
    location: 'Štadión',
    state: 'Žilinský kraj',
    country: 'Slovensko',
    byline_title: 'Staff',
  },
  keywords: ['Žilina', '決勝', 'goal, late', 'x'.repeat(100), 'y'.repeat(63) + 'ž'],
  persons: ['Benjamin Šeško', '孫興慜'],
  faces: [{ name: 'Benjamin Šeško', x: 0.1, y: 0.2, w: 0.2, h: 0.1 }],
  rating: 4,
  capturedAt: new Date('2026-03-01T17:30:12.000Z'),
  capturedOffsetMinutes: 60,
  documentId: 'xmp.did:0123456789abcdef0123456789abcdef',
};

/** ExifTool itself, run as anybody would. */
async function exiftool(...args: string[]): Promise<string> {
  return (await runFile(await exiftoolPath(), args, { maxBuffer: 1 << 26 })).stdout;
}
async function tagsOf(path: string): Promise<Json> {
  return JSON.parse(await exiftool('-j', '-struct', '-G1', '-charset', 'iptc=utf8', path))[0];
}

async function picture(name: string, args: readonly string[] = []): Promise<string> {
  const path = join(folder, name);
  const format =
    { png: 'png', tif: 'tiff', webp: 'webp', avif: 'avif', gif: 'gif' }[name.split('.')[1] ?? ''] ?? 'jpeg';
  await sharp({ create: { width: 300, height: 200, channels: 3, background: '#375' } })
    // The names above are names of formats.
    .toFormat(format as 'jpeg')
    .toFile(path);
  if (args.length > 0) await exiftool('-overwrite_original', '-charset', 'iptc=utf8', ...args, path);
  return path;
}

let outputs = 0;
async function embed(path: string, values: Partial<MetadataValues> = VALUES, mimeType = 'image/jpeg'): Promise<string> {
  outputs += 1;
  const outPath = join(folder, `out-${outputs}.${path.split('.').at(-1)}`);
  await writer.embed({ path, outPath, mimeType, values: { ...NOTHING, ...values } });
  return outPath;
}
const NOTHING: MetadataValues = {
  texts: {},
  keywords: [],
  persons: [],
  faces: [],
  rating: null,
  capturedAt: null,
  capturedOffsetMinutes: null,
  documentId: VALUES.documentId,
};

describe('a JPEG that is written', () => {
  test('says the same in IPTC, XMP and EXIF, in letters of any script', async () => {
    const tags = await tagsOf(await embed(await picture('plain.jpg')));
    expect(tags).toMatchObject({
      'IPTC:CodedCharacterSet': 'UTF8',
      'XMP-dc:Title': 'Tor für Pavlica',
      'IPTC:ObjectName': 'Tor für Pavlica',
      'XMP-photoshop:Headline': 'Спартак — Šeško 2:1',
      'IPTC:Headline': 'Спартак — Šeško 2:1',
      'XMP-dc:Rights': '© 2026 Žilina FC',
      'IPTC:CopyrightNotice': '© 2026 Žilina FC',
      'IFD0:Copyright': '© 2026 Žilina FC',
      'XMP-dc:Creator': ['Jörg Müller'],
      'IPTC:By-line': 'Jörg Müller',
      'IFD0:Artist': 'Jörg Müller',
      'IPTC:City': 'Žilina',
      'IPTC:Country-PrimaryLocationCode': 'SVK',
      'XMP-iptcCore:CountryCode': 'SVK',
      'XMP-xmpRights:UsageTerms': 'Editorial use only',
      'XMP-iptcCore:AltTextAccessibility': 'A player jumps',
      'XMP-iptcExt:Event': 'Žilina vs Trnava',
      'XMP-iptcExt:PersonInImage': ['Benjamin Šeško', '孫興慜'],
      'XMP-dc:Subject': VALUES.keywords,
      'XMP-xmp:Rating': 4,
      'XMP-photoshop:DateCreated': '2026:03:01 18:30:12.000+01:00',
      'IPTC:DateCreated': '2026:03:01',
      'IPTC:TimeCreated': '18:30:12+01:00',
      'XMP-xmpMM:DocumentID': VALUES.documentId,
    });
  });

  test('keeps long texts whole in XMP and cuts them for IPTC between characters', async () => {
    const tags = await tagsOf(await embed(await picture('long.jpg')));
    expect(LONG_CAPTION.length).toBeGreaterThan(2000);
    expect(tags['XMP-dc:Description']).toBe(LONG_CAPTION);
    expect(tags['IFD0:ImageDescription']).toBe(LONG_CAPTION);
    const short: string = tags['IPTC:Caption-Abstract'];
    expect(LONG_CAPTION.startsWith(short)).toBe(true);
    expect(Buffer.byteLength(short)).toBeLessThanOrEqual(2000);
    expect(Buffer.byteLength(short)).toBeGreaterThan(1990);
    expect(tags['XMP-photoshop:Credit']).toBe(VALUES.texts.credit);
    expect(tags['IPTC:Credit']).toBe('Agency of an extraordinarily lon');
    expect(tags['IPTC:Keywords']).toEqual(['Žilina', '決勝', 'goal, late', 'x'.repeat(64), 'y'.repeat(63)]);
  });

  test('is read again as the same details, keywords, persons and regions', async () => {
    const metadata = await reader.read(await embed(await picture('again.jpg')));
    const { keywords, persons, ...texts } = metadata.details;
    expect(texts).toEqual(VALUES.texts);
    expect(keywords).toEqual(VALUES.keywords);
    expect(persons).toEqual(VALUES.persons);
    expect(metadata).toMatchObject({
      regions: VALUES.faces,
      rating: 4,
      capturedAt: VALUES.capturedAt,
      capturedOffsetMinutes: 60,
    });
  });

  test('is not changed by writing the same again', async () => {
    const once = await embed(await picture('twice.jpg'));
    const twice = await embed(once);
    const { 'System:FileName': _a, 'File:FileName': _b, SourceFile: _c, ...first } = await tagsOf(once);
    const second = await tagsOf(twice);
    for (const [name, value] of Object.entries(first)) {
      if (!name.startsWith('System:')) expect(second[name], name).toEqual(value);
    }
    expect(await readFile(twice)).toEqual(await readFile(once));
  });

  test('keeps its picture, its colour profile and what the camera wrote', async () => {
    const path = await picture('camera.jpg', [
      '-IFD0:Make=NIKON CORPORATION',
      '-ExifIFD:DateTimeOriginal=2026:03:01 18:30:12',
      '-ExifIFD:OffsetTimeOriginal=+01:00',
      '-GPS:GPSLatitude=22.9',
      '-GPS:GPSLatitudeRef=S',
      '-IFD0:ImageDescription=OLYMPUS DIGITAL CAMERA',
      '-XMP-dc:Title-de=Deutsch',
      '-XMP-crs:Exposure2012=+0.50',
      '-IPTC:Urgency=3',
    ]);
    const profiled = join(folder, 'profiled.jpg');
    await sharp(path).keepMetadata().withIccProfile('p3').toFile(profiled);
    const before = await tagsOf(profiled);
    const out = await embed(profiled, { texts: { headline: 'New' } });
    const after = await tagsOf(out);
    const changed = Object.keys(before).filter(
      (name) => !/^(System|File|SourceFile|Composite)/.test(name) && before[name] !== after[name],
    );
    expect(changed).toEqual([]);
    expect(after).toMatchObject({
      'XMP-photoshop:Headline': 'New',
      'IPTC:Headline': 'New',
      'ICC_Profile:ProfileDescription': before['ICC_Profile:ProfileDescription'],
    });
    const pixels = (file: string) => sharp(file).raw().toBuffer();
    expect(await pixels(out)).toEqual(await pixels(profiled));
  });
});

describe('what the library took away', () => {
  test('is taken out of a photo', async () => {
    const path = await picture('wrong.jpg', [
      '-IPTC:Caption-Abstract=Wrong name',
      '-XMP-dc:Description=Wrong name',
      '-IFD0:ImageDescription=Wrong name',
      '-XMP-dc:Subject=wrong',
      '-IPTC:Keywords=wrong',
      '-XMP-iptcExt:PersonInImage=Wrong Person',
      '-XMP-xmp:Rating=5',
      '-XMP-mwg-rs:RegionInfo={AppliedToDimensions={W=300,H=200,Unit=pixel},RegionList=[{Area={X=0.5,Y=0.5,W=0.1,H=0.1,Unit=normalized},Name=Wrong Person,Type=Face}]}',
    ]);
    const tags = await tagsOf(await embed(path, {}));
    expect(JSON.stringify(tags)).not.toContain('rong');
    expect(tags['XMP-xmp:Rating']).toBeUndefined();
  });

  test('was never read from a video, whose metadata stay', async () => {
    const path = join(folder, 'clip.mp4');
    await runFile('ffmpeg', ['-v', 'error', '-f', 'lavfi', '-i', 'testsrc=d=1:s=64x48', '-pix_fmt', 'yuv420p', path]);
    await exiftool('-overwrite_original', '-XMP-dc:Description=Of the camera', '-XMP-dc:Subject=old', path);
    const out = await embed(path, { texts: { title: 'Šeško & Co.' }, keywords: ['new'] }, 'video/mp4');
    const tags = await tagsOf(out);
    expect(tags).toMatchObject({
      'XMP-dc:Description': 'Of the camera',
      'XMP-dc:Title': 'Šeško & Co.',
      'Keys:Title': 'Šeško & Co.',
      'XMP-dc:Subject': ['old', 'new'],
      'Keys:Keywords': 'new',
    });
    const frames = async (file: string) =>
      (await runFile('ffmpeg', ['-v', 'error', '-i', file, '-f', 'framemd5', '-'])).stdout;
    expect(await frames(out)).toBe(await frames(path));
  });
});

describe('regions', () => {
  test.each([1, 2, 3, 4, 5, 6, 7, 8])('of a picture turned by orientation %d lie on the same face', async (turn) => {
    const path = await picture(`turn-${turn}.jpg`, [`-IFD0:Orientation#=${turn}`]);
    const out = await embed(path);
    expect((await reader.read(out)).regions).toEqual(VALUES.faces);
    const info = (await tagsOf(out))['XMP-mwg-rs:RegionInfo'];
    expect(info.AppliedToDimensions).toEqual({ W: 300, H: 200, Unit: 'pixel' });
    // Where a program that knows nothing of us paints the region in the stored pixels, the face is, once the picture is upright.
    const { X, Y, W, H } = info.RegionList[0].Area;
    const box = { left: (X - W / 2) * 300, top: (Y - H / 2) * 200, width: W * 300, height: H * 200 };
    const white = await sharp({
      create: { width: Math.round(box.width), height: Math.round(box.height), channels: 3, background: '#fff' },
    })
      .png()
      .toBuffer();
    const painted = await sharp({ create: { width: 300, height: 200, channels: 3, background: '#000' } })
      .composite([{ input: white, left: Math.round(box.left), top: Math.round(box.top) }])
      .withExif({ IFD0: { Orientation: String(turn) } })
      .withMetadata({ orientation: turn })
      .png()
      .toBuffer();
    const upright = await sharp(painted).autoOrient().greyscale().raw().toBuffer({ resolveWithObject: true });
    const { width, height } = upright.info;
    const at = (x: number, y: number) => upright.data[Math.floor(y * height) * width + Math.floor(x * width)];
    expect(at(0.2, 0.25)).toBe(255);
    expect([at(0.8, 0.25), at(0.2, 0.75), at(0.8, 0.75), at(0.2, 0.35)]).toEqual([0, 0, 0, 0]);
  });

  test('of pets and of persons whom the library knows by name only stay; that of the same face is replaced', async () => {
    const region = (name: string, x: number, type = 'Face') =>
      `{Area={X=${x},Y=0.25,W=0.2,H=0.1,Unit=normalized},Name=${name},Type=${type}}`;
    const list = [region('Rex', 0.9, 'Pet'), region('A guest', 0.6), region('Gone', 0.8), region('Misread', 0.21)];
    const path = await picture('kept.jpg', [
      `-XMP-mwg-rs:RegionInfo={AppliedToDimensions={W=300,H=200,Unit=pixel},RegionList=[${list.join(',')}]}`,
      '-XMP-MP:RegionInfoMP={Regions=[{PersonDisplayName=Misread,Rectangle=0.11|, 0.2|, 0.2|, 0.1},{PersonDisplayName=A guest,Rectangle=0.5|, 0.2|, 0.2|, 0.1}]}',
    ]);
    const out = await embed(path, { persons: ['Benjamin Šeško', 'A guest'], faces: VALUES.faces });
    const tags = await tagsOf(out);
    const regions: { Name: string }[] = tags['XMP-mwg-rs:RegionInfo'].RegionList;
    expect(regions.map((one) => one.Name)).toEqual(['Rex', 'A guest', 'Benjamin Šeško']);
    expect(tags['XMP-MP:RegionInfoMP'].Regions).toEqual([
      { PersonDisplayName: 'A guest', Rectangle: '0.5, 0.2, 0.2, 0.1' },
    ]);
  });
});

describe('IPTC in another character set', () => {
  test('becomes UTF-8, also where nothing of it changes', async () => {
    const path = await picture('latin.jpg', [
      '-charset',
      'iptc=latin',
      '-IPTC:City=München',
      '-IPTC:FixtureIdentifier=Fußball',
    ]);
    const tags = await tagsOf(await embed(path, { texts: { city: 'München', headline: 'Neu' } }));
    expect(tags).toMatchObject({
      'IPTC:CodedCharacterSet': 'UTF8',
      'IPTC:City': 'München',
      'IPTC:FixtureIdentifier': 'Fußball',
      'IPTC:Headline': 'Neu',
    });
  });
});

describe('other formats', () => {
  test.each([
    ['image/png', 'a.png'],
    ['image/webp', 'a.webp'],
    ['image/avif', 'a.avif'],
    ['image/gif', 'a.gif'],
    ['image/tiff', 'a.tif'],
  ])('%s carries the values and opens as before', async (mimeType, name) => {
    const path = await picture(name);
    const out = await embed(path, VALUES, mimeType);
    const { details, regions } = await reader.read(out);
    expect(details).toEqual({ ...VALUES.texts, keywords: VALUES.keywords, persons: VALUES.persons });
    expect(regions).toEqual(VALUES.faces);
    // The reader for machines without perl finds the same, in formats that it knows.
    if (mimeType !== 'image/gif')
      expect(await fallback.read(out)).toMatchObject({ reader: 'exifreader', details, regions });
    const tags = await tagsOf(out);
    expect('IPTC:Headline' in tags).toBe(mimeType === 'image/tiff');
    expect(tags['IFD0:Artist']).toBe(mimeType === 'image/gif' ? undefined : 'Jörg Müller');
    const pixels = (file: string) => sharp(file).raw().toBuffer();
    expect(await pixels(out)).toEqual(await pixels(path));
  });

  test('HEIC carries the values', async () => {
    const path = join(folder, 'quarters.heic');
    await copyFile(join(import.meta.dirname, '../../../test/fixtures/photos/quarters.heic'), path);
    const out = await embed(path, VALUES, 'image/heic');
    expect((await reader.read(out)).details.caption).toBe(LONG_CAPTION);
  });

  test('camera RAW is never altered, whatever it is called', async () => {
    const path = join(folder, 'raw.dng');
    await writeFile(path, syntheticDng({ width: 64, height: 48, orientation: 6, color: () => [9000, 9000, 9000] }));
    for (const mimeType of ['image/x-adobe-dng', 'image/tiff']) {
      await expect(embed(path, VALUES, mimeType)).rejects.toMatchObject({ code: 'unsupported_media_type' });
    }
    const outPath = join(folder, 'raw.xmp');
    await writer.sidecar({ path, outPath, mimeType: 'image/x-adobe-dng', values: VALUES });
    const tags = await tagsOf(outPath);
    expect(tags).toMatchObject({
      'File:FileType': 'XMP',
      'XMP-dc:Description': LONG_CAPTION,
      'XMP-dc:Subject': VALUES.keywords,
      'XMP-iptcExt:PersonInImage': VALUES.persons,
    });
    expect(tags['XMP-mwg-rs:RegionInfo'].AppliedToDimensions).toEqual({ W: 64, H: 48, Unit: 'pixel' });
  });

  test('a sidecar keeps the XMP of the file that is not ours, and each keyword once', async () => {
    const path = await picture('side.jpg', [
      '-XMP-crs:Exposure2012=+0.50',
      '-XMP-dc:Subject=Žilina',
      '-XMP-dc:Subject=old',
    ]);
    const outPath = join(folder, 'side.xmp');
    await writer.sidecar({ path, outPath, mimeType: 'image/jpeg', values: VALUES });
    expect(await tagsOf(outPath)).toMatchObject({ 'XMP-crs:Exposure2012': '+0.50', 'XMP-dc:Subject': VALUES.keywords });
  });

  test('a real press photo of the sample keeps everything when nothing has changed; two titles become one', async () => {
    const path = join(SAMPLES, '20260314_PAV-BMA_0019.jpg');
    const { details, keywords, persons, rating } = await reader.read(path);
    const { keywords: _k, persons: _p, camera: _c, gps: _g, software: _s, ...texts } = details;
    const bytes = await readFile(path);
    const before: Record<string, unknown> = { ...(await tagsOf(path)), 'IPTC:ObjectName': details.title };
    const after = await tagsOf(await embed(path, { texts, keywords, persons, rating: rating ?? null }));
    expect(await readFile(path)).toEqual(bytes);
    for (const [name, value] of Object.entries(before)) {
      if (!/^(System|File|SourceFile|Composite|XMP-x:|Photoshop:IPTCDigest)/.test(name))
        expect(after[name], name).toEqual(value);
    }
  });
});

describe('files that cannot be written', () => {
  test.each([
    [
      'cut short',
      async () => (await readFile(join(SAMPLES, '20260314_PAV-BMA_0019.jpg'))).subarray(0, 3000),
      'file_damaged',
    ],
    ['text', async () => Buffer.from('This is no photograph, whatever its name says.'), 'file_damaged'],
  ] as const)('%s are refused, and leave nothing behind', async (what, bytes, code) => {
    const path = join(folder, `${what.replace(' ', '-')}.jpg`);
    await writeFile(path, await bytes());
    const before = (await readdir(folder)).length;
    await expect(embed(path)).rejects.toMatchObject({ code });
    expect((await readdir(folder)).length).toBe(before);
  });

  test('fragmented MP4 is refused as such', async () => {
    const path = join(folder, 'fragmented.mp4');
    await runFile('ffmpeg', [
      '-v',
      'error',
      '-f',
      'lavfi',
      '-i',
      'testsrc=d=1:s=64x48',
      '-pix_fmt',
      'yuv420p',
      '-movflags',
      'frag_keyframe+empty_moov',
      path,
    ]);
    await expect(embed(path, VALUES, 'video/mp4')).rejects.toMatchObject({ code: 'unsupported_media_type' });
  });

  test('that take too long are given up', async () => {
    const hasty = createMetadataWriter({ logger, timeoutMs: 1, maxProcesses: 1 });
    const path = await picture('slow.jpg');
    const request = { path, outPath: join(folder, 'slow-out.jpg'), mimeType: 'image/jpeg', values: VALUES };
    await expect(hasty.embed(request)).rejects.toMatchObject({ code: 'file_limits_exceeded' });
    expect((await readdir(folder)).filter((name) => name.startsWith('slow-out'))).toEqual([]);
    await hasty.close();
  });

  test('without ExifTool, writing says what is missing', async () => {
    const lame = createMetadataWriter({ logger, timeoutMs: 1000, maxProcesses: 1, exiftoolPath: join(folder, 'none') });
    const path = await picture('lame.jpg');
    const request = { path, outPath: join(folder, 'lame-out.jpg'), mimeType: 'image/jpeg', values: VALUES };
    await expect(lame.embed(request)).rejects.toMatchObject({ code: 'capability_missing' });
    await lame.close();
  });
});
