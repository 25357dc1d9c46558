/**
 * The words of an organization's tag options (label, full name, aliases; folded), as one state of the library has them.
 * Merged options have none: their assets carry the option they were merged into.
 */
export type TagWords = {
  /** IDs, ascending, of tag options with this word; with `prefix`, with a word that begins so. */
  withWord(word: string, options: { readonly prefix: boolean }): readonly number[];
  /** IDs, ascending, of tag options of which one name has these words one after the other. */
  withPhrase(words: readonly string[]): readonly number[];
  /** Words of tag options within the edits that are forgiven (see `withinEdits`). */
  similar(word: string): readonly string[];
};

/** How many typing errors are forgiven in a word of this length. */
export function editsForgiven(word: string): 0 | 1 | 2 {
  const letters = word.length;
  if (letters < 4) return 0;
  return letters < 8 ? 1 : 2;
}

/**
 * Whether `other` is `word` with at most the forgiven number of letters added, missing, replaced or swapped with their
 * neighbour (restricted Damerau-Levenshtein distance over UTF-16 units). The first letter must be the same.
 */
export function withinEdits(word: string, other: string): boolean {
  const edits = editsForgiven(word);
  const difference = Math.abs(word.length - other.length);
  if (edits === 0 || difference > edits || word.charCodeAt(0) !== other.charCodeAt(0)) return false;
  let older: number[] = [];
  let previous = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (let row = 1; row <= word.length; row += 1) {
    const current = [row];
    let least = row;
    for (let column = 1; column <= other.length; column += 1) {
      const same = word.charCodeAt(row - 1) === other.charCodeAt(column - 1);
      let cost = Math.min(
        (previous[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (previous[column - 1] ?? 0) + (same ? 0 : 1),
      );
      const swapped =
        row > 1 &&
        column > 1 &&
        word.charCodeAt(row - 1) === other.charCodeAt(column - 2) &&
        word.charCodeAt(row - 2) === other.charCodeAt(column - 1);
      if (swapped) cost = Math.min(cost, (older[column - 2] ?? 0) + 1);
      current.push(cost);
      least = Math.min(least, cost);
    }
    if (least > edits) return false;
    older = previous;
    previous = current;
  }
  return (previous[other.length] ?? 0) <= edits;
}
