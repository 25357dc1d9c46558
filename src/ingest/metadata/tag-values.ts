import type { TagBag } from './photo-metadata.ts';

/** Everything of category Cc but tab and line feed, and the byte order mark that some writers leave in front. */
// oxlint-disable-next-line no-control-regex -- control characters are what this pattern removes
const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\ufeff]/g;

/**
 * A text fit for storage and display, or undefined if nothing is left: NFC, trimmed, without control characters (a NUL would
 * be refused by PostgreSQL) and lone surrogates, cut to `maxBytes` of UTF-8 between characters.
 */
export function cleanText(value: unknown, maxBytes: number): string | undefined {
  if (typeof value !== 'string' && typeof value !== 'number') return undefined;
  // One UTF-16 unit is at least one byte, so nothing beyond twice the limit can survive; normalising a huge text is dear.
  const text = String(value)
    .slice(0, maxBytes * 2)
    .replace(/\r\n?/g, '\n')
    .replace(CONTROL, '')
    .normalize('NFC')
    .trim();
  const bytes = Buffer.from(text);
  const cut =
    bytes.length <= maxBytes
      ? bytes.toString()
      : bytes
          .subarray(0, maxBytes)
          .toString()
          .replace(/\ufffd$/, '');
  return cut.trim() || undefined;
}

/** Texts of a list or of a single value, cleaned, without repetitions (letter case apart), at most `maxItems`. */
export function cleanTexts(
  value: unknown,
  limits: { readonly maxItems: number; readonly maxBytes: number },
): readonly string[] {
  const found = new Map<string, string>();
  for (const item of Array.isArray(value) ? value : [value]) {
    if (found.size >= limits.maxItems) break;
    const text = cleanText(item, limits.maxBytes);
    if (text !== undefined && !found.has(text.toLowerCase())) found.set(text.toLowerCase(), text);
  }
  return [...found.values()];
}

/** A finite number, also from its decimal spelling; undefined for everything else. */
export function finiteNumber(value: unknown): number | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined;
  if (typeof value !== 'string' || !/^\s*[-+]?\d+(\.\d+)?([eE][-+]?\d{1,3})?\s*$/.test(value)) return undefined;
  const number = Number(value);
  return Number.isFinite(number) ? number : undefined;
}

/** The members of a structure; undefined for anything that is not one. */
export function structure(value: unknown): TagBag | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  // A non-null, non-array object from JSON has string keys and unknown values: exactly a TagBag.
  return value as TagBag;
}

/** The structures of a list of them, or the only one. */
export function structures(value: unknown): readonly TagBag[] {
  const items: readonly unknown[] = Array.isArray(value) ? value : [value];
  return items.map(structure).filter((item) => item !== undefined);
}

/**
 * The first non-empty text of several tags, in their order of precedence. A list is joined by ", "; a language alternative
 * without a default (`Title-de`) stands in for its tag.
 */
export function firstText(tags: TagBag, names: readonly string[], maxBytes: number): string | undefined {
  for (const name of names) {
    const value = tags[name] ?? languageAlternative(tags, name);
    const text = Array.isArray(value)
      ? cleanText(cleanTexts(value, { maxItems: 50, maxBytes }).join(', '), maxBytes)
      : cleanText(value, maxBytes);
    if (text !== undefined) return text;
  }
  return undefined;
}

function languageAlternative(tags: TagBag, name: string): unknown {
  if (!name.startsWith('XMP-')) return undefined;
  const key = Object.keys(tags).find((candidate) => candidate.startsWith(`${name}-`));
  return key === undefined ? undefined : tags[key];
}

/** The first finite number of several tags. */
export function firstNumber(tags: TagBag, names: readonly string[]): number | undefined {
  for (const name of names) {
    const number = finiteNumber(tags[name]);
    if (number !== undefined) return number;
  }
  return undefined;
}
