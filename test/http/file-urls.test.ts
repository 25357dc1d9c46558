import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Json, startApp, type TestApp } from '../support/app.ts';
import { plainPhoto, uploadMedia } from '../support/library.ts';

let service: TestApp;
let seed = 0;
beforeAll(async () => {
  service = await startApp();
});
afterAll(() => service.close());

const upload = async (metadata: object = {}) => uploadMedia(service, await plainPhoto(++seed), { metadata });
const patch = async (id: number, body: object): Promise<Json> => {
  const answer = await service.call('PATCH', `/v1/media/${id}`, { body });
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return answer.body['media'];
};
const urlsOf = (media: Json): string[] => [
  ...['photographer', 'compressed', 'thumbnail'].map((quality) => media['qualities'][quality].url),
  ...Object.values(media['images'] as Record<string, string>),
];
const statuses = (urls: readonly string[]) =>
  Promise.all(urls.map(async (url) => (await fetch(url, { redirect: 'manual' })).status));
const withoutSignature = (url: string) => {
  const bare = new URL(url);
  bare.searchParams.delete('exp');
  bare.searchParams.delete('s');
  return bare.href.replaceAll('%2C', ',');
};

describe('file and image URLs', () => {
  test('open without an API key, from any page, and are never sniffed or run', async () => {
    const media = await upload();
    const urls = urlsOf(media);
    expect(urls).toHaveLength(8);
    for (const url of urls) {
      expect(url).not.toContain(service.key);
      const answer = await fetch(url);
      expect([url, answer.status]).toEqual([url, 200]);
      expect(answer.headers.get('access-control-allow-origin')).toBe('*');
      expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
      expect(answer.headers.get('content-security-policy')).toContain('sandbox');
      expect(answer.headers.get('content-type')).toBe('image/jpeg');
      expect(answer.headers.get('cache-control')).toContain('public');
    }
  });

  test('cannot be guessed: another asset, another organization, another token or a missing part is 404', async () => {
    const media = await upload();
    const other = await upload();
    const url: string = media['qualities'].compressed.url;
    const image: string = media['images'].url;
    const token = /\/([\w-]+)-\d+[/.]/.exec(url)?.[1] ?? '';
    const flipped = (token.startsWith('A') ? 'B' : 'A') + token.slice(1);
    for (const forged of [
      url.replace(`/${media['id']}/`, `/${other['id']}/`),
      url.replace(`/file/${service.organizationId}/`, '/file/99999/'),
      url.replace(token, flipped),
      url.replace(token, `${token.slice(0, -1)}${token.endsWith('A') ? 'B' : 'A'}`),
      url.replace(token, token.slice(0, 8)),
      url.replace('compressed', 'poster'),
      url.replace('compressed', '..%2Fphotographer'),
      image.replace(`/${media['id']}/`, `/${other['id']}/`),
      image.replace(token, flipped),
      image.replace(/-\d+\./, '.'),
    ]) {
      expect([forged, ...(await statuses([forged]))]).toEqual([forged, 404]);
    }
  });

  test('stop working when the asset is deleted, and do not come back when it is restored', async () => {
    const media = await upload();
    const urls = urlsOf(media);
    expect(new Set(await statuses(urls))).toEqual(new Set([200]));
    await service.call('DELETE', `/v1/media/${media['id']}`);
    expect(new Set(await statuses(urls))).toEqual(new Set([404]));
    const restored = await service.call('POST', `/v1/media/${media['id']}/restore`);
    expect(new Set(await statuses(urls))).toEqual(new Set([404]));
    expect(new Set(await statuses(urlsOf(restored.body['media'])))).toEqual(new Set([200]));
  });
});

describe('usage', () => {
  test.each([
    ['limited', {}],
    ['embargoed', { usage_at: '2999-01-01T00:00:00Z' }],
    ['expired', { usage_at: '2020-01-01T00:00:00Z' }],
  ])('%s opens with a signature only, and no shared cache keeps it', async (usage, when) => {
    const before = await upload();
    const media = await patch(before['id'], { usage, ...when });
    const signed = urlsOf(media);
    expect(new Set(await statuses(signed))).toEqual(new Set([200]));
    for (const url of signed) {
      expect((await fetch(url)).headers.get('cache-control')).toBe('private, no-store');
      const refused = await fetch(withoutSignature(url));
      expect([url, refused.status]).toEqual([url, 403]);
      expect(refused.headers.get('cache-control')).toBe('no-store');
      expect(((await refused.json()) as Json)['code']).toBe('media_restricted');
      const late = new URL(url);
      late.searchParams.set('exp', '4102444800');
      expect(await statuses([late.href])).toEqual([403]);
    }
    const other: string = media['images'].square.replace('w=800', 'w=801');
    expect(await statuses([other])).toEqual([403]);
    // Handed out before, when it was public.
    expect(new Set(await statuses(urlsOf(before)))).toEqual(new Set([403]));
    const open = await patch(before['id'], { usage: 'approved', usage_at: null });
    expect(new Set(await statuses(urlsOf(open)))).toEqual(new Set([200]));
    expect(open['images'].url).not.toContain('exp=');
  });

  test('embargoed is public again when the embargo is over, without any write', async () => {
    const media = await upload({ usage: 'embargoed', usage_at: new Date(Date.now() + 2500).toISOString() });
    const bare = urlsOf(media).map(withoutSignature);
    expect(new Set(await statuses(bare))).toEqual(new Set([403]));
    await expect.poll(async () => new Set(await statuses(bare)), { timeout: 10_000 }).toEqual(new Set([200]));
    expect(new Set(await statuses(urlsOf(media)))).toEqual(new Set([200]));
    expect(withoutSignature(media['images'].url)).toBe(
      (await service.call('GET', `/v1/media/${media['id']}`)).body['media'].images.url,
    );
  });

  test('a signed image URL of an old revision leads to the present picture', async () => {
    const media = await upload({ usage: 'limited' });
    await patch(media['id'], { focal: { x: 0.1, y: 0.1 } });
    const old: string = media['images'].square;
    const redirect = await fetch(old, { redirect: 'manual' });
    expect(redirect.status).toBe(302);
    expect((await fetch(old)).status).toBe(200);
  });
});

describe('a file', () => {
  let url: string;
  let bytes: Buffer;
  beforeAll(async () => {
    bytes = await plainPhoto(5000, { width: 640, height: 480 });
    const media = await uploadMedia(service, bytes, { metadata: { name: 'Tor "Žilina" 50%.jpg' } });
    url = media['qualities'].photographer.url;
  });
  const get = async (headers: Record<string, string>, method = 'GET') => {
    const answer = await fetch(url, { headers, method });
    return { answer, body: Buffer.from(await answer.arrayBuffer()) };
  };

  test('is answered whole with its length, type, name and ETag', async () => {
    const { answer, body } = await get({});
    expect(body.equals(bytes)).toBe(true);
    expect(answer.headers.get('content-length')).toBe(String(bytes.length));
    expect(answer.headers.get('accept-ranges')).toBe('bytes');
    expect(answer.headers.get('content-disposition')).toBe(
      `inline; filename="Tor __ilina_ 50_.jpg"; filename*=UTF-8''Tor%20%22%C5%BDilina%22%2050%25.jpg`,
    );
    expect(answer.headers.get('etag')).toMatch(/^"[\w-]+"$/);
  });

  test.each([
    ['bytes=0-99', 0, 100],
    ['bytes=100-', 100, undefined],
    ['bytes=-50', -50, undefined],
    ['bytes=0-99999999', 0, undefined],
  ])('is answered in part for %s', async (range, start, end) => {
    const { answer, body } = await get({ Range: range });
    const expected = bytes.subarray(start, end);
    const first = start < 0 ? bytes.length + start : start;
    expect(answer.status).toBe(206);
    expect(body.equals(expected)).toBe(true);
    expect(answer.headers.get('content-range')).toBe(`bytes ${first}-${first + expected.length - 1}/${bytes.length}`);
    expect(answer.headers.get('content-length')).toBe(String(expected.length));
  });

  test('refuses a range beyond its end and ignores one it does not understand', async () => {
    const beyond = await get({ Range: `bytes=${bytes.length}-` });
    expect([beyond.answer.status, beyond.answer.headers.get('content-range')]).toEqual([
      416,
      `bytes */${bytes.length}`,
    ]);
    expect((await get({ Range: 'bytes=-0' })).answer.status).toBe(416);
    for (const range of ['bytes=5-1', 'lines=1-2', 'bytes=a-b', 'bytes=0-1,5-6']) {
      expect([range, (await get({ Range: range })).answer.status]).toEqual([range, 200]);
    }
  });

  test('answers HEAD with the headers alone', async () => {
    const { answer, body } = await get({}, 'HEAD');
    expect([answer.status, body.length]).toEqual([200, 0]);
    expect(answer.headers.get('content-length')).toBe(String(bytes.length));
    expect(answer.headers.get('content-type')).toBe('image/jpeg');
  });

  test('is not sent again to who has it, however the ETag is written', async () => {
    const etag = (await get({}, 'HEAD')).answer.headers.get('etag') ?? '';
    for (const given of [etag, `W/${etag}`, `"other", ${etag}`]) {
      const { answer, body } = await get({ 'If-None-Match': given });
      expect([given, answer.status, body.length]).toEqual([given, 304, 0]);
      expect(answer.headers.get('etag')).toBe(etag);
    }
    expect((await get({ 'If-None-Match': '"other"' })).answer.status).toBe(200);
    expect((await get({ Range: 'bytes=0-9', 'If-Range': etag })).answer.status).toBe(206);
    expect((await get({ Range: 'bytes=0-9', 'If-Range': '"other"' })).answer.status).toBe(200);
  });
});
