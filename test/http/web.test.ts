import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { formatted } from '../../scripts/web-client/format.ts';
import { typesOf } from '../../scripts/web-client/types.ts';
import { startApp, type TestApp } from '../support/app.ts';

let service: TestApp;

beforeAll(async () => {
  service = await startApp({ CDN_URL: 'https://cdn.example.org/media' });
});

afterAll(() => service?.close());

const get = (path: string, headers: Record<string, string> = {}) =>
  fetch(service.url + path, { headers, redirect: 'manual' });

async function scriptOf(page: string): Promise<string> {
  const found = /<script[^>]* src="([^"]+)"/.exec(page)?.[1];
  if (found === undefined) throw new Error(`no script in ${page}`);
  return found;
}

test('every screen of the UI answers the same page, which is never kept without asking', async () => {
  const shown = new Set<string>();
  for (const path of ['/', '/asset/12', '/upload', '/?player=4&text=goal']) {
    const answer = await get(path);
    expect(answer.status, path).toBe(200);
    expect(answer.headers.get('content-type'), path).toBe('text/html; charset=utf-8');
    expect(answer.headers.get('cache-control'), path).toBe('no-cache');
    expect(answer.headers.get('x-content-type-options'), path).toBe('nosniff');
    expect(answer.headers.get('referrer-policy'), path).toBe('no-referrer');
    shown.add((await answer.text()).replaceAll(/nonce="[^"]*"/g, ''));
  }
  expect(shown.size).toBe(1);
});

test('other addresses are none of the UI', async () => {
  for (const path of ['/nothing', '/v1/nothing', '/assets/nothing.js', '/.sources', '/assets/..%2f..%2findex.html']) {
    const answer = await get(path);
    expect(answer.status, path).toBe(404);
    expect(answer.headers.get('content-type'), path).toContain('application/problem+json');
  }
  expect((await get('/docs')).status).toBe(200);
  expect((await get('/healthz')).status).toBe(200);
  expect((await fetch(`${service.url}/upload`, { method: 'POST' })).status).toBe(405);
});

test('the policy allows no foreign or inline script, and pictures from where they are published', async () => {
  const answer = await get('/');
  const page = await answer.text();
  const policy = answer.headers.get('content-security-policy') ?? '';
  const nonce = /script-src 'self' 'nonce-([^']+)'/.exec(policy)?.[1];
  expect(policy).not.toContain('unsafe');
  expect(policy).toContain("default-src 'none'");
  expect(policy).toContain("frame-ancestors 'none'");
  expect(policy).toMatch(/img-src [^;]*https:\/\/cdn\.example\.org/);
  expect(page).not.toContain('__CSP_NONCE__');
  const nonces = [...page.matchAll(/nonce="([^"]*)"/g)].map(([, given]) => given);
  expect(nonces.length).toBeGreaterThan(2);
  expect(new Set(nonces)).toEqual(new Set([nonce]));
  const again = (await get('/')).headers.get('content-security-policy') ?? '';
  expect(again).not.toContain(String(nonce));
});

test('scripts carry the hash of their content and are kept for good, compressed for who takes it', async () => {
  const path = await scriptOf(await (await get('/')).text());
  const plain = await get(path, { 'Accept-Encoding': 'identity' });
  const text = await plain.text();
  expect(plain.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
  expect(plain.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
  expect(plain.headers.get('content-encoding')).toBeNull();
  for (const encoding of ['br', 'gzip']) {
    const answer = await get(path, { 'Accept-Encoding': encoding });
    expect(answer.headers.get('content-encoding')).toBe(encoding);
    expect(answer.headers.get('vary')).toBe('Accept-Encoding');
    expect(Number(answer.headers.get('content-length'))).toBeLessThan(text.length / 2);
    expect(await answer.text()).toBe(text);
  }
  const etag = plain.headers.get('etag') ?? '';
  expect((await get(path, { 'If-None-Match': etag })).status).toBe(304);
});

test('what the first screen loads stays small', async () => {
  const page = await (await get('/')).text();
  const files = [...page.matchAll(/(?:src|href)="(\/[^"]+)"/g)].map(([, path]) => path ?? '');
  expect(files.length).toBeGreaterThan(2);
  let bytes = 0;
  for (const path of files)
    bytes += Number((await get(path, { 'Accept-Encoding': 'br' })).headers.get('content-length'));
  process.stdout.write(`The page and what it names: ${Math.round(bytes / 1024)} KiB compressed\n`);
  expect(bytes).toBeLessThan(260 * 1024);
});

test('the types of the client are those of the API (npm run web:client writes them)', async () => {
  const { body } = await service.call('GET', '/v1/openapi.json', { key: null });
  // The document of this service; `typesOf` refuses what it does not know.
  const types = formatted(typesOf(body as Parameters<typeof typesOf>[0]));
  const kept = await readFile(join(import.meta.dirname, '..', '..', 'web', 'src', 'api', 'schema.d.ts'), 'utf8');
  expect(types === kept).toBe(true);
});
