import type { NameRules } from './name-rules.ts';

/** https://learn.microsoft.com/windows/win32/fileio/naming-a-file: also with any extension behind. */
const RESERVED = /^(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³]|conin\$|conout\$)(?:\.|$)/i;
const WINDOWS_CHARACTERS = /[<>:"|?*]/g;
/** Separators, control characters, what turns text around, and half surrogate pairs: never in a name, wherever it goes. */
const NEVER = /[/\\\p{Cc}\p{Cs}\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/gu;
/** Room for what is put behind a name later: `-999` of a collision and `.json` of a sidecar. */
const RESERVE_BYTES = 9;

const bytesOf = (text: string): number => Buffer.byteLength(text);

/** A value as a part of one segment; may be empty. */
export function safePart(value: string, rules: NameRules): string {
  const plain = value.normalize('NFC').replaceAll(NEVER, '-');
  return rules.style === 'windows' ? plain.replaceAll(WINDOWS_CHARACTERS, '-') : plain;
}

/** The longest beginning of at most `bytes`, cut between characters as people see them. */
export function cutText(text: string, bytes: number): string {
  if (bytesOf(text) <= bytes) return text;
  let cut = '';
  let used = 0;
  for (const { segment } of new Intl.Segmenter('en', { granularity: 'grapheme' }).segment(text)) {
    used += bytesOf(segment);
    if (used > bytes) break;
    cut += segment;
  }
  return cut;
}

/** One whole segment: not empty, not hidden, no `.` and `..`, within the length; the extension survives a cut. */
export function safeSegment(text: string, rules: NameRules, fallback: string): string {
  return wholeSegment(text, rules, { fallback, limit: rules.segmentBytes - RESERVE_BYTES });
}

function wholeSegment(
  text: string,
  rules: NameRules,
  { fallback, limit }: { readonly fallback: string; readonly limit: number },
): string {
  let name = safePart(text, rules)
    .replace(/^[\s.]+/u, '')
    .trimEnd();
  if (bytesOf(name) > limit) {
    const extension = /\.[\p{L}\p{N}]{1,10}$/u.exec(name)?.[0] ?? '';
    name = cutText(name.slice(0, name.length - extension.length), limit - bytesOf(extension)).trimEnd() + extension;
  }
  if (rules.style === 'windows') {
    name = name.replace(/[. ]+$/, '');
    if (RESERVED.test(name)) name = `_${name}`;
  }
  return name === '' ? fallback : name.normalize('NFC');
}

/** What is wrong with a text that somebody wrote as a part of a path; undefined when nothing is. */
export function literalFault(text: string, rules: NameRules): string | undefined {
  if (text.search(NEVER) >= 0) return 'text without backslashes and control characters';
  if (rules.style === 'windows' && text.search(WINDOWS_CHARACTERS) >= 0) return 'text without any of < > : " | ? *';
  return undefined;
}

/** Whether a path is one that the kind of target takes: what templates make always is. */
export function isSafePath(path: string, rules: NameRules): boolean {
  const length = rules.path.unit === 'bytes' ? bytesOf(path) : path.length;
  return (
    length <= rules.path.limit &&
    path
      .split('/')
      .every(
        (segment) =>
          segment !== '' && wholeSegment(segment, rules, { fallback: '', limit: rules.segmentBytes }) === segment,
      )
  );
}
