import { foldText } from '../../base/index.ts';

const QUERY_CHARACTERS_MAX = 200;
const QUERY_WORDS_MAX = 12;

/** A folded query: its words joined by single spaces, and the words. */
export type LookupQuery = { readonly text: string; readonly words: readonly string[] };

/** `list` when nothing was asked, `undefined` when nothing searchable was asked ("!!!"). */
export function parseQuery(query: string | undefined): LookupQuery | 'list' | undefined {
  if (query === undefined || query.trim() === '') return 'list';
  const folded = foldText(query.slice(0, QUERY_CHARACTERS_MAX));
  if (folded === '') return undefined;
  // Folding can lengthen a text (one ligature, several letters): the limit holds for what is looked up, too.
  const words = folded.slice(0, QUERY_CHARACTERS_MAX).trimEnd().split(' ', QUERY_WORDS_MAX);
  return { text: words.join(' '), words };
}

/** The number that a query word may mean as a shirt number. */
export function shirtNumberOf(word: string): number | undefined {
  return /^[0-9]{1,3}$/.test(word) ? Number(word) : undefined;
}

/** The tag option ID that a whole query may mean. */
export function tagIdOf(text: string): number | undefined {
  return /^[1-9][0-9]{0,15}$/.test(text) ? Number(text) : undefined;
}
