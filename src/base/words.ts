import { foldText } from './fold.ts';

/** A longer run of letters is cut: no word of a language is, and an index entry has a limit. */
const MAX_WORD_LETTERS = 100;

/** Half a letter of two UTF-16 units at the cut is left out as well: no database stores it. */
function cut(word: string): string {
  return word.length <= MAX_WORD_LETTERS ? word : word.slice(0, MAX_WORD_LETTERS).replace(/[\uD800-\uDBFF]$/, '');
}

/** The words of a text, folded (`Šeško's 2nd goal` -> `seskos`, `2nd`, `goal`), in their order. */
export function wordsOf(text: string): string[] {
  const folded = foldText(text);
  return folded === '' ? [] : folded.split(' ').map(cut);
}
