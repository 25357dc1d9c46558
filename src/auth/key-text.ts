import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { randomBase62 } from '../base/index.ts';

const PUBLIC_ID_LENGTH = 8;
const SECRET_LENGTH = 32;
const CHECKSUM_LENGTH = 6;
const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const PATTERN = new RegExp(
  `^tl_([0-9A-Za-z]{${PUBLIC_ID_LENGTH}})_([0-9A-Za-z]{${SECRET_LENGTH}})([0-9A-Za-z]{${CHECKSUM_LENGTH}})$`,
);

/** CRC-32 of the text in base62, 6 characters: lets a mistyped or truncated key be told without a look-up. */
function checksum(text: string): string {
  let rest = crc32(text);
  let out = '';
  for (let i = 0; i < CHECKSUM_LENGTH; i += 1) {
    out = (BASE62[rest % 62] ?? '0') + out;
    rest = Math.floor(rest / 62);
  }
  return out;
}

/** A new key: `tl_` + 8 visible characters + `_` + 32 random base62 characters (190 bits) + 6 of checksum. */
export function generateKeyText(): { readonly text: string; readonly publicId: string } {
  const publicId = randomBase62(PUBLIC_ID_LENGTH);
  const body = `tl_${publicId}_${randomBase62(SECRET_LENGTH)}`;
  return { text: body + checksum(body), publicId };
}

/** The visible part of a well-formed key, or undefined. */
export function parseKeyText(text: string): { readonly publicId: string } | undefined {
  const found = PATTERN.exec(text);
  if (!found?.[1]) return undefined;
  const body = text.slice(0, -CHECKSUM_LENGTH);
  return checksum(body) === found[3] ? { publicId: found[1] } : undefined;
}

/** What is stored of a key. */
export function hashKeyText(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
