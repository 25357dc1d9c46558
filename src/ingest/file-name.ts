const MAX_NAME_LENGTH = 400;

/** A file's own name without folders and control characters; browsers may send a whole path. */
export function cleanName(name: string | undefined): string {
  const last = (name ?? '').split(/[\\/]/).at(-1) ?? '';
  const clean = last
    .normalize('NFC')
    .replace(/\p{Cc}/gu, '')
    .trim();
  // Not half a surrogate pair at the end, which no UTF-8 has.
  return clean.slice(0, MAX_NAME_LENGTH).replace(/\p{Surrogate}/gu, '') || 'unnamed';
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** The end of a URL's path. */
export const nameOfUrl = (url: string): string => cleanName(decoded(new URL(url).pathname));

/** The name in a `Content-Disposition` (RFC 6266), the extended form first. */
export function nameOfDisposition(header: string | undefined): string | undefined {
  const [, extended] = /\bfilename\*\s*=\s*utf-8'[^']*'([^;\s]+)/i.exec(header ?? '') ?? [];
  if (extended !== undefined) return cleanName(decoded(extended));
  const [, quoted, token] = /\bfilename\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^;\s]+))/i.exec(header ?? '') ?? [];
  const plain = quoted?.replaceAll(/\\(.)/g, '$1') ?? token;
  return plain === undefined ? undefined : cleanName(plain);
}
