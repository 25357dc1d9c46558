import { randomBytes, randomUUID } from 'node:crypto';

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** `length` random base62 characters (5.95 bits each), without modulo bias: bytes of 248 (4 x 62) and above are drawn again. */
export function randomBase62(length: number): string {
  let out = '';
  while (out.length < length) {
    for (const byte of randomBytes(length * 2)) {
      if (byte < 248 && out.length < length) out += BASE62[byte % 62];
    }
  }
  return out;
}

/** A request ID, shown to callers as `X-Request-Id`. */
export function newRequestId(): string {
  return `req_${randomUUID().replaceAll('-', '')}`;
}
