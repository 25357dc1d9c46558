/**
 * Shows where the words of a text query are in the texts of an asset that was found. It works on the answered texts alone
 * and compares folded words as the search does; a typing error is shown only where no text has the word itself.
 */
import { wordsOf } from '../base/index.ts';
import { withinEdits } from './text/tag-words.ts';
import type { TextClause } from './text/text-query.ts';

/** A place in a text, in UTF-16 units, `end` beyond it. */
export type Span = { readonly start: number; readonly end: number };
type PlacedWord = Span & { readonly word: string };

// Everything that folding keeps or drops inside a word; symbols are here because some decompose into letters (㎏).
const WORD_LETTERS = /[\p{L}\p{N}\p{M}\p{Cf}\p{So}'`‘’‛′´ʹʻʼʽʾʿˈ׳ـ]+/gu;

/** The folded words of a text with their places. One that folding divides (½) has the place of the whole. */
export function placedWords(text: string): readonly PlacedWord[] {
  const placed: PlacedWord[] = [];
  for (const match of text.matchAll(WORD_LETTERS)) {
    const place = { start: match.index, end: match.index + match[0].length };
    for (const word of wordsOf(match[0])) placed.push({ ...place, word });
  }
  return placed;
}

function spansOf(words: readonly PlacedWord[], clause: TextClause): readonly Span[] {
  if (clause.kind === 'word') {
    const { word, prefix } = clause;
    return words.filter((one) => (prefix ? one.word.startsWith(word) : one.word === word));
  }
  return words.flatMap((first, at) => {
    const last = words[at + clause.words.length - 1];
    const follow = clause.words.every((word, offset) => words[at + offset]?.word === word);
    return last && follow ? [{ start: first.start, end: last.end }] : [];
  });
}

/** In order, with those that touch or overlap as one. */
function merged(spans: readonly Span[]): readonly Span[] {
  const result: Span[] = [];
  for (const span of spans.toSorted((a, b) => a.start - b.start)) {
    const last = result.at(-1);
    if (last && span.start <= last.end) result[result.length - 1] = { ...last, end: Math.max(last.end, span.end) };
    else result.push(span);
  }
  return result;
}

/** The places of the clauses in each of the texts of one asset. */
export function findSpans(texts: readonly string[], clauses: readonly TextClause[]): readonly (readonly Span[])[] {
  const words = texts.map(placedWords);
  const found: Span[][] = texts.map(() => []);
  for (const clause of clauses) {
    const exact = words.map((own) => spansOf(own, clause));
    const { length } = exact.flat();
    for (const [at, own] of words.entries()) {
      if (length > 0) found[at]?.push(...(exact[at] ?? []));
      else if (clause.kind === 'word') found[at]?.push(...own.filter(({ word }) => withinEdits(clause.word, word)));
    }
  }
  return found.map(merged);
}

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
const escapeHtml = (text: string) => text.replace(/[&<>"']/g, (character) => ESCAPES[character] ?? character);

/** Half a surrogate pair is no character: a cut moves in front of it. */
const cutAt = (text: string, at: number) => (/[\uDC00-\uDFFF]/.test(text.charAt(at)) ? at - 1 : at);

/** The part of a text that shows its first span, cut between words where there are any. */
function excerptOf(text: string, first: Span, maxLetters: number): Span {
  if (text.length <= maxLetters) return { start: 0, end: text.length };
  // A third in front gives the words that lead to the hit.
  const room = Math.max(0, maxLetters - (first.end - first.start));
  const from = Math.max(0, Math.min(first.start - Math.floor(room / 3), text.length - maxLetters));
  const to = Math.max(first.end, Math.min(text.length, from + maxLetters));
  const space = from === 0 ? -1 : text.indexOf(' ', from - 1);
  const start = from === 0 ? 0 : space >= 0 && space < first.start ? space + 1 : cutAt(text, from);
  const lastSpace = to === text.length ? -1 : text.lastIndexOf(' ', to);
  const end = to === text.length ? to : lastSpace >= first.end ? lastSpace : cutAt(text, to);
  return { start, end };
}

/**
 * A text as HTML with `<mark>` around its spans, cut to about `maxLetters` around the first of them. Everything but the
 * marks is escaped. Undefined without a span.
 */
export function markedHtml(text: string, spans: readonly Span[], maxLetters: number): string | undefined {
  const [first] = spans;
  if (!first) return undefined;
  const { start, end } = excerptOf(text, first, maxLetters);
  let html = start > 0 ? '…' : '';
  let at = start;
  for (const span of spans.filter((one) => one.end <= end)) {
    html += `${escapeHtml(text.slice(at, span.start))}<mark>${escapeHtml(text.slice(span.start, span.end))}</mark>`;
    at = span.end;
  }
  return html + escapeHtml(text.slice(at, end)) + (end < text.length ? '…' : '');
}
