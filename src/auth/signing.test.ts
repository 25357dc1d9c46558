import { createHmac } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { generateImageKey, isImageSignature, isOwnSignature, signImageUrl, signPath, verifyPath } from './signing.ts';

const path = '/img/1/42/AbCdEfGhtoken-3.jpg';
const now = new Date('2026-03-14T19:30:00Z');

describe('a signature of an organization', () => {
  const secret = Buffer.from('a secret of this test');

  test('is HMAC-SHA256 in base64url over the path and the sorted parameters without s, escaped as RFC 3986 says', () => {
    const query = { w: '600', f: 'player:12,faces', dl: "Tor! 100%'", kid: 'k', exp: '1', s: 'anything' };
    const text = `${path}?dl=Tor%21%20100%25%27&exp=1&f=player%3A12%2Cfaces&kid=k&w=600`;
    expect(signImageUrl(secret, { path, query })).toBe(createHmac('sha256', secret).update(text).digest('base64url'));
    expect(signImageUrl(secret, { path, query: { kid: 'k' } })).toHaveLength(43);
  });

  test('opens exactly what was signed: no other path, parameter, value, key or spelling of itself', () => {
    const query = { w: '600', kid: 'k' };
    const s = signImageUrl(secret, { path, query });
    const opens = (changed: Partial<{ path: string; query: Record<string, string>; secret: Buffer }>) =>
      isImageSignature(changed.secret ?? secret, {
        path: changed.path ?? path,
        query: changed.query ?? { ...query, s },
      });
    expect(opens({})).toBe(true);
    expect(opens({ query: { s, kid: 'k', w: '600' } })).toBe(true);
    expect(opens({ path: path.replace('-3', '-4') })).toBe(false);
    expect(opens({ secret: Buffer.from('another secret') })).toBe(false);
    for (const other of [
      { ...query, w: '601', s },
      { ...query, h: '1', s },
      { kid: 'k', s },
      { ...query },
      { ...query, s: '' },
      { ...query, s: `${s}=` },
      { ...query, s: `${s.slice(0, 20)}!${s.slice(20)}` },
      { ...query, s: s.slice(0, 22) },
    ]) {
      expect(opens({ query: other }), JSON.stringify(other)).toBe(false);
    }
  });

  test('cannot be moved from the value of one parameter into another', () => {
    const s = signImageUrl(secret, { path, query: { dl: 'a&w=600', kid: 'k' } });
    expect(isImageSignature(secret, { path, query: { dl: 'a', w: '600', kid: 'k', s } })).toBe(false);
  });

  test('is made with keys of 8 and 43 characters that differ each time', () => {
    const keys = Array.from({ length: 50 }, () => generateImageKey());
    expect(new Set(keys.map(({ kid }) => kid)).size).toBe(50);
    for (const { kid, secret: text } of keys) expect(`${kid} ${text}`).toMatch(/^[0-9A-Za-z]{8} [0-9A-Za-z]{43}$/);
  });
});

describe('a signature of ours', () => {
  const key = Buffer.alloc(32, 7);

  test('with an end is good until then', () => {
    const query = signPath(key, { path, query: { w: '1' }, expires: new Date(now.getTime() + 1000) });
    expect(verifyPath(key, { path, query, now })).toBe(true);
    expect(verifyPath(key, { path, query, now: new Date(now.getTime() + 1000) })).toBe(false);
    expect(isOwnSignature(key, { path, query })).toBe(true);
    expect(isOwnSignature(key, { path, query: { ...query, exp: '99999999999' } })).toBe(false);
  });

  test('without an end is genuine, but opens nothing that asks for an end', () => {
    const query = signPath(key, { path, query: { w: '1' } });
    expect(Object.keys(query)).toEqual(['w', 's']);
    expect(isOwnSignature(key, { path, query })).toBe(true);
    expect(verifyPath(key, { path, query, now })).toBe(false);
  });

  test('has at least 128 bits and is none of an organization with the same bytes as secret', () => {
    const query = signPath(key, { path, query: { kid: 'k' } });
    expect(Buffer.from(query['s'] ?? '', 'base64url').length * 8).toBeGreaterThanOrEqual(128);
    expect(isImageSignature(key, { path, query })).toBe(false);
  });
});
