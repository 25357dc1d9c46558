import { redactKeys } from '../../base/index.ts';

/**
 * A request's URL for logs and messages, without any key. Letters, digits and _ are decoded first (RFC 3986, 6.2.2.2: they
 * need no encoding), so that a percent-encoded key is recognised too.
 */
export function shownUrl(url: string): string {
  const plain = url.replaceAll(/%([3-7][0-9a-f])/gi, (given, hex: string) => {
    const character = String.fromCharCode(Number.parseInt(hex, 16));
    return /\w/.test(character) ? character : given;
  });
  return redactKeys(plain);
}
