import { foldText } from './fold.ts';

/** A longer run of letters is cut: no word of a language is, and an index entry has a limit. */
const MAX_WORD_LETTERS = 100;

/** The words of a text, folded (`Šeško's 2nd goal` -> `seskos`, `2nd`, `goal`), in their order. */
export function wordsOf(text: string): string[] {
  const folded = foldText(text);
  return folded === '' ? [] : folded.split(' ').map((word) => word.slice(0, MAX_WORD_LETTERS));
}
