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

/** `exp` and `s` for a URL of an asset that is not public: HMAC over the path and its parameters in order of their names. */
export function signPath(
  signingKey: Buffer,
  target: { readonly path: string; readonly query: Readonly<Record<string, string>>; readonly expires: Date },
): Record<string, string> {
  const query = { ...target.query, exp: String(Math.floor(target.expires.getTime() / 1000)) };
  return { ...query, s: sign(signingKey, 'path', canonicalPath(target.path, query)).toString('base64url') };
}

function canonicalPath(path: string, query: Readonly<Record<string, string>>): string {
  return `${path}?${new URLSearchParams(Object.entries(query).sort(([a], [b]) => (a < b ? -1 : 1))).toString()}`;
}

/** True when the query carries a genuine signature of this path that has not expired. */
export function verifyPath(
  signingKey: Buffer,
  target: { readonly path: string; readonly query: Readonly<Record<string, string>>; readonly now: Date },
): boolean {
  const { s: signature = '', ...signed } = target.query;
  const given = Buffer.from(signature, 'base64url');
  const expected = sign(signingKey, 'path', canonicalPath(target.path, signed));
  const genuine = given.length === expected.length && timingSafeEqual(given, expected);
  return genuine && Number(signed['exp']) * 1000 > target.now.getTime();
}
