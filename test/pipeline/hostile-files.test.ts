import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import { join } from 'node:path';
import { deflateSync } from 'node:zlib';
import sharp from 'sharp';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { quarters } from '../fixtures/photos/painted-photo.ts';
import { type Json, startApp, type TestApp } from '../support/app.ts';
import { filesBelow, plainPhoto, pointersOf, storedObjects } from '../support/library.ts';

let service: TestApp;
beforeAll(async () => {
  service = await startApp();
});
afterAll(() => service.close());

const temporaryFiles = () => filesBelow(join(service.dataDir, 'tmp'));

// Whatever a test sends: afterwards the service is well, and nothing half-done is left anywhere.
afterEach(async () => {
  expect((await service.call('GET', '/readyz', { key: null })).status).toBe(200);
  await expect.poll(temporaryFiles, { timeout: 10_000 }).toEqual([]);
  const { db } = service.app.installation;
  const referenced = await db.selectFrom('asset_file').select('storage_key').execute();
  expect(await storedObjects(service)).toEqual(referenced.map((row) => row.storage_key).toSorted());
  const stuck = await db.selectFrom('asset').select('id').where('status', 'in', ['uploading', 'processing']).execute();
  expect(stuck).toEqual([]);
});

const chunk = (type: string, data: Buffer): Buffer => {
  const body = Buffer.concat([Buffer.from(type), data]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const crc = Buffer.alloc(4);
  crc.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, crc]);
};
function crc32(data: Buffer): number {
  let crc = ~0;
  for (const byte of data) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (0xedb88320 & -(crc & 1));
  }
  return ~crc >>> 0;
}
function png(width: number, height: number, pixels: Buffer): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([1, 0], 8);
  const signature = Buffer.from('89504e470d0a1a0a', 'hex');
  const data = chunk('IDAT', deflateSync(pixels, { level: 9 }));
  return Buffer.concat([signature, chunk('IHDR', header), data, chunk('IEND', Buffer.alloc(0))]);
}
function tiff(count: number, offset: number): Buffer {
  const data = Buffer.alloc(64);
  data.write('II*\0', 'latin1');
  data.writeUInt32LE(8, 4);
  data.writeUInt16LE(count, 8);
  // Width and height of 2^32-1 pixels, and strips that lie outside the file.
  for (const [at, tag] of [256, 257, 273, 279].entries()) {
    data.writeUInt16LE(tag, 10 + at * 12);
    data.writeUInt16LE(4, 12 + at * 12);
    data.writeUInt32LE(1, 14 + at * 12);
    data.writeUInt32LE(offset, 18 + at * 12);
  }
  return data;
}
const jpegOf = async () => quarters(640, 480).jpeg().toBuffer();
const zip = Buffer.concat([Buffer.from('PK\u0003\u0004', 'latin1'), randomBytes(500)]);

describe('what is no photo or video by its content is refused, whatever its name', () => {
  test.each<[string, Buffer]>([
    ['text', Buffer.from('just some text, long enough to be looked at')],
    ['HTML', Buffer.from('<!doctype html><html><script>alert(1)</script></html>')],
    ['SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>')],
    ['PDF', Buffer.from('%PDF-1.7\n1 0 obj\n<< /Type /Catalog >>\nendobj\n')],
    ['ZIP', zip],
    ['random bytes', randomBytes(100_000)],
    ['zeros', Buffer.alloc(100_000)],
    ['a program', Buffer.concat([Buffer.from('\u007fELF', 'latin1'), Buffer.alloc(200)])],
    ['an HLS playlist', Buffer.from('#EXTM3U\n#EXT-X-VERSION:3\n#EXTINF:10,\nfile:///etc/passwd\n')],
    ['an ffmpeg concat list', Buffer.from("ffconcat version 1.0\nfile '/etc/passwd'\nfile 'http://10.0.0.1/'\n")],
    ['a single byte', Buffer.from([0xff])],
  ])('%s', async (_what, bytes) => {
    for (const name of ['photo.jpg', 'video.mp4']) {
      const answer = await service.upload(bytes, { name });
      expect([answer.status, answer.body['code']]).toEqual([415, 'unsupported_media_type']);
      expect(pointersOf(answer)).toEqual(['/file']);
    }
  });

  test('an empty file', async () => {
    const answer = await service.upload(Buffer.alloc(0), { name: 'empty.jpg' });
    expect([answer.status, answer.body['code']]).toEqual([422, 'file_empty']);
  });
});

/** Either refused with a 4xx, or taken in and settled: ready (as far as it can be read) or failed with a reason. */
async function settled(bytes: Buffer, name: string): Promise<Json> {
  const answer = await service.upload(bytes, { name });
  if (answer.status >= 400) {
    expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(500);
    expect(answer.body['detail'].length).toBeGreaterThan(20);
    return { status: 'refused' };
  }
  const media = answer.body['media'];
  expect(['ready', 'failed']).toContain(media.status);
  if (media.status === 'failed') {
    expect(media.failure.code).toMatch(/^(file_damaged|file_limits_exceeded|unsupported_media_type)$/);
    expect(media.failure.reason).toMatch(/\w+ \w+ \w+/);
    expect(media.failure.reason).not.toMatch(/\/tmp\/|\/work|vips|libav|node_modules|undefined/i);
  }
  return media;
}

describe('damaged photos', () => {
  test.each([90, 50])('a JPEG cut off at %i % is shown as far as it goes, with a warning', async (percent) => {
    const whole = await sharp(randomBytes(640 * 480 * 3), { raw: { width: 640, height: 480, channels: 3 } })
      .jpeg()
      .toBuffer();
    const media = await settled(whole.subarray(0, (whole.length * percent) / 100), 'cut.jpg');
    expect(media['status']).toBe('ready');
    expect(media['warnings'].length).toBeGreaterThan(0);
    expect((await fetch(`${media['images'].url}?w=100`)).status).toBe(200);
  });

  test.each<[string, () => Promise<Buffer> | Buffer]>([
    ['a JPEG cut off at 10 %', async () => (await jpegOf()).subarray(0, (await jpegOf()).length / 10)],
    ['a JPEG that is its header only', async () => (await jpegOf()).subarray(0, 20)],
    ['a PNG of 60,000 x 60,000 pixels in a few bytes', () => png(60_000, 60_000, Buffer.alloc(1_000_000))],
    ['a PNG of 2^31-1 pixels a side', () => png(2 ** 31 - 1, 2 ** 31 - 1, Buffer.alloc(10))],
    ['a PNG without pixels', () => png(64, 64, Buffer.alloc(0))],
    ['a TIFF with absurd sizes', () => tiff(4, 0xffffffff)],
    ['a TIFF with 65,535 entries', () => tiff(65_535, 12)],
    [
      'a TIFF whose directory is outside',
      () => Buffer.concat([Buffer.from('II*\0\xff\xff\xff\x7f', 'latin1'), Buffer.alloc(40)]),
    ],
    ['WebP garbage', () => Buffer.concat([Buffer.from('RIFF\xff\xff\xff\x00WEBPVP8 ', 'latin1'), randomBytes(400)])],
    [
      'AVIF garbage',
      () => Buffer.concat([Buffer.from('\0\0\0\x1cftypavif\0\0\0\0avifmif1miaf', 'latin1'), randomBytes(400)]),
    ],
    [
      'HEIC garbage',
      () => Buffer.concat([Buffer.from('\0\0\0\x18ftypheic\0\0\0\0heicmif1', 'latin1'), randomBytes(400)]),
    ],
    ['RAW garbage', () => Buffer.concat([Buffer.from('FUJIFILMCCD-RAW 0201', 'latin1'), randomBytes(4000)])],
    ['GIF garbage', () => Buffer.concat([Buffer.from('GIF89a', 'latin1'), randomBytes(400)])],
  ])('%s', async (_what, make) => {
    const media = await settled(await make(), 'photo.jpg');
    expect(media['status']).not.toBe('ready');
  });

  test('a GIF of 2,000 frames is taken by its first', async () => {
    const frames = Buffer.alloc(32 * 32 * 2000 * 3);
    for (let at = 0; at < frames.length; at += 97) frames[at] = at % 251;
    const bytes = await sharp(frames, { raw: { width: 32, height: 32 * 2000, channels: 3, pageHeight: 32 } })
      .gif()
      .toBuffer();
    expect(await settled(bytes, 'many.gif')).toMatchObject({ status: 'ready', width: 32, height: 32 });
  });

  test.each<[string, Buffer]>([
    ['HTML', Buffer.from('<html><script>alert(1)</script></html>')],
    ['ZIP', zip],
  ])('a JPEG that is %s too is a photo and never anything else', async (_what, tail) => {
    const media = await settled(Buffer.concat([await jpegOf(), tail]), 'both.html');
    expect(media).toMatchObject({ status: 'ready', mime_type: 'image/jpeg' });
    const { url } = media['qualities'].photographer;
    const answer = await fetch(url);
    expect(url).toMatch(/\.jpg$/);
    expect(answer.headers.get('content-type')).toBe('image/jpeg');
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
    expect(answer.headers.get('content-disposition')).toContain('filename="both.jpg"');
  });
});

describe('file names', () => {
  test.each<[string, string]>([
    ['../../../etc/passwd', 'passwd'],
    ['..\\..\\windows\\system.ini', 'system.ini'],
    ['/absolute/path.jpg', 'path.jpg'],
    ['name\u0000.jpg', 'name.jpg'],
    ['line\r\nX-Injected: 1.jpg', 'lineX-Injected: 1.jpg'],
    ['safe\u202egpj.exe', 'safe\u202egpj.exe'],
    ['⚽🏆 Šeško 北京.jpg', '⚽🏆 Šeško 北京.jpg'],
    [`${'x'.repeat(4000)}.jpg`, 'x'.repeat(400)],
    [`${'x'.repeat(399)}🏆.jpg`, 'x'.repeat(399)],
    ['..', 'unnamed'],
    ['', 'unnamed'],
  ])('%j', async (sent, kept) => {
    const boundary = 'boundary';
    const photo = await plainPhoto(randomBytes(3).readUIntBE(0, 3));
    const head = `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="${sent.replaceAll('\\', '\\\\').replace(/\r\n/g, '')}"\r\nContent-Type: image/jpeg\r\n\r\n`;
    const answer = await fetch(`${service.url}/v1/media`, {
      method: 'POST',
      headers: {
        'X-Api-Key': service.key,
        Prefer: 'wait=30',
        'Content-Type': `multipart/form-data; boundary=${boundary}`,
      },
      body: Buffer.concat([Buffer.from(head), photo, Buffer.from(`\r\n--${boundary}--\r\n`)]),
    });
    const body = (await answer.json()) as Json;
    if (answer.status >= 400) {
      // A header with a NUL or without a name is not what RFC 7578 allows.
      expect([400, 415, 422]).toContain(answer.status);
      expect(['name\u0000.jpg', '']).toContain(sent);
      return;
    }
    expect(body['media']).toMatchObject({ status: 'ready', name: kept });
    const file = await fetch(body['media'].qualities.photographer.url);
    expect(file.status).toBe(200);
    expect(file.headers.get('x-injected')).toBeNull();
  });
});

describe('malformed uploads', () => {
  const send = async (parts: readonly [string, string | Blob, string?][]) => {
    const form = new FormData();
    for (const [name, value, fileName] of parts) {
      if (typeof value === 'string') form.append(name, value);
      else form.append(name, value, fileName ?? 'photo.jpg');
    }
    const answer = await fetch(`${service.url}/v1/media`, {
      method: 'POST',
      headers: { 'X-Api-Key': service.key },
      body: form,
    });
    const body = (await answer.json()) as Json;
    expect(answer.headers.get('content-type')).toContain('application/problem+json');
    return [answer.status, body['code']];
  };
  const file = async (): Promise<Blob> => new Blob([new Uint8Array(await jpegOf())]);

  test('are refused with what is wrong', async () => {
    expect(
      await send([
        ['metadata', '{not json'],
        ['file', await file()],
      ]),
    ).toEqual([400, 'malformed_json']);
    expect(
      await send([
        ['metadata', '[]'],
        ['file', await file()],
      ]),
    ).toEqual([400, 'validation_failed']);
    expect(
      await send([
        ['metadata', '"text"'],
        ['file', await file()],
      ]),
    ).toEqual([400, 'validation_failed']);
    expect(await send([['metadata', '{}']])).toEqual([400, 'validation_failed']);
    expect(await send([['photo', await file()]])).toEqual([400, 'validation_failed']);
    expect(
      await send([
        ['colour', 'red'],
        ['file', await file()],
      ]),
    ).toEqual([400, 'validation_failed']);
    expect(await send([['file', 'text, not a file']])).toEqual([400, 'validation_failed']);
    const [twice] = await send([
      ['file', await file()],
      ['file', await file()],
    ]);
    expect([400, 413]).toContain(twice);
    const large = JSON.stringify({ details: { text: 'x'.repeat(3_000_000) } });
    expect(
      await send([
        ['metadata', large],
        ['file', await file()],
      ]),
    ).toEqual([413, 'payload_too_large']);
    expect(
      await send([
        ['metadata', '{"name":"a\\u0000b"}'],
        ['file', await file()],
      ]),
    ).toEqual([400, 'validation_failed']);
    expect(
      await send([
        ['file', await file()],
        ['metadata', '{not json'],
      ]),
    ).toEqual([400, 'malformed_json']);
    expect(
      await send([
        ['metadata', '{"__proto__":{"name":"x"}}'],
        ['file', await file()],
      ]),
    ).toEqual([400, 'validation_failed']);
  });

  test.each([
    ['that ends inside the file', 'b', '--b\r\nContent-Disposition: form-data; name="file"; filename="a.jpg"\r\n\r\n'],
    ['that ends inside the metadata', 'b', '--b\r\nContent-Disposition: form-data; name="metadata"\r\n\r\n{"na'],
    ['that ends inside a header', 'b', '--b\r\nContent-Dispo'],
    ['without any part', 'b', ''],
    [
      'with another boundary than it says',
      'b',
      '--c\r\nContent-Disposition: form-data; name="file"\r\n\r\nx\r\n--c--\r\n',
    ],
    ['with a boundary of 1,000 characters', 'b'.repeat(1000), ''],
    ['with an empty boundary', '', ''],
  ])('of a form %s are the fault of the client', async (_what, boundary, head) => {
    const photo = head.includes('filename') ? await jpegOf() : Buffer.alloc(0);
    const answer = await fetch(`${service.url}/v1/media`, {
      method: 'POST',
      headers: { 'X-Api-Key': service.key, 'Content-Type': `multipart/form-data; boundary=${boundary}` },
      body: Buffer.concat([Buffer.from(head), photo]),
    });
    const body = (await answer.json()) as Json;
    expect([answer.status, body['code']], JSON.stringify(body)).toEqual([
      400,
      expect.stringMatching(/^(upload_incomplete|validation_failed)$/),
    ]);
  });

  test('that are no multipart are told what to send', async () => {
    for (const type of ['application/json', 'multipart/form-data', 'image/jpeg', 'text/plain']) {
      const answer = await service.call('POST', '/v1/media', { body: '{}', headers: { 'Content-Type': type } });
      expect([type, answer.status >= 400 && answer.status < 500]).toEqual([type, true]);
    }
  });

  test.each([0.1, 0.9])('broken off by the client after %d of the file leave nothing', async (share) => {
    const { hostname, port } = new URL(service.url);
    const photo = await sharp(randomBytes(1000 * 1000 * 3), { raw: { width: 1000, height: 1000, channels: 3 } })
      .jpeg({ quality: 95 })
      .toBuffer();
    const before = (await storedObjects(service)).length;
    const socket = connect(Number(port), hostname);
    await once(socket, 'connect');
    socket.write(
      `POST /v1/media HTTP/1.1\r\nHost: x\r\nX-Api-Key: ${service.key}\r\nContent-Length: ${photo.length + 200}\r\n` +
        'Content-Type: multipart/form-data; boundary=b\r\n\r\n' +
        '--b\r\nContent-Disposition: form-data; name="file"; filename="a.jpg"\r\n\r\n',
    );
    socket.write(photo.subarray(0, Math.floor(photo.length * share)));
    await expect.poll(temporaryFiles).toHaveLength(1);
    socket.destroy();
    await expect.poll(temporaryFiles).toEqual([]);
    expect(await storedObjects(service)).toHaveLength(before);
  });
});

test('after all of it a good photo is taken as if nothing had been', async () => {
  const good = await service.upload(await plainPhoto(1));
  expect([good.status, good.body['media'].status]).toEqual([201, 'ready']);
});
