import { createHmac, createSecretKey, type KeyObject, timingSafeEqual } from 'node:crypto';
import { AppError, randomBase62 } from '../base/index.ts';

/** Characters of the nonce in front of a URL token; a new nonce on the asset revokes every URL handed out before. */
const NONCE_LENGTH = 8;
/** 16 bytes of HMAC-SHA256: 128 bits cannot be guessed. */
const SIGNATURE_BYTES = 16;

/** A key of its own is prepared for each HMAC over bytes, which takes four times as long as the HMAC itself. */
const prepared = new WeakMap<Buffer, KeyObject>();

function prepare(key: Buffer): KeyObject {
  const present = prepared.get(key);
  if (present) return present;
  const made = createSecretKey(key);
  prepared.set(key, made);
  return made;
}

function sign(key: Buffer, purpose: string, text: string): Buffer {
  return createHmac('sha256', prepare(key)).update(`${purpose}\0${text}`).digest().subarray(0, SIGNATURE_BYTES);
}

export function newUrlNonce(): string {
  return randomBase62(NONCE_LENGTH);
}

/** The token of an asset's file and image URLs: nonce + base64url HMAC over (organization, asset, nonce). */
export function urlToken(
  signingKey: Buffer,
  subject: { readonly organizationId: number; readonly mediaId: number; readonly nonce: string },
): string {
  const text = `${subject.organizationId}/${subject.mediaId}/${subject.nonce}`;
  return subject.nonce + sign(signingKey, 'media-url', text).toString('base64url');
}

/** The nonce of a genuine token, or undefined. Needs no database: a forged URL costs one HMAC. */
export function verifyUrlToken(
  signingKey: Buffer,
  subject: { readonly organizationId: number; readonly mediaId: number; readonly token: string },
): string | undefined {
  const nonce = subject.token.slice(0, NONCE_LENGTH);
  const given = Buffer.from(subject.token);
  const expected = Buffer.from(urlToken(signingKey, { ...subject, nonce }));
  return given.length === expected.length && timingSafeEqual(given, expected) ? nonce : undefined;
}

/** An opaque cursor: payload and HMAC. `purpose` binds it to the request it came from (path, filter, sort). */
export function sealCursor(signingKey: Buffer, purpose: string, payload: unknown): string {
  const body = Buffer.from(JSON.stringify(payload)).toString('base64url');
  return `${body}.${sign(signingKey, `cursor:${purpose}`, body).toString('base64url')}`;
}

/** @throws AppError `cursor_invalid` when the cursor was not made by `sealCursor` for the same purpose. */
export function openCursor(signingKey: Buffer, purpose: string, cursor: string): unknown {
  const [body = '', signature = ''] = cursor.split('.');
  const expected = sign(signingKey, `cursor:${purpose}`, body);
  const given = Buffer.from(signature, 'base64url');
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) {
    const detail = 'expected the next_cursor of the same request, with the same filter and sort';
    throw new AppError('cursor_invalid', `cursor: ${detail}`, {
      errors: [{ pointer: '/cursor', code: 'cursor_invalid', detail }],
    });
  }
  return JSON.parse(Buffer.from(body, 'base64url').toString('utf8'));
}

type Query = Readonly<Record<string, string>>;

/** RFC 3986: all but letters, digits and `-._~` is escaped, as `rawurlencode` of PHP and `quote` of Python do. */
function escaped(text: string): string {
  return encodeURIComponent(text).replaceAll(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
}

/** What a signature of a URL is over: the path, and the parameters without `s` in the order of their names. */
export function canonicalUrl(path: string, query: Query): string {
  const pairs = Object.entries(query)
    .filter(([name]) => name !== 's')
    .map(([name, value]) => [escaped(name), escaped(value)] as const)
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return `${path}?${pairs.map(([name, value]) => `${name}=${value}`).join('&')}`;
}

const sameText = (given: string, expected: string): boolean => {
  const [one, other] = [Buffer.from(given), Buffer.from(expected)];
  return one.length === other.length && timingSafeEqual(one, other);
};

/** The query with our own signature `s` of path and parameters, and with its end `exp` where there is one. */
export function signPath(
  signingKey: Buffer,
  target: { readonly path: string; readonly query: Query; readonly expires?: Date | undefined },
): Record<string, string> {
  const exp = target.expires && { exp: String(Math.floor(target.expires.getTime() / 1000)) };
  const query = { ...target.query, ...exp };
  return { ...query, s: sign(signingKey, 'path', canonicalUrl(target.path, query)).toString('base64url') };
}

/** True when the query carries our own signature of this path, which has an end and has not reached it. */
export function verifyPath(
  signingKey: Buffer,
  target: { readonly path: string; readonly query: Query; readonly now: Date },
): boolean {
  return isOwnSignature(signingKey, target) && Number(target.query['exp']) * 1000 > target.now.getTime();
}

/** True when `s` is a signature of `signPath`, expired or not. */
export function isOwnSignature(
  signingKey: Buffer,
  { path, query }: { readonly path: string; readonly query: Query },
): boolean {
  const expected = sign(signingKey, 'path', canonicalUrl(path, query)).toString('base64url');
  return sameText(query['s'] ?? '', expected);
}

const KID_LENGTH = 8;
/** 43 base62 characters are 256 bits. */
const SECRET_LENGTH = 43;

/** A key by which an organization signs image URLs itself: the secret is text, whose UTF-8 bytes are the key of the HMAC. */
export function generateImageKey(): { readonly kid: string; readonly secret: string } {
  return { kid: randomBase62(KID_LENGTH), secret: randomBase62(SECRET_LENGTH) };
}

/** The signature that an organization makes with a secret of its own: base64url HMAC-SHA256, all 256 bits. */
export function signImageUrl(secret: Buffer, url: { readonly path: string; readonly query: Query }): string {
  return createHmac('sha256', prepare(secret)).update(canonicalUrl(url.path, url.query)).digest('base64url');
}

/** True when `s` is the signature of `signImageUrl`; compared in constant time. */
export function isImageSignature(secret: Buffer, url: { readonly path: string; readonly query: Query }): boolean {
  return sameText(url.query['s'] ?? '', signImageUrl(secret, url));
}
