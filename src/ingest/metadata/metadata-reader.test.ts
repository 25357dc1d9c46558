import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ExifTool } from 'exiftool-vendored';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createLogger } from '../../base/index.ts';
import { syntheticDng } from '../../../test/fixtures/photos/synthetic-dng.ts';
import { createMetadataReader, type MetadataReader, toPhotoMetadata } from './metadata-reader.ts';

const logger = createLogger({ level: 'silent' });
const exiftool = new ExifTool({ maxProcs: 1 });
let folder: string;
let full: MetadataReader;
let fallback: MetadataReader;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'metadata-'));
  full = createMetadataReader({ logger, timeoutMs: 20_000, maxProcesses: 1 });
  const exiftoolPath = join(folder, 'no-such-exiftool');
  fallback = createMetadataReader({ logger, timeoutMs: 20_000, maxProcesses: 1, exiftoolPath });
});

afterAll(async () => {
  await Promise.all([full.close(), fallback.close(), exiftool.end()]);
  await rm(folder, { recursive: true });
});

/** A 300 x 200 picture carrying what ExifTool is told to write. */
async function photo(options: { readonly name: string; readonly write: readonly string[] }): Promise<string> {
  const path = join(folder, options.name);
  const format = options.name.endsWith('.png') ? 'png' : options.name.endsWith('.tif') ? 'tiff' : 'jpeg';
  await sharp({ create: { width: 300, height: 200, channels: 3, background: '#375' } })
    .toFormat(format)
    .toFile(path);
  const writeArgs = ['-charset', 'iptc=utf8', '-overwrite_original', ...options.write];
  await exiftool.write(path, {}, { writeArgs });
  return path;
}

const AGENCY_PHOTO = [
  '-IPTC:CodedCharacterSet=UTF8',
  '-IPTC:Keywords=Šeško',
  '-IPTC:Keywords=北京',
  '-IPTC:City=Köln',
  '-IPTC:Caption-Abstract=Marko Šeško 北京 jubelt',
  '-IPTC:Headline=from IPTC',
  '-XMP-photoshop:Headline=from XMP',
  '-XMP-dc:Title-de=Tor',
  '-XMP-dc:Rights=© 2026 Verein',
  '-IPTC:By-line=Jörg Müller',
  '-IPTC:Credit=Agency/Club',
  '-XMP-dc:Subject=šeško',
  '-XMP-dc:Subject=goal',
  '-XMP-xmpRights:UsageTerms=Editorial only',
  '-XMP-xmp:Rating=4',
  '-XMP-iptcExt:PersonInImage=Marko Šeško',
  '-XMP-iptcExt:Event=Matchday 24',
  '-ExifIFD:DateTimeOriginal=2026:03:01 18:30:12',
  '-ExifIFD:SubSecTimeOriginal=045',
  '-ExifIFD:OffsetTimeOriginal=+01:00',
  '-IFD0:Make=NIKON CORPORATION',
  '-IFD0:Model=NIKON Z 9',
  '-ExifIFD:ISO=3200',
  '-ExifIFD:FNumber=2.8',
  '-ExifIFD:ExposureTime=0.0005',
  '-ExifIFD:FocalLength=400',
  '-ExifIFD:LensModel=NIKKOR Z 400mm f/2.8 TC VR S',
  '-IFD0:Orientation#=6',
  '-GPS:GPSLatitude=22.9',
  '-GPS:GPSLatitudeRef=S',
  '-GPS:GPSLongitude=43.25',
  '-GPS:GPSLongitudeRef=W',
  '-XMP-mwg-rs:RegionInfo={AppliedToDimensions={W=300,H=200,Unit=pixel},RegionList=[{Area={X=0.2,Y=0.25,W=0.2,H=0.1,Unit=normalized},Name=Kim Min-jae,Type=Face}]}',
];

describe.each(['exiftool', 'exifreader'] as const)('a press photo read by %s', (name) => {
  const reader = () => (name === 'exiftool' ? full : fallback);

  test('gives shutter time, IPTC fields, people, camera and place', async () => {
    const path = await photo({ name: `agency-${name}.jpg`, write: AGENCY_PHOTO });
    const metadata = await reader().read(path);
    expect(metadata).toMatchObject({
      reader: name,
      fileType: 'JPEG',
      mimeType: 'image/jpeg',
      width: 300,
      height: 200,
      orientation: 6,
      capturedAt: new Date('2026-03-01T17:30:12.045Z'),
      capturedOffsetMinutes: 60,
      rating: 4,
      persons: ['Marko Šeško', 'Kim Min-jae'],
      regions: [{ name: 'Kim Min-jae', x: 0.7, y: 0.1, w: 0.1, h: 0.2 }],
    });
    expect([...metadata.keywords].sort()).toEqual(['goal', 'šeško', '北京']);
    expect(metadata.details).toEqual({
      title: 'Tor',
      headline: 'from XMP',
      caption: 'Marko Šeško 北京 jubelt',
      credit: 'Agency/Club',
      copyright: '© 2026 Verein',
      byline: 'Jörg Müller',
      usage_terms: 'Editorial only',
      event: 'Matchday 24',
      city: 'Köln',
      keywords: metadata.keywords,
      persons: metadata.persons,
      gps: { lat: -22.9, lon: -43.25 },
      camera: {
        make: 'NIKON CORPORATION',
        model: 'NIKON Z 9',
        lens: 'NIKKOR Z 400mm f/2.8 TC VR S',
        iso: 3200,
        aperture: 2.8,
        shutter: '1/2000',
        focal_length: 400,
      },
    });
  });

  test('a photo without metadata gives its size and nothing invented', async () => {
    const path = await photo({ name: `bare-${name}.png`, write: [] });
    expect(await reader().read(path)).toEqual({
      reader: name,
      fileType: 'PNG',
      mimeType: 'image/png',
      width: 300,
      height: 200,
      orientation: 1,
      details: {},
      keywords: [],
      persons: [],
      regions: [],
    });
  });

  test('text named .jpg gives no type and does not throw', async () => {
    const path = join(folder, `text-${name}.jpg`);
    await writeFile(path, 'This is not a photograph, whatever its name says.');
    const metadata = await reader().read(path);
    expect(metadata.width).toBeUndefined();
    expect(metadata.details).toEqual({});
  });

  test('a DNG is told from a TIFF', async () => {
    const dng = join(folder, `raw-${name}.dng`);
    const color = () => [9000, 9000, 9000] as const;
    await writeFile(dng, syntheticDng({ width: 64, height: 48, orientation: 3, color }));
    expect(await reader().read(dng)).toMatchObject({ fileType: 'DNG', orientation: 3 });
    const tiff = await photo({ name: `scan-${name}.tif`, write: ['-IFD0:Make=NIKON'] });
    expect(await reader().read(tiff)).toMatchObject({ fileType: 'TIFF', width: 300, height: 200 });
  });

  test('a missing file is an error', async () => {
    await expect(reader().read(join(folder, 'absent.jpg'))).rejects.toThrow('ENOENT');
  });
});

describe('readers', () => {
  test('tell whether ExifTool runs', async () => {
    expect(await full.available()).toBe(true);
    expect(await fallback.available()).toBe(false);
    expect(await fallback.extractPreview(join(folder, 'any.dng'), join(folder, 'out.jpg'))).toBeUndefined();
  });

  test('an aborted read ends with the reason of its signal', async () => {
    const path = await photo({ name: 'abort.jpg', write: [] });
    const reason = new Error('the upload was withdrawn');
    await expect(full.read(path, AbortSignal.abort(reason))).rejects.toBe(reason);
  });

  test('IPTC from before UTF-8 is read as Windows Latin', async () => {
    const path = await photo({ name: 'latin.jpg', write: ['-charset', 'iptc=latin', '-IPTC:City=München'] });
    expect((await full.read(path)).details.city).toBe('München');
  });

  test('the place of the IPTC Extension stands in for missing core fields', async () => {
    const write = ['-XMP-iptcExt:LocationShown={City=Turin,CountryName=Italy,Sublocation=Allianz Stadium}'];
    const path = await photo({ name: 'place.jpg', write });
    expect((await full.read(path)).details).toMatchObject({
      city: 'Turin',
      country: 'Italy',
      location: 'Allianz Stadium',
    });
  });

  test('a long caption in any script comes without broken letters, however the pipe cuts it', async () => {
    const caption = 'Ž 決勝 '.repeat(800).trim();
    const path = await photo({ name: 'pipe.png', write: [`-XMP-dc:Description=${caption}`] });
    for (let n = 0; n < 12; n += 1) expect((await full.read(path)).details.caption).toBe(caption);
  });

  test('the largest preview of a RAW file is extracted', async () => {
    const jpeg = await sharp({
      create: {
        width: 640,
        height: 480,
        channels: 3,
        background: '#a22',
        noise: { type: 'gaussian', mean: 128, sigma: 30 },
      },
    })
      .jpeg()
      .toBuffer();
    const path = join(folder, 'preview.dng');
    const color = () => [9000, 9000, 9000] as const;
    await writeFile(
      path,
      syntheticDng({ width: 64, height: 48, orientation: 8, color, preview: { jpeg, width: 640, height: 480 } }),
    );
    const outPath = join(folder, 'extracted.jpg');
    expect(await full.extractPreview(path, outPath)).toEqual({
      path: outPath,
      tag: 'IFD0:PreviewImage',
      width: 640,
      height: 480,
    });
    expect((await sharp(outPath).metadata()).width).toBe(640);
    expect(await full.read(path)).toMatchObject({ fileType: 'DNG', mimeType: 'image/x-adobe-dng', orientation: 8 });
  });
});

describe('hostile values', () => {
  const read = (tags: Record<string, unknown>) => toPhotoMetadata(tags, 'exiftool');

  test('a huge caption is cut to 8 KiB between characters', () => {
    const caption = read({ 'XMP-dc:Description': '北'.repeat(5_000_000) }).details.caption ?? '';
    expect(Buffer.byteLength(caption)).toBeLessThanOrEqual(8192);
    expect(caption).toMatch(/^北+$/);
    expect(caption.length).toBe(2730);
  });

  test('control characters are removed, letters are composed, a lone surrogate is replaced', () => {
    const title = read({ 'XMP-dc:Title': ' \u0000S\u030ce\u0007s\u030cko\r\nscores \ud800' }).details.title;
    expect(title).toBe('Šeško\nscores \ufffd');
  });

  test('keywords are bounded in number and length', () => {
    const keywords = read({
      'XMP-dc:Subject': Array.from({ length: 20_000 }, (_, i) => `k${i}${'x'.repeat(300)}`),
    }).keywords;
    expect(keywords).toHaveLength(500);
    expect(Math.max(...keywords.map((keyword) => keyword.length))).toBe(256);
  });

  test.each([Number.NaN, Number.POSITIVE_INFINITY, -1, 'inf', 'undef', null, true, [], {}, [[['deep']]], '1e999'])(
    'the value %j in every tag harms nothing',
    (value) => {
      const names = [
        'XMP-dc:Title',
        'IPTC:Keywords',
        'ExifIFD:ISO',
        'ExifIFD:FNumber',
        'ExifIFD:ExposureTime',
        'IFD0:Orientation',
        'Composite:GPSLatitude',
        'Composite:GPSLongitude',
        'Composite:ImageSize',
        'XMP-xmp:Rating',
        'IFD0:Make',
        'XMP-iptcExt:LocationShown',
        'XMP-iptcExt:PersonInImageWDetails',
        'ExifIFD:DateTimeOriginal',
        'File:FileType',
      ];
      const metadata = read(Object.fromEntries(names.map((name) => [name, value])));
      expect(metadata.orientation).toBe(1);
      expect(metadata.capturedAt).toBeUndefined();
      expect(metadata.details.camera?.iso).toBeUndefined();
      expect(metadata.rating).toBeUndefined();
    },
  );

  test('a position that is zero or off the globe is none', () => {
    const at = (lat: unknown, lon: unknown) =>
      read({ 'Composite:GPSLatitude': lat, 'Composite:GPSLongitude': lon }).details.gps;
    expect(at(0, 0)).toBeUndefined();
    expect(at(91, 10)).toBeUndefined();
    expect(at(48.1, 181)).toBeUndefined();
    expect(at(48.1, 11.5)).toEqual({ lat: 48.1, lon: 11.5 });
  });

  test("a camera's own phrase is no caption", () => {
    expect(read({ 'IFD0:ImageDescription': 'OLYMPUS DIGITAL CAMERA         ' }).details.caption).toBeUndefined();
  });
});
