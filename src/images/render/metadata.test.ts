import sharp from 'sharp';
import { beforeAll, describe, expect, test } from 'vitest';

import { colourAt, expectNear, quarters, RED } from '../../../test/support/pictures.ts';
import { renderWith } from '../../../test/support/render.ts';
import { createRenderer } from './renderer.ts';
import { cleanXmp } from './xmp.ts';

const renderer = createRenderer();
const CREDIT = { artist: 'Ana Kovac', copyright: '(c) Harbour FC' };
const PLACE = /48\/1|51 deg|2\.3522|48\.8566/;

const XMP = `<?xpacket begin='' id='W5M0MpCehiHzreSzNTczkc9d'?><x:xmpmeta xmlns:x="adobe:ns:meta/">
<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about=""
 xmlns:exif="http://ns.adobe.com/exif/1.0/" xmlns:e2="http://ns.adobe.com/exif/1.0/" xmlns:dc="http://purl.org/dc/elements/1.1/"
 xmlns:tiff="http://ns.adobe.com/tiff/1.0/" xmlns:xmp="http://ns.adobe.com/xap/1.0/" xmlns:mwg-rs="http://www.metadataworkinggroup.com/schemas/regions/"
 xmlns:photoshop="http://ns.adobe.com/photoshop/1.0/" exif:GPSLatitude="48.8566N" tiff:Orientation='6' photoshop:City="Paris">
<exif:GPSLongitude>2.3522E</exif:GPSLongitude><e2:GPSAltitude>48/1</e2:GPSAltitude>
<dc:creator><rdf:Seq><rdf:li>Old Name</rdf:li></rdf:Seq></dc:creator>
<dc:description><rdf:Alt><rdf:li xml:lang="x-default">A goal in the rain</rdf:li></rdf:Alt></dc:description>
<xmp:Thumbnails><rdf:Alt><rdf:li xmlns:xmpGImg="http://ns.adobe.com/xap/1.0/g/img/" xmpGImg:image="AAAA"/></rdf:Alt></xmp:Thumbnails>
<mwg-rs:Regions rdf:parseType="Resource"><mwg-rs:Name>Someone</mwg-rs:Name></mwg-rs:Regions>
</rdf:Description></rdf:RDF></x:xmpmeta><?xpacket end='w'?>`;

let source: Buffer;
beforeAll(async () => {
  source = await quarters(240, 160)
    .withExif({
      IFD0: { Make: 'Harbour Cameras', Artist: 'Old Name', ImageDescription: 'From the stands' },
      IFD2: { DateTimeOriginal: '2026:03:01 20:15:00', LensModel: 'Long one' },
      IFD3: {
        GPSLatitudeRef: 'N',
        GPSLatitude: '48/1 51/1 23/1',
        GPSLongitude: '2/1 21/1 7/1',
        GPSDateStamp: '2026:03:01',
      },
    })
    .withXmp(XMP)
    .jpeg({ quality: 95 })
    .toBuffer();
});

/** EXIF with GPS, maker notes and a thumbnail, as cameras write it, in either byte order. */
function cameraExif(order: 'II' | 'MM'): Buffer {
  const tiff = Buffer.alloc(400);
  const u16 = (at: number, value: number) =>
    order === 'II' ? tiff.writeUInt16LE(value, at) : tiff.writeUInt16BE(value, at);
  const u32 = (at: number, value: number) =>
    order === 'II' ? tiff.writeUInt32LE(value, at) : tiff.writeUInt32BE(value, at);
  const entry = (at: number, [tag, type, count, value]: readonly [number, number, number, number]) => {
    u16(at, tag);
    u16(at + 2, type);
    u32(at + 4, count);
    u32(at + 8, value);
  };
  tiff.write(order, 0, 'latin1');
  u16(2, 42);
  u32(4, 8);
  u16(8, 3);
  entry(10, [0x010f, 2, 12, 200]);
  entry(22, [0x8769, 4, 1, 80]);
  entry(34, [0x8825, 4, 1, 120]);
  u32(46, 150);
  u16(80, 1);
  entry(82, [0x927c, 7, 20, 220]);
  u16(120, 1);
  entry(122, [0x0002, 5, 3, 250]);
  u16(150, 2);
  entry(152, [0x0201, 4, 1, 300]);
  entry(164, [0x0202, 4, 1, 60]);
  tiff.write('Camera Corp', 200, 'latin1');
  tiff.write('SECRETMAKERNOTE', 220, 'latin1');
  tiff.write('SECRETPLACE', 250, 'latin1');
  tiff.fill('SECRETTHUMB', 300, 360, 'latin1');
  return tiff;
}

function withExif(jpeg: Buffer, tiff: Buffer): Buffer {
  const head = Buffer.from('Exif\0\0', 'latin1');
  const marker = Buffer.from([0xff, 0xe1, 0, 0]);
  marker.writeUInt16BE(2 + head.length + tiff.length, 2);
  return Buffer.concat([jpeg.subarray(0, 2), marker, head, tiff, jpeg.subarray(2)]);
}

describe('meta=all', () => {
  test.each(['jpeg', 'webp', 'avif', 'png'])('keeps what the original says, but for the place, in %s', async (fmt) => {
    for (const query of [
      {},
      { w: '100', h: '100' },
      { rot: '90', fit: 'contain' },
      { blur: '30' },
      { maxbytes: '4000' },
    ]) {
      const { bytes } = await renderWith(renderer, source, { fmt, meta: 'all', ...query }, { credit: CREDIT });
      const { exif, xmp, hasProfile, orientation } = await sharp(bytes).metadata();
      const text = exif?.toString('latin1') ?? '';
      for (const kept of ['Harbour Cameras', 'Long one', '2026:03:01 20:15:00', 'Ana Kovac'])
        expect(text).toContain(kept);
      expect(text).not.toContain('Old Name');
      expect(hasProfile).toBe(false);
      expect([undefined, 1]).toContain(orientation);
      // Tag 0x8825 points to the GPS block, in either byte order.
      expect(exif?.includes(Buffer.from([0x25, 0x88, 0x04, 0x00]))).toBe(false);
      expect(exif?.includes(Buffer.from([0x88, 0x25, 0x00, 0x04]))).toBe(false);
      expect(text).not.toContain('2026:03:01\0');
      const packet = xmp?.toString('utf8') ?? '';
      for (const kept of ['A goal in the rain', 'Paris', 'Ana Kovac']) expect(packet).toContain(kept);
      for (const gone of ['GPS', 'Old Name', 'xmpGImg:image', 'Someone', 'tiff:Orientation='])
        expect(packet).not.toContain(gone);
      expect(PLACE.test(bytes.toString('latin1'))).toBe(false);
    }
  });

  test.each(['II', 'MM'] as const)(
    'maker notes, place and thumbnail of a camera (%s) are not in the answer',
    async (order) => {
      const camera = withExif(await quarters(240, 160).jpeg().toBuffer(), cameraExif(order));
      for (const fmt of ['jpeg', 'webp', 'avif', 'png']) {
        const { bytes } = await renderWith(renderer, camera, { fmt, meta: 'all', w: '100' });
        expect(bytes.includes('Camera Corp'), fmt).toBe(true);
        expect(bytes.includes('SECRET'), fmt).toBe(false);
        expectNear((await colourAt(bytes, 0.2, 0.2)).slice(0, 3), RED);
      }
    },
  );

  test('EXIF that is not well formed costs what it says, not the picture', async () => {
    for (const [at, value] of [
      [8, 0xffff],
      [46, 0xfffffff0],
      [30, 8],
      [42, 8],
      [18, 0xffffff00],
    ] as const) {
      const tiff = cameraExif('II');
      if (at === 8) tiff.writeUInt16LE(value, at);
      else tiff.writeUInt32LE(value, at);
      const camera = withExif(await quarters(240, 160).jpeg().toBuffer(), tiff);
      const { bytes } = await renderWith(renderer, camera, { fmt: 'jpeg', meta: 'all', w: '100' }, { credit: CREDIT });
      expect(bytes.includes('SECRET'), `${at}`).toBe(false);
      expect(bytes.includes('Ana Kovac'), `${at}`).toBe(true);
    }
  });

  test('with redact it says no more than the credit, since names and previews could tell who is hidden', async () => {
    const { bytes } = await renderWith(
      renderer,
      source,
      { fmt: 'jpeg', meta: 'all', redact: 'faces' },
      { credit: CREDIT },
    );
    expect(bytes.includes('Harbour Cameras')).toBe(false);
    expect(bytes.includes('Ana Kovac')).toBe(true);
  });

  test('texts of a PNG that are neither EXIF nor XMP do not pass', async () => {
    const png = await sharp(source).keepMetadata().png().toBuffer();
    const secret = Buffer.from('Location\0SECRET place', 'latin1');
    const chunk = Buffer.alloc(12 + secret.length);
    chunk.writeUInt32BE(secret.length, 0);
    chunk.write('tEXt', 4, 'latin1');
    secret.copy(chunk, 8);
    const { crc32 } = await import('node:zlib');
    chunk.writeUInt32BE(crc32(chunk.subarray(4, -4)), chunk.length - 4);
    const spiked = Buffer.concat([png.subarray(0, 33), chunk, png.subarray(33)]);
    const { bytes } = await renderWith(renderer, spiked, { fmt: 'png', meta: 'all' });
    expect(bytes.includes('SECRET')).toBe(false);
    expect(bytes.includes('Harbour Cameras')).toBe(true);
  });
});

describe('meta=none and copyright', () => {
  test('none leaves out even the credit', async () => {
    for (const fmt of ['jpeg', 'webp', 'avif', 'png']) {
      const { bytes } = await renderWith(renderer, source, { fmt, meta: 'none' }, { credit: CREDIT });
      const { exif, xmp, iptc, icc } = await sharp(bytes).metadata();
      expect([exif, xmp, iptc, icc]).toEqual([undefined, undefined, undefined, undefined]);
    }
  });

  test('copyright, the default, says the credit and nothing of the original, after any effect', async () => {
    for (const query of [{}, { rot: '90' }, { blur: '50' }, { redact: 'faces' }, { maxbytes: '5000' }]) {
      const { bytes } = await renderWith(renderer, source, { fmt: 'jpeg', ...query }, { credit: CREDIT });
      expect(bytes.includes('Ana Kovac')).toBe(true);
      expect(bytes.includes('Harbour Cameras')).toBe(false);
    }
  });
});

describe('XMP of an original', () => {
  test('that still names coordinates after cleaning, or may hide them, is refused whole', () => {
    const withNote = (note: string) => XMP.replace('A goal in the rain', note);
    expect(cleanXmp(withNote('GPSLatitude=48.8566'), undefined)).toBeUndefined();
    expect(cleanXmp(withNote('<![CDATA[anything]]>'), undefined)).toBeUndefined();
    expect(cleanXmp(withNote('<!-- anything -->'), undefined)).toBeUndefined();
    expect(cleanXmp(XMP.replace('</mwg-rs:Regions>', ''), undefined)).toBeUndefined();
    expect(cleanXmp('GPSLatitude without any structure', undefined)).toBeUndefined();
    expect(cleanXmp(withNote('x'.repeat(300_000)), undefined)).toBeUndefined();
  });

  test('loses coordinates under any prefix, in attributes and elements', () => {
    const cleaned = cleanXmp(
      XMP.replace('<exif:GPSLongitude>2.3522E</exif:GPSLongitude>', '<q:GPSx><q:b/>2.3522E</q:GPSx>'),
      undefined,
    );
    expect(cleaned).toContain('A goal in the rain');
    expect(cleaned).not.toMatch(PLACE);
  });

  test('a caption about a GPS vest is no coordinate', () => {
    const vest = XMP.replace('A goal in the rain', 'Player with a GPS vest');
    expect(cleanXmp(vest, undefined)).toContain('GPS vest');
  });

  test.each(['<exif:GPSa ', '<a>', '<a b="', '<?', ' xmlns:e="http://ns.adobe.com/exif/1.0/"', '</a>', "<a b='>' "])(
    'made of %j only is read in no time',
    (part) => {
      const hostile = `<rdf:RDF>${part.repeat(Math.floor(250_000 / part.length))}</rdf:RDF>`;
      const startedMs = performance.now();
      cleanXmp(hostile, CREDIT);
      // What is not linear takes minutes at this length.
      expect(performance.now() - startedMs).toBeLessThan(1500);
    },
  );
});
