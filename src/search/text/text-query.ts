import { wordsOf } from '../../base/index.ts';

/** One part of a text query: all positive ones must be met, and none of the negated ones. */
export type TextClause =
  | {
      readonly kind: 'word';
      readonly word: string;
      /** The last word of a query may still be being typed: it stands for every word that begins so. */
      readonly prefix: boolean;
      readonly negated: boolean;
    }
  /** Words that follow one another; two or more. */
  | { readonly kind: 'phrase'; readonly words: readonly string[]; readonly negated: boolean };

export type TextQuery = { readonly clauses: readonly TextClause[] };

const PART = /(?<minus>(?<![^\s])-)?(?:"(?<phrase>[^"]*)"?|(?<plain>[^\s"]+))/gu;

/**
 * Reads `goal "left foot" -corner`: words, phrases in double quotes, `-` in front to exclude. Words are folded; one that
 * folding divides (`Smith-Jones`) counts as several. Undefined when nothing in it is a letter or a digit.
 */
export function parseTextQuery(text: string): TextQuery | undefined {
  const clauses: TextClause[] = [];
  const unfinished = !/[\s"]$/u.test(text);
  for (const match of text.matchAll(PART)) {
    const negated = match.groups?.['minus'] !== undefined;
    const phrase = match.groups?.['phrase'];
    const words = wordsOf(phrase ?? match.groups?.['plain'] ?? '');
    const isLast = match.index + match[0].length === text.length;
    if (words.length > 1 && (phrase !== undefined || negated)) clauses.push({ kind: 'phrase', words, negated });
    else {
      for (const [at, word] of words.entries()) {
        const prefix = unfinished && isLast && phrase === undefined && !negated && at === words.length - 1;
        clauses.push({ kind: 'word', word, prefix, negated });
      }
    }
  }
  return clauses.length === 0 ? undefined : { clauses };
}
