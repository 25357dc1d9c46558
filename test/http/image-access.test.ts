import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { signPath } from '../../src/auth/index.ts';
import { type Answer, type Json, startApp, type TestApp } from '../support/app.ts';
import { baseOf, createImageKey, createImagePreset, setImageMode, signedUrl } from '../support/image-rules.ts';
import { plainPhoto, searchMedia, uploadMedia } from '../support/library.ts';
import { expectProblem } from '../support/problem.ts';

const run = promisify(execFile);
const hasPython = await run('python3', ['--version']).then(
  () => true,
  () => false,
);

let service: TestApp;
let media: Json;
let seed = 100;
beforeAll(async () => {
  service = await startApp();
  media = await uploadMedia(service, await plainPhoto(seed, { width: 1600, height: 1200 }));
  await createImagePreset(service, 'card', { w: 60, h: 40, fmt: 'png' });
});
afterAll(() => service.close());
afterEach(async () => {
  await setImageMode(service, 'open');
  const { body } = await service.call('GET', '/v1/image-key');
  for (const { id } of body['image_keys']) await service.call('DELETE', `/v1/image-key/${id}`);
});

const status = async (url: string) => (await fetch(url, { redirect: 'manual' })).status;
const call = (url: string): Promise<Answer> => service.call('GET', url.slice(service.url.length), { key: null });
const read = async () => (await service.call('GET', `/v1/media/${media['id']}`)).body['media'] as Json;
const changed = (url: string, name: string, value: string | undefined): string => {
  const other = new URL(url);
  if (value === undefined) other.searchParams.delete(name);
  else other.searchParams.set(name, value);
  return other.href;
};

describe('image settings', () => {
  test('are open at first, change with If-Match, and refuse what they do not know', async () => {
    const fresh = await service.createKey({ organizationId: await service.createOrganization('settings') });
    const settings = (method: string, body?: object, headers = {}) =>
      service.call(method, '/v1/image-settings', { key: fresh, headers, ...(body && { body }) });
    const first = await settings('GET');
    expect(first.body).toEqual({ image_settings: { mode: 'open', version: 0 } });
    const etag = first.headers.get('etag') ?? '';
    const patched = await settings('PATCH', { mode: 'signed' }, { 'If-Match': etag });
    expect([patched.status, patched.body['image_settings'].mode]).toEqual([200, 'signed']);
    expectProblem(await settings('PATCH', { mode: 'open' }, { 'If-Match': etag }), 'precondition_failed');
    const again = await settings('PATCH', { mode: 'presets' }, { 'If-Match': patched.headers.get('etag') ?? '' });
    expect(again.body['image_settings']).toEqual({ mode: 'presets', version: 2 });
    expectProblem(await settings('PATCH', { mode: 'closed' }), 'validation_failed');
    expectProblem(await settings('PATCH', { modes: 'open' }), 'validation_failed');
  });

  test('are read with media.read and written with admin', async () => {
    const reader = await service.createKey({ scopes: ['media.read'] });
    const writer = await service.createKey({ scopes: ['media.read', 'media.write'] });
    const none = await service.createKey({ scopes: ['tags.write'] });
    expect((await service.call('GET', '/v1/image-settings', { key: reader })).status).toBe(200);
    expectProblem(await service.call('GET', '/v1/image-settings', { key: none }), 'scope_missing');
    for (const [method, path, body] of [
      ['PATCH', '/v1/image-settings', { mode: 'open' }],
      ['GET', '/v1/image-key', undefined],
      ['POST', '/v1/image-key', { name: 'x' }],
      ['DELETE', '/v1/image-key/1', undefined],
      ['POST', '/v1/image-preset', { name: 'x', parameters: { w: 1 } }],
      ['PATCH', '/v1/image-preset/1', { name: 'x' }],
      ['DELETE', '/v1/image-preset/1', undefined],
      ['POST', '/v1/watermark', undefined],
      ['DELETE', '/v1/watermark/1', undefined],
    ] as const) {
      expectProblem(await service.call(method, path, { key: writer, ...(body && { body }) }), 'scope_missing');
    }
  });
});

describe('in every mode', () => {
  test.each(['open', 'presets', 'signed'])(
    '%s: the URLs that the API answers open, and those of searches too',
    async (mode) => {
      await setImageMode(service, mode);
      const images = [
        { name: 'own', w: 50, f: 'n' },
        { name: 'card', p: 'card' },
      ];
      const found = await searchMedia(service, { images });
      const hit = found['media'].find((one: Json) => one['id'] === media['id']);
      expect(Object.keys(hit['images'])).toEqual(['url', 'square', 'portrait', 'landscape', 'story', 'own', 'card']);
      const urls = [...Object.values<string>((await read())['images']), ...Object.values<string>(hit['images'])];
      for (const url of urls) {
        const answer = await fetch(url);
        expect([url, answer.status]).toEqual([url, 200]);
        expect(answer.headers.get('cache-control')).toContain('public');
      }
      // Stable: a page that was made from them can stay.
      expect((await read())['images']).toEqual((await read())['images']);
      expect(Object.values<string>((await read())['images']).some((url) => url.includes('exp='))).toBe(false);
      // Files are not images by URL.
      expect(await status(media['qualities'].compressed.url)).toBe(200);
    },
  );

  test('an asset that is not public opens as the API answers it only, not with a key of the organization', async () => {
    const limited = await uploadMedia(service, await plainPhoto(++seed), { metadata: { usage: 'limited' } });
    const key = await createImageKey(service);
    for (const mode of ['open', 'presets', 'signed']) {
      await setImageMode(service, mode);
      const { images } = (await service.call('GET', `/v1/media/${limited['id']}`)).body['media'];
      for (const url of Object.values<string>(images)) {
        const answer = await fetch(url);
        expect([answer.status, answer.headers.get('cache-control')]).toEqual([200, 'private, no-store']);
      }
      const own = signedUrl(images.url, { w: 20 }, { ...key, exp: 4_102_444_800 });
      expectProblem(await call(own), 'media_restricted');
      expectProblem(
        await call(`${baseOf(limited)}?p=card`),
        mode === 'signed' ? 'image_not_allowed' : 'media_restricted',
      );
    }
  });

  test('a genuine signature of the API that is over answers that the URL has expired, for files and images', async () => {
    const limited = await uploadMedia(service, await plainPhoto(++seed), { metadata: { usage: 'limited' } });
    const { db } = service.app.installation;
    const { signing_key: signingKey } = await db
      .selectFrom('organization')
      .select('signing_key')
      .where('id', '=', service.organizationId)
      .executeTakeFirstOrThrow();
    for (const url of [limited['images'].url, limited['qualities'].compressed.url] as string[]) {
      const path = new URL(url).pathname;
      const past = signPath(signingKey, { path, query: {}, expires: new Date(Date.now() - 1000) });
      expectProblem(await call(`${service.url}${path}?${new URLSearchParams(past).toString()}`), 'url_expired');
      const endless = signPath(signingKey, { path, query: {} });
      expectProblem(await call(`${service.url}${path}?${new URLSearchParams(endless).toString()}`), 'media_restricted');
    }
  });

  test('a URL that was signed without an end opens nothing once its asset is restricted', async () => {
    await setImageMode(service, 'signed');
    const other = await uploadMedia(service, await plainPhoto(++seed));
    const { url } = other['images'];
    expect(await status(url)).toBe(200);
    await service.call('PATCH', `/v1/media/${other['id']}`, { body: { usage: 'limited' } });
    expectProblem(await call(url), 'media_restricted');
    await service.call('PATCH', `/v1/media/${other['id']}`, { body: { usage: 'approved' } });
    // The revision has changed: by way of the present one.
    expect((await fetch(url)).status).toBe(200);
  });
});

describe('mode presets', () => {
  test('answers presets to anyone, with dpr, fmt and dl beside them, and nothing else', async () => {
    await setImageMode(service, 'presets');
    const base = baseOf(media);
    for (const query of [
      'p=card',
      'p=card&dpr=2',
      'p=card&fmt=webp',
      'p=card&output=webp',
      'dl=x&p=card&fmt=jpeg&dpr=1.5',
    ]) {
      expect([query, await status(`${base}?${query}`)]).toEqual([query, 200]);
    }
    for (const query of ['', '?w=60', '?p=card&w=61', '?p=card&q=90', '?fmt=png', '?dpr=2', '?p=card&wm=x']) {
      const answer = await call(base + query);
      expectProblem(answer, 'image_not_allowed');
      expect(answer.body['detail']).toContain('p=<preset>');
    }
    expectProblem(await call(`${base}?p=unknown`), 'image_parameter_invalid');
    const key = await createImageKey(service);
    expect(await status(signedUrl(base, { w: 61, p: 'card' }, key))).toBe(200);
  });

  test('holds at once for URLs that searches have answered before', async () => {
    const [before] = (await searchMedia(service, { name: media['name'] }))['media'];
    expect(before['images'].square).not.toContain('s=');
    await setImageMode(service, 'presets');
    expectProblem(await call(before['images'].square), 'image_not_allowed');
    const [after] = (await searchMedia(service, { name: media['name'] }))['media'];
    expect(await status(after['images'].square)).toBe(200);
  });
});

describe('a signature with a key of the organization', () => {
  test('opens exactly what was signed', async () => {
    await setImageMode(service, 'signed');
    const key = await createImageKey(service);
    const url = signedUrl(baseOf(media), { w: 60, h: 40, f: 'fp:0.2:0.3,n', dl: 'Tor 1:0 – 50 %' }, key);
    expect(await status(url)).toBe(200);
    // In whatever order and spelling it arrives.
    const parts = new URL(url).search.slice(1).split('&').toReversed().join('&').replaceAll('%2C', ',');
    expect(await status(`${baseOf(media)}?${parts}`)).toBe(200);
    const wrong: readonly (readonly [string, Parameters<typeof expectProblem>[1]])[] = [
      [changed(url, 'w', '61'), 'signature_invalid'],
      [changed(url, 'q', '5'), 'signature_invalid'],
      [changed(url, 'h', undefined), 'signature_invalid'],
      [changed(url, 's', 'A'.repeat(43)), 'signature_invalid'],
      [changed(url, 's', ''), 'signature_invalid'],
      [changed(url, 'kid', 'AAAAAAAA'), 'signature_invalid'],
      [changed(url, 'kid', undefined), 'signature_invalid'],
      [changed(url, 'exp', '4102444800'), 'signature_invalid'],
      [changed(url, 's', undefined), 'image_parameter_invalid'],
      [changed(changed(url, 's', undefined), 'kid', undefined), 'image_not_allowed'],
      [`${url}&s=x`, 'image_parameter_invalid'],
      [signedUrl(baseOf(media), { w: 0 }, key), 'image_parameter_invalid'],
      [signedUrl(baseOf(media), { w: 9 }, { ...key, secret: `${key.secret}x` }), 'signature_invalid'],
    ];
    for (const [at, code] of wrong) expectProblem(await call(at), code);
    const other = await uploadMedia(service, await plainPhoto(++seed));
    expectProblem(await call(url.replace(baseOf(media), baseOf(other))), 'signature_invalid');
  });

  test('of another organization opens nothing', async () => {
    const stranger = await service.createKey({ organizationId: await service.createOrganization('stranger') });
    const created = await service.call('POST', '/v1/image-key', { key: stranger, body: { name: 'theirs' } });
    const key = { kid: created.body['image_key'].kid, secret: created.body['secret'] };
    expectProblem(await call(signedUrl(baseOf(media), { w: 60 }, key)), 'signature_invalid');
  });

  test('is looked at in mode open too, and a wrong one says which text was to be signed', async () => {
    const key = await createImageKey(service);
    const url = signedUrl(baseOf(media), { w: 60, f: 'n,center' }, key);
    expect(await status(url)).toBe(200);
    const problem = expectProblem(await call(changed(url, 's', 'x')), 'signature_invalid');
    expect(problem['detail']).toContain(`${new URL(url).pathname}?f=n%2Ccenter&kid=${key.kid}&w=60`);
    expect(problem['detail']).not.toContain(key.secret);
  });

  test('is good until exp, and no cache keeps the picture longer', async () => {
    await setImageMode(service, 'signed');
    const key = await createImageKey(service);
    const now = Math.floor(Date.now() / 1000);
    const answer = await fetch(signedUrl(baseOf(media), { w: 31 }, { ...key, exp: now + 100 }));
    expect(answer.status).toBe(200);
    const [, seconds] = /^public, max-age=(\d+)$/.exec(answer.headers.get('cache-control') ?? '') ?? [];
    expect(Number(seconds)).toBeGreaterThan(90);
    expect(Number(seconds)).toBeLessThanOrEqual(100);
    const late = signedUrl(baseOf(media), { w: 31 }, { ...key, exp: now - 1 });
    expectProblem(await call(late), 'url_expired');
    // Also for who has the picture already.
    const etag = answer.headers.get('etag') ?? '';
    expect((await fetch(late, { headers: { 'If-None-Match': etag } })).status).toBe(410);
    expectProblem(await call(changed(late, 'exp', 'tomorrow')), 'image_parameter_invalid');
    const short = signedUrl(baseOf(media), { w: 31 }, { ...key, exp: now + 2 });
    expect(await status(short)).toBe(200);
    await expect.poll(() => status(short), { timeout: 10_000 }).toBe(410);
  });

  test('of an old revision leads to the present picture, until the same time', async () => {
    await setImageMode(service, 'signed');
    const key = await createImageKey(service);
    const other = await uploadMedia(service, await plainPhoto(++seed));
    const exp = Math.floor(Date.now() / 1000) + 3600;
    const url = signedUrl(baseOf(other), { w: 33 }, { ...key, exp });
    await service.call('PATCH', `/v1/media/${other['id']}`, { body: { focal: { x: 0.2, y: 0.2 } } });
    const redirect = await fetch(url, { redirect: 'manual' });
    expect(redirect.status).toBe(302);
    const location = new URL(redirect.headers.get('location') ?? '', service.url);
    expect(location.searchParams.get('exp')).toBe(String(exp));
    expect(await status(location.href)).toBe(200);
    expectProblem(await call(changed(location.href, 'exp', String(exp + 1))), 'signature_invalid');
  });
});

describe('image keys', () => {
  test('live two at a time, show their secret once, and open nothing once revoked', async () => {
    await setImageMode(service, 'signed');
    const [old, next] = [await createImageKey(service), await createImageKey(service)];
    expectProblem(await service.call('POST', '/v1/image-key', { body: { name: 'third' } }), 'conflict');
    const url = (key: typeof old) => signedUrl(baseOf(media), { w: 34 }, key);
    expect([await status(url(old)), await status(url(next))]).toEqual([200, 200]);
    const listed = await service.call('GET', '/v1/image-key');
    expect(listed.body['image_keys'].slice(0, 2)).toMatchObject([
      { id: next.id, kid: next.kid, revoked_at: null },
      { id: old.id, kid: old.kid, revoked_at: null },
    ]);
    expect(JSON.stringify(listed.body) + service.log()).not.toContain(old.secret);
    const revoked = await service.call('DELETE', `/v1/image-key/${old.id}`);
    expect(revoked.body['image_key']).toMatchObject({ kid: old.kid, revoked_at: expect.any(String) });
    expectProblem(await call(url(old)), 'signature_invalid');
    expect(await status(url(next))).toBe(200);
    expect((await service.call('DELETE', `/v1/image-key/${old.id}`)).body).toEqual(revoked.body);
    expect((await createImageKey(service)).kid).toMatch(/^[0-9A-Za-z]{8}$/);
    expectProblem(await service.call('DELETE', '/v1/image-key/999999'), 'not_found');
  });

  test('a replay of their creation does not show the secret again', async () => {
    const create = () =>
      service.call('POST', '/v1/image-key', {
        body: { name: 'once' },
        headers: { 'Idempotency-Key': 'image-key-once' },
      });
    const [first, second] = [await create(), await create()];
    expect(first.body['secret']).toMatch(/^[0-9A-Za-z]{43}$/);
    expect(second.body).toEqual({ ...first.body, secret: null });
  });

  test('their secrets are gone from the database once they are revoked', async () => {
    const key = await createImageKey(service);
    const { db } = service.app.installation;
    const stored = () => db.selectFrom('image_key').select('secret').where('id', '=', key.id).executeTakeFirstOrThrow();
    expect((await stored()).secret?.toString()).toBe(key.secret);
    await service.call('DELETE', `/v1/image-key/${key.id}`);
    expect((await stored()).secret).toBeNull();
  });

  test('events of them are for admins', async () => {
    await createImageKey(service);
    const reader = await service.createKey({ scopes: ['media.read'] });
    const typesFor = async (key: string) =>
      (await service.call('GET', '/v1/event?limit=1000', { key })).body['events'].map((one: Json) => one['type']);
    expect(await typesFor(service.key)).toContain('image_key.created');
    expect(await typesFor(reader)).not.toContain('image_key.created');
    expect(await typesFor(reader)).toContain('image_preset.created');
  });
});

describe('the examples of docs/images.md', async () => {
  const text = await readFile(join(import.meta.dirname, '../../docs/images.md'), 'utf8');
  const example = (language: string) => new RegExp(`\`\`\`${language}\n([\\s\\S]*?)\`\`\``).exec(text)?.[1] ?? '';
  const parameters = { w: 60, h: 40, f: 'fp:0.2:0.3,n', dl: "Tor! (1:0) 50% *~' – é+&=" };
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'touchline-signing-'));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  /** Runs an example with a call added that prints the URL. */
  const printed = async (program: string, file: string, code: string) => {
    await writeFile(join(folder, file), code);
    return (await run(program, [join(folder, file)])).stdout.trim();
  };
  const expectOpens = async (url: string, exp: number) => {
    expect(url.split('?')[0]).toBe(baseOf(media));
    expect(new URL(url).searchParams.get('exp')).toBe(String(exp));
    const answer = await fetch(url);
    expect([url, answer.status]).toEqual([url, 200]);
    expectProblem(await call(url.replace('w=60', 'w=61')), 'signature_invalid');
  };

  test('Node signs URLs that open', async () => {
    await setImageMode(service, 'signed');
    const key = { ...(await createImageKey(service)), exp: 4_102_444_800 };
    const { url } = (await read())['images'];
    const line = `console.log(signImage(${JSON.stringify(url)}, ${JSON.stringify(parameters)}, ${JSON.stringify(key)}));`;
    await expectOpens(await printed(process.execPath, 'sign.mjs', `${example('js')}\n${line}`), key.exp);
  });

  test.runIf(hasPython)('Python signs URLs that open', async () => {
    await setImageMode(service, 'signed');
    const key = await createImageKey(service);
    const { url } = (await read())['images'];
    const given = `${JSON.stringify(url)}, ${JSON.stringify(parameters)}, ${JSON.stringify(key.kid)}, ${JSON.stringify(key.secret)}`;
    const code = `${example('python')}\nprint(sign_image(${given}, 4102444800))`;
    await expectOpens(await printed('python3', 'sign.py', code), 4_102_444_800);
  });
});
